//! Boundary values: each condition with equal operands (Mathematical Execution, section 4.4.2). r0 is 1, and
//! each condition multiplies r by its distance from equality.

use super::super::distance::{Distance, compared, distance};
use super::super::run::{Run, Visit, VisitKind};
use super::target::{Goal, Measures, Target};
use crate::syntax::search::{Comparison, Probes};

/// One target per condition.
#[derive(Debug)]
pub struct Boundary {
    targets: Vec<Target>,
}

impl Boundary {
    pub fn new(probes: &Probes) -> Boundary {
        let conditions = probes.conditions.iter();
        let targets = conditions
            .map(|condition| Target::new(format!("boundary of {}", condition.text), condition.line))
            .collect();
        Boundary { targets }
    }
}

/// The conditions that `visits` evaluated, with their distances from equality.
fn to_equality(visits: &[Visit]) -> impl Iterator<Item = (usize, Distance)> {
    visits.iter().filter(|visit| visit.kind() == VisitKind::Condition).map(|visit| {
        // The reported outcome belongs to the program's own comparison. -0 equals 0.
        let asked = Visit { outcome: compared(visit).is_equal().into(), ..*visit };
        (visit.index(), distance(Comparison::Equal, &asked, true, &[]))
    })
}

impl Goal for Boundary {
    fn targets(&self) -> &[Target] {
        &self.targets
    }

    fn measure(&mut self, run: &Run<'_>, _open: &[bool], into: &mut Measures) {
        to_equality(run.visits).for_each(|(condition, distance)| into.add(condition, distance));
    }

    fn deciding_conditions(&self, target: usize) -> Vec<usize> {
        vec![target]
    }

    fn represent(&self, visits: &[Visit], closed: &[bool]) -> f64 {
        let open = to_equality(visits).filter(|(condition, _)| !closed[*condition]);
        open.fold(1.0, |r, (_, distance)| r * distance.value * distance.value)
    }
}
