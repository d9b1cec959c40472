//! The order of the jobs: sources of programs that revealed new causes get more of the time.
//!
//! An arm is an origin of programs (a folder or a generator, mutated or not). Programs are drawn in rounds of a
//! fixed size, by Thompson sampling (W. R. Thompson, "On the likelihood that one unknown probability exceeds another
//! in view of the evidence of two samples", Biometrika 25, 1933): for each arm a rate of programs with a new cause is
//! drawn from its results so far, and the arm with the highest rate gives the next program. The order depends only on
//! the plan, the seed and the results: a round is drawn when the last but one is complete, with the records sorted by
//! job. So neither the number of workers nor a kill changes it, and the round in between keeps the workers busy.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::Plan;
use crate::corpus::Source;
use crate::journal::JobRecord;

/// The number of programs in a round.
const ROUND: usize = 24;

/// How many jobs of the queue are searched for one that the worker prefers.
const AHEAD: usize = 64;

/// How a schedule chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// In the order of the plan. Shards need it, since they do not see each other's results.
    Planned,
    /// Origins that revealed new causes first, drawn with this seed.
    NewCausesFirst(u64),
}

/// The jobs of one program, or of one mutated copy of it, as indices into the plan.
type Unit = Vec<usize>;

/// An origin of programs.
#[derive(Debug, Default)]
struct Arm {
    left: VecDeque<Unit>,
    programs_with_new_cause: u32,
    other_programs: u32,
}

/// Decides which job is started next.
#[derive(Debug)]
pub(super) struct Schedule {
    arms: Vec<Arm>,
    ids: HashMap<String, usize>,
    queue: VecDeque<usize>,
    /// The signatures of each finished job, by index, until the results of its round are taken into account.
    results: HashMap<usize, BTreeSet<String>>,
    /// Rounds whose results have not been taken into account yet: their units, each with the index of its arm.
    open: VecDeque<Vec<(usize, Unit)>>,
    seen: BTreeSet<String>,
    generator: Option<ChaCha8Rng>,
}

/// The answer to a worker that asks for a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextJob {
    /// Start the job with this index in the plan.
    Start(usize),
    /// The next job depends on the results of jobs that still run.
    WaitForResults,
    NoneLeft,
}

impl Schedule {
    /// A schedule of the jobs of `plan` that are not `done`. The results of those that are done count.
    pub fn new(plan: &Plan, sources: &[Source], order: Order, done: &[JobRecord]) -> Schedule {
        let mut arms: BTreeMap<(&str, bool), Arm> = BTreeMap::new();
        let mut last = None;
        for (index, job) in plan.jobs.iter().enumerate() {
            let arm = arms.entry((sources[job.source].origin.as_str(), job.mutant > 0)).or_default();
            let program = (job.source, job.mutant);
            if last == Some(program) {
                arm.left.back_mut().expect("a program's jobs follow each other").push(index);
            } else {
                arm.left.push_back(vec![index]);
            }
            last = Some(program);
        }
        let ids: HashMap<String, usize> =
            plan.jobs.iter().enumerate().map(|(index, job)| (job.id.clone(), index)).collect();
        let results: HashMap<usize, BTreeSet<String>> =
            done.iter().filter_map(|record| Some((*ids.get(&record.job)?, signatures(record)))).collect();
        let mut arms: Vec<Arm> = arms.into_values().collect();
        let (mut queue, mut generator) = (VecDeque::new(), None);
        match order {
            Order::Planned => queue.extend((0..plan.jobs.len()).filter(|at| !results.contains_key(at))),
            Order::NewCausesFirst(seed) => {
                let generator = generator.insert(ChaCha8Rng::seed_from_u64(seed));
                // Programs with adjacent names are often alike.
                for arm in &mut arms {
                    arm.left.make_contiguous().shuffle(generator);
                }
            }
        }
        Schedule { arms, ids, queue, results, open: VecDeque::new(), seen: BTreeSet::new(), generator }
    }

