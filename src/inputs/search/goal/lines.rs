//! Every line on which a statement begins. The branches show the way: a line is reached once the branch
//! is that leads to it.

use super::super::distance::Distance;
use super::super::run::{Run, Visit, VisitKind};
use super::{Branches, Goal, Measures, Target};
use crate::syntax::search::Probes;

/// The lines of a function, behind its branches.
#[derive(Debug)]
pub struct Lines {
    branches: Branches,
    targets: Vec<Target>,
    first: usize,
}

impl Lines {
    /// The lines of `probes`.
    pub fn new(probes: &Probes) -> Lines {
        let branches = Branches::new(probes);
        let mut targets: Vec<Target> =
            branches.targets().iter().map(|found| Target { wanted: false, ..found.clone() }).collect();
        let first = targets.len();
        targets.extend(probes.lines.iter().map(|line| Target {
            name: format!("line {line}"),
            line: *line,
            wanted: true,
        }));
        Lines { branches, targets, first }
    }
}

impl Goal for Lines {
    fn targets(&self) -> &[Target] {
        &self.targets
    }

    fn measure(&mut self, run: &Run<'_>, open: &[bool], into: &mut Measures) {
        self.branches.measure(run, open, into);
        for visit in run.visits.iter().filter(|visit| visit.kind() == VisitKind::Line) {
            into.add(self.first + visit.index(), Distance::ZERO);
        }
    }

    fn leading(&self, target: usize) -> Vec<usize> {
        self.branches.leading(target)
    }

    fn initial(&self) -> f64 {
        self.branches.initial()
    }

    fn pen(&self, r: f64, visit: &Visit, closed: &[bool]) -> f64 {
        self.branches.pen(r, visit, closed)
    }
}
