//! The engine: passes of candidate edits over one text, until none of them is interesting.
//!
//! Within a pass, the candidates are edit sets over the text at the beginning of the pass, so that accepted edits and the
//! next ones combine without parsing again. Candidates that can be made together are tried together first and halved until
//! they are interesting, outermost first (delta debugging over the syntax tree; Misherghi and Su, ICSE 2006). The result
//! depends on the text and the test alone, not on the number of workers: these only try ahead.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rayon::prelude::*;

use super::candidate::{Candidate, PassState, conflict, erases, lines_of_code, runs};
use super::schedule::{Grouping, Stage, Step};
use crate::syntax::{EditSet, candidate_edits};
use crate::toolchain::UbChecks;

/// The most rounds of a stage. Each round makes the program smaller, so this only limits the damage of a bug.
const ROUNDS: usize = 64;

/// Bytes of a long program for each candidate that is tried until it is small: programs of Csmith with 20 to 65 KB took 135
/// to 570 candidates, most of them when the program was already shorter.
const BYTES_PER_TEST: usize = 200;

/// The candidates that are tried for a small program in a round.
const MOST_TESTS: usize = 40;

pub trait InterestingnessTest: Sync {
    /// Whether the candidate still shows the finding. Several workers call this at the same time; `worker_index` counts
    /// from 0.
    fn is_interesting(&self, worker_index: usize, candidate: &Candidate) -> Result<bool>;

    /// Whether the program is free of undefined behaviour. The quick checks are made once a pass, the full ones at the
    /// end.
    fn is_sound(&self, worker_index: usize, candidate: &Candidate, checks: UbChecks) -> Result<bool>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Non-blank lines of the smallest program so far.
    pub lines: usize,
    /// Candidates tried.
    pub tests: usize,
    /// The name of the pass.
    pub pass: &'static str,
    /// About how long the rest of this round takes, by the rate of the last candidates; none before the first.
    pub left: Option<Duration>,
}

/// Makes one program smaller.
pub struct Engine<'a> {
    test: &'a dyn InterestingnessTest,
    workers: usize,
    pool: rayon::ThreadPool,
    observe: &'a (dyn Fn(Progress) + Sync),
    answers: HashMap<blake3::Hash, bool>,
    /// The number of candidates tried so far.
    pub tests: usize,
    /// For each pass: the candidates tried, and the bytes that it removed.
    pub passes: BTreeMap<String, (usize, i64)>,
    pass: &'static str,
    /// The candidates of the current pass and of those after it in this round, and `tests` at the start of this pass.
    planned: (usize, usize),
    /// Seconds for each test, averaged over about the last 20.
    pace: Option<f64>,
    current: Candidate,
    /// From then on no candidate is tried.
    deadline: Option<Instant>,
    /// The last program that passed the full checks, and the program after each pass that changed it since.
    history: Vec<Candidate>,
    checks: UbChecks,
}

