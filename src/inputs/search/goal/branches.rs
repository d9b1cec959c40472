//! Every branch: both outcomes of each condition, each case of each switch and its default.
//!
//! This is CoverMe's goal (definitions 3.1 and 3.7 of the paper, algorithm 1). r0 is 1. Each condition sets r to 0 if
//! neither of its branches is closed, and to the distance from the open one if one is closed; otherwise r stays. In
//! `a && b`, the distance of a condition includes the distances of the conditions that have to hold before it is
//! evaluated, as its shadows report them.
//!
//! The goal of every line on which a statement begins is the same, with lines as further targets: the branches guide the
//! search, and a line is reached when the branch that leads to it is taken.

use super::super::distance::{Distance, from_outcome};
use super::super::run::{Run, Visit, VisitKind};
use super::target::{Goal, Measures, Target};
use crate::syntax::BooleanExpr;
use crate::syntax::search::Probes;

/// The distances of a condition from false and from true.
type Distances = [Distance; 2];

#[derive(Debug)]
pub struct Branches {
    probes: Probes,
    /// Two per condition, then the cases and the default of each switch, then the lines.
    targets: Vec<Target>,
    /// For each switch, the target of its first case.
    first_case: Vec<usize>,
    first_line: usize,
    /// The last report of each condition's shadow.
    shadows: Vec<Option<Distances>>,
    /// The operands of `|` that were reported since the last condition.
    parts: Vec<u64>,
    /// For each decision, its conditions.
    conditions: Vec<Vec<usize>>,
    /// For each condition, what has to hold for it to be evaluated.
    before: Vec<Vec<(BooleanExpr, bool)>>,
}

/// The target for `outcome` of `condition`.
pub fn branch(condition: usize, outcome: bool) -> usize {
    2 * condition + usize::from(outcome)
}

/// The parts of a decision that are evaluated before `condition`, and the outcomes that they need to have.
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

/// The distance of `tree` from `outcome`, by the distances of its conditions; none if a necessary one is unknown. The
/// distances of parts that have to hold together are added; of alternatives, the nearer one counts.
pub fn joined(tree: &BooleanExpr, outcome: bool, known: &[Option<Distances>]) -> Option<Distance> {
    match tree {
        BooleanExpr::Condition(condition) => known[*condition].map(|both| both[usize::from(outcome)]),
        BooleanExpr::Not(inner) => joined(inner, !outcome, known),
        BooleanExpr::And(left, right) | BooleanExpr::Or(left, right) => {
            let (left, right) = (joined(left, outcome, known), joined(right, outcome, known));
            if matches!(tree, BooleanExpr::And(..)) == outcome {
                Some(left?.and(right?))
            } else {
                left.into_iter().chain(right).reduce(Distance::or)
            }
        }
    }
}

impl Branches {
    pub fn new(probes: &Probes) -> Branches {
        let mut targets = Vec::new();
        for condition in &probes.conditions {
            for outcome in ["false", "true"] {
                targets.push(Target::new(format!("{} is {outcome}", condition.text), condition.line));
            }
        }
        let mut first_case = Vec::new();
        for switch in &probes.switches {
            first_case.push(targets.len());
            let cases = switch.cases.iter();
            targets.extend(cases.map(|case| Target::new(format!("case {}", case.text), case.line)));
            targets.push(Target::new("default".into(), switch.line));
        }
        Branches {
            shadows: vec![None; probes.conditions.len()],
            probes: probes.clone(),
            first_line: targets.len(),
            targets,
            first_case,
            parts: Vec::new(),
            conditions: probes.decisions.iter().map(|decision| decision.tree.conditions()).collect(),
            before: (0..probes.conditions.len()).map(|condition| before(probes, condition)).collect(),
        }
    }

    /// The lines on which statements begin.
    pub fn with_lines(probes: &Probes) -> Branches {
        let mut branches = Branches::new(probes);
        branches.targets = branches.guides();
        let lines = probes.lines.iter().map(|line| Target::new(format!("line {line}"), *line));
        branches.targets.extend(lines);
        branches
    }

    /// The branches as targets that only guide the search.
    pub fn guides(&self) -> Vec<Target> {
        self.targets.iter().map(|target| Target { is_requested: false, ..target.clone() }).collect()
    }

