//! The counts of a line that are admissible.

use std::collections::{BTreeMap, BTreeSet};

use super::{Counted, Truth};
use crate::model::{Family, Line};
use crate::syntax::{Mark, MarkKind, PointId, PointKind};

/// Points of several functions on a line whose sums are worked out.
const MOST_SUMMED: usize = 12;

/// What a report may say of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admissible {
    /// The counts that a report may give.
    pub counts: BTreeSet<u64>,
    /// The points on the line.
    pub points: BTreeSet<PointId>,
}

impl Truth {
    /// The counts that a report of `family` may give `line`: with one point on it its count, with
    /// several any one of them. None where nothing runs on the line, or where it cannot be counted.
    ///
    /// gcov adds up what it finds for each function on the line, and the arms of a `?:` where they stand
    /// alone; gcc gives the value of a statement expression the place of its closing brace. llvm-cov counts a block at its
    /// brace, and gives a line at least the count of what it begins in the middle of; it counts the
    /// lines of a macro's arguments, where gcov has none, and adds up functions that are one text.
    pub fn line(&self, line: Line, family: Family) -> Option<Admissible> {
        let marks = match self.lines.get(&line) {
            Some(marks) => marks,
            None if family == Family::LlvmCov => return self.argument(line),
            None => return None,
        };
        let mut points: BTreeSet<PointId> =
            marks.iter().filter(|mark| mark.kind == MarkKind::Code).map(|mark| mark.point).collect();
        if family == Family::LlvmCov {
            points.extend(marks.iter().filter(|mark| mark.kind == MarkKind::Opens).map(|mark| mark.point));
            if !points.is_empty() {
                points.extend(marks.first().into_iter().flat_map(|mark| self.around(line, *mark)));
            }
        }
        if family == Family::Gcov && !points.is_empty() {
            let closes = marks.iter().filter(|mark| mark.kind == MarkKind::Closes).map(|mark| mark.point);
            points.extend(closes.filter(|id| self.point(*id).within.is_some()));
        }
        let mut by_function: BTreeMap<usize, BTreeSet<u64>> = BTreeMap::new();
        for id in &points {
            let point = self.point(*id);
            let counts = by_function.entry(point.function).or_default();
            let count = point.count?;
            counts.insert(count);
            let is_block = matches!(point.kind, PointKind::Entry | PointKind::Block);
            // Code behind a call, or behind a statement expression that may be left by a jump, stands
            // on the lines of the statement, and runs once it is back.
            let later = |completed: &u64| *completed > count || point.is_long || point.holds_block;
            let behind = point.completed.filter(later);
            counts.extend(behind.filter(|_| !is_block));
        }
        if by_function.is_empty() {
            return None;
        }
        // A line that begins with a block's end begins with what came through it.
        let ended = marks.first().filter(|mark| family == Family::LlvmCov && mark.kind == MarkKind::Closes);
        if let Some(point) = ended.map(|mark| self.point(mark.point)) {
            by_function.entry(point.function).or_default().extend(point.completed);
        }
        let mut counts: BTreeSet<u64> = by_function.values().flatten().copied().collect();
        if family == Family::Gcov {
            counts.extend(self.both_arms(&points));
        }
        let is_summed = || family == Family::Gcov || self.are_one_text(by_function.keys());
        if by_function.len() > 1 && is_summed() {
            if points.len() > MOST_SUMMED {
                return None;
            }
            counts.extend(by_function.values().fold(BTreeSet::from([0]), |sums, of_one| {
                sums.iter().flat_map(|sum| of_one.iter().map(move |count| sum + count)).collect()
            }));
        }
        // gcov counts the ways into a line: none, only where nothing on it ran.
        let ran = |point: &Counted| point.calls && !point.is_long && point.count > Some(0);
        if family == Family::Gcov && points.iter().any(|id| ran(self.point(*id))) {
            counts.remove(&0);
        }
        Some(Admissible { counts, points })
    }

    /// The counts that llvm-cov may give a line of a macro's arguments: those of everything on the line of the
    /// macro's name, and of what that begins in the middle of. Where a function begins nothing is claimed.
    fn argument(&self, line: Line) -> Option<Admissible> {
        let on = *self.arguments.get(&line)?;
        let marks = self.lines.get(&on)?;
        let mut points: BTreeSet<PointId> = marks.iter().map(|mark| mark.point).collect();
        points.extend(self.around(on, *marks.first()?));
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

    /// Whether two of the functions begin and end at one place, as where a file includes itself.
    fn are_one_text<'a>(&self, functions: impl Iterator<Item = &'a usize>) -> bool {
        let mut places = BTreeSet::new();
        functions.into_iter().any(|id| {
            let is_entry = |point: &&Counted| point.function == *id && point.kind == PointKind::Entry;
            let column = self.points.iter().find(is_entry).and_then(|entry| entry.column);
            !places.insert((self.functions[*id].lines, column))
        })
    }

    /// How often a line is entered that has the two arms of a `?:` and nothing else of it.
    fn both_arms(&self, points: &BTreeSet<PointId>) -> Option<u64> {
        let mut arms = points.iter().map(|id| self.point(*id));
        let (Some(one), Some(other), None) = (arms.next(), arms.next(), arms.next()) else { return None };
        let are_arms = [one, other].iter().all(|arm| arm.kind == PointKind::Arm && arm.within == one.within);
        are_arms.then_some(one.count? + other.count?)
    }

    /// What `line`, whose first mark is `mark`, begins in the middle of, and what lies between.
    fn around(&self, line: Line, mark: Mark) -> Vec<PointId> {
        if mark.kind == MarkKind::Closes {
            return vec![mark.point];
        }
        let mut found: Vec<PointId> =
            (mark.kind == MarkKind::Ends).then_some(mark.point).into_iter().collect();
        let mut at = mark.point;
        // A piece that begins here may be the first part of one that begins here too.
        while self.point(at).line.is_none_or(|begins| begins >= line) {
            match self.point(at).within {
                Some(outer) => at = outer,
                None => break,
            }
            found.push(at);
        }
        found
    }
}
