//! `recount report FINDING --format bugzilla|github|markdown`: a finding as a report to the maintainers.
//!
//! The finding is checked again first: the program is profiled, ground truth is rebuilt with the compiler under test, and
//! the sanitizers look for undefined behaviour. If it no longer reproduces, nothing is printed and the exit code is 5.

use anyhow::{Context, Result, anyhow};
use camino::{Utf8Path, Utf8PathBuf};

use super::flags::{FilingFlags, Format};
use super::known_flags::KnownFlags;
use super::output::{Exit, Failure, bad_input, complain, no_profiler, not_there, print};
use super::runs::{Runs, refuse_included, replay_of};
use super::setup::new_worker;
use crate::config::Settings;
use crate::corpus::Input;
use crate::diagnose::{Case, diagnose};
use crate::journal::{FindingBundle, FindingFolder, Replay, RunFolder, VersionResult};
use crate::model::{Cause, Cluster, Count, Finding, Line, Metric, Outcome, major};
use crate::relation::against_truth_of;
use crate::replay::{covered, expected, shown_count};
use crate::report::{Class, Confirmed, Filing, Tracker, filing, needs_variant, shown, written_or_best};
use crate::syntax::Program;
use crate::sys::install_interrupt;
use crate::toolchain::{
    Annotated, Detail, Probed, Report, Request, SOURCE, Worker, detect_undefined, select,
};
use crate::triage::Known;
use crate::truth::{NoTruth, Truth, measure, measure_without, prove, require_execution};

/// A report of any format: on runs, or on one finding.
pub fn report(
    folders: &[Utf8PathBuf],
    format: Format,
    out: Option<&Utf8Path>,
    known: &KnownFlags,
    flags: &FilingFlags,
) -> Result<Exit, Failure> {
    match (format.tracker(), folders) {
        _ if out.is_some() && format != Format::Html => {
            Err(bad_input(anyhow!("--out is the folder of the HTML pages; it goes with --format html")))
        }
        (Some(tracker), [name]) => file(name.as_str(), tracker, known, flags),
        (Some(_), several) => Err(bad_input(anyhow!(
            "a report is on one finding, but {} are named; --run names the runs in which a cluster is looked up",
            several.len()
        ))),
        (None, _) if flags.force || !flags.runs.is_empty() => {
            Err(bad_input(anyhow!("--force and --run go with --format bugzilla, github or markdown")))
        }
        (None, _) => super::report::report(folders, format, out, known),
    }
}

fn file(name: &str, tracker: Tracker, known: &KnownFlags, flags: &FilingFlags) -> Result<Exit, Failure> {
    let known = known.read()?;
    let (mut bundle, cluster) = find(name, &flags.runs, &known)?;
    if let Some(reason) = tracker.refusal(bundle.finding.profiler) {
        return Err(bad_input(anyhow!(reason)));
    }
    let original = bundle.reduction.as_ref().map(|reduction| &reduction.original);
    let findings = [&bundle.finding].into_iter().chain(original);
    let entry = cluster.as_ref().and_then(|cluster| known.entry_of(cluster));
    let class = entry.and_then(Class::known).or_else(|| Class::of(findings, &known));
    if let Some(class) = class.as_ref().filter(|_| !flags.force) {
        return Err(bad_input(anyhow!(class.refusal())));
    }
    refuse_included(&bundle)?;
    if bundle.reduction.is_none() {
        complain(&format!(
            "the program is not reduced; `recount reduce {name}` first makes the report shorter"
        ));
    }
    if !bundle.has_script() {
        let metric = bundle.finding.metric.name();
        return Err(bad_input(anyhow!(
            "{name}: there are reports on counts of lines and functions, on how many conditions or paths of a line \
             are covered, and on the sums of the counts of its branches or regions; this finding is about another {metric} count"
        )));
    }
    let (_scratch, worker) = new_worker(&Settings::quick())?;
    prefer_newest(&mut bundle);
    let profiler = installed(&bundle.finding.compiler)?;
    // The report is on the version that is installed now.
    bundle.finding.version.clone_from(&profiler.info().version);
    install_interrupt()?;
    let replay = replay_of(&bundle).map_err(|failure| bad_input(failure.error.context(name.to_string())))?;
    let mut recheck = Recheck {
        profiler,
        worker,
        bundle: &bundle,
        replay,
        input: replay.input(&bundle.finding.input),
        force: flags.force,
    };
    let confirmed = recheck.confirm()?;
    let variant = bundle.variant.as_deref().filter(|_| needs_variant(&bundle));
    let contrast = bundle.contrast.as_deref();
    let content = Filing {
        program: recheck.annotate("program.c", &bundle.program)?,
        variant: variant.map(|source| recheck.annotate("variant.c", source)).transpose()?,
        contrast: contrast.map(|source| recheck.annotate("contrast.c", source)).transpose()?,
        bundle: &bundle,
        confirmed,
        class,
    };
    print(&filing(&content, tracker))?;
    Ok(Exit::NothingNew)
}

