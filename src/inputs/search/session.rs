//! A search in progress: its evaluations, the targets that it met, and the targets that remain. All methods evaluate
//! through it, so that the numbers by which they are compared are counted in one place.

use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};

use super::goal::{Goal, Measures, Target};
use super::problem::Problem;
use super::run::{Run, RunEnd, Subject};
use crate::model::Line;

/// The number of inputs that are kept for each kind of fault.
const MAX_FAULTS: usize = 3;

/// A target that only faulty inputs have met is given up after this many of them.
const MAX_FAULTY_HITS: u32 = 500;

/// Evaluations between two reports of progress.
const REPORT: u64 = 256;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The bits of its cells.
    pub bits: Vec<u64>,
    pub end: RunEnd,
    /// The line of the last probe, if the end is not clean.
    pub last_line: Option<Line>,
}

/// An input that met something new, and ends cleanly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    pub input: Input,
    /// All targets that it meets.
    pub meets: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// The maximum number of evaluations.
    pub budget: u64,
    /// The number of evaluations without a smaller distance after which a target is given up.
    pub patience: u64,
}

/// Called with the evaluations so far, the number of requested targets met, and whether one was just met. The search stops
/// if it returns false.
pub type OnProgress<'a> = &'a mut dyn FnMut(u64, usize, bool) -> bool;

/// The result of a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    pub targets: Vec<Target>,
    /// The inputs that met something first, in the order in which they were found.
    pub found: Vec<Found>,
    /// Requested targets that no input met, with the least distance in steps; none if no run came near.
    pub unmet: BTreeMap<usize, Option<u128>>,
    /// Targets met only by faulty inputs.
    pub only_by_faults: BTreeSet<usize>,
    /// Inputs whose runs do not end cleanly, a few of each kind.
    pub faults: Vec<Input>,
    pub evaluations: u64,
    /// Whether it ended because no target was left, not because evaluations or time ran out.
    pub complete: bool,
    /// For each evaluation that met a target first, the number of requested targets met by then.
    pub progress: Vec<(u64, usize)>,
}

pub struct Session<'a> {
    pub problem: &'a Problem,
    pub goal: Box<dyn Goal>,
    pub rng: ChaCha8Rng,
    /// The distances of the last run.
    pub measures: Measures,
    /// Whether targets that an evaluation meets are recorded as met.
    pub records_targets: bool,
    /// The end of the last run.
    pub end: RunEnd,
    /// The number of visits in the last run.
    pub visits: usize,
    pub evaluations: u64,
    pub effort: Effort,
    /// The targets that are neither met nor given up.
    open: Vec<bool>,
    subject: &'a mut dyn Subject,
    is_stopped: bool,
    /// Requested targets that are open.
    left: usize,
    met: Vec<bool>,
    least: Vec<Option<u128>>,
    found: Vec<Found>,
    /// How often faulty inputs met each target.
    faulty_hits: BTreeMap<usize, u32>,
    faults: BTreeMap<(RunEnd, Option<Line>), Vec<Vec<u64>>>,
    progress: Vec<(u64, usize)>,
    on_progress: OnProgress<'a>,
}