impl<'a> Engine<'a> {
    /// An engine for `start`, which is interesting and sound.
    pub fn new(
        test: &'a dyn InterestingnessTest,
        workers: usize,
        start: Candidate,
        observe: &'a (dyn Fn(Progress) + Sync),
    ) -> Result<Engine<'a>> {
        let workers = workers.max(1);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build();
        Ok(Engine {
            test,
            workers,
            pool: pool.context("failed to start workers")?,
            observe,
            answers: HashMap::new(),
            tests: 0,
            passes: BTreeMap::new(),
            pass: "",
            planned: (0, 0),
            pace: None,
            deadline: None,
            history: vec![start.clone()],
            current: start,
            checks: UbChecks::Quick,
        })
    }

    /// Stop at `deadline` with the smallest program so far.
    pub fn stop_at(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// The smallest program so far.
    pub fn smallest(&self) -> &Candidate {
        &self.current
    }

    /// Whether the deadline has passed.
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }

    /// Runs each stage until none of its passes changes the program. Full checks after each pass would be expensive and
    /// are seldom needed: if the result of a round fails them, the work resumes at the last program that passes them, with
    /// full checks from there on.
    ///
    /// # Errors
    /// Those of the test, and an interrupt.
    pub fn run(&mut self, stages: &[Stage]) -> Result<Candidate> {
        stages.iter().try_for_each(|stage| self.stage(stage))?;
        Ok(self.current.clone())
    }

    /// Returns to the last program that passes the full checks, if the current one does not. The first of the history does.
    fn restore_sound(&mut self) -> Result<bool> {
        let last = self.history.len() - 1;
        let is_sound = |at: usize| self.test.is_sound(0, &self.history[at], UbChecks::Full);
        let found = if last == 0 || is_sound(last)? { last } else { last_sound(last, is_sound)? };
        self.current = self.history.swap_remove(found);
        self.history = vec![self.current.clone()];
        Ok(found < last)
    }

    fn stage(&mut self, stage: &Stage) -> Result<()> {
        // A pass that did not change this text will not change it the next time.
        let mut settled: HashMap<usize, String> = HashMap::new();
        for _ in 0..ROUNDS {
            let before = self.current.source.clone();
            let mut planned: Vec<usize> = Vec::new();
            for (pass, _) in stage.steps {
                planned.push(candidate_edits(&before, *pass).len());
            }
            for (index, step) in stage.steps.iter().enumerate() {
                if settled.get(&index) == Some(&self.current.source) || self.is_late() {
                    continue;
                }
                self.planned = (planned[index..].iter().sum(), self.tests);
                let (tests, source) = (self.tests, self.current.source.clone());
                self.step(*step)?;
                let spent = self.passes.entry(step.0.name().into()).or_default();
                spent.0 += self.tests - tests;
                spent.1 += signed(source.len()) - signed(self.current.source.len());
                if source != self.current.source {
                    self.history.push(self.current.clone());
                }
                settled.insert(index, self.current.source.clone());
            }
            if self.restore_sound()? {
                self.checks = UbChecks::Full;
            } else if !stage.repeated || self.current.source == before {
                break;
            }
        }
        Ok(())
    }

    /// Runs one pass. Soundness is expensive to check and rarely lost, so the result of all edits is checked; if it is
    /// not sound, the edit that broke it is found and undone, and the candidates that it excluded are tried.
    fn step(&mut self, (proposer, mut grouping): Step) -> Result<()> {
        self.pass = proposer.name();
        let base = self.current.clone();
        let mut candidates = candidate_edits(&base.source, proposer);
        candidates.retain(|edits| !erases(edits, &base.marks));
        let mut pass = PassState { base, groups: Vec::new() };
        while !candidates.is_empty() {
            match grouping {
                Grouping::Halves => {
                    runs(&candidates).iter().try_for_each(|run| self.halve(&mut pass, run, false))?;
                }
                Grouping::Singles => self.try_each(&mut pass, &candidates)?,
                Grouping::Whole => {
                    if !self.accept(&mut pass, &candidates[..1])? {
                        self.try_each(&mut pass, &candidates[1..])?;
                    }
                    // The first of the remaining candidates is no longer all others together.
                    grouping = Grouping::Singles;
                }
            }
            let blamed = if proposer.keeps_meaning() { Vec::new() } else { self.undo_unsound(&mut pass)? };
            candidates
                .retain(|edits| blamed.iter().any(|other| conflict(edits, other)) && !blamed.contains(edits));
        }
        self.current = pass.now();
        Ok(())
    }

    /// Undoes the edits that make `pass` unsound, and returns them.
    fn undo_unsound(&mut self, pass: &mut PassState) -> Result<Vec<EditSet>> {
        let mut blamed = Vec::new();
        while !pass.groups.is_empty() && !self.test.is_sound(0, &pass.now(), self.checks)? {
            if self.is_late() {
                pass.groups.clear();
                break;
            }
            let is_sound = |number| self.test.is_sound(0, &pass.first(number), self.checks);
            let at = last_sound(pass.groups.len(), is_sound)?;
            let culprit = pass.groups.remove(at);
            let later = pass.groups.split_off(at);
            // All later groups may work without it, or else some of them.
            if !later.is_empty() && !self.accept(pass, &later.concat())? {
                for group in &later {
                    self.accept(pass, group)?;
                }
            }
            self.salvage(pass, &culprit, &mut blamed)?;
        }
        Ok(blamed)
    }

    /// Accepts the sound parts of `group`, which as a whole is not sound; the rest is added to `blamed`.
    fn salvage(&mut self, pass: &mut PassState, group: &[EditSet], blamed: &mut Vec<EditSet>) -> Result<()> {
        if group.len() < 2 {
            blamed.extend_from_slice(group);
            return Ok(());
        }
        let (left, right) = group.split_at(group.len() / 2);
        for half in [left, right] {
            if self.accept(pass, half)? && !self.test.is_sound(0, &pass.now(), self.checks)? {
                pass.groups.pop();
                self.salvage(pass, half, blamed)?;
            }
        }
        Ok(())
    }

    /// Accepts as much of `group` as is interesting. `fails` if the whole is known not to be.
    fn halve(&mut self, pass: &mut PassState, group: &[EditSet], fails: bool) -> Result<()> {
        let group: Vec<EditSet> = group.iter().filter(|edits| pass.allows(edits)).cloned().collect();
        if group.is_empty() || !fails && self.accept(pass, &group)? || group.len() == 1 {
            return Ok(());
        }
        let (left, right) = group.split_at(group.len() / 2);
        let answers = self.ask(&[pass.with(left), pass.with(right)])?;
        // If one half is accepted, the other fails as a whole too, since both together are not interesting.
        if answers[0] {
            pass.groups.push(left.to_vec());
        } else if answers[1..] == [true] {
            pass.groups.push(right.to_vec());
            return self.halve(pass, left, true);
        } else {
            self.halve(pass, left, true)?;
        }
        self.halve(pass, right, true)
    }

    fn try_each(&mut self, pass: &mut PassState, candidates: &[EditSet]) -> Result<()> {
        let mut at = 0;
        while at < candidates.len() {
            // Candidates after the first that is accepted are tried again on top of it.
            let allowed = (at..candidates.len()).filter(|index| pass.allows(&candidates[*index]));
            let ahead: Vec<usize> = allowed.take(self.workers).collect();
            let Some(last) = ahead.last() else { break };
            let programs: Vec<Candidate> =
                ahead.iter().map(|index| pass.with(&candidates[*index..=*index])).collect();
            let accepted = self.ask(&programs)?.iter().position(|answer| *answer).map(|first| ahead[first]);
            pass.groups.extend(accepted.map(|index| vec![candidates[index].clone()]));
            at = accepted.unwrap_or(*last) + 1;
        }
        Ok(())
    }

    fn accept(&mut self, pass: &mut PassState, group: &[EditSet]) -> Result<bool> {
        let is_accepted = self.ask(&[pass.with(group)])?[0];
        if is_accepted {
            pass.groups.push(group.to_vec());
        }
        Ok(is_accepted)
    }

    /// The answers for `programs` up to the first that is interesting. The workers test several at once.
    fn ask(&mut self, programs: &[Candidate]) -> Result<Vec<bool>> {
        let mut known: Vec<Option<bool>> =
            programs.iter().map(|program| self.answers.get(&key(program)).copied()).collect();
        let first = known.iter().position(|answer| *answer == Some(true)).unwrap_or(programs.len());
        let unknown: Vec<usize> = (0..first).filter(|index| known[*index].is_none()).collect();
        for chunk in unknown.chunks(self.workers) {
            anyhow::ensure!(!crate::sys::requested(), "interrupted");
            let answers = self.test_all(programs, chunk)?;
            for (index, answer) in chunk.iter().zip(&answers) {
                self.answers.insert(key(&programs[*index]), *answer);
                known[*index] = Some(*answer);
            }
            let lines = lines_of_code(&self.current.source);
            (self.observe)(Progress { lines, tests: self.tests, pass: self.pass, left: self.left() });
            if answers.contains(&true) {
                break;
            }
        }
        let end = known.iter().position(|answer| *answer == Some(true)).map_or(programs.len(), |at| at + 1);
        Ok(known[..end].iter().map(|answer| answer.unwrap_or(false)).collect())
    }

    /// The time until the candidates that are planned have been tried, or until the deadline.
    fn left(&self) -> Option<Duration> {
        let (planned, before) = self.planned;
        let tests = planned.saturating_sub(self.tests - before);
        // Most candidates are in text that others delete.
        let tests = tests.min(MOST_TESTS + self.current.source.len() / BYTES_PER_TEST);
        let left = Duration::from_secs_f64(self.pace? * tests as f64);
        let limit = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Some(limit.map_or(left, |limit| limit.min(left)))
    }

    fn test_all(&mut self, programs: &[Candidate], indices: &[usize]) -> Result<Vec<bool>> {
        if self.is_late() {
            return Ok(vec![false; indices.len()]);
        }
        self.tests += indices.len();
        let (test, began) = (self.test, Instant::now());
        // Each test has a worker of its own, on whichever thread it runs.
        let ask =
            |(worker_index, index): (usize, &usize)| test.is_interesting(worker_index, &programs[*index]);
        let answers: Result<Vec<bool>> = match indices {
            [_] => indices.iter().enumerate().map(ask).collect(),
            _ => self.pool.install(|| indices.par_iter().enumerate().map(ask).collect()),
        };
        let pace = began.elapsed().as_secs_f64() / indices.len() as f64;
        self.pace = Some(self.pace.map_or(pace, |before| before + (pace - before) / 20.0));
        answers
    }
}

/// The number of the last sound program, if number 0 is sound and number `high` is not.
fn last_sound(mut high: usize, is_sound: impl Fn(usize) -> Result<bool>) -> Result<usize> {
    let mut low = 0;
    while high - low > 1 {
        let middle = usize::midpoint(low, high + 1);
        if is_sound(middle)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

fn signed(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// Candidates with the same key are the same to the test.
fn key(candidate: &Candidate) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(candidate.source.as_bytes());
    for mark in &candidate.marks {
        hasher.update(&(mark.start as u64).to_le_bytes());
    }
    hasher.finalize()
}
