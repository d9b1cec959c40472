//! The region of llvm-cov in which a block ends, whose count a line with nothing but a closing brace has.
//!
//! `CounterCoverageMappingBuilder` in CoverageMappingGen.cpp keeps a stack of regions. The body of a function, a loop or an arm
//! begins one that ends with it. Each label in it begins another, and so does each statement after one that may be left by a jump
//! (`extendRegion`). A jump ends the newest one, if it does not have an end already (`terminateRegion`); the others continue to
//! the end of the body (`popRegions`).

use std::collections::BTreeSet;

use crate::syntax::{Leaving, PointId, PointKind, StatementKind};
use crate::truth::{CountedPoint, Truth};

const SWITCH: PointKind = PointKind::Statement(StatementKind::Switch);

/// The counts that the region at the closing brace of the block or `switch` `id` may have: one, unless the syntax does not decide.
/// None if it cannot be counted.
pub(super) fn at_end(truth: &Truth, id: PointId) -> Option<BTreeSet<u64>> {
    let block = truth.point(id);
    let count = block.count?;
    // The regions of the labels of a `switch` end with its last statement.
    let Some(last) = block.last.filter(|_| block.kind != SWITCH) else {
        return Some(BTreeSet::from([count]));
    };
    let (body, entered) = body_of(truth, id)?;
    let end = std::iter::successors(Some(last), |id| {
        truth.point(*id).last.filter(|_| continues(truth.point(*id).kind))
    });
    let end = end.last().unwrap_or(last);
    let is_in_body = |id: &PointId| {
        let mut outer = truth.point(*id).place.map(|place| place.outer);
        while let Some(next) = outer.filter(|outer| *outer != body && continues(truth.point(*outer).kind)) {
            outer = truth.point(next).place.map(|place| place.outer);
        }
        outer == Some(body)
    };
    let sequence: Vec<&CountedPoint> =
        (body + 1..=end).filter(is_in_body).map(|id| truth.point(id)).collect();
    // What does not jump is in the newest region, and so is the brace.
    let is_jump = truth.point(end).leaving == Leaving::Jump;
    let mut counts = BTreeSet::from([truth.point(end).count?]);
    // A jump in a statement expression ends the region, and another one follows.
    counts.extend(truth.point(end).completed.filter(|_| truth.point(end).may_be_left_inside()));
    if is_jump {
        counts = [false, true]
            .map(|equal| newest(&sequence, entered, equal))
            .into_iter()
            .collect::<Option<_>>()?;
    }
    // A call that may return ends no region.
    let inside = &truth.points[body..=end];
    let is_left = |point: &CountedPoint| {
        point.last.is_none() && point.completed.is_some_and(|completed| point.count > Some(completed))
    };
    let is_unclear = sequence.iter().any(|point| matches!(point.leaving, Leaving::Unclear | Leaving::Chosen));
    if is_unclear || is_jump && inside.iter().any(is_left) {
        counts.insert(count);
        counts.extend(inside.iter().filter_map(|point| point.count));
    }
    Some(counts)
}

/// The body whose regions continue through the block `id`, and the count of its own region. A block among statements has no region
/// of its own, and nothing enters that of the body of a `switch`.
fn body_of(truth: &Truth, mut id: PointId) -> Option<(PointId, u64)> {
    while let Some(outer) = truth.point(id).place.map(|place| place.outer) {
        if truth.point(outer).kind == SWITCH {
            return Some((outer, 0));
        }
        if truth.point(outer).kind != PointKind::Entry && !continues(truth.point(outer).kind) {
            break;
        }
        id = outer;
    }
    Some((id, truth.point(id).count?))
}

/// Whether statements in `outer` belong to the sequence of statements around it, if it is not a body.
fn continues(outer: PointKind) -> bool {
    outer.is_label() || outer == PointKind::Block
}

/// The count of the newest region that continues after the statements of a body that was entered so often. After a statement that
/// may be left by a jump, a region begins if its counter is another one; if the counts are equal, it may be the same.
fn newest(sequence: &[&CountedPoint], entered: u64, begins_if_equal: bool) -> Option<u64> {
    let mut regions: Vec<u64> = Vec::new();
    let mut is_pending = false;
    for point in sequence {
        let count = point.count?;
        let is_other = begins_if_equal || regions.last().copied().unwrap_or(entered) != count;
        if point.kind.is_label() || is_pending && is_other {
            regions.push(count);
        }
        // What is left of a label or a block is left of a statement in it, which follows.
        let leaving = if continues(point.kind) { Leaving::AtEnd } else { point.leaving };
        is_pending = matches!(leaving, Leaving::Joined | Leaving::Divided | Leaving::Jump);
        if leaving == Leaving::Jump {
            regions.pop();
        }
    }
    Some(regions.last().copied().unwrap_or(entered))
}
