//! Functions: decides which are instrumented, and counts their entries.

use std::sync::LazyLock;

use regex::Regex;
use tree_sitter::Node;

use super::super::nodes::NodeExt;
use super::super::points::{InstrumentedFunction, NO_LINES, PointKind};
use super::super::type_words::may_be_function;
use super::super::walk::old_style_start;
use super::super::words::one_line;
use super::instrumenter::Instrumenter;
use super::refusal::unparsed;
use crate::model::Line;

/// The name in the head of a function; empty if there is none.
fn function_name(head: &str) -> &str {
    static CALLED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"([A-Za-z_]\w*)\s*\(").expect("a constant"));
    let mut names = CALLED.captures_iter(head).filter_map(|found| found.get(1)).map(|found| found.as_str());
    names.find(|name| may_be_function(name)).unwrap_or_default()
}

impl Instrumenter<'_> {
    pub fn file(&mut self, root: Node<'_>) {
        // The parser may end a function that it does not understand too early. What follows up to its brace is no function.
        let mut end = 0;
        for node in root.all_children() {
            if node.start_byte() < end {
                continue;
            }
            let (start, body) = match node.kind() {
                "function_definition" => match node.field("body") {
                    Some(body) => (node.start_byte(), body),
                    None => continue,
                },
                "compound_statement" => {
                    let head = self.plain.heads.get(&node.start_byte());
                    (head.map_or_else(|| old_style_start(node), |head| head.range.start), node)
                }
                _ => continue,
            };
            end = body.end_byte();
            if node.has_error() {
                end = end.max(end_of_braces(root, body.start_byte()));
            }
            self.function(node, start, body, end, 0);
        }
    }

    /// The name in the declarator of a function, and where it begins.
    fn declared_name(&self, function: Node<'_>) -> Option<(&str, usize)> {
        if let Some(head) = self.plain.heads.get(&function.start_byte()) {
            return Some((&self.program.text[head.name.clone()], head.name.start));
        }
        let name = function.field("declarator")?.declared_name()?;
        (name.kind() == "identifier").then(|| (name.text(self.masked), name.start_byte()))
    }

    /// A function whose head begins at `start`, and whose body ends at `end`. If it cannot be instrumented, all of its edits and points
    /// are removed.
    pub(super) fn function(&mut self, node: Node<'_>, start: usize, body: Node<'_>, end: usize, depth: u32) {
        let start = self.plain.start(start);
        let head = &self.masked[start..body.start_byte()];
        let first = body.start_position().row - head.matches('\n').count();
        let last = first + self.masked[start..end].matches('\n').count();
        let lines: Vec<Line> = (first..=last).filter_map(|row| self.program.line(row)).collect();
        let lines = lines.iter().min().zip(lines.iter().max()).map(|(from, to)| (*from, *to));
        if lines.is_none() && !self.program.expands_ours(&(start..end)) {
            return;
        }
        let outer = (self.function, self.refusal.take(), self.chain.take(), self.switch.take());
        let is_in_chain = std::mem::take(&mut self.is_in_chain);
        let before = (self.inserts.len(), self.points.len(), self.tokens.len(), self.chains.len());
        self.function = self.functions.len();
        let declared = self.declared_name(node);
        let name = declared.map_or_else(|| function_name(head), |(name, _)| name).to_string();
        let rows_before = |offset: usize| self.masked[start..offset.max(start)].matches('\n').count();
        let name_line = declared.and_then(|(_, offset)| self.program.line(first + rows_before(offset)));
        let (is_plain, is_external) = (self.names.is_plain(&name), self.names.is_external(&name));
        let is_inlined = self.names.is_inlined(&name);
        let is_optimised = self.names.is_optimised(&name) || is_after_pragma(&self.program.text[..start]);
        let range = start..end;
        let is_elsewhere = |(row, text): (usize, &str)| {
            self.program.line(row).is_none() && !text.trim().is_empty() && !text.starts_with('#')
        };
        let is_divided =
            lines.is_some() && (first..).zip(self.program.text[range.clone()].split('\n')).any(is_elsewhere);
        let text = &self.program.text[range.clone()];
        let is_hiding =
            ["_Complex", "cleanup", "typeof", "offsetof", "assume"].iter().any(|word| text.contains(word));
        let has_hidden_tests = is_hiding || may_test(head);
        self.functions.push(InstrumentedFunction {
            lines: lines.unwrap_or(NO_LINES),
            name_line,
            is_divided,
            is_plain,
            is_external: is_external && depth == 0,
            is_inlined,
            is_optimised,
            has_hidden_tests,
            refusal: None,
            name,
            range,
            system_chains: Vec::new(),
        });
        // A head that contains a body is one that the parser took for a type.
        if self.plain.foreign.contains(&body.byte_range()) {
            self.refuse(|| "its body is not C".into());
        } else if self.names.is_unprofiled(&self.functions[self.function].name) {
            self.refuse(|| {
                "nothing can count it: it has the attribute no_profile_instrument_function or naked".into()
            });
        } else if node.has_error() {
            self.refuse(|| unparsed(node, self.masked));
        } else if body.kind() != "compound_statement" || head.contains(['{', '}']) {
            self.refuse(|| format!("not parsed: the head `{}`", one_line(head)));
        }
        if self.refusal.is_none() {
            let entry = self.counted_point(PointKind::Entry, None);
            let head = &self.program.text[start..body.start_byte()];
            for (row, text) in (first..).zip(head.split('\n')) {
                // An arm in the size of an array.
                let is_part = row > first && may_test(text);
                if is_part {
                    let part = self.point(PointKind::Arm, None, Some(entry));
                    self.mark_row(row, part);
                } else if row == first {
                    // Other code may be before it on its row.
                    self.mark_in_row(row, start, entry);
                } else if !text.trim().is_empty() {
                    self.mark_row(row, entry);
                }
            }
            self.block(body, entry, false, depth);
        }
        if let Some(reason) = self.refusal.take() {
            self.inserts.truncate(before.0);
            self.points.truncate(before.1);
            self.tokens.truncate(before.2);
            drop(self.begun_elsewhere.split_off(&before.1));
            self.chains.truncate(before.3);
            for function in &mut self.functions[self.function..] {
                function.refusal.get_or_insert_with(|| reason.clone());
                function.system_chains.clear();
            }
        }
        (self.function, self.refusal, self.chain, self.switch) = outer;
        self.is_in_chain = is_in_chain;
    }
}

