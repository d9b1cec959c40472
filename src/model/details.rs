//! A report next to the expected one, beyond the counts of lines: the other numbers, why some have no expected count, and
//! the elements that decide the count of a line.
//!
//! It is plain data, so that a journal can keep it: pages are written without a profiler.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::difference::{Count, Line, Metric};

/// The details of a report. Empty where there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReportDetails {
    /// Functions, branches and regions, in the order of their lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<ReportNumber>,
    /// The reason why a line with a count has no expected count.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub unknown: BTreeMap<Line, String>,
    /// What decides the count of a line, or why that is not known.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub deciding: BTreeMap<Line, Result<Vec<DecidingElement>, String>>,
}

impl ReportDetails {
    pub fn is_empty(&self) -> bool {
        *self == ReportDetails::default()
    }

    /// The parts of the decisions or the branches on `line`, or of the functions that begin there; none if the report lacks
    /// one of them that is no decision of gcov.
    pub fn covered(&self, metric: Metric, line: Line) -> Option<CoveredParts> {
        let is_meant = |number: &&ReportNumber| (number.metric, number.line) == (metric, line);
        let whole = |number: &ReportNumber| match metric {
            Metric::Branch => Some(1),
            // Neither gaps nor expansions are meant.
            Metric::Region => {
                (number.what.ends_with(", code") || number.what.starts_with("the region")).then_some(1)
            }
            _ => number.whole,
        };
        let totals = self.numbers.iter().filter(is_meant).filter_map(|number| Some((number, whole(number)?)));
        let parts: Option<Vec<CoveredParts>> =
            totals.map(|(number, whole)| CoveredParts::of(number, whole)).collect();
        parts?.into_iter().reduce(CoveredParts::and)
    }
}

/// What the text of a report says of the parts of one line together: how many flags of the conditions of its decisions, or
/// paths of its functions, are covered, or the sum of the counts of its branches or regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveredParts {
    /// The number that is reported.
    pub reported: u64,
    /// The numbers that are right; empty if that is unknown.
    pub right: Vec<u64>,
    pub all: usize,
    /// What is counted, in words; for an outcome of a branch or a region, with its count.
    pub what: Vec<String>,
}

impl CoveredParts {
    fn of(number: &ReportNumber, all: usize) -> Option<CoveredParts> {
        // A decision that gcov does not list has no outcome that is covered.
        let reported = number.count.or((number.metric == Metric::Condition).then_some(0))?;
        let right = number.expected.clone();
        let what = match number.metric {
            metric if metric.is_of_counts() => format!("{}: {reported}", number.what),
            _ => number.what.clone(),
        };
        Some(CoveredParts { reported, right, all, what: vec![what] })
    }

    fn and(mut self, other: CoveredParts) -> CoveredParts {
        let sums =
            self.right.iter().flat_map(|one| other.right.iter().map(move |two| one.saturating_add(*two)));
        let sums: BTreeSet<u64> = sums.collect();
        self.what.extend(other.what);
        CoveredParts {
            reported: self.reported.saturating_add(other.reported),
            right: sums.into_iter().collect(),
            all: self.all + other.all,
            what: self.what,
        }
    }

    pub fn is_wrong(&self) -> bool {
        !self.right.is_empty() && !self.right.contains(&self.reported)
    }
}

/// A number of a report that is not the count of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportNumber {
    pub metric: Metric,
    /// The line on which it begins.
    pub line: Line,
    /// The name or the position, as in `column 9 to 11:24`.
    pub what: String,
    pub count: Count,
    /// The counts that it should have; empty if it should not be there, or if that is unknown.
    pub expected: Vec<u64>,
    /// Why that is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// For how many flags of a decision, or paths of a function, are covered: of how many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<usize>,
}

impl ReportNumber {
    pub fn is_wrong(&self) -> bool {
        let is_right = match self.count {
            Some(count) => self.expected.contains(&count),
            None => self.expected.is_empty(),
        };
        self.reason.is_none() && !is_right
    }
}

/// A part of the profiler's data from which the count of a line follows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecidingElement {
    /// A block or an arc of gcov, a segment or a region of llvm-cov.
    pub element: String,
    /// The lines that a block lists, or the extent of a region.
    pub place: String,
    /// Where its count comes from, as in `#0 - #1`.
    pub source: String,
    /// As the profiler's data have it; negative if a difference of counters fell below zero.
    pub count: Option<i64>,
    /// How often the code there really ran; empty if that is unknown.
    pub truth: Vec<u64>,
    /// Whether the line has this count, or adds it to others.
    pub decides: bool,
}
