//! Our method: one open target at a time, from the inputs that came nearest to it.
//!
//! 1. Evaluate values that matter to numeric code, and the constants of the source, in combinations ([`seeds`]).
//! 2. Take the target on which the fewest evaluations were spent, and descend towards it ([`descent`]): steps of 2^k from
//!    value to value, the other operand of the condition, bisection where the difference changes its sign, and
//!    Newton's method where floats have to be equal ([`newton`]).
//! 3. At a local minimum, change one number and solve for the others again.
//!
//! Targets that an evaluation meets by chance count too. A target is given up when no input has come nearer for a
//! while ([`super::super::session::Effort`]).

mod descent;
mod newton;
mod seeds;
mod targets;

use rand::RngExt;

use super::super::session::Session;
use descent::{Descent, Options};
use targets::{Metric, Targets};

/// Evaluations in one turn at a target.
const TURN: u64 = 3_000;

/// The number of random inputs that are tried for another start.
const TRIES: usize = 50;

pub fn search(session: &mut Session<'_>) {
    let patience = usize::try_from(session.effort.patience / 4).unwrap_or(usize::MAX);
    let most = seeds::MAX_SEEDS.min(patience);
    let mut targets = Targets::new(session);
    let (inputs, are_all) = targets.values.inputs(most, &mut targets.session.rng);
    let left = if are_all { 0 } else { most.saturating_sub(inputs.len()) };
    evaluate(&mut targets, inputs);
    targets.values.drop_faulty();
    let more = targets.values.combinations(left, &mut targets.session.rng);
    evaluate(&mut targets, more);
    while !targets.session.is_over() {
        let Some(target) = targets.next() else { return };
        take_turn(&mut targets, target);
    }
}

/// Evaluate `inputs`, and record which of their values are clean.
fn evaluate(targets: &mut Targets<'_, '_>, inputs: Vec<Vec<u64>>) {
    for input in inputs {
        if targets.session.is_over() {
            return;
        }
        targets.evaluate(&input);
        targets.values.record(&input, targets.session.end.is_clean());
    }
}

/// Spend a turn on `target`. Turns start at the input that is nearest by steps, or by the other metrics, or, because these
/// can be dead ends, somewhere else.
fn take_turn(targets: &mut Targets<'_, '_>, target: usize) {
    let turn = targets.begin_turn(target);
    let metric = match turn % 8 {
        1 | 5 => Metric::Other,
        4 => Metric::Visits,
        _ => Metric::Steps,
    };
    let begun = targets.session.evaluations;
    let Some(nearest) = targets.nearest(target, metric) else { return };
    let start = match turn % 4 {
        0 | 1 => nearest.clone(),
        // A distance of one step has no slope: the condition may test a flag that inputs for other targets set.
        _ if turn > 4 && targets.is_one_away(target) => {
            targets.session.random_found().unwrap_or_else(|| nearest.clone())
        }
        _ => other_start(targets, target, nearest.clone()),
    };
    let options = Options {
        metric,
        until: begun + TURN,
        uses_operands: turn % 8 < 6,
        max_power: if turn % 4 == 3 { targets.session.rng.random_range(4..64) } else { 64 },
    };
    descend(Descent::new(targets, target, options), &nearest, start, turn);
    targets.end_turn(target, begun);
}

/// Descend from `start`, until the turn is over. `guide` is an input whose run reaches the conditions of the target.
fn descend(mut descent: Descent<'_, '_, '_>, guide: &[u64], start: Vec<u64>, turn: u32) {
    descent.learn_guards(&start);
    if !descent.has_guards() && guide != start {
        descent.learn_guards(guide);
    }
    let Some(mut at) = descent.point(start) else { return };
    descent.choose_cells(&at);
    descent.descend_to_minimum(&mut at, None);
    if turn.is_multiple_of(2) {
        newton::solve(&mut descent, &at, turn);
    }
    while !descent.is_over() && !at.input.is_empty() {
        descent.perturbation(&mut at);
    }
}

/// A random variation of `nearest` that comes near `target` too, or `nearest`.
fn other_start(targets: &mut Targets<'_, '_>, target: usize, nearest: Vec<u64>) -> Vec<u64> {
    for _ in 0..TRIES {
        let mut input = nearest.clone();
        for (cell, bits) in input.iter_mut().enumerate() {
            if nearest.len() == 1 || targets.session.rng.random_bool(0.5) {
                *bits = targets.values.random(cell, &mut targets.session.rng);
            }
        }
        targets.evaluate(&input);
        if targets.session.measures.of(target).is_some() {
            return input;
        }
    }
    nearest
}
