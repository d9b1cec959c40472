//! The steps of every profile, which do not depend on the tools: prepare, build, run, extract.

use anyhow::{Context, Result};

use super::attempt::{Attempt, no_profile, outcome_as_result};
use super::flags::{self, is_condition_flag};
use super::profiler::Profiler;
use super::request::{Confidence, Perturbation, Profile, Report, Request};
use super::worker::Worker;
use crate::coverage::{Coverage, FunctionCount};
use crate::model::{Metric, Outcome};

/// The commands that differ between families.
pub trait Tools: Profiler {
    /// Compile and link a program in the worker's scratch folder into `p`.
    fn build(&self, worker: &mut Worker, build: Build<'_>) -> Attempt<()>;

    /// Read the profile that the program `p.c` left: the report on the file that `request` names.
    fn extract(&self, worker: &mut Worker, request: &Request<'_>) -> Attempt<Coverage>;

    /// The shell commands that print an annotated report with counts of `metric`. `flags` are shell words;
    /// `run` is the command that runs the program.
    fn shell_commands(&self, flags: &str, run: String, metric: Metric) -> Vec<String>;

    /// Shell commands that print the same profile in other formats.
    fn other_format_commands(&self) -> Vec<String>;

    /// The output of [`Tools::shell_commands`] for the profile that the program left.
    fn annotated_report(&self, worker: &mut Worker, metric: Metric) -> Attempt<String>;

    /// The shell command that prints how the compiler assigned the code of `small.c` to counters, and its output; none if
    /// there is no such tool. `words` are `flags` as shell words.
    fn mapping(
        &self,
        worker: &mut Worker,
        flags: &[String],
        words: &str,
    ) -> Attempt<Option<(String, String)>>;
}

/// The stem of the file that is built: `STEM.c`.
pub struct Build<'a> {
    pub stem: &'a str,
    pub flags: Vec<String>,
    /// Flags of a separate link command.
    pub link_flags: &'a [String],
    pub perturbation: Perturbation,
}

/// One profile. Some of those that may be made in the fast lane are compared with the plain commands, whose
/// profile then counts.
pub fn profile(tools: &dyn Tools, worker: &mut Worker, request: &Request<'_>) -> Result<Profile> {
    let fast = run_steps(tools, worker, request)?;
    if request.confidence == Confidence::Confirming || !worker.runners.compares(request.source, &fast) {
        return Ok(fast);
    }
    let confirming = Request { confidence: Confidence::Confirming, ..*request };
    let plain = run_steps(tools, worker, &confirming)?;
    // Whether the program has the same two profiles each time and under another layout in memory. Otherwise the program
    // itself explains why they differ: another linker moves its addresses.
    let mut is_stable = || -> Result<bool> {
        for _ in 0..2 {
            if run_steps(tools, worker, &confirming)? != plain || run_steps(tools, worker, request)? != fast {
                return Ok(false);
            }
        }
        let moved = run_steps(tools, worker, &Request { perturbation: Perturbation::Layout, ..confirming })?;
        Ok(match (&plain, &moved) {
            // The flags of this layout may add counts, but not to lines.
            (Ok(plain), Ok(moved)) => {
                plain.execution == moved.execution && plain.coverage.same_lines(&moved.coverage)
            }
            (_, Err(Outcome::DoesNotCompile { .. })) => true,
            (plain, moved) => plain.is_ok() == moved.is_ok(),
        })
    };
    if fast != plain && is_stable()? {
        let runners = worker.runners.clone();
        runners.disagree(&tools.info().compiler, request.source, &fast, &plain)?;
    }
    Ok(plain)
}

/// One profile. If a tool crashes on conditions, all else is from a profile without them.
fn run_steps(tools: &dyn Tools, worker: &mut Worker, request: &Request<'_>) -> Result<Profile> {
    let mut profile = outcome_as_result(report(tools, worker, request))?;
    let crash = profile.as_mut().ok().and_then(|report| report.coverage.crash.take());
    if crash.is_none() {
        return Ok(profile);
    }
    let without: Vec<String> =
        request.flags.iter().filter(|flag| !is_condition_flag(flag)).cloned().collect();
    let mut plain = outcome_as_result(report(tools, worker, &Request { flags: &without, ..*request }))?;
    if let Ok(plain) = &mut plain {
        plain.coverage.crash = crash;
    }
    Ok(plain)
}

fn report(tools: &dyn Tools, worker: &mut Worker, request: &Request<'_>) -> Attempt<Report> {
    worker.prepare(request)?;
    let dialect = flags::build(tools.info().profiler, request, |flags| {
        let (link_flags, perturbation) = (request.flags, request.perturbation);
        tools.build(worker, Build { stem: "p", flags, link_flags, perturbation })
    })?;
    let mut first = None;
    for run in 0..request.runs {
        let environment = tools.environment(worker, run)?;
        let execution = worker.run_program(request, environment)?;
        if first.as_ref().is_some_and(|first| *first != execution) {
            return Err(no_profile("its runs behave differently"));
        }
        first = Some(execution);
    }
    let execution = first.context("a program is run at least once")?;
    let coverage = tools.extract(worker, request)?;
    // A program that ends by `_exit` or `exec` can leave a profile that contains only zeros, although code ran. One that resets its
    // counters has the rest of the run.
    let may_reset = ["__gcov_reset", "__llvm_profile_reset"].iter().any(|call| request.source.contains(call));
    let ran = coverage.counted().any(|(_, count)| count > 0);
    let is_main = |function: &FunctionCount| function.name == "main" && function.count == 0;
    if !may_reset && !ran && coverage.functions.iter().any(is_main) {
        return Err(no_profile("the profile says that main never ran"));
    }
    Ok(Report { execution, coverage, dialect })
}
