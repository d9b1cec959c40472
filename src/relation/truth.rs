//! `truth`: one report against our own counters (Decov's idea, FSE 2023, with
//! counters in place of a debugger's stops).
//!
//! A count that is none of those that really occurred on its line is wrong, or
//! follows a convention of the profiler; triage tells which. No count is no claim.

use super::Contradiction;
use crate::coverage::Coverage;
use crate::model::{Difference, Family, Kind, Place};
use crate::truth::Truth;

/// The lines whose count truth does not admit. There is no variant, so `after` is none.
pub fn against_truth(report: &Coverage, truth: &Truth, family: Family) -> Vec<Contradiction> {
    let inadmissible = |(line, count): (u32, u64)| {
        let admissible = truth.line(line, family)?.counts;
        let difference =
            Difference { place: Place::Line(line), kind: Kind::Strong, before: Some(count), after: None };
        (!admissible.contains(&count)).then_some(Contradiction { what: "counters", difference })
    };
    report.counted().filter_map(inadmissible).collect()
}
