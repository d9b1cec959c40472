//! Every line on which a statement begins. The branches guide the search: a line is reached when the branch that leads to
//! it is taken.

use super::super::distance::Distance;
use super::super::run::{Run, Visit, VisitKind};
use super::branches::Branches;
use super::target::{Goal, Measures, Target};
use crate::syntax::search::Probes;

#[derive(Debug)]
pub struct Lines {
    branches: Branches,
    /// The branches, then the lines.
    targets: Vec<Target>,
}

impl Lines {
    pub fn new(probes: &Probes) -> Lines {
        let branches = Branches::new(probes);
        let mut targets = branches.guides();
        targets.extend(probes.lines.iter().map(|line| Target::new(format!("line {line}"), *line)));
        Lines { branches, targets }
    }
}

impl Goal for Lines {
    fn targets(&self) -> &[Target] {
        &self.targets
    }

    fn measure(&mut self, run: &Run<'_>, open: &[bool], into: &mut Measures) {
        self.branches.measure(run, open, into);
        let first = self.branches.targets().len();
        for visit in run.visits.iter().filter(|visit| visit.kind() == VisitKind::Line) {
            into.add(first + visit.index(), Distance::ZERO);
        }
    }

    fn branches(&self) -> usize {
        self.branches.branches()
    }

    fn deciding_conditions(&self, target: usize) -> Vec<usize> {
        self.branches.deciding_conditions(target)
    }

    fn represent(&self, visits: &[Visit], closed: &[bool]) -> f64 {
        self.branches.represent(visits, closed)
    }
}
