//! `guard`: adds blocks that never run, guards that are always true, and blocks without effect to live code (Hermes,
//! OOPSLA 2016: FCB, TG and TCB).
//!
//! The variant has, before or around a statement that runs, an always-false block, an always-true guard, or a block that
//! saves, changes and restores a variable. Counts must not change because none of them has an effect: the guarded
//! statement runs as often as before, in the same order, and the body of an always-false block never runs.
//!
//! The conditions use a volatile variable, or the fact that the product of two consecutive numbers is even; no compiler
//! folds either. Three kinds of statements are not guarded: jumps, which an added loop or `switch` would catch; labels
//! and cases, whose scope would change; and declarations, which a block would hide. A variable is not changed if it has
//! no value yet, is volatile, or may be read by a signal handler or after `longjmp`.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::constructs::{Constructs, pick};
use super::insertion::{InsertionPoint, depends_on_lines, insertion_points, may_be_enclosed};
use super::mutation::{Grounds, Mutation};
use crate::syntax::{Integer, Program, Statement, StatementKind};

/// Blocks that never run: `$t` is always true, `$f` always false, `$b` the body, and `$n` makes a name unique.
const FALSE_BLOCKS: [(&str, &str); 16] = [
    ("if", "if ($f)\n{\n$b\n}"),
    ("if", "if ($f) {\n$b\n}"),
    ("else", "if ($t)\n;\nelse\n{\n$b\n}"),
    ("else after an empty arm", "if ($t)\n{\n}\nelse\n{\n$b\n}"),
    ("else if", "if ($t)\n{\n}\nelse if ($f)\n{\n$b\n}"),
    ("if over two lines", "if ($f\n&& $t)\n{\n$b\n}"),
    ("if over two lines", "if ($t\n&& $f)\n{\n$b\n}"),
    ("if over two lines", "if ($f\n|| $f)\n{\n$b\n}"),
    ("while", "while ($f)\n{\n$b\n}"),
    ("for", "for (; $f; )\n{\n$b\n}"),
    ("switch", "switch ($f)\n{\ncase 1:\n$b\n}"),
    ("switch", "switch ($t)\n{\ncase 0:\n$b\nbreak;\ncase 1:\nbreak;\n}"),
    ("switch", "switch ($t)\n{\ncase 1:\nbreak;\ndefault:\n$b\n}"),
    ("jump over it", "if ($t)\ngoto over_$n;\n$b\nover_$n:\n;"),
    ("break before it", "for (;;)\n{\nif ($t)\nbreak;\n$b\n}"),
    ("break before it", "do\n{\nif ($t)\nbreak;\n$b\n}\nwhile ($f);"),
];

/// Always-true guards of the statement `$g`.
const GUARDS: [(&str, &str); 11] = [
    ("if", "if ($t)\n$g"),
    ("if", "if ($t)\n{\n$g\n}"),
    ("if", "if ($t) {\n$g\n}"),
    ("if with an else", "if ($t)\n{\n$g\n}\nelse\n{\n$b\n}"),
    ("else", "if ($f)\n;\nelse\n{\n$g\n}"),
    ("else", "if ($f)\n{\n$b\n}\nelse\n{\n$g\n}"),
    ("if over two lines", "if ($t\n&& $t)\n{\n$g\n}"),
    ("if over two lines", "if ($f\n|| $t)\n{\n$g\n}"),
    ("two ifs", "if ($t)\nif ($t)\n{\n$g\n}"),
    ("jump that is not taken", "if ($f)\ngoto over_$n;\n$g\nover_$n:\n;"),
    ("block", "{\n$g\n}"),
];

/// Always-true guards in which a `break` or `continue` of the statement would mean another loop or switch.
const CATCHING_GUARDS: [(&str, &str); 9] = [
    ("do", "do\n{\n$g\n}\nwhile ($f);"),
    ("do", "do\n$g\nwhile ($f);"),
    ("while", "while ($t)\n{\n$g\nbreak;\n}"),
    ("for", "for (; $t; )\n{\n$g\nbreak;\n}"),
    ("for without a condition", "for (;;)\n{\n$g\nbreak;\n}"),
    ("while with a constant", "while (1)\n{\n$g\nif ($t)\nbreak;\n}"),
    ("switch", "switch ($t)\n{\ncase 1:\n$g\nbreak;\ndefault:\n$b\n}"),
    ("switch", "switch ($f)\n{\ncase 1:\n$b\nbreak;\ndefault:\n$g\n}"),
    ("switch", "switch ($t)\n{\ndefault:\n$g\n}"),
];

