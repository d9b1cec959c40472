//! Ground truth of functions: how often each was entered.

use super::Truth;
use crate::model::Line;
use crate::syntax::PointKind;

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
        if !found.is_counted() || twins.count() > 1 {
            return None;
        }
        let entry =
            self.points.iter().find(|point| point.function == index && point.kind == PointKind::Entry)?;
        Some((index, entry.count?))
    }
}
