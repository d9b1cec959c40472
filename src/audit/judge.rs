//! Compares the report on each unit of the package with ground truth.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;

use super::agreement::{differing_programs, lost_processes};
use super::checked::Checked;
use super::merged::merged;
use super::processes::stage;
use super::reported::Reported;
use super::result::{FileAudit, Merged, Units};
use super::test_run::TestRun;
use super::unit::{TEXT, Unit, UnitFile, typed_text};
use crate::coverage::{Coverage, Unreadable};
use crate::model::{Family, Finding};
use crate::syntax::{Instrumented, InstrumentedFunction, Program, joined};
use crate::sys::lock;
use crate::toolchain::{Printed, Profiler, Worker, makes_hidden_tests};
use crate::triage::{Measured, wrong_numbers};
use crate::truth::{GeneratedCode, RunCounters, Truth, prove_unit};

/// What was found, before it is put together with how the audit was made.
#[derive(Debug, Default)]
pub struct Judged {
    pub files: BTreeMap<String, FileAudit>,
    pub units: Units,
    pub findings: Vec<Finding>,
    pub merged: Option<Merged>,
}

/// A unit in both builds.
struct Pair {
    /// Its name in both.
    name: String,
    /// Its folder in each run.
    coverage: Vec<Utf8PathBuf>,
    counters: Utf8PathBuf,
}

/// A file of a unit.
struct UnitCode {
    file: UnitFile,
    instrumented: Instrumented,
    generated: Option<GeneratedCode>,
}

/// The result for one unit in one program.
struct UnitResult {
    files: BTreeMap<String, FileAudit>,
    findings: Vec<Finding>,
}

/// The results for a unit in each program that has it, or why it has none.
type UnitOutcome = std::result::Result<Vec<UnitResult>, String>;

/// Compare the reports on the package in `coverage` with the counters in `counters`.
pub fn judge(
    profiler: &dyn Profiler,
    mut workers: Vec<Worker>,
    coverage: &[TestRun],
    counters: &[TestRun],
) -> Result<Judged> {
    let (pairs, mut judged) = pairs(coverage, counters)?;
    let differing = differing_programs(coverage, counters);
    judged.units.notes.extend(differing.iter().map(|(program, what)| format!("{program}: {what}")));
    judged.units.notes.extend(lost_processes(coverage));
    let worker = workers.first_mut().expect("there is a worker");
    let reported = Reported::new(profiler, worker, coverage)?;
    let case = Case { profiler, coverage, counters, counted: counted(counters), reported, differing };
    let workers = Mutex::new(workers);
    let results: Vec<(&Pair, Result<UnitOutcome>)> = pairs
        .par_iter()
        .map(|pair| {
            let mut worker = lock(&workers).pop().expect("there is a worker for each thread");
            let result = case.unit(&mut worker, pair);
            lock(&workers).push(worker);
            (pair, result)
        })
        .collect();
    for (pair, result) in results {
        match result? {
            Ok(parts) => parts.into_iter().for_each(|part| judged.add(part)),
            Err(reason) => drop(judged.units.unchecked.insert(pair.name.clone(), reason)),
        }
    }
    if profiler.info().profiler == Family::LlvmCov {
        let mut worker = lock(&workers).pop().expect("there is a worker");
        judged.merged = merged(profiler, &mut worker, &coverage[0], &judged.files)?;
    }
    Ok(judged)
}

impl Judged {
    fn add(&mut self, part: UnitResult) {
        for (path, file) in part.files {
            let known = self.files.entry(path).or_default();
            if known.source.is_empty() {
                known.source = file.source;
            }
            known.refused.extend(file.refused);
            for (line, count) in file.lines {
                match known.lines.get_mut(&line) {
                    Some(sum) => sum.add(count),
                    None => drop(known.lines.insert(line, count)),
                }
            }
        }
        for finding in part.findings {
            let is_same = |other: &Finding| {
                (&other.file, &other.signature, other.line, other.metric)
                    == (&finding.file, &finding.signature, finding.line, finding.metric)
                    && (finding.cause.is_none() || other.shares_element(&finding))
            };
            if !self.findings.iter().any(is_same) {
                self.findings.push(finding);
            }
        }
    }
}

const NOT_IN_BOTH: &str = "not all builds of the package compile it";

/// The input of findings that are about all programs of the tests; those about one have its name.
pub const TESTS: &str = "tests";

