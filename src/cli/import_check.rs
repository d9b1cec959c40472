//! Whether a program that was imported can be checked: the newest gcc builds it, and it runs well.

use std::sync::Mutex;

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;

use super::exit::{Failure, bad_input, ours};
use super::finding::new_workers;
use super::import_flags::CommonFlags;
use super::run::profilers;
use crate::config::{File, Settings};
use crate::console::Steps;
use crate::corpus::import::{Fate, Fates, Taken};
use crate::corpus::{Sidecar, load};
use crate::model::{Outcome, Termination};
use crate::sys::{ScratchRoot, lock, requested};
use crate::toolchain::{Probed, Request, Worker};

/// What came out of a try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It can be checked.
    Good,
    /// It can with this sidecar, which lacks inputs; why.
    Without(Sidecar, String),
    /// It cannot: the reason, and what exactly.
    Bad(&'static str, String),
}

/// What tries programs.
pub struct Checker {
    profiler: Probed,
    workers: Mutex<Vec<Worker>>,
    pool: rayon::ThreadPool,
    quiet: bool,
    /// Holds the scratch folders.
    _scratch: ScratchRoot,
}

impl Checker {
    /// With the newest gcc that is here.
    pub fn new(flags: &CommonFlags) -> Result<Checker, Failure> {
        let typed = File { profilers: Some(vec!["gcov".into()]), jobs: Some(flags.jobs), ..File::default() };
        let settings = Settings::merge(None, typed).map_err(bad_input)?;
        let profiler = profilers(&settings)?.remove(0);
        let (scratch, workers) = new_workers(settings.jobs, &settings)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.jobs).build().map_err(ours)?;
        Ok(Checker { profiler, workers: Mutex::new(workers), pool, quiet: flags.quiet, _scratch: scratch })
    }

    /// The compiler's name.
    pub fn compiler(&self) -> String {
        self.profiler.info().compiler.clone()
    }

    /// Try the programs in `folder` that `fates` has as taken.
    pub fn check(&self, folder: &Utf8Path, fates: &Fates) -> Result<Vec<(Utf8PathBuf, Verdict)>> {
        let taken: Vec<(&Utf8PathBuf, &Taken)> = fates
            .iter()
            .filter_map(|(file, fate)| match fate {
                Fate::Taken(taken) => Some((file, taken)),
                Fate::Skipped(_) => None,
            })
            .collect();
        let steps = Steps::new(self.quiet, "programs tried", taken.len());
        let verdicts = self.pool.install(|| {
            let work = taken.par_iter().map(|(file, taken)| {
                anyhow::ensure!(!requested(), "interrupted");
                let mut worker = self.borrow().context("a worker for each thread")?;
                let verdict = self.verdict(&mut worker, &folder.join(file), taken);
                self.give_back(worker);
                steps.step();
                Ok(((*file).clone(), verdict.with_context(|| format!("try {file}"))?))
            });
            work.collect()
        });
        steps.finish();
        verdicts
    }

    fn borrow(&self) -> Option<Worker> {
        lock(&self.workers).pop()
    }

    fn give_back(&self, worker: Worker) {
        lock(&self.workers).push(worker);
    }

    fn verdict(&self, worker: &mut Worker, path: &Utf8Path, taken: &Taken) -> Result<Verdict> {
        let source = load(&[path.to_path_buf()])?.remove(0);
        let text = source.read()?;
        let mut lost = Vec::new();
        let inputs = source.inputs();
        for input in &inputs {
            let request = Request {
                folder: source.folder(),
                flags: &source.sidecar.flags,
                ..Request::new(&text, input)
            };
            match self.profiler.profile(worker, &request)? {
                Ok(report)
                    if taken.exit == ANY_EXIT
                        || report.execution.termination == Termination::Exited(taken.exit) => {}
                Ok(report) => lost.push((input.name.clone(), wrong_end(report.execution.termination))),
                Err(outcome) => {
                    let compiles = !matches!(outcome, Outcome::DoesNotCompile { .. });
                    lost.push((input.name.clone(), in_words(outcome)));
                    if !compiles {
                        break;
                    }
                }
            }
        }
        let is_lost = |name: &String| lost.iter().any(|(gone, _)| gone == name);
        let left: Vec<_> = inputs.iter().filter(|input| !is_lost(&input.name)).cloned().collect();
        Ok(match lost.first() {
            None => Verdict::Good,
            Some((_, (reason @ "does not compile", why))) => Verdict::Bad(reason, why.clone()),
            Some((_, (reason, why))) if left.is_empty() => Verdict::Bad(reason, why.clone()),
            Some((name, (reason, why))) => {
                let sidecar = Sidecar { inputs: left, ..source.sidecar.clone() };
                let note = format!("{} inputs left out; {name}: {reason} {why}", lost.len());
                Verdict::Without(sidecar, note.trim_end().to_string())
            }
        })
    }
}

/// [`Taken::exit`] of a program that may end as it likes.
pub const ANY_EXIT: i32 = -1;

fn wrong_end(termination: Termination) -> (&'static str, String) {
    match termination {
        Termination::Exited(code) => ("ends with another exit code", code.to_string()),
        other => ("does not run to its end", format!("{other:?}")),
    }
}

fn in_words(outcome: Outcome) -> (&'static str, String) {
    match outcome {
        Outcome::DoesNotCompile { reason } => ("does not compile", reason),
        Outcome::TimedOut { .. } => ("runs too long", String::new()),
        Outcome::Died { signal } => ("dies", format!("signal {signal}")),
        Outcome::OutputCap => ("prints too much", String::new()),
        Outcome::NoProfile { reason } => ("leaves no profile", reason),
        other => ("does not run to its end", format!("{other:?}")),
    }
}
