//! The arrivals at a line past the code that begins it: by which of its points control comes to the line from another one.
//!
//! The code of a line is one piece of the text, so while control goes forward it comes to the line at most once, and leaves it
//! once. It may come past the first point: to the second arm of `?:` or of an `if` whose condition is on an earlier line, to
//! an operand that an earlier operand leads to, to what follows an `if` whose arm on the line ends in a jump.

use std::collections::BTreeSet;

use super::count::Unknown;
use crate::model::Line;
use crate::syntax::{Leaving, PointId, PointKind, StatementKind};
use crate::truth::{CountedPoint, Truth};

/// The largest number of different sums.
const MOST_SUMS: usize = 64;

/// How much of a body is on a line.
enum Part {
    None,
    Some,
    Whole,
}

/// The ways to one line.
pub(super) struct Passes<'a> {
    pub truth: &'a Truth,
    pub line: Line,
}

impl Passes<'_> {
    /// How often control comes to the line without a jump on it, by the points of `begun`: they begin on the line, in the order of
    /// the text, and it comes to the first one whenever that runs. Several numbers where the outcomes of operands do not say which
    /// of them led to a point.
    pub fn of(&self, begun: &[PointId]) -> Result<BTreeSet<u64>, Unknown> {
        let first = begun.first().and_then(|id| self.point(*id).count).ok_or(Unknown::NotCounted)?;
        let mut passes = BTreeSet::from([match self.body_before_step(begun) {
            Part::None => first,
            Part::Some => return Err(Unknown::NotCounted),
            Part::Whole => 0,
        }]);
        for (index, id) in begun.iter().enumerate().skip(1) {
            let mut sums = BTreeSet::new();
            for so_far in passes {
                let entries = self.entries(*id, &begun[..index], so_far)?;
                sums.extend(entries.into_iter().map(|count| so_far + count));
            }
            if sums.len() > MOST_SUMS {
                return Err(Unknown::NotCounted);
            }
            passes = sums;
        }
        Ok(passes)
    }

    /// How much of the body of a `for` follows its step, with which the line begins: control comes from there to the step, which is
    /// before it in the text only. Nothing says how often it comes to the step from which part of the body.
    fn body_before_step(&self, begun: &[PointId]) -> Part {
        let is_step = |id: &&PointId| self.point(**id).kind == PointKind::Step;
        let Some(head) = begun.first().filter(is_step).and_then(|id| self.point(*id).within) else {
            return Part::None;
        };
        let outer = |id: &PointId| self.point(self.truth.root(*id)).place.map(|place| place.outer);
        let is_of_body = |id: PointId| std::iter::successors(outer(&id), outer).any(|outer| outer == head);
        let mut after = self.truth.lines.range(self.line + 1..).flat_map(|(_, tokens)| tokens);
        let has_rest = after.any(|token| is_of_body(token.point));
        let mut body = begun.iter().filter(|id| is_of_body(**id)).peekable();
        match body.peek().is_some() {
            false => Part::None,
            true if !has_rest => Part::Whole,
            // No code is at the brace of the body.
            true if body.all(|id| self.point(*id).kind == PointKind::Block) => Part::None,
            true => Part::Some,
        }
    }

    fn point(&self, id: PointId) -> &CountedPoint {
        self.truth.point(id)
    }

    fn is_on_line(&self, id: PointId) -> bool {
        self.point(id).line == Some(self.line)
    }

    /// How often control comes from another line to `id`. The points `before` precede it on the line, and control came to those
    /// `so_far`.
    fn entries(&self, id: PointId, before: &[PointId], so_far: u64) -> Result<BTreeSet<u64>, Unknown> {
        let point = self.point(id);
        let none = BTreeSet::from([0]);
        let Some(count) = point.count else { return Err(Unknown::NotCounted) };
        match point.kind {
            PointKind::Operand => {
                let Some(first) = point.left else { return Ok(none) };
                let is_earlier = |other: &PointId| *other == first || self.point(*other).left == Some(first);
                self.after_tests(count, &(first..id).filter(is_earlier).collect::<Vec<_>>(), before)
            }
            PointKind::Arm => {
                let first = point.within.unwrap_or(id);
                let is_test = |other: &usize| {
                    let other = self.point(*other);
                    other.kind == PointKind::Condition && other.within == point.within
                };
                // `a ?: b` has no condition of its own.
                let test = (first..id).rev().find(is_test);
                test.map_or(Ok(none), |test| self.after_tests(count, &self.tests(test), before))
            }
            // What a jump leads to is counted with the jumps. Whatever is before a part of a statement in the code around it, control
            // comes to it from there.
            _ if point.kind.is_label() || point.within.is_some() => Ok(none),
            _ => self.statement_entries(id, before, so_far),
        }
    }

    /// The tests that decide whether `test` holds: itself, and the operands of a chain.
    fn tests(&self, test: PointId) -> Vec<PointId> {
        let is_inside = |id: PointId| {
            std::iter::successors(Some(id), |id| self.point(*id).within).any(|outer| outer == test)
        };
        let mut operands: Vec<PointId> = Vec::new();
        for id in (test + 1..self.truth.points.len()).take_while(|id| is_inside(*id)) {
            let point = self.point(id);
            let is_first = self.point(test).is_chain && point.within == Some(test) && point.left.is_none();
            let is_right = point.left.is_some_and(|left| operands.contains(&left));
            if point.kind == PointKind::Operand && (is_first && operands.is_empty() || is_right) {
                operands.push(id);
            }
        }
        if operands.is_empty() { vec![test] } else { operands }
    }

    /// Of the `count` evaluations of a point that one of `tests` leads to, those that a test on another line leads to. A test
    /// ends on the line if one of `before` is a part of it.
    fn after_tests(
        &self,
        count: u64,
        tests: &[PointId],
        before: &[PointId],
    ) -> Result<BTreeSet<u64>, Unknown> {
        let around = |id: PointId| std::iter::successors(Some(id), |id| self.point(*id).within);
        // The operands to the right of a test are parts of it, and tests of their own.
        let is_inside = |part: PointId, test: PointId| {
            let until = around(part).take_while(|id| self.point(*id).left.is_none() || *id == test);
            until.into_iter().any(|id| id == test)
        };
        let ends_here = |test: PointId| before.iter().any(|part| *part != test && is_inside(*part, test));
        let is_here = |test: &PointId| self.is_on_line(*test) || ends_here(*test);
        let here: Vec<PointId> = tests.iter().copied().filter(is_here).collect();
        if here.len() == tests.len() {
            return Ok(BTreeSet::from([0]));
        }
        // The last test on the line leads to the point by one of its outcomes; each of the others does, or only to another test.
        let mut from_here = BTreeSet::from([0]);
        for (index, id) in here.iter().enumerate() {
            let (yes, no) = self.point(*id).outcomes.ok_or(Unknown::NotCounted)?;
            let is_last = index + 1 == here.len();
            let ways = |sum: &u64| [Some(sum + yes), Some(sum + no), (!is_last).then_some(*sum)];
            from_here = from_here.iter().flat_map(ways).flatten().collect();
            if from_here.len() > MOST_SUMS {
                return Err(Unknown::NotCounted);
            }
        }
        Ok(from_here.into_iter().filter_map(|from| count.checked_sub(from)).collect())
    }

    /// The same for a statement, a block or a declaration.
    fn statement_entries(
        &self,
        id: PointId,
        before: &[PointId],
        so_far: u64,
    ) -> Result<BTreeSet<u64>, Unknown> {
        let (point, none) = (self.point(id), BTreeSet::from([0]));
        let Some(place) = point.place else { return Ok(none) };
        let Some(count) = point.count else { return Err(Unknown::NotCounted) };
        let is_if = |id: PointId| self.point(id).kind == PointKind::Statement(StatementKind::If);
        if let Some(previous) = place.before {
            // The body of a loop is on the line, and its head is not: control comes from there.
            let test =
                self.truth.part(previous, PointKind::Condition).filter(|test| test.line < Some(self.line));
            let is_loop = matches!(
                self.point(previous).kind,
                PointKind::Statement(StatementKind::While | StatementKind::For)
            );
            if let Some(test) = test.filter(|_| is_loop) {
                return Ok(BTreeSet::from([test.outcomes.ok_or(Unknown::NotCounted)?.1]));
            }
            if self.is_on_line(previous) || !is_if(previous) {
                return Ok(none);
            }
            // The end of the `if` is on the line: control comes from there unless a jump leaves it.
            let mut left = 0;
            for jump in before.iter().filter(|other| self.point(**other).leaving == Leaving::Jump) {
                left += self.point(*jump).count.ok_or(Unknown::NotCounted)?;
            }
            return Ok(BTreeSet::from([count.saturating_sub(so_far.saturating_sub(left))]));
        }
        match self.point(place.outer).kind {
            PointKind::Block if self.is_on_line(place.outer) => {
                self.statement_entries(place.outer, before, so_far)
            }
            PointKind::Statement(StatementKind::If | StatementKind::While | StatementKind::For) => {
                let mut parts = place.outer + 1..id;
                let test = parts.find(|part| {
                    let part = self.point(*part);
                    part.kind == PointKind::Condition && part.within == Some(place.outer)
                });
                test.map_or(Ok(none), |test| self.after_tests(count, &self.tests(test), before))
            }
            _ => Ok(none),
        }
    }
}
