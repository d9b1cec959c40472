//! Random inputs: the baseline that any search has to beat, and the start values of those that begin anywhere.
//!
//! `bits` makes every bit pattern as likely; `uniform` is the baseline Rand of the `CoverMe` paper (section 6.1),
//! whose doubles are so large that few branches tell them apart.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::super::session::Session;
use crate::model::Number;

/// The largest value that a 31-bit generator, that of C's `random`, gives.
const LARGEST: u32 = 0x7fff_ffff;
/// Start values that are not random bits lie between this and its negative.
const SMALL: f64 = 1000.0;

/// Every bit pattern of the type, as likely as any other; of floats the finite ones.
pub fn bits(rng: &mut ChaCha8Rng, number: Number) -> u64 {
    loop {
        let random: u64 = rng.random();
        // The type of one bit would take all but 0 for 1.
        let drawn = number.wrap(if number.width() == 1 { random & 1 } else { random });
        if !number.is_float() || number.value(drawn).is_finite() {
            return drawn;
        }
    }
}

/// Uniform between ±1e307, on the 2^31 values that the generator has; for `float`, which does not go so far,
/// between ±1e37; for integers over the type.
pub fn uniform(rng: &mut ChaCha8Rng, number: Number) -> u64 {
    let largest = match number {
        Number::Integer { .. } => return bits(rng, number),
        Number::Float => 1e37,
        Number::Double | Number::LongDouble => 1e307,
    };
    let share = f64::from(rng.random_range(0..=LARGEST)) / f64::from(LARGEST);
    number.nearest((2.0 * share - 1.0) * largest)
}

/// Where a minimisation begins: as often a value between ±1000, where people's constants are, as random bits,
/// which reach every magnitude. Neither paper says how it draws; the original `CoverMe` and Pex mix small values
/// with large ones too.
pub fn start(rng: &mut ChaCha8Rng, number: Number) -> u64 {
    if rng.random_bool(0.5) || number.width() < 16 {
        return bits(rng, number);
    }
    let is_unsigned = matches!(number, Number::Integer { signed: false, .. });
    number.nearest(rng.random_range(if is_unsigned { 0.0 } else { -SMALL }..=SMALL))
}

/// Run inputs whose cells are drawn with `draw` until the search is over.
pub fn search(session: &mut Session<'_>, draw: fn(&mut ChaCha8Rng, Number) -> u64) {
    while !session.is_over() {
        let input = drawn(session, draw);
        session.evaluate(&input);
        if input.is_empty() {
            break;
        }
    }
}

/// An input whose cells are drawn with `draw`.
pub fn drawn(session: &mut Session<'_>, draw: fn(&mut ChaCha8Rng, Number) -> u64) -> Vec<u64> {
    session.problem.cells.iter().map(|cell| draw(&mut session.rng, cell.number)).collect()
}

/// A function under test that is a closure, for the tests of all methods.
#[cfg(test)]
pub mod trial {
    use super::super::super::distance::Operand;
    use super::super::super::goal::Branches;
    use super::super::super::problem::{Cell, Problem};
    use super::super::super::run::{Ended, Run, Subject, Visit};
    use super::super::super::session::{Outcome, Session};
    use crate::model::Number;
    use crate::syntax::BooleanExpr;
    use crate::syntax::search::{Comparison, Condition, Decision, Probes};

    /// What the conditions of a closure said.
    pub struct Trace {
        comparisons: Vec<Comparison>,
        visits: Vec<Visit>,
    }

    impl Trace {
        /// Condition `at` compares `left` with `right`.
        pub fn says(&mut self, at: usize, left: f64, right: f64) -> bool {
            let outcome = match self.comparisons[at] {
                Comparison::Less => left < right,
                Comparison::AtMost => left <= right,
                Comparison::Greater => left > right,
                Comparison::AtLeast => left >= right,
                Comparison::Equal => left - right == 0.0,
                Comparison::Unequal => left - right != 0.0,
            };
            self.visits.push(Visit {
                probe: u32::try_from(at).unwrap(),
                outcome: outcome.into(),
                left_type: Operand::Double as u8,
                right_type: Operand::Double as u8,
                left: left.to_bits(),
                right: right.to_bits(),
                ..Visit::default()
            });
            outcome
        }
    }

    struct Closure<F> {
        numbers: Vec<Number>,
        trace: Trace,
        body: F,
    }

