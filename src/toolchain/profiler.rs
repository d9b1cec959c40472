//! The interface of a profiler to the rest of recount. Tests implement it with fake profilers.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::attempt::StepResult;
use super::printed::{Printed, Recorded};
use super::request::{Profile, Request};
use super::worker::Worker;
use crate::model::{Metric, Outcome, ProfilerInfo};

/// A profiler that can be used.
pub type Probed = Arc<dyn Profiler>;

/// The annotated report on a program, for a bug report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotated {
    /// The compiler's command name.
    pub compiler: String,
    /// The output of `compiler -v`.
    pub verbose: String,
    /// The commands that print the report and nothing else, in order.
    pub commands: Vec<String>,
    /// Further commands that print the same profile in the profiler's other formats.
    pub others: Vec<String>,
    /// The whole annotated report.
    pub report: String,
    /// What the compiler prints about the program, with its default warnings.
    pub warnings: String,
    /// The command that prints how the compiler assigned code to counters, and its output; none if there is no such tool.
    pub mapping: Option<(String, String)>,
}

/// A compiler and its coverage tools.
pub trait Profiler: Send + Sync {
    fn info(&self) -> &ProfilerInfo;

    /// Compile the program of `request`, run it, and extract the report. If a step fails because of the program, the
    /// result is an [`Outcome`].
    ///
    /// # Errors
    /// When recount or the machine fails, or on an interrupt.
    fn profile(&self, worker: &mut Worker, request: &Request<'_>) -> anyhow::Result<Profile>;

    /// The annotated report on `request` that the commands of a bug report print, with counts of `metric`, in
    /// the dialect of the request.
    ///
    /// # Errors
    /// When recount or the machine fails, or on an interrupt.
    fn annotate(&self, _: &mut Worker, _: &Request<'_>, _: Metric) -> StepResult<Annotated> {
        Ok(Err(Outcome::NoProfile { reason: "the profiler has no annotated report".into() }))
    }

    /// Merge the raw profiles of a program into the file `to`.
    ///
    /// # Errors
    /// When recount or the machine fails, or on an interrupt.
    fn merge(&self, _: &mut Worker, _: &[Utf8PathBuf], _to: &Utf8Path) -> StepResult<()> {
        Ok(Err(Outcome::NoProfile { reason: "the profiler has no raw profiles".into() }))
    }

    /// What its tools print about a profile that was recorded elsewhere.
    ///
    /// # Errors
    /// When recount or the machine fails, or on an interrupt.
    fn printed(&self, _: &mut Worker, _: &Recorded) -> StepResult<Printed> {
        Ok(Err(Outcome::NoProfile { reason: "the profiler reads no recorded profiles".into() }))
    }

    /// Its compiler; none for a fake profiler.
    fn compiler(&self) -> Option<&Utf8Path> {
        None
    }

    /// The tool that reads the profiles of its programs, if that is a single tool: gcov.
    fn reader(&self) -> Option<&Utf8Path> {
        None
    }

    /// Create the file into which run number `run`, counted from 0, writes its profile, and return the
    /// environment variables that name it. Programs can read their environment, so every run of a program has
    /// the same one, profiled or not.
    ///
    /// # Errors
    /// When the file cannot be created.
    fn environment(&self, _worker: &Worker, _run: u32) -> anyhow::Result<Vec<(String, String)>> {
        Ok(Vec::new())
    }

    /// The commands of a profile of `request`, to be pasted into a shell, with every flag that recount adds.
    fn commands(&self, request: &Request<'_>, dialect: usize) -> Vec<String>;
}
