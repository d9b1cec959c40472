//! Every branch: both outcomes of each condition, each case of each switch and its default.
//!
//! CoverMe's goal (definitions 3.1 and 3.7 of the paper, algorithm 1): r0 is 1, and each condition sets r to 0
//! where neither of its branches is closed, to the distance to the open one where one is, and
//! leaves it where both are. What a condition of a chain would say out of turn adds to the distance of
//! those behind it: `a && b` asks for both.

use super::super::distance::{Distance, distance};
use super::super::run::{Run, Visit, VisitKind};
use super::{Goal, Measures, Target};
use crate::syntax::BooleanExpr;
use crate::syntax::search::Probes;

/// The branches of a function.
#[derive(Debug)]
pub struct Branches {
    probes: Probes,
    targets: Vec<Target>,
    /// For each switch the target of its first case; its default follows the last.
    first_case: Vec<usize>,
    /// What each condition's shadow said last, from each outcome.
    shadows: Vec<Option<[Distance; 2]>>,
    parts: Vec<u64>,
    /// The conditions of each decision.
    leaves: Vec<Vec<usize>>,
    /// What has to hold for each condition to be reached in its decision.
    before: Vec<Vec<(BooleanExpr, bool)>>,
}

/// The target that is `outcome` of `condition`.
pub fn branch(condition: usize, outcome: bool) -> usize {
    2 * condition + usize::from(outcome)
}

/// The outcomes that bring a run from the beginning of its decision to `condition`: each a part of the decision's
/// tree and what it has to be. Empty for a condition that stands alone.
fn before(probes: &Probes, condition: usize) -> Vec<(BooleanExpr, bool)> {
    let mut needed = Vec::new();
    let mut tree = &probes.decisions[probes.conditions[condition].decision].tree;
    loop {
        match tree {
            BooleanExpr::Condition(_) => return needed,
            BooleanExpr::Not(inner) => tree = inner,
            BooleanExpr::And(left, right) | BooleanExpr::Or(left, right) => {
                if left.conditions().contains(&condition) {
                    tree = left;
                } else {
                    needed.push(((**left).clone(), matches!(tree, BooleanExpr::And(..))));
                    tree = right;
                }
            }
        }
    }
}

/// How far `tree` was from `outcome`, by the distances that `said` has of its conditions, from false and from true; none
/// where that takes one that said nothing. What has to hold together adds up, of what will do either way the nearer counts.
pub fn joined(tree: &BooleanExpr, outcome: bool, said: &[Option<[Distance; 2]>]) -> Option<Distance> {
    match tree {
        BooleanExpr::Condition(condition) => said[*condition].map(|both| both[usize::from(outcome)]),
        BooleanExpr::Not(inner) => joined(inner, !outcome, said),
        BooleanExpr::And(left, right) | BooleanExpr::Or(left, right) => {
            let (left, right) = (joined(left, outcome, said), joined(right, outcome, said));
            if matches!(tree, BooleanExpr::And(..)) == outcome {
                Some(left?.and(right?))
            } else {
                left.into_iter().chain(right).reduce(Distance::or)
            }
        }
    }
}

impl Branches {
    /// The branches of `probes`.
    pub fn new(probes: &Probes) -> Branches {
        let mut targets = Vec::new();
        for condition in &probes.conditions {
            for outcome in ["false", "true"] {
                targets.push(target(format!("{} is {outcome}", condition.text), condition.line));
            }
        }
        let mut first_case = Vec::new();
        for switch in &probes.switches {
            first_case.push(targets.len());
            targets.extend(switch.cases.iter().map(|case| target(format!("case {}", case.text), case.line)));
            targets.push(target("default".into(), switch.line));
        }
        Branches {
            shadows: vec![None; probes.conditions.len()],
            probes: probes.clone(),
            targets,
            first_case,
            parts: Vec::new(),
            leaves: probes.decisions.iter().map(|decision| decision.tree.conditions()).collect(),
            before: (0..probes.conditions.len()).map(|condition| before(probes, condition)).collect(),
        }
    }

    /// Both distances of a visit of a condition.
    fn both(&self, visit: &Visit) -> [Distance; 2] {
        let comparison = self.probes.conditions[visit.index()].comparison;
        [false, true].map(|outcome| distance(comparison, visit, outcome, &self.parts))
    }

