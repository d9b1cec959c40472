//! `FloPSy`'s evolution strategy: parents are recombined and mutated, and the best of all become the next parents.
//!
//! Sections 2.4 and 3.2 of the paper (see [`super::solver`]), with the operators of its study (section 4.3): global discrete
//! recombination, and one step size for all variables. One of the first parents is the nearest input of any run; the others
//! are random. Of equal individuals, children come first, so that a population drifts over a plateau. As published, there
//! is no restart: a population that has converged continues until its turn ends, and the next turn has a new one.
//!
//! The paper leaves one point open: here, a step size never falls below the smallest step of the AVM, 10^-15 for doubles.
//! Otherwise it shrinks until no step changes anything, because near a minimum the children that hardly move are the
//! best, and the last bits of an exact solution are never found (`reports/flopsy.md`).

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::avm::{finest, moved};
use super::solver::Objective;
use crate::model::Number;

/// The paper's μ.
const PARENTS: usize = 15;
/// The paper's λ.
const CHILDREN: usize = 100;

#[derive(Clone, Debug)]
struct Individual {
    input: Vec<u64>,
    /// The step size of each variable; mutation makes them equal.
    sizes: Vec<f64>,
    fitness: f64,
}

/// Evolve until the target is met or its turn is over.
pub fn evolve(objective: &mut Objective<'_, '_>) {
    let numbers: Vec<Number> = objective.session.problem.numbers().collect();
    let mut parents = Vec::new();
    let mut first = objective.nearest();
    while parents.len() < PARENTS {
        let input = first.take().unwrap_or_else(|| objective.random_input());
        let fitness = objective.fitness(&input);
        parents.push(Individual { input, sizes: vec![1.0; numbers.len()], fitness });
    }
    while !objective.is_over() {
        let mut all = Vec::new();
        for _ in 0..CHILDREN {
            let mut child = recombine(&parents, &mut objective.session.rng);
            mutate(&mut child, &numbers, &mut objective.session.rng);
            child.fitness = objective.fitness(&child.input);
            all.push(child);
            if objective.is_over() {
                return;
            }
        }
        all.append(&mut parents);
        all.sort_by(|one, other| one.fitness.total_cmp(&other.fitness));
        all.truncate(PARENTS);
        parents = all;
    }
}

/// A child that inherits each variable and each step size from one of two parents, which are drawn anew each time.
fn recombine(parents: &[Individual], rng: &mut ChaCha8Rng) -> Individual {
    let two = |rng: &mut ChaCha8Rng| [(); 2].map(|()| rng.random_range(0..parents.len()));
    let mut child = parents[two(rng)[0]].clone();
    let parent = |rng: &mut ChaCha8Rng| {
        let [one, other] = two(rng);
        &parents[if rng.random_bool(0.5) { one } else { other }]
    };
    for at in 0..child.input.len() {
        child.input[at] = parent(rng).input[at];
        child.sizes[at] = parent(rng).sizes[at];
    }
    child
}

/// Change the step size of `child`, and then its variables (equations 1 to 3).
fn mutate(child: &mut Individual, numbers: &[Number], rng: &mut ChaCha8Rng) {
    let least = numbers.iter().map(|number| finest(*number)).fold(1.0, f64::min);
    let size = (child.sizes[0] * (normal(rng) / (numbers.len() as f64).sqrt()).exp()).max(least);
    child.sizes.fill(size);
    for (bits, number) in child.input.iter_mut().zip(numbers) {
        *bits = moved(*number, *bits, size * normal(rng));
    }
}

/// A draw from the standard normal distribution, by the Box–Muller transform.
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let (length, turn): (f64, f64) = (rng.random(), rng.random());
    // 1 − length is never 0.
    (-2.0 * (1.0 - length).ln()).sqrt() * (std::f64::consts::TAU * turn).cos()
}

#[cfg(test)]
mod tests {
    use super::super::solver;
    use super::super::tests::{Trace, searched};
    use super::*;
    use crate::inputs::search::session::Session;
    use crate::syntax::search::Comparison::{Equal, Less};
    use rand::SeedableRng;

    fn es(session: &mut Session<'_>) {
        solver::search(session, evolve);
    }

    fn rosenbrock(x: &[f64], trace: &mut Trace) {
        trace.condition(0, (1.0 - x[0]).powi(2) + 100.0 * (x[1] - x[0] * x[0]).powi(2), 1e-3);
    }

    #[test]
    fn a_valley_is_followed() {
        let found = searched(es, &[Number::Double; 2], &[Less], 100_000, rosenbrock);
        assert!(found.unmet.is_empty(), "{:?}", found.unmet);
    }

    #[test]
    fn variables_of_different_types_are_solved() {
        let found = searched(es, &[Number::Double, Number::Float], &[Less], 30_000, |x, trace| {
            trace.condition(0, x.iter().map(|x| (x - 30.0) * (x - 30.0)).sum(), 1e-2);
        });
        assert!(found.unmet.is_empty(), "{:?}", found.unmet);
    }

    #[test]
    fn integers_are_solved_too() {
        let found = searched(es, &[Number::INT, Number::INT], &[Equal], 30_000, |x, trace| {
            trace.condition(0, (x[0] - 70.0).abs() + (x[1] + 9.0).abs(), 0.0);
        });
        assert!(found.unmet.is_empty(), "{:?}", found.unmet);
    }

    #[test]
    fn normal_deviates_are_normal() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let drawn: Vec<f64> = (0..20_000).map(|_| normal(&mut rng)).collect();
        let mean = drawn.iter().sum::<f64>() / 20_000.0;
        let variance = drawn.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 20_000.0;
        let within = drawn.iter().filter(|x| x.abs() < 1.0).count();
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
        assert!((13_400..13_900).contains(&within), "{within}");
    }
}
