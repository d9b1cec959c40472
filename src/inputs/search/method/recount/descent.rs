//! One turn at one target: downhill, one number at a time, in steps in the order of the values.

use std::collections::HashSet;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use super::super::super::distance::{Compared, Distance, compared, from_outcome};
use super::super::super::run::{Visit, VisitKind};
use super::seeds::MANY;
use super::targets::{Metric, Targets};
use crate::model::Number;
use crate::syntax::search::Probes;

/// The distance of a guard that was not passed: more than any distance from a target.
const GUARD: u128 = 1 << 112;

/// For each number, at most this many changes of sign of a difference are located by bisection.
const CROSSINGS: u32 = 4;

/// The strategy of a turn. It varies from turn to turn, because each strategy can get stuck.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub metric: Metric,
    /// The number of evaluations at which the turn ends.
    pub until: u64,
    /// Whether to try the operands of conditions as values.
    pub uses_operands: bool,
    /// The first step is 2 to this power, if the type is that wide.
    pub max_power: u32,
}

/// An input, its distance, and the operands of the deciding conditions.
#[derive(Clone, Debug)]
pub struct Point {
    pub input: Vec<u64>,
    /// By the metric of this turn.
    pub distance: u128,
    /// The operands of each deciding condition that was evaluated, then those of the guard that was not passed.
    pub pairs: Vec<Option<Compared>>,
}

pub struct Descent<'h, 's, 'a> {
    targets: &'h mut Targets<'s, 'a>,
    target: usize,
    options: Options,
    /// The conditions that decide whether the target is met.
    deciding: Vec<usize>,
    /// The branches that lead to them, in order.
    guards: Vec<(usize, bool)>,
    /// [`Point::pairs`] of the last evaluation.
    pairs: Vec<Option<Compared>>,
    /// The cells to change, in order.
    cells: Vec<usize>,
}

impl<'h, 's, 'a> Descent<'h, 's, 'a> {
    pub fn new(targets: &'h mut Targets<'s, 'a>, target: usize, options: Options) -> Self {
        let deciding = targets.session.goal.deciding_conditions(target);
        let pairs = vec![None; deciding.len() + 1];
        let (guards, cells) = (Vec::new(), Vec::new());
        Descent { targets, target, options, deciding, guards, pairs, cells }
    }

    /// Whether the turn is over.
    pub fn is_over(&self) -> bool {
        let session = &self.targets.session;
        !session.is_open(self.target) || session.evaluations >= self.options.until || session.is_over()
    }

    /// Evaluate `input`: its distance from the target, or from the first guard that it did not pass.
    fn distance(&mut self, input: &[u64]) -> Option<u128> {
        let (deciding, pairs, guards) = (&self.deciding, &mut self.pairs, &self.guards);
        pairs.fill(None);
        let probes = &self.targets.session.problem.probes;
        let missed = self.targets.session.evaluate_with(input, |run, _| {
            let mut is_reached = false;
            for visit in run.visits.iter().filter(|visit| visit.is_of_condition()) {
                if let Some(at) = deciding.iter().position(|condition| *condition == visit.index()) {
                    // Addresses mean nothing, and differ from run to run.
                    pairs[at] = (!visit.compares_pointers()).then(|| compared(visit));
                    is_reached = true;
                }
            }
            if is_reached { None } else { missed_guard(probes, guards, run.visits) }
        });
        self.targets.record(input);
        let session = &self.targets.session;
        if let Some(distance) = session.measures.of(self.target) {
            return Some(session.metrics(distance)[self.options.metric as usize]);
        }
        let (left, distance, pair) = missed?;
        self.pairs[self.deciding.len()] = Some(pair);
        Some(left as u128 * GUARD + session.metrics(distance)[self.options.metric as usize])
    }

    /// Evaluate `input` as a point; none if it did not come near.
    pub fn point(&mut self, input: Vec<u64>) -> Option<Point> {
        let distance = self.distance(&input)?;
        Some(Point { input, distance, pairs: self.pairs.clone() })
    }

    pub fn has_guards(&self) -> bool {
        !self.guards.is_empty()
    }

    /// Learn from the run of `input` which branches lead to the target.
    pub fn learn_guards(&mut self, input: &[u64]) {
        let (deciding, guards) = (&self.deciding, &mut self.guards);
        self.targets.session.evaluate_with(input, |run, _| {
            for visit in run.visits.iter().filter(|visit| visit.kind() == VisitKind::Condition) {
                if deciding.contains(&visit.index()) {
                    return;
                }
                let step = (visit.index(), visit.outcome != 0);
                if !guards.contains(&step) {
                    guards.push(step);
                }
            }
            // The run does not reach the target's conditions, or the target belongs to a switch.
            guards.clear();
        });
    }