/// Blocks that change nothing: `$x` is a variable of type `$y`, and `$s` saves, changes and restores it.
const NEUTRAL_BLOCKS: [(&str, &str); 9] = [
    ("if", "if ($t)\n{\n$s\n}"),
    ("block", "{\n$s\n}"),
    ("do", "do\n{\n$s\n}\nwhile ($f);"),
    ("while", "while ($t)\n{\n$s\nbreak;\n}"),
    ("for", "for (;;)\n{\n$s\nbreak;\n}"),
    ("switch", "switch ($t)\n{\ncase 1:\n{\n$s\n}\n}"),
    ("loop", "{\n$y kept_$n = $x;\nfor ($x = 0; $x < 3; $x++)\n;\n$x = kept_$n;\n}"),
    ("loop", "{\n$y kept_$n = $x;\n$x = 0;\nwhile ($x < 2)\n$x++;\n$x = kept_$n;\n}"),
    ("branch", "{\n$y kept_$n = $x;\n$x = 0;\nif ($x == 0\n&& $t)\n$x = kept_$n;\nelse\n$x = 1;\n}"),
];

/// Changes of a variable that is then restored.
const CHANGES: [&str; 3] = ["$x = $x + 1u;", "$x = ~$x;", "$x ^= 1;"];

/// Words of programs in which other code may read a variable between its change and its restoration.
const OBSERVED: [&str; 7] =
    ["setjmp", "_setjmp", "sigsetjmp", "__builtin_setjmp", "signal", "sigaction", "pthread_create"];

pub(super) fn mutations(grounds: &Grounds<'_>, rng: &mut ChaCha8Rng) -> Vec<Mutation> {
    let program = grounds.program;
    if depends_on_lines(program) {
        return Vec::new();
    }
    let scopes = program.scopes();
    let is_observed = OBSERVED.iter().any(|word| program.mentions(word));
    let mut mutations = Vec::new();
    for point in insertion_points(program) {
        let statement = program.statement(point.id);
        if grounds.never_ran(statement.lines) {
            continue;
        }
        let target = Target {
            program,
            statement,
            variables: scopes.integers_at(point.start).into_iter().filter(|found| found.set).collect(),
            constructs: Constructs::before(program, &scopes, &point),
            point,
        };
        mutations.push(target.false_block(rng));
        mutations.extend(target.guard(rng));
        if !is_observed {
            mutations.extend(target.neutral_block(rng));
        }
    }
    mutations
}

/// A statement that runs, and the means to write code before and around it.
struct Target<'a> {
    program: &'a Program,
    statement: &'a Statement,
    point: InsertionPoint,
    variables: Vec<&'a Integer>,
    constructs: Constructs,
}

