//! llvm-cov: counters, then regions with the expressions of their counts, then segments, then the rule for lines.
//!
//! A wrong number is followed down through these layers. A line leads to the segment that decides it, a segment to its
//! region. A region with the right count at its start has a wrong extent: control left or came back somewhere in it. One
//! with a wrong count there has a wrong counter, or an expression that is wrong although its counters are right: control
//! left or came back where clang does not expect it.

mod construct;
mod counter;
mod departure;
mod departures;
mod extent;
mod facts;
mod late_start;
mod left_together;
mod line;
mod number;
mod overlap;
mod region;
mod runtime;
mod system_chain;

use super::diagnosis::Case;
use crate::model::{Cause, Metric, Symptom};
use departures::departures;
use facts::Facts;

/// The diagnosis of each of `symptoms`.
pub(super) fn diagnose(case: &Case<'_>, symptoms: &[Symptom]) -> Result<Vec<Cause>, String> {
    let mut facts = Facts::new(case)?;
    facts.departures = departures(&facts);
    let of = |symptom: &Symptom| match symptom.metric {
        Metric::Line => facts.line(symptom),
        _ => facts.number(symptom),
    };
    Ok(symptoms.iter().map(of).collect())
}
