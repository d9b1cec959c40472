//! A probed profiler: compile a program, run it, extract its report.
//!
//! One file a family behind one trait, so that a campaign does not know which
//! it drives, and tests can drive one with a profiler that is made up.

mod annotate;
mod worker;
mod flags;
mod gcov;
mod lane;
mod llvm_cov;
mod plain;
mod probe;
mod recipe;
mod steps;

pub use annotate::{Annotated, NEUTRAL};
pub use flags::{CONDITION_FLAGS, compile_flags, condition_flag, counts_conditions};
pub use lane::FastLane;
pub use plain::{Plain, PlainRun, UbChecks, detector_count, is_undefined, run_rewritten, watch};
pub use probe::{Missing, Probed, compilers_folder, installed, select};
pub use worker::{SOURCE, Step, Worker};

use crate::config::Lane;
use crate::corpus::Input;
use crate::coverage::Coverage;
use crate::model::{Execution, Metric, Outcome, ProfilerInfo};
use camino::Utf8Path;

/// How much of a report is read. Extraction is a good part of the cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Line counts, with what comes along for nothing.
    Lines,
    /// And what they are made of: blocks, regions, segments.
    Parts,
    /// And what other outputs of the tools say of the lines.
    Full,
}

/// What to profile.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The text of the program.
    pub source: &'a str,
    /// Where its own headers lie.
    pub folder: Option<&'a Utf8Path>,
    /// Flags from its sidecar.
    pub flags: &'a [String],
    /// Its input.
    pub input: &'a Input,
    /// Which flags for old programs to add: none, or what an earlier [`Report`] says.
    pub dialect: Option<usize>,
    /// How much to read.
    pub detail: Detail,
    /// What to build differently, to see whether the program depends on it.
    pub perturbation: Perturbation,
    /// How often to run it into one profile.
    pub runs: u32,
    /// The fast one, where the worker has it, for what guides us; the plain one for what a finding rests on.
    pub lane: Lane,
}

/// A way of building a program that changes nothing for one without undefined
/// behaviour that takes no decision on an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Perturbation {
    /// As it is.
    Nothing,
    /// Everything lies elsewhere in memory: code, data, constants, stack, heap.
    Layout,
    /// The same, but for functions, which lie at odd distances instead of round ones.
    Distances,
    /// Uninitialised variables have a pattern. gcc counts that work on the lines of the
    /// declarations, so counts may differ, but not whether a line ran.
    Uninitialised,
}

/// A program's run and its report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What the program did.
    pub execution: Execution,
    /// What the profiler says that it did.
    pub coverage: Coverage,
    /// The dialect that it compiled in.
    pub dialect: usize,
}

impl Report {
    /// The report, unless it says that `main` never ran: a program that ends by `_exit` or
    /// `exec` can leave a profile of zeros, which mean nothing.
    fn believable(self) -> Profile {
        let idle =
            self.coverage.functions.iter().any(|function| function.name == "main" && function.count == 0);
        if idle {
            Err(Outcome::NoProfile { reason: "by the profile main never ran".into() })
        } else {
            Ok(self)
        }
    }
}

/// A report, or why there is none.
pub type Profile = Result<Report, Outcome>;

/// A compiler and its coverage tools.
pub trait Profiler: Send + Sync {
    /// Which it is.
    fn info(&self) -> &ProfilerInfo;

    /// Compile `request`, run it, and extract the report. A program that does
    /// not get that far is an [`Outcome`].
    ///
    /// # Errors
    /// When we or the machine are broken, or on an interrupt.
    fn profile(&self, worker: &mut Worker, request: &Request<'_>) -> anyhow::Result<Profile>;

    /// The whole annotated report on `request` as its makers get it by hand to see counts of `metric`, in the
    /// dialect of the request.
    ///
    /// # Errors
    /// When we or the machine are broken, or on an interrupt.
    fn annotate(
        &self,
        _bench: &mut Worker,
        _request: &Request<'_>,
        _metric: Metric,
    ) -> anyhow::Result<Result<Annotated, Outcome>> {
        Ok(Err(Outcome::NoProfile { reason: "the profiler has no annotated report".into() }))
    }

    /// Its compiler; none where it is made up.
    fn compiler(&self) -> Option<&Utf8Path> {
        None
    }

    /// The tool that reads what its compiler's programs leave, where that is one: gcov.
    fn reader(&self) -> Option<&Utf8Path> {
        None
    }

    /// Make the file ready that a program leaves its profile in, and say what its environment needs so
    /// that it does; `run` counts from 0. Programs look around: every run of one, profiled or not, has
    /// the same environment.
    ///
    /// # Errors
    /// When the file cannot be made.
    fn environment(&self, _bench: &Worker, _run: u32) -> anyhow::Result<Vec<(String, String)>> {
        Ok(Vec::new())
    }

    /// The commands of a profile, for a person to paste into a shell.
    fn commands(&self, flags: &[String], input: &Input, dialect: usize) -> Vec<String>;
}
