//! gcov's branches. They do not say which outcome of which condition they are, so all of a statement are compared together:
//! one that is not among the outcomes should be one of those that are left.

use std::collections::BTreeMap;

use super::checked::{CheckedNumber, NO_TRUTH, What};
use crate::coverage::Coverage;
use crate::model::{Line, Metric};
use crate::replay::expected::{Arc, BranchGroup, Paired, branch_groups};
use crate::truth::Truth;

pub(super) fn branches(report: &Coverage, truth: Option<&Truth>) -> Vec<CheckedNumber> {
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
                    Some(Paired { arcs, left }) => match arcs[position] {
                        Arc::Outcome => Ok(vec![count]),
                        Arc::Additional => {
                            Err("gcc may have made the branch of a value that is no condition")
                        }
                        Arc::Wrong => {
                            let mut left = left.clone();
                            left.dedup();
                            Ok(left)
                        }
                    },
                }
            }
        };
        let position = positions.entry(branch.line).or_default();
        let (line, what, count) = (branch.line, What::Branch(*position), Some(count));
        found.push(CheckedNumber { metric: Metric::Branch, line, what, count, right });
        *position += 1;
    }
    // The profile of several processes or threads may lack counts, also those of a branch.
    if truth.is_some_and(|truth| truth.partial.is_some() || truth.may_race) {
        return found;
    }
    let suppressed = report.suppressed_lines();
    let is_listed = |group: &BranchGroup| group.lines.is_disjoint(&suppressed);
    let all = groups.iter().zip(&counts).zip(&paired);
    for ((group, counts), paired) in all.filter(|((group, _), _)| is_listed(group)) {
        let missing = paired.as_ref().map_or_else(Vec::new, |paired| group.missing(counts, paired));
        let line = group.lines.first().copied().unwrap_or_default();
        found.extend(missing.into_iter().enumerate().map(|(index, right)| {
            let what = What::Branch(counts.len() + index);
            CheckedNumber { metric: Metric::Branch, line, what, count: None, right: Ok(right) }
        }));
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
