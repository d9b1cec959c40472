//! The engine: passes of candidate edits over one text, until none of them is interesting.
//!
//! Within a pass the candidates are edit sets over the one text that the pass began with, so that
//! what was accepted and what is tried next combine without parsing anew. Candidates that can go
//! together are tried together first and halved until they are interesting (delta debugging over
//! the syntax tree; Misherghi and Su, ICSE 2006), outermost first. The result depends on the text and
//! the judge alone, not on the number of workers: they only try ahead what may be asked next.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Context, Result};
use rayon::prelude::*;

use super::candidate::{Candidate, PassState, erases, excludes, lines_of_code, runs};
use super::schedule::{Grouping, Stage, Step};
use crate::syntax::{EditSet, candidate_edits};
use crate::toolchain::UbChecks;

/// Rounds of a stage: each makes the program smaller, so this only bounds a fault of ours.
const ROUNDS: usize = 64;

/// Who says what is interesting.
pub trait Judge: Sync {
    /// Whether the finding is still there. Called by several workers at once; `worker_index` counts from 0.
    fn is_interesting(&self, worker_index: usize, candidate: &Candidate) -> Result<bool>;

    /// Whether the program can be relied upon: no undefined behaviour. Quickly asked once a pass, fully at the end.
    fn is_sound(&self, worker_index: usize, candidate: &Candidate, checks: UbChecks) -> Result<bool>;
}

/// What the engine tells while it works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Non-blank lines of the smallest program so far.
    pub lines: usize,
    /// Programs tried.
    pub tests: usize,
    /// What is being tried.
    pub doing: &'static str,
}

/// Makes one program smaller.
pub struct Engine<'a> {
    judge: &'a dyn Judge,
    workers: usize,
    pool: rayon::ThreadPool,
    observe: &'a (dyn Fn(Progress) + Sync),
    memo: HashMap<blake3::Hash, bool>,
    tests: usize,
    passes: BTreeMap<String, (usize, i64)>,
    current: Candidate,
    /// The program after each pass that changed it.
    made: Vec<Candidate>,
    checks: UbChecks,
}

