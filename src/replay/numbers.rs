//! The functions, branches and regions of a report next to the counts that they should have.
//!
//! An expected count is that of the one point of ground truth which a number is about. Where several could be meant, or none
//! is, the number has the reason instead.

use std::collections::BTreeMap;

use super::expected::{BranchGroup, Paired, branch_groups, expected_region, tests_at};
use super::llvm_cov;
use crate::coverage::llvm_json::LARGEST as CLAMPED;
use crate::coverage::{Coverage, FunctionCount, Region, RegionKind, Tested};
use crate::model::{Count, Family, Line, Metric, ReportNumber};
use crate::truth::Truth;

/// The counts that a number should have, or why they are unknown.
type Right = Result<Vec<u64>, &'static str>;

const NO_TRUTH: &str = "there is no ground truth";

/// Every function, branch and region of `report` and, if it must be there, every function that the report lacks.
pub fn numbers(report: &Coverage, truth: Option<&Truth>, family: Family) -> Vec<ReportNumber> {
    let mut found = functions(report, truth);
    match family {
        Family::Gcov => found.extend(outcomes(report, truth)),
        Family::LlvmCov => {
            let unclamped = Unclamped::of(report);
            let mut begins: BTreeMap<(Line, u32), usize> = BTreeMap::new();
            report.tested.iter().for_each(|branch| *begins.entry(branch.start).or_default() += 1);
            let is_alone = |branch: &Tested| begins[&branch.start] == 1;
            let tested = |branch| tested(branch, is_alone(branch), truth, &unclamped);
            found.extend(report.tested.iter().flat_map(tested));
            found.extend(regions(report, truth, &unclamped));
        }
    }
    found.sort_by_key(|number| (number.metric, number.line));
    found
}

fn number(metric: Metric, line: Line, what: String, count: Count, right: Right) -> ReportNumber {
    let (expected, reason) = match right {
        Ok(expected) => (expected, None),
        Err(reason) => (Vec::new(), Some(reason.to_string())),
    };
    ReportNumber { metric, line, what, count, expected, reason }
}

fn functions(report: &Coverage, truth: Option<&Truth>) -> Vec<ReportNumber> {
    let all = truth.map_or(&[][..], |truth| &truth.functions);
    let entries = |function: &FunctionCount| {
        let truth = truth?;
        truth.entries(function.line).or_else(|| {
            // llvm-cov lists a function that a macro makes on the line of the macro's definition.
            let name = function.name.rsplit([':', ';']).next();
            let mut same = all.iter().filter(|other| name == Some(&*other.name));
            same.next().filter(|_| same.next().is_none()).and_then(|other| truth.entries(other.lines.0))
        })
    };
    let found: Vec<Option<(usize, u64)>> = report.functions.iter().map(entries).collect();
    let mut listed: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, _) in found.iter().flatten() {
        *listed.entry(*index).or_default() += 1;
    }
    let right = |found: Option<(usize, u64)>| match found {
        _ if truth.is_none() => Err(NO_TRUTH),
        Some((index, _)) if listed[&index] > 1 => Err("the report lists the function several times"),
        Some((_, count)) => Ok(vec![count]),
        None => Err("the function is not instrumented, or several functions are on the line"),
    };
    let shown = report.functions.iter().zip(&found).map(|(function, found)| {
        let (line, count) = (function.line, Some(function.count));
        number(Metric::Function, line, function.name.clone(), count, right(*found))
    });
    // A compiler may drop a function that is never called.
    let missing = all.iter().enumerate().filter_map(|(index, function)| {
        let line = function.lines.0;
        let (found, count) = truth?.entries(line).filter(|(_, count)| *count > 0)?;
        let is_missing = found == index && !listed.contains_key(&index);
        is_missing.then(|| number(Metric::Function, line, function.name.clone(), None, Ok(vec![count])))
    });
    shown.chain(missing).collect()
}

/// gcov's branches. They do not say which outcome of which condition they are, so all of a statement are compared together:
/// one that is not among the outcomes should be one of those that are left.
fn outcomes(report: &Coverage, truth: Option<&Truth>) -> Vec<ReportNumber> {
    let groups = truth.map_or_else(Vec::new, branch_groups);
    let mut group_of: BTreeMap<Line, usize> = BTreeMap::new();
    for (index, group) in groups.iter().enumerate() {
        group_of.extend(group.lines.iter().map(|line| (*line, index)));
    }
    let mut counts: Vec<Vec<u64>> = vec![Vec::new(); groups.len()];
    for branch in &report.branches {
        if let Some(index) = group_of.get(&branch.line) {
            counts[*index].push(branch.taken.unwrap_or(0));
        }
    }
    let paired: Vec<Option<Paired>> =
        groups.iter().zip(&counts).map(|(group, counts)| group.pair(counts)).collect();
    let mut seen = vec![0; groups.len()];
    let mut positions: BTreeMap<Line, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for branch in &report.branches {
        let count = branch.taken.unwrap_or(0);
        let right = match group_of.get(&branch.line) {
            None if truth.is_none() => Err(NO_TRUTH),
            None => Err("no condition of the source is on the line"),
            Some(&index) => {
                let position = seen[index];
                seen[index] += 1;
                match &paired[index] {
                    None => Err(not_paired(&groups[index])),
                    Some(paired) if paired.is_outcome[position] => Ok(vec![count]),
                    Some(Paired { left, .. }) => {
                        let mut left = left.clone();
                        left.dedup();
                        Ok(left)
                    }
                }
            }
        };
        let position = positions.entry(branch.line).or_default();
        found.push(number(Metric::Branch, branch.line, format!("branch {position}"), Some(count), right));
        *position += 1;
    }
    found
}

