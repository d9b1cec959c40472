//! A search in progress: what was run, what it met, what is left. All methods work through it, so that
//! what they are compared by is counted in one place.

use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};

use super::distance::Distance;
use super::goal::{Goal, Measures, Target};
use super::problem::Problem;
use super::run::{Ended, Run, Subject};

/// Inputs that end badly are kept so many of each kind.
const FAULTS: usize = 3;

/// An input that met something new.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The bits of its cells.
    pub input: Vec<u64>,
    /// How the function ends with it: well.
    pub ended: Ended,
    /// All the targets that it meets.
    pub meets: Vec<usize>,
}

/// An input that ends badly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The bits of its cells.
    pub input: Vec<u64>,
    /// How it ends.
    pub ended: Ended,
    /// The line of the last probe before.
    pub behind: Option<u32>,
}

/// A target that only inputs that end badly have met is given up after so many of them.
const ENOUGH: u32 = 500;

/// How long to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Evaluations at most.
    pub budget: u64,
    /// Evaluations without anything nearer until a target is given up.
    pub patience: u64,
}

/// Hears the evaluations so far, the wanted targets met, and whether one was just met; says whether to go on.
pub type Watch<'a> = &'a mut dyn FnMut(u64, usize, bool) -> bool;

/// What a search came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// What could be met.
    pub targets: Vec<Target>,
    /// The inputs that met something first, in the order in which they were found.
    pub found: Vec<Found>,
    /// Targets that no input met, with the least distance in steps (of [`Distance`]); none where no run
    /// came to the place.
    pub unmet: BTreeMap<usize, Option<u128>>,
    /// Targets met only by inputs that end badly.
    pub only_by_faults: BTreeSet<usize>,
    /// Inputs that end badly, a few of each kind.
    pub faults: Vec<Fault>,
    /// Evaluations.
    pub evaluations: u64,
    /// Whether it ended because nothing was left to do, and not for want of evaluations or time.
    pub complete: bool,
    /// For each evaluation that met a target first: how many targets were met after it.
    pub progress: Vec<(u64, usize)>,
}

/// A search in progress.
pub struct Session<'a> {
    /// What is searched.
    pub problem: &'a Problem,
    /// What is wanted.
    pub goal: Box<dyn Goal>,
    /// The source of chance, seeded by whoever began the search.
    pub rng: ChaCha8Rng,
    /// The distances of the last run.
    pub measures: Measures,
    /// Whether what an evaluation meets counts.
    pub counts: bool,
    /// How the last run ended.
    pub ended: Ended,
    /// What the probes said in the last run: how many times.
    pub visits: usize,
    /// The targets that are neither met nor given up.
    open: Vec<bool>,
    subject: &'a mut dyn Subject,
    effort: Effort,
    spent: u64,
    stopped: bool,
    /// Wanted targets that are open.
    left: usize,
    met: Vec<bool>,
    least: Vec<Option<u128>>,
    found: Vec<Found>,
    by_faults: BTreeMap<usize, u32>,
    faults: BTreeMap<(Ended, Option<u32>), Vec<Vec<u64>>>,
    progress: Vec<(u64, usize)>,
    watch: Watch<'a>,
}

/// Evaluations between two reports of progress.
const REPORT: u64 = 256;

