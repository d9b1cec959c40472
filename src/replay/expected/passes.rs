//! The arrivals at a line past the code that begins it: by which of its points control comes to the line from another one.
//!
//! The code of a line is one piece of the text, so while control goes forward it comes to the line at most once, and leaves it
//! once. It may come past the first point: to the second arm of `?:` or of an `if` whose condition is on an earlier line, to
//! an operand that an earlier operand leads to, to what follows an `if` whose arm on the line ends in a jump.

use super::count::Unknown;
use crate::model::Line;
use crate::syntax::{Leaving, PointId, PointKind, StatementKind, Way};
use crate::truth::{CountedPoint, Truth};

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
    /// the text, and it comes to the first one whenever that runs.
    pub fn of(&self, begun: &[PointId]) -> Result<u64, Unknown> {
        let first = begun.first().and_then(|id| self.point(*id).count).ok_or(Unknown::NotCounted)?;
        let mut passes = match self.body_before_step(begun) {
            Part::None => first,
            Part::Some => return Err(Unknown::NotCounted),
            Part::Whole => 0,
        };
        for (index, id) in begun.iter().enumerate().skip(1) {
            passes += self.entries(*id, &begun[..index], passes)?;
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
    fn entries(&self, id: PointId, before: &[PointId], so_far: u64) -> Result<u64, Unknown> {
        let point = self.point(id);
        let Some(count) = point.count else { return Err(Unknown::NotCounted) };
        // The test of a `do` follows the last statement of its body.
        if let Some(last) = self.last_of_body(point) {
            // A `continue` on another line leads there too.
            let last_count = self.point(last).count.filter(|_| self.is_simple_here(last));
            return match last_count {
                Some(from_here) => Ok(count.saturating_sub(from_here)),
                None => self.entries_after(last, count, before, so_far),
            };
        }
        match point.kind {
            PointKind::Operand => {
                let Some(first) = point.left else { return Ok(0) };
                let is_way = |_, way| way == Way::Operand(id);
                Ok(count.saturating_sub(self.led_from_here(first..id, is_way, before)?))
            }
            PointKind::Arm => {
                let of_choice = |kind, other: &PointId| {
                    let other = self.point(*other);
                    other.kind == kind && other.within == point.within
                };
                let mut earlier = (point.within.unwrap_or(id)..id).rev();
                // The value of `a` in `a ?: b` may be unknown.
                let Some(test) = earlier.find(|other| of_choice(PointKind::Condition, other)) else {
                    return Ok(0);
                };
                self.after_test(test, !point.is_alternative, id, count, before)
            }
            // What a jump leads to is counted with the jumps.
            _ if point.kind.is_label() => {
                let fallen = point.fallen.ok_or(Unknown::NotCounted)?;
                self.statement_entries(id, fallen, before, so_far)
            }
            // Whatever is before a part of a statement in the code around it, control comes to it from there.
            _ if point.within.is_some() => Ok(0),
            _ => self.statement_entries(id, count, before, so_far),
        }
    }

    /// The last statement of the body of a `do` whose test is `point`, if that is a block.
    fn last_of_body(&self, point: &CountedPoint) -> Option<PointId> {
        let is_test = point.kind == PointKind::Condition;
        let head = point
            .within
            .filter(|head| is_test && self.point(*head).kind == PointKind::Statement(StatementKind::Do))?;
        let is_body = |id: &PointId| self.point(*id).place.is_some_and(|place| place.outer == head);
        let body = (head + 1..self.truth.points.len()).find(is_body)?;
        self.point(body).last
    }

    /// Of the `count` evaluations of `id`, to which the `outcome` of `test` leads, those that a test on another line leads to.
    fn after_test(
        &self,
        test: PointId,
        outcome: bool,
        id: PointId,
        count: u64,
        before: &[PointId],
    ) -> Result<u64, Unknown> {
        let from_here = if self.point(test).is_chain {
            self.led_from_here(test..id, |chain, way| chain == test && way == Way::Value(outcome), before)?
        } else if self.ends_here(test, before) {
            // The outcomes of `while (1)` are not counted: whatever comes to the body comes from there.
            let is_open = self.point(test).outcomes.is_none() && self.point(test).constant;
            if is_open { count } else { self.outcome(test, outcome)? }
        } else {
            0
        };
        Ok(count.saturating_sub(from_here))
    }

    /// Whether `id` is a statement of the line that contains no other and leaves at its end.
    fn is_simple_here(&self, id: PointId) -> bool {
        let point = self.point(id);
        self.is_on_line(id)
            && point.leaving == Leaving::AtEnd
            && matches!(point.kind, PointKind::Statement(kind) if !kind.is_compound())
    }

    fn outcome(&self, test: PointId, outcome: bool) -> Result<u64, Unknown> {
        let (yes, no) = self.point(test).outcomes.ok_or(Unknown::NotCounted)?;
        Ok(if outcome { yes } else { no })
    }

    /// How often the operands among `tests` that end on the line led to a place, by those of their ways that `is_way`.
    fn led_from_here(
        &self,
        tests: std::ops::Range<PointId>,
        is_way: impl Fn(PointId, Way) -> bool,
        before: &[PointId],
    ) -> Result<u64, Unknown> {
        let mut led = 0;
        for test in tests {
            let Some(ways) = self.point(test).ways else { continue };
            for (outcome, way) in ways.each() {
                if is_way(ways.chain, way) && self.ends_here(test, before) {
                    led += self.outcome(test, outcome)?;
                }
            }
        }
        Ok(led)
    }

    /// Whether the code of `test` is on the line, or a part of it, which is one of `before` then.
    fn ends_here(&self, test: PointId, before: &[PointId]) -> bool {
        self.is_on_line(test) || before.iter().any(|part| *part != test && self.truth.is_inside(*part, test))
    }

    /// The same for a statement, a block or a declaration that ran `count` times, apart from jumps to it.
    fn statement_entries(
        &self,
        id: PointId,
        count: u64,
        before: &[PointId],
        so_far: u64,
    ) -> Result<u64, Unknown> {
        let Some(place) = self.point(id).place else { return Ok(0) };
        if let Some(previous) = place.before {
            // The body of a loop is on the line, and its head is not: control comes from there.
            let test =
                self.truth.part(previous, PointKind::Condition).filter(|test| test.line < Some(self.line));
            let is_loop = matches!(
                self.point(previous).kind,
                PointKind::Statement(StatementKind::While | StatementKind::For)
            );
            if let Some(test) = test.filter(|_| is_loop) {
                let exits = test.outcomes.ok_or(Unknown::NotCounted)?.1;
                // A `break` on another line comes from there too.
                let is_break_here = |part: PointId| {
                    let part = self.point(part);
                    part.kind == PointKind::Statement(StatementKind::Break) && part.line == Some(self.line)
                };
                return Ok(if (previous + 1..id).any(is_break_here) { exits } else { count });
            }
            return self.entries_after(previous, count, before, so_far);
        }
        match self.point(place.outer).kind {
            PointKind::Block if self.is_on_line(place.outer) => {
                self.statement_entries(place.outer, count, before, so_far)
            }
            PointKind::Statement(StatementKind::If | StatementKind::While | StatementKind::For) => {
                let mut parts = place.outer + 1..id;
                let test = parts.find(|part| {
                    let part = self.point(*part);
                    part.kind == PointKind::Condition && part.within == Some(place.outer)
                });
                // The `else` follows the other arm.
                let is_arm =
                    |other: PointId| self.point(other).place.is_some_and(|of| of.outer == place.outer);
                let is_first = !parts.any(is_arm);
                test.map_or(Ok(0), |test| self.after_test(test, is_first, id, count, before))
            }
            _ => Ok(0),
        }
    }

    /// The same for what follows the statement `previous`: an `if` on another line may lead past its arm on this one.
    fn entries_after(
        &self,
        previous: PointId,
        count: u64,
        before: &[PointId],
        so_far: u64,
    ) -> Result<u64, Unknown> {
        // The parser puts the statements after a label into it.
        let last_in = |id: &PointId| self.point(*id).last.filter(|_| self.point(*id).kind.is_label());
        let previous = std::iter::successors(Some(previous), last_in).last().unwrap_or(previous);
        let is_if = self.point(previous).kind == PointKind::Statement(StatementKind::If);
        if self.is_on_line(previous) || !is_if {
            return Ok(0);
        }
        // The end of the `if` is on the line: control comes from there unless a jump leaves it.
        let mut left = 0;
        for jump in before.iter().filter(|other| self.point(**other).leaving == Leaving::Jump) {
            left += self.point(*jump).count.ok_or(Unknown::NotCounted)?;
        }
        Ok(count.saturating_sub(so_far.saturating_sub(left)))
    }
}
