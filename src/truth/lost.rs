//! Executions that did not complete: a call did not return, or a signal or a jump ended the code.

use std::ops::Range;

use super::{CountedPoint, Truth};
use crate::syntax::{Leaving, PointId, PointKind, StatementKind};

impl Truth {
    /// How often a function was entered and came neither to a `return` nor to its end.
    pub fn not_left(&self, function: usize) -> u64 {
        let points = || self.points.iter().filter(|point| point.function == function);
        let is_return = |point: &&CountedPoint| point.kind == PointKind::Statement(StatementKind::Return);
        let returned: u64 = points().filter(is_return).filter_map(CountedPoint::completions).sum();
        let Some(entry) = points().find(|point| point.kind == PointKind::Entry) else { return 0 };
        entry.count.unwrap_or(0).saturating_sub(entry.completed.unwrap_or(0)).saturating_sub(returned)
    }

    /// How often `id` began and did not complete, apart from what other points lost and from jumps: the value of a statement
    /// expression is a point whose completion cannot be counted, so what it lost is that of the code around it.
    pub fn lost(&self, id: PointId) -> u64 {
        let point = self.point(id);
        let (Some(count), Some(completed), true) = (point.count, point.completed, point.holds_block) else {
            return point.lost();
        };
        if matches!(point.kind, PointKind::Block | PointKind::Entry) {
            return 0;
        }
        let inside =
            (id + 1..self.points.len()).take_while(|inner| self.around(*inner).any(|outer| outer == id));
        let explained = inside.map(|inner| match self.point(inner) {
            left if left.leaving == Leaving::Jump || left.is_said_to_end => left.count.unwrap_or(0),
            _ => self.lost(inner),
        });
        count.saturating_sub(completed).saturating_sub(explained.sum())
    }
}

impl CountedPoint {
    /// How often the code of the point completed: as often as it began, unless something in it may leave it.
    pub fn completions(&self) -> Option<u64> {
        self.completed.or(self.count)
    }

    /// Whether it completed more often than it began, as a call that returns twice does.
    pub fn returned_again(&self) -> bool {
        !matches!(self.kind, PointKind::Entry | PointKind::Block) && self.completed > self.count
    }

    /// Whether it is a statement that a jump may leave, from a statement expression in it.
    pub fn may_be_left_inside(&self) -> bool {
        self.holds_block && matches!(self.kind, PointKind::Statement(kind) if !kind.is_compound())
    }

    /// What began in it between two calls: any number between those of how often it completed and began, if it was left in between.
    pub fn counts_between_calls(&self) -> Range<u64> {
        match (self.count, self.completed) {
            (Some(count), Some(completed)) if self.has_several_exits && self.lost() > 0 => {
                completed + 1..count
            }
            _ => 0..0,
        }
    }

    /// How often the code of the point began and did not complete.
    pub fn lost(&self) -> u64 {
        match (self.kind, self.count, self.completed) {
            (PointKind::Block | PointKind::Entry, ..) => 0,
            // A jump may have left it. The calls in it are points of their own.
            _ if self.holds_block => 0,
            (_, Some(count), Some(completed)) => count.saturating_sub(completed),
            _ => 0,
        }
    }
}