impl<'a> Engine<'a> {
    /// An engine for `start`, which is interesting and sound.
    pub fn new(
        judge: &'a dyn Judge,
        workers: usize,
        start: Candidate,
        observe: &'a (dyn Fn(Progress) + Sync),
    ) -> Result<Engine<'a>> {
        let workers = workers.max(1);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build();
        Ok(Engine {
            judge,
            workers,
            pool: pool.context("failed to start workers")?,
            observe,
            memo: HashMap::new(),
            tests: 0,
            passes: BTreeMap::new(),
            made: vec![start.clone()],
            current: start,
            checks: UbChecks::Quick,
        })
    }

    /// Go through the stages, each until nothing in it changes the program any more. Looking closely
    /// at each pass is dear and seldom needed: where the result does not bear it, the work is taken
    /// up again at the last program that does, and looked at closely from there on.
    ///
    /// # Errors
    /// Those of the judge, and an interrupt.
    pub fn run(&mut self, stages: &[Stage]) -> Result<Candidate> {
        for stage in stages {
            self.stage(stage)?;
        }
        if !self.judge.is_sound(0, &self.current, UbChecks::Full)? {
            self.checks = UbChecks::Full;
            let (mut low, mut high) = (0, self.made.len() - 1);
            while high - low > 1 {
                let middle = usize::midpoint(low, high);
                if self.judge.is_sound(0, &self.made[middle], UbChecks::Full)? {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            self.current = self.made[low].clone();
            for stage in stages {
                self.stage(stage)?;
            }
        }
        Ok(self.current.clone())
    }

    fn stage(&mut self, stage: &Stage) -> Result<()> {
        // What a pass leaves as it was it would leave so again.
        let mut settled: HashMap<usize, String> = HashMap::new();
        for _ in 0..if stage.repeated { ROUNDS } else { 1 } {
            let before = self.current.source.clone();
            for (index, step) in stage.steps.iter().enumerate() {
                if settled.get(&index) == Some(&self.current.source) {
                    continue;
                }
                let (tests, source) = (self.tests, self.current.source.clone());
                self.step(*step)?;
                let spent = self.passes.entry(step.pass.name().into()).or_default();
                spent.0 += self.tests - tests;
                spent.1 += signed(source.len()) - signed(self.current.source.len());
                if source != self.current.source {
                    self.made.push(self.current.clone());
                }
                settled.insert(index, self.current.source.clone());
            }
            if self.current.source == before {
                break;
            }
        }
        Ok(())
    }

    /// For each pass: programs tried, and bytes gone by it.
    pub fn passes(&self) -> &BTreeMap<String, (usize, i64)> {
        &self.passes
    }

    /// Programs tried so far.
    pub fn tests(&self) -> usize {
        self.tests
    }

    /// One pass. Soundness is dear and rarely lost, so it is asked of the whole; where it is lost, the
    /// edit behind that is found and taken back, and what it had shut out gets its turn.
    fn step(&mut self, step: Step) -> Result<()> {
        let base = self.current.clone();
        let mut candidates: Vec<EditSet> = candidate_edits(&base.source, step.pass)
            .into_iter()
            .filter(|shrink| !erases(shrink, &base.marks))
            .collect();
        let mut pass = PassState { base, groups: Vec::new() };
        let mut grouping = step.grouping;
        while !candidates.is_empty() {
            self.pass(&mut pass, &candidates, step, grouping)?;
            let blamed = if step.pass.keeps_meaning() { Vec::new() } else { self.cleared(&mut pass, step)? };
            let shut_out = |shrink: &EditSet| {
                blamed.iter().any(|other| excludes(shrink, other)) && !blamed.contains(shrink)
            };
            candidates.retain(shut_out);
            // The first is not all others any more.
            if grouping == Grouping::Whole {
                grouping = Grouping::Singles;
            }
        }
        self.current = pass.now();
        Ok(())
    }

    /// Take back what makes `pass` unsound: the edits that are to blame.
    fn cleared(&mut self, pass: &mut PassState, step: Step) -> Result<Vec<EditSet>> {
        let mut blamed = Vec::new();
        while !pass.groups.is_empty() && !self.judge.is_sound(0, &pass.now(), self.checks)? {
            let at = self.first_unsound(pass)?;
            let culprit = pass.groups.remove(at);
            let later = pass.groups.split_off(at);
            // All that came after may go on without it; else what can.
            if !later.is_empty() && !self.accept(pass, &later.concat(), step)? {
                for group in &later {
                    self.accept(pass, group, step)?;
                }
            }
            self.salvage(pass, &culprit, step, &mut blamed)?;
        }
        Ok(blamed)
    }

    /// The first group of `pass` with which the program is not sound; with all it is not.
    fn first_unsound(&self, pass: &PassState) -> Result<usize> {
        let (mut low, mut high) = (0, pass.groups.len() - 1);
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.judge.is_sound(0, &pass.first(middle + 1), self.checks)? {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// Accept what is sound of `group`, which as a whole is not; `blamed` gets the rest.
    fn salvage(
        &mut self,
        pass: &mut PassState,
        group: &[EditSet],
        step: Step,
        blamed: &mut Vec<EditSet>,
    ) -> Result<()> {
        if group.len() < 2 {
            blamed.extend_from_slice(group);
            return Ok(());
        }
        let (left, right) = group.split_at(group.len() / 2);
        for half in [left, right] {
            if self.ask(&[pass.with(half)], step)?[0] {
                if self.judge.is_sound(0, &pass.with(half), self.checks)? {
                    pass.groups.push(half.to_vec());
                } else {
                    self.salvage(pass, half, step, blamed)?;
                }
            }
        }
        Ok(())
    }

    /// Try the candidates of a pass.
    fn pass(
        &mut self,
        pass: &mut PassState,
        candidates: &[EditSet],
        step: Step,
        grouping: Grouping,
    ) -> Result<()> {
        match grouping {
            Grouping::Halves => {
                for run in runs(candidates) {
                    self.halve(pass, &run, step, false)?;
                }
            }
            Grouping::Singles => {
                self.singles(pass, candidates, step)?;
            }
            Grouping::Whole => {
                let (whole, parts) = candidates.split_at(candidates.len().min(1));
                if self.singles(pass, whole, step)? == 0 {
                    self.singles(pass, parts, step)?;
                }
            }
        }
        Ok(())
    }

    /// Accept as much of `group` as is interesting. `fails` where the whole is known not to be.
    fn halve(&mut self, pass: &mut PassState, group: &[EditSet], step: Step, fails: bool) -> Result<()> {
        let group: Vec<EditSet> = group.iter().filter(|shrink| pass.allows(shrink)).cloned().collect();
        if group.is_empty() {
            return Ok(());
        }
        if !fails && self.accept(pass, &group, step)? {
            return Ok(());
        }
        if group.len() == 1 {
            return Ok(());
        }
        let (left, right) = group.split_at(group.len() / 2);
        let answers = self.ask(&[pass.with(left), pass.with(right)], step)?;
        if answers[0] {
            pass.groups.push(left.to_vec());
            // Both together are the whole, which is not interesting.
            self.halve(pass, right, step, true)
        } else if answers.get(1) == Some(&true) {
            pass.groups.push(right.to_vec());
            self.halve(pass, left, step, true)
        } else {
            self.halve(pass, left, step, true)?;
            self.halve(pass, right, step, true)
        }
    }

    /// Try each candidate alone; how many were accepted.
    fn singles(&mut self, pass: &mut PassState, candidates: &[EditSet], step: Step) -> Result<usize> {
        let mut accepted = 0;
        let mut at = 0;
        while at < candidates.len() {
            // Ask ahead; what comes behind the first that is accepted is asked again, on top of it.
            let open = (at..candidates.len()).filter(|index| pass.allows(&candidates[*index]));
            let ahead: Vec<usize> = open.take(self.workers).collect();
            let Some(last) = ahead.last().copied() else { break };
            let programs: Vec<Candidate> =
                ahead.iter().map(|index| pass.with(std::slice::from_ref(&candidates[*index]))).collect();
            let answers = self.ask(&programs, step)?;
            match answers.iter().position(|answer| *answer) {
                Some(first) => {
                    pass.groups.push(vec![candidates[ahead[first]].clone()]);
                    accepted += 1;
                    at = ahead[first] + 1;
                }
                None => at = last + 1,
            }
        }
        Ok(accepted)
    }

    fn accept(&mut self, pass: &mut PassState, group: &[EditSet], step: Step) -> Result<bool> {
        let answers = self.ask(&[pass.with(group)], step)?;
        if answers[0] {
            pass.groups.push(group.to_vec());
        }
        Ok(answers[0])
    }

    /// The answers for `programs` up to the first that is interesting; the workers ask for all at once.
    fn ask(&mut self, programs: &[Candidate], step: Step) -> Result<Vec<bool>> {
        let mut known: Vec<Option<bool>> =
            programs.iter().map(|program| self.memo.get(&key(program)).copied()).collect();
        let first = known.iter().position(|answer| *answer == Some(true)).unwrap_or(programs.len());
        let unknown: Vec<usize> = (0..first).filter(|index| known[*index].is_none()).collect();
        for chunk in unknown.chunks(self.workers) {
            anyhow::ensure!(!crate::sys::requested(), "interrupted");
            let answers = self.judged(programs, chunk)?;
            for (index, answer) in chunk.iter().zip(&answers) {
                self.memo.insert(key(&programs[*index]), *answer);
                known[*index] = Some(*answer);
            }
            let lines = lines_of_code(&self.current.source);
            (self.observe)(Progress { lines, tests: self.tests(), doing: step.pass.name() });
            if answers.contains(&true) {
                break;
            }
        }
        let end =
            known.iter().position(|answer| *answer == Some(true)).map_or(programs.len(), |first| first + 1);
        Ok(known[..end].iter().map(|answer| answer.unwrap_or(false)).collect())
    }

    fn judged(&mut self, programs: &[Candidate], indices: &[usize]) -> Result<Vec<bool>> {
        self.tests += indices.len();
        if let [only] = indices {
            return Ok(vec![self.judge.is_interesting(0, &programs[*only])?]);
        }
        // Each question has a worker_index of its own, whichever thread asks it.
        let judge = self.judge;
        let ask =
            |(worker_index, index): (usize, &usize)| judge.is_interesting(worker_index, &programs[*index]);
        self.pool.install(|| indices.par_iter().enumerate().map(ask).collect())
    }
}

fn signed(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// What is the same program to the judge.
fn key(candidate: &Candidate) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(candidate.source.as_bytes());
    for mark in &candidate.marks {
        hasher.update(&(mark.start as u64).to_le_bytes());
    }
    hasher.finalize()
}