/// The finding in the folder `name`, or of the cluster with this name, and the cluster that was named.
fn find(
    name: &str,
    runs: &[Utf8PathBuf],
    known: &Known,
) -> Result<(FindingBundle, Option<Cluster>), Failure> {
    let path = Utf8Path::new(name);
    if path.is_dir() || name.contains('/') {
        let folder = FindingFolder(path.to_path_buf());
        if !folder.exists() && RunFolder(path.to_path_buf()).journal().exists() {
            return Err(bad_input(anyhow!(
                "{name} is the folder of a run; name a finding's folder in {name}/examples, or a cluster with --run {name}"
            )));
        }
        return Ok((folder.read().map_err(bad_input)?, None));
    }
    let runs = Runs::read_or_newest(runs)?;
    let all = known.clusters(&runs.findings);
    // Clusters of one signature and several verdicts have one id; the folder belongs to the first.
    let cluster = runs.named(name, &all)?[0];
    let (_, bundle) = written_or_best(&runs.journals, cluster)
        .and_then(|found| found.with_context(|| format!("{name}: the run no longer has its sources")))
        .map_err(bad_input)?;
    Ok((bundle, Some(cluster.clone())))
}

/// Make the report about the newest installed version of those in which the count is known to be the same.
fn prefer_newest(bundle: &mut FindingBundle) {
    let reported = bundle.reported();
    let FindingBundle { finding, versions, .. } = bundle;
    let is_same = |tried: &&VersionResult| {
        tried.affected
            && tried.snapshot.is_none()
            && tried.compiler.starts_with(finding.profiler.compiler())
            && tried.count == Ok(reported)
            && major(&tried.compiler) > major(&finding.compiler)
    };
    let mut newer: Vec<&VersionResult> = versions.iter().filter(is_same).collect();
    newer.sort_by_key(|tried| std::cmp::Reverse(major(&tried.compiler)));
    // To look for a compiler is to run it, so the newest is looked for first.
    if let Some(newest) = newer.iter().find(|tried| installed(&tried.compiler).is_ok()) {
        finding.compiler.clone_from(&newest.compiler);
    }
}

/// Profiles the programs of a finding again.
struct Recheck<'a> {
    profiler: Probed,
    worker: Worker,
    bundle: &'a FindingBundle,
    replay: &'a Replay,
    input: Input,
    /// Whether a report is written although a check fails that the count is the profiler's fault.
    force: bool,
}

fn installed(compiler: &String) -> Result<Probed, Failure> {
    let found = select(std::slice::from_ref(compiler)).ok().and_then(|mut found| found.pop());
    found.ok_or_else(|| {
        no_profiler(anyhow!("{compiler} is not installed; `recount profilers` lists the installed ones"))
    })
}

/// Not a method, because the worker is borrowed at the same time.
fn request<'a>(replay: &'a Replay, input: &'a Input, source: &'a str) -> Request<'a> {
    Request {
        flags: &replay.flags,
        detail: Detail::Parts,
        // The replay's flags contain those of its dialect.
        dialect: Some(0),
        runs: replay.runs.max(1),
        ..Request::new(source, input)
    }
}

