//! `truth`: compares one report with our own counters (Decov's idea, FSE 2023, with counters in place of a debugger's
//! stops).
//!
//! There is no variant: the program is built with counters of our own, without coverage, and run with the same input. A
//! count that is none of those that really occurred is wrong, or follows a convention of the profiler; triage decides
//! which.
//!
//! A missing count is not a claim. Numbers that cannot be attributed to one part of the program beyond doubt are not
//! compared.

use std::collections::BTreeMap;

use super::Contradiction;
use crate::coverage::{Conditions, Coverage, EXPANSION};
use crate::model::{Family, Line, Metric};
use crate::replay::{
    Misplaced, admits_tests, branch_groups, expected, expected_region, misplaced, needs_count, tests_at,
};
use crate::syntax::PointId;
use crate::truth::{EvaluatedDecision, Truth};

/// The lines whose count contradicts ground truth. There is no variant, so `after` is none. A line of braces is only
/// reported next to other lines: its count says nothing about execution.
pub fn against_truth(report: &Coverage, truth: &Truth, family: Family) -> Vec<Contradiction> {
    let last = report.last_line().max(truth.lines.keys().next_back().copied().unwrap_or(0));
    let found: Vec<Contradiction> =
        (1..=last).filter_map(|line| wrong_line(report, truth, family, line)).collect();
    let is_bare =
        |found: &Contradiction| found.difference.place.line().is_some_and(|line| truth.is_bare(line));
    if found.iter().all(is_bare) { Vec::new() } else { found }
}

/// What is wrong about `line`: its count, or that it has none.
fn wrong_line(report: &Coverage, truth: &Truth, family: Family, line: Line) -> Option<Contradiction> {
    let count = report.line(line);
    let is_right = match count {
        Some(count) => expected(truth, family, line).ok()?.counts.contains(&count),
        None => !needs_count(truth, family, line),
    };
    (!is_right).then(|| Contradiction::of_truth(Metric::Line, line, count, None))
}

/// The functions, branches, regions and conditions whose count is wrong.
pub fn beyond_lines(report: &Coverage, truth: &Truth, family: Family) -> Vec<Contradiction> {
    let mut found = functions(report, truth);
    found.extend(report.decisions.iter().filter_map(|decision| condition(report, truth, family, decision)));
    match family {
        Family::Gcov => found.extend(gcov_branches(report, truth)),
        Family::LlvmCov => {
            found.extend(llvm_branches(report, truth));
            found.extend(regions(report, truth));
        }
    }
    found
}

fn wrong(metric: Metric, line: Line, count: u64, right: u64) -> Option<Contradiction> {
    (count != right).then(|| Contradiction::of_truth(metric, line, Some(count), Some(right)))
}

/// The more informative wrong outcome: the first that never occurs in the report or in truth, or else the first.
fn worse(metric: Metric, line: Line, outcomes: [(u64, u64); 2]) -> Option<Contradiction> {
    let differing = || outcomes.into_iter().filter(|(count, right)| count != right);
    let (count, right) =
        differing().find(|(count, right)| (*count == 0) != (*right == 0)).or(differing().next())?;
    wrong(metric, line, count, right)
}

/// Entries of each function that is in the report once and in the program once.
fn functions(report: &Coverage, truth: &Truth) -> Vec<Contradiction> {
    let mut listed: BTreeMap<usize, Vec<(Line, u64, u64)>> = BTreeMap::new();
    for function in &report.functions {
        if let Some((index, right)) = truth.entries(function.line) {
            listed.entry(index).or_default().push((function.line, function.count, right));
        }
    }
    let alone = listed.into_values().filter(|found| found.len() == 1).flatten();
    alone.filter_map(|(line, count, right)| wrong(Metric::Function, line, count, right)).collect()
}

