//! What to begin with: values at which numeric code branches, and combinations of them.

use std::collections::HashSet;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::super::super::problem::Problem;
use crate::model::Number;

/// Inputs to begin with, at most.
pub const MOST: usize = 3_000;

/// Cells of which there are too many for chance to fit them all.
pub const MANY: usize = 8;

/// Of the values of a type the first, which every cell gets.
const FIRST: usize = 12;

/// Doubles at which something begins or ends.
const SPECIAL: [f64; 34] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    -2.0,
    0.5,
    -0.5,
    3.0,
    10.0,
    1.5,
    100.0,
    -100.0,
    1e5,
    1e-5,
    -1e-3,
    1e10,
    -1e10,
    1e100,
    1e300,
    -1e300,
    1e-300,
    5e-324,
    -5e-324,
    1.1e-308,
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

/// The values for a cell of this type.
pub fn values(number: Number, constants: &[f64]) -> Vec<u64> {
    let mut values: Vec<u64> = Vec::new();
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
            values.extend(SPECIAL.iter().map(|value| number.nearest(*value)));
            let single = [f32::MAX, f32::MIN, f32::MIN_POSITIVE, f32::from_bits(1)];
            values.extend(single.map(|value| u64::from(value.to_bits())));
        }
        Number::Double | Number::LongDouble => values.extend(SPECIAL.map(f64::to_bits)),
    }
    for constant in constants {
        let at = number.nearest(*constant);
        let around = number.ordinal(at);
        values.extend([at, number.at(around - 1), number.at(around + 1), number.nearest(-constant)]);
        // The high word of a double, compared as an integer.
        if number == Number::Double && constant.fract() == 0.0 && (1.0..4_294_967_296.0).contains(constant) {
            let high = Number::Integer { bits: 32, signed: false }.nearest(*constant) << 32;
            values.extend([high, high | 1, high.wrapping_sub(1), high | 1 << 63]);
        }
    }
    let mut seen = HashSet::new();
    values.retain(|value| seen.insert(*value));
    values
}

/// A value for a cell of this type: a special one, a neighbour of one, a small one, or any bits.
pub fn any(number: Number, constants: &[f64], rng: &mut ChaCha8Rng) -> u64 {
    match rng.random_range(0..4) {
        0 => {
            let values = values(number, constants);
            values[rng.random_range(0..values.len())]
        }
        1 => {
            let values = values(number, constants);
            let near = number.ordinal(values[rng.random_range(0..values.len())]);
            let step = 1_i128 << rng.random_range(0..number.width());
            number.at(if rng.random_bool(0.5) { near + step } else { near - step })
        }
        2 => number.nearest(rng.random_range(-100.0..100.0)),
        _ => number.wrap(rng.random()),
    }
}

/// The values that cells begin with, and which of them runs bear.
///
/// A number that is used as an index, a length or a count has few values with which the function does anything
/// but fault. They are not known beforehand; but what some clean run had in a cell is worth more there than
/// what none had.
#[derive(Debug)]
pub struct Palette {
    choices: Vec<Vec<u64>>,
    clean: Vec<HashSet<u64>>,
    has_faults: bool,
}

impl Palette {
    /// Of the cells of `problem`; nothing is known yet.
    pub fn new(problem: &Problem) -> Palette {
        let cells = problem.cells.iter();
        let choices: Vec<_> = cells.map(|cell| values(cell.number, &problem.constants)).collect();
        Palette { clean: vec![HashSet::new(); choices.len()], choices, has_faults: false }
    }

    /// `input` was run.
    pub fn learn(&mut self, input: &[u64], is_clean: bool) {
        self.has_faults |= !is_clean;
        if is_clean {
            for (cell, bits) in self.clean.iter_mut().zip(input) {
                cell.insert(*bits);
            }
        }
    }

    /// Keep the values that some clean run had, in cells where there are such and others.
    pub fn settle(&mut self) {
        if self.has_faults {
            for (values, clean) in self.choices.iter_mut().zip(&self.clean) {
                if values.iter().any(|value| clean.contains(value)) {
                    values.retain(|value| clean.contains(value));
                }
            }
        }
    }

