//! Boundary values: each condition with equal operands (Mathematical Execution, section 4.4.2). r0 is 1, and
//! each condition multiplies r by its distance to equality.

use super::super::distance::{Distance, compared, distance};
use super::super::run::{Run, Visit, VisitKind};
use super::{Goal, Measures, Target};
use crate::syntax::search::{Comparison, Probes};

/// A boundary for each condition.
#[derive(Debug)]
pub struct Boundary {
    targets: Vec<Target>,
}

impl Boundary {
    /// The boundaries of `probes`.
    pub fn new(probes: &Probes) -> Boundary {
        let target = |condition: &crate::syntax::search::Condition| Target {
            name: format!("boundary of {}", condition.text),
            line: condition.line,
            wanted: true,
        };
        Boundary { targets: probes.conditions.iter().map(target).collect() }
    }
}

/// How far `visit` was from equal operands.
fn to_equality(visit: &Visit) -> Distance {
    // The outcome is that of the program's comparison, which may be no equality; -0 equals 0.
    let equal = compared(visit).is_equal();
    let asked = Visit { outcome: equal.into(), ..*visit };
    distance(Comparison::Equal, &asked, true, &[])
}

impl Goal for Boundary {
    fn targets(&self) -> &[Target] {
        &self.targets
    }

    fn measure(&mut self, run: &Run<'_>, _open: &[bool], into: &mut Measures) {
        for visit in run.visits.iter().filter(|visit| visit.kind() == VisitKind::Condition) {
            into.add(visit.index(), to_equality(visit));
        }
    }

    fn leading(&self, target: usize) -> Vec<usize> {
        vec![target]
    }

    fn initial(&self) -> f64 {
        1.0
    }

    fn pen(&self, r: f64, visit: &Visit, closed: &[bool]) -> f64 {
        if visit.kind() != VisitKind::Condition || closed[visit.index()] {
            return r;
        }
        let value = to_equality(visit).value;
        r * value * value
    }
}
