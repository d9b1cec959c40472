//! A whole report next to the expected one, as data that a journal can keep.

use std::collections::BTreeSet;

use super::deciding::Deciding;
use super::expected::expected;
use super::numbers::{CheckedNumber, numbers};
use crate::coverage::Coverage;
use crate::model::{Count, CoveredParts, Family, Line, Metric, ReportDetails};
use crate::truth::Truth;

/// A program up to this length is kept whole.
const SHORT: Line = 48;

/// Lines kept around each line of a finding in a longer one.
const CONTEXT: Line = 4;

/// The lines whose details are worth keeping for findings on the lines `marked` of a program of `length` lines: pages show
/// these.
pub fn lines_to_keep(length: usize, marked: impl IntoIterator<Item = Line>) -> BTreeSet<Line> {
    let last = Line::try_from(length).unwrap_or(Line::MAX);
    if last <= SHORT {
        return (1..=last).collect();
    }
    let around = |line: Line| line.saturating_sub(CONTEXT).max(1)..=line.saturating_add(CONTEXT).min(last);
    marked.into_iter().flat_map(around).collect()
}

/// The details of `report` on the `lines` of `file`, as the profiler names it.
pub fn details(
    report: &Coverage,
    truth: Option<&Truth>,
    family: Family,
    file: &str,
    lines: &BTreeSet<Line>,
) -> ReportDetails {
    let numbers = numbers(report, truth, family).into_iter();
    let numbers =
        numbers.filter(|number| lines.contains(&number.line)).map(CheckedNumber::described).collect();
    let counted = || lines.iter().copied().filter(|line| report.line(*line).is_some());
    let unknown = counted().filter_map(|line| {
        let reason = expected(truth?, family, line).err()?;
        Some((line, reason.to_string()))
    });
    let replay = Deciding::new(report, truth, family, file);
    let deciding = |line: Line| (line, replay.of(line));
    ReportDetails { numbers, unknown: unknown.collect(), deciding: counted().map(deciding).collect() }
}

/// How many parts of the decisions on `line`, or of the functions that begin there, `report` says are covered.
pub fn covered(
    report: &Coverage,
    truth: Option<&Truth>,
    family: Family,
    metric: Metric,
    line: Line,
) -> Option<CoveredParts> {
    let numbers = numbers(report, truth, family).into_iter().map(CheckedNumber::described).collect();
    ReportDetails { numbers, ..ReportDetails::default() }.covered(metric, line)
}

/// The number of `metric` that the text of `report` shows for `line`.
pub fn shown_count(report: &Coverage, family: Family, metric: Metric, line: Line) -> Count {
    if metric.is_of_parts() {
        let parts = covered(report, None, family, metric, line).map(|parts| parts.reported);
        // A line without a decision has no outcome that is covered.
        parts.or((metric == Metric::Condition).then_some(0))
    } else {
        report.count(metric, line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_program_is_kept_whole_and_a_long_one_near_its_findings() {
        assert_eq!(lines_to_keep(3, [2]), BTreeSet::from([1, 2, 3]));
        assert_eq!(lines_to_keep(100, [2, 100]), (1..=6).chain(96..=100).collect());
    }
}
