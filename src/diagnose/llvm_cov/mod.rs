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
mod line;
mod number;
mod region;

use super::diagnosis::{Case, Symptom};
use crate::model::{Cause, Layer, Metric};
use departures::departures;
use facts::Facts;

/// The diagnosis of each of `symptoms`.
pub(super) fn diagnose(case: &Case<'_>, symptoms: &[Symptom]) -> Vec<Cause> {
    let facts = Facts::new(case).map(|mut facts| {
        facts.departures = departures(&facts);
        facts
    });
    let of = |symptom: &Symptom| match &facts {
        Ok(facts) if symptom.metric == Metric::Line => facts.line(symptom),
        Ok(facts) => facts.number(symptom),
        Err(error) => Cause::new(
            Layer::Report,
            "report/data/unreadable",
            "the coverage mapping".into(),
            format!("The coverage mapping cannot be used: {error}."),
        ),
    };
    symptoms.iter().map(of).collect()
}