impl Target<'_> {
    fn false_block(&self, rng: &mut ChaCha8Rng) -> Mutation {
        let (form, text) = pick(rng, &FALSE_BLOCKS);
        let (name, body) = self.constructs.draw(rng);
        let words = format!("put {name} that never runs ({form}) before line {}", self.statement.lines.0);
        Mutation::of_text(words, self.point.before(&self.filled(text, &body, rng)))
    }

    fn guard(&self, rng: &mut ChaCha8Rng) -> Option<Mutation> {
        if !may_be_enclosed(self.statement) || self.statement.kind == StatementKind::Asm {
            return None;
        }
        let range = &self.statement.range;
        let jumps =
            ["break", "continue"].iter().any(|word| self.program.source[range.clone()].contains(word))
                || self.program.may_lead_elsewhere(range);
        let (form, text) =
            if jumps || rng.random_bool(0.5) { pick(rng, &GUARDS) } else { pick(rng, &CATCHING_GUARDS) };
        let (_, body) = self.constructs.draw(rng);
        let text = self.filled(text, &body, rng);
        let (head, tail) = text.split_once("$g").expect("every guard has a place for the statement");
        let words = format!("guard line {} with an always-true condition ({form})", self.statement.lines.0);
        Some(Mutation::of_text(words, self.point.around(head.trim_end(), tail.trim_start())))
    }

    fn neutral_block(&self, rng: &mut ChaCha8Rng) -> Option<Mutation> {
        if self.variables.is_empty() {
            return None;
        }
        let variable = pick(rng, &self.variables);
        let (form, text) = pick(rng, &NEUTRAL_BLOCKS);
        let change = format!("$y kept_$n = $x;\n{}\n$x = kept_$n;", pick(rng, &CHANGES));
        let text = text.replace("$s", &change).replace("$y", &variable.spelt).replace("$x", &variable.name);
        let line = self.statement.lines.0;
        let words = format!("save, change and restore a variable ({form}) before line {line}");
        Some(Mutation::of_text(words, self.point.before(&self.filled(&text, "", rng))))
    }

    /// `text` with conditions that no compiler folds in place of `$t` and `$f`, and with the `body`.
    fn filled(&self, text: &str, body: &str, rng: &mut ChaCha8Rng) -> String {
        let start = self.point.start;
        let has_own_variable = self.variables.is_empty() || rng.random_bool(0.6);
        let (holds, fails) = if has_own_variable {
            (format!("gate_{start}"), format!("gate_{start} == 0"))
        } else {
            let name = &pick(rng, &self.variables).name;
            let odd = format!("({name} * ({name} + 1ull)) & 1");
            (format!("({odd}) == 0"), odd)
        };
        let is_conditional = text.contains("$t") || text.contains("$f");
        let text = text
            .replace("$t", &holds)
            .replace("$f", &fails)
            .replace("$n", &start.to_string())
            .replace("$b", body);
        if has_own_variable && is_conditional {
            format!("{{\nvolatile int gate_{start} = 1;\n{text}\n}}")
        } else {
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::render;
    use rand::SeedableRng;

    fn all(source: &str, check: impl Fn(&Mutation, &str)) -> usize {
        let program = Program::parse(source.into());
        let mut count = 0;
        for seed in 0..60 {
            for mutation in mutations(&Grounds::not_run(&program), &mut ChaCha8Rng::seed_from_u64(seed)) {
                let text = render(source, &mutation.edits);
                check(&mutation, &text);
                count += 1;
            }
        }
        count
    }

    #[test]
    fn every_variant_parses_and_only_adds_text() {
        let source = "int g;\nint f(int x) {\n  int i = 0, u;\n  g = x;\n  if (x) return 1; else g = 2;\n\
                      \x20 for (i = 0; i < 3; i++) g += i;\n  h(&u); return g;\n}\n";
        let seen = all(source, |mutation, text| {
            let variant = Program::parse(text.into());
            assert_eq!(variant.error_nodes, 0, "{}: {text}", mutation.words);
            assert!(!text.contains('$'), "{text}");
            let squeezed = |text: &str| text.split_whitespace().collect::<String>();
            assert!(squeezed(text).len() > squeezed(source).len());
            assert!(!text.contains("= u;"), "it has no value: {text}");
        });
        assert!(seen > 60, "{seen}");
    }

    #[test]
    fn no_guard_catches_a_jump_or_hides_a_label_or_declaration() {
        let source = "void f(int x) {\n  while (x) {\n    if (x == 1)\n      break;\n    a();\n  }\n  int late = 1;\n  \
                      l: b(late);\n  c();\n}\n";
        all(source, |mutation, _| {
            let Some(rest) = mutation.words.strip_prefix("guard line ") else { return };
            let catching = CATCHING_GUARDS.iter().any(|(form, _)| rest.ends_with(&format!("({form})")));
            let (line, _) = rest.split_once(' ').expect("a sentence");
            assert!(!(catching && ["2", "3", "4"].contains(&line)), "{rest}");
            assert!(line != "7", "{rest}");
            assert!(!rest.starts_with("8 ") || source.lines().nth(7).is_some_and(|text| text.contains("l:")));
        });
    }

    #[test]
    fn a_variable_that_other_code_may_read_is_not_changed() {
        let source = "int f(int x) {\n  signal(1, h);\n  x++;\n  return x;\n}\n";
        all(source, |mutation, _| assert!(!mutation.words.contains("restore"), "{}", mutation.words));
        assert_eq!(all("int f(int x) {\n  x = __LINE__;\n  return x;\n}\n", |_, _| ()), 0);
    }
}
