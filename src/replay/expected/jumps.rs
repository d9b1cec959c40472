//! Jumps for which gcc generates no code of their own.

use crate::model::Line;
use crate::syntax::{PointId, PointKind, StatementKind, Way};
use crate::truth::Truth;

/// The `break` on `line` that ran, for which gcc generates no code and which has no location: it is all that an arm of an `if` with `&&` or `||`
/// consists of, so the tests jump to its target (`shortcut_cond_expr` in gimplify.cc, which takes over the label of an arm that is a
/// jump). A `continue` or `goto` comes with a prediction, so that the arm is no jump for it.
pub fn break_of_chain(truth: &Truth, line: Line) -> Option<PointId> {
    truth.begun(line).into_iter().find(|id| truth.point(*id).count > Some(0) && is_break_of_chain(truth, *id))
}

fn is_break_of_chain(truth: &Truth, id: PointId) -> bool {
    let point = truth.point(id);
    if point.kind != PointKind::Statement(StatementKind::Break) {
        return false;
    }
    let outer = |id: &PointId| truth.point(*id).place.map(|place| place.outer);
    let inside = |around: PointId| {
        (around + 1..truth.points.len())
            .take_while(move |at| truth.point(*at).function == point.function)
            .filter(move |at| outer(at) == Some(around))
    };
    // Braces around it change nothing.
    let is_only =
        |around: &PointId| truth.point(*around).kind == PointKind::Block && inside(*around).count() == 1;
    let arm = std::iter::successors(outer(&id), outer).take_while(is_only).last().unwrap_or(id);
    let Some(decided) = outer(&arm) else { return false };
    if truth.point(decided).kind != PointKind::Statement(StatementKind::If) {
        return false;
    }
    let is_chain = |id: &PointId| {
        let point = truth.point(*id);
        point.kind == PointKind::Condition && point.within == Some(decided) && point.is_chain
    };
    let Some(chain) = (decided + 1..id).find(is_chain) else { return false };
    let arms: Vec<PointId> = inside(decided).collect();
    let is_first = arms.first() == Some(&arm);
    let leads = |id: &PointId| {
        let ways = truth.point(*id).ways.filter(|ways| ways.chain == chain);
        ways.is_some_and(|ways| ways.each().iter().any(|(_, way)| *way == Way::Value(is_first)))
    };
    // Without `else`, `if (a && b)` is `if (a) if (b)` for gcc.
    arms.len() > 1 || (chain..id).filter(leads).count() > 1
}
