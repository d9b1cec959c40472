//! Compares one count of a report with ground truth.

use super::convention::{self, Claim};
use super::measured::Measured;
use super::verdict::Evidence;
use crate::coverage::Coverage;
use crate::diagnose::{Case, line_of_exec};
use crate::model::{Count, LARGEST_COUNT, Line, Metric, WrongKind};
use crate::replay::{expected, lacks_code, needs_count};
use crate::truth::Truth;

/// Compare the `count` of `line` in the report with ground truth.
pub(super) fn against(measured: &Measured<'_>, line: Line, count: Count) -> Evidence {
    against_report(measured, measured.report, line, count)
}

/// The same for the `report` of a variant that shares the line with P.
pub(super) fn against_report(
    measured: &Measured<'_>,
    report: &Coverage,
    line: Line,
    count: Count,
) -> Evidence {
    let (family, truth) = (measured.family(), measured.truth);
    let is_outside = |truth: &Truth| {
        lacks_code(report, truth, family, line) && !is_of_unknown_function(report, truth, line)
    };
    if count.is_some() && truth.is_some_and(is_outside) {
        return Evidence { wrong: Some(WrongKind::NoCode), ..Evidence::default() };
    }
    let admissible = truth.and_then(|truth| expected(truth, family, line).ok());
    let (Some(truth), Some(admissible)) = (truth, admissible) else {
        // A difference of counters that fell below zero.
        let is_impossible = truth.is_some_and(|truth| !truth.may_race) && count > Some(LARGEST_COUNT);
        return Evidence { wrong: is_impossible.then_some(WrongKind::Frequency), ..Evidence::default() };
    };
    let Some(count) = count else {
        let is_missing = needs_count(report, truth, family, line);
        return Evidence { wrong: is_missing.then_some(WrongKind::Uncounted), ..Evidence::default() };
    };
    if admissible.counts.contains(&count) {
        return Evidence::default();
    }
    let counts: Vec<u64> = admissible.counts.iter().copied().collect();
    let claim = Claim { truth, report, family, line, count, admissible: &admissible };
    let case = Case { report, truth, program: measured.program, family, file: measured.file };
    let is_by_exec = line_of_exec(&case, Metric::Line, line, count).is_some();
    Evidence {
        convention: convention::rule(&claim).filter(|_| !is_by_exec),
        wrong: WrongKind::of(Some(count), &counts),
        ..Evidence::default()
    }
}

/// Whether `line` may be in a function that the report lists and that the parser did not find.
fn is_of_unknown_function(report: &Coverage, truth: &Truth, line: Line) -> bool {
    let listed = report.functions.iter().map(|function| function.line).filter(|start| *start <= line).max();
    let holds = |start| truth.functions.iter().any(|found| found.lines.0 <= start && start <= found.lines.1);
    listed.is_some_and(|start| !holds(start))
}
