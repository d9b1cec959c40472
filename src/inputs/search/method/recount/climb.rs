//! One turn at one target: downhill, number by number, in the order of the values.

use std::collections::HashSet;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use super::super::super::distance::{Compared, Distance, compared, distance};
use super::super::super::run::{Visit, VisitKind};
use super::newton;
use super::pursuit::{Hunt, Measure};
use super::seeds::MANY;
use crate::model::Number;
use crate::syntax::search::{Comparison, Probes};

/// What a guard that was not passed adds to a distance: more than any distance to a target.
const GUARD: u128 = 1 << 112;

/// Places at which a difference changes its sign that are looked for with one number.
const CROSSINGS: u32 = 4;

/// How a turn goes about it: not always the same way, since every way has its dead ends.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether the operands of conditions suggest values.
    pub suggests: bool,
    /// The first step is 2 to this power, if the type is as wide.
    pub highest: u32,
}

/// A turn.
pub struct Climb<'h, 's, 'a> {
    hunt: &'h mut Hunt<'s, 'a>,
    target: usize,
    measure: Measure,
    until: u64,
    style: Style,
    /// The conditions that lead to the target.
    leading: Vec<usize>,
    /// The branches that the first run of this turn took on its way to them, in order.
    guards: Vec<(usize, bool)>,
    /// What the leading conditions compared in the last evaluation; behind them the guard that was not passed.
    pairs: Vec<Option<Compared>>,
    /// The cells that are worked on, in their order.
    cells: Vec<usize>,
}

/// An input, its distance, and what the leading conditions compared.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its bits.
    pub input: Vec<u64>,
    /// By the measure of this turn.
    pub distance: u128,
    /// What each leading condition compared, where it did, and the guard that was not passed.
    pub pairs: Vec<Option<Compared>>,
}

