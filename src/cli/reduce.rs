//! `recount reduce`: the smallest program that shows a finding, and the nearest program with correct counts.

use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Result, anyhow};
use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;

use super::output::{Exit, Failure, bad_input};
use super::reduce_flags::ReduceFlags;
use super::reduce_targets::targets;
use super::runs::replay_of;
use super::setup::{new_workers, own_binary, profiler_of};
use crate::config::Settings;
use crate::console::Spinner;
use crate::journal::{FindingBundle, FindingFolder, Reduction};
use crate::model::Finding;
use crate::reduce::{FindingTest, NotReduced, ReduceBy, before_reduction, reduce as reduce_one};
use crate::report::{Sheet, number_of, sheet, write};
use crate::sys::{install_interrupt, lock, requested};
use crate::toolchain::{ToolRunners, Worker};

pub fn reduce(flags: &ReduceFlags) -> Result<Exit, Failure> {
    let settings = flags.settings.settings()?;
    install_interrupt()?;
    let targets = targets(flags, &settings)?;
    // Several findings are reduced in parallel with one worker each; a single one gets all workers.
    let parallel = targets.len().clamp(1, settings.jobs);
    let workers_each = if parallel > 1 { 1 } else { settings.jobs };
    let (scratch, workers) = new_workers(parallel * workers_each, &settings)?;
    // A missing compiler is reported when its finding is reduced.
    let first = targets.first().and_then(|(_, bundle)| profiler_of(&bundle.finding).ok());
    let compilers = first.iter().filter_map(|profiler| profiler.compiler());
    let evidence = targets.first().map_or(scratch.path(), |(folder, _)| &*folder.0);
    let runners = ToolRunners::new(&settings, scratch.path(), evidence, compilers)?;
    let workers: Vec<Mutex<Worker>> =
        workers.into_iter().map(|worker| Mutex::new(worker.with_runners(&runners))).collect();
    let next = AtomicUsize::new(0);
    let worst = Mutex::new(Exit::NothingNew);
    let spinner = Spinner::new(flags.quiet);
    let work = Work {
        flags,
        settings: &settings,
        spinner: &spinner,
        parallel,
        total: targets.len(),
        root: scratch.path(),
    };
    let reduce_in_turn = |workers: &[Mutex<Worker>]| {
        while let Some((folder, bundle)) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
            if requested() {
                break;
            }
            let exit = work.reduce(folder, bundle, workers).unwrap_or_else(|failure| {
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
    Ok(if requested() { Exit::Interrupted } else { worst })
}

struct Work<'a> {
    flags: &'a ReduceFlags,
    settings: &'a Settings,
    spinner: &'a Spinner,
    /// Findings that are reduced at the same time.
    parallel: usize,
    total: usize,
    root: &'a Utf8Path,
}

impl Work<'_> {
    fn reduce(
        &self,
        folder: &FindingFolder,
        bundle: &FindingBundle,
        workers: &[Mutex<Worker>],
    ) -> Result<Exit, Failure> {
        let finding = &bundle.finding;
        if finding.rewriting.is_some() && finding.line.is_none() {
            return Err(bad_input(anyhow!(
                "no count is wrong here: program.c and variant.c print different output, which suggests a compiler bug; \
                 reduce it with C-Vise and a test that compares the two outputs"
            )));
        }
        let profiler = profiler_of(finding)?;
        let start = if self.flags.further { bundle.clone() } else { before_reduction(bundle) };
        let replay = replay_of(&start)?;
        let mut test = FindingTest::new(&profiler, self.settings, &start.finding, replay, workers);
        let observe = |progress| self.spinner.show(&folder.0, progress);
        let scratch = tempfile::Builder::new().prefix("by-").tempdir_in(self.root)?;
        let scratch = Utf8Path::from_path(scratch.path()).expect("the root is UTF-8");
        let binary = std::env::current_exe().ok().and_then(|path| Utf8PathBuf::try_from(path).ok());
        let binary = binary.unwrap_or_else(own_binary);
        let by = match self.flags.with {
            None => ReduceBy::Engine,
            Some(reducer) => ReduceBy::External(reducer, scratch, &binary),
        };
        let (text, exit) = match reduce_one(&mut test, &start, by, self.flags.time, &observe)? {
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
            Err(NotReduced::NotConfirmed(program, reduction)) => {
                let text = "The reduced program failed the final checks, so the finding is left unchanged. The program was:";
                (format!("{}{text}\n{program}", figures(folder, &reduction)), Exit::NotThere)
            }
        };
        self.spinner.say(&text);
        Ok(exit)
    }
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
    let stopped = if reduction.is_complete { "" } else { "; stopped by --for, so it may be reduced further" };
    format!(
        "{}: {lines_before} lines -> {lines_after}, {bytes_before} bytes -> {bytes_after}; {tests} tried in \
         {wall_seconds:.1} s{cpu}{stopped}\n",
        folder.0
    )
}
