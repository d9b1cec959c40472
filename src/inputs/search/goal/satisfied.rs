//! Satisfiability: the function returns something that is not 0 (Mathematical Execution, section 4.4.3). What it
//! returns shows the way where it is a condition or a chain of them, and the branches do elsewhere. r0 is 0; the conditions
//! of what is returned add their distances to being true.

use super::super::distance::{Distance, distance};
use super::super::problem::Problem;
use super::super::run::{Run, Visit, VisitKind};
use super::branches::joined;
use super::{Branches, Goal, Measures, Target};
use crate::model::Number;
use crate::syntax::search::Probes;

/// One target: something that is not 0.
#[derive(Debug)]
pub struct Satisfied {
    probes: Probes,
    branches: Branches,
    targets: Vec<Target>,
    returns: Option<Number>,
    said: Vec<Option<[Distance; 2]>>,
}

impl Satisfied {
    /// For a function with `probes`.
    pub fn new(problem: &Problem) -> Satisfied {
        let probes = &problem.probes;
        let branches = Branches::new(probes);
        let mut targets: Vec<Target> =
            branches.targets().iter().map(|found| Target { wanted: false, ..found.clone() }).collect();
        let line = probes.conditions.first().map_or(0, |condition| condition.line);
        targets.push(Target { name: "the result is not 0".into(), line, wanted: true });
        Satisfied {
            said: vec![None; probes.conditions.len()],
            probes: probes.clone(),
            returns: problem.returns,
            branches,
            targets,
        }
    }
}

impl Goal for Satisfied {
    fn targets(&self) -> &[Target] {
        &self.targets
    }

    fn measure(&mut self, run: &Run<'_>, open: &[bool], into: &mut Measures) {
        self.branches.measure(run, open, into);
        let last = self.targets.len() - 1;
        // -0.0 has bits and is nothing.
        let is_something = self.returns.is_some_and(|number| number.value(run.result) != 0.0);
        if run.ended.is_clean() && is_something {
            into.add(last, Distance::ZERO);
            return;
        }
        self.said.fill(None);
        for visit in
            run.visits.iter().filter(|visit| matches!(visit.kind(), VisitKind::Condition | VisitKind::Shadow))
        {
            let comparison = self.probes.conditions[visit.index()].comparison;
            self.said[visit.index()] =
                Some([false, true].map(|outcome| distance(comparison, visit, outcome, &[])));
        }
        for decision in self.probes.decisions.iter().filter(|decision| decision.returned) {
            if let Some(distance) =
                joined(&decision.tree, true, &self.said).filter(|distance| !distance.is_zero())
            {
                into.add(last, distance);
            }
        }
    }

    fn leading(&self, target: usize) -> Vec<usize> {
        if target + 1 < self.targets.len() {
            return self.branches.leading(target);
        }
        let returned = self.probes.decisions.iter().filter(|decision| decision.returned);
        returned.flat_map(|decision| decision.tree.conditions()).collect()
    }

    fn initial(&self) -> f64 {
        0.0
    }

    fn pen(&self, r: f64, visit: &Visit, _closed: &[bool]) -> f64 {
        let wanted =
            |condition: usize| self.probes.decisions[self.probes.conditions[condition].decision].returned;
        let is_said =
            matches!(visit.kind(), VisitKind::Condition | VisitKind::Shadow) && wanted(visit.index());
        if !is_said {
            return r;
        }
        let value = distance(self.probes.conditions[visit.index()].comparison, visit, true, &[]).value;
        r + value * value
    }
}
