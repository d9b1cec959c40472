//! The first inputs: values at which numeric code branches, and combinations of them.

use std::collections::HashSet;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::super::super::problem::Problem;
use crate::model::Number;
use crate::syntax::search::Cell;

pub const MAX_SEEDS: usize = 3_000;

/// More cells than this are too many to be all right by chance.
pub const MANY: usize = 8;

/// The first values of a type, which every cell gets.
const FIRST: usize = 12;

/// Ordinary doubles, of many magnitudes.
const ORDINARY: [f64; 25] = [
    0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, 10.0, 1.5, 100.0, -100.0, 1e5, 1e-5, -1e-3, 1e10, -1e10,
    1e100, 1e300, -1e300, 1e-300, 5e-324, -5e-324, 1.1e-308,
];

/// Doubles at which behaviour changes: limits of the type, and of the integers that it can hold.
const LIMITS: [f64; 9] = [
    f64::MIN_POSITIVE,
    f64::MAX,
    f64::MIN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    4_503_599_627_370_497.5,
    9_007_199_254_740_993.0,
    1.844_674_407_370_955_2e19,
];

/// The values for a cell of type `number`.
fn values(number: Number, constants: &[f64]) -> Vec<u64> {
    let mut values: Vec<u64> = Vec::new();
    let special = ORDINARY.iter().chain(&LIMITS);
    match number {
        Number::Integer { bits: 1, .. } => return vec![0, 1],
        Number::Integer { bits, .. } => {
            let (low, high) = number.ends();
            values.extend(
                [0, 1, -1, 2, 3, 10, 16, 100, low, high, low + 1, high - 1].map(|value| number.at(value)),
            );
            values.extend((4..u32::from(bits) - 1).step_by(8).map(|k| number.at(1_i128 << k)));
        }
        Number::Float => {
            values.extend(special.map(|value| number.nearest(*value)));
            let single = [f32::MAX, f32::MIN, f32::MIN_POSITIVE, f32::from_bits(1)];
            values.extend(single.map(|value| u64::from(value.to_bits())));
        }
        Number::Double | Number::LongDouble => values.extend(special.map(|value| value.to_bits())),
    }
    for constant in constants {
        let at = number.nearest(*constant);
        let around = number.ordinal(at);
        values.extend([at, number.at(around - 1), number.at(around + 1), number.nearest(-constant)]);
        // Some code compares the high word of a double as an integer.
        if number == Number::Double && constant.fract() == 0.0 && (1.0..4_294_967_296.0).contains(constant) {
            let high = Number::Integer { bits: 32, signed: false }.nearest(*constant) << 32;
            values.extend([high, high | 1, high.wrapping_sub(1), high | 1 << 63]);
        }
    }
    let mut seen = HashSet::new();
    values.retain(|value| seen.insert(*value));
    values
}

/// A random value for a cell of type `number`: a special one, a value 2^k steps from one, a small one, or any bits.
fn random(number: Number, constants: &[f64], rng: &mut ChaCha8Rng) -> u64 {
    match rng.random_range(0..4) {
        0 => choose(&values(number, constants), rng),
        1 => {
            let near = number.ordinal(choose(&values(number, constants), rng));
            let step = 1_i128 << rng.random_range(0..number.width());
            number.at(if rng.random_bool(0.5) { near + step } else { near - step })
        }
        2 => number.nearest(rng.random_range(-100.0..100.0)),
        _ => number.wrap(rng.random()),
    }
}

fn choose(values: &[u64], rng: &mut ChaCha8Rng) -> u64 {
    values[rng.random_range(0..values.len())]
}

/// The start values of each cell.
///
/// A number that is used as an index, a length or a count has few values with which the function does not fault. They are
/// not known beforehand, so the values that a cell had in clean runs are preferred to those that it had in none.
#[derive(Debug)]
pub struct StartValues<'a> {
    problem: &'a Problem,
    choices: Vec<Vec<u64>>,
    /// The values that each cell had in clean runs.
    clean: Vec<HashSet<u64>>,
    has_faults: bool,
}