impl<'a> Session<'a> {
    /// Begin a search.
    pub fn new(
        problem: &'a Problem,
        goal: Box<dyn Goal>,
        subject: &'a mut dyn Subject,
        (seed, effort): (u64, Effort),
        watch: Watch<'a>,
    ) -> Session<'a> {
        let targets = goal.targets().len();
        let left = goal.targets().iter().filter(|target| target.wanted).count();
        Session {
            left,
            problem,
            measures: Measures::new(targets),
            ended: Ended::Returned,
            visits: 0,
            counts: true,
            goal,
            subject,
            rng: ChaCha8Rng::seed_from_u64(seed),
            open: vec![true; targets],
            effort,
            spent: 0,
            stopped: false,
            met: vec![false; targets],
            least: vec![None; targets],
            found: Vec::new(),
            by_faults: BTreeMap::new(),
            faults: BTreeMap::new(),
            progress: Vec::new(),
            watch,
        }
    }

    /// Evaluations so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Evaluations without anything nearer until a target is given up.
    pub fn patience(&self) -> u64 {
        self.effort.patience
    }

    /// Whether nothing is left to do: the budget is spent, or every wanted target is met or given up.
    pub fn is_over(&self) -> bool {
        self.stopped || self.spent >= self.effort.budget || self.left == 0
    }

    /// Whether `target` is neither met nor given up.
    pub fn is_open(&self, target: usize) -> bool {
        self.open[target]
    }

    /// One of the inputs that met something, by chance.
    pub fn one_that_met(&mut self) -> Option<Vec<u64>> {
        let at = self.rng.random_range(0..self.found.len().max(1));
        self.found.get(at).map(|found| found.input.clone())
    }

    /// Keep `input`, which was evaluated last, where nothing is to be met.
    pub fn keep(&mut self, input: &[u64]) {
        self.found.push(Found { input: input.to_vec(), ended: self.ended, meets: Vec::new() });
    }

    /// Look no further for `target`.
    pub fn give_up(&mut self, target: usize) {
        self.left -= usize::from(self.open[target] && self.goal.targets()[target].wanted);
        self.open[target] = false;
    }

    /// Evaluate `input`; its distances are then in [`Session::measures`].
    pub fn evaluate(&mut self, input: &[u64]) {
        self.evaluate_with(input, |_, _| ());
    }

    /// The same, and let `look` see the run.
    pub fn evaluate_with<T>(&mut self, input: &[u64], look: impl FnOnce(&Run<'_>, &dyn Goal) -> T) -> T {
        self.spent += 1;
        self.measures.clear();
        let run = self.subject.run(input);
        self.goal.measure(&run, &self.open, &mut self.measures);
        self.ended = run.ended;
        self.visits = run.visits.len();
        let seen = look(&run, &*self.goal);
        let clean = run.ended.is_clean();
        if !clean {
            let behind = run.visits.last().and_then(|visit| line_of(self.problem, visit));
            let known = self.faults.entry((run.ended, behind)).or_default();
            if known.len() < FAULTS && !known.iter().any(|known| known == input) {
                known.push(input.to_vec());
            }
        }
        self.note(input, clean);
        if self.spent.is_multiple_of(REPORT) {
            self.stopped |= !(self.watch)(self.spent, self.progress.last().map_or(0, |last| last.1), false);
        }
        seen
    }

    /// What the last run met, and how near it came to the rest.
    fn note(&mut self, input: &[u64], clean: bool) {
        let mut is_new = false;
        for at in 0..self.measures.near().len() {
            let target = self.measures.near()[at];
            let Some(distance) = self.measures.of(target) else { continue };
            if !distance.is_zero() {
                let least = self.least[target].get_or_insert(distance.steps);
                *least = distance.steps.min(*least);
            } else if !clean {
                let times = self.by_faults.entry(target).or_default();
                *times += if self.ended == Ended::Endless { ENOUGH / 10 } else { 1 };
                if *times >= ENOUGH {
                    self.give_up(target);
                }
            } else if !self.met[target] && self.counts {
                self.met[target] = true;
                self.give_up(target);
                is_new = true;
            }
        }
        if is_new {
            let met = |target: &&usize| self.measures.of(**target).is_some_and(Distance::is_zero);
            let meets: Vec<usize> = self.measures.near().iter().filter(met).copied().collect();
            self.found.push(Found { input: input.to_vec(), ended: self.ended, meets });
            let wanted =
                self.goal.targets().iter().zip(&self.met).filter(|(target, met)| target.wanted && **met);
            let wanted = wanted.count();
            self.progress.push((self.spent, wanted));
            self.stopped |= !(self.watch)(self.spent, wanted, true);
        }
    }

    /// End the search.
    pub fn finish(self) -> Outcome {
        let targets = self.goal.targets().to_vec();
        let unmet = (0..targets.len()).filter(|target| targets[*target].wanted && !self.met[*target]);
        let faults = self.faults.into_iter().flat_map(|((ended, behind), inputs)| {
            inputs.into_iter().map(move |input| Fault { input, ended, behind })
        });
        let met = &self.met;
        Outcome {
            unmet: unmet.map(|target| (target, self.least[target])).collect(),
            only_by_faults: self.by_faults.into_keys().filter(|target| !met[*target]).collect(),
            faults: faults.collect(),
            found: self.found,
            evaluations: self.spent,
            complete: !self.stopped && self.left == 0,
            progress: self.progress,
            targets,
        }
    }
}

/// The line that a probe is on.
fn line_of(problem: &Problem, visit: &super::run::Visit) -> Option<u32> {
    use super::run::VisitKind;
    let probes = &problem.probes;
    match visit.kind() {
        VisitKind::Condition | VisitKind::Shadow | VisitKind::Part => {
            probes.conditions.get(visit.index()).map(|found| found.line)
        }
        VisitKind::Shadowed => None,
        VisitKind::Switch => probes.switches.get(visit.index()).map(|found| found.line),
        VisitKind::Line => probes.lines.get(visit.index()).copied(),
    }
}