impl<'h, 's, 'a> Climb<'h, 's, 'a> {
    /// A turn at `target`, by `measure`, until so many evaluations have been spent.
    pub fn new(
        hunt: &'h mut Hunt<'s, 'a>,
        (target, measure): (usize, Measure),
        until: u64,
        style: Style,
    ) -> Climb<'h, 's, 'a> {
        let leading = hunt.session.goal.leading(target);
        let pairs = vec![None; leading.len() + 1];
        Climb { hunt, target, measure, until, style, pairs, leading, guards: Vec::new(), cells: Vec::new() }
    }

    /// Whether the turn is over.
    pub fn is_over(&self) -> bool {
        !self.hunt.session.is_open(self.target)
            || self.hunt.session.spent() >= self.until
            || self.hunt.session.is_over()
    }

    /// Evaluate `input`: its distance to the target, or to the guard on the way to it that it did not pass.
    pub fn distance(&mut self, input: &[u64]) -> Option<u128> {
        let (leading, pairs, guards) = (&self.leading, &mut self.pairs, &self.guards);
        pairs.fill(None);
        let probes = &self.hunt.session.problem.probes;
        let (mut stopped, mut reached) = (None, false);
        self.hunt.session.evaluate_with(input, |run, _| {
            for visit in run.visits {
                if matches!(visit.kind(), VisitKind::Condition | VisitKind::Shadow)
                    && let Some(at) = leading.iter().position(|condition| *condition == visit.index())
                {
                    // Where something lies in memory says nothing, and differs from run to run.
                    pairs[at] = (!visit.is_of_pointers()).then(|| compared(visit));
                    reached = true;
                }
            }
            if !reached {
                stopped = last_guard(probes, guards, run.visits);
            }
        });
        self.hunt.note(input);
        if let Some(distance) = self.hunt.session.measures.of(self.target) {
            return Some(self.hunt.session.all(distance)[self.measure as usize]);
        }
        let (left, distance, pair) = stopped?;
        if let Some(last) = self.pairs.last_mut() {
            *last = Some(pair);
        }
        Some(left as u128 * GUARD + self.hunt.session.all(distance)[self.measure as usize])
    }

    /// Evaluate `input` as a point; none where it did not come near.
    pub fn point(&mut self, input: Vec<u64>) -> Option<Point> {
        let distance = self.distance(&input)?;
        Some(Point { input, distance, pairs: self.pairs.clone() })
    }

    /// Learn from `input` which branches are on the way to the target.
    fn learn(&mut self, input: &[u64]) {
        let (leading, guards) = (&self.leading, &mut self.guards);
        self.hunt.session.evaluate_with(input, |run, _| {
            for visit in run.visits.iter().filter(|visit| visit.kind() == VisitKind::Condition) {
                if leading.contains(&visit.index()) {
                    return;
                }
                let step = (visit.index(), visit.outcome != 0);
                if !guards.contains(&step) {
                    guards.push(step);
                }
            }
            // The way does not lead there, or it is a switch's.
            guards.clear();
        });
    }

    /// Whether the leading condition `at` is `==` or `!=`.
    pub fn compares_for_equality(&self, at: usize) -> bool {
        let probes = &self.hunt.session.problem.probes;
        let comparison = self.leading.get(at).map(|condition| probes.conditions[*condition].comparison);
        matches!(comparison, Some(Comparison::Equal | Comparison::Unequal))
    }

    /// The type of cell `cell`.
    pub fn number(&self, cell: usize) -> Number {
        self.hunt.session.problem.cells[cell].number
    }

    /// The source of chance.
    pub fn chance(&mut self) -> &mut ChaCha8Rng {
        &mut self.hunt.session.rng
    }

    /// Take the turn from `start`; `guide` shows the way, where it reaches the target's conditions.
    pub fn run(&mut self, guide: &[u64], start: Vec<u64>, turn: u32) {
        self.learn(&start);
        if self.guards.is_empty() && guide != start {
            self.learn(guide);
        }
        let Some(mut at) = self.point(start) else { return };
        self.cells = self.order(&at);
        self.descend(&mut at, None);
        if turn.is_multiple_of(2) {
            newton::solve(self, &at, turn);
        }
        while !self.is_over() && !at.input.is_empty() {
            self.kick(&mut at);
        }
    }

    /// The cells. Of many only those that the leading conditions feel, by chance the others too: else a turn is over
    /// before the last one had its own.
    fn order(&mut self, at: &Point) -> Vec<usize> {
        let mut cells: Vec<usize> = (0..at.input.len()).collect();
        if cells.len() <= MANY {
            return cells;
        }
        cells.shuffle(&mut self.hunt.session.rng);
        let felt: Vec<usize> = cells.iter().copied().filter(|cell| self.is_felt(at, *cell)).collect();
        if felt.is_empty() || self.chance().random_bool(0.2) { cells } else { felt }
    }

    /// Whether a step, a long one or other bits in `cell` change what leads to the target.
    fn is_felt(&mut self, at: &Point, cell: usize) -> bool {
        let number = self.number(cell);
        let ordinal = number.ordinal(at.input[cell]);
        let far = 1_i128 << (number.width().max(2) - 2);
        [ordinal + 1, ordinal - 1, ordinal + far, ordinal - far].into_iter().any(|ordinal| {
            let mut input = at.input.clone();
            input[cell] = number.at(ordinal);
            self.point(input).is_none_or(|there| there.distance != at.distance || there.pairs != at.pairs)
        })
    }

    /// Go downhill until no move of one number helps; `fixed` stays as it is.
    pub fn descend(&mut self, at: &mut Point, fixed: Option<usize>) {
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

    /// Push one number off, solve for the others, and stay if that is nearer. Numbers that are equal may have to be,
    /// and are pushed together at times.
    fn kick(&mut self, at: &mut Point) {
        let rng = &mut self.hunt.session.rng;
        let cell = self.cells[rng.random_range(0..self.cells.len())];
        let number = self.hunt.session.problem.cells[cell].number;
        let step: i128 = rng.random_range(1_i128..=8) << rng.random_range(0..number.width().max(2) - 1);
        let step = if rng.random_bool(0.5) { step } else { -step };
        let is_twin = |other: &usize| {
            *other != cell && at.input[*other] == at.input[cell] && self.number(*other) == number
        };
        let twins: Vec<usize> = self.cells.iter().copied().filter(is_twin).collect();
        if twins.is_empty() || self.chance().random_bool(0.5) {
            return self.push(at, cell, step);
        }
        let mut input = at.input.clone();
        let others = twins.iter().copied().filter(|_| self.hunt.session.rng.random_bool(0.5));
        for cell in others.chain([cell]) {
            input[cell] = number.at(number.ordinal(input[cell]) + step);
        }
        self.settle(at, input, cell);
    }

    /// Move number `cell` so many values on, solve for the others, and stay if that is nearer.
    pub fn push(&mut self, at: &mut Point, cell: usize, step: i128) {
        let number = self.number(cell);
        let mut input = at.input.clone();
        input[cell] = number.at(number.ordinal(input[cell]) + step);
        self.settle(at, input, cell);
    }

    /// Solve for all numbers of `input` but `cell`, and stay there if that is nearer.
    fn settle(&mut self, at: &mut Point, input: Vec<u64>, cell: usize) {
        let Some(mut there) = self.point(input) else { return };
        self.descend(&mut there, Some(cell));
        if there.distance < at.distance {
            *at = there;
        }
    }

    /// Move cell `cell` as far down as it goes.
    fn solve(&mut self, at: &mut Point, cell: usize) {
        let number = self.number(cell);
        if self.style.suggests {
            for value in self.suggested(at, cell) {
                self.step(at, cell, value);
            }
        }
        let mut crossings = 0;
        for power in (0..number.width().min(self.style.highest)).rev() {
            for sign in [1_i128, -1] {
                loop {
                    if self.is_over() {
                        return;
                    }
                    let from = number.ordinal(at.input[cell]);
                    let value = number.at(from + (sign << power));
                    if value == at.input[cell] {
                        break;
                    }
                    let old = at.clone();
                    let is_nearer = self.step(at, cell, value);
                    if crossings < CROSSINGS && self.has_crossed(&old) {
                        crossings += 1;
                        self.bisect(at, &old, cell, value);
                    }
                    if !is_nearer {
                        break;
                    }
                }
            }
        }
        for bit in 0..number.width() {
            let value = number.wrap(at.input[cell] ^ (1 << bit));
            self.step(at, cell, value);
        }
    }

    /// Set cell `cell` to `value` if that is nearer.
    fn step(&mut self, at: &mut Point, cell: usize, value: u64) -> bool {
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

    /// Whether some leading condition's operands changed places between `old` and the last evaluation.
    fn has_crossed(&self, old: &Point) -> bool {
        old.pairs.iter().zip(&self.pairs).any(|pairs| match pairs {
            (Some(old), Some(new)) => old.side() * new.side() < 0,
            _ => false,
        })
    }

    /// Between `old` and the same with `value` in `cell` the operands changed places: look for where.
    fn bisect(&mut self, at: &mut Point, old: &Point, cell: usize, value: u64) {
        let Some(pair) = old.pairs.iter().zip(&self.pairs).position(|pairs| match pairs {
            (Some(old), Some(new)) => old.side() * new.side() < 0,
            _ => false,
        }) else {
            return;
        };
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

    /// Values for cell `cell` that the operands of the leading conditions suggest, and the other cells.
    fn suggested(&self, at: &Point, cell: usize) -> Vec<u64> {
        let number = self.number(cell);
        let here = number.value(at.input[cell]);
        let ordinal = number.ordinal(at.input[cell]);
        let mut found = Vec::new();
        for pair in at.pairs.iter().flatten() {
            let (left, right) = (pair.number.value(pair.left), pair.number.value(pair.right));
            let wanted = [
                left,
                right,
                here + (right - left),
                here - (right - left),
                here * (right / left),
                here * (left / right),
            ];
            for value in wanted.into_iter().filter(|value| !value.is_nan()) {
                let middle = number.ordinal(number.nearest(value));
                found.extend([middle, middle + 1, middle - 1].map(|ordinal| number.at(ordinal)));
            }
            if !number.is_float() && !pair.number.is_float() {
                let gap = pair.number.ordinal(pair.right) - pair.number.ordinal(pair.left);
                found.extend([ordinal + gap, ordinal - gap].map(|ordinal| number.at(ordinal)));
            }
        }
        for (other, bits) in at.input.iter().enumerate().filter(|(other, _)| *other != cell) {
            let value = self.number(other).value(*bits);
            let middle = number.ordinal(number.nearest(value));
            found.extend([middle, middle + 1, middle - 1].map(|ordinal| number.at(ordinal)));
        }
        found.extend([
            number.nearest(-here),
            number.nearest(0.0),
            number.nearest(1.0),
            number.nearest(here.round()),
        ]);
        let mut seen = HashSet::new();
        found.retain(|value| seen.insert(*value));
        found
    }
}

/// Of `guards`, the last one that a run came to, if it did not pass it: how many are left with it, how far it was from passing,
/// and what was compared there.
fn last_guard(
    probes: &Probes,
    guards: &[(usize, bool)],
    visits: &[Visit],
) -> Option<(usize, Distance, Compared)> {
    for (at, (condition, outcome)) in guards.iter().enumerate().rev() {
        let mut nearest: Option<(Distance, Compared)> = None;
        let mut parts = Vec::new();
        for visit in visits {
            match visit.kind() {
                VisitKind::Part if visit.index() == *condition => parts.push(visit.left),
                VisitKind::Condition if visit.index() == *condition => {
                    let far = distance(probes.conditions[*condition].comparison, visit, *outcome, &parts);
                    parts.clear();
                    if nearest.is_none_or(|(known, _)| far.steps < known.steps) {
                        nearest = Some((far, compared(visit)));
                    }
                }
                _ => {}
            }
        }
        if let Some((far, pair)) = nearest {
            return (!far.is_zero()).then_some((guards.len() - at, far, pair));
        }
    }
    None
}
