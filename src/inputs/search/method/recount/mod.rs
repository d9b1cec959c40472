//! Our method: one open target at a time, from the inputs that came nearest to it.
//!
//! 1. Values that matter to numeric code, and the constants of the source, in combinations ([`seeds`]).
//! 2. Then the target on which least was spent is taken and climbed towards ([`climb`]): steps of 2^k from value
//!    to value, the other operand of the condition, bisection where the difference changes its sign; Newton's
//!    method where floats have to agree ([`newton`]).
//! 3. At a local minimum one number is pushed off and the others are solved for again.
//!
//! Whatever an evaluation meets on the way counts. A target to which nothing came nearer for
//! a while ([`super::super::Effort`]) is given up.

mod climb;
mod newton;
mod pursuit;
mod seeds;

use rand::RngExt;

use super::super::session::Session;
use climb::{Climb, Style};
use pursuit::{Hunt, Measure};

/// Evaluations at a stretch on one target.
const STRETCH: u64 = 3_000;

/// Random inputs to begin elsewhere.
const TRIES: usize = 50;

/// Search until nothing is left to do.
pub fn search(session: &mut Session<'_>) {
    let most = seeds::MOST.min(usize::try_from(session.patience() / 4).unwrap_or(seeds::MOST));
    let mut hunt = Hunt::new(session);
    let problem = hunt.session.problem;
    let (inputs, are_all) = seeds::inputs(problem, &hunt.palette, most, &mut hunt.session.rng);
    let left = if are_all { 0 } else { most.saturating_sub(inputs.len()) };
    begin(&mut hunt, inputs);
    hunt.palette.settle();
    let more = seeds::combinations(problem, &hunt.palette, left, &mut hunt.session.rng);
    begin(&mut hunt, more);
    while !hunt.session.is_over() {
        let Some(target) = hunt.next() else { return };
        pursue(&mut hunt, target);
    }
}

/// Evaluate `inputs`, and learn from how they end.
fn begin(hunt: &mut Hunt<'_, '_>, inputs: Vec<Vec<u64>>) {
    for input in inputs {
        if hunt.session.is_over() {
            return;
        }
        hunt.evaluate(&input);
        hunt.palette.learn(&input, hunt.session.ended.is_clean());
    }
}

/// Spend a stretch on `target`: in turns from the input that is nearest by steps, from the one that is nearest by the
/// other measures, and, since these may be dead ends, from somewhere else.
fn pursue(hunt: &mut Hunt<'_, '_>, target: usize) {
    let turn = hunt.take_up(target);
    let measure = match turn % 8 {
        1 | 5 => Measure::Other,
        4 => Measure::Visits,
        _ => Measure::Steps,
    };
    let begun = hunt.session.spent();
    let Some(nearest) = hunt.nearest(target, measure) else { return };
    let start = match turn % 4 {
        0 | 1 => nearest.clone(),
        // A step away and no slope: some flag that was set, or not, on a path that an input for another target took.
        _ if turn > 4 && hunt.is_one_away(target) => {
            hunt.session.one_that_met().unwrap_or_else(|| nearest.clone())
        }
        _ => elsewhere(hunt, target, nearest.clone()),
    };
    let style = Style {
        suggests: turn % 8 < 6,
        highest: if turn % 4 == 3 { hunt.session.rng.random_range(4..64) } else { 64 },
    };
    Climb::new(hunt, (target, measure), begun + STRETCH, style).run(&nearest, start, turn);
    let patience = hunt.session.patience();
    hunt.put_down(target, begun, patience);
}

/// An input that comes near to `target` like `nearest`, with some other numbers, if chance finds one.
fn elsewhere(hunt: &mut Hunt<'_, '_>, target: usize, nearest: Vec<u64>) -> Vec<u64> {
    let problem = hunt.session.problem;
    for _ in 0..TRIES {
        let mut input = nearest.clone();
        for (cell, bits) in input.iter_mut().enumerate() {
            if problem.cells.len() == 1 || hunt.session.rng.random_bool(0.5) {
                *bits = hunt.palette.any(problem, cell, &mut hunt.session.rng);
            }
        }
        hunt.evaluate(&input);
        if hunt.session.measures.of(target).is_some() {
            return input;
        }
    }
    nearest
}
