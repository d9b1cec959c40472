//! The counts that a report may give a line.

use std::collections::{BTreeMap, BTreeSet};

use super::{CountedPoint, Truth};
use crate::model::{Family, Line};
use crate::syntax::{PointId, PointKind, PointToken, TokenKind};

/// The maximum number of points on a line for which sums over several functions are computed.
const MOST_SUMMED: usize = 12;

/// The counts that a report may give a line, and the points on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admissible {
    pub counts: BTreeSet<u64>,
    pub points: BTreeSet<PointId>,
}

impl Truth {
    /// The counts that a report of `family` may give `line`: the count of any point on the line. None
    /// if no code is on the line, or if it cannot be counted.
    ///
    /// gcov adds up the counts of each function on the line, and those of the arms of a `?:` that are alone on it; gcc
    /// places the value of a statement expression at its closing brace. llvm-cov counts a block at its brace, and gives a
    /// line at least the count of the point inside which it begins; it counts the lines of a macro's arguments, where gcov
    /// has none, and adds up functions that have the same text.
    pub fn line(&self, line: Line, family: Family) -> Option<Admissible> {
        let tokens = match self.lines.get(&line) {
            Some(tokens) => tokens,
            None if family == Family::LlvmCov => return self.argument(line),
            None => return None,
        };
        let of_kind = |kind| tokens.iter().filter(move |token| token.kind == kind).map(|token| token.point);
        let mut points: BTreeSet<PointId> = of_kind(TokenKind::Code).collect();
        if family == Family::LlvmCov {
            points.extend(of_kind(TokenKind::OpeningBrace));
            if !points.is_empty() {
                let mut inclusions = BTreeSet::new();
                let is_first = |token: &&PointToken| inclusions.insert(self.point(token.point).inclusion);
                let first = tokens.iter().filter(is_first).flat_map(|token| self.around(line, *token));
                points.extend(first.collect::<Vec<_>>());
            }
        } else if !points.is_empty() {
            points.extend(of_kind(TokenKind::ClosingBrace).filter(|id| self.point(*id).within.is_some()));
        }
        // The code of a line that is included several times is several pieces of code.
        let copy_of = |point: &CountedPoint| (point.function, point.inclusion);
        let mut by_copy: BTreeMap<(usize, u32), BTreeSet<u64>> = BTreeMap::new();
        for id in &points {
            let point = self.point(*id);
            let counts = by_copy.entry(copy_of(point)).or_default();
            let count = point.count?;
            counts.insert(count);
            let is_block = matches!(point.kind, PointKind::Entry | PointKind::Block);
            // Code after a call, or after a statement expression that a jump may leave, is on the lines of the statement,
            // and runs when control returns.
            let is_later = |completed: &u64| *completed > count || point.is_long || point.holds_block;
            counts.extend(point.completed.filter(is_later).filter(|_| !is_block));
        }
        if by_copy.is_empty() {
            return None;
        }
        // A line that begins with the closing brace of a block may have the number of times that the block completed.
        let is_end = |token: &&PointToken| family == Family::LlvmCov && token.kind == TokenKind::ClosingBrace;
        if let Some(point) = tokens.first().filter(is_end).map(|token| self.point(token.point)) {
            by_copy.entry(copy_of(point)).or_default().extend(point.completed);
        }
        let mut counts: BTreeSet<u64> = by_copy.values().flatten().copied().collect();
        if family == Family::Gcov {
            counts.extend(self.both_arms(&points));
        }
        let is_summed =
            || family == Family::Gcov || self.share_text(by_copy.keys().map(|(function, _)| function));
        if by_copy.len() > 1 && is_summed() {
            if points.len() > MOST_SUMMED {
                return None;
            }
            counts.extend(by_copy.values().fold(BTreeSet::from([0]), |sums, of_one| {
                sums.iter().flat_map(|sum| of_one.iter().map(move |count| sum + count)).collect()
            }));
        }
        // gcov counts the entries into a line, so the count is 0 only if nothing on the line ran.
        let ran = |point: &CountedPoint| point.calls && !point.is_long && point.count > Some(0);
        if family == Family::Gcov && points.iter().any(|id| ran(self.point(*id))) {
            counts.remove(&0);
        }
        Some(Admissible { counts, points })
    }

    /// The counts that llvm-cov may give a line of a macro's arguments: those of all points on the line of the macro's
    /// name, and of the point inside which that line begins. None where a function begins.
    fn argument(&self, line: Line) -> Option<Admissible> {
        let on = *self.arguments.get(&line)?;
        let tokens = self.lines.get(&on)?;
        let mut points: BTreeSet<PointId> = tokens.iter().map(|token| token.point).collect();
        points.extend(self.around(on, *tokens.first()?));
        if points.iter().any(|id| self.point(*id).kind == PointKind::Entry) {
            return None;
        }
        let mut counts = BTreeSet::new();
        for id in &points {
            counts.insert(self.point(*id).count?);
            counts.extend(self.point(*id).completed);
        }
        Some(Admissible { counts, points })
    }

    /// Whether two of the functions begin and end at the same place, for example because a file includes itself.
    fn share_text<'a>(&self, functions: impl Iterator<Item = &'a usize>) -> bool {
        let mut places = BTreeSet::new();
        functions.into_iter().any(|id| {
            let is_entry = |point: &&CountedPoint| point.function == *id && point.kind == PointKind::Entry;
            let column = self.points.iter().find(is_entry).and_then(|entry| entry.column);
            !places.insert((self.functions[*id].lines, column))
        })
    }

    /// The number of entries into a line that contains only the two arms of a `?:`.
    fn both_arms(&self, points: &BTreeSet<PointId>) -> Option<u64> {
        let mut arms = points.iter().map(|id| self.point(*id));
        let (Some(one), Some(other), None) = (arms.next(), arms.next(), arms.next()) else { return None };
        let are_arms = [one, other].iter().all(|arm| arm.kind == PointKind::Arm && arm.within == one.within);
        are_arms.then_some(one.count? + other.count?)
    }

    /// The points that contain the beginning of `line`, whose first token is `first`.
    fn around(&self, line: Line, first: PointToken) -> Vec<PointId> {
        let mut at = first.point;
        let mut found = match first.kind {
            TokenKind::ClosingBrace => return vec![at],
            TokenKind::Closing => vec![at],
            _ => Vec::new(),
        };
        // A point that begins here may be the first part of a larger point that also begins here.
        while self.point(at).line.is_none_or(|begins| begins >= line) {
            let Some(outer) = self.point(at).within else { break };
            at = outer;
            found.push(at);
        }
        found
    }
}
