//! Random inputs: the baseline that a search has to beat, and the start values of the published methods.
//!
//! [`bits`] makes every bit pattern equally likely. [`uniform`] is the baseline Rand of the `CoverMe` paper (section
//! 6.1), whose doubles are so large that few branches distinguish them.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::super::session::Session;
use crate::model::Number;

/// The largest value of a 31-bit generator such as C's `random`.
const LARGEST: u32 = 0x7fff_ffff;
/// Start values that are not random bits lie within ± this.
const SMALL: f64 = 1000.0;

/// Any bit pattern of the type; for floats, any finite one.
pub fn bits(rng: &mut ChaCha8Rng, number: Number) -> u64 {
    loop {
        let random: u64 = rng.random();
        // `_Bool` would convert every value but 0 to 1.
        let drawn = number.wrap(if number.width() == 1 { random & 1 } else { random });
        if !number.is_float() || number.value(drawn).is_finite() {
            return drawn;
        }
    }
}

/// Uniform between ±1e307, on the 2^31 values of the generator; for `float`, between ±1e37; for integers, over the type.
pub fn uniform(rng: &mut ChaCha8Rng, number: Number) -> u64 {
    let largest = match number {
        Number::Integer { .. } => return bits(rng, number),
        Number::Float => 1e37,
        Number::Double | Number::LongDouble => 1e307,
    };
    let share = f64::from(rng.random_range(0..=LARGEST)) / f64::from(LARGEST);
    number.nearest((2.0 * share - 1.0) * largest)
}

/// A start value for a minimisation: half the time random bits, which reach every magnitude, and half the time a value
/// between ±1000, where most constants in source code are. Neither paper says how it draws start values; the original
/// `CoverMe` and Pex also mix small values with large ones.
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
        let input = input(session, draw);
        session.evaluate(&input);
    }
}

/// A random input whose cells are drawn with `draw`.
pub fn input(session: &mut Session<'_>, draw: fn(&mut ChaCha8Rng, Number) -> u64) -> Vec<u64> {
    session.problem.cells.iter().map(|cell| draw(&mut session.rng, cell.number)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Trace, searched};
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
    fn both_signs_and_all_magnitudes_are_drawn() {
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
        let sign = |x: &[f64], trace: &mut Trace| {
            trace.condition(0, x[0], 0.0);
        };
        let random = |session: &mut Session<'_>| search(session, bits);
        let found = searched(random, &[Number::Double], &[Comparison::Less], 1000, sign);
        assert!(found.unmet.is_empty() && found.evaluations < 100);
        let found = searched(random, &[Number::Double], &[Comparison::Equal], 1000, sign);
        assert_eq!((found.unmet.len(), found.evaluations), (1, 1000));
    }
}
