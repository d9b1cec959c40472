//! A number in one report that cannot be right next to another number.

use crate::model::{Count, Difference, Kind, Line, Metric, Place};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The source that the number contradicts: a rule of `flow`, another view of the profiler, or ground truth.
    pub what: &'static str,
    /// The kind of number in the report.
    pub metric: Metric,
    /// The place and the two counts.
    pub difference: Difference,
    /// The right count; none if there should be none, and for counts of lines, which may have several.
    pub right: Option<u64>,
}

impl Contradiction {
    /// The counts `before` and `after` of one line, if they differ.
    pub(super) fn between(
        what: &'static str,
        line: Line,
        before: Count,
        after: Count,
    ) -> Option<Contradiction> {
        let difference = Difference::of_line(line, before, after)?;
        Some(Contradiction { what, metric: Metric::Line, difference, right: None })
    }

    /// A `count` that contradicts ground truth; none if there should be one.
    pub(super) fn of_truth(metric: Metric, line: Line, count: Count, right: Option<u64>) -> Contradiction {
        let difference =
            Difference { place: Place::Line(line), kind: Kind::Strong, before: count, after: None };
        Contradiction { what: "counters", metric, difference, right }
    }
}
