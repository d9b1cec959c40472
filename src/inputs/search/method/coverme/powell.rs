//! Powell's method: descend along a set of directions in turn, then replace the direction with the largest gain by the
//! displacement of the whole round.
//!
//! Powell, "An efficient method for finding the minimum of a function of several variables without
//! calculating derivatives" (1964), with Brent's line search (1973), and the tolerances and limits of
//! `SciPy`'s `fmin_powell`, which the `CoverMe` paper names (section 5.2, LM = "powell"): xtol = ftol = 1e-4, and
//! 1000 rounds and evaluations per dimension.

/// The function to minimise. None ends the minimisation at once.
pub type Objective<'f> = dyn FnMut(&[f64]) -> Option<f64> + 'f;

/// Where a minimisation ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Minimum {
    pub at: Vec<f64>,
    pub value: f64,
}

/// `SciPy`'s ftol: a round with a smaller gain, relative to the value, is the last.
const VALUE_TOLERANCE: f64 = 1e-4;
/// A hundred times xtol, as `SciPy` hands it to Brent's method.
const LINE_TOLERANCE: f64 = 1e-2;
/// Rounds, and evaluations, per dimension.
const LIMIT: usize = 1000;
/// The factors by which an interval grows and by which it is cut.
const GOLDEN: f64 = 1.618_034;
const CUT: f64 = 0.381_966;
/// How many times its last step a bracket may leap.
const LEAP: f64 = 110.0;
/// The most steps of a bracket and of Brent's method.
const BRACKET_STEPS: usize = 1000;
const BRENT_STEPS: usize = 500;
/// Brent's least step.
const LEAST_STEP: f64 = 1e-11;
/// The smallest denominator.
const TINY: f64 = 1e-21;

/// Minimise `function` from `start`; none if it asked to stop.
pub fn minimise(start: &[f64], function: &mut Objective<'_>) -> Option<Minimum> {
    let mut search = Search { function, calls: 0 };
    let dimensions = start.len();
    let mut here = Minimum { at: start.to_vec(), value: search.value(start)? };
    let mut directions = vec![vec![0.0; dimensions]; dimensions];
    (0..dimensions).for_each(|axis| directions[axis][axis] = 1.0);
    for _ in 0..LIMIT * dimensions {
        let before = here.clone();
        let (mut most, mut gave_most) = (0.0, 0);
        for (at, direction) in directions.iter().enumerate() {
            let value = here.value;
            search.descend(&mut here, direction)?;
            if value - here.value > most {
                (most, gave_most) = (value - here.value, at);
            }
        }
        let enough = VALUE_TOLERANCE * (before.value.abs() + here.value.abs()) + 1e-20;
        // The difference of infinite values says nothing.
        let is_lost = here.value.is_infinite();
        if is_lost || 2.0 * (before.value - here.value) <= enough || search.calls >= LIMIT * dimensions {
            break;
        }
        let way: Vec<f64> = here.at.iter().zip(&before.at).map(|(now, then)| now - then).collect();
        let beyond = search.value(&shifted(&here.at, &way, 1.0))?;
        if is_worth(before.value, here.value, beyond, most) {
            let moved = search.descend(&mut here, &way)?;
            if moved.iter().any(|part| *part != 0.0) {
                directions.swap_remove(gave_most);
                directions.push(moved);
            }
        }
    }
    Some(here)
}

/// Powell's condition for using the displacement of a round as a direction: there is more to gain along it, and the gain was
/// not mostly that of one direction.
fn is_worth(before: f64, now: f64, beyond: f64, most: f64) -> bool {
    let rest = before - now - most;
    let whole = before - beyond;
    before > beyond && 2.0 * (before + beyond - 2.0 * now) * rest * rest < most * whole * whole
}

fn shifted(from: &[f64], direction: &[f64], far: f64) -> Vec<f64> {
    from.iter().zip(direction).map(|(from, direction)| from + far * direction).collect()
}

/// A function, and how often it was called.
struct Search<'s, 'f> {
    function: &'s mut Objective<'f>,
    calls: usize,
}