    impl<F: FnMut(&[f64], &mut Trace)> Subject for Closure<F> {
        fn run(&mut self, input: &[u64]) -> Run<'_> {
            let values: Vec<f64> =
                self.numbers.iter().zip(input).map(|(number, bits)| number.value(*bits)).collect();
            self.trace.visits.clear();
            (self.body)(&values, &mut self.trace);
            Run { ended: Ended::Returned, visits: &self.trace.visits, later: &[], bounds: &[], result: 0 }
        }
    }

    /// What `search` comes to on `body`, which takes `numbers` and has a condition for each of `comparisons`,
    /// in `budget` evaluations.
    pub fn searched(
        search: impl FnOnce(&mut Session<'_>),
        numbers: &[Number],
        comparisons: &[Comparison],
        budget: u64,
        body: impl FnMut(&[f64], &mut Trace),
    ) -> Outcome {
        let condition = |(at, comparison): (usize, &Comparison)| Condition {
            comparison: *comparison,
            line: 1,
            text: format!("condition {at}"),
            decision: at,
        };
        let decision = |at| Decision { tree: BooleanExpr::Condition(at), returned: false };
        let probes = Probes {
            conditions: comparisons.iter().enumerate().map(condition).collect(),
            decisions: (0..comparisons.len()).map(decision).collect(),
            ..Probes::default()
        };
        let goal = Box::new(Branches::new(&probes));
        let cells = numbers.iter().map(|number| Cell { number: *number, label: "x".into() }).collect();
        let problem = Problem { cells, probes, returns: None, texts: Vec::new(), constants: Vec::new() };
        let trace = Trace { comparisons: comparisons.to_vec(), visits: Vec::new() };
        let mut subject = Closure { numbers: numbers.to_vec(), trace, body };
        let mut watch = |_, _, _| true;
        let effort = crate::inputs::search::Effort { budget, patience: 100_000 };
        let mut session = Session::new(&problem, goal, &mut subject, (1, effort), &mut watch);
        search(&mut session);
        session.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::search::Comparison;
    use rand::SeedableRng;

    const BOOL: Number = Number::Integer { bits: 1, signed: false };
    const SMALLEST: Number = Number::Integer { bits: 8, signed: true };

    fn many(number: Number, draw: fn(&mut ChaCha8Rng, Number) -> u64) -> Vec<u64> {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        (0..4000).map(|_| draw(&mut rng, number)).collect()
    }

    #[test]
    fn both_signs_and_all_magnitudes_come() {
        for draw in [bits, start] {
            for number in [Number::Float, Number::Double, Number::INT, SMALLEST] {
                let drawn = many(number, draw);
                assert!(
                    drawn.iter().all(|bits| number.value(*bits).is_finite() && number.wrap(*bits) == *bits)
                );
                let negative = drawn.iter().filter(|bits| number.value(**bits) < 0.0).count();
                assert!((1800..2200).contains(&negative), "{number:?} {negative}");
            }
        }
        let sizes = many(Number::Double, bits).into_iter().map(|bits| f64::from_bits(bits).abs());
        assert!(sizes.clone().any(|size| size > 1e290) && sizes.clone().any(|size| size < 1e-290));
        assert!(many(Number::INT, bits).iter().any(|bits| bits.cast_signed() < -2_000_000_000));
        let ones = many(BOOL, bits).iter().sum::<u64>();
        assert!((1800..2200).contains(&ones), "{ones}");
    }

    #[test]
    fn the_papers_baseline_is_large_and_coarse() {
        for (number, largest) in [(Number::Double, 1e307), (Number::Float, 1.001e37)] {
            let values: Vec<f64> = many(number, uniform).into_iter().map(|bits| number.value(bits)).collect();
            assert!(values.iter().all(|value| value.abs() <= largest));
            assert!(values.iter().filter(|value| value.abs() > largest / 2.0).count() > 1800);
            assert!(values.iter().any(|value| *value < 0.0) && values.iter().any(|value| *value > 0.0));
        }
        assert!(many(SMALLEST, uniform).contains(&(-128_i64).cast_unsigned()));
    }

    #[test]
    fn a_search_uses_its_budget_and_ends_with_its_goals() {
        let sign = |x: &[f64], trace: &mut trial::Trace| {
            trace.says(0, x[0], 0.0);
        };
        let random = |session: &mut Session<'_>| search(session, bits);
        let found = trial::searched(random, &[Number::Double], &[Comparison::Less], 1000, sign);
        assert!(found.unmet.is_empty() && found.evaluations < 100);
        let found = trial::searched(random, &[Number::Double], &[Comparison::Equal], 1000, sign);
        assert_eq!((found.unmet.len(), found.evaluations), (1, 1000));
        let none = trial::searched(random, &[], &[Comparison::Less], 1000, |_, trace| {
            trace.says(0, 1.0, 2.0);
        });
        assert_eq!(none.evaluations, 1);
    }
}