/// A covered or uncovered condition, where a decision of the report can only be one of ours: by its place, or for gcov,
/// which reports none, because it is alone on its line. Conditions that the compiler folds are not compared.
fn condition(report: &Coverage, truth: &Truth, family: Family, found: &Conditions) -> Option<Contradiction> {
    let is_like = |ours: &&EvaluatedDecision| {
        let (line, column) = ours.chain.start;
        line == found.line && found.column.is_none_or(|at| at == column)
    };
    let mut alike = truth.decisions.iter().filter(is_like);
    let (Some(ours), None) = (alike.next(), alike.next()) else { return None };
    let twins =
        report.decisions.iter().filter(|other| (other.line, other.column) == (found.line, found.column));
    let is_folded = |id: &PointId| truth.point(*id).folded;
    let is_plain =
        (found.column.is_some() || ours.chain.is_on_one_line) && !ours.chain.operands.iter().any(is_folded);
    let right = ours.covered(family);
    if twins.count() != 1 || !is_plain || right.len() != found.shown.len() {
        return None;
    }
    // gcc turns `!(a || b)` into `!a && !b` where it can, and then reports the conditions `!a` and `!b`.
    let is_negated = |(shown, right): (&[bool], &[bool])| shown.iter().eq(right.iter().rev());
    if family == Family::Gcov && found.shown.chunks(2).zip(right.chunks(2)).all(is_negated) {
        return None;
    }
    let (shown, right) = found.shown.iter().zip(right).find(|(shown, right)| *shown != right)?;
    let metric = match family {
        Family::Gcov => Metric::Condition,
        Family::LlvmCov => Metric::Mcdc,
    };
    wrong(metric, found.line, u64::from(*shown), u64::from(right))
}

/// gcov's branches, compared by groups of lines: gcov does not say which outcome of which condition a branch is.
fn gcov_branches(report: &Coverage, truth: &Truth) -> Vec<Contradiction> {
    let compared = branch_groups(truth).into_iter().filter_map(|group| {
        let here = report.branches.iter().filter(|branch| group.lines.contains(&branch.line));
        let shown: Vec<(Line, u64)> = here.map(|branch| (branch.line, branch.taken.unwrap_or(0))).collect();
        let counts: Vec<u64> = shown.iter().map(|(_, count)| *count).collect();
        let paired = group.pair(&counts)?;
        let first = paired.is_outcome.iter().position(|is_outcome| !is_outcome)?;
        let (line, count) = shown[first];
        wrong(Metric::Branch, line, count, *paired.left.first()?)
    });
    compared.collect()
}

/// llvm-cov's branches, compared by the position where they begin.
fn llvm_branches(report: &Coverage, truth: &Truth) -> Vec<Contradiction> {
    let mut by_place: BTreeMap<(Line, u32), Vec<(u64, u64)>> = BTreeMap::new();
    for found in &report.tested {
        by_place.entry(found.start).or_default().push((found.yes, found.no));
    }
    let compared = by_place.into_iter().filter_map(|(at, shown)| {
        let tests = tests_at(truth, at)?;
        if admits_tests(&shown, &tests)? {
            return None;
        }
        let is_of = |outcomes: &(u64, u64)| tests.iter().any(|test| test.contains(outcomes));
        let (yes, no) = *shown.iter().find(|outcomes| !is_of(outcomes)).or(shown.first())?;
        let (right_yes, right_no) =
            *tests.iter().find(|test| !test.iter().any(|one| shown.contains(one)))?.first()?;
        worse(Metric::Branch, at.0, [(yes, right_yes), (no, right_no)])
    });
    compared.collect()
}

/// llvm-cov's regions that do not have the count of the code that they begin with. Code in a segment with another count is
/// only reported on lines whose count is right, and gaps are not: they are seen in the counts of lines.
fn regions(report: &Coverage, truth: &Truth) -> Vec<Contradiction> {
    let mut found: Vec<(Line, u64, u64)> = Vec::new();
    for region in report.regions.iter().filter(|region| region.kind <= EXPANSION) {
        if let Ok(counts) = expected_region(truth, region)
            && !counts.contains(&region.count)
            && let Some(right) = counts.first()
        {
            found.push((region.start.0, region.count, *right));
        }
    }
    for Misplaced { line, shown, right, .. } in misplaced(truth, &report.segments) {
        if wrong_line(report, truth, Family::LlvmCov, line).is_none() {
            found.push((line, shown, right));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.into_iter().filter_map(|(line, count, right)| wrong(Metric::Region, line, count, right)).collect()
}
