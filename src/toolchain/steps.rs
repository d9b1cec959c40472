//! The steps that every profile takes, whichever tools take them: lay out, build, run, extract.

use anyhow::{Context, Result};

use super::worker::{Step, Worker};
use super::{Detail, FastLane, Perturbation, Profile, Profiler, Report, Request, flags};
use crate::config::Lane;
use crate::coverage::Coverage;
use crate::model::{Family, Outcome};

/// What differs from family to family.
pub trait Steps: Profiler {
    /// The family.
    const FAMILY: Family;

    /// Compile and link the program that is laid out, with `flags` of its own.
    fn build(&self, worker: &mut Worker, request: &Request<'_>, flags: Vec<String>) -> Step;

    /// The report on the profile that the program left, or why there is none.
    fn extract(&self, worker: &mut Worker, detail: Detail) -> Result<std::result::Result<Coverage, Outcome>>;
}

/// One profile, in the fast lane where that is allowed. Now and then it is made in the plain lane too, and
/// where they differ the plain one counts and the fast one is closed, unless the program
/// differs from itself.
pub fn profile<T: Steps>(tools: &T, worker: &mut Worker, request: &Request<'_>) -> Result<Profile> {
    let is_wanted =
        request.lane == Lane::Fast && (request.perturbation == Perturbation::Nothing || worker.is_rough());
    let made = worker.hurrying(is_wanted, |worker| in_one_lane(tools, worker, request))?;
    // That a tool says nothing readable is not believed at once either.
    let is_odd = matches!(made, Err(Outcome::NoProfile { .. }));
    let compares = |lane: &FastLane| is_odd || lane.compares(request.source);
    if !is_wanted || !worker.fast_lane().is_some_and(compares) {
        return Ok(made);
    }
    let plain = in_one_lane(tools, worker, request)?;
    if made == plain || differs_from_itself(tools, worker, request, &made, &plain)? {
        return Ok(plain);
    }
    if let Some(lane) = worker.fast_lane() {
        let hash = &blake3::hash(request.source.as_bytes()).to_hex()[..16];
        lane.stop(format!(
            "the fast lane gives another profile of the program {hash} under {} than the plain commands; it is \
             closed, and the plain commands are used from here on",
            tools.info().compiler
        ));
    }
    Ok(plain)
}

/// Whether the program itself is why it was `hurried` to another profile than the `plain` one: it does something else
/// each time, or where it lies elsewhere in memory, as it does when another linker links it.
fn differs_from_itself<T: Steps>(
    tools: &T,
    worker: &mut Worker,
    request: &Request<'_>,
    hurried: &Profile,
    plain: &Profile,
) -> Result<bool> {
    for _ in 0..2 {
        if in_one_lane(tools, worker, request)? != *plain
            || worker.hurrying(true, |worker| in_one_lane(tools, worker, request))? != *hurried
        {
            return Ok(true);
        }
    }
    let moved = in_one_lane(tools, worker, &Request { perturbation: Perturbation::Layout, ..*request })?;
    Ok(match (plain, &moved) {
        // Flags that move everything may be counted too, but not in the lines.
        (Ok(plain), Ok(moved)) => {
            plain.execution != moved.execution || plain.coverage.lines() != moved.coverage.lines()
        }
        (_, Err(Outcome::DoesNotCompile { .. })) => false,
        (plain, moved) => plain.is_ok() != moved.is_ok(),
    })
}

/// One profile, step by step; the first step that fails is its outcome.
fn in_one_lane<T: Steps>(tools: &T, worker: &mut Worker, request: &Request<'_>) -> Result<Profile> {
    worker.prepare(request)?;
    let dialect = match flags::build(T::FAMILY, request, |flags| tools.build(worker, request, flags))? {
        Ok(dialect) => dialect,
        Err(outcome) => return Ok(Err(outcome)),
    };
    let mut first = None;
    for run in 0..request.runs {
        let environment = tools.environment(worker, run)?;
        match worker.program(request, environment)? {
            Ok(execution) if first.as_ref().is_none_or(|first| *first == execution) => {
                first = Some(execution);
            }
            Ok(_) => {
                return Ok(Err(Outcome::NoProfile { reason: "it does something else each time".into() }));
            }
            Err(outcome) => return Ok(Err(outcome)),
        }
    }
    let execution = first.context("a program is run at least once")?;
    let coverage = tools.extract(worker, request.detail)?;
    Ok(coverage.and_then(|coverage| Report { execution, coverage, dialect }.believable()))
}
