//! `truth`: compares one report with our own counters (Decov's idea, FSE 2023, with counters in place of a debugger's
//! stops).
//!
//! There is no variant: the program is built with counters of our own, without coverage, and run with the same input. A
//! count that is none of those that really occurred is wrong, or follows a convention of the profiler; triage decides
//! which.
//!
//! Numbers that cannot be attributed to one part of the program beyond doubt are not compared.

use std::collections::BTreeMap;

use super::Contradiction;
use crate::coverage::Coverage;
use crate::model::{Family, LARGEST_COUNT, Line, Metric};
use crate::replay::{CheckedNumber, expected, lacks_code, needs_count, numbers};
use crate::truth::Truth;

/// The lines whose count contradicts ground truth. There is no variant, so `after` is none.
pub fn against_truth(report: &Coverage, truth: &Truth, family: Family) -> Vec<Contradiction> {
    let last = report.last_line().max(truth.lines.keys().next_back().copied().unwrap_or(0));
    (1..=last).filter_map(|line| wrong_line(report, truth, family, line)).collect()
}

/// The lines whose count contradicts ground truth, and the wrong numbers of `metric`.
pub fn against_truth_of(
    report: &Coverage,
    truth: &Truth,
    family: Family,
    metric: Metric,
) -> Vec<Contradiction> {
    let mut found = against_truth(report, truth, family);
    if metric != Metric::Line {
        found.extend(beyond_lines(report, truth, family).into_iter().filter(|found| found.metric == metric));
    }
    found
}

/// What is wrong about `line`: its count, or that it has none.
fn wrong_line(report: &Coverage, truth: &Truth, family: Family, line: Line) -> Option<Contradiction> {
    let count = report.line(line);
    let is_right = match count {
        Some(_) if lacks_code(report, truth, family, line) => false,
        Some(count) => match expected(truth, family, line) {
            Ok(expected) => expected.counts.contains(&count),
            Err(_) if count > LARGEST_COUNT && !truth.may_race => false,
            Err(_) => return None,
        },
        None => !needs_count(report, truth, family, line),
    };
    (!is_right).then(|| Contradiction::of_truth(Metric::Line, line, count, None))
}

/// The functions, branches, regions and conditions whose count is wrong.
pub fn beyond_lines(report: &Coverage, truth: &Truth, family: Family) -> Vec<Contradiction> {
    wrong_among(&numbers(report, Some(truth), family))
}

/// What is wrong among the `numbers` of a report: of those of one kind on a line, the most informative one, which is wrong about
/// whether anything ran at all.
pub fn wrong_among(numbers: &[CheckedNumber]) -> Vec<Contradiction> {
    let mut worst: BTreeMap<(Metric, Line), &CheckedNumber> = BTreeMap::new();
    for number in numbers.iter().filter(|number| number.is_wrong() && !number.is_gap()) {
        let is_worse =
            |known: &&CheckedNumber| number.is_wrong_about_execution() && !known.is_wrong_about_execution();
        let key = (number.metric, number.line);
        if worst.get(&key).is_none_or(is_worse) {
            worst.insert(key, number);
        }
    }
    let of_number = |found: &CheckedNumber| {
        // Of several counts, the nearest one, and rather one below: a convention may explain the difference from it.
        let count = found.count.unwrap_or(0);
        let right = found.right.iter().flatten().copied();
        let right = right.min_by_key(|right| (*right > count, right.abs_diff(count)));
        Contradiction::of_truth(found.metric, found.line, found.count, right)
    };
    worst.into_values().map(of_number).collect()
}