/// A point on a line: its position, and the value there.
#[derive(Clone, Copy, Debug)]
struct Spot {
    far: f64,
    value: f64,
}

impl Search<'_, '_> {
    /// The value at `point`; NaN counts as infinity.
    fn value(&mut self, point: &[f64]) -> Option<f64> {
        self.calls += 1;
        (self.function)(point).map(|value| if value.is_nan() { f64::INFINITY } else { value })
    }

    /// Go to the minimum along `direction`; returns the displacement.
    fn descend(&mut self, here: &mut Minimum, direction: &[f64]) -> Option<Vec<f64>> {
        if direction.iter().all(|part| *part == 0.0) {
            return Some(direction.to_vec());
        }
        let from = here.at.clone();
        let mut on = |far: f64| Some(Spot { far, value: self.value(&shifted(&from, direction, far))? });
        let around = bracket(&mut on)?;
        let lowest = brent(&mut on, around)?;
        let way: Vec<f64> = direction.iter().map(|part| lowest.far * part).collect();
        *here = Minimum { at: shifted(&from, &way, 1.0), value: lowest.value };
        Some(way)
    }
}

/// Three points on a line, the middle one not above the others: from 0 and 1 on, by golden-section steps and leaps to the
/// vertex of the parabola through the last three points. If the function falls without end, the last three points.
fn bracket(on: &mut dyn FnMut(f64) -> Option<Spot>) -> Option<[Spot; 3]> {
    let (mut first, mut middle) = (on(0.0)?, on(1.0)?);
    if first.value < middle.value {
        std::mem::swap(&mut first, &mut middle);
    }
    let mut last = on(middle.far + GOLDEN * (middle.far - first.far))?;
    for _ in 0..BRACKET_STEPS {
        if last.value >= middle.value {
            break;
        }
        let farther = last.far + GOLDEN * (last.far - middle.far);
        let end = middle.far + LEAP * (last.far - middle.far);
        let guess = vertex(first, middle, last);
        let next = if (guess - last.far) * (middle.far - guess) > 0.0 {
            let inside = on(guess)?;
            if inside.value < last.value {
                return Some([middle, inside, last]);
            } else if inside.value > middle.value {
                return Some([first, middle, inside]);
            }
            on(farther)?
        } else if (guess - end) * (end - last.far) >= 0.0 {
            on(end)?
        } else if (guess - end) * (last.far - guess) > 0.0 {
            let outside = on(guess)?;
            if outside.value < last.value {
                (middle, last) = (last, outside);
                on(outside.far + GOLDEN * (outside.far - middle.far))?
            } else {
                outside
            }
        } else {
            on(farther)?
        };
        (first, middle, last) = (middle, last, next);
    }
    Some([first, middle, last])
}

/// The vertex of the parabola through three points.
fn vertex(first: Spot, middle: Spot, last: Spot) -> f64 {
    let left = (middle.far - first.far) * (middle.value - last.value);
    let right = (middle.far - last.far) * (middle.value - first.value);
    let below = if (right - left).abs() < TINY { TINY } else { right - left };
    middle.far - ((middle.far - last.far) * right - (middle.far - first.far) * left) / (2.0 * below)
}

/// Brent's method: leaps to the vertex of a parabola where they converge, golden-section cuts elsewhere.
fn brent(on: &mut dyn FnMut(f64) -> Option<Spot>, [first, middle, last]: [Spot; 3]) -> Option<Spot> {
    let (mut low, mut high) = (first.far.min(last.far), first.far.max(last.far));
    let [mut best, mut second, mut third] = [middle; 3];
    let (mut step, mut earlier) = (0.0_f64, 0.0_f64);
    for _ in 0..BRENT_STEPS {
        let near = LINE_TOLERANCE * best.far.abs() + LEAST_STEP;
        let centre = 0.5 * (low + high);
        if (best.far - centre).abs() < 2.0 * near - 0.5 * (high - low) {
            break;
        }
        let leap = leap([best, second, third], (low, high), earlier).filter(|_| earlier.abs() > near);
        (step, earlier) = if let Some(leap) = leap {
            let to = best.far + leap;
            let is_at_an_end = to - low < 2.0 * near || high - to < 2.0 * near;
            (if is_at_an_end { near.copysign(centre - best.far) } else { leap }, step)
        } else {
            let longer = if best.far >= centre { low } else { high } - best.far;
            (CUT * longer, longer)
        };
        let new = on(best.far + if step.abs() < near { near.copysign(step) } else { step })?;
        if new.value > best.value {
            *(if new.far < best.far { &mut low } else { &mut high }) = new.far;
            if new.value <= second.value || is_at(second, best) {
                (second, third) = (new, second);
            } else if new.value <= third.value || is_at(third, best) || is_at(third, second) {
                third = new;
            }
        } else {
            *(if new.far >= best.far { &mut low } else { &mut high }) = best.far;
            (best, second, third) = (new, best, second);
        }
    }
    Some(best)
}

