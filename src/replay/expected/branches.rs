//! The branches that gcov should report: `output_branch_count` in gcov.cc prints the arcs that leave the blocks of a line.
//!
//! gcov does not say which outcome of which condition an arc is, so the counts of all arcs of a line are compared with the
//! outcomes of all conditions on it. gcc places a branch of a statement on any of its lines, so the lines of a statement
//! are compared together. gcc folds some conditions, so fewer arcs than outcomes must be among them; more arcs than outcomes
//! are branches that are not in the source, and are not compared.

use std::collections::{BTreeMap, BTreeSet};

use super::root;
use crate::model::Line;
use crate::syntax::{PointId, PointKind, StatementKind};
use crate::truth::Truth;

/// Lines whose branches are compared together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchGroup {
    pub lines: BTreeSet<Line>,
    /// The sorted outcomes of all conditions; none if one of them cannot be counted.
    pub outcomes: Option<Vec<u64>>,
}

impl BranchGroup {
    /// Whether a report may show these `counts` of arcs on the lines. None if that is unknown.
    pub fn admits(&self, counts: &[u64]) -> Option<bool> {
        let mut rest = self.outcomes.clone().filter(|outcomes| outcomes.len() >= counts.len())?;
        let mut take = |count: &u64| {
            let at = rest.iter().position(|outcome| outcome == count);
            at.map(|at| rest.swap_remove(at)).is_some()
        };
        Some(counts.iter().all(&mut take))
    }
}

/// The groups of lines with branches, in order.
pub fn branch_groups(truth: &Truth) -> Vec<BranchGroup> {
    let mut lines: BTreeMap<PointId, BTreeSet<Line>> = BTreeMap::new();
    for (line, tokens) in &truth.lines {
        for token in tokens {
            lines.entry(root(truth, token.point)).or_default().insert(*line);
        }
    }
    // Statements that share a line are one group.
    let mut groups: Vec<(BTreeSet<Line>, Vec<PointId>)> = Vec::new();
    let mut group_of: BTreeMap<Line, usize> = BTreeMap::new();
    let mut ordered: Vec<(PointId, BTreeSet<Line>)> = lines.into_iter().collect();
    ordered.sort_by_key(|(_, lines)| lines.first().copied());
    for (root, lines) in ordered {
        let shared: BTreeSet<usize> = lines.iter().filter_map(|line| group_of.get(line).copied()).collect();
        let at = shared.first().copied().unwrap_or_else(|| {
            groups.push(Default::default());
            groups.len() - 1
        });
        for other in shared.into_iter().skip(1) {
            let (moved, roots) = std::mem::take(&mut groups[other]);
            groups[at].0.extend(moved);
            groups[at].1.extend(roots);
        }
        groups[at].0.extend(lines);
        groups[at].1.push(root);
        for line in &groups[at].0 {
            group_of.insert(*line, at);
        }
    }
    let mut parts: BTreeMap<PointId, Vec<PointId>> = BTreeMap::new();
    for id in 0..truth.points.len() {
        parts.entry(root(truth, id)).or_default().push(id);
    }
    let group = |(lines, roots): (BTreeSet<Line>, Vec<PointId>)| {
        let parts = roots.iter().filter_map(|root| parts.get(root)).flatten();
        BranchGroup { lines, outcomes: outcomes(truth, parts.copied()) }
    };
    groups.into_iter().filter(|(lines, _)| !lines.is_empty()).map(group).collect()
}

/// The sorted outcomes of the conditions among `parts`.
fn outcomes(truth: &Truth, parts: impl Iterator<Item = PointId>) -> Option<Vec<u64>> {
    let mut found = Vec::new();
    for id in parts {
        let point = truth.point(id);
        match point.kind {
            PointKind::Condition | PointKind::Operand
                if !point.folded && !point.constant && !is_chain(truth, id) =>
            {
                let (yes, no) = point.outcomes?;
                found.extend([yes, no]);
            }
            PointKind::Statement(StatementKind::Switch) => found.extend(selections(truth, id)?),
            _ => {}
        }
    }
    found.sort_unstable();
    Some(found)
}

/// Whether the condition is `a && b` or `a || b`, whose operands are tested.
fn is_chain(truth: &Truth, id: PointId) -> bool {
    if truth.point(id).kind != PointKind::Condition {
        return false;
    }
    let next = truth.points.get(id + 1);
    next.is_some_and(|next| next.kind == PointKind::Operand && next.within == Some(id))
}

/// How often the `switch` selected each place: labels that follow each other are one, and without `default` the end of the
/// `switch` is one.
fn selections(truth: &Truth, switch: PointId) -> Option<Vec<u64>> {
    let mut found: Vec<u64> = Vec::new();
    let mut before: Option<PointId> = None;
    for (id, label) in truth.points.iter().enumerate().skip(switch + 1) {
        if label.switch != Some(switch) {
            continue;
        }
        let selected = label.count?.checked_sub(label.fallen?)?;
        let follows = before.is_some_and(|before| truth.point(before).last == Some(id));
        match found.last_mut().filter(|_| follows) {
            Some(last) => *last += selected,
            None => found.push(selected),
        }
        before = Some(id);
    }
    let rest = truth.point(switch).count?.checked_sub(found.iter().sum())?;
    // A `default` is selected in every case that has no label.
    if rest > 0 || !has_default(truth, switch) {
        found.push(rest);
    }
    Some(found)
}

fn has_default(truth: &Truth, switch: PointId) -> bool {
    truth.points.iter().any(|point| point.switch == Some(switch) && point.is_default)
}
