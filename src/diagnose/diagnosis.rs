//! What is diagnosed, and the result.

use crate::coverage::Coverage;
use crate::model::{Family, Metric, Symptom};
use crate::relation::Contradiction;
use crate::replay::expected;
use crate::syntax::Program;
use crate::truth::Truth;

/// A report with wrong numbers, and everything that explains them.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    pub report: &'a Coverage,
    pub truth: &'a Truth,
    /// The program that the report is about.
    pub program: &'a Program,
    pub family: Family,
    /// The name of the file by which the profiler knows it.
    pub file: &'a str,
}

impl Symptom {
    /// The number that contradicts `truth`, without the name of its file; none if the contradiction is about no line.
    pub fn of(found: &Contradiction, truth: &Truth, family: Family) -> Option<Symptom> {
        let line = found.difference.place.line()?;
        let expected = match found.metric {
            Metric::Line => expected(truth, family, line)
                .map_or_else(|_| Vec::new(), |right| right.counts.into_iter().collect()),
            _ => found.right.into_iter().collect(),
        };
        Some(Symptom {
            file: String::new(),
            line,
            metric: found.metric,
            reported: found.difference.before,
            expected,
        })
    }
}