/// The units of both builds; those that only one of them has are unchecked.
fn pairs(coverage: &[TestRun], counters: &[TestRun]) -> Result<(Vec<Pair>, Judged)> {
    let mut judged = Judged::default();
    let mut found = Vec::new();
    for name in coverage[0].units()? {
        judged.units.all += 1;
        let folders = coverage.iter().map(|run| run.unit_folder(&name)).collect::<Option<Vec<_>>>();
        match (folders, counters[0].unit_folder(&name)) {
            (Some(coverage), Some(counters)) => found.push(Pair { name, coverage, counters }),
            _ => drop(judged.units.unchecked.insert(name, NOT_IN_BOTH.into())),
        }
    }
    let known: BTreeSet<&String> =
        judged.units.unchecked.keys().chain(found.iter().map(|pair| &pair.name)).collect();
    let new: Vec<String> = counters[0].units()?.into_iter().filter(|name| !known.contains(name)).collect();
    judged.units.all += new.len();
    judged.units.unchecked.extend(new.into_iter().map(|name| (name, NOT_IN_BOTH.into())));
    Ok((found, judged))
}

/// The counters of each unit in each program that contains it, in each run.
type Counted = BTreeMap<String, BTreeMap<String, Vec<RunCounters>>>;

fn counted(runs: &[TestRun]) -> Counted {
    let mut found = Counted::new();
    for (at, run) in runs.iter().enumerate() {
        for (program, units) in &run.run.counters {
            for (folder, counters) in units {
                let (phase, name) = split(folder);
                let programs = found.entry(format!("{}/{name}", stage(phase))).or_default();
                let zeros = || vec![RunCounters::zero(counters.exited.len()); runs.len()];
                programs.entry(program.clone()).or_insert_with(zeros)[at].merge(counters);
            }
        }
    }
    found
}

struct Case<'a> {
    profiler: &'a dyn Profiler,
    coverage: &'a [TestRun],
    counters: &'a [TestRun],
    counted: Counted,
    reported: Reported<'a>,
    differing: BTreeMap<String, String>,
}

