//! `recount report FINDING --format bugzilla|github|markdown`: a finding for the profiler's makers.
//!
//! Nothing is told to others that does not show today: the program is profiled again, counted again
//! by the accused compiler, and watched for undefined behaviour, before a word is printed.

use anyhow::{Context, Result, anyhow};
use camino::{Utf8Path, Utf8PathBuf};

use super::exit::{Exit, Failure, bad_input, ours};
use super::explain::{example_of_all, named, newest};
use super::flags::{FilingFlags, Format, KnownFlags, RUNS};
use super::print::{complain, print};
use super::report::read;
use super::setup::own_binary;
use crate::config::Settings;
use crate::corpus::Input;
use crate::journal::{FindingBundle, FindingFolder, Journal, Replay, RunFolder};
use crate::model::{Count, Finding, Line, Metric, Outcome};
use crate::report::{Class, Confirmed, Filing, Tracker, filing, needs_variant, shown, written};
use crate::syntax::Program;
use crate::sys::{ScratchRoot, install_interrupt};
use crate::toolchain::{Annotated, Probed, Report, Request, Worker, detect_undefined, select};
use crate::triage::{Known, clusters};
use crate::truth::{measure, require_execution};

/// Any report: of runs, or of one finding.
pub fn report(
    folders: &[Utf8PathBuf],
    format: Format,
    out: Option<&Utf8Path>,
    known: &KnownFlags,
    flags: &FilingFlags,
) -> Result<Exit, Failure> {
    match (format.tracker(), folders) {
        _ if out.is_some() && format != Format::Html => {
            Err(bad_input(anyhow!("--out is the folder of the pages; it goes with --format html")))
        }
        (Some(tracker), [name]) => file(name.as_str(), tracker, known, flags),
        (Some(_), several) => Err(bad_input(anyhow!(
            "one finding makes one report, and {} are named; --run names the runs that a cluster is looked for in",
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
    let (mut bundle, known_as) = find(name, &flags.runs, &known)?;
    if let Some(reason) = tracker.refusal(bundle.finding.profiler) {
        return Err(bad_input(anyhow!(reason)));
    }
    let original = bundle.reduction.as_ref().map(|reduction| &reduction.original);
    let findings = [&bundle.finding].into_iter().chain(original);
    let class =
        known_as.and_then(|name| Class::known(known.named(&name)?)).or_else(|| Class::of(findings, &known));
    if let Some(class) = class.as_ref().filter(|_| !flags.force) {
        return Err(bad_input(anyhow!(class.refusal())));
    }
    if bundle.reduction.is_none() {
        complain(&format!(
            "the program is as it was found; `recount reduce {name}` first makes a shorter report"
        ));
    }
    if !bundle.finding.is_told() {
        let metric = bundle.finding.metric.name();
        return Err(bad_input(anyhow!(
            "{name}: a report for the makers tells of lines, or of gcov's functions, and this is a {metric}"
        )));
    }
    let scratch = ScratchRoot::new().map_err(ours)?;
    let root = scratch.path().to_path_buf();
    let mut desk = Desk::new(name, &bundle, root.join("w0"))?;
    // What is told is of the compiler that tells it.
    bundle.finding.version.clone_from(&desk.profiler.info().version);
    let confirmed = desk.confirm(&bundle, flags.force)?;
    let variant = bundle.variant.as_deref().filter(|_| needs_variant(&bundle));
    let text = filing(
        &Filing {
            program: desk.annotate("program.c", &bundle.program)?,
            variant: variant.map(|source| desk.annotate("variant.c", source)).transpose()?,
            contrast: bundle
                .contrast
                .as_deref()
                .map(|source| desk.annotate("contrast.c", source))
                .transpose()?,
            bundle: &bundle,
            confirmed,
            class,
        },
        tracker,
    );
    print(&text).map_err(ours)?;
    Ok(Exit::NothingNew)
}

/// The finding in the folder `name`, or that of the cluster of this name, and by what name its run has it as known.
fn find(name: &str, runs: &[Utf8PathBuf], known: &Known) -> Result<(FindingBundle, Option<String>), Failure> {
    let path = Utf8Path::new(name);
    if path.is_dir() || name.contains('/') {
        let folder = FindingFolder(path.to_path_buf());
        if !folder.exists() && RunFolder(path.to_path_buf()).journal().exists() {
            return Err(bad_input(anyhow!(
                "{name}: the folder of a run; name a finding, a folder in {name}/examples, or a cluster and --run {name}"
            )));
        }
        return Ok((folder.read().map_err(bad_input)?, None));
    }
    let folders = if runs.is_empty() { vec![newest(Utf8Path::new(RUNS))?] } else { runs.to_vec() };
    let journals = read(&folders)?;
    let findings: Vec<Finding> = journals.iter().flat_map(Journal::findings).collect();
    let mut all = clusters(&findings);
    known.mark(&mut all, &findings);
    let found = named(name, &all, &folders)?;
    // Of one signature and several verdicts the first is the one to look at, and has the folder.
    let cluster = found[0];
    if let Some((_, bundle)) = written(&folders, cluster).map_err(bad_input)? {
        return Ok((bundle, cluster.known.clone()));
    }
    let found = example_of_all(&folders, &journals, cluster).map_err(bad_input)?;
    let found = found.with_context(|| format!("{name}: its sources are gone from the run"));
    Ok((found.map_err(bad_input)?.bundle(), cluster.known.clone()))
}

/// What is needed to run the programs of a finding again.
struct Desk {
    profiler: Probed,
    worker: Worker,
    replay: Replay,
    input: Input,
    /// What the finding counts.
    metric: Metric,
}

/// The finding does not show today.
fn gone(error: anyhow::Error) -> Failure {
    Failure { error, exit: Exit::NotThere }
}

/// Borrows of the desk that a request needs, while its worker is in use.
fn request<'a>(replay: &'a Replay, input: &'a Input, source: &'a str) -> Request<'a> {
    Request {
        flags: &replay.flags,
        // The replay's flags have those of its dialect.
        dialect: Some(0),
        runs: replay.runs.max(1),
        ..Request::new(source, input)
    }
}

impl Desk {
    /// A desk for the finding that the user calls `name`, with a worker in `folder`.
    fn new(name: &str, bundle: &FindingBundle, folder: Utf8PathBuf) -> Result<Desk, Failure> {
        let replay = bundle.replay.clone().with_context(|| {
            format!(
                "{name}: written by an older recount, which did not note how to run the program; run the campaign again"
            )
        });
        let replay = replay.map_err(bad_input)?;
        let compiler = &bundle.finding.compiler;
        let found = select(std::slice::from_ref(compiler)).ok().and_then(|found| found.into_iter().next());
        let profiler = found.ok_or_else(|| Failure {
            error: anyhow!("{compiler} is not here; `recount profilers` lists what is"),
            exit: Exit::NoProfiler,
        })?;
        install_interrupt().map_err(ours)?;
        let worker = Worker::new(folder, own_binary(), Settings::quick().limits);
        let name = bundle.finding.input.clone();
        let input = Input { name, args: replay.args.clone(), stdin: replay.stdin.clone() };
        Ok(Desk { profiler, worker, replay, input, metric: bundle.finding.metric })
    }

    /// That the finding is still there, and what else is known of it today.
    fn confirm(&mut self, bundle: &FindingBundle, force: bool) -> Result<Confirmed, Failure> {
        let finding = &bundle.finding;
        let report = self.profile("program.c", &bundle.program)?;
        let metric = self.metric;
        if let Some(line) = finding.line {
            self.still((metric, line), &report, finding.before, "program.c")?;
        }
        if let Some(variant) = bundle.variant.as_deref().filter(|_| needs_variant(bundle)) {
            let other = self.profile("variant.c", variant)?;
            match finding.line {
                Some(line) => self.still((metric, line), &other, finding.after, "variant.c")?,
                None if other.execution == report.execution => {
                    return Err(gone(anyhow!(
                        "program.c and variant.c do the same now: the finding is gone"
                    )));
                }
                None => {}
            }
        }
        if let Some(contrast) = &bundle.contrast {
            let report = self.same_counts(contrast, &bundle.counts.contrast)?;
            self.watched("contrast.c", contrast, &report, force)?;
        }
        let counted = match self.counted(bundle, &report) {
            Err(Failure { exit: Exit::NotThere, .. }) if force => false,
            counted => counted?,
        };
        let watchers = self.watched("program.c", &bundle.program, &report, force)?;
        Ok(Confirmed { counted, watchers })
    }

    /// What watched `source` and had nothing to say; nothing where it is told by `force`.
    fn watched(
        &mut self,
        name: &str,
        source: &str,
        report: &Report,
        force: bool,
    ) -> Result<Vec<&'static str>, Failure> {
        let request = request(&self.replay, &self.input, source);
        match detect_undefined(&*self.profiler, &mut self.worker, &request, &report.execution)
            .map_err(ours)?
        {
            Ok(watchers) => Ok(watchers),
            Err(_) if force => Ok(Vec::new()),
            Err(watcher) => {
                Err(gone(anyhow!("{watcher} complains of {name}, so no report on it can be blamed")))
            }
        }
    }

    /// Whether counters that the accused compiler builds say what is right by the finding; false where it says nothing of that.
    fn counted(&mut self, bundle: &FindingBundle, report: &Report) -> Result<bool, Failure> {
        let truth = bundle.finding.truth.as_ref().filter(|right| !right.is_empty());
        let (Some(line), Some(right)) = (bundle.finding.line, truth) else {
            return Ok(false);
        };
        let program = Program::parse(bundle.program.clone());
        let request = request(&self.replay, &self.input, &program.source);
        let told = measure(&*self.profiler, &mut self.worker, &program, &request).map_err(ours)?;
        let told = require_execution(told, &report.execution);
        let compiler = &self.profiler.info().compiler;
        let truth = told.map_err(|why| {
            gone(anyhow!(
                "program.c built with our counters by {compiler} says nothing of line {line} now: {why}"
            ))
        })?;
        let admissible: Vec<u64> = match self.metric {
            Metric::Function => truth.entries(line).into_iter().map(|(_, right)| right).collect(),
            _ => truth
                .line(line, bundle.finding.profiler)
                .map_or_else(Vec::new, |right| right.counts.into_iter().collect()),
        };
        if admissible == *right {
            return Ok(true);
        }
        Err(gone(anyhow!(
            "line {line} of program.c: our counters say {admissible:?} now, and said {right:?}"
        )))
    }

    fn profile(&mut self, name: &str, source: &str) -> Result<Report, Failure> {
        let request = request(&self.replay, &self.input, source);
        let profile = self.profiler.profile(&mut self.worker, &request).map_err(ours)?;
        profile.map_err(|outcome| self.fails(name, &outcome))
    }

    fn annotate(&mut self, name: &str, source: &str) -> Result<Annotated, Failure> {
        let request = request(&self.replay, &self.input, source);
        let annotated = self.profiler.annotate(&mut self.worker, &request, self.metric).map_err(ours)?;
        annotated.map_err(|outcome| self.fails(name, &outcome))
    }

    fn fails(&self, name: &str, outcome: &Outcome) -> Failure {
        let reason = outcome.reason().map(|reason| format!(": {reason}")).unwrap_or_default();
        gone(anyhow!(
            "{name} has no report under {} now ({}{reason})",
            self.profiler.info().compiler,
            outcome.name()
        ))
    }

    fn still(
        &self,
        (metric, line): (Metric, Line),
        report: &Report,
        count: Count,
        name: &str,
    ) -> Result<(), Failure> {
        let now = report.coverage.count(metric, line);
        if now == count {
            return Ok(());
        }
        Err(gone(anyhow!(
            "the finding is gone: line {line} of {name} shows {} under {}, and showed {}",
            shown(now),
            self.profiler.info().compiler,
            shown(count)
        )))
    }

    /// The report on the contrast, which is called right and is counted as it was; nothing is asked where nobody counted.
    fn same_counts(&mut self, contrast: &str, counts: &[Count]) -> Result<Report, Failure> {
        let report = self.profile("contrast.c", contrast)?;
        for (line, count) in (1..).zip(counts) {
            self.still((Metric::Line, line), &report, *count, "contrast.c")?;
        }
        Ok(report)
    }
}