impl<'a> StartValues<'a> {
    pub fn new(problem: &'a Problem) -> StartValues<'a> {
        let choices: Vec<_> = problem.numbers().map(|number| values(number, &problem.constants)).collect();
        StartValues { problem, clean: vec![HashSet::new(); choices.len()], choices, has_faults: false }
    }

    /// Record the values of `input`, which was evaluated.
    pub fn record(&mut self, input: &[u64], is_clean: bool) {
        self.has_faults |= !is_clean;
        if is_clean {
            for (cell, bits) in self.clean.iter_mut().zip(input) {
                cell.insert(*bits);
            }
        }
    }

    /// Drop the values that no clean run had, in cells that also have clean ones.
    pub fn drop_faulty(&mut self) {
        if self.has_faults {
            for (values, clean) in self.choices.iter_mut().zip(&self.clean) {
                if values.iter().any(|value| clean.contains(value)) {
                    values.retain(|value| clean.contains(value));
                }
            }
        }
    }

    /// A random value for cell `cell`. If some run was faulty, it is usually a clean value or lies between two of them.
    pub fn random(&self, cell: usize, rng: &mut ChaCha8Rng) -> u64 {
        let number = self.problem.cells[cell].number;
        if !self.has_faults || number.is_float() || rng.random_bool(0.25) {
            return random(number, &self.problem.constants, rng);
        }
        let values = &self.choices[cell];
        let mut ends = [0, 0].map(|_| number.ordinal(choose(values, rng)));
        ends.sort_unstable();
        let [low, high] = ends;
        if rng.random_bool(0.5) { number.at(low) } else { number.at(rng.random_range(low..=high)) }
    }

    /// The first inputs, and whether they are all combinations of the values. If those are too many, each value of each cell is
    /// combined with a few backgrounds.
    pub fn inputs(&self, most: usize, rng: &mut ChaCha8Rng) -> (Vec<Vec<u64>>, bool) {
        let mut inputs = with_texts(self.problem, rng);
        let choices = &self.choices;
        let all = choices.iter().try_fold(1_usize, |product, values| product.checked_mul(values.len()));
        if let Some(all) = all.filter(|all| *all <= most) {
            inputs.extend((0..all).map(|n| combination(choices, n)));
            return (inputs, true);
        }
        let backgrounds: [Vec<u64>; 3] =
            [0.0, 1.0, 2.5].map(|value| self.problem.numbers().map(|number| number.nearest(value)).collect());
        let total = choices.iter().map(Vec::len).sum::<usize>() * backgrounds.len();
        let is_too_much = inputs.len() + total > most;
        // In that case each cell gets an equal share of the inputs.
        let share = (most * 2 / 3 / (choices.len() * backgrounds.len())).max(1);
        for background in &backgrounds {
            for (cell, values) in choices.iter().enumerate() {
                let mut values = values.clone();
                if is_too_much && values.len() > share {
                    let first = FIRST.min(share);
                    for at in first..share {
                        let other = rng.random_range(at..values.len());
                        values.swap(at, other);
                    }
                    values.truncate(share);
                }
                for value in values {
                    let mut input = background.clone();
                    input[cell] = value;
                    inputs.push(input);
                }
            }
        }
        inputs.truncate(most);
        (inputs, false)
    }

    /// Random combinations; some of them with numbers of one magnitude.
    pub fn combinations(&self, count: usize, rng: &mut ChaCha8Rng) -> Vec<Vec<u64>> {
        let drawn = |at: usize| {
            if (self.has_faults || self.choices.len() > MANY) && at.is_multiple_of(2) {
                return self.of_one_magnitude(rng);
            }
            self.choices.iter().map(|values| choose(values, rng)).collect()
        };
        (0..count).map(drawn).collect()
    }

    /// Numbers of one magnitude, as data often are; integers that are no array elements are clean.
    fn of_one_magnitude(&self, rng: &mut ChaCha8Rng) -> Vec<u64> {
        let range = 10.0_f64.powi(rng.random_range(0..9));
        let (is_whole, is_signed) = (rng.random_bool(0.5), rng.random_bool(0.5));
        let low = if is_signed { -range } else { 0.0 };
        let value = |(at, cell): (usize, &Cell)| {
            let drawn: f64 = rng.random_range(low..=range);
            let is_data = cell.number.is_float() || cell.label.contains('[');
            if !is_data {
                return self.random(at, rng);
            }
            cell.number.nearest(if is_whole { drawn.round() } else { drawn })
        };
        self.problem.cells.iter().enumerate().map(value).collect()
    }
}

/// Each string of the source in each array of characters; the other cells are 0 or random.
fn with_texts(problem: &Problem, rng: &mut ChaCha8Rng) -> Vec<Vec<u64>> {
    let is_character = |cell: &Cell| matches!(cell.number, Number::Integer { bits: 8, .. });
    let array = |cell: &Cell| cell.label.split('[').next().map(String::from);
    let mut inputs = Vec::new();
    let mut end = 0;
    for cells in problem
        .cells
        .chunk_by(|one, next| is_character(one) && is_character(next) && array(one) == array(next))
    {
        let characters = end..end + cells.len();
        end = characters.end;
        let fitting = problem.texts.iter().filter(|text| cells.len() > 1 && text.len() <= cells.len());
        for (text, is_quiet) in
            fitting.flat_map(|text| [true, false, false, false].map(|quiet| (text, quiet)))
        {
            let mut other =
                |cell: &Cell| if is_quiet { 0 } else { random(cell.number, &problem.constants, rng) };
            let mut input: Vec<u64> = problem.cells.iter().map(&mut other).collect();
            input[characters.clone()].fill(0);
            for (cell, byte) in input[characters.clone()].iter_mut().zip(text.bytes()) {
                *cell = byte.into();
            }
            inputs.push(input);
        }
    }
    inputs
}

/// The `n`th combination.
fn combination(choices: &[Vec<u64>], mut n: usize) -> Vec<u64> {
    let pick = |values: &Vec<u64>| {
        let value = values[n % values.len()];
        n /= values.len();
        value
    };
    choices.iter().map(pick).collect()
}
