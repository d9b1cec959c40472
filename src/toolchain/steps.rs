//! The steps that every profile takes, whichever tools take them: lay out, build, run, extract.

use anyhow::{Context, Result};

use super::bench::{Bench, Step};
use super::{Detail, Profile, Report, Request, flags};
use crate::coverage::Coverage;
use crate::model::{Family, Outcome};

/// What differs from family to family.
pub trait Steps {
    /// The family.
    const FAMILY: Family;

    /// Compile and link the program that is laid out, with `flags` of its own.
    fn build(&self, bench: &Bench, request: &Request<'_>, flags: Vec<String>) -> Step;

    /// What the program's environment needs so that it leaves its profile; `run` counts from 0.
    fn environment(&self, bench: &Bench, run: u32) -> Vec<(String, String)>;

    /// The report on the profile that the program left, or why there is none.
    fn extract(&self, bench: &Bench, detail: Detail) -> Result<std::result::Result<Coverage, Outcome>>;
}

/// One profile, step by step; the first step that fails is its outcome.
pub fn profile<T: Steps>(tools: &T, bench: &mut Bench, request: &Request<'_>) -> Result<Profile> {
    bench.lay_out(request)?;
    let dialect = match flags::build(T::FAMILY, request, |flags| tools.build(bench, request, flags))? {
        Ok(dialect) => dialect,
        Err(outcome) => return Ok(Err(outcome)),
    };
    let mut first = None;
    for run in 0..request.runs {
        match bench.program(request, tools.environment(bench, run))? {
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
    let coverage = tools.extract(bench, request.detail)?;
    Ok(coverage.and_then(|coverage| Report { execution, coverage, dialect }.believable()))
}