    /// The next job: the first of the next few that the worker prefers, or else the first.
    pub fn next(&mut self, prefers: impl Fn(usize) -> bool) -> NextJob {
        if self.queue.is_empty() {
            self.draw();
        }
        let preferred = self.queue.iter().take(AHEAD).position(|index| prefers(*index)).unwrap_or(0);
        match self.queue.remove(preferred) {
            Some(index) => NextJob::Start(index),
            None if self.arms.iter().all(|arm| arm.left.is_empty()) || self.generator.is_none() => {
                NextJob::NoneLeft
            }
            None => NextJob::WaitForResults,
        }
    }

    /// Record the signatures of a finished job.
    pub fn finished(&mut self, record: &JobRecord) {
        if let Some(index) = self.ids.get(&record.job).filter(|_| self.generator.is_some()) {
            self.results.insert(*index, signatures(record));
        }
    }

    /// Draw rounds until the queue has a job, but never while two are incomplete.
    fn draw(&mut self) {
        let Some(mut generator) = self.generator.take() else { return };
        while self.queue.is_empty() && self.arms.iter().any(|arm| !arm.left.is_empty()) {
            if self.open.len() > 1 {
                let mut jobs = self.open[0].iter().flat_map(|(_, unit)| unit);
                if !jobs.all(|job| self.results.contains_key(job)) {
                    break;
                }
                self.learn();
            }
            let mut round = Vec::new();
            for _ in 0..ROUND {
                let rate = |arm: &Arm| match arm.left.len() {
                    0 => -1.0,
                    _ => beta(&mut generator, arm.programs_with_new_cause + 1, arm.other_programs + 1),
                };
                let rates: Vec<f64> = self.arms.iter().map(rate).collect();
                let best = (0..rates.len()).max_by(|a, b| rates[*a].total_cmp(&rates[*b])).unwrap_or(0);
                let Some(unit) = self.arms[best].left.pop_front() else { break };
                self.queue.extend(unit.iter().filter(|job| !self.results.contains_key(job)));
                round.push((best, unit));
            }
            self.open.push_back(round);
        }
        self.generator = Some(generator);
    }

    /// Take the results of the oldest round into account, job by job.
    fn learn(&mut self) {
        let round = self.open.pop_front().unwrap_or_default();
        let units = round.iter().enumerate();
        let jobs: BTreeMap<usize, usize> =
            units.flat_map(|(at, (_, unit))| unit.iter().map(move |job| (*job, at))).collect();
        let mut has_new_cause = vec![false; round.len()];
        for (job, unit) in jobs {
            for signature in self.results.remove(&job).unwrap_or_default() {
                has_new_cause[unit] |= self.seen.insert(signature);
            }
        }
        for ((arm, _), has_new_cause) in round.iter().zip(has_new_cause) {
            let arm = &mut self.arms[*arm];
            arm.programs_with_new_cause += u32::from(has_new_cause);
            arm.other_programs += u32::from(!has_new_cause);
        }
    }
}

/// The signatures of the open findings of a job.
fn signatures(record: &JobRecord) -> BTreeSet<String> {
    let open = record.findings.iter().filter(|finding| finding.verdict.is_open());
    open.map(|finding| finding.signature.clone()).collect()
}

