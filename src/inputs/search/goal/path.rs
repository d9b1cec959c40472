//! A path: the conditions that it names take the outcomes that it says, in this order, from
//! their first visits on (Mathematical Execution, section 4.4.1). Conditions that it does not name are free.
//! r0 is 0, and each named condition adds its distance to the outcome that is due.

use std::cell::Cell;

use super::super::distance::{Distance, distance};
use super::super::run::{Run, Visit, VisitKind};
use super::{Goal, Measures, Target};
use crate::syntax::search::Probes;

/// What each step that was not reached adds: more than any distance.
const STEP: u128 = 1 << 70;

/// A path.
#[derive(Debug)]
pub struct Path {
    probes: Probes,
    steps: Vec<(usize, bool)>,
    target: [Target; 1],
    /// The step that is due, while the representing function is worked out.
    due: Cell<usize>,
}

/// Read `1T,2F`: conditions from 1.
pub fn read(text: &str) -> Result<Vec<(usize, bool)>, String> {
    let step = |step: &str| {
        let wrong = || format!("`{step}` in a path; a step is a condition's number and T or F, as in 1T,2F");
        let step = step.trim();
        let outcome = match step.chars().last() {
            Some('T' | 't') => true,
            Some('F' | 'f') => false,
            _ => return Err(wrong()),
        };
        match step[..step.len() - 1].parse() {
            Ok(number) if number > 0 => Ok((number, outcome)),
            _ => Err(wrong()),
        }
    };
    text.split(',').map(step).collect()
}

/// The steps as they are typed.
pub fn spelt(steps: &[(usize, bool)]) -> String {
    let step = |(number, outcome): &(usize, bool)| format!("{number}{}", if *outcome { 'T' } else { 'F' });
    steps.iter().map(step).collect::<Vec<_>>().join(",")
}

impl Path {
    /// The path `steps` in a function with `probes`.
    pub fn new(probes: &Probes, steps: &[(usize, bool)]) -> Result<Path, String> {
        let conditions = probes.conditions.len();
        if let Some((number, _)) = steps.iter().find(|(number, _)| *number > conditions) {
            return Err(format!(
                "the path names condition {number}, and the function has {conditions}; --list shows them"
            ));
        }
        let line = steps.first().map_or(0, |(number, _)| probes.conditions[number - 1].line);
        let target = Target { name: format!("path {}", spelt(steps)), line, wanted: true };
        let steps = steps.iter().map(|(number, outcome)| (number - 1, *outcome)).collect();
        Ok(Path { probes: probes.clone(), steps, target: [target], due: Cell::new(0) })
    }

    fn names(&self, visit: &Visit) -> bool {
        visit.kind() == VisitKind::Condition
            && self.steps.iter().any(|(condition, _)| *condition == visit.index())
    }

    /// How far `visit`, with step `due` due, was from it; none where another condition came first.
    fn step(&self, due: usize, visit: &Visit) -> Option<Distance> {
        let (condition, outcome) = self.steps[due];
        let comparison = self.probes.conditions[condition].comparison;
        (condition == visit.index()).then(|| distance(comparison, visit, outcome, &[]))
    }
}

impl Goal for Path {
    fn targets(&self) -> &[Target] {
        &self.target
    }

    fn measure(&mut self, run: &Run<'_>, _open: &[bool], into: &mut Measures) {
        let (mut due, mut short) = (0, Distance::ZERO);
        for visit in run.visits.iter().filter(|visit| self.names(visit)) {
            if due == self.steps.len() {
                break;
            }
            match self.step(due, visit) {
                Some(distance) if distance.is_zero() => due += 1,
                Some(distance) => {
                    short = distance;
                    break;
                }
                None => break,
            }
        }
        let left = (self.steps.len() - due) as u128;
        if left > 0 {
            // The step at hand counts for its distance, or for a whole step where it never came.
            let rest = if short.is_zero() { left } else { left - 1 };
            let whole = Distance { steps: rest * STEP, other: rest * STEP, value: rest as f64 * 1e18 };
            short = short.and(whole);
        }
        into.add(0, short);
    }

    fn leading(&self, _target: usize) -> Vec<usize> {
        let mut leading: Vec<usize> = self.steps.iter().map(|(condition, _)| *condition).collect();
        leading.sort_unstable();
        leading.dedup();
        leading
    }

    fn initial(&self) -> f64 {
        self.due.set(0);
        0.0
    }

    fn pen(&self, r: f64, visit: &Visit, _closed: &[bool]) -> f64 {
        let due = self.due.get();
        if due >= self.steps.len() || !self.names(visit) {
            return r;
        }
        self.due.set(due + 1);
        let value = self.step(due, visit).map_or(1e18, |distance| distance.value);
        r + value * value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_and_spelt() {
        assert_eq!(read("1T,12f").unwrap(), [(1, true), (12, false)]);
        assert_eq!(spelt(&[(1, true), (12, false)]), "1T,12F");
        for wrong in ["", "T", "0T", "1", "1T,,2F", "1X"] {
            assert!(read(wrong).unwrap_err().contains("in a path"), "{wrong}");
        }
    }
}
