//! Satisfiability: the function returns a value other than 0 (Mathematical Execution, section 4.4.3). If it returns a
//! condition or a chain of conditions, their distances guide the search; otherwise the branches do. r0 is 0, and each
//! condition that is returned adds its distance from being true.

use super::super::distance::{Distance, from_outcome};
use super::super::problem::Problem;
use super::super::run::{Run, Visit};
use super::branches::{Branches, joined};
use super::target::{Goal, Measures, Target};
use crate::model::Number;
use crate::syntax::search::{Decision, Probes};

#[derive(Debug)]
pub struct Satisfied {
    probes: Probes,
    branches: Branches,
    /// The branches, then the result.
    targets: Vec<Target>,
    returns: Option<Number>,
}

impl Satisfied {
    pub fn new(problem: &Problem) -> Satisfied {
        let probes = problem.probes.clone();
        let branches = Branches::new(&probes);
        let mut targets = branches.guides();
        let line = probes.conditions.first().map_or(0, |condition| condition.line);
        targets.push(Target::new("the result is not 0".into(), line));
        Satisfied { probes, branches, targets, returns: problem.returns }
    }

    fn returned(&self) -> impl Iterator<Item = &Decision> {
        self.probes.decisions.iter().filter(|decision| decision.is_returned)
    }
}

impl Goal for Satisfied {
    fn targets(&self) -> &[Target] {
        &self.targets
    }

    fn measure(&mut self, run: &Run<'_>, open: &[bool], into: &mut Measures) {
        self.branches.measure(run, open, into);
        let last = self.targets.len() - 1;
        // The bits of -0.0 are not 0, but its value is.
        let is_nonzero = self.returns.is_some_and(|number| number.value(run.result) != 0.0);
        if run.end.is_clean() && is_nonzero {
            into.add(last, Distance::ZERO);
            return;
        }
        let mut distances = vec![None; self.probes.conditions.len()];
        for visit in run.visits.iter().filter(|visit| visit.is_of_condition()) {
            distances[visit.index()] =
                Some([false, true].map(|outcome| from_outcome(&self.probes, visit, outcome, &[])));
        }
        let all = self.returned().filter_map(|decision| joined(&decision.tree, true, &distances));
        all.filter(|distance| !distance.is_zero()).for_each(|distance| into.add(last, distance));
    }

    fn branches(&self) -> usize {
        self.branches.branches()
    }

    fn deciding_conditions(&self, target: usize) -> Vec<usize> {
        if target + 1 < self.targets.len() {
            return self.branches.deciding_conditions(target);
        }
        self.returned().flat_map(|decision| decision.tree.conditions()).collect()
    }

    fn represent(&self, visits: &[Visit], _closed: &[bool]) -> f64 {
        let is_returned = |visit: &&Visit| {
            visit.is_of_condition()
                && self.probes.decisions[self.probes.conditions[visit.index()].decision].is_returned
        };
        visits.iter().filter(is_returned).fold(0.0, |r, visit| {
            let value = from_outcome(&self.probes, visit, true, &[]).value;
            r + value * value
        })
    }
}