/// A number from the beta distribution of two whole parameters: the `a`-th smallest of `a + b - 1`
/// uniform numbers. Large parameters are halved, which keeps their mean and leaves every arm a chance.
fn beta(generator: &mut ChaCha8Rng, mut a: u32, mut b: u32) -> f64 {
    while a + b > 64 {
        (a, b) = (a.div_ceil(2), b.div_ceil(2));
    }
    let mut numbers: Vec<f64> = (1..a + b).map(|_| generator.random::<f64>()).collect();
    numbers.sort_by(f64::total_cmp);
    numbers[a as usize - 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Family, ProfilerInfo};

    /// 300 programs of two origins, of which `rich` gives a new cause each third time.
    fn world() -> (Vec<Source>, Plan) {
        let source = |n: usize| {
            let mut source = Source::given(&format!("p{n:03}"), "int main(void) { return 0; }");
            source.origin = if n.is_multiple_of(2) { "rich" } else { "poor" }.into();
            source
        };
        let sources: Vec<Source> = (0..300).map(source).collect();
        let info = |compiler: &str| ProfilerInfo {
            profiler: Family::Gcov,
            compiler: compiler.into(),
            version: String::new(),
            tools: vec![],
        };
        let plan = Plan::new(&sources, &[info("gcc-1"), info("gcc-2")], 0);
        (sources, plan)
    }

    fn record(plan: &Plan, index: usize) -> JobRecord {
        let job = &plan.jobs[index];
        let finding = serde_json::json!({
            "program": "p", "file": "p.c", "input": "default", "profiler": "gcov", "compiler": "gcc-1",
            "version": "1", "metric": "line", "line": 4, "relation": "truth", "kind": "strong", "before": 0,
            "after": null, "truth": [1], "signature": format!("cause {}", job.source), "signature_version": 2,
            "culprit": null, "verdict": "wrong", "rule": "missing", "cluster": "c",
        });
        let findings = if job.source.is_multiple_of(6) { vec![finding] } else { vec![] };
        serde_json::from_value(serde_json::json!({
            "job": job.id, "program": "p", "file": "p.c", "input": "default", "compiler": "gcc-1",
            "outcome": {"is": "profiled"}, "source": "", "dialect": 0, "tally": crate::journal::Tally::default(),
            "relations": {}, "refused": [], "incomparable": {}, "commands": [], "findings": findings, "failed": null,
        }))
        .expect("a record")
    }

    /// The order in which jobs start, `at_once` of them at a time, after those that are `done`.
    fn order(sources: &[Source], plan: &Plan, at_once: usize, done: &[JobRecord]) -> Vec<usize> {
        let mut schedule = Schedule::new(plan, sources, Order::NewCausesFirst(3), done);
        let (mut started, mut running) = (Vec::new(), VecDeque::new());
        loop {
            match schedule.next(|_| true) {
                NextJob::Start(index) => {
                    started.push(index);
                    running.push_back(index);
                }
                NextJob::NoneLeft if running.is_empty() => return started,
                NextJob::NoneLeft | NextJob::WaitForResults => {
                    assert!(!running.is_empty(), "every worker waits");
                    running.make_contiguous().reverse();
                }
            }
            while running.len() >= at_once || (!running.is_empty() && schedule.queue.is_empty()) {
                schedule.finished(&record(plan, running.pop_front().unwrap()));
            }
        }
    }

    #[test]
    fn every_job_runs_once_in_an_order_independent_of_workers_and_kills() {
        let (sources, plan) = world();
        let alone = order(&sources, &plan, 1, &[]);
        let mut sorted = alone.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..plan.jobs.len()).collect::<Vec<_>>());
        assert_eq!(order(&sources, &plan, 9, &[]), alone);
        for cut in [1, 50, 333] {
            let done: Vec<JobRecord> = alone[..cut].iter().map(|index| record(&plan, *index)).collect();
            assert_eq!(order(&sources, &plan, 4, &done), alone[cut..], "killed after {cut}");
            // A journal from which jobs were removed, so that they run again.
            let again: Vec<usize> = alone[..cut].iter().copied().step_by(7).collect();
            let rest: Vec<JobRecord> = alone[..cut]
                .iter()
                .filter(|index| !again.contains(index))
                .map(|index| record(&plan, *index))
                .collect();
            assert_eq!(
                order(&sources, &plan, 4, &rest),
                [&again, &alone[cut..]].concat(),
                "gaps before {cut}"
            );
        }
    }

    #[test]
    fn a_worker_prefers_its_own_profilers_within_a_window() {
        let (sources, plan) = world();
        let mut schedule = Schedule::new(&plan, &sources, Order::Planned, &[]);
        let mut next = |profiler: usize| match schedule.next(|index| plan.jobs[index].profiler == profiler) {
            NextJob::Start(index) => (index, plan.jobs[index].profiler),
            other => panic!("{other:?}"),
        };
        assert_eq!([next(0), next(0), next(1), next(9)], [(0, 0), (2, 0), (1, 1), (3, 1)]);
        // Jobs of the other profiler start before the difference becomes large.
        let mut left: Vec<usize> = (0..=AHEAD).map(|_| next(0).1).collect();
        left.dedup();
        assert_eq!(left, [0, 1]);
    }

    #[test]
    fn origins_with_new_causes_come_first() {
        let (sources, plan) = world();
        let early = &order(&sources, &plan, 2, &[])[..200];
        let rich = early.iter().filter(|index| sources[plan.jobs[**index].source].origin == "rich").count();
        assert!(rich > 130, "{rich} of 200");
    }
}
