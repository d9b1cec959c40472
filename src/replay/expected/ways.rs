//! Ways from another line to the middle of a line of gcov, where something that began before ends and something else begins.

use std::collections::BTreeSet;

use super::count::Unknown;
use super::gcov::{Arrivals, DO, is_compound};
use crate::syntax::{PointId, PointKind, StatementKind};
use crate::truth::CountedPoint;

impl Arrivals<'_> {
    /// The arrivals where control comes from another line to what follows the `continued` points, too. These ran at most `largest`
    /// times, and the points that begin on the line have these `arrivals` without those.
    pub(super) fn with_other_ways(
        &self,
        begun: &[PointId],
        continued: &[PointId],
        largest: u64,
        arrivals: &BTreeSet<u64>,
    ) -> Result<Vec<u64>, Unknown> {
        let add = |from_before: u64, from_here: u64| {
            let others = arrivals.iter().map(|count| count.saturating_sub(from_here));
            others.map(move |others| others.saturating_add(from_before)).collect::<Vec<_>>()
        };
        let mut counts = Vec::new();
        let before = self.before(begun[0]);
        // After a body that ends on the line, control comes to what follows from the head of the loop, on another line; and to the
        // `else` after an arm that ends on the line, from the test.
        if largest > 0 && (before.is_some_and(is_compound) || self.is_else(begun[0])) {
            counts.extend(add(largest, 0));
        }
        // The test of a `do` that ends on the line runs more often than what follows, which control reaches from there.
        if largest > 0 && before.is_some_and(|before| before.kind == DO) {
            counts.extend(add(largest, self.count(begun[0])?));
        }
        // Between a step that ends on the line and the body, control comes to the test, on another line.
        for id in continued.iter().filter(|id| self.point(**id).kind == PointKind::Step) {
            if self.truth.around(begun[0]).any(|outer| Some(outer) == self.point(*id).within) {
                counts.extend(add(self.count(*id)?, 0));
            }
        }
        // Between an operand that begins on the line and the step, control comes to the beginning of the test, on another line.
        for id in begun.iter().skip(1).filter(|id| self.point(**id).kind == PointKind::Step) {
            let test = self.point(*id).within.and_then(|whole| self.truth.part(whole, PointKind::Condition));
            if test.is_some_and(|test| test.line < Some(self.line)) {
                counts.extend(add(self.count(*id)?, 0));
            }
        }
        // Jumps from elsewhere lead to a label on the line, past what ends there.
        let labels = begun.iter().map(|id| self.point(*id)).filter(|point| point.kind.is_label());
        let fallen: Vec<u64> = labels.filter_map(|label| label.fallen).collect();
        if largest > 0 && !fallen.is_empty() {
            counts.extend(add(largest, 0));
            counts.extend(add(largest, fallen.iter().sum()));
        }
        // The last operand of a condition ends on the line, and earlier ones lead to what follows, too.
        let is_part = self.point(begun[0]).within.is_some();
        let is_operand = |id: &&PointId| self.point(**id).kind == PointKind::Operand;
        for id in continued.iter().filter(|id| is_operand(id) && !is_part) {
            if let Some((yes, no)) = self.point(*id).outcomes {
                counts.extend(add(self.count(*id)?, yes));
                counts.extend(add(self.count(*id)?, no));
            }
        }
        // The first arm of `?:` ends on the line, and control comes to the second one from the condition.
        let arm = self.point(begun[0]);
        let is_other = |id: &&PointId| {
            let other = self.point(**id);
            (other.kind, other.within) == (PointKind::Arm, arm.within)
        };
        if arm.kind == PointKind::Arm
            && let Some(first) = continued.iter().find(is_other)
        {
            counts.extend(add(self.count(*first)?, 0));
        }
        Ok(counts)
    }

    /// The statement before that of `id`, with which the code of the line begins.
    fn before(&self, id: PointId) -> Option<&CountedPoint> {
        let place = |id: PointId| self.point(id).place;
        // A block that begins on the line begins with its first statement.
        let is_first = |id: &PointId| place(*id).is_some_and(|place| place.before.is_none());
        let block = |id: &PointId| {
            let outer = place(*id).filter(|_| is_first(id))?.outer;
            let point = self.point(outer);
            (point.kind == PointKind::Block && point.line == Some(self.line)).then_some(outer)
        };
        let first = std::iter::successors(Some(self.truth.root(id)), block).last()?;
        place(first)?.before.map(|before| self.point(before))
    }

    /// Whether `id` is or begins the second arm of an `if`.
    fn is_else(&self, id: PointId) -> bool {
        let place = |id: PointId| self.point(id).place;
        let mut arm = self.truth.root(id);
        while let Some(outer) = place(arm).map(|place| place.outer) {
            if self.point(outer).kind == PointKind::Statement(StatementKind::If) {
                return (outer + 1..arm).any(|other| place(other).is_some_and(|of| of.outer == outer));
            }
            if self.point(outer).kind != PointKind::Block || place(arm).and_then(|of| of.before).is_some() {
                return false;
            }
            arm = outer;
        }
        false
    }
}
