//! gcc and gcov: `gcc -O0 --coverage`, the run, `gcov --json-format --stdout`.
//!
//! Compiling and linking are two commands, because only then the names of `.gcno` and `.gcda` follow the object's
//! name. Without a profile gcov exits with 0 and prints zeros, so the profile must exist and the report must name
//! our file. The folder was empty before, so the profile cannot be an old one.

use std::sync::Arc;

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};

use super::annotate::{REPORTED_SOURCE, annotate, file_name};
use super::attempt::{Attempt, StepResult, no_profile, not_written, outcome_as_result};
use super::flags::{can_count_paths, condition_flags, shown, spaced};
use super::perturbation::perturbation_flags;
use super::printed::{GcovPrinted, Printed, Recorded};
use super::profiler::{Annotated, Profiler};
use super::request::{Detail, Profile, Request};
use super::steps::{Build, Tools, profile};
use super::worker::Worker;
use crate::coverage::{Coverage, GcovNotes, Unreadable, gcov_json};
use crate::model::SOURCE;
use crate::model::{Family, Metric, ProfilerInfo};
use crate::syntax::renumbers;

/// The profile of a program, by the name of its source.
const PROFILES: [&str; 2] = ["p.gcda", "small.gcda"];

/// A gcc and its gcov.
#[derive(Clone, Debug)]
pub struct Gcov {
    pub info: ProfilerInfo,
    pub gcc: Utf8PathBuf,
    pub gcov: Utf8PathBuf,
}

impl Gcov {
    /// The options for all metrics that this gcov has. The report has conditions and paths only if the program was compiled to
    /// count them.
    fn metric_flags(&self) -> Vec<&'static str> {
        let major = self.info.major();
        let conditions = condition_flags(Family::Gcov, major).next().map(|_| "--conditions");
        let paths = can_count_paths(Family::Gcov, major).then_some("--prime-paths");
        std::iter::once("--branch-probabilities").chain(conditions).chain(paths).collect()
    }

    /// The report of gcov on `data`, a `.gcda` or `.gcno` file, as JSON.
    fn print_json(&self, worker: &mut Worker, data: &str) -> Attempt<Vec<u8>> {
        let args = [&["--json-format", "--stdout"][..], &self.metric_flags(), &[data]].concat();
        Ok(worker.run_tool(&self.gcov, args.into_iter().map(String::from).collect())?.stdout)
    }

    /// The totals that gcov prints about `data`, without a report.
    fn summary(&self, worker: &mut Worker, data: &str) -> Attempt<Vec<u8>> {
        let args = [&["--no-output"][..], &self.metric_flags(), &[data]].concat();
        Ok(worker.run_tool(&self.gcov, args.into_iter().map(String::from).collect())?.stdout)
    }

    /// Everything that gcov says of `data`, the file from which it reads, with its `notes` and its `counters`.
    fn print(
        &self,
        worker: &mut Worker,
        data: &str,
        notes: &Utf8Path,
        counters: Option<&Utf8Path>,
        detail: Detail,
    ) -> Attempt<GcovPrinted> {
        let json = self.print_json(worker, data)?;
        let args = ["--stdout", "--all-blocks", data].map(String::from);
        let text = worker.run_tool(&self.gcov, args.into())?.stdout;
        let summary = if detail == Detail::Full { self.summary(worker, data)? } else { Vec::new() };
        // The report is there without them; a file that cannot be read is reported as a missing one.
        let read = |path: &Utf8Path| fs_err::read(path).unwrap_or_default();
        let graphs = match counters {
            Some(counters) => GcovNotes::read(&read(notes), &read(counters)),
            None => GcovNotes::read_unused(&read(notes)),
        }
        .map(Arc::new);
        let [text, summary] = [text, summary].map(|text| String::from_utf8_lossy(&text).into_owned());
        Ok(GcovPrinted { json, text, summary, graphs })
    }
}

impl Tools for Gcov {
    fn build(&self, worker: &mut Worker, build: Build<'_>) -> Attempt<()> {
        let Build { stem, flags, link_flags, perturbation } = build;
        let (source, object) = (format!("{stem}.c"), format!("{stem}.o"));
        let front = ["-O0", "--coverage"].map(String::from);
        let back = ["-c", &source, "-o", &object].map(String::from);
        let more = perturbation_flags(perturbation, self.info.major() >= 12);
        worker.compile(&self.gcc, [&front[..], &flags, &more, &back].concat())?;
        let front = ["--coverage", &object, "-o", "p"].map(String::from);
        worker.compile(&self.gcc, [&front[..], link_flags, &["-lm".into()]].concat())
    }

    fn extract(&self, worker: &mut Worker, request: &Request<'_>) -> Attempt<Coverage> {
        let name = request.file.map_or(SOURCE, Utf8Path::as_str);
        if !worker.scratch.take("p.gcda")? {
            return Err(not_written(".gcda"));
        }
        let read = if request.detail == Detail::Lines {
            gcov_json::read(&self.print_json(worker, "p.gcda")?, name)
        } else {
            let [notes, data] = ["p.gcno", "p.gcda"].map(|name| worker.scratch.at(name));
            self.print(worker, "p.gcda", &notes, Some(&data), request.detail)?.report(name)
        };
        match read {
            Err(Unreadable::FileMissing(_)) if request.may_lack_code() => Ok(Coverage::default()),
            Err(Unreadable::FileMissing(_)) if renumbers(request.source) => Err(no_profile(
                "its line markers (`# 1 \"file\"`) name another file; check that one, or remove the markers",
            )),
            read => Ok(read.map_err(|error| no_profile(error.to_string()))?),
        }
    }

