//! Macros that a program defines: the names that they use, and whether they branch, loop or jump.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::RangeInclusive;

use super::words::{is_word, words};
use crate::model::Line;

/// Words of a macro's text that make it more than a value.
const CONTROL: [&str; 9] = ["if", "for", "while", "do", "switch", "goto", "return", "break", "continue"];

/// Operators that do the same.
const OPERATORS: [&str; 3] = ["?", "&&", "||"];

#[derive(Debug, Default)]
pub(super) struct Macros {
    pub(super) names: HashSet<String>,
    /// The words in their texts that are not parameters.
    pub(super) inside: HashSet<String>,
    /// The lines and names of those that branch, loop or jump.
    branching: Vec<(RangeInclusive<Line>, String)>,
    /// The names of those with a brace whose partner is elsewhere.
    dividing: HashSet<String>,
}

impl Macros {
    pub(super) fn of(source: &str) -> Macros {
        let mut found = Macros::default();
        let mut rows = source.lines().zip(1..);
        while let Some((row, first)) = rows.next() {
            let (mut text, mut last) = (Cow::Borrowed(row), first);
            while text.ends_with('\\') {
                let Some((next, line)) = rows.next() else { break };
                let joined = text.to_mut();
                joined.pop();
                joined.push(' ');
                joined.push_str(next);
                last = line;
            }
            let directive = text.trim_start().strip_prefix('#').map(str::trim_start);
            if let Some(head) = directive.and_then(|rest| rest.strip_prefix("define")) {
                found.add(head.trim_start(), first..=last);
            }
        }
        found
    }

    /// Add the macro with the name and text `head`.
    fn add(&mut self, head: &str, lines: RangeInclusive<Line>) {
        let (name, text) = head.split_at(head.find(|c| !is_word(c)).unwrap_or(head.len()));
        let (parameters, body) =
            text.strip_prefix('(').and_then(|rest| rest.split_once(')')).unwrap_or(("", text));
        let parameters: Vec<&str> = words(parameters).collect();
        let own = words(body).filter(|word| !parameters.contains(word));
        self.inside.extend(own.map(String::from));
        self.names.insert(name.to_string());
        if words(body).any(|word| CONTROL.contains(&word)) || OPERATORS.iter().any(|sign| body.contains(sign))
        {
            self.branching.push((lines, name.to_string()));
        }
        if divides(body) {
            self.dividing.insert(name.to_string());
        }
    }

    /// Whether a word of `text` is a macro with a brace whose partner is elsewhere, so that the blocks around it are not those of the text.
    pub(super) fn divide(&self, text: &str) -> bool {
        !self.dividing.is_empty() && words(text).any(|word| self.dividing.contains(word))
    }

    /// Whether `line` with this `text` uses one that branches, loops or jumps, or is part of its definition.
    pub(super) fn branches(&self, line: Line, text: &str) -> bool {
        let words: Vec<&str> = words(text).collect();
        self.branching.iter().any(|(lines, name)| lines.contains(&line) || words.contains(&name.as_str()))
    }
}

/// Whether the text of a macro has a brace whose partner is not in it.
fn divides(body: &str) -> bool {
    let mut open = 0_u32;
    for sign in body.chars() {
        match sign {
            '{' => open += 1,
            '}' if open == 0 => return true,
            '}' => open -= 1,
            _ => {}
        }
    }
    open > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Program;

    #[test]
    fn a_macro_names_what_is_no_parameter() {
        let found =
            Macros::of("#define PUSH(a, b) { lo[sp] = a; \\\n  hi[sp++] = b; }\n # define N (n)\nint x;\n");
        let sorted =
            |words: &HashSet<String>| words.iter().cloned().collect::<std::collections::BTreeSet<_>>();
        assert_eq!(sorted(&found.names).into_iter().collect::<String>(), "NPUSH");
        assert_eq!(sorted(&found.inside).into_iter().collect::<String>(), "hilonsp");
    }

    #[test]
    fn a_macro_divides_blocks_by_a_brace_without_its_partner() {
        let source = "#define OPEN do {\n#define CLOSE }\n#define ELSE } else {\n#define SWAP(a, b) { int c = a; a = b; b = c; }\n";
        let found = Macros::of(source);
        let divide = |text| found.divide(text);
        assert_eq!(
            ["OPEN x;", "CLOSE;", "if (x) { ELSE }", "SWAP(x, y);"].map(divide),
            [true, true, true, false]
        );
    }

    #[test]
    fn a_macro_branches_by_any_line_of_its_text() {
        let source =
            "#define A(x) \\\n  f(x), \\\n  x ? 1 : 2\n# define B 1\nint a = A(1);\nint b = B;\nint ifs;\n";
        let program = Program::parse(source.into());
        let found: Vec<Line> = (1..=8).filter(|line| program.branches_by_macro(*line)).collect();
        assert_eq!(found, [1, 2, 3, 5]);
    }
}
