//! `guard`: live code gets blocks that never run, guards that always hold, and blocks that change
//! nothing (Hermes, OOPSLA 2016: FCB, TG and TCB).
//!
//! An always-false block does nothing; what an always-true guard holds runs as often as before, in the
//! same order; a block that saves, changes and restores a variable leaves it as it was, and nobody else
//! looks at it in between. The conditions rest on a volatile variable, or on the fact that the product
//! of two numbers that follow each other is even, neither of which a compiler folds.
//! That ends at: jumps, which a loop or a `switch` around them would catch; labels and cases, whose
//! scope is another; declarations, which a block would hide; a variable that has no value yet, that is
//! volatile, or that a signal handler or `longjmp` sees. None of these is guarded or changed.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::constructs::{Holes, lines, pick};
use super::place::{Spot, is_bound_to_its_lines, spots};
use super::{Grounds, Mutation, Rewrite};
use crate::model::{RelationName, TextEdit};
use crate::syntax::{Integer, Program, StatementKind};

/// Always-false blocks: `$t` and `$f` are what holds always and never, `$b` the block, `$n` a number.
const FALSE_BLOCKS: [(&str, &str); 16] = [
    ("if", "if ($f)\n{\n$b\n}"),
    ("if", "if ($f) {\n$b\n}"),
    ("else", "if ($t)\n;\nelse\n{\n$b\n}"),
    ("else behind an empty arm", "if ($t)\n{\n}\nelse\n{\n$b\n}"),
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

/// Always-true guards: `|` stands for what is guarded.
const GUARDS: [(&str, &str); 11] = [
    ("if", "if ($t)\n|"),
    ("if", "if ($t)\n{\n|\n}"),
    ("if", "if ($t) {\n|\n}"),
    ("if with an else", "if ($t)\n{\n|\n}\nelse\n{\n$b\n}"),
    ("else", "if ($f)\n;\nelse\n{\n|\n}"),
    ("else", "if ($f)\n{\n$b\n}\nelse\n{\n|\n}"),
    ("if over two lines", "if ($t\n&& $t)\n{\n|\n}"),
    ("if over two lines", "if ($f\n|| $t)\n{\n|\n}"),
    ("two ifs", "if ($t)\nif ($t)\n{\n|\n}"),
    ("jump that is not taken", "if ($f)\ngoto over_$n;\n|\nover_$n:\n;"),
    ("block", "{\n|\n}"),
];

/// Always-true guards that would catch a jump.
const CATCHING: [(&str, &str); 9] = [
    ("do", "do\n{\n|\n}\nwhile ($f);"),
    ("do", "do\n|\nwhile ($f);"),
    ("while", "while ($t)\n{\n|\nbreak;\n}"),
    ("for", "for (; $t; )\n{\n|\nbreak;\n}"),
    ("for without a condition", "for (;;)\n{\n|\nbreak;\n}"),
    ("while with a constant", "while (1)\n{\n|\nif ($t)\nbreak;\n}"),
    ("switch", "switch ($t)\n{\ncase 1:\n|\nbreak;\ndefault:\n$b\n}"),
    ("switch", "switch ($f)\n{\ncase 1:\n$b\nbreak;\ndefault:\n|\n}"),
    ("switch", "switch ($t)\n{\ndefault:\n|\n}"),
];

/// Blocks that change nothing: `$x` is a variable of type `$y`.
const NEUTRAL: [(&str, &str); 9] = [
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

/// How a variable is saved, changed and restored.
const CHANGES: [&str; 3] = ["$x = $x + 1u;", "$x = ~$x;", "$x ^= 1;"];

/// Words of programs in which somebody may see a variable between its change and its restoring.
const OBSERVED: [&str; 7] =
    ["setjmp", "_setjmp", "sigsetjmp", "__builtin_setjmp", "signal", "sigaction", "pthread_create"];

/// The relation.
#[derive(Clone, Copy, Debug)]
pub struct Guard;

/// Conditions that no compiler folds.
struct Gate {
    /// The declaration that they need.
    declares: Option<String>,
    holds: String,
    fails: String,
}

/// One statement that gets something.
struct Site<'a> {
    program: &'a Program,
    spot: &'a Spot,
    variables: Vec<&'a Integer>,
    holes: Holes,
}

impl Rewrite for Guard {
    fn name(&self) -> RelationName {
        RelationName::Guard
    }

    fn mutations(&self, grounds: &Grounds<'_>, rng: &mut ChaCha8Rng) -> Vec<Mutation> {
        let program = grounds.program;
        if is_bound_to_its_lines(program) {
            return Vec::new();
        }
        let scopes = program.scopes();
        let is_observed = OBSERVED.iter().any(|word| program.mentions(word));
        let mut mutations = Vec::new();
        for spot in spots(program) {
            let line = program.statement(spot.id).lines.0;
            if grounds.is_idle(program.statement(spot.id).lines) {
                continue;
            }
            let variables = scopes.integers_at(spot.offset()).into_iter().filter(|found| found.set).collect();
            let holes = Holes::new(program, &scopes, &spot);
            let site = Site { program, spot: &spot, variables, holes };
            let mut keep = |words: String, edits: Vec<TextEdit>| {
                mutations.push(Mutation { words, edits, ..Mutation::default() });
            };
            let (form, what, edits) = site.false_block(rng);
            keep(format!("put {what} that never runs ({form}) before line {line}"), edits);
            if let Some((form, edits)) = site.guard(rng) {
                keep(format!("guard line {line} with what always holds ({form})"), edits);
            }
            if !is_observed && let Some((form, edits)) = site.neutral(rng) {
                keep(format!("save, change and restore a variable ({form}) before line {line}"), edits);
            }
        }
        mutations
    }
}

impl Site<'_> {
    fn gate(&self, rng: &mut ChaCha8Rng) -> Gate {
        if self.variables.is_empty() || rng.random_bool(0.6) {
            let name = format!("gate_{}", self.spot.offset());
            let declares = Some(format!("volatile int {name} = 1;"));
            return Gate { declares, fails: format!("{name} == 0"), holds: name };
        }
        let name = &pick(rng, &self.variables).name;
        let odd = format!("({name} * ({name} + 1ull)) & 1");
        Gate { declares: None, holds: format!("({odd}) == 0"), fails: odd }
    }

    fn false_block(&self, rng: &mut ChaCha8Rng) -> (&'static str, &'static str, Vec<TextEdit>) {
        let (form, text) = *pick(rng, &FALSE_BLOCKS);
        let (what, body) = self.holes.draw(rng);
        let text = self.filled(text, &self.gate(rng), &body);
        (form, what, self.spot.before(&lines(&text)))
    }

    fn guard(&self, rng: &mut ChaCha8Rng) -> Option<(&'static str, Vec<TextEdit>)> {
        let statement = self.program.statement(self.spot.id);
        let is_fit = (statement.kind.is_simple() || statement.kind.is_compound())
            && statement.kind != StatementKind::Asm
            && statement.labels.is_empty()
            && !statement.foreign_case;
        if !is_fit {
            return None;
        }
        let text = &self.program.source[statement.range.clone()];
        let is_caught = ["break", "continue"].iter().any(|word| text.contains(word))
            || self.program.may_lead_elsewhere(&statement.range);
        let (form, text) =
            if is_caught || rng.random_bool(0.5) { *pick(rng, &GUARDS) } else { *pick(rng, &CATCHING) };
        let (_, body) = self.holes.draw(rng);
        let text = self.filled(text, &self.gate(rng), &body);
        let all = lines(&text);
        let at = all.iter().position(|line| line == "|").expect("every guard has its place");
        Some((form, self.spot.around(&all[..at], &all[at + 1..])))
    }

    fn neutral(&self, rng: &mut ChaCha8Rng) -> Option<(&'static str, Vec<TextEdit>)> {
        if self.variables.is_empty() {
            return None;
        }
        let variable = pick(rng, &self.variables);
        let (form, text) = pick(rng, &NEUTRAL);
        let change = format!("$y kept_$n = $x;\n{}\n$x = kept_$n;", pick(rng, &CHANGES));
        let text = text.replace("$s", &change).replace("$y", &variable.spelt).replace("$x", &variable.name);
        let text = self.filled(&text, &self.gate(rng), &[]);
        Some((form, self.spot.before(&lines(&text))))
    }

    /// `text` with its holes filled, in a block with what the gate needs.
    fn filled(&self, text: &str, gate: &Gate, body: &[String]) -> String {
        let used = text.contains("$t") || text.contains("$f");
        let text = text
            .replace("$t", &gate.holds)
            .replace("$f", &gate.fails)
            .replace("$n", &self.spot.offset().to_string())
            .replace("$b", &body.join("\n"));
        match &gate.declares {
            Some(declares) if used => format!("{{\n{declares}\n{text}\n}}"),
            _ => text,
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
        let grounds = Grounds { program: &program, profiler: None, ran: None };
        let mut count = 0;
        for seed in 0..60 {
            for mutation in Guard.mutations(&grounds, &mut ChaCha8Rng::seed_from_u64(seed)) {
                let text = render(source, &mutation.edits);
                check(&mutation, &text);
                count += 1;
            }
        }
        count
    }

    #[test]
    fn every_rewriting_parses_and_keeps_what_was_there() {
        let source = "int g;\nint f(int x) {\n  int i = 0, u;\n  g = x;\n  if (x) return 1; else g = 2;\n\
                      \x20 for (i = 0; i < 3; i++) g += i;\n  h(&u); return g;\n}\n";
        let seen = all(source, |mutation, text| {
            let made = Program::parse(text.into());
            assert_eq!(made.error_nodes, 0, "{}: {text}", mutation.words);
            assert!(!text.contains('$') && !text.contains('|') || text.contains("||"), "{text}");
            let squeezed = |text: &str| text.split_whitespace().collect::<String>();
            assert!(squeezed(text).len() > squeezed(source).len());
            assert!(!text.contains("= u;"), "it has no value: {text}");
        });
        assert!(seen > 60, "{seen}");
    }

    #[test]
    fn no_guard_catches_a_jump_and_none_hides_a_label_or_declaration() {
        let source = "void f(int x) {\n  while (x) {\n    if (x == 1)\n      break;\n    a();\n  }\n  int late = 1;\n  \
                      l: b(late);\n  c();\n}\n";
        all(source, |mutation, _| {
            let Some(rest) = mutation.words.strip_prefix("guard line ") else { return };
            let catching = CATCHING.iter().any(|(form, _)| rest.ends_with(&format!("({form})")));
            let (line, _) = rest.split_once(' ').expect("a sentence");
            assert!(!(catching && ["2", "3", "4"].contains(&line)), "{rest}");
            assert!(line != "7", "{rest}");
            assert!(!rest.starts_with("8 ") || source.lines().nth(7).is_some_and(|text| text.contains("l:")));
        });
    }

    #[test]
    fn who_looks_while_a_variable_is_changed_keeps_it() {
        let source = "int f(int x) {\n  signal(1, h);\n  x++;\n  return x;\n}\n";
        all(source, |mutation, _| assert!(!mutation.words.contains("restore"), "{}", mutation.words));
        assert_eq!(all("int f(int x) {\n  x = __LINE__;\n  return x;\n}\n", |_, _| ()), 0);
    }
}
