//! `FloPSy`'s alternating variable method: one variable at a time, a step down and a step up, then doubled steps for as
//! long as they help (sections 2.3 and 3.2 of the paper, see [`super::solver`]).
//!
//! The paper leaves some points open. Here, a global restart sets the precision back to 0, and a local one keeps it. A
//! step that rounds to no change costs no evaluation. Precision ends at 7 and 15 digits even where a smaller step would
//! still have an effect; otherwise it would never end near 0.

use rand::RngExt;

use super::solver::Objective;
use crate::model::Number;

/// Steps of integers are converted to this type.
const LONG: Number = Number::Integer { bits: 64, signed: true };

/// `bits` plus `delta`, which is a double that is converted to the type (section 3.2).
pub fn moved(number: Number, bits: u64, delta: f64) -> u64 {
    if number.is_float() {
        number.nearest(number.value(bits) + delta)
    } else {
        number.at(number.ordinal(bits) + LONG.ordinal(LONG.nearest(delta)))
    }
}

/// Decimal digits beyond which a step has no effect.
fn digits(number: Number) -> i32 {
    match number {
        Number::Integer { .. } => 0,
        Number::Float => 7,
        Number::Double | Number::LongDouble => 15,
    }
}

/// The smallest step that has an effect.
pub fn finest(number: Number) -> f64 {
    10_f64.powi(-digits(number))
}

/// A climb, at its best input.
struct Climb {
    numbers: Vec<Number>,
    precision: Vec<i32>,
    input: Vec<u64>,
    fitness: f64,
}

/// The alternating variable method on one target; local and global restarts alternate.
pub fn climb(objective: &mut Objective<'_, '_>) {
    let numbers: Vec<Number> = objective.session.problem.numbers().collect();
    let input = objective.nearest().unwrap_or_else(|| objective.random_input());
    let fitness = objective.fitness(&input);
    let mut climb = Climb { precision: vec![0; numbers.len()], numbers, input, fitness };
    let mut is_local = true;
    loop {
        climb.climb_to_optimum(objective);
        if objective.is_over() {
            return;
        }
        if is_local {
            climb.perturbation(objective);
        } else {
            climb.precision.fill(0);
            climb.input = objective.random_input();
        }
        is_local = !is_local;
        climb.fitness = objective.fitness(&climb.input);
    }
}

impl Climb {
    /// Climb until no move helps at any precision.
    fn climb_to_optimum(&mut self, objective: &mut Objective<'_, '_>) {
        loop {
            let mut variable = 0;
            while variable < self.input.len() && !objective.is_over() {
                // After a success, start again at the first variable.
                variable = if self.explore(objective, variable) { 0 } else { variable + 1 };
            }
            if objective.is_over() || !self.refine() {
                return;
            }
        }
    }

    /// An exploratory move of `variable`, down and then up, and the pattern moves after it.
    fn explore(&mut self, objective: &mut Objective<'_, '_>, variable: usize) -> bool {
        for direction in [-1.0, 1.0] {
            let mut iteration = 0;
            while !objective.is_over() && self.step(objective, variable, direction * 2_f64.powi(iteration)) {
                iteration += 1;
            }
            if iteration > 0 {
                return true;
            }
        }
        false
    }

    /// Move by `times` · 10^−precision if that is better.
    fn step(&mut self, objective: &mut Objective<'_, '_>, variable: usize, times: f64) -> bool {
        let before = self.input[variable];
        let delta = times * 10_f64.powi(-self.precision[variable]);
        self.input[variable] = moved(self.numbers[variable], before, delta);
        if self.input[variable] != before {
            let fitness = objective.fitness(&self.input);
            if fitness < self.fitness {
                self.fitness = fitness;
                return true;
            }
        }
        self.input[variable] = before;
        false
    }

    /// Add a digit of precision to each variable that can have it. Returns false if none can.
    fn refine(&mut self) -> bool {
        let mut is_finer = false;
        for (precision, number) in self.precision.iter_mut().zip(&self.numbers) {
            if *precision < digits(*number) {
                *precision += 1;
                is_finer = true;
            }
        }
        is_finer
    }

    /// A local restart: add a random part of the smallest step to each variable.
    fn perturbation(&mut self, objective: &mut Objective<'_, '_>) {
        for ((bits, number), precision) in self.input.iter_mut().zip(&self.numbers).zip(&self.precision) {
            let share: f64 = objective.session.rng.random();
            *bits = moved(*number, *bits, 10_f64.powi(-precision) * share);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::solver;
    use super::super::tests::{Trace, searched};
    use super::*;
    use crate::inputs::search::session::Session;
    use crate::syntax::search::Comparison::{Equal, Greater, Less};

    fn avm(session: &mut Session<'_>) {
        solver::search(session, climb);
    }

    #[test]
    fn equations_in_every_type_are_solved() {
        for number in [Number::Float, Number::Double] {
            let found = searched(avm, &[number], &[Equal], 20_000, |x, trace| {
                trace.condition(0, x[0] - 12.5, 0.0);
            });
            assert!(found.unmet.is_empty(), "{number:?} {:?}", found.unmet);
        }
        let found = searched(avm, &[Number::INT, LONG], &[Equal], 20_000, |x, trace| {
            trace.condition(0, x[0] * 3.0 + x[1], 1_234_567.0);
        });
        assert!(found.unmet.is_empty(), "{:?}", found.unmet);
    }

    #[test]
    fn nested_conditions_are_reached_in_turn() {
        let nested = |x: &[f64], trace: &mut Trace| {
            if trace.condition(0, x[0], 41.5)
                && trace.condition(1, x[1] * x[1] + x[0], 42.0)
                && trace.condition(2, (x[0] - x[1]).abs(), 1e6)
            {
                trace.condition(3, x[1], 5.0);
            }
        };
        let found = searched(avm, &[Number::Double; 2], &[Equal, Less, Less, Greater], 400_000, nested);
        // x1 > 5 and x1² < 0.5 contradict each other.
        assert_eq!(found.unmet.keys().copied().collect::<Vec<_>>(), [4, 7]);
        // One turn ends and the next begins.
        assert_eq!(found.evaluations, 400_000);
    }

    #[test]
    fn moves_are_made_in_the_type() {
        assert_eq!(moved(Number::INT, 5, -7.0), (-2_i64).cast_unsigned());
        assert_eq!(moved(LONG, 1 << 60, 1.0), (1 << 60) + 1);
        assert_eq!(moved(LONG, 0, f64::INFINITY), i64::MAX.cast_unsigned());
        assert_eq!(moved(Number::Double, 1.0_f64.to_bits(), 0.25), 1.25_f64.to_bits());
    }
}
