//! The branches that gcov should report: `output_branch_count` in gcov.cc prints the arcs that leave the blocks of a line.
//!
//! gcov does not say which outcome of which condition an arc is, so the counts of all arcs of a line are compared with the
//! outcomes of all conditions on it. gcc places a branch of a statement on any of its lines, so the lines of a statement
//! are compared together. gcc folds some conditions, so fewer arcs than outcomes must be among them.
//!
//! gcc also makes branches of values that are no conditions, which are compared with nothing:
//!
//! - a comparison next to a constant operand (`(a < b) | 5` becomes `a < b ? 5 | 1 : 5`: `fold_binary_op_with_conditional_arg`
//!   in fold-const.cc), as a floating-point number (`fold_unary_loc`), or as an arm (`c ? a < b : 0` becomes
//!   `c && a < b`: `fold_ternary_loc`);
//! - an arm whose value is tested or becomes a `_Bool` (`c_common_truthvalue_conversion` in c-common.cc tests the arms
//!   instead of the whole);
//! - the first operand of `a ?: b`, and an assignment to an `_Atomic` that must be repeated.
//!
//! Such a branch is evaluated as often as the innermost point that contains the value.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::Line;
use crate::syntax::{PointId, PointKind, StatementKind};
use crate::truth::{CountedPoint, Truth};

/// Lines whose branches are compared together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchGroup {
    pub lines: BTreeSet<Line>,
    /// The sorted outcomes of all conditions; none if one of them cannot be counted.
    pub outcomes: Option<Vec<u64>>,
    /// The outcomes of the conditions that every gcc tests, which a report must have.
    needed: Vec<[u64; 2]>,
    /// How many arcs gcc generates for the tests on the lines, if that is known.
    pub arcs: Option<usize>,
    grouping: Grouping,
    /// Whether gcc inlines the function before it counts: each copy has arcs of its own, for those conditions that its
    /// arguments leave open.
    pub is_copied: bool,
    /// Whether the code on the lines has nothing of which gcc makes a branch.
    pub has_no_test: bool,
    /// The conditions that gcc may test and whose outcomes are counted, in the order of the text.
    pub conditions: Vec<PointId>,
    /// The outcomes of each condition.
    tests: Vec<[u64; 2]>,
    /// How often the values were evaluated of which gcc may make branches: between these numbers each.
    values: BTreeSet<(u64, u64)>,
    /// Whether one of these is neither a condition nor a group of conditions.
    has_other_values: bool,
}

/// How the arcs of the lines belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grouping {
    /// In pairs, the outcomes of one test.
    Pairs,
    /// A `switch` has any number of them.
    Switch,
    /// The statements of a statement expression may have any of them.
    Block,
}

/// The meaning of an arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arc {
    /// It has the count of an outcome that no arc before it has.
    Outcome,
    /// It may belong to a branch that is not in the source.
    Additional,
    /// It has the count of no outcome.
    Wrong,
}

/// The arcs of a group of lines, paired with its outcomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paired {
    pub arcs: Vec<Arc>,
    /// The outcomes that no arc has, sorted.
    pub left: Vec<u64>,
}

impl BranchGroup {
    /// Whether a `switch` is on the lines.
    pub fn has_switch(&self) -> bool {
        self.grouping == Grouping::Switch
    }

    fn is_paired(&self) -> bool {
        self.grouping == Grouping::Pairs
    }

