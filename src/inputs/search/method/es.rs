//! `FloPSy`'s evolution strategy: parents are recombined and mutated, and the best of all are the next parents.
//!
//! Lakhotia, Tillmann, Harman and de Halleux, "`FloPSy`" (2010), sections 2.4 and 3.2, with all its operators;
//! the search uses those of its study (section 4.3). Targets take turns as in [`super::avm`]; one of the first
//! parents is the nearest input that came by, the others are random. Among equals the children go first, so that
//! a population drifts over a plateau. As published there is no restart: a population that has converged
//! works on until its turn ends, and the next turn has a new one.
//!
//! Left open by the paper and chosen here: a step size does not fall below the finest step of the AVM, 10^-15 for
//! doubles. Without an end it goes on to where no step changes anything, since near a minimum the children that
//! hardly move are the best, and then the last bits of an exact solution are never found (`reports/flopsy.md`).

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::super::session::Session;
use super::avm::{self, Aim};
use crate::model::Number;

/// How two parents, or two for each part, become a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(test), expect(dead_code, reason = "the study used one; the paper's others are for comparing"))]
pub enum Recombination {
    /// Each part from either of two parents.
    Discrete,
    /// The same, with two new parents for each part.
    GlobalDiscrete,
    /// The mean of two parents.
    Intermediate,
    /// The mean of two new parents for each part.
    GlobalIntermediate,
}

/// How a child changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(test), expect(dead_code, reason = "the study used one; the paper's others are for comparing"))]
pub enum Mutation {
    /// One step size for all variables (equations 1 to 3).
    Single,
    /// A step size for each variable (equations 4 to 7).
    Multi,
}

/// A strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// μ
    pub parents: usize,
    /// λ
    pub children: usize,
    /// How children are made.
    pub recombination: Recombination,
    /// How they change.
    pub mutation: Mutation,
}

/// That of the paper's study.
const PUBLISHED: Strategy = Strategy {
    parents: 15,
    children: 100,
    recombination: Recombination::GlobalDiscrete,
    mutation: Mutation::Single,
};

/// Search until nothing is left to do.
pub fn search(session: &mut Session<'_>) {
    avm::in_turn(session, |aim| PUBLISHED.evolve(aim));
}

/// A model with its step sizes.
#[derive(Clone, Debug)]
struct Individual {
    input: Vec<u64>,
    sizes: Vec<f64>,
    fitness: f64,
}

impl Strategy {
    /// Evolve until the target is met or its turn is over.
    fn evolve(self, aim: &mut Aim<'_, '_>) {
        let numbers = aim.numbers();
        let mut parents = Vec::new();
        let mut first = aim.nearest();
        while parents.len() < self.parents {
            let input = first.take().unwrap_or_else(|| aim.drawn());
            let fitness = aim.fitness(&input);
            parents.push(Individual { input, sizes: vec![1.0; numbers.len()], fitness });
        }
        while !aim.is_over() {
            let mut all = Vec::new();
            for _ in 0..self.children {
                let mut child = self.recombine(&parents, &numbers, &mut aim.session.rng);
                self.mutate(&mut child, &numbers, &mut aim.session.rng);
                child.fitness = aim.fitness(&child.input);
                all.push(child);
                if aim.is_over() {
                    return;
                }
            }
            all.append(&mut parents);
            all.sort_by(|one, other| one.fitness.total_cmp(&other.fitness));
            all.truncate(self.parents);
            parents = all;
        }
    }

    /// A child of `parents`. Variables and step sizes are inherited each by itself.
    fn recombine(self, parents: &[Individual], numbers: &[Number], rng: &mut ChaCha8Rng) -> Individual {
        use Recombination::{GlobalDiscrete, GlobalIntermediate, Intermediate};
        let is_global = matches!(self.recombination, GlobalDiscrete | GlobalIntermediate);
        let is_mean = matches!(self.recombination, Intermediate | GlobalIntermediate);
        let two = [rng.random_range(0..parents.len()), rng.random_range(0..parents.len())];
        let pair = |rng: &mut ChaCha8Rng| {
            let [one, other] = if is_global { two.map(|_| rng.random_range(0..parents.len())) } else { two };
            let (one, other) = (&parents[one], &parents[other]);
            if is_mean || rng.random_bool(0.5) { (one, other) } else { (other, one) }
        };
        let mut child = parents[two[0]].clone();
        for (at, number) in numbers.iter().enumerate() {
            let (one, other) = pair(rng);
            child.input[at] =
                if is_mean { mean(*number, one.input[at], other.input[at]) } else { one.input[at] };
            let (one, other) = pair(rng);
            child.sizes[at] = if is_mean { 0.5 * (one.sizes[at] + other.sizes[at]) } else { one.sizes[at] };
        }
        child
    }