/// The step from the best of three points to the vertex of their parabola, if it stays between the ends and is less than
/// half of `earlier`, the step before the last.
fn leap([best, second, third]: [Spot; 3], (low, high): (f64, f64), earlier: f64) -> Option<f64> {
    let left = (best.far - second.far) * (best.value - third.value);
    let right = (best.far - third.far) * (best.value - second.value);
    let above = (best.far - third.far) * right - (best.far - second.far) * left;
    let below = 2.0 * (right - left);
    let (above, below) = if below > 0.0 { (-above, below) } else { (above, -below) };
    let is_inside = above > below * (low - best.far) && above < below * (high - best.far);
    (is_inside && above.abs() < (0.5 * below * earlier).abs()).then(|| above / below)
}

fn is_at(one: Spot, other: Spot) -> bool {
    one.far - other.far == 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rosenbrock(x: &[f64]) -> f64 {
        (1.0 - x[0]).powi(2) + 100.0 * (x[1] - x[0] * x[0]).powi(2)
    }

    #[test]
    fn a_quadratic_and_rosenbrock_are_minimised() {
        let quadratic = |x: &[f64]| (x[0] - 3.0).powi(2) + 2.0 * (x[1] + 1.0).powi(2) + x[0] * x[1] + 20.0;
        let found = minimise(&[10.0, -7.0], &mut |x| Some(quadratic(x))).unwrap();
        // Where the gradient is 0: 2x + y = 6 and x + 4y = -4.
        assert!((found.at[0] - 4.0).abs() < 1e-4 && (found.at[1] + 2.0).abs() < 1e-4, "{found:?}");
        let found = minimise(&[-1.2, 1.0], &mut |x| Some(rosenbrock(x))).unwrap();
        assert!((found.at[0] - 1.0).abs() < 1e-4 && (found.at[1] - 1.0).abs() < 1e-4, "{found:?}");
    }

    #[test]
    fn a_minimum_takes_few_evaluations() {
        let mut calls = 0;
        let mut counted = |x: &[f64]| {
            calls += 1;
            Some(rosenbrock(x))
        };
        minimise(&[-1.2, 1.0], &mut counted).unwrap();
        assert!(calls < 1000, "{calls}");
    }

    #[test]
    fn plateaus_and_endless_slopes_end() {
        assert!(minimise(&[1.0, 2.0], &mut |_| Some(f64::NAN)).is_some());
        assert_eq!(minimise(&[1.0], &mut |_| Some(1.0)).unwrap().value.to_bits(), 1.0_f64.to_bits());
        let mut calls = 0;
        let mut slope = |x: &[f64]| {
            calls += 1;
            Some(-x[0])
        };
        assert!(minimise(&[0.0], &mut slope).unwrap().at[0] > 1e100);
        assert!(calls < 5000, "{calls}");
    }

    #[test]
    fn an_objective_can_stop_it() {
        let mut calls = 0;
        let mut stubborn = |x: &[f64]| {
            calls += 1;
            (calls < 7).then(|| rosenbrock(x))
        };
        assert_eq!(minimise(&[-1.2, 1.0], &mut stubborn), None);
        assert_eq!(calls, 7);
    }
}