    /// Pair the arcs with these `counts` with the outcomes. None if that is not possible: an outcome cannot be counted, or
    /// there are more arcs than outcomes and than values of which gcc may make branches.
    pub fn pair(&self, counts: &[u64]) -> Option<Paired> {
        let mut left = self.outcomes.clone()?;
        let mut arcs = vec![Arc::Wrong; counts.len()];
        let (mut conditions, mut needed) = (self.tests.clone(), self.needed.clone());
        let tests = || counts.chunks_exact(2).enumerate().filter(|_| self.is_paired());
        for (index, test) in tests() {
            let is_same = |condition: &[u64; 2]| {
                condition == test || condition[0] == test[1] && condition[1] == test[0]
            };
            let sum = test[0].saturating_add(test[1]);
            let meaning = if take(&mut conditions, is_same) {
                take(&mut needed, is_same);
                for count in test {
                    take(&mut left, |outcome| outcome == count);
                }
                Arc::Outcome
            } else if self.values.iter().any(|(least, most)| (*least..=*most).contains(&sum)) {
                Arc::Additional
            } else {
                continue;
            };
            arcs[2 * index..][..2].fill(meaning);
        }
        // A test that must be there is one of those that no condition has.
        for test in needed {
            let is_near = |pair: &[u64]| pair.iter().any(|count| test.contains(count));
            let mut others = tests().filter(|(index, _)| arcs[2 * index] == Arc::Additional);
            if let Some((index, _)) = others.clone().find(|(_, pair)| is_near(pair)).or_else(|| others.next())
            {
                arcs[2 * index..][..2].fill(Arc::Wrong);
            }
        }
        let others: Vec<usize> = (0..arcs.len()).filter(|index| arcs[*index] == Arc::Wrong).collect();
        if others.len() > left.len() {
            return self.has_no_test.then_some(Paired { arcs, left });
        }
        for index in others {
            if take(&mut left, |outcome| *outcome == counts[index]) {
                arcs[index] = Arc::Outcome;
            }
        }
        // The arcs of a `switch` do not say which of them belong together, and those of a copy are a part of an outcome.
        let is_unclear = self.is_copied || !self.is_paired() && !self.values.is_empty();
        if is_unclear && arcs.contains(&Arc::Wrong) {
            return None;
        }
        Some(Paired { arcs, left })
    }

    /// The outcomes, one or several that could be meant each, that a report with these `counts` of arcs lacks: `paired` has
    /// all of them as outcomes.
    pub fn missing(&self, counts: &[u64], paired: &Paired) -> Vec<Vec<u64>> {
        if !paired.arcs.iter().all(|arc| *arc == Arc::Outcome) {
            return Vec::new();
        }
        let is_odd = self.is_paired() && !counts.len().is_multiple_of(2);
        let arcs = self.arcs.filter(|_| !self.is_copied);
        let lacking = arcs.unwrap_or(0).max(counts.len() + usize::from(is_odd)) - counts.len();
        if arcs.is_some() && lacking == 0 {
            return Vec::new();
        }
        let mut shown = counts.to_vec();
        let needed = self.needed.iter().flatten();
        let needed = needed.filter(|needed| !take(&mut shown, |count| count == *needed));
        let mut missing: Vec<Vec<u64>> = needed.map(|needed| vec![*needed]).collect();
        let mut left = paired.left.clone();
        left.dedup();
        missing.resize_with(missing.len().max(lacking), || left.clone());
        missing
    }

    /// Whether gcc makes branches of nothing but conditions on the lines, and all of them are counted.
    pub fn has_only_conditions(&self) -> bool {
        !self.has_other_values && self.outcomes.is_some()
    }

    /// Whether gcc may generate a test for each condition.
    pub fn may_have_all_tests(&self) -> bool {
        let outcomes = self.outcomes.as_ref().map_or(0, Vec::len);
        self.arcs.is_none_or(|arcs| arcs >= outcomes)
    }

    /// Whether a report may show these `counts` of arcs on the lines. None if that is unknown.
    pub fn admits(&self, counts: &[u64]) -> Option<bool> {
        let arcs = self.pair(counts)?.arcs;
        let is_known = arcs.contains(&Arc::Wrong) || !arcs.contains(&Arc::Additional);
        is_known.then(|| !arcs.contains(&Arc::Wrong))
    }
}

/// Remove the first of `rest` for which `is_one` holds; whether there is one.
fn take<T>(rest: &mut Vec<T>, is_one: impl Fn(&T) -> bool) -> bool {
    rest.iter().position(is_one).map(|at| rest.remove(at)).is_some()
}

