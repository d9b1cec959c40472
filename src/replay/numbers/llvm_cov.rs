//! llvm-cov's branches and regions, which have positions.

use std::collections::{BTreeMap, BTreeSet};

use super::checked::{CheckedNumber, NO_TRUTH, Right, What};
use super::missing::{Place, missing};
use super::unclamped::Unclamped;
use crate::coverage::{Coverage, Region, RegionKind, Tested, without_file};
use crate::model::{Family, Line, Metric};
use crate::replay::expected::{
    Extents, Misplaced, Outcomes, expected, expected_region, misplaced, tests_at, tests_of_name,
};
use crate::truth::Truth;

/// The first version whose regions end with the code with which they begin. Before, a region after a jump was a deferred one, which
/// begins with the next statement and ends with the block around it.
const FIRST_WITH_OWN_ENDS: u32 = 13;

pub(super) fn branches_and_regions(report: &Coverage, truth: Option<&Truth>) -> Vec<CheckedNumber> {
    let (unclamped, version) = (Unclamped::of(report), report.llvm_version());
    let mut by_place: BTreeMap<Place<'_>, Vec<&Tested>> = BTreeMap::new();
    for branch in &report.tested {
        by_place.entry((branch.start, &branch.expansion)).or_default().push(branch);
    }
    let mut found: Vec<CheckedNumber> = by_place
        .into_iter()
        .flat_map(|(place, branches)| outcomes(place, &branches, truth, version, &unclamped))
        .collect();
    let has_own_ends = version.is_none_or(|version| version >= FIRST_WITH_OWN_ENDS);
    let extents = truth.filter(|_| has_own_ends).map(|truth| Extents::of(truth, version));
    let regions: Vec<CheckedNumber> = regions(report, truth, extents.as_ref(), &unclamped).collect();
    if let (Some(truth), Some(extents)) = (truth, &extents) {
        found.extend(missing(report, truth, extents));
    }
    found.extend(truth.into_iter().flat_map(|truth| code(report, truth, &regions)));
    found.extend(regions);
    found
}