impl Case<'_> {
    fn family(&self) -> Family {
        self.profiler.info().profiler
    }

    /// The results for a unit in each program that has it, or why it has none.
    fn unit(&self, worker: &mut Worker, pair: &Pair) -> Result<UnitOutcome> {
        let unit = Unit::read(&pair.counters)?;
        if let Some(reason) = &unit.uncounted {
            return Ok(Err(reason.clone()));
        }
        if let Some(path) = unit.changed() {
            let path = self.counters[0].session.below(path);
            return Ok(Err(format!("{path} was changed or removed after it was compiled")));
        }
        let text = String::from_utf8_lossy(&fs_err::read(pair.counters.join(TEXT))?).into_owned();
        let tree = &self.counters[0].session.tree;
        let Some(mut files) = unit.instrumented(self.family(), &text, tree)? else {
            return Ok(Err("it is nested too deeply".into()));
        };
        if makes_hidden_tests(&unit.flags) {
            for (_, file) in &mut files {
                file.expect_hidden_tests();
            }
        }
        let all: Vec<Instrumented> = files.iter().map(|(_, file)| file.clone()).collect();
        // A unit without code of the package has no numbers to check.
        let Some(whole) = joined(&all) else { return Ok(Ok(Vec::new())) };
        match prove_unit(self.profiler, worker, &unit.text_flags, &whole)? {
            Ok(left_out) => files.iter_mut().for_each(|(_, file)| file.leave_out(&left_out)),
            Err(reason) => {
                return Ok(Err(format!("the unit with counters is not proved to be the unit: {reason}")));
            }
        }
        let names = files.iter().map(|(file, _)| file.name.as_str());
        let generated =
            GeneratedCode::of_unit(self.profiler, worker, &unit.text_flags, whole.original(), names)?;
        let files: Vec<UnitCode> = files
            .into_iter()
            .zip(generated)
            .map(|((file, instrumented), generated)| UnitCode { file, instrumented, generated })
            .collect();
        let programs = self.programs(pair, whole.counters as usize);
        if programs.is_empty() {
            return Ok(Err("it is in no program that ran, and llvm-cov knows nothing of it".into()));
        }
        let mut results = Vec::new();
        for (programs, counted) in programs {
            if let Some((program, what)) = self.differing.iter().find(|(name, _)| programs.contains(*name)) {
                return Ok(Err(format!("the processes of {program} differ between the two builds: {what}")));
            }
            let program = programs.first().filter(|_| self.family() == Family::LlvmCov);
            match self.reported.unit(worker, &pair.coverage, program.map(String::as_str))? {
                Ok(printed) => {
                    let input = program.map_or(TESTS, String::as_str);
                    results.push(self.result(&unit, &files, &printed, &counted, input)?);
                }
                Err(outcome) => {
                    let reason = outcome.reason().unwrap_or_default();
                    return Ok(Err(format!("there is no report: {reason}")));
                }
            }
        }
        Ok(Ok(results))
    }

    /// The programs that contain the unit, each with the counters of each run: for gcov all of them together, since they
    /// share the data of the unit. llvm-cov knows nothing of a unit that is in no program that ran.
    fn programs(&self, pair: &Pair, counters: usize) -> Vec<(BTreeSet<String>, Vec<RunCounters>)> {
        let programs = self.counted.get(&pair.name).cloned().unwrap_or_default();
        if self.family() == Family::LlvmCov {
            return programs.into_iter().map(|(name, runs)| (BTreeSet::from([name]), runs)).collect();
        }
        let names: BTreeSet<String> = programs.keys().cloned().collect();
        let sums = programs.into_values().reduce(|mut sums, runs| {
            sums.iter_mut().zip(&runs).for_each(|(sum, run)| sum.merge(run));
            sums
        });
        // gcov reports zeros for a unit that is in no program.
        vec![(names, sums.unwrap_or_else(|| vec![RunCounters::zero(counters); self.counters.len()]))]
    }

    fn result(
        &self,
        unit: &Unit,
        files: &[UnitCode],
        printed: &[Option<Printed>],
        counted: &[RunCounters],
        input: &str,
    ) -> Result<UnitResult> {
        let mut result = UnitResult { files: BTreeMap::new(), findings: Vec::new() };
        let mut first = 0;
        let all = files.iter().map(|code| self.reports(unit, &code.file, printed));
        let all = all.collect::<Result<Vec<Vec<Coverage>>>>()?;
        let elsewhere = emitted_elsewhere(&all);
        for (UnitCode { file, instrumented, generated }, reports) in files.iter().zip(&all) {
            let number = instrumented.counters as usize;
            let name = self.report_name(file, &self.coverage[0]);
            let reported = without(instrumented, &elsewhere);
            // Macros of a header are expanded in other files too.
            let truth_of = |run: &RunCounters| Truth {
                is_included: !file.is_main,
                generated: generated.clone(),
                ..Truth::of_run(&reported, &run.part(first, number))
            };
            let truths: Vec<Truth> = counted.iter().map(truth_of).collect();
            first += number;
            let source = typed_text(self.family(), &file.path, &file.name)?.unwrap_or_default();
            let path = self.counters[0].session.below(&file.path).to_string();
            let mut checked = Checked::new(self.family(), reports, &truths);
            let program = Program::parse(source.clone());
            let measured = Measured {
                profiler: self.profiler.info(),
                report: &reports[0],
                truth: Some(&truths[0]),
                program: &program,
                file: &name,
                input,
            };
            let mut findings = checked.steady(wrong_numbers(&measured));
            for finding in &mut findings {
                finding.program = unit.object.to_string();
                finding.file.clone_from(&path);
                for symptom in &mut finding.symptoms {
                    symptom.file.clone_from(&path);
                }
            }
            let lines = checked.lines(&findings);
            let refused = instrumented.functions.iter().filter_map(InstrumentedFunction::refused).collect();
            result.files.insert(path, FileAudit { lines, source, refused });
            result.findings.extend(findings);
        }
        Ok(result)
    }

    /// The report on the file in each run.
    fn reports(&self, unit: &Unit, file: &UnitFile, printed: &[Option<Printed>]) -> Result<Vec<Coverage>> {
        let mut reports = Vec::new();
        for (printed, run) in printed.iter().zip(self.coverage) {
            let Some(printed) = printed else {
                reports.extend(reports.first().cloned());
                continue;
            };
            match printed.report(&self.report_name(file, run)) {
                Ok(report) => reports.push(report),
                // Nothing in the file has code in this unit.
                Err(Unreadable::FileMissing(_)) => reports.push(Coverage::default()),
                Err(error) => anyhow::bail!("{}: {error}", unit.object),
            }
        }
        Ok(reports)
    }

    /// The name by which the profiler knows the file in the build of this run.
    fn report_name(&self, file: &UnitFile, run: &TestRun) -> String {
        let [ours, theirs] = [&self.counters[0], run].map(|run| run.session.tree.as_str());
        match self.family() {
            Family::Gcov => file.name.replace(ours, theirs),
            Family::LlvmCov => file.path.as_str().replace(ours, theirs),
        }
    }
}

/// The functions that the `reports` on the files of a unit cannot have, because another unit emits them. A file of which nothing
/// else is emitted has no mapping.
fn emitted_elsewhere(reports: &[Vec<Coverage>]) -> BTreeSet<String> {
    let mut mappings = reports.iter().flatten().filter_map(|report| report.mapping.as_ref()?.as_ref().ok());
    mappings.next().map_or_else(BTreeSet::new, |data| data.emitted_elsewhere())
}

/// `instrumented` without counters in `functions`.
fn without<'a>(instrumented: &'a Instrumented, functions: &BTreeSet<String>) -> Cow<'a, Instrumented> {
    let mut found = Cow::Borrowed(instrumented);
    if instrumented.functions.iter().any(|function| functions.contains(&function.name)) {
        found.to_mut().leave_out(functions);
    }
    found
}

/// The phase and the name in the folder of a unit.
fn split(folder: &str) -> (&str, &str) {
    let path = Utf8Path::new(folder);
    let phase = path.parent().and_then(Utf8Path::file_name).unwrap_or_default();
    (phase, path.file_name().unwrap_or_default())
}