    /// Whether deciding condition `at` is `==` or `!=`.
    pub fn is_equality(&self, at: usize) -> bool {
        let conditions = &self.targets.session.problem.probes.conditions;
        self.deciding.get(at).is_some_and(|condition| conditions[*condition].comparison.is_equality())
    }

    /// The type of cell `cell`.
    pub fn number(&self, cell: usize) -> Number {
        self.targets.session.problem.cells[cell].number
    }

    pub fn rng(&mut self) -> &mut ChaCha8Rng {
        &mut self.targets.session.rng
    }

    /// Choose the cells to change. If there are many, these are usually only the cells that influence the deciding
    /// conditions; otherwise the turn would end before the last cell had its own.
    pub fn choose_cells(&mut self, at: &Point) {
        self.cells = (0..at.input.len()).collect();
        if self.cells.len() <= MANY {
            return;
        }
        let mut cells = self.cells.clone();
        cells.shuffle(self.rng());
        let influential: Vec<usize> =
            cells.iter().copied().filter(|cell| self.has_influence(at, *cell)).collect();
        self.cells = if influential.is_empty() || self.rng().random_bool(0.2) { cells } else { influential };
    }

    /// Whether a short or a long step in `cell` changes the operands of the deciding conditions.
    fn has_influence(&mut self, at: &Point, cell: usize) -> bool {
        let far = 1_i128 << (self.number(cell).width().max(2) - 2);
        [1, -1, far, -far].into_iter().any(|step| {
            let there = self.point(self.moved(&at.input, cell, step));
            there.is_none_or(|there| there.distance != at.distance || there.pairs != at.pairs)
        })
    }

    /// `input` with `step` more values in `cell`.
    fn moved(&self, input: &[u64], cell: usize, step: i128) -> Vec<u64> {
        let number = self.number(cell);
        let mut input = input.to_vec();
        input[cell] = number.at(number.ordinal(input[cell]) + step);
        input
    }

    /// Go downhill until no change of a single number helps. `fixed` stays as it is.
    pub fn descend_to_minimum(&mut self, at: &mut Point, fixed: Option<usize>) {
        loop {
            let before = at.distance;
            for place in 0..self.cells.len() {
                let cell = self.cells[place];
                if Some(cell) != fixed {
                    self.solve(at, cell);
                }
                if self.is_over() {
                    return;
                }
            }
            if at.distance >= before {
                return;
            }
        }
    }

    /// Change one number, solve for the others, and keep the result if it is nearer. Equal numbers may have to stay equal,
    /// so they are sometimes changed together.
    pub fn perturbation(&mut self, at: &mut Point) {
        let rng = &mut self.targets.session.rng;
        let cell = self.cells[rng.random_range(0..self.cells.len())];
        let number = self.targets.session.problem.cells[cell].number;
        let step: i128 = rng.random_range(1_i128..=8) << rng.random_range(0..number.width().max(2) - 1);
        let step = if rng.random_bool(0.5) { step } else { -step };
        let is_twin = |other: &usize| {
            *other != cell && at.input[*other] == at.input[cell] && self.number(*other) == number
        };
        let twins: Vec<usize> = self.cells.iter().copied().filter(is_twin).collect();
        let mut input = at.input.clone();
        if !twins.is_empty() && !self.rng().random_bool(0.5) {
            for twin in twins {
                if self.rng().random_bool(0.5) {
                    input = self.moved(&input, twin, step);
                }
            }
        }
        self.settle(at, self.moved(&input, cell, step), cell);
    }

    /// Move number `cell` by `step` values, solve for the others, and keep the result if it is nearer.
    pub fn push(&mut self, at: &mut Point, cell: usize, step: i128) {
        self.settle(at, self.moved(&at.input, cell, step), cell);
    }

    /// Solve for all numbers of `input` but `cell`, and keep the result if it is nearer.
    fn settle(&mut self, at: &mut Point, input: Vec<u64>, cell: usize) {
        let Some(mut there) = self.point(input) else { return };
        self.descend_to_minimum(&mut there, Some(cell));
        if there.distance < at.distance {
            *at = there;
        }
    }

    /// Go downhill in `cell` alone.
    fn solve(&mut self, at: &mut Point, cell: usize) {
        let number = self.number(cell);
        if self.options.uses_operands {
            for value in self.suggestions(at, cell) {
                self.set(at, cell, value);
            }
        }
        let mut crossings = 0;
        for power in (0..number.width().min(self.options.max_power)).rev() {
            for sign in [1_i128, -1] {
                loop {
                    if self.is_over() {
                        return;
                    }
                    let value = number.at(number.ordinal(at.input[cell]) + (sign << power));
                    if value == at.input[cell] {
                        break;
                    }
                    let old = at.clone();
                    let is_nearer = self.set(at, cell, value);
                    if crossings < CROSSINGS
                        && let Some(pair) = self.crossed(&old)
                    {
                        crossings += 1;
                        self.bisect(at, &old, pair, cell, value);
                    }
                    if !is_nearer {
                        break;
                    }
                }
            }
        }
        for bit in 0..number.width() {
            let value = number.wrap(at.input[cell] ^ (1 << bit));
            self.set(at, cell, value);
        }
    }

