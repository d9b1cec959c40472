//! Several floats that have to be equal: the Levenberg–Marquardt method on the differences of the deciding conditions'
//! operands, then fewer decimals, then the last steps from value to value.

use rand::RngExt;

use super::super::super::distance::Compared;
use super::descent::{Descent, Point};

/// The number of starts in one turn: the given point first, then small random values.
const STARTS: u32 = 4;

type Matrix = Vec<Vec<f64>>;

/// Iterations from one start.
const ITERATIONS: u32 = 40;

/// Try to make the operands of all deciding conditions equal at once.
pub fn solve(descent: &mut Descent<'_, '_, '_>, from: &Point, turn: u32) {
    let cells: Vec<usize> = (0..from.input.len()).filter(|cell| descent.number(*cell).is_float()).collect();
    let floats = from.pairs.iter().flatten().any(|pair| pair.number.is_float());
    if cells.is_empty() || !floats {
        return;
    }
    for start in 0..STARTS {
        let mut at = from.clone();
        if start > 0 || turn > 0 {
            let range = 10.0_f64.powi(descent.rng().random_range(-1..3));
            for &cell in &cells {
                let value = descent.rng().random_range(-range..range);
                at.input[cell] = descent.number(cell).nearest(value);
            }
            match descent.point(at.input.clone()) {
                Some(point) => at = point,
                None => continue,
            }
        }
        converge(descent, &mut at, &cells);
        if descent.is_over() {
            return;
        }
        round(descent, &mut at, &cells);
        descent.descend_to_minimum(&mut at, None);
        for _ in 0..40 {
            if descent.is_over() {
                return;
            }
            nudge(descent, &mut at, &cells);
        }
    }
}

/// The differences of the operands, if all are finite: of the equalities, or of all conditions if there are none.
fn residuals(descent: &Descent<'_, '_, '_>, point: &Point) -> Option<Vec<f64>> {
    let is_equality = |at: usize| descent.is_equality(at);
    let any = (0..point.pairs.len()).any(|at| point.pairs[at].is_some() && is_equality(at));
    let pairs = (0..point.pairs.len()).filter(|at| !any || is_equality(*at)).filter_map(|at| point.pairs[at]);
    let found: Vec<f64> = pairs.map(Compared::values).map(|(left, right)| left - right).collect();
    (!found.is_empty() && found.iter().all(|value| value.is_finite())).then_some(found)
}

fn square(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum()
}

/// Levenberg–Marquardt iterations, until the operands are equal or no step helps.
fn converge(descent: &mut Descent<'_, '_, '_>, at: &mut Point, cells: &[usize]) {
    let Some(mut here) = residuals(descent, at) else { return };
    let mut damping = 1e-3;
    for _ in 0..ITERATIONS {
        if descent.is_over() || square(&here) == 0.0 {
            return;
        }
        let Some(slopes) = jacobian(descent, at, &here, cells) else { return };
        let mut has_moved = false;
        for _ in 0..8 {
            let Some(step) = damped(&slopes, &here, damping) else { return };
            let mut input = at.input.clone();
            for (&cell, step) in cells.iter().zip(&step) {
                let number = descent.number(cell);
                input[cell] = number.nearest(number.value(input[cell]) + step);
            }
            let there = descent.point(input);
            let better = there.and_then(|point| {
                let found = residuals(descent, &point).filter(|found| found.len() == here.len())?;
                (square(&found) < square(&here)).then_some((point, found))
            });
            if let Some((point, found)) = better {
                (*at, here, has_moved) = (point, found, true);
                damping = (damping / 10.0).max(1e-15);
                break;
            }
            damping = (damping * 10.0).min(1e12);
        }
        if !has_moved {
            return;
        }
    }
}

/// The derivatives of the residuals by each cell: one row per residual.
fn jacobian(descent: &mut Descent<'_, '_, '_>, at: &Point, here: &[f64], cells: &[usize]) -> Option<Matrix> {
    let mut slopes = vec![vec![0.0; cells.len()]; here.len()];
    for (column, &cell) in cells.iter().enumerate() {
        let number = descent.number(cell);
        let value = number.value(at.input[cell]);
        let step = value.abs().max(1e-3) * 1e-7;
        let mut input = at.input.clone();
        input[cell] = number.nearest(value + step);
        let there = descent.point(input)?;
        let there = residuals(descent, &there).filter(|found| found.len() == here.len())?;
        for (row, slope) in slopes.iter_mut().enumerate() {
            slope[column] = (there[row] - here[row]) / step;
        }
    }
    Some(slopes)
}

/// The step s that solves `(JᵀJ + d·diag(JᵀJ)) s = −Jᵀr`, by Gaussian elimination with partial pivoting.
fn damped(slopes: &[Vec<f64>], here: &[f64], damping: f64) -> Option<Vec<f64>> {
    let n = slopes.first()?.len();
    let mut rows: Matrix = (0..n)
        .map(|i| {
            let mut row: Vec<f64> =
                (0..n).map(|j| slopes.iter().map(|slope| slope[i] * slope[j]).sum()).collect();
            row[i] += damping * row[i].max(1e-30);
            row.push(-slopes.iter().zip(here).map(|(slope, value)| slope[i] * value).sum::<f64>());
            row
        })
        .collect();
    for i in 0..n {
        let pivot = (i..n).max_by(|a, b| rows[*a][i].abs().total_cmp(&rows[*b][i].abs()))?;
        rows.swap(i, pivot);
        if rows[i][i] == 0.0 || !rows[i][i].is_finite() {
            return None;
        }
        for below in i + 1..n {
            let factor = rows[below][i] / rows[i][i];
            let pivot = rows[i].clone();
            for (value, above) in rows[below].iter_mut().zip(&pivot).skip(i) {
                *value -= factor * above;
            }
        }
    }
    let mut step = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| rows[i][j] * step[j]).sum();
        step[i] = (rows[i][n] - known) / rows[i][i];
    }
    step.iter().all(|value| value.is_finite()).then_some(step)
}

/// Round to few decimals, as numbers in source code have, if that is nearer.
fn round(descent: &mut Descent<'_, '_, '_>, at: &mut Point, cells: &[usize]) {
    for digits in 0..7 {
        let scale = 10.0_f64.powi(digits);
        let mut input = at.input.clone();
        for &cell in cells {
            let number = descent.number(cell);
            input[cell] = number.nearest((number.value(input[cell]) * scale).round() / scale);
        }
        if let Some(point) = descent.point(input).filter(|point| point.distance < at.distance) {
            *at = point;
        }
        if descent.is_over() {
            return;
        }
    }
}

/// Move one number by a few values, and solve for the others.
fn nudge(descent: &mut Descent<'_, '_, '_>, at: &mut Point, cells: &[usize]) {
    let cell = cells[descent.rng().random_range(0..cells.len())];
    let step: i128 = descent.rng().random_range(1..=1 << 12);
    let step = if descent.rng().random_bool(0.5) { step } else { -step };
    descent.push(at, cell, step);
}