    /// Add the distances from the open branches of `decision`, all of whose shadows have been reported.
    fn measure_shadows(&self, decision: usize, open: &[bool], into: &mut Measures) {
        for &condition in &self.conditions[decision] {
            for outcome in [false, true].into_iter().filter(|outcome| open[branch(condition, *outcome)]) {
                let last = self.shadows[condition].map(|both| both[usize::from(outcome)]);
                let before = self.before[condition].iter();
                let sum = before
                    .map(|(tree, outcome)| joined(tree, *outcome, &self.shadows))
                    .fold(last, |sum, next| Some(sum?.and(next?)));
                // Distance 0 of all conditions does not mean that they were reached.
                if let Some(sum) = sum.filter(|sum| !sum.is_zero()) {
                    into.add(branch(condition, outcome), sum);
                }
            }
        }
    }

    fn has_open_branch(&self, decision: usize, open: &[bool]) -> bool {
        let mut conditions = self.conditions[decision].iter();
        conditions.any(|condition| open[branch(*condition, false)] || open[branch(*condition, true)])
    }

    fn measure_cases(&self, visit: &Visit, bounds: &[(i64, i64)], open: &[bool], into: &mut Measures) {
        let switch = &self.probes.switches[visit.index()];
        let first = self.first_case[visit.index()];
        let value = visit.left.cast_signed();
        let bounds = &bounds[switch.first..switch.first + switch.cases.len()];
        let mut default = Distance::ZERO;
        for (target, (low, high)) in (first..).zip(bounds) {
            let gap = if value < *low { value.abs_diff(*low) } else { high.abs_diff(value.max(*high)) };
            if gap == 0 {
                default = Distance::ONE;
            }
            if gap == 0 || open[target] {
                let bits = if gap == 0 { 0 } else { u128::from((value ^ *low).count_ones()).max(1) };
                into.add(target, Distance { steps: gap.into(), other: bits, value: gap as f64 });
            }
        }
        into.add(first + bounds.len(), default);
    }
}

impl Goal for Branches {
    fn targets(&self) -> &[Target] {
        &self.targets
    }

    fn measure(&mut self, run: &Run<'_>, open: &[bool], into: &mut Measures) {
        self.parts.clear();
        for visit in run.visits {
            let at = visit.index();
            match visit.kind() {
                VisitKind::Part => self.parts.push(visit.left),
                VisitKind::Condition => {
                    let taken = visit.outcome != 0;
                    into.add(branch(at, taken), Distance::ZERO);
                    let other = branch(at, !taken);
                    if open[other] {
                        into.add(other, from_outcome(&self.probes, visit, !taken, &self.parts));
                    }
                    self.parts.clear();
                }
                VisitKind::Shadow => {
                    if self.has_open_branch(self.probes.conditions[at].decision, open) {
                        let distance = |outcome| from_outcome(&self.probes, visit, outcome, &self.parts);
                        self.shadows[at] = Some([false, true].map(distance));
                    }
                }
                VisitKind::ShadowsEnd => {
                    if self.has_open_branch(at, open) {
                        self.measure_shadows(at, open, into);
                        for &condition in &self.conditions[at] {
                            self.shadows[condition] = None;
                        }
                    }
                }
                VisitKind::Switch => self.measure_cases(visit, run.bounds, open, into),
                VisitKind::Line => into.add(self.first_line + at, Distance::ZERO),
            }
        }
        for (condition, outcomes) in run.later.iter().enumerate() {
            for outcome in [false, true].into_iter().filter(|outcome| outcomes >> u8::from(*outcome) & 1 != 0)
            {
                into.add(branch(condition, outcome), Distance::ZERO);
            }
        }
    }

    fn branches(&self) -> usize {
        2 * self.probes.conditions.len()
    }

    fn deciding_conditions(&self, target: usize) -> Vec<usize> {
        let condition = target / 2;
        let Some(before) = self.before.get(condition) else { return Vec::new() };
        before.iter().flat_map(|(tree, _)| tree.conditions()).chain([condition]).collect()
    }

    fn represent(&self, visits: &[Visit], closed: &[bool]) -> f64 {
        visits.iter().filter(|visit| visit.kind() == VisitKind::Condition).fold(1.0, |r, visit| {
            let from = |outcome| {
                let value = from_outcome(&self.probes, visit, outcome, &[]).value;
                // A square that underflows must not look like a target that is met.
                (value * value).max(f64::MIN_POSITIVE)
            };
            match [false, true].map(|outcome| closed[branch(visit.index(), outcome)]) {
                [false, false] => 0.0,
                [true, false] => from(true),
                [false, true] => from(false),
                [true, true] => r,
            }
        })
    }
}