impl Recheck<'_> {
    /// Check that the finding still reproduces.
    fn confirm(&mut self) -> Result<Confirmed, Failure> {
        let FindingBundle { finding, program, counts, .. } = self.bundle;
        let report = self.profile("program.c", program)?;
        let place = finding.line.map(|line| (finding.metric, line));
        if let Some(place) = place {
            self.expect_count(place, &report, self.bundle.reported(), "program.c")?;
        }
        if let Some(variant) = self.bundle.variant.as_ref().filter(|_| needs_variant(self.bundle)) {
            let other = self.profile("variant.c", variant)?;
            if let Some(place) = place {
                self.expect_count(place, &other, finding.after, "variant.c")?;
            } else if other.execution == report.execution {
                return Err(not_there(anyhow!(
                    "the finding no longer reproduces: program.c and variant.c behave alike"
                )));
            }
        }
        if let Some(contrast) = &self.bundle.contrast {
            let report = self.profile("contrast.c", contrast)?;
            for (line, count) in (1..).zip(&counts.contrast) {
                self.expect_count((Metric::Line, line), &report, *count, "contrast.c")?;
            }
            self.expect_right(contrast, &report)?;
            self.watched("contrast.c", contrast, &report)?;
        }
        let truth = match self.counted(&report) {
            Err(Failure { exit: Exit::NotThere, .. }) if self.force => None,
            counted => counted?,
        };
        let watchers = self.watched("program.c", program, &report)?;
        let cause = truth.as_ref().and_then(|truth| self.cause(&report, truth));
        Ok(Confirmed { counted: truth.is_some(), watchers, cause })
    }

    /// The tools that looked for undefined behaviour in `source` and found none. With `force` there may be none.
    fn watched(&mut self, name: &str, source: &str, report: &Report) -> Result<Vec<&'static str>, Failure> {
        let request = request(self.replay, &self.input, source);
        match detect_undefined(&*self.profiler, &mut self.worker, &request, &report.execution)? {
            Ok(watchers) => Ok(watchers),
            Err(_) if self.force => Ok(Vec::new()),
            Err(complaint) => {
                Err(not_there(anyhow!("{complaint} of {name}, so a wrong count may be the program's fault")))
            }
        }
    }

    /// Check that the lines of the `report` on the contrast are right, and all numbers of the finding's metric.
    fn expect_right(&mut self, contrast: &str, report: &Report) -> Result<(), Failure> {
        let request = request(self.replay, &self.input, contrast);
        let truth =
            require_execution(measure(&*self.profiler, &mut self.worker, &request)?, &report.execution);
        let Finding { profiler, metric, .. } = self.bundle.finding;
        let wrong = truth.map(|truth| against_truth_of(&report.coverage, &truth, profiler, metric));
        if wrong.is_ok_and(|wrong| wrong.is_empty()) {
            return Ok(());
        }
        let compiler = &self.profiler.info().compiler;
        Err(not_there(anyhow!(
            "the numbers of {compiler}'s report on contrast.c are no longer known to be right"
        )))
    }

    /// The mechanism under the version of the report.
    fn cause(&self, report: &Report, truth: &Truth) -> Option<Cause> {
        let FindingBundle { finding, program, .. } = self.bundle;
        finding.cause.as_ref()?;
        let symptom = finding.own_symptom()?;
        let program = &Program::parse(program.clone());
        let (report, family) = (&report.coverage, finding.profiler);
        diagnose(&Case { report, truth, program, family, file: SOURCE }, &[symptom]).ok()?.pop()
    }

    /// Ground truth, rebuilt with the compiler under test, which agrees with the finding; none if the finding has none.
    fn counted(&mut self, report: &Report) -> Result<Option<Truth>, Failure> {
        let finding = &self.bundle.finding;
        let (Some(line), Some(right)) = (finding.line, self.bundle.right()) else { return Ok(None) };
        let program = Program::parse(self.bundle.program.clone());
        let request = request(self.replay, &self.input, &program.source);
        let result = match prove(&*self.profiler, &mut self.worker, &request)? {
            Ok(left_out) => measure_without(&*self.profiler, &mut self.worker, &request, &left_out)?,
            Err(why) => Err(NoTruth::NotProved(why)),
        };
        let compiler = &self.profiler.info().compiler;
        let truth = require_execution(result, &report.execution).map_err(|why| {
            not_there(anyhow!("{compiler} no longer gives ground truth for line {line} of program.c: {why}"))
        })?;
        let admissible: Vec<u64> = match finding.metric {
            Metric::Function => truth.entries(line).into_iter().map(|(_, right)| right).collect(),
            metric if metric.is_of_parts() => {
                covered(&report.coverage, Some(&truth), finding.profiler, metric, line)
                    .map_or_else(Vec::new, |parts| parts.right)
            }
            _ => expected(&truth, finding.profiler, line)
                .map_or_else(|_| Vec::new(), |right| right.counts.into_iter().collect()),
        };
        if admissible == right {
            return Ok(Some(truth));
        }
        Err(not_there(anyhow!(
            "ground truth for line {line} of program.c is now {admissible:?} instead of {right:?}"
        )))
    }

    fn profile(&mut self, name: &str, source: &str) -> Result<Report, Failure> {
        let request = request(self.replay, &self.input, source);
        let profile = self.profiler.profile(&mut self.worker, &request)?;
        profile.map_err(|outcome| self.without_report(name, &outcome))
    }

    fn annotate(&mut self, name: &str, source: &str) -> Result<Annotated, Failure> {
        let request = request(self.replay, &self.input, source);
        let annotated = self.profiler.annotate(&mut self.worker, &request, self.bundle.finding.metric)?;
        annotated.map_err(|outcome| self.without_report(name, &outcome))
    }

    fn without_report(&self, name: &str, outcome: &Outcome) -> Failure {
        let reason = outcome.reason().map(|reason| format!(": {reason}")).unwrap_or_default();
        let compiler = &self.profiler.info().compiler;
        not_there(anyhow!("{name} no longer has a report with {compiler} ({}{reason})", outcome.name()))
    }

    fn expect_count(
        &self,
        (metric, line): (Metric, Line),
        report: &Report,
        expected: Count,
        name: &str,
    ) -> Result<(), Failure> {
        let now = shown_count(&report.coverage, self.bundle.finding.profiler, metric, line);
        if now == expected {
            return Ok(());
        }
        Err(not_there(anyhow!(
            "the finding no longer reproduces: line {line} of {name} has the count {} with {} instead of {}",
            shown(now),
            self.profiler.info().compiler,
            shown(expected)
        )))
    }
}
