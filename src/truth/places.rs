//! Ground truth of functions, of conditions, and of the points that begin at a place.
//!
//! Ambiguous places have no ground truth: two conditions at one place, two functions on one line, a line that the
//! preprocessor changed.

use std::collections::{BTreeMap, BTreeSet};

use super::{CountedPoint, Truth};
use crate::model::Line;
use crate::syntax::{PointId, PointKind};

/// Line and column, from 1.
pub type Position = (Line, u32);

/// The points of one program, indexed by the place where they begin.
#[derive(Debug)]
pub struct PointIndex<'a> {
    truth: &'a Truth,
    begins: BTreeMap<Position, Vec<PointId>>,
}

impl<'a> PointIndex<'a> {
    pub fn new(truth: &'a Truth) -> PointIndex<'a> {
        let mut begins: BTreeMap<Position, Vec<PointId>> = BTreeMap::new();
        for (id, point) in truth.points.iter().enumerate() {
            if let (Some(line), Some(column)) = (point.line, point.column) {
                begins.entry((line, column)).or_default().push(id);
            }
        }
        PointIndex { truth, begins }
    }

    /// The only condition or operand that begins at `at`. A chain of `&&` and `||` is not a condition.
    pub fn condition(&self, at: Position) -> Option<&'a CountedPoint> {
        let tested = |id: &&PointId| is_tested(self.truth.point(**id));
        let is_chain = |id: &PointId| {
            let operand = |inner: &PointId| {
                let inner = self.truth.point(*inner);
                inner.kind == PointKind::Operand && inner.within == Some(*id)
            };
            self.begins.get(&at).is_some_and(|here| here.iter().any(operand))
        };
        let mut found = self.begins.get(&at)?.iter().filter(tested).filter(|id| !is_chain(id));
        let only = found.next().filter(|_| found.next().is_none())?;
        Some(self.truth.point(*only)).filter(|point| !point.constant && !point.folded)
    }

    /// The counts of the points that begin at `at`. None where one of them cannot be counted, or is a number.
    pub fn counts(&self, at: Position) -> Option<BTreeSet<u64>> {
        let here = self.begins.get(&at)?.iter().map(|id| self.truth.point(*id));
        here.map(|point| point.count.filter(|_| !point.constant)).collect()
    }
}

impl Truth {
    /// The entries of the one function that `line` belongs to, with the index of the function. None
    /// where it is not instrumented.
    pub fn entries(&self, line: Line) -> Option<(usize, u64)> {
        let holds = |lines: (Line, Line)| (lines.0..=lines.1).contains(&line);
        let around = self.functions.iter().enumerate().filter(|(_, function)| holds(function.lines));
        // A nested function follows the one that contains it, and begins later.
        let (index, found) = around.max_by_key(|(index, function)| (function.lines.0, *index))?;
        let twins = self.functions.iter().filter(|other| {
            holds(other.lines) && (other.lines.0 == found.lines.0 || other.lines.1 <= found.lines.0)
        });
        if !found.is_counted || twins.count() > 1 {
            return None;
        }
        let entry =
            self.points.iter().find(|point| point.function == index && point.kind == PointKind::Entry)?;
        Some((index, entry.count?))
    }
}

fn is_tested(point: &CountedPoint) -> bool {
    matches!(point.kind, PointKind::Condition | PointKind::Operand)
}
