//! Ground truth of functions, of conditions, and of the points that begin at a place.
//!
//! Ambiguous places have no ground truth: two conditions at one place, two functions on one line, a line that the
//! preprocessor changed.

use std::collections::{BTreeMap, BTreeSet};

use super::{CountedPoint, Truth};
use crate::model::Line;
use crate::syntax::{PointId, PointKind, TokenKind};

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

    /// The only condition on `line`, if it is on that line alone, has no other condition in or around it, and no other
    /// point on the line may branch. None if it is part of a point on several lines: gcc places the branch of `?:` at its
    /// colon, or on the last line of the statement.
    pub fn only_condition(&self, line: Line) -> Option<&CountedPoint> {
        let tokens = self.lines.get(&line)?.iter();
        let ids: BTreeSet<PointId> = tokens
            .filter(|token| !matches!(token.kind, TokenKind::ClosingBrace | TokenKind::Punctuation))
            .map(|token| token.point)
            .collect();
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

fn is_tested(point: &CountedPoint) -> bool {
    matches!(point.kind, PointKind::Condition | PointKind::Operand)
}