/// The groups of lines with branches, in order.
pub fn branch_groups(truth: &Truth) -> Vec<BranchGroup> {
    let mut lines: BTreeMap<PointId, BTreeSet<Line>> = BTreeMap::new();
    for (line, tokens) in &truth.lines {
        for token in tokens {
            lines.entry(truth.root(token.point)).or_default().insert(*line);
        }
    }
    // The value of a statement expression is tested where its last statement is.
    let values = truth.points.iter().enumerate().filter(|(_, point)| point.within.is_some());
    for (block, value) in values.filter_map(|(id, point)| Some((id, point.last?))) {
        let of_value = lines.get(&truth.root(value)).cloned().unwrap_or_default();
        lines.entry(truth.root(block)).or_default().extend(of_value);
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
        parts.entry(truth.root(id)).or_default().push(id);
    }
    let group = |(lines, roots): (BTreeSet<Line>, Vec<PointId>)| {
        let parts = || roots.iter().filter_map(|root| parts.get(root)).flatten().copied();
        // The branches of a statement expression may be on any line.
        let holds_block = parts().any(|id| truth.point(id).holds_block);
        // gcc may test the operands and arms of a condition in its place.
        let divided: BTreeSet<PointId> = parts().filter_map(|id| truth.point(id).within).collect();
        let is_needed =
            |id: &PointId| !holds_block && !divided.contains(id) && is_tested(truth, truth.point(*id));
        let needed = parts().filter(is_needed).filter_map(|id| truth.point(id).outcomes);
        let needed = needed.map(|(yes, no)| [yes, no]).collect();
        let is_switch = |id| truth.point(id).kind == PointKind::Statement(StatementKind::Switch);
        let grouping = match holds_block {
            _ if parts().any(is_switch) => Grouping::Switch,
            true => Grouping::Block,
            false => Grouping::Pairs,
        };
        let mut conditions: Vec<PointId> = parts()
            .filter(|id| is_condition(truth.point(*id)) && truth.point(*id).outcomes.is_some())
            .collect();
        conditions.sort_unstable();
        let tests = conditions.iter().filter_map(|id| truth.point(*id).outcomes);
        let tests = tests.map(|(yes, no)| [yes, no]).collect();
        // Of a chain in `__builtin_expect` gcc also tests the value of a group, which is evaluated as often as its first operand.
        let has_expect = parts().any(|id| truth.point(id).may_be_chain);
        let is_in_expect = |point: &CountedPoint| has_expect && point.kind == PointKind::Operand;
        let values = parts().map(|id| truth.point(id));
        let values = values.filter(|point| point.has_tested_value || is_in_expect(point));
        // A call may not return before the value is evaluated.
        let evaluations = |point: &CountedPoint| {
            let (count, completed) = (point.count?, point.completions()?);
            Some((count.min(completed), count.max(completed)))
        };
        let values: BTreeSet<(u64, u64)> = values.filter_map(evaluations).collect();
        let outcomes = outcomes(truth, parts());
        let may_branch = |id: PointId| {
            let point = truth.point(id);
            let function = &truth.functions[point.function];
            let is_counted = point.counters.is_some();
            // Not every constant is one for gcc: the size of an array of variable length, or a character of a literal.
            let is_condition = matches!(point.kind, PointKind::Condition | PointKind::Operand);
            let may_be_tested = is_condition && (point.folded || point.constant);
            let is_value = point.has_tested_value || may_be_tested;
            is_value || !is_counted || function.is_inlined || function.has_hidden_tests
        };
        let has_no_test = outcomes.as_ref().is_some_and(Vec::is_empty) && !parts().any(may_branch);
        let arcs =
            truth.generated.as_ref().map(|code| lines.iter().filter_map(|line| code.arcs.get(line)).sum());
        BranchGroup {
            arcs,
            lines,
            outcomes,
            has_no_test,
            needed,
            grouping,
            is_copied: parts().any(|id| truth.functions[truth.point(id).function].is_inlined),
            conditions,
            tests,
            values,
            has_other_values: parts().any(|id| truth.point(id).has_tested_value),
        }
    };
    groups.into_iter().filter(|(lines, _)| !lines.is_empty()).map(group).collect()
}

/// Whether every gcc tests the condition `point`: it decides which code runs next, and was both true and false or can be
/// both, and no constant argument decides it. gcc joins the operands of `&&` and `||` where it can (`fold_truth_andor` in fold-const.cc).
pub(super) fn is_tested(truth: &Truth, point: &CountedPoint) -> bool {
    let was_both = point.outcomes.is_some_and(|(yes, no)| yes > 0 && no > 0);
    let ran = point.count > Some(0);
    let is_inlined = truth.functions[point.function].is_inlined;
    !is_inlined && point.decides && ran && !point.is_chain && !point.is_long && (was_both || point.is_open)
}