/// The end of the brace that closes the one at `start`; that of the file if none does.
fn end_of_braces(root: Node<'_>, start: usize) -> usize {
    let mut depth = 0_usize;
    let tokens = root.subtree().into_iter().filter(|node| node.start_byte() >= start);
    let mut braces = tokens.filter(|node| ["{", "}"].contains(&node.kind()));
    let closing = braces.find(|brace| {
        depth = if brace.kind() == "{" { depth + 1 } else { depth.saturating_sub(1) };
        depth == 0
    });
    closing.map_or(root.end_byte(), |brace| brace.end_byte())
}

/// Whether a part of a function's head may be evaluated conditionally.
fn may_test(head: &str) -> bool {
    ["?", "&&", "||"].iter().any(|operator| head.contains(operator))
}

/// Whether a `#pragma GCC optimize` is in force after `text`.
fn is_after_pragma(text: &str) -> bool {
    let ends = ["GCC pop_options", "GCC reset_options"].map(|end| text.rfind(end));
    text.rfind("GCC optimize").is_some_and(|begun| ends.into_iter().flatten().all(|end| end < begun))
}

#[cfg(test)]
mod tests {
    use super::super::instrument;
    use crate::model::Line;
    use crate::syntax::Preprocessed;

    #[test]
    fn a_function_that_is_not_understood_ends_with_its_brace() {
        let text = "int f(int x)\n{\n  struct { int y; } s = { x && 1 };\n  enum : (short) { A } e = 1;\n  { x--; }\n  return x;\n}\nint main(void)\n{\n  return f(1);\n}\n";
        let made = instrument(&Preprocessed::new(text.into(), "p.c"), false).unwrap();
        let found: Vec<(&str, (Line, Line), bool)> = made
            .functions
            .iter()
            .map(|function| (function.name.as_str(), function.lines, function.refusal.is_some()))
            .collect();
        assert_eq!(found, [("f", (1, 7), true), ("main", (8, 11), false)]);
    }
}
