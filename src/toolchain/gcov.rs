//! gcc and gcov: `gcc -O0 --coverage`, the run, `gcov --json-format --stdout`.
//!
//! Two steps from source to binary, because the names of `.gcno` and `.gcda`
//! follow the object's name only then. gcov exits 0 without a profile and
//! prints zeros, so the profile must be there, and our file in the report; the
//! folder was empty before, so it cannot be an old one.

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};

use super::annotate::{self, Annotated, NEUTRAL, Shows, named};
use super::steps::{self, Steps};
use super::worker::{SOURCE, Worker, perturbing};
use super::{Detail, Profile, Profiler, Request, condition_flag, flags};
use crate::corpus::Input;
use crate::coverage::{Coverage, View, gcov_json, gcov_text};
use crate::model::{Family, Metric, Outcome, ProfilerInfo};

/// What a program leaves, by the name of the source that it was built of.
const PROFILES: [&str; 2] = ["p.gcda", "small.gcda"];

/// A gcc with its gcov.
#[derive(Clone, Debug)]
pub struct Gcov {
    pub(super) info: ProfilerInfo,
    pub(super) gcc: Utf8PathBuf,
    pub(super) gcov: Utf8PathBuf,
    pub(super) major: u32,
}

impl Gcov {
    fn compile_args(&self, request: &Request<'_>, flags: Vec<String>) -> Vec<String> {
        let mut args: Vec<String> = ["-O0", "--coverage"].map(String::from).into();
        args.extend(flags);
        args.extend(perturbing(request.perturbation, self.major >= 12));
        args.extend(["-c", SOURCE, "-o", "p.o"].map(String::from));
        args
    }

    fn link_args(flags: &[String]) -> Vec<String> {
        let mut args: Vec<String> = ["--coverage", "p.o", "-o", "p"].map(String::from).into();
        args.extend(flags.iter().cloned());
        args.push("-lm".into());
        args
    }
}

impl Steps for Gcov {
    const FAMILY: Family = Family::Gcov;

    fn build(&self, worker: &mut Worker, request: &Request<'_>, flags: Vec<String>) -> super::Step {
        match worker.compile(&self.gcc, self.compile_args(request, flags))? {
            Ok(_) => worker.compile(&self.gcc, Self::link_args(request.flags)),
            Err(outcome) => Ok(Err(outcome)),
        }
    }

    fn extract(&self, worker: &mut Worker, detail: Detail) -> Result<std::result::Result<Coverage, Outcome>> {
        if !worker.scratch.take("p.gcda")? {
            return Ok(Err(Outcome::NoProfile { reason: "no .gcda file".into() }));
        }
        let mut args = vec!["--json-format", "--stdout", "--branch-probabilities"];
        // What was not asked to count conditions has none.
        args.extend(condition_flag(Family::Gcov, self.major).map(|_| "--conditions"));
        args.push("p.gcda");
        let printed = worker.tool(&self.gcov, args.into_iter().map(String::from).collect())?;
        let mut coverage = match gcov_json::read(&printed.stdout, SOURCE) {
            Ok(coverage) => coverage,
            Err(error) => return Ok(Err(Outcome::NoProfile { reason: error.to_string() })),
        };
        if detail != Detail::Lines {
            let args = ["--stdout", "--all-blocks", "p.gcda"].map(String::from);
            let printed = worker.tool(&self.gcov, args.into())?;
            let text = String::from_utf8_lossy(&printed.stdout);
            let ours = gcov_text::section(&text, SOURCE);
            coverage.blocks = gcov_text::blocks(ours);
            coverage.views.push(View { name: "text", lines: gcov_text::lines(ours) });
        }
        Ok(Ok(coverage))
    }
}

impl Profiler for Gcov {
    fn info(&self) -> &ProfilerInfo {
        &self.info
    }

    fn profile(&self, worker: &mut Worker, request: &Request<'_>) -> Result<Profile> {
        steps::profile(self, worker, request)
    }

    fn annotate(
        &self,
        worker: &mut Worker,
        request: &Request<'_>,
        metric: Metric,
    ) -> Result<std::result::Result<Annotated, Outcome>> {
        annotate::annotate(self, worker, request, metric)
    }

    fn reader(&self) -> Option<&Utf8Path> {
        Some(&self.gcov)
    }

    fn compiler(&self) -> Option<&Utf8Path> {
        Some(&self.gcc)
    }

    fn environment(&self, worker: &Worker, _: u32) -> Result<Vec<(String, String)>> {
        let folder = worker.scratch.left("");
        PROFILES.iter().try_for_each(|name| worker.scratch.expect(name).map(drop))?;
        // More levels than any path has: only the name counts.
        let strip = ("GCOV_PREFIX_STRIP".to_string(), "9999".to_string());
        Ok(vec![("GCOV_PREFIX".into(), folder.into_string()), strip])
    }

    fn commands(&self, own: &[String], input: &Input, dialect: usize) -> Vec<String> {
        let more = flags::shown(Family::Gcov, dialect, own);
        let gcc = self.gcc.file_name().unwrap_or("gcc");
        let gcov = self.gcov.file_name().unwrap_or("gcov");
        vec![
            format!("{gcc} -O0 --coverage{more} -c $1.c -o $1.o"),
            format!("{gcc} --coverage $1.o -o $1{} -lm", flags::spaced(own)),
            format!("./$1{}; {gcov} $1.gcda", flags::spaced(&input.args)),
        ]
    }
}

/// The options by which an annotated report shows counts of `metric`.
fn more(metric: Metric) -> Vec<String> {
    if metric == Metric::Function { vec!["-b".into()] } else { Vec::new() }
}

impl Shows for Gcov {
    fn builds(flags: &[String]) -> Vec<Vec<String>> {
        let args = |front: &[&str], behind: &[&str]| {
            let own = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
            [own(front), flags.to_vec(), own(behind)].concat()
        };
        vec![
            args(&["-O0", "--coverage"], &["-c", NEUTRAL]),
            args(&["--coverage", "small.o", "-o", "p"], &["-lm"]),
        ]
    }

    // Since gcc 11 the notes of a program that is built in one step are named for a.out.
    fn typed(&self, flags: &str, run: String, metric: Metric) -> Vec<String> {
        let (gcc, gcov) = (named(&self.gcc), named(&self.gcov));
        vec![
            format!("{gcc} -O0 --coverage{flags} -c {NEUTRAL}"),
            format!("{gcc} --coverage small.o{flags} -lm"),
            run,
            format!("{gcov}{} {NEUTRAL} > /dev/null", flags::spaced(&more(metric))),
            format!("cat {NEUTRAL}.gcov"),
        ]
    }

    fn others(&self) -> Vec<String> {
        vec![format!("{} --json-format --stdout --branch-probabilities {NEUTRAL}", named(&self.gcov))]
    }

    fn shown(&self, worker: &mut Worker, metric: Metric) -> Result<std::result::Result<String, Outcome>> {
        let none = |reason: &str| Ok(Err(Outcome::NoProfile { reason: reason.into() }));
        if !worker.scratch.take("small.gcda")? {
            return none("no .gcda file");
        }
        worker.tool(&self.gcov, [more(metric), vec![NEUTRAL.into()]].concat())?;
        let path = worker.scratch.at(&format!("{NEUTRAL}.gcov"));
        if !path.is_file() {
            return none("gcov wrote no annotated report");
        }
        Ok(Ok(String::from_utf8_lossy(&fs_err::read(path)?).into_owned()))
    }
}