    /// Set cell `cell` to `value` if that is nearer.
    fn set(&mut self, at: &mut Point, cell: usize, value: u64) -> bool {
        let old = at.input[cell];
        if old == value || self.is_over() {
            return false;
        }
        at.input[cell] = value;
        match self.distance(&at.input) {
            Some(distance) if distance < at.distance => {
                at.distance = distance;
                at.pairs.clone_from(&self.pairs);
                true
            }
            _ => {
                at.input[cell] = old;
                false
            }
        }
    }

    /// The first pair of operands whose difference changed its sign between `old` and the last evaluation.
    fn crossed(&self, old: &Point) -> Option<usize> {
        old.pairs.iter().zip(&self.pairs).position(|pairs| match pairs {
            (Some(old), Some(new)) => old.side() * new.side() < 0,
            _ => false,
        })
    }

    /// Between `old` and the same input with `value` in `cell`, the difference of `pair` changes its sign: find where.
    fn bisect(&mut self, at: &mut Point, old: &Point, pair: usize, cell: usize, value: u64) {
        let number = self.number(cell);
        let side = old.pairs[pair].map_or(0, Compared::side);
        let (mut low, mut high) = (number.ordinal(old.input[cell]), number.ordinal(value));
        let mut input = old.input.clone();
        while low.abs_diff(high) > 1 && !self.is_over() {
            let middle = low + (high - low) / 2;
            input[cell] = number.at(middle);
            let distance = self.distance(&input);
            if let Some(distance) = distance.filter(|distance| *distance < at.distance) {
                *at = Point { input: input.clone(), distance, pairs: self.pairs.clone() };
            }
            match self.pairs[pair] {
                Some(compared) if compared.side() == side => low = middle,
                Some(_) => high = middle,
                None => return,
            }
        }
    }

    /// Values for cell `cell` that follow from the operands of the deciding conditions, and from the other cells.
    fn suggestions(&self, at: &Point, cell: usize) -> Vec<u64> {
        let number = self.number(cell);
        let here = number.value(at.input[cell]);
        let ordinal = number.ordinal(at.input[cell]);
        let around = |value: f64| {
            let middle = number.ordinal(number.nearest(value));
            [middle, middle + 1, middle - 1].map(|ordinal| number.at(ordinal))
        };
        let mut found = Vec::new();
        for pair in at.pairs.iter().flatten() {
            let (left, right) = pair.values();
            let difference = right - left;
            let scaled = [here * (right / left), here * (left / right)];
            let values = [left, right, here + difference, here - difference].into_iter().chain(scaled);
            found.extend(values.filter(|value| !value.is_nan()).flat_map(around));
            if !number.is_float() && !pair.number.is_float() {
                let gap = pair.steps();
                found.extend([ordinal - gap, ordinal + gap].map(|ordinal| number.at(ordinal)));
            }
        }
        for (other, bits) in at.input.iter().enumerate().filter(|(other, _)| *other != cell) {
            found.extend(around(self.number(other).value(*bits)));
        }
        found.extend([-here, 0.0, 1.0, here.round()].map(|value| number.nearest(value)));
        let mut seen = HashSet::new();
        found.retain(|value| seen.insert(*value));
        found
    }
}

/// The last of `guards` that a run reached, if the run did not pass it: the number of guards from there on, the distance from
/// passing it, and its operands.
fn missed_guard(
    probes: &Probes,
    guards: &[(usize, bool)],
    visits: &[Visit],
) -> Option<(usize, Distance, Compared)> {
    for (at, (condition, outcome)) in guards.iter().enumerate().rev() {
        let mut nearest: Option<(Distance, Compared)> = None;
        let mut parts = Vec::new();
        for visit in visits.iter().filter(|visit| visit.index() == *condition) {
            match visit.kind() {
                VisitKind::Part => parts.push(visit.left),
                VisitKind::Condition => {
                    let distance = from_outcome(probes, visit, *outcome, &parts);
                    parts.clear();
                    if nearest.is_none_or(|(known, _)| distance.steps < known.steps) {
                        nearest = Some((distance, compared(visit)));
                    }
                }
                _ => {}
            }
        }
        if let Some((distance, pair)) = nearest {
            return (!distance.is_zero()).then_some((guards.len() - at, distance, pair));
        }
    }
    None
}
