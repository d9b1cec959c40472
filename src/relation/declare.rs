//! `declare`: adds and removes unused declarations.
//!
//! The variant has one more unused declaration at the head of a block, a new block with one around a single statement,
//! or one unused declaration less. Counts must not change, because an unused declaration has no effect. Reports on
//! scopes in GCC's and LLVM's trackers show that adjacent counts change nevertheless.
//!
//! Only a declaration whose initialiser has no effect (no call, assignment or increment), and whose names are used
//! nowhere in the program, is removed. Programs with `__label__`, which must be first in its block, are left out.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::constructs::pick;
use super::insertion::{
    InsertionPoint, depends_on_lines, insertion_points, is_unconditional, may_be_enclosed,
};
use super::mutation::{Grounds, Mutation};
use crate::model::TextEdit;
use crate::syntax::{Program, Slot, StatementId, StatementKind};

/// Declarations of `$`: a name for each, and the text.
const DECLARATIONS: [(&str, &str); 17] = [
    ("int", "int $;"),
    ("int with a value", "int $ = 1;"),
    ("int with a computed value", "int $ = sizeof (int) > 1 ? 3 : 4;"),
    ("int with an attribute", "__attribute__((unused)) int $;"),
    ("int with an attribute and a value", "__attribute__((unused)) int $ = 2;"),
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

pub(super) fn mutations(grounds: &Grounds<'_>, rng: &mut ChaCha8Rng) -> Vec<Mutation> {
    let program = grounds.program;
    if program.mentions("__label__") {
        return Vec::new();
    }
    let may_move = !depends_on_lines(program);
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

fn declaration(at: usize, rng: &mut ChaCha8Rng) -> (&'static str, String) {
    let (name, text) = pick(rng, &DECLARATIONS);
    (name, text.replace('$', &format!("unused_{at}")))
}

/// A declaration added at the head of a block, on its line or on a new one.
fn at_head(program: &Program, id: StatementId, may_move: bool, rng: &mut ChaCha8Rng) -> Option<Mutation> {
    let statement = program.statement(id);
    // The block of a statement expression may be an argument of a macro.
    let is_value = statement.slot == Slot::Fixed && statement.parent.is_some();
    if statement.kind != StatementKind::Block || is_value || !is_unconditional(program, id) {
        return None;
    }
    let at = statement.range.start + 1;
    // An inline function with external linkage may define no static variable.
    let is_inline = program.function_at(at).is_some_and(|function| {
        !function.is_static && program.source[function.range.clone()].contains("inline")
    });
    let (name, text) = declaration(at, rng);
    if is_inline && name.contains("static") {
        return None;
    }
    let rest = program.source[at..].lines().next().unwrap_or("");
    let needs_this_line = !may_move || rest.ends_with('\\');
    // The head of a switch is unreachable, and llvm-cov gives the line of its brace the count of the enclosing region.
    let is_switch =
        statement.parent.is_some_and(|parent| program.statement(parent).kind == StatementKind::Switch);
    if needs_this_line && is_switch {
        return None;
    }
    let with = if needs_this_line || !is_switch && rng.random_bool(0.2) {
        format!(" {text}")
    } else if rest.trim().is_empty() {
        format!("\n{text}")
    } else {
        format!("\n{text}\n")
    };
    let words = format!("declare an unused {name} at the head of the block on line {}", statement.lines.0);
    Some(Mutation::of_text(words, vec![TextEdit::insert(at, with)]))
}

/// An unused declaration removed.
fn removal(program: &Program, id: StatementId) -> Option<Mutation> {
    let statement = program.statement(id);
    let names = statement.declares.as_ref()?;
    let range = &statement.range;
    let text = &program.source[range.clone()];
    let has_effect = ["(", "++", "--", "asm"].iter().any(|word| text.contains(word))
        || text.matches('=').count() > names.len();
    let is_needed = has_effect
        || statement.slot != Slot::Item
        || !is_unconditional(program, id)
        || !program.is_removable(id)
        || program.may_lead_elsewhere(range)
        || names.iter().any(|name| program.is_named_outside(id, name));
    let words = format!("remove the unused declaration on line {}", statement.lines.0);
    (!is_needed).then(|| Mutation::of_text(words, vec![TextEdit::delete(range.clone())]))
}

/// Single statements put into a block with a declaration.
fn wraps(program: &Program, rng: &mut ChaCha8Rng) -> Vec<Mutation> {
    let mutation = |point: InsertionPoint| {
        let statement = program.statement(point.id);
        let (name, text) = declaration(point.start, rng);
        let words = format!("put line {} into a block with an unused {name}", statement.lines.0);
        let is_wrapped = may_be_enclosed(statement) && !name.contains("static");
        is_wrapped.then(|| Mutation::of_text(words, point.around(&format!("{{\n{text}"), "}")))
    };
    insertion_points(program).into_iter().filter_map(mutation).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::render;
    use rand::SeedableRng;

    fn all(source: &str, seed: u64) -> Vec<(String, String)> {
        let program = Program::parse(source.into());
        let mutations = mutations(&Grounds::not_run(&program), &mut ChaCha8Rng::seed_from_u64(seed));
        let text = |mutation: Mutation| (mutation.words, render(source, &mutation.edits));
        mutations.into_iter().map(text).collect()
    }

    #[test]
    fn every_block_and_single_statement_gets_a_declaration() {
        let source = "int f(int x) {\n  if (x) {\n    a();\n  } else b();\n  switch (x) { case 1: c(); }\n  return ({ d(); x; });\n}\n";
        for seed in 0..60 {
            let variants = all(source, seed);
            for (words, text) in &variants {
                assert_eq!(Program::parse(text.clone()).error_nodes, 0, "{words}: {text}");
                assert!(!text.contains("({\n") && !text.contains("({ int"), "{text}");
            }
            let count = |prefix: &str| variants.iter().filter(|(words, _)| words.starts_with(prefix)).count();
            assert_eq!(count("declare"), 3, "{variants:#?}");
            assert!(count("put line") >= 3, "{variants:#?}");
        }
    }

    #[test]
    fn an_unused_declaration_without_effect_is_removed() {
        let source = "int f(int x) {\n  int a = 1;\n  int b = x++;\n  int c = g();\n  int d, e;\n  char h[4];\n  return d;\n}\n/* h */\n";
        let removed: Vec<String> = all(source, 1)
            .into_iter()
            .map(|(words, _)| words)
            .filter(|words| words.starts_with("remove"))
            .collect();
        assert_eq!(removed, ["remove the unused declaration on line 2"]);
    }

    #[test]
    fn a_declaration_at_the_head_of_a_switch_is_on_its_own_line() {
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
    fn a_program_that_depends_on_its_lines_keeps_them() {
        let source = "int f(int x) {\n  return __LINE__;\n}\n";
        for seed in 0..20 {
            for (words, text) in all(source, seed) {
                assert_eq!(text.lines().count(), 3, "{words}: {text}");
            }
        }
    }
}