    // Since gcc 11 the notes of a program that is built in one step are named for a.out.
    fn shell_commands(&self, flags: &str, run: String, metric: Metric) -> Vec<String> {
        let (gcc, gcov) = (file_name(&self.gcc), file_name(&self.gcov));
        vec![
            format!("{gcc} -O0 --coverage{flags} -c {REPORTED_SOURCE}"),
            format!("{gcc} --coverage small.o{flags} -lm"),
            run,
            format!("{gcov}{} {REPORTED_SOURCE} > /dev/null", spaced(&report_flags(metric))),
            format!("cat {REPORTED_SOURCE}.gcov"),
        ]
    }

    fn other_format_commands(&self) -> Vec<String> {
        let gcov = file_name(&self.gcov);
        vec![format!("{gcov} --json-format --stdout --branch-probabilities {REPORTED_SOURCE}")]
    }

    fn annotated_report(&self, worker: &mut Worker, metric: Metric) -> Attempt<String> {
        if !worker.scratch.take("small.gcda")? {
            return Err(not_written(".gcda"));
        }
        worker.run_tool(&self.gcov, [report_flags(metric), vec![REPORTED_SOURCE.into()]].concat())?;
        let path = worker.scratch.at(&format!("{REPORTED_SOURCE}.gcov"));
        if !path.is_file() {
            return Err(no_profile("gcov wrote no annotated report"));
        }
        Ok(String::from_utf8_lossy(&fs_err::read(path)?).into_owned())
    }

    fn mapping(&self, worker: &mut Worker, _: &[String], _: &str) -> Attempt<Option<(String, String)>> {
        // gcov-dump is next to gcov, and has the same suffix.
        let dump = self.gcov.with_file_name(file_name(&self.gcov).replacen("gcov", "gcov-dump", 1));
        if !dump.is_file() {
            return Ok(None);
        }
        let printed = worker.run_tool(&dump, ["-l", "small.gcno"].map(String::from).into())?;
        let text = String::from_utf8_lossy(&printed.stdout).into_owned();
        Ok(Some((format!("{} -l small.gcno", file_name(&dump)), text)))
    }
}

impl Profiler for Gcov {
    fn info(&self) -> &ProfilerInfo {
        &self.info
    }

    fn profile(&self, worker: &mut Worker, request: &Request<'_>) -> Result<Profile> {
        profile(self, worker, request)
    }

    fn annotate(&self, worker: &mut Worker, request: &Request<'_>, metric: Metric) -> StepResult<Annotated> {
        outcome_as_result(annotate(self, worker, request, metric))
    }

    fn printed(&self, worker: &mut Worker, recorded: &Recorded) -> StepResult<Printed> {
        let counters = recorded.data.first();
        let data = counters.unwrap_or(&recorded.object);
        let counters = counters.map(Utf8PathBuf::as_path);
        let printed = self.print(worker, data.as_str(), &recorded.object, counters, Detail::Parts);
        outcome_as_result(printed.map(Printed::Gcov))
    }

    fn reader(&self) -> Option<&Utf8Path> {
        Some(&self.gcov)
    }

    fn compiler(&self) -> Option<&Utf8Path> {
        Some(&self.gcc)
    }

    fn environment(&self, worker: &Worker, _: u32) -> Result<Vec<(String, String)>> {
        PROFILES.iter().try_for_each(|name| worker.scratch.expect(name).map(drop))?;
        // More levels than any path has: only the file name is kept.
        let strip = ("GCOV_PREFIX_STRIP".to_string(), "9999".to_string());
        Ok(vec![("GCOV_PREFIX".into(), worker.scratch.left("").into_string()), strip])
    }

    fn commands(&self, request: &Request<'_>, dialect: usize) -> Vec<String> {
        let (gcc, gcov) = (file_name(&self.gcc), file_name(&self.gcov));
        let (flags, _) = shown(Family::Gcov, request, dialect);
        vec![
            format!("{gcc} -O0 --coverage{flags} -c $1.c -o $1.o"),
            format!("{gcc} --coverage $1.o -o $1{} -lm", spaced(request.flags)),
            format!("./$1{}; {gcov} $1.gcda", spaced(&request.input.args)),
        ]
    }
}

/// The options with which an annotated report shows counts of `metric`.
fn report_flags(metric: Metric) -> Vec<String> {
    let flags = match metric {
        Metric::Function => &["-b"][..],
        Metric::Branch => &["-b", "-c"],
        Metric::Condition => &["--conditions"],
        Metric::Path => &["--prime-paths-lines"],
        Metric::Line | Metric::Region | Metric::Mcdc => &[],
    };
    flags.iter().map(ToString::to_string).collect()
}
