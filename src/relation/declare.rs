//! `declare`: unused declarations come and go at the heads of blocks.
//!
//! A declaration that nobody names changes nothing that runs: a block with one more has the same
//! statements, run as often. Reports on scopes (GCC and LLVM trackers) show that counts beside one
//! change all the same, so any block gets one, and a lone statement gets a block with one. One that
//! the whole program names nowhere else goes, where what it begins with has no effect: no call, no
//! assignment, no step.
//! That ends at programs that look at their own stack, and at `__label__`, which must stand first.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::constructs::pick;
use super::place::{is_bound_to_its_lines, is_plain, spots};
use super::{Grounds, Mutation, Rewrite};
use crate::model::{RelationName, TextEdit};
use crate::syntax::{Program, Slot, StatementId, StatementKind};

/// Declarations of `$`, in words and in C.
const DECLARATIONS: [(&str, &str); 17] = [
    ("int", "int $;"),
    ("int with a value", "int $ = 1;"),
    ("int with a worked-out value", "int $ = sizeof (int) > 1 ? 3 : 4;"),
    ("int that is marked so", "__attribute__((unused)) int $;"),
    ("int that is marked so, with a value", "__attribute__((unused)) int $ = 2;"),
    ("pair of ints", "int $, $_too = 5;"),
    ("volatile int", "volatile int $ = 3;"),
    ("static int", "static int $;"),
    ("static int with a value", "static int $ = 7;"),
    ("long", "unsigned long $ = 9;"),
    ("double", "double $ = 0.5;"),
    ("char array", "char $[8];"),
    ("char array with a value", "char $[8] = \"unused\";"),
    ("array with values", "int $[3] = { 1, 2, 3 };"),
    ("pointer", "char *$;"),
    ("pointer with a value", "const char *$ = \"unused\";"),
    ("function", "extern int $ (void);"),
];

/// The relation.
#[derive(Clone, Copy, Debug)]
pub struct Declare;

impl Rewrite for Declare {
    fn name(&self) -> RelationName {
        RelationName::Declare
    }

    fn mutations(&self, grounds: &Grounds<'_>, rng: &mut ChaCha8Rng) -> Vec<Mutation> {
        let program = grounds.program;
        if program.mentions("__label__") {
            return Vec::new();
        }
        let may_move = !is_bound_to_its_lines(program);
        let mut mutations: Vec<Mutation> = Vec::new();
        for id in program.ids() {
            mutations.extend(at_head(program, id, may_move, rng));
            mutations.extend(removal(program, id));
        }
        if may_move {
            mutations.extend(wraps(program, rng));
        }
        mutations.sort_by_key(|mutation| mutation.edits[0].start);
        mutations
    }
}

fn declaration(at: usize, rng: &mut ChaCha8Rng) -> (&'static str, String) {
    let (words, text) = *pick(rng, &DECLARATIONS);
    (words, text.replace('$', &format!("unused_{at}")))
}

/// A declaration more at the head of a block, on its line or on one of its own.
fn at_head(program: &Program, id: StatementId, may_move: bool, rng: &mut ChaCha8Rng) -> Option<Mutation> {
    let statement = program.statement(id);
    // The block of a statement expression may be an argument of a macro.
    let is_value = statement.slot == Slot::Fixed && statement.parent.is_some();
    if statement.kind != StatementKind::Block || is_value || !is_plain(program, id) {
        return None;
    }
    let at = statement.range.start + 1;
    let is_inline = program.function_at(at).is_some_and(|function| {
        !function.is_static && program.source[function.range.clone()].contains("inline")
    });
    let (words, text) = declaration(at, rng);
    if is_inline && words.contains("static") {
        return None;
    }
    let rest = program.source[at..].lines().next().unwrap_or("");
    // Nothing comes to the head of a switch, and its brace does not say so: llvm-cov gives that line what
    // it began in the middle of.
    let is_switch =
        statement.parent.is_some_and(|parent| program.statement(parent).kind == StatementKind::Switch);
    let is_bound = !may_move || rest.ends_with('\\');
    if is_bound && is_switch {
        return None;
    }
    let with = if is_bound || !is_switch && rng.random_bool(0.2) {
        format!(" {text}")
    } else if rest.trim().is_empty() {
        format!("\n{text}")
    } else {
        format!("\n{text}\n")
    };
    Some(Mutation {
        words: format!("declare an unused {words} at the head of the block on line {}", statement.lines.0),
        edits: vec![TextEdit { start: at, end: at, with }],
        ..Mutation::default()
    })
}