impl<'a> Session<'a> {
    pub fn new(
        problem: &'a Problem,
        goal: Box<dyn Goal>,
        subject: &'a mut dyn Subject,
        (seed, effort): (u64, Effort),
        on_progress: OnProgress<'a>,
    ) -> Session<'a> {
        let targets = goal.targets().len();
        Session {
            left: goal.targets().iter().filter(|target| target.is_requested).count(),
            problem,
            measures: Measures::new(targets),
            end: RunEnd::Returned,
            visits: 0,
            records_targets: true,
            goal,
            subject,
            rng: ChaCha8Rng::seed_from_u64(seed),
            open: vec![true; targets],
            effort,
            evaluations: 0,
            is_stopped: false,
            met: vec![false; targets],
            least: vec![None; targets],
            found: Vec::new(),
            faulty_hits: BTreeMap::new(),
            faults: BTreeMap::new(),
            progress: Vec::new(),
            on_progress,
        }
    }

    /// Whether the budget is spent, or every requested target is met or given up.
    pub fn is_over(&self) -> bool {
        self.is_stopped || self.evaluations >= self.effort.budget || self.left == 0
    }

    /// Whether `target` is neither met nor given up.
    pub fn is_open(&self, target: usize) -> bool {
        self.open[target]
    }

    /// A random one of the inputs that met something.
    pub fn random_found(&mut self) -> Option<Vec<u64>> {
        let at = self.rng.random_range(0..self.found.len().max(1));
        self.found.get(at).map(|found| found.input.bits.clone())
    }

    /// Keep `input`, which was evaluated last, although it meets no target.
    pub fn keep(&mut self, input: &[u64], meets: Vec<usize>) {
        let input = Input { bits: input.to_vec(), end: self.end, last_line: None };
        self.found.push(Found { input, meets });
    }

    pub fn give_up(&mut self, target: usize) {
        self.left -= usize::from(self.open[target] && self.goal.targets()[target].is_requested);
        self.open[target] = false;
    }

    /// Evaluate `input`; its distances are then in [`Session::measures`].
    pub fn evaluate(&mut self, input: &[u64]) {
        self.evaluate_with(input, |_, _| ());
    }

    /// Evaluate `input`, and call `look` with the run.
    pub fn evaluate_with<T>(&mut self, input: &[u64], look: impl FnOnce(&Run<'_>, &dyn Goal) -> T) -> T {
        self.evaluations += 1;
        self.measures.clear();
        let run = self.subject.run(input);
        self.goal.measure(&run, &self.open, &mut self.measures);
        self.end = run.end;
        self.visits = run.visits.len();
        let seen = look(&run, &*self.goal);
        if !run.end.is_clean() {
            let last_line = run.visits.last().and_then(|visit| visit.line(&self.problem.probes));
            let known = self.faults.entry((run.end, last_line)).or_default();
            if known.len() < MAX_FAULTS && !known.iter().any(|known| known == input) {
                known.push(input.to_vec());
            }
        }
        self.record(input);
        if self.evaluations.is_multiple_of(REPORT) {
            let met = self.progress.last().map_or(0, |last| last.1);
            self.is_stopped |= !(self.on_progress)(self.evaluations, met, false);
        }
        seen
    }

    /// Record the targets that the last run met, and its distances from the others.
    fn record(&mut self, input: &[u64]) {
        let (measures, mut is_new) = (std::mem::replace(&mut self.measures, Measures::new(0)), false);
        for (target, distance) in measures.near() {
            if !distance.is_zero() {
                let least = self.least[target].get_or_insert(distance.steps);
                *least = distance.steps.min(*least);
            } else if !self.end.is_clean() {
                let hits = self.faulty_hits.entry(target).or_default();
                *hits += if self.end == RunEnd::Endless { MAX_FAULTY_HITS / 10 } else { 1 };
                if *hits >= MAX_FAULTY_HITS {
                    self.give_up(target);
                }
            } else if !self.met[target] && self.records_targets {
                self.met[target] = true;
                self.give_up(target);
                is_new = true;
            }
        }
        self.measures = measures;
        if is_new {
            self.keep(input, self.measures.met());
            let targets = self.goal.targets().iter().zip(&self.met);
            let met = targets.filter(|(target, met)| target.is_requested && **met).count();
            self.progress.push((self.evaluations, met));
            self.is_stopped |= !(self.on_progress)(self.evaluations, met, true);
        }
    }

    pub fn finish(self) -> Outcome {
        let targets = self.goal.targets().to_vec();
        let unmet = (0..targets.len()).filter(|target| targets[*target].is_requested && !self.met[*target]);
        let faults = self.faults.into_iter().flat_map(|((end, last_line), inputs)| {
            inputs.into_iter().map(move |bits| Input { bits, end, last_line })
        });
        Outcome {
            unmet: unmet.map(|target| (target, self.least[target])).collect(),
            only_by_faults: self.faulty_hits.into_keys().filter(|target| !self.met[*target]).collect(),
            faults: faults.collect(),
            found: self.found,
            evaluations: self.evaluations,
            complete: !self.is_stopped && self.left == 0,
            progress: self.progress,
            targets,
        }
    }
}