/// The outcomes of the `branches` that begin at one place. They do not say which test there they are: one that is none of the
/// tests should be one of those that are left.
fn outcomes(
    (place, expansion): Place<'_>,
    branches: &[&Tested],
    truth: Option<&Truth>,
    version: Option<u32>,
    unclamped: &Unclamped,
) -> Vec<CheckedNumber> {
    // Another file may expand a macro that this one defines.
    let is_partial = |truth: &Truth| {
        let is_unknown = || truth.typed_in(expansion, place.0).is_none();
        truth.may_be_expanded_elsewhere(place.0)
            || truth.partial_definitions.contains(&place.0) && is_unknown()
    };
    let is_name = branches.iter().all(|branch| branch.start == branch.end);
    let tests = |truth: &Truth| {
        if is_name || truth.unevaluated_at(place).is_some() {
            tests_of_name(truth, expansion, place, version, branches.len())
        } else {
            tests_at(truth, expansion, place, version)
        }
    };
    let tests = match truth.map(tests) {
        None => Err(NO_TRUTH),
        Some(_) if truth.is_some_and(is_partial) => Err("the condition is in the definition of a macro"),
        Some(None) => Err("a condition that begins here cannot be counted"),
        Some(Some(tests)) if tests.len() < branches.len() => Err("no condition of the source begins here"),
        Some(Some(tests)) if tests.iter().any(Vec::is_empty) => {
            Err("a condition that begins here cannot be counted")
        }
        Some(Some(tests)) => Ok(tests),
    };
    let shown: Vec<(u64, u64)> = branches.iter().map(|branch| unclamped.branch(branch)).collect();
    let pairs = pairs(&shown, tests.as_deref().unwrap_or_default());
    let right = |index: usize, outcome: fn(&(u64, u64)) -> u64| -> Right {
        let tests = tests.as_ref().map_err(|reason| *reason)?;
        if pairs.contains(&Some(index)) {
            return Ok(vec![outcome(&shown[index])]);
        }
        let left = tests.iter().zip(&pairs).filter(|(_, of)| of.is_none()).flat_map(|(test, _)| test);
        let (yes, no) = shown[index];
        // Where one of the two is that of a test, the other one is wrong.
        let near = left.clone().find(|test| test.0 == yes || test.1 == no);
        let is_near = |test: &&(u64, u64)| match near {
            Some(near) if near.0 == yes => test.0 == yes,
            Some(_) => test.1 == no,
            None => true,
        };
        let mut right: Vec<u64> = left.filter(is_near).map(outcome).collect();
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

/// The branch, as an index into `shown`, that each of `tests` is paired with: as many as possible, one of whose outcomes is
/// that of the branch. What clang evaluates may have several outcomes, so the first test with an outcome may be that of
/// another branch (Kuhn's algorithm).
fn pairs(shown: &[(u64, u64)], tests: &[Outcomes]) -> Vec<Option<usize>> {
    let mut pairs = vec![None; tests.len()];
    for branch in 0..shown.len() {
        pair(branch, shown, tests, &mut pairs, &mut vec![false; tests.len()]);
    }
    pairs
}

/// Pair `branch` with a test that is free, or whose branch can be paired with another one.
fn pair(
    branch: usize,
    shown: &[(u64, u64)],
    tests: &[Outcomes],
    pairs: &mut [Option<usize>],
    seen: &mut [bool],
) -> bool {
    for test in 0..tests.len() {
        if seen[test] || !tests[test].contains(&shown[branch]) {
            continue;
        }
        seen[test] = true;
        if pairs[test].is_none_or(|other| pair(other, shown, tests, pairs, seen)) {
            pairs[test] = Some(branch);
            return true;
        }
    }
    false
}

fn regions<'a>(
    report: &'a Coverage,
    truth: Option<&'a Truth>,
    extents: Option<&'a Extents<'a>>,
    unclamped: &'a Unclamped,
) -> impl Iterator<Item = CheckedNumber> + 'a {
    let is_listed = |region: &&Region| region.kind != RegionKind::Skipped;
    let extent = |region: &'a Region| (region.start, region.end, region.kind, region.expansion.as_slice());
    // With that extent, and those of them in each function: a macro may make several functions.
    let mut extents_of: BTreeMap<_, BTreeMap<&str, usize>> = BTreeMap::new();
    for region in &report.regions {
        *extents_of.entry(extent(region)).or_default().entry(&region.function).or_default() += 1;
    }
    let equal = move |region: &'a Region| {
        let of = &extents_of[&extent(region)];
        (of.values().sum::<usize>(), of[&*region.function])
    };
    let mut listed: BTreeMap<&str, usize> = BTreeMap::new();
    for function in &report.functions {
        *listed.entry(name_in_source(&function.name)).or_default() += 1;
    }
    // A function may be in the program several times: in several of its files, or for several targets.
    let is_of_many = move |region: &Region| listed.get(name_in_source(&region.function)) > Some(&1);
    let is_unique = move |region: &Region| extents.is_some_and(|extents| extents.is_unique(region));
    let right = move |region: &'a Region| match truth.map(|truth| expected_region(truth, region)) {
        None => Err(NO_TRUTH),
        Some(_) if equal(region).0 > 1 && is_of_many(region) => {
            Err("the report lists the function several times")
        }
        Some(Ok(right)) if !right.contains(&region.count) => Ok(Vec::from_iter(right)),
        Some(_) if equal(region).1 > 1 && is_unique(region) => Ok(Vec::new()),
        Some(_) if extents.and_then(|extents| extents.admits(region)) == Some(false) => Ok(Vec::new()),
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

/// The name in the source of the function that llvm-cov calls `name.target`, which is one of several targets.
fn name_in_source(name: &str) -> &str {
    let name = without_file(name);
    name.split_once('.').map_or(name, |(name, _)| name)
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