    /// A value for cell `cell`: one that a clean run had, or one between two such; where no run faulted, any.
    pub fn any(&self, problem: &Problem, cell: usize, rng: &mut ChaCha8Rng) -> u64 {
        let number = problem.cells[cell].number;
        if !self.has_faults || number.is_float() || rng.random_bool(0.25) {
            return any(number, &problem.constants, rng);
        }
        let values = &self.choices[cell];
        let mut ends = [0, 0].map(|_| number.ordinal(values[rng.random_range(0..values.len())]));
        ends.sort_unstable();
        let [low, high] = ends;
        if rng.random_bool(0.5) { number.at(low) } else { number.at(rng.random_range(low..=high)) }
    }
}

/// Inputs to begin with: every combination of values where those are few, else each value of each cell
/// against some backgrounds. Whether they are all that is needed.
pub fn inputs(
    problem: &Problem,
    palette: &Palette,
    most: usize,
    rng: &mut ChaCha8Rng,
) -> (Vec<Vec<u64>>, bool) {
    let mut inputs = with_texts(problem, rng);
    let choices = &palette.choices;
    let all = choices.iter().try_fold(1_usize, |product, values| product.checked_mul(values.len()));
    if let Some(all) = all.filter(|all| *all <= most) {
        inputs.extend((0..all).map(|n| combination(choices, n)));
        return (inputs, true);
    }
    let backgrounds: Vec<Vec<u64>> = [0.0, 1.0, 2.5]
        .iter()
        .map(|value| problem.cells.iter().map(|cell| cell.number.nearest(*value)).collect())
        .collect();
    let total = choices.iter().map(Vec::len).sum::<usize>() * backgrounds.len();
    let is_too_much = inputs.len() + total > most;
    // Then each cell gets some of its values, so that none goes without.
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

/// Combinations drawn by chance; some of them calm.
pub fn combinations(
    problem: &Problem,
    palette: &Palette,
    count: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<Vec<u64>> {
    let drawn = |at: usize| {
        if (palette.has_faults || problem.cells.len() > MANY) && at.is_multiple_of(2) {
            return calm(problem, palette, rng);
        }
        palette.choices.iter().map(|values| values[rng.random_range(0..values.len())]).collect()
    };
    (0..count).map(drawn).collect()
}

/// Numbers of one magnitude, as data have them, with integers that a clean run had.
fn calm(problem: &Problem, palette: &Palette, rng: &mut ChaCha8Rng) -> Vec<u64> {
    let range = 10.0_f64.powi(rng.random_range(0..9));
    let (is_whole, is_signed) = (rng.random_bool(0.5), rng.random_bool(0.5));
    let low = if is_signed { -range } else { 0.0 };
    let value = |number: Number, cell: usize, rng: &mut ChaCha8Rng| {
        let drawn: f64 = rng.random_range(low..=range);
        let is_data = number.is_float() || problem.cells[cell].label.contains('[');
        if !is_data || palette.choices[cell].is_empty() {
            return palette.any(problem, cell, rng);
        }
        number.nearest(if is_whole { drawn.round() } else { drawn })
    };
    problem.cells.iter().enumerate().map(|(cell, found)| value(found.number, cell, rng)).collect()
}

/// Each text of the source in each run of characters, among special values and among small ones.
fn with_texts(problem: &Problem, rng: &mut ChaCha8Rng) -> Vec<Vec<u64>> {
    let is_character = |at: &usize| matches!(problem.cells[*at].number, Number::Integer { bits: 8, .. });
    let array = |at: usize| problem.cells[at].label.split('[').next().unwrap_or_default();
    let mut inputs = Vec::new();
    let mut at = 0;
    while at < problem.cells.len() {
        let end = (at..problem.cells.len()).find(|cell| !is_character(cell) || array(*cell) != array(at));
        let end = end.unwrap_or(problem.cells.len());
        if end > at + 1 {
            for text in problem.texts.iter().filter(|text| text.len() <= end - at) {
                for calm in [true, false, false, false] {
                    let mut input: Vec<u64> = problem
                        .cells
                        .iter()
                        .map(|cell| if calm { 0 } else { any(cell.number, &problem.constants, rng) })
                        .collect();
                    input[at..end].fill(0);
                    for (cell, byte) in input[at..end].iter_mut().zip(text.bytes()) {
                        *cell = byte.into();
                    }
                    inputs.push(input);
                }
            }
        }
        at = end.max(at + 1);
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
