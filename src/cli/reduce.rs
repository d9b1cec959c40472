//! `recount reduce`: the smallest program that shows a finding, and the nearest program with correct counts.

use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;

use super::output::{Exit, Failure, bad_input};
use super::reduce_flags::ReduceFlags;
use super::reduce_targets::{Target, targets};
use super::runs::replay_of;
use super::setup::{new_workers, own_binary, profiler_of};
use crate::config::Settings;
use crate::console::Spinner;
use crate::journal::{FindingBundle, FindingFolder, Reduction};
use crate::model::Finding;
use crate::reduce::{
    ExternalReducer, FindingTest, NotReduced, ReduceBy, before_reduction, reduce as reduce_one,
};
use crate::report::{Sheet, number_of, sheet, write};
use crate::sys::{install_interrupt, lock, requested};
use crate::toolchain::{ToolRunners, Worker};

/// How long the reduction of several findings may take.
#[derive(Clone, Copy, Debug)]
pub enum TimeLimit {
    /// That of each finding, if it has one.
    Each(Option<Duration>),
    /// That of all of them: each gets an equal share of the time that is left.
    Until(Instant),
}

/// How findings are reduced.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// Whether a finding that was reduced before is reduced further, and not from its original program.
    pub further: bool,
    pub with: Option<ExternalReducer>,
    pub time: TimeLimit,
    pub quiet: bool,
}

pub fn reduce(flags: &ReduceFlags) -> Result<Exit, Failure> {
    let settings = flags.settings.settings()?;
    install_interrupt()?;
    let targets = targets(flags, &settings)?;
    let ReduceFlags { further, with, quiet, .. } = *flags;
    let how = How { further, with, time: TimeLimit::Each(flags.time), quiet };
    // A folder that cannot be written to is an error now, and not after the reduction.
    if let Some(out) = &flags.out {
        fs_err::create_dir_all(out).map_err(bad_input)?;
    }
    let exit = reduce_all(&targets, &settings, how);
    if let Some(out) = &flags.out {
        // Only if it is empty.
        let _ = std::fs::remove_dir(out);
    }
    let exit = exit?;
    Ok(if requested() { Exit::Interrupted } else { exit })
}

/// Reduce each of `targets`, and print what became of it. Returns the worst exit code.
pub fn reduce_all(targets: &[Target], settings: &Settings, how: How) -> Result<Exit, Failure> {
    // Several findings are reduced in parallel with one worker each; a single one gets all workers.
    let parallel = targets.len().clamp(1, settings.jobs);
    let workers_each = if parallel > 1 { 1 } else { settings.jobs };
    let (scratch, workers) = new_workers(parallel * workers_each, settings)?;
    // A missing compiler is reported when its finding is reduced.
    let first = targets.first().and_then(|(_, bundle)| profiler_of(&bundle.finding).ok());
    let compilers = first.iter().filter_map(|profiler| profiler.compiler());
    let evidence = targets.first().map_or(scratch.path(), |(folder, _)| &*folder.0);
    let runners = ToolRunners::new(settings, scratch.path(), evidence, compilers)?;
    let workers: Vec<Mutex<Worker>> =
        workers.into_iter().map(|worker| Mutex::new(worker.with_runners(&runners))).collect();
    let next = AtomicUsize::new(0);
    let worst = Mutex::new(Exit::NothingNew);
    let spinner = Spinner::new(how.quiet);
    let work =
        Work { how, settings, spinner: &spinner, parallel, total: targets.len(), root: scratch.path() };
    let reduce_in_turn = |workers: &[Mutex<Worker>]| {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some((folder, bundle)) = targets.get(number).filter(|_| !requested()) else { break };
            if matches!(how.time, TimeLimit::Until(until) if until < Instant::now()) {
                break;
            }
            let exit = work.reduce(number, folder, bundle, workers).unwrap_or_else(|failure| {
                if requested() {
                    let text = "interrupted, so the finding is left unchanged";
                    spinner.complain(&format!("recount: {}: {text}\n", folder.0));
                    return Exit::Interrupted;
                }
                spinner.complain(&format!("recount: {}: {:#}\n", folder.0, failure.error));
                failure.exit
            });
            let mut worst = lock(&worst);
            *worst = (*worst).max(exit);
        }
        for worker in workers {
            lock(worker).finish();
        }
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(parallel).build()?;
    pool.install(|| workers.par_chunks(workers_each).for_each(reduce_in_turn));
    if let Some(reason) = runners.take_message() {
        spinner.complain(&format!("recount: {reason}\n"));
    }
    let worst = *lock(&worst);
    Ok(worst)
}

struct Work<'a> {
    how: How,
    settings: &'a Settings,
    spinner: &'a Spinner,
    /// Findings that are reduced at the same time.
    parallel: usize,
    total: usize,
    root: &'a Utf8Path,
}