/// A declaration less, if nobody needs it.
fn removal(program: &Program, id: StatementId) -> Option<Mutation> {
    let statement = program.statement(id);
    let names = statement.declares.as_ref()?;
    let text = &program.source[statement.range.clone()];
    let has_effect = text.contains('(')
        || ["++", "--", "asm"].iter().any(|word| text.contains(word))
        || text.matches('=').count() > names.len();
    let is_needed = has_effect
        || statement.slot != Slot::Item
        || !is_plain(program, id)
        || program.removable(id).is_err()
        || program.may_lead_elsewhere(&statement.range)
        || names.iter().any(|name| program.is_named_outside(id, name));
    (!is_needed).then(|| Mutation {
        words: format!("remove the unused declaration on line {}", statement.lines.0),
        edits: vec![TextEdit { start: statement.range.start, end: statement.range.end, with: String::new() }],
        ..Mutation::default()
    })
}

/// Blocks with a declaration around lone statements.
fn wraps(program: &Program, rng: &mut ChaCha8Rng) -> Vec<Mutation> {
    let mut found = Vec::new();
    for spot in spots(program) {
        let statement = program.statement(spot.id);
        let is_fit = (statement.kind.is_simple() || statement.kind.is_compound())
            && statement.labels.is_empty()
            && !statement.foreign_case;
        let (words, text) = declaration(spot.offset(), rng);
        if !is_fit || words.contains("static") {
            continue;
        }
        let (head, tail) = (["{".to_string(), text], ["}".to_string()]);
        found.push(Mutation {
            words: format!("put line {} into a block with an unused {words}", statement.lines.0),
            edits: spot.around(&head, &tail),
            ..Mutation::default()
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::render;
    use rand::SeedableRng;
    use rand::rngs::ChaCha8Rng;

    fn all(source: &str, seed: u64) -> Vec<(String, String)> {
        let program = Program::parse(source.into());
        let grounds = Grounds { program: &program, profiler: None, ran: None };
        let mutations = Declare.mutations(&grounds, &mut ChaCha8Rng::seed_from_u64(seed));
        mutations.into_iter().map(|made| (made.words, render(source, &made.edits))).collect()
    }

    #[test]
    fn every_block_and_lone_statement_gets_one() {
        let source = "int f(int x) {\n  if (x) {\n    a();\n  } else b();\n  switch (x) { case 1: c(); }\n  return ({ d(); x; });\n}\n";
        for seed in 0..60 {
            let made = all(source, seed);
            for (words, text) in &made {
                assert_eq!(Program::parse(text.clone()).error_nodes, 0, "{words}: {text}");
                assert!(!text.contains("({\n") && !text.contains("({ int"), "{text}");
            }
            let count = |prefix: &str| made.iter().filter(|(words, _)| words.starts_with(prefix)).count();
            assert_eq!(count("declare"), 3, "{made:#?}");
            assert!(count("put line") >= 3, "{made:#?}");
        }
    }

    #[test]
    fn what_nobody_needs_and_nothing_comes_of_goes() {
        let source = "int f(int x) {\n  int a = 1;\n  int b = x++;\n  int c = g();\n  int d, e;\n  char h[4];\n  return d;\n}\n/* h */\n";
        let gone: Vec<String> = all(source, 1)
            .into_iter()
            .map(|(words, _)| words)
            .filter(|words| words.starts_with("remove"))
            .collect();
        assert_eq!(gone, ["remove the unused declaration on line 2"]);
    }

    #[test]
    fn the_head_of_a_switch_gets_a_line_of_its_own() {
        let source = "void f(int x) {\n  switch (x)\n    {\n    case 1: c();\n    }\n}\n";
        for seed in 0..60 {
            for (words, text) in all(source, seed).iter().filter(|(words, _)| words.ends_with("line 3")) {
                assert_eq!(text.lines().nth(2), Some("    {"), "{words}: {text}");
            }
        }
        let bound = format!("{source}int n = __LINE__;\n");
        assert!(all(&bound, 1).iter().all(|(words, _)| !words.ends_with("line 3")));
    }

    #[test]
    fn a_program_that_knows_its_lines_keeps_them() {
        let source = "int f(int x) {\n  return __LINE__;\n}\n";
        for seed in 0..20 {
            for (words, text) in all(source, seed) {
                assert_eq!(text.lines().count(), 3, "{words}: {text}");
            }
        }
    }
}
