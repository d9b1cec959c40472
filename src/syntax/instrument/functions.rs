//! Functions: decides which are instrumented, and counts their entries.

use std::sync::LazyLock;

use regex::Regex;
use tree_sitter::Node;

use super::super::nodes::NodeExt;
use super::super::points::{InstrumentedFunction, PointKind};
use super::super::type_words::may_be_function;
use super::super::walk::old_style_start;
use super::super::words::one_line;
use super::instrumenter::Instrumenter;
use super::refusal::{Refusal, unparsed};
use crate::model::Line;

/// The name in the head of a function; empty if there is none.
fn function_name(head: &str) -> &str {
    static CALLED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"([A-Za-z_]\w*)\s*\(").expect("a constant"));
    let mut names = CALLED.captures_iter(head).filter_map(|found| found.get(1)).map(|found| found.as_str());
    names.find(|name| may_be_function(name)).unwrap_or_default()
}

fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Whether a `head`, or a declaration, has a word that keeps the function from other files, or lets a compiler drop it.
fn is_private(head: &str) -> bool {
    let words = head.split(|character| !is_of_name(character));
    words.into_iter().any(|word| matches!(word, "static" | "inline" | "__inline" | "__inline__"))
}

/// Whether a declaration in `text` makes the function `name` private.
fn is_declared_static(text: &str, name: &str) -> bool {
    name.is_empty() || declarations(text, name).any(is_private)
}

/// Whether a declaration in `text` makes gcc inline all calls of the function `name`.
fn is_always_inline(text: &str, name: &str) -> bool {
    name.is_empty() || declarations(text, name).any(|declaration| declaration.contains("always_inline"))
}

/// The text around each occurrence of `name`, from the statement or body before it to the one after it.
fn declarations<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
    let is_end = [';', '{', '}'];
    text.match_indices(name).map(move |(at, _)| {
        let begins = text[..at].rfind(is_end).map_or(0, |end| end + 1);
        let ends = text[at..].find(is_end).map_or(text.len(), |end| at + end);
        &text[begins..ends]
    })
}

impl Instrumenter<'_> {
    pub fn file(&mut self, root: Node<'_>) {
        for node in root.all_children() {
            match node.kind() {
                "function_definition" => {
                    if let Some(body) = node.field("body") {
                        self.function(node, node.start_byte(), body, 0);
                    }
                }
                "compound_statement" => {
                    let head = self.plain.heads.get(&node.start_byte());
                    let start = head.map_or_else(|| old_style_start(node), |head| head.range.start);
                    self.function(node, start, node, 0);
                }
                _ => {}
            }
        }
    }

    /// The name in the declarator of a function.
    fn declared_name(&self, function: Node<'_>) -> Option<&str> {
        if let Some(head) = self.plain.heads.get(&function.start_byte()) {
            return Some(&self.program.text[head.name.clone()]);
        }
        let name = function.field("declarator")?.declared_name()?;
        (name.kind() == "identifier").then(|| name.text(self.masked))
    }

    /// A function whose head begins at `start`. If it cannot be instrumented, all of its edits and points are removed.
    pub(super) fn function(&mut self, node: Node<'_>, start: usize, body: Node<'_>, depth: u32) {
        let start = self.plain.start(start);
        let head = &self.masked[start..body.start_byte()];
        let (first, last) = (body.start_position().row - head.matches('\n').count(), body.end_position().row);
        let lines: Vec<Line> = (first..=last).filter_map(|row| self.program.line(row)).collect();
        let (Some(&from), Some(&to)) = (lines.iter().min(), lines.iter().max()) else { return };
        let outer = (self.function, self.refusal.take(), self.chain.take(), self.switch.take());
        let before = (self.inserts.len(), self.points.len(), self.tokens.len(), self.chains.len());
        self.function = self.functions.len();
        let name = self.declared_name(node).unwrap_or_else(|| function_name(head)).to_string();
        let range = start..body.end_byte();
        let is_named = |at: &usize| !self.masked[at + name.len()..].starts_with(is_of_name);
        let at = head.match_indices(&name).map(|(at, _)| start + at).find(is_named);
        let row = at.map(|at| first + self.masked[start..at].matches('\n').count());
        let named_on = row.filter(|_| !name.is_empty()).and_then(|row| self.program.line(row));
        let is_external = depth == 0 && !is_private(head) && !is_declared_static(self.masked, &name);
        let is_always_inline = is_always_inline(&self.program.text, &name);
        let lines = (from, to);
        self.functions.push(InstrumentedFunction {
            lines,
            is_counted: true,
            name,
            named_on,
            is_external,
            is_always_inline,
            range,
        });
        // A head that contains a body is one that the parser took for a type.
        if self.plain.foreign.contains(&body.byte_range()) {
            self.refuse(|| "its body is not C".into());
        } else if node.has_error() {
            self.refuse(|| unparsed(node, self.masked));
        } else if body.kind() != "compound_statement" || head.contains(['{', '}']) {
            self.refuse(|| format!("not parsed: the head `{}`", one_line(head)));
        }
        if self.refusal.is_none() {
            let entry = self.counted_point(PointKind::Entry, None);
            let head = &self.program.text[start..body.start_byte()];
            for (row, text) in (first..).zip(head.split('\n')) {
                if !text.trim().is_empty() {
                    self.mark_row(row, entry);
                }
            }
            self.block(body, entry, false, depth);
        }
        if let Some(reason) = self.refusal.take() {
            self.refusals.push(Refusal { function: self.functions[self.function].name.clone(), reason });
            self.inserts.truncate(before.0);
            self.points.truncate(before.1);
            self.tokens.truncate(before.2);
            self.chains.truncate(before.3);
            for function in &mut self.functions[self.function..] {
                function.is_counted = false;
            }
        }
        (self.function, self.refusal, self.chain, self.switch) = outer;
    }
}
