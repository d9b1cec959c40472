//! Statements for places that never run: one for each construct that profilers are known to count wrong.
//!
//! A construct is a text with placeholders: `$v` is an integer variable, `$n` makes a name unique, `$c` is a call, `$r` a
//! statement that returns, `$j` one that leaves or continues the enclosing loop.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::insertion::InsertionPoint;
use crate::syntax::{Program, Scopes};

/// Each with a name.
const CONSTRUCTS: [(&str, &str); 25] = [
    ("an assignment", "$v = $v + 1;"),
    ("a call", "$c"),
    ("a call and a return", "$c\n$r"),
    ("a return", "$v = 1;\n$r"),
    ("a return in a branch", "if ($v)\n$r\n$v = 1;"),
    ("a jump out of the loop's body", "$v = 1;\n$j"),
    ("a branch with a jump", "if ($v)\n$j\n$v = 1;"),
    ("a trap", "__builtin_trap ();"),
    ("a branch", "if ($v > 3)\n$v = 0;\nelse\n$v = 1;"),
    ("a branch with an empty arm", "if ($v)\n{\n}\nelse\n$v = 1;"),
    ("a branch on a constant", "if (0)\n$v = 1;\nelse\n$v = 2;"),
    ("a loop", "for ($v = 0; $v < 3; $v++)\n{\nif ($v == 1)\ncontinue;\n$v += 1;\n}"),
    ("a loop with a break", "while ($v < 9)\n{\n$v++;\nif ($v == 5)\nbreak;\n}"),
    ("a loop without a body", "while ($v)\n;"),
    ("a loop with its test at the end", "do\n$v++;\nwhile ($v < 2);"),
    ("a loop without a condition", "for (;;)\n{\n$v = 1;\nif ($v)\nbreak;\n}"),
    ("an endless loop", "while (1)\n{\n$v = 1;\n}"),
    ("a switch", "switch ($v)\n{\ncase 0:\n$v = 2;\ncase 1:\n$v = 3;\nbreak;\ndefault:\n$v = 4;\n}"),
    ("a switch with default first", "switch ($v)\n{\ndefault:\n$v = 2;\nbreak;\ncase 7:\n$v = 3;\n}"),
    ("a switch that ends in an empty case", "switch ($v)\n{\ndefault:\n$v = 2;\nbreak;\ncase 7:\n;\n}"),
    ("a jump over a label", "goto past_$n;\n$v = 5;\npast_$n:\n$v = 6;"),
    ("a loop of jumps", "again_$n:\n$v++;\nif ($v < 3)\ngoto again_$n;"),
    ("a block with declarations", "{\nint one_$n = 3;\nchar two_$n[4];\ntwo_$n[0] = one_$n;\n}"),
    ("a conditional expression", "$v = $v > 2\n? 1\n: 2;"),
    ("a decision", "if (($v == 1\n&& $v != 2)\n|| $v > 5)\n$v = 1;"),
];

/// Statements for `$j`.
const JUMPS: [&str; 2] = ["break;", "continue;"];

/// The constructs that are valid C at one place.
#[derive(Debug)]
pub(super) struct Constructs {
    suffix: String,
    variables: Vec<String>,
    calls: Vec<String>,
    leave: Option<&'static str>,
    is_in_loop: bool,
}

impl Constructs {
    /// Those that may be inserted before the statement of `point`.
    pub fn before(program: &Program, scopes: &Scopes<'_>, point: &InsertionPoint) -> Constructs {
        let parent = |id: &_| program.statement(*id).parent;
        let mut enclosing = std::iter::successors(parent(&point.id), parent);
        Constructs {
            suffix: point.start.to_string(),
            variables: scopes.integers_at(point.start).into_iter().map(|found| found.name.clone()).collect(),
            calls: scopes.calls_at(point.start),
            leave: scopes.leave_at(point.start),
            is_in_loop: enclosing.any(|id| program.statement(id).kind.is_loop()),
        }
    }

    /// The name and the text of one of them.
    pub fn draw(&self, rng: &mut ChaCha8Rng) -> (&'static str, String) {
        let is_valid = |text: &str| {
            (!text.contains("$c") || !self.calls.is_empty())
                && (!text.contains("$r") || self.leave.is_some())
                && (!text.contains("$j") || self.is_in_loop)
        };
        let valid: Vec<(&str, &str)> = CONSTRUCTS.into_iter().filter(|(_, text)| is_valid(text)).collect();
        let (name, text) = pick(rng, &valid);
        let mut text = text.replace("$n", &self.suffix).replace("$r", self.leave.unwrap_or(";"));
        if text.contains("$j") {
            text = text.replace("$j", pick(rng, &JUMPS));
        }
        if text.contains("$c") {
            text = text.replace("$c", &self.calls[rng.random_range(0..self.calls.len())]);
        }
        if text.contains("$v") {
            if self.variables.is_empty() || rng.random_bool(0.5) {
                let own = format!("spare_{}", self.suffix);
                text = format!("{{\nint {own} = 0;\n{text}\n}}").replace("$v", &own);
            } else {
                text = text.replace("$v", &self.variables[rng.random_range(0..self.variables.len())]);
            }
        }
        (name, text)
    }
}

/// One element of `all`, which must not be empty.
pub(super) fn pick<T: Copy>(rng: &mut ChaCha8Rng, all: &[T]) -> T {
    all[rng.random_range(0..all.len())]
}

#[cfg(test)]
mod tests {
    use super::super::insertion::insertion_points;
    use super::*;
    use rand::SeedableRng;
    use std::collections::BTreeSet;

    #[test]
    fn every_construct_is_drawn_and_parses_and_calls_only_known_functions() {
        let source = "void g(int a) { }\nint f(int x) {\n  while (x) {\n    g(x);\n  }\n  return 0;\n}\n";
        let program = Program::parse(source.into());
        let scopes = program.scopes();
        let points = insertion_points(&program);
        let point = points.iter().find(|point| program.statement(point.id).lines.0 == 4).expect("a point");
        let constructs = Constructs::before(&program, &scopes, point);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut drawn = BTreeSet::new();
        for _ in 0..600 {
            let (name, text) = constructs.draw(&mut rng);
            drawn.insert(name);
            let variant = Program::parse(format!("int f(int x) {{ for (;;) {{\n{text}\n}} }}"));
            assert!(variant.error_nodes == 0 && !text.contains('$'), "{text}");
            assert!(name != "a call" || text == "g (1);", "{text}");
        }
        assert_eq!(drawn.len(), CONSTRUCTS.len());
    }

    #[test]
    fn no_construct_leaves_a_loop_where_there_is_none() {
        let program = Program::parse("struct s f(void) {\n  h();\n}\n".into());
        let scopes = program.scopes();
        let constructs = Constructs::before(&program, &scopes, &insertion_points(&program)[0]);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..200 {
            let (name, _) = constructs.draw(&mut rng);
            let invalid = ["jump out", "branch with a jump", "call", "return"];
            assert!(!invalid.iter().any(|words| name.contains(words)), "{name}");
        }
    }
}
