//! Constructs: the parts of a program that are responsible for a fault, in words.

use super::facts::{Facts, Position};
use crate::model::Line;
use crate::syntax::{PointId, PointKind};

/// The name of a part of a program.
pub(super) fn name(kind: PointKind) -> &'static str {
    match kind {
        PointKind::Entry => "function",
        PointKind::Block => "block",
        PointKind::Statement(kind) => kind.name(),
        PointKind::Silent => "declaration",
        PointKind::Condition => "condition",
        PointKind::Operand => "operand",
        PointKind::Arm => "arm",
        PointKind::Init => "init",
        PointKind::Step => "step",
        PointKind::Label => "label",
        PointKind::Case => "case",
    }
}

impl Facts<'_> {
    /// The kind of the code at `position`, in one word.
    pub(super) fn construct_at(&self, position: Position) -> &'static str {
        self.point_at(position).map_or("text", |point| name(self.truth.point(point).kind))
    }

    /// `what` with the place of the point `id`, as in `step at 12:7 in f`.
    pub(super) fn element(&self, what: &str, id: PointId) -> String {
        let function = &self.truth.functions[self.truth.point(id).function].name;
        match self.span(id) {
            Some(span) => {
                let column = span.column.map_or(String::new(), |column| format!(":{column}"));
                format!("{what} at {}{column} in {function}", span.line)
            }
            None => format!("{what} in {function}"),
        }
    }

    /// `what` with a position.
    pub(super) fn element_at(&self, what: &str, (line, column): Position) -> String {
        match self.function_name(line) {
            Some(function) => format!("{what} at {line}:{column} in {function}"),
            None => format!("{what} at {line}:{column}"),
        }
    }

    fn function_name(&self, line: Line) -> Option<&str> {
        self.truth.functions_around(line).last().map(|function| &*function.name)
    }
}

/// Counts in words: `2`, or `0 or 2`.
pub(super) fn counts<'b>(counts: impl IntoIterator<Item = &'b u64>) -> String {
    let all: Vec<String> = counts.into_iter().map(u64::to_string).collect();
    if all.is_empty() { "no count".into() } else { all.join(" or ") }
}
