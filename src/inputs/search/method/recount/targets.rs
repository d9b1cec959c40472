//! The state of each target: the nearest inputs, and the evaluations spent on it.

use super::super::super::distance::Distance;
use super::super::super::session::Session;
use super::seeds::StartValues;

/// Added to the distance of a faulty input. Such an input cannot be kept, but may lead to one that can.
const FAULT: u128 = 1 << 100;

/// Three ways to measure how far an input is from a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// The values between the operands.
    Steps,
    /// Bits, or the difference of the values.
    Other,
    /// The fewer visits, the farther, because a loop may need many rounds; then steps.
    Visits,
}

/// More visits than any run has.
const MAX_VISITS: u128 = 1 << 20;

/// The weight of a visit: more than any distance.
const VISIT: u128 = 1 << 70;

#[derive(Clone, Debug, Default)]
struct State {
    /// The nearest inputs, by each [`Metric`].
    nearest: [Option<(u128, Vec<u64>)>; 3],
    evaluations: u64,
    /// Evaluations since an input came nearer.
    stalled: u64,
    turns: u32,
    /// Whether an input came nearer in this turn.
    has_improved: bool,
}

/// A search with the state of its targets.
pub struct Targets<'s, 'a> {
    pub session: &'s mut Session<'a>,
    pub values: StartValues<'a>,
    states: Vec<State>,
}

impl<'s, 'a> Targets<'s, 'a> {
    pub fn new(session: &'s mut Session<'a>) -> Targets<'s, 'a> {
        let states = vec![State::default(); session.goal.targets().len()];
        let values = StartValues::new(session.problem);
        Targets { session, values, states }
    }

    /// Evaluate `input`, and keep it if it is the nearest to some target.
    pub fn evaluate(&mut self, input: &[u64]) {
        self.session.evaluate(input);
        self.record(input);
    }

    /// Keep `input`, which was evaluated last, if it is the nearest to some target.
    pub fn record(&mut self, input: &[u64]) {
        for (target, distance) in self.session.measures.near() {
            if !self.session.is_open(target) {
                continue;
            }
            let state = &mut self.states[target];
            for (distance, nearest) in self.session.metrics(distance).into_iter().zip(&mut state.nearest) {
                match nearest {
                    Some((known, _)) if distance >= *known => continue,
                    Some((known, kept)) => {
                        *known = distance;
                        kept.copy_from_slice(input);
                    }
                    None => *nearest = Some((distance, input.to_vec())),
                }
                state.has_improved = true;
            }
        }
    }

    /// The open target on which the fewest evaluations were spent, of those that some run came near.
    pub fn next(&self) -> Option<usize> {
        let is_due =
            |target: &usize| self.session.is_open(*target) && self.states[*target].nearest[0].is_some();
        (0..self.states.len()).filter(is_due).min_by_key(|target| self.states[*target].evaluations)
    }

    /// Begin a turn at `target`; returns its number, from 0.
    pub fn begin_turn(&mut self, target: usize) -> u32 {
        let state = &mut self.states[target];
        state.turns += 1;
        state.has_improved = false;
        state.turns - 1
    }

    /// End a turn at `target` that began after `begun` evaluations, and give the target up when patience runs out.
    pub fn end_turn(&mut self, target: usize, begun: u64) {
        let spent = (self.session.evaluations - begun).max(1);
        let state = &mut self.states[target];
        state.evaluations += spent;
        state.stalled = if state.has_improved { 0 } else { state.stalled + spent };
        if state.stalled >= self.session.effort.patience {
            self.session.give_up(target);
        }
    }

    pub fn nearest(&self, target: usize, metric: Metric) -> Option<Vec<u64>> {
        self.states[target].nearest[metric as usize].as_ref().map(|(_, input)| input.clone())
    }

    /// Whether the nearest input misses `target` by one step.
    pub fn is_one_away(&self, target: usize) -> bool {
        self.states[target].nearest[0].as_ref().is_some_and(|(distance, _)| *distance == 1)
    }
}

impl Session<'_> {
    /// `distance`, which the last run had, by each [`Metric`].
    pub(super) fn metrics(&self, distance: Distance) -> [u128; 3] {
        let fault = if self.end.is_clean() { 0 } else { FAULT };
        let left = MAX_VISITS - (self.visits as u128).min(MAX_VISITS);
        let visits = if distance.is_zero() { 0 } else { left * VISIT + distance.steps };
        [distance.steps, distance.other, visits].map(|metric| metric + fault)
    }
}