/// Whether gcc optimises the function of `point`, and so drops and moves code.
pub(super) fn is_optimised(truth: &Truth, point: &CountedPoint) -> bool {
    truth.functions.get(point.function).is_some_and(|function| function.is_optimised)
}

/// Whether gcc may make a branch of `point`, with its outcomes.
pub(super) fn is_condition(point: &CountedPoint) -> bool {
    matches!(point.kind, PointKind::Condition | PointKind::Operand)
        && !point.folded
        && !point.constant
        && !point.is_settled
        && !point.is_chain
}

/// How often each arc of gcc's `switch` is taken: as [`selections`], but an empty last label and the lack of a label have one
/// target.
fn arcs_of_switch(truth: &Truth, switch: PointId) -> Option<Vec<u64>> {
    let mut found = selections(truth, switch)?;
    let inside: Vec<PointId> =
        std::iter::successors(truth.point(switch).last, |id| truth.point(*id).last).collect();
    let label = inside.iter().rposition(|id| truth.point(*id).kind.is_label());
    let is_empty = |id: &PointId| truth.point(*id).kind == PointKind::Silent;
    let ends_empty = label.is_some_and(|at| inside[at + 1..].iter().all(is_empty));
    if ends_empty && !has_default(truth, switch) && found.len() > 1 {
        let rest = found.pop()?;
        *found.last_mut()? += rest;
    }
    Some(found)
}

/// The sorted outcomes of the conditions among `parts`.
fn outcomes(truth: &Truth, parts: impl Iterator<Item = PointId>) -> Option<Vec<u64>> {
    let mut found = Vec::new();
    for id in parts {
        let point = truth.point(id);
        // A test in the size of an array may be evaluated.
        let is_uncounted = point.kind == PointKind::Arm && point.count.is_none() && !point.is_alternative;
        match point.kind {
            _ if point.is_open_jump || point.has_generic || is_uncounted => return None,
            _ if is_optimised(truth, point) => return None,
            _ if is_condition(point) => {
                let (yes, no) = point.outcomes?;
                found.extend([yes, no]);
            }
            PointKind::Statement(StatementKind::Switch) => found.extend(arcs_of_switch(truth, id)?),
            _ => {}
        }
    }
    found.sort_unstable();
    Some(found)
}

/// How often the `switch` selected each place: labels that follow each other are one, and without `default` the end of the
/// `switch` is one.
pub(super) fn selections(truth: &Truth, switch: PointId) -> Option<Vec<u64>> {
    // A jump may leave its value before it selects anything.
    if truth.point(switch).is_open_jump || truth.point(switch).holds_block {
        return None;
    }
    let mut found: Vec<u64> = Vec::new();
    let mut before: Option<PointId> = None;
    for (id, label) in truth.points.iter().enumerate().skip(switch + 1) {
        if label.switch != Some(switch) {
            continue;
        }
        let selected = label.count?.checked_sub(label.fallen?)?;
        // An empty statement between them has no code, nor have a block that begins there and `do`. A label of another kind ends a
        // block of gcc (`stmt_starts_bb_p` in tree-cfg.cc, PR 90574).
        let is_empty = |point: &CountedPoint| {
            matches!(
                point.kind,
                PointKind::Silent | PointKind::Block | PointKind::Statement(StatementKind::Do)
            )
        };
        let follows = before.is_some_and(|before| {
            let is_next = truth.point(before).last == Some(id);
            is_next || truth.points[before + 1..id].iter().all(is_empty)
        });
        match found.last_mut().filter(|_| follows) {
            Some(last) => *last += selected,
            None => found.push(selected),
        }
        before = Some(id);
    }
    match truth.point(switch).completions()?.checked_sub(found.iter().sum())? {
        0 if has_default(truth, switch) => {}
        rest => found.push(rest),
    }
    Some(found)
}

pub(super) fn has_default(truth: &Truth, switch: PointId) -> bool {
    truth.points.iter().any(|point| point.switch == Some(switch) && point.is_default)
}