impl Work<'_> {
    /// The time for the finding with this `number`, if it is limited.
    fn time(&self, number: usize) -> Option<Duration> {
        match self.how.time {
            TimeLimit::Each(time) => time,
            TimeLimit::Until(until) => {
                let rounds = (self.total - number).div_ceil(self.parallel);
                let left = until.saturating_duration_since(Instant::now());
                Some(left / u32::try_from(rounds).unwrap_or(u32::MAX))
            }
        }
    }

    fn reduce(
        &self,
        number: usize,
        folder: &FindingFolder,
        bundle: &FindingBundle,
        workers: &[Mutex<Worker>],
    ) -> Result<Exit, Failure> {
        let time = self.time(number);
        let finding = &bundle.finding;
        if !is_reducible(finding) {
            return Err(bad_input(anyhow!(
                "no count is wrong here: program.c and variant.c print different output, which suggests a compiler bug; \
                 reduce it with C-Vise and a test that compares the two outputs"
            )));
        }
        if let Some(rule) = finding.rule.filter(|_| !finding.verdict.is_open() && !self.how.quiet) {
            self.spinner.complain(&format!(
                "recount: {}: the verdict is {} ({}), so this may be no bug of the profiler; it is reduced all the same\n",
                folder.0,
                finding.verdict.name(),
                rule.name()
            ));
        }
        let profiler = profiler_of(finding)?;
        let start = if self.how.further { bundle.clone() } else { before_reduction(bundle) };
        let replay = replay_of(&start)?;
        let mut test = FindingTest::new(&profiler, self.settings, &start.finding, replay, workers);
        let observe = |progress| self.spinner.show(&folder.0, progress);
        let scratch = tempfile::Builder::new().prefix("by-").tempdir_in(self.root)?;
        let scratch = Utf8Path::from_path(scratch.path()).expect("the root is UTF-8");
        let binary = std::env::current_exe().ok().and_then(|path| Utf8PathBuf::try_from(path).ok());
        let binary = binary.unwrap_or_else(own_binary);
        let by = match self.how.with {
            None => ReduceBy::Engine,
            Some(reducer) => ReduceBy::External(reducer, scratch, &binary),
        };
        let (text, exit) = match reduce_one(&mut test, &start, by, time, &observe)? {
            Ok(mut reduced) => {
                if let Some(reduction) = reduced.reduction.as_mut().filter(|_| self.parallel > 1) {
                    // The CPU time of children is only known for the whole process.
                    reduction.cpu_seconds = None;
                }
                write(folder, &reduced)?;
                (in_words(folder, &reduced, self.total == 1), Exit::NothingNew)
            }
            Err(NotReduced::NotReproduced) => {
                let Finding { compiler, signature, .. } = finding;
                let text = format!("{}: no longer reproduces with {compiler}: {signature}\n", folder.0);
                (text, Exit::NotThere)
            }
            Err(NotReduced::OutOfTime) => {
                let text = "the time was not enough for a smaller program, so the finding is left unchanged";
                (format!("{}: {text}\n", folder.0), Exit::NothingNew)
            }
            Err(NotReduced::Interrupted(program)) => {
                let text = "interrupted, so the finding is left unchanged. The smallest program so far, which is not confirmed, was:";
                (format!("{}: {text}\n{program}", folder.0), Exit::Interrupted)
            }
            Err(NotReduced::NotConfirmed(program, reduction)) => {
                let text = "The reduced program failed the final checks, so the finding is left unchanged. The program was:";
                (format!("{}{text}\n{program}", figures(folder, &reduction)), Exit::NotThere)
            }
        };
        self.spinner.say(&text);
        Ok(exit)
    }
}

/// Whether there is a wrong count: where a rewritten program prints something else, there is none.
pub fn is_reducible(finding: &Finding) -> bool {
    finding.rewriting.is_none() || finding.line.is_some()
}

/// The size and cost of a reduction in one line; `with_program` adds the program and its counts.
fn in_words(folder: &FindingFolder, bundle: &FindingBundle, with_program: bool) -> String {
    let Some(reduction) = &bundle.reduction else { return String::new() };
    let mut out = figures(folder, reduction);
    if with_program {
        let contrast = match &reduction.contrast {
            Ok(edit) => format!("The count is right after this edit: {edit} (contrast.c)"),
            Err(reason) => format!("No minimal variant with a correct count: {reason}."),
        };
        let FindingBundle { finding, program, variant, counts, .. } = bundle;
        let marked = finding.line.into_iter().collect();
        let shown = Sheet { program, variant: variant.as_deref(), counts, marked };
        let _ = write!(out, "\n{}\n{contrast}\n", sheet(&shown, usize::MAX, 120));
    }
    out
}

fn figures(folder: &FindingFolder, reduction: &Reduction) -> String {
    let Reduction { lines_before, lines_after, bytes_before, bytes_after, wall_seconds, .. } = reduction;
    let tests = number_of(reduction.tests, "program");
    let cpu = reduction.cpu_seconds.map(|cpu| format!(", {cpu:.1} s of CPU time")).unwrap_or_default();
    let stopped =
        if reduction.is_complete { "" } else { "; stopped by the time limit, so it may be reduced further" };
    format!(
        "{}: {lines_before} lines -> {lines_after}, {bytes_before} bytes -> {bytes_after}; {tests} tried in \
         {wall_seconds:.1} s{cpu}{stopped}\n",
        folder.0
    )
}
