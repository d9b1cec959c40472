//! Macros that a program defines: what they name, and which of them branch, loop or jump.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use super::Program;
use crate::model::Line;

/// Words by which a macro's text is more than a value.
const CONTROL: [&str; 9] = ["if", "for", "while", "do", "switch", "goto", "return", "break", "continue"];

/// Operators that do the same.
const OPERATORS: [&str; 3] = ["?", "&&", "||"];

/// The macros of a source.
#[derive(Debug, Default)]
pub(super) struct Macros {
    /// Their names.
    pub(super) names: HashSet<String>,
    /// The words in their texts that are no parameters.
    pub(super) inside: HashSet<String>,
}

impl Macros {
    /// Those that `source` defines.
    pub(super) fn of(source: &str) -> Macros {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut found = Macros::default();
        let mut lines = source.lines();
        while let Some(line) = lines.next() {
            let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
            let Some(head) = directive.and_then(|rest| rest.strip_prefix("define")).map(str::trim_start)
            else {
                continue;
            };
            let (name, rest) = head.split_at(head.find(|c: char| !is_word(c)).unwrap_or(head.len()));
            let mut text = rest.to_string();
            while text.ends_with('\\') {
                let Some(next) = lines.next() else { break };
                text.pop();
                text.push(' ');
                text.push_str(next);
            }
            let (parameters, body) = match text.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
                Some((parameters, body)) => (parameters, body),
                None => ("", text.as_str()),
            };
            let parameters: Vec<&str> = words(parameters).collect();
            let own = words(body).filter(|word| !parameters.contains(word));
            found.inside.extend(own.map(String::from));
            found.names.insert(name.to_string());
        }
        found
    }
}

/// One `#define`.
struct Definition<'a> {
    lines: RangeInclusive<Line>,
    name: &'a str,
    branches: bool,
}

impl Program {
    /// Whether `line` uses a macro of this source that branches, loops or jumps, or is part of the
    /// definition of one.
    pub fn branches_by_macro(&self, line: Line) -> bool {
        let words: Vec<&str> = words(self.line_text(line)).collect();
        let mut definitions = self.definitions().filter(|found| found.branches);
        definitions.any(|found| found.lines.contains(&line) || words.contains(&found.name))
    }

    fn definitions(&self) -> impl Iterator<Item = Definition<'_>> {
        let mut next = 1;
        std::iter::from_fn(move || {
            while next <= self.line_count() {
                let first = next;
                let goes_on = |line: &Line| self.line_text(*line).ends_with('\\');
                next =
                    (first..self.line_count()).find(|line| !goes_on(line)).unwrap_or(self.line_count()) + 1;
                if let Some(found) = self.definition(first..=next - 1) {
                    return Some(found);
                }
            }
            None
        })
    }

    fn definition(&self, lines: RangeInclusive<Line>) -> Option<Definition<'_>> {
        let head = self.line_text(*lines.start()).trim_start().strip_prefix('#')?.trim_start();
        let name = words(head.strip_prefix("define")?).next()?;
        let does = |line: Line| {
            let text = self.line_text(line);
            words(text).any(|word| CONTROL.contains(&word))
                || OPERATORS.iter().any(|sign| text.contains(sign))
        };
        Some(Definition { branches: lines.clone().any(does), name, lines })
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_macro_branches_by_any_line_of_its_text() {
        let source =
            "#define A(x) \\\n  f(x), \\\n  x ? 1 : 2\n# define B 1\nint a = A(1);\nint b = B;\nint ifs;\n";
        let program = Program::parse(source.into());
        let found: Vec<Line> = (1..=8).filter(|line| program.branches_by_macro(*line)).collect();
        assert_eq!(found, [1, 2, 3, 5]);
    }
}
