//! What truth says of functions, of what is tested, and of what begins at a place.
//!
//! Only what cannot be taken for something else is told: two tests at one place, two functions on
//! one line, a line that the preprocessor changed have no truth here.

use std::collections::{BTreeMap, BTreeSet};

use super::{Counted, Truth};
use crate::model::Line;
use crate::syntax::{MarkKind, PointId, PointKind};

/// Line and column.
pub type At = (Line, u32);

/// The points of one program by where they begin.
#[derive(Debug)]
pub struct Places<'a> {
    truth: &'a Truth,
    begins: BTreeMap<At, Vec<PointId>>,
}

impl<'a> Places<'a> {
    /// The places of `truth`.
    pub fn new(truth: &'a Truth) -> Places<'a> {
        let mut begins: BTreeMap<At, Vec<PointId>> = BTreeMap::new();
        for (id, point) in truth.points.iter().enumerate() {
            if let (Some(line), Some(column)) = (point.line, point.column) {
                begins.entry((line, column)).or_default().push(id);
            }
        }
        Places { truth, begins }
    }

    /// The one thing tested that begins at `at` and holds no `&&` or `||` of its own.
    pub fn test(&self, at: At) -> Option<&'a Counted> {
        let tested = |id: &&PointId| is_tested(self.truth.point(**id));
        // `a && b` is no test where its operands are.
        let is_first = |id: &PointId| {
            let operand = |inner: &PointId| {
                let inner = self.truth.point(*inner);
                inner.kind == PointKind::Operand && inner.within == Some(*id)
            };
            self.begins.get(&at).is_some_and(|here| here.iter().any(operand))
        };
        let mut found = self.begins.get(&at)?.iter().filter(tested).filter(|id| !is_first(id));
        let only = found.next().filter(|_| found.next().is_none())?;
        Some(self.truth.point(*only)).filter(|point| !point.constant && !point.folded)
    }

    /// The counts of what begins at `at`. None where something there cannot be counted, or is a number.
    pub fn counts(&self, at: At) -> Option<BTreeSet<u64>> {
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
        // Nested functions stand behind those around them, and begin later.
        let (index, found) = around.max_by_key(|(index, function)| (function.lines.0, *index))?;
        let twins = self.functions.iter().filter(|other| {
            holds(other.lines) && (other.lines.0 == found.lines.0 || other.lines.1 <= found.lines.0)
        });
        if !found.counted || twins.count() > 1 {
            return None;
        }
        let entry =
            self.points.iter().find(|point| point.function == index && point.kind == PointKind::Entry)?;
        Some((index, entry.count?))
    }

    /// The one thing tested on `line`, where it stands on that line alone, has no other test in or
    /// around it, and nothing else on the line may branch. What is part of something on several lines
    /// is none: gcc puts the branch of `?:` where its colon is, or the statement's last line.
    pub fn only_test(&self, line: Line) -> Option<&Counted> {
        let marks = self.lines.get(&line)?;
        let ids: BTreeSet<PointId> =
            marks.iter().filter(|mark| mark.kind != MarkKind::Closes).map(|mark| mark.point).collect();
        let mut tested = ids.iter().filter(|id| is_tested(self.point(**id)));
        let only = *tested.next().filter(|_| tested.next().is_none())?;
        let point = self.point(only);
        let function = point.function;
        let alone = ids.iter().all(|id| self.point(*id).function == function);
        let is_plain = point.kind == PointKind::Condition
            && !point.is_long
            && !point.folded
            && !point.constant
            && point.line == Some(line);
        let around = |id: PointId| std::iter::successors(Some(id), |id| self.point(*id).within);
        let whole = around(only).last().unwrap_or(only);
        let is_part = |id: &PointId| around(*id).any(|outer| outer == whole);
        let mut parts = (0..self.points.len()).filter(is_part);
        let is_simple = parts.all(|id| {
            let part = self.point(id);
            part.line == Some(line) && !part.is_long && (id == only || !is_tested(part))
        });
        (is_plain && alone && is_simple).then_some(point)
    }
}

fn is_tested(point: &Counted) -> bool {
    matches!(point.kind, PointKind::Condition | PointKind::Operand)
}