    /// Change the step sizes of `child`, and then its variables.
    fn mutate(self, child: &mut Individual, numbers: &[Number], rng: &mut ChaCha8Rng) {
        let count = numbers.len() as f64;
        match self.mutation {
            Mutation::Single => {
                let least = numbers.iter().map(|number| avm::finest(*number)).fold(1.0, f64::min);
                let size = (child.sizes[0] * (normal(rng) / count.sqrt()).exp()).max(least);
                child.sizes.fill(size);
            }
            Mutation::Multi => {
                let (whole, each) = (1.0 / (2.0 * count).sqrt(), 1.0 / (2.0 * count.sqrt()).sqrt());
                let common = whole * normal(rng);
                for (size, number) in child.sizes.iter_mut().zip(numbers) {
                    *size = (*size * (common + each * normal(rng)).exp()).max(avm::finest(*number));
                }
            }
        }
        for ((bits, number), size) in child.input.iter_mut().zip(numbers).zip(&child.sizes) {
            *bits = avm::moved(*number, *bits, size * normal(rng));
        }
    }
}

/// The mean of two values of a type.
fn mean(number: Number, one: u64, other: u64) -> u64 {
    if number.is_float() {
        // Halved before the sum, which could overflow.
        number.nearest(0.5 * number.value(one) + 0.5 * number.value(other))
    } else {
        number.at(number.ordinal(one).midpoint(number.ordinal(other)))
    }
}

/// A draw from the standard normal distribution: Box and Muller's transformation.
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let (length, turn): (f64, f64) = (rng.random(), rng.random());
    // 1 − length is never 0.
    (-2.0 * (1.0 - length).ln()).sqrt() * (std::f64::consts::TAU * turn).cos()
}

#[cfg(test)]
mod tests {
    use super::super::random::trial::{Trace, searched};
    use super::*;
    use crate::syntax::search::Comparison::{Equal, Less};
    use rand::SeedableRng;

    fn rosenbrock(x: &[f64], trace: &mut Trace) {
        trace.says(0, (1.0 - x[0]).powi(2) + 100.0 * (x[1] - x[0] * x[0]).powi(2), 1e-3);
    }

    #[test]
    fn a_valley_is_followed() {
        let found = searched(search, &[Number::Double; 2], &[Less], 100_000, rosenbrock);
        assert!(found.unmet.is_empty(), "{:?}", found.unmet);
    }

    #[test]
    fn every_operator_descends() {
        use Recombination::{Discrete, GlobalDiscrete, GlobalIntermediate, Intermediate};
        const fn strategy(recombination: Recombination, mutation: Mutation) -> Strategy {
            Strategy { recombination, mutation, ..PUBLISHED }
        }
        const S: Mutation = Mutation::Single;
        const M: Mutation = Mutation::Multi;
        let solvers: [fn(&mut Aim<'_, '_>); 7] = [
            |aim| strategy(Discrete, S).evolve(aim),
            |aim| strategy(Intermediate, S).evolve(aim),
            |aim| strategy(GlobalIntermediate, S).evolve(aim),
            |aim| strategy(Discrete, M).evolve(aim),
            |aim| strategy(GlobalDiscrete, M).evolve(aim),
            |aim| strategy(Intermediate, M).evolve(aim),
            |aim| strategy(GlobalIntermediate, M).evolve(aim),
        ];
        for (at, solver) in solvers.into_iter().enumerate() {
            let sphere = |x: &[f64], trace: &mut Trace| {
                trace.says(0, x.iter().map(|x| (x - 30.0) * (x - 30.0)).sum(), 1e-2);
            };
            let search = |session: &mut Session<'_>| avm::in_turn(session, solver);
            let found = searched(search, &[Number::Double, Number::Float], &[Less], 30_000, sphere);
            assert!(found.unmet.is_empty(), "{at} {:?}", found.unmet);
        }
    }

    #[test]
    fn integers_are_solved_too() {
        let found = searched(search, &[Number::INT, Number::INT], &[Equal], 30_000, |x, trace| {
            trace.says(0, (x[0] - 70.0).abs() + (x[1] + 9.0).abs(), 0.0);
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

    #[test]
    fn means_lie_between() {
        let double = |value: f64| value.to_bits();
        assert_eq!(mean(Number::Double, double(1e308), double(1.5e308)), double(1.25e308));
        assert_eq!(mean(Number::INT, 4, (-10_i64).cast_unsigned()), (-3_i64).cast_unsigned());
    }
}
