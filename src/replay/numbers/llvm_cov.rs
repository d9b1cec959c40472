//! llvm-cov's branches and regions, which have positions.

use std::collections::{BTreeMap, BTreeSet};

use super::checked::{CheckedNumber, NO_TRUTH, Right, What};
use super::unclamped::Unclamped;
use crate::coverage::{Coverage, Region, RegionKind, Tested};
use crate::model::{Family, Line, Metric};
use crate::replay::expected::{Misplaced, expected, expected_region, misplaced, tests_at};
use crate::truth::Truth;

pub(super) fn branches_and_regions(report: &Coverage, truth: Option<&Truth>) -> Vec<CheckedNumber> {
    let unclamped = Unclamped::of(report);
    let mut by_place: BTreeMap<(Line, u32), Vec<&Tested>> = BTreeMap::new();
    for branch in &report.tested {
        by_place.entry(branch.start).or_default().push(branch);
    }
    let mut found: Vec<CheckedNumber> = by_place
        .into_iter()
        .flat_map(|(place, branches)| outcomes(place, &branches, truth, &unclamped))
        .collect();
    let regions: Vec<CheckedNumber> = regions(report, truth, &unclamped).collect();
    found.extend(truth.into_iter().flat_map(|truth| code(report, truth, &regions)));
    found.extend(regions);
    found
}

/// The outcomes of the `branches` that begin at one place. They do not say which test of a macro they are: one that is none
/// of the tests should be one of those that are left.
fn outcomes(
    place: (Line, u32),
    branches: &[&Tested],
    truth: Option<&Truth>,
    unclamped: &Unclamped,
) -> Vec<CheckedNumber> {
    let tests = match truth.map(|truth| tests_at(truth, place)) {
        None => Err(NO_TRUTH),
        Some(None) => Err("a condition that begins here cannot be counted"),
        Some(Some(tests)) if tests.len() < branches.len() => Err("no condition of the source begins here"),
        Some(Some(tests)) => Ok(tests),
    };
    let shown: Vec<(u64, u64)> = branches.iter().map(|branch| unclamped.branch(branch)).collect();
    let mut left = tests.as_ref().map_or_else(|_| Vec::new(), Vec::clone);
    let mut is_right = |outcomes: &(u64, u64)| {
        let at = left.iter().position(|test| test.contains(outcomes));
        at.map(|at| left.remove(at)).is_some()
    };
    let is_right: Vec<bool> = shown.iter().map(&mut is_right).collect();
    let right = |index: usize, outcome: fn(&(u64, u64)) -> u64| -> Right {
        if let Err(reason) = tests {
            return Err(reason);
        }
        if is_right[index] {
            return Ok(vec![outcome(&shown[index])]);
        }
        let mut right: Vec<u64> = left.iter().flatten().map(outcome).collect();
        right.sort_unstable();
        right.dedup();
        Ok(right)
    };
    let numbers = branches.iter().enumerate().flat_map(|(index, branch)| {
        let number = |is_true, outcome: fn(&(u64, u64)) -> u64| {
            let what = What::Outcome { start: branch.start, end: branch.end, is_true };
            let (count, right) = (Some(outcome(&shown[index])), right(index, outcome));
            CheckedNumber { metric: Metric::Branch, line: place.0, what, count, right }
        };
        [number(true, |(yes, _)| *yes), number(false, |(_, no)| *no)]
    });
    numbers.collect()
}

fn regions<'a>(
    report: &'a Coverage,
    truth: Option<&'a Truth>,
    unclamped: &'a Unclamped,
) -> impl Iterator<Item = CheckedNumber> + 'a {
    let is_listed = |region: &&Region| region.kind != RegionKind::Skipped.number();
    let right = move |region: &Region| match truth.map(|truth| expected_region(truth, region)) {
        None => Err(NO_TRUTH),
        Some(Ok(right)) => Ok(Vec::from_iter(right)),
        Some(Err(_)) => Err("no part of the program begins here that is counted"),
    };
    report.regions.iter().filter(is_listed).map(move |region| {
        let Region { start, end, kind, .. } = *region;
        let (count, right) = (Some(unclamped.region(region)), right(region));
        let what = What::Region { start, end, kind };
        CheckedNumber { metric: Metric::Region, line: start.0, what, count, right }
    })
}

/// Code in a segment with another count, where no count of the line or of a region shows it: one for each pair of counts
/// on a line.
fn code(report: &Coverage, truth: &Truth, regions: &[CheckedNumber]) -> Vec<CheckedNumber> {
    let mut shown: BTreeSet<(Line, u64)> = regions
        .iter()
        .filter(|region| region.is_wrong())
        .filter_map(|of| Some((of.line, of.count?)))
        .collect();
    let is_right = |line: Line| {
        let expected = expected(truth, Family::LlvmCov, line);
        expected.is_ok_and(|expected| report.line(line).is_some_and(|count| expected.counts.contains(&count)))
    };
    let new = misplaced(truth, &report.segments).into_iter();
    let new = new.filter(|found| is_right(found.line) && shown.insert((found.line, found.shown)));
    let number = |found: Misplaced| {
        let (what, count, right) = (What::Code(found.column), Some(found.shown), Ok(vec![found.right]));
        CheckedNumber { metric: Metric::Region, line: found.line, what, count, right }
    };
    new.map(number).collect()
}