    /// All of a decision's shadows are known: how far were its conditions' branches?
    fn decide(&self, decision: usize, open: &[bool], into: &mut Measures) {
        for &condition in &self.leaves[decision] {
            for outcome in [false, true].into_iter().filter(|outcome| open[branch(condition, *outcome)]) {
                let last = self.shadows[condition].map(|both| both[usize::from(outcome)]);
                let all = self.before[condition]
                    .iter()
                    .map(|(tree, outcome)| joined(tree, *outcome, &self.shadows));
                let sum = all.fold(last, |sum, next| Some(sum?.and(next?)));
                // That all hold is not yet that they were reached.
                if let Some(sum) = sum.filter(|sum| !sum.is_zero()) {
                    into.add(branch(condition, outcome), sum);
                }
            }
        }
    }

    /// Whether a branch of `decision` is open.
    fn matters(&self, decision: usize, open: &[bool]) -> bool {
        self.leaves[decision].iter().any(|leaf| open[branch(*leaf, false)] || open[branch(*leaf, true)])
    }

    fn cases(&self, visit: &Visit, bounds: &[(i64, i64)], open: &[bool], into: &mut Measures) {
        let switch = &self.probes.switches[visit.index()];
        let first = self.first_case[visit.index()];
        let value = visit.left.cast_signed();
        let bounds = &bounds[switch.first..switch.first + switch.cases.len()];
        let default = first + bounds.len();
        let mut is_default = true;
        for (at, (low, high)) in bounds.iter().enumerate() {
            let gap = if value < *low { value.abs_diff(*low) } else { high.abs_diff(value.max(*high)) };
            is_default &= gap > 0;
            if gap == 0 || open[first + at] {
                let bits = if gap == 0 { 0 } else { u128::from((value ^ *low).count_ones()).max(1) };
                into.add(first + at, Distance { steps: gap.into(), other: bits, value: gap as f64 });
            }
        }
        let left = if is_default { Distance::ZERO } else { Distance { steps: 1, other: 1, value: 1.0 } };
        into.add(default, left);
    }
}

fn target(name: String, line: u32) -> Target {
    Target { name, line, wanted: true }
}

impl Goal for Branches {
    fn targets(&self) -> &[Target] {
        &self.targets
    }

    fn measure(&mut self, run: &Run<'_>, open: &[bool], into: &mut Measures) {
        self.parts.clear();
        for visit in run.visits {
            match visit.kind() {
                VisitKind::Part => self.parts.push(visit.left),
                VisitKind::Condition => {
                    let taken = visit.outcome != 0;
                    into.add(branch(visit.index(), taken), Distance::ZERO);
                    let other = branch(visit.index(), !taken);
                    if open[other] {
                        let comparison = self.probes.conditions[visit.index()].comparison;
                        into.add(other, distance(comparison, visit, !taken, &self.parts));
                    }
                    self.parts.clear();
                }
                VisitKind::Shadow => {
                    if self.matters(self.probes.conditions[visit.index()].decision, open) {
                        self.shadows[visit.index()] = Some(self.both(visit));
                    }
                }
                VisitKind::Shadowed => {
                    if self.matters(visit.index(), open) {
                        self.decide(visit.index(), open, into);
                        for &condition in &self.leaves[visit.index()] {
                            self.shadows[condition] = None;
                        }
                    }
                }
                VisitKind::Switch => self.cases(visit, run.bounds, open, into),
                VisitKind::Line => {}
            }
        }
        for (condition, outcomes) in run.later.iter().enumerate().filter(|(_, outcomes)| **outcomes != 0) {
            for outcome in
                [false, true].into_iter().filter(|outcome| outcomes & (1 << u8::from(*outcome)) != 0)
            {
                into.add(branch(condition, outcome), Distance::ZERO);
            }
        }
    }

    fn leading(&self, target: usize) -> Vec<usize> {
        let condition = target / 2;
        if condition >= self.probes.conditions.len() {
            return Vec::new();
        }
        let before = &self.before[condition];
        let mut leading: Vec<usize> = before.iter().flat_map(|(tree, _)| tree.conditions()).collect();
        leading.push(condition);
        leading
    }

    fn initial(&self) -> f64 {
        1.0
    }

    fn pen(&self, r: f64, visit: &Visit, closed: &[bool]) -> f64 {
        if visit.kind() != VisitKind::Condition {
            return r;
        }
        let comparison = self.probes.conditions[visit.index()].comparison;
        let far = |outcome| {
            let value = distance(comparison, visit, outcome, &[]).value;
            // What is not met is not there, however near.
            (value * value).max(f64::MIN_POSITIVE)
        };
        match [false, true].map(|outcome| closed[branch(visit.index(), outcome)]) {
            [false, false] => 0.0,
            [true, false] => far(true),
            [false, true] => far(false),
            [true, true] => r,
        }
    }
}