/// Why the branches of `group` cannot be compared with its outcomes.
fn not_paired(group: &BranchGroup) -> &'static str {
    match group.outcomes {
        None => "a condition of the statement cannot be counted",
        Some(_) => "gcov reports more branches than the statement has outcomes",
    }
}

/// The two outcomes of a branch of llvm-cov.
fn tested(
    branch: &Tested,
    is_alone: bool,
    truth: Option<&Truth>,
    unclamped: &Unclamped,
) -> [ReportNumber; 2] {
    let outcomes = match truth {
        None => Err(NO_TRUTH),
        Some(_) if !is_alone => Err("several branches begin here"),
        Some(truth) => match tests_at(truth, branch.start).as_deref() {
            Some([test]) => Ok(test.iter().copied().unzip::<u64, u64, Vec<u64>, Vec<u64>>()),
            _ => Err("no condition begins here that is counted alone"),
        },
    };
    let what = |outcome| format!("{}, {outcome}", extent(branch.start, branch.end));
    let (yes, no) = unclamped.branch(branch);
    let of =
        |outcome, count, right| number(Metric::Branch, branch.start.0, what(outcome), Some(count), right);
    let (right_yes, right_no) = match outcomes {
        Ok((yes, no)) => (Ok(yes), Ok(no)),
        Err(reason) => (Err(reason), Err(reason)),
    };
    [of("true", yes, right_yes), of("false", no, right_no)]
}

fn regions(report: &Coverage, truth: Option<&Truth>, unclamped: &Unclamped) -> Vec<ReportNumber> {
    let is_listed = |region: &&Region| region.kind != RegionKind::Skipped.number();
    let right = |region: &Region| match truth.map(|truth| expected_region(truth, region)) {
        None => Err(NO_TRUTH),
        Some(Ok(right)) => Ok(Vec::from_iter(right)),
        Some(Err(_)) => Err("no part of the program begins here that is counted"),
    };
    let shown = report.regions.iter().filter(is_listed).map(|region| {
        let what = format!("{}, {}", extent(region.start, region.end), kind_in_words(region.kind));
        number(Metric::Region, region.start.0, what, Some(unclamped.region(region)), right(region))
    });
    shown.collect()
}

/// The text from `start` to before `end`, on the line where it starts, as in `column 9 to 11:24`.
fn extent(start: (Line, u32), end: (Line, u32)) -> String {
    match end {
        (line, u32::MAX) => format!("column {} to the end of line {line}", start.1),
        (line, column) => format!("column {} to {line}:{column}", start.1),
    }
}

/// The kind of a region by LLVM's number.
fn kind_in_words(kind: u32) -> &'static str {
    match kind {
        0 => "code",
        1 => "macro expansion",
        2 => "skipped",
        3 => "gap",
        _ => "branch",
    }
}

/// Counts that llvm-cov cuts to 2^63 - 1 in its JSON, as they are in its data.
struct Unclamped(Option<llvm_cov::LlvmReplay>);

impl Unclamped {
    fn of(report: &Coverage) -> Unclamped {
        let counts = report.regions.iter().map(|region| region.count);
        let is_clamped = counts
            .chain(report.tested.iter().flat_map(|branch| [branch.yes, branch.no]))
            .any(|count| count == CLAMPED);
        let data = report.mapping.as_ref().and_then(|data| data.as_deref().ok()).filter(|_| is_clamped);
        Unclamped(data.map(llvm_cov::replay_data))
    }

    fn region(&self, region: &Region) -> u64 {
        let same = |other: &&Region| {
            let Region { start, end, kind, count } = **other;
            (start, end, kind) == (region.start, region.end, region.kind) && count > CLAMPED
        };
        let found = self.0.as_ref().and_then(|replay| replay.coverage.regions.iter().find(same));
        found.filter(|_| region.count == CLAMPED).map_or(region.count, |found| found.count)
    }

    fn branch(&self, branch: &Tested) -> (u64, u64) {
        let same = |other: &&Tested| (other.start, other.end) == (branch.start, branch.end);
        let Some(found) = self.0.as_ref().and_then(|replay| replay.coverage.tested.iter().find(same)) else {
            return (branch.yes, branch.no);
        };
        let of = |shown: u64, real: u64| if shown == CLAMPED && real > CLAMPED { real } else { shown };
        (of(branch.yes, found.yes), of(branch.no, found.no))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clamped_count_is_shown_as_it_is_in_the_data() {
        let region = |count| Region { start: (1, 2), end: (3, 4), count, kind: 0 };
        let mut replayed = Coverage::default();
        replayed.regions.push(region(u64::MAX - 1));
        let replay = llvm_cov::LlvmReplay {
            coverage: replayed,
            regions: Vec::new(),
            combined: Vec::new(),
            cuts: Vec::new(),
        };
        let unclamped = Unclamped(Some(replay));
        assert_eq!(unclamped.region(&region(CLAMPED)), u64::MAX - 1);
        assert_eq!(unclamped.region(&region(5)), 5);
        assert_eq!(Unclamped(None).region(&region(CLAMPED)), CLAMPED);
    }
}
