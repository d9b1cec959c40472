//! What is diagnosed, and the result.

use crate::coverage::Coverage;
use crate::model::{Count, Family, Line, Metric};
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

/// A number of a report that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symptom {
    pub metric: Metric,
    pub line: Line,
    /// None if the report lacks it.
    pub reported: Count,
    /// The counts that it may have; empty if it should not be there.
    pub expected: Vec<u64>,
}

impl Symptom {
    /// The number that contradicts `truth`; none if the contradiction is about no line.
    pub fn of(found: &Contradiction, truth: &Truth, family: Family) -> Option<Symptom> {
        let line = found.difference.place.line()?;
        let expected = match found.metric {
            Metric::Line => expected(truth, family, line)
                .map_or_else(|_| Vec::new(), |right| right.counts.into_iter().collect()),
            _ => found.right.into_iter().collect(),
        };
        Some(Symptom { metric: found.metric, line, reported: found.difference.before, expected })
    }
}
