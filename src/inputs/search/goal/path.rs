//! A path: the named conditions have the given outcomes, in this order, from their first visits on (Mathematical
//! Execution, section 4.4.1). Other conditions are free. r0 is 0, and each named condition adds its distance from the
//! outcome that is due.

use super::super::distance::{Distance, from_outcome};
use super::super::run::{Run, Visit, VisitKind};
use super::target::{Goal, Measures, Target};
use crate::syntax::search::Probes;

/// The distance of each step that was not reached: more than any distance.
const STEP: u128 = 1 << 70;

#[derive(Debug)]
pub struct Path {
    probes: Probes,
    /// Conditions from 0.
    steps: Vec<(usize, bool)>,
    target: [Target; 1],
}

/// Parse `1T,2F`, with conditions numbered from 1.
pub fn parse(text: &str) -> Result<Vec<(usize, bool)>, String> {
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

/// The inverse of [`parse`].
pub fn format(steps: &[(usize, bool)]) -> String {
    let step = |(number, outcome): &(usize, bool)| format!("{number}{}", if *outcome { 'T' } else { 'F' });
    steps.iter().map(step).collect::<Vec<_>>().join(",")
}

impl Path {
    /// `steps` number the conditions from 1.
    pub fn new(probes: &Probes, steps: &[(usize, bool)]) -> Result<Path, String> {
        let conditions = probes.conditions.len();
        if let Some((number, _)) = steps.iter().find(|(number, _)| *number > conditions) {
            return Err(format!(
                "the path names condition {number}, and the function has {conditions}; --list shows them"
            ));
        }
        let line = steps.first().map_or(0, |(number, _)| probes.conditions[number - 1].line);
        let target = Target::new(format!("path {}", format(steps)), line);
        let steps = steps.iter().map(|(number, outcome)| (number - 1, *outcome)).collect();
        Ok(Path { probes: probes.clone(), steps, target: [target] })
    }

    /// For each step in turn, the distance of the visit at that time; none if it is a visit of another named condition.
    fn distances(&self, visits: &[Visit]) -> impl Iterator<Item = Option<Distance>> {
        let is_named = move |visit: &&Visit| {
            visit.kind() == VisitKind::Condition
                && self.steps.iter().any(|(condition, _)| *condition == visit.index())
        };
        visits.iter().filter(is_named).zip(&self.steps).map(move |(visit, (condition, outcome))| {
            (*condition == visit.index()).then(|| from_outcome(&self.probes, visit, *outcome, &[]))
        })
    }
}

impl Goal for Path {
    fn targets(&self) -> &[Target] {
        &self.target
    }

    fn measure(&mut self, run: &Run<'_>, _open: &[bool], into: &mut Measures) {
        let is_met = |distance: &Option<Distance>| distance.is_some_and(Distance::is_zero);
        let done = self.distances(run.visits).take_while(is_met).count();
        let missed = self.distances(run.visits).nth(done).flatten();
        // A step that was reached counts for its distance, each other one for a whole step.
        let left = (self.steps.len() - done - usize::from(missed.is_some())) as u128;
        let whole = Distance { steps: left * STEP, other: left * STEP, value: left as f64 * 1e18 };
        into.add(0, missed.unwrap_or(Distance::ZERO).and(whole));
    }

    fn deciding_conditions(&self, _target: usize) -> Vec<usize> {
        let mut conditions: Vec<usize> = self.steps.iter().map(|(condition, _)| *condition).collect();
        conditions.sort_unstable();
        conditions.dedup();
        conditions
    }

    fn represent(&self, visits: &[Visit], _closed: &[bool]) -> f64 {
        self.distances(visits).fold(0.0, |r, distance| {
            let value = distance.map_or(1e18, |distance| distance.value);
            r + value * value
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_parsed_and_formatted() {
        assert_eq!(parse("1T,12f").unwrap(), [(1, true), (12, false)]);
        assert_eq!(format(&[(1, true), (12, false)]), "1T,12F");
        for wrong in ["", "T", "0T", "1", "1T,,2F", "1X"] {
            assert!(parse(wrong).unwrap_err().contains("in a path"), "{wrong}");
        }
    }
}
