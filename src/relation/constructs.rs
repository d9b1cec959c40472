//! Statements for where nothing runs: one of each construct that profilers are known to count wrong.
//!
//! A construct is a text of lines with holes: `$v` an integer variable, `$n` the stem of fresh names,
//! `$c` a call, `$r` a statement that returns, `$j` one that leaves or goes on with the loop around it.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::place::Spot;
use crate::syntax::{Program, Scopes, StatementKind};

/// Constructs by name.
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

/// Statements that leave or go on with the loop around them.
const JUMPS: [&str; 2] = ["break;", "continue;"];

/// What fills the holes at one place.
#[derive(Debug)]
pub struct Holes {
    stem: String,
    variables: Vec<String>,
    calls: Vec<String>,
    leave: Option<&'static str>,
    in_loop: bool,
}

impl Holes {
    /// The holes before the statement of `spot`.
    pub fn new(program: &Program, scopes: &Scopes<'_>, spot: &Spot) -> Holes {
        let at = spot.offset();
        let mut around = Vec::new();
        let mut outer = program.statement(spot.id).parent;
        while let Some(id) = outer {
            around.push(program.statement(id).kind);
            outer = program.statement(id).parent;
        }
        let is_loop = |kind: &StatementKind| {
            matches!(kind, StatementKind::For | StatementKind::While | StatementKind::Do)
        };
        Holes {
            stem: at.to_string(),
            variables: scopes.integers_at(at).into_iter().map(|found| found.name.clone()).collect(),
            calls: scopes.calls_at(at),
            leave: scopes.leave_at(at),
            in_loop: around.iter().any(is_loop),
        }
    }

    /// A construct in words, and its lines.
    pub fn draw(&self, rng: &mut ChaCha8Rng) -> (&'static str, Vec<String>) {
        let fits = |text: &str| {
            (!text.contains("$c") || !self.calls.is_empty())
                && (!text.contains("$r") || self.leave.is_some())
                && (!text.contains("$j") || self.in_loop)
        };
        let fitting: Vec<&(&str, &str)> = CONSTRUCTS.iter().filter(|(_, text)| fits(text)).collect();
        let (words, text) = pick(rng, &fitting);
        let mut text = text.replace("$n", &self.stem).replace("$r", self.leave.unwrap_or(";"));
        if text.contains("$j") {
            let jump: &&str = pick(rng, &JUMPS);
            text = text.replace("$j", jump);
        }
        if text.contains("$c") {
            text = text.replace("$c", pick(rng, &self.calls).as_str());
        }
        if text.contains("$v") {
            // A variable of the program's, or one of ours.
            if self.variables.is_empty() || rng.random_bool(0.5) {
                let fresh = format!("spare_{}", self.stem);
                text = format!("{{\nint {fresh} = 0;\n{text}\n}}").replace("$v", &fresh);
            } else {
                text = text.replace("$v", pick(rng, &self.variables).as_str());
            }
        }
        (words, lines(&text))
    }
}

/// One of `many`, which are some.
pub fn pick<'m, T>(rng: &mut ChaCha8Rng, many: &'m [T]) -> &'m T {
    &many[rng.random_range(0..many.len())]
}

/// The lines of `text`.
pub fn lines(text: &str) -> Vec<String> {
    text.lines().map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::super::place::spots;
    use super::*;
    use rand::SeedableRng;
    use std::collections::BTreeSet;

    #[test]
    fn every_construct_is_drawn_and_parses_and_calls_what_is_there() {
        let source = "void g(int a) { }\nint f(int x) {\n  while (x) {\n    g(x);\n  }\n  return 0;\n}\n";
        let program = Program::parse(source.into());
        let scopes = program.scopes();
        let spots = spots(&program);
        let spot = spots.iter().find(|spot| program.statement(spot.id).lines.0 == 4).expect("it is a spot");
        let holes = Holes::new(&program, &scopes, spot);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut drawn = BTreeSet::new();
        for _ in 0..600 {
            let (words, lines) = holes.draw(&mut rng);
            drawn.insert(words);
            let text = lines.join("\n");
            let made = Program::parse(format!("int f(int x) {{ for (;;) {{\n{text}\n}} }}"));
            assert!(made.error_nodes == 0 && !text.contains('$'), "{text}");
            assert!(words != "a call" || text == "g (1);", "{text}");
        }
        assert_eq!(drawn.len(), CONSTRUCTS.len());
    }

    #[test]
    fn outside_of_loops_nothing_leaves_one() {
        let program = Program::parse("struct s f(void) {\n  h();\n}\n".into());
        let scopes = program.scopes();
        let holes = Holes::new(&program, &scopes, &spots(&program)[0]);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..200 {
            let (words, _) = holes.draw(&mut rng);
            assert!(
                !["jump out", "branch with a jump", "call", "return"].iter().any(|no| words.contains(no))
            );
        }
    }
}
