//! The construct on a line, for the names of mechanisms that are not understood yet.

use std::fmt::Display;

use crate::model::Line;
use crate::syntax::{PointKind, StatementKind};
use crate::truth::Truth;

/// The construct that begins on `line`, or else the one that continues there.
pub(super) fn construct(truth: &Truth, line: Line) -> &'static str {
    let begun = truth.begun(line);
    let continued = || truth.tokens(line).iter().map(|token| token.point).next();
    let Some(id) = begun.first().copied().or_else(continued) else {
        return if truth.directives.contains(&line) { "macro" } else { "no code" };
    };
    of_point(truth.point(id).kind)
}

/// The name of a kind of point. Statements that differ only in what they compute have the same name.
fn of_point(kind: PointKind) -> &'static str {
    use StatementKind::{Case, Do, For, If, Labeled, Switch, While};
    match kind {
        PointKind::Entry => "function",
        PointKind::Block => "block",
        PointKind::Statement(kind) if kind.is_jump() => "jump",
        PointKind::Statement(If) => "if",
        PointKind::Statement(While | Do | For) | PointKind::Init | PointKind::Step => "loop",
        PointKind::Statement(Switch) => "switch",
        PointKind::Label | PointKind::Case | PointKind::Statement(Case | Labeled) => "label",
        PointKind::Condition | PointKind::Operand => "condition",
        PointKind::Arm => "arm",
        PointKind::Statement(_) | PointKind::Silent => "statement",
    }
}

/// How often something ran, in words: `once`, or `3 times`.
pub(super) fn times(count: impl Display) -> String {
    let count = count.to_string();
    match &*count {
        "1" => "once".into(),
        // Of no right counts: there is no code.
        "no count" => "never".into(),
        _ => format!("{count} times"),
    }
}
