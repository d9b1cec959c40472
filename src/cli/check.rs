//! `recount check FILE.c`: checks one program and shows the findings next to its source.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};

use super::flags::{CheckFlags, CheckFormat};
use super::known;
use super::output::{Exit, Failure, bad_input, complain, print};
use super::setup::{new_worker, note_conditions, profilers, require_line};
use crate::campaign::{Batch, Job, JobResult};
use crate::corpus::load_programs;
use crate::coverage::{Coverage, lcov};
use crate::journal::{Counts, JobRecord};
use crate::model::{
    Cluster, Count, Difference, Finding, Line, Outcome, Place, ProfilerInfo, RelationName, ReportNumber,
    Rule, TextEdit, Verdict, WrongKind,
};
use crate::relation::against_flow;
use crate::report::{
    Sheet, Unchecked, deciding_text, line_text, not_checked, number_of, numbers_text, several, sheet, shown,
    unknown_text, visible,
};
use crate::syntax::{Program, render};
use crate::sys::install_interrupt;
use crate::toolchain::{Detail, Request, Worker};
use crate::triage::{Known, KnownCluster, sentence};

/// Lines shown around a difference.
const AROUND: usize = 3;

pub fn check(flags: &CheckFlags) -> Result<Exit, Failure> {
    let settings = flags.settings.over_file(|typed| typed.normalised(flags.normalise))?;
    let known = known::read(flags.known.as_deref())?;
    let sources = load_programs(&flags.file, &settings).map_err(bad_input)?;
    if let Some(line) = flags.line {
        require_line(&sources[0], &flags.file, line)?;
    }
    let profilers = profilers(&settings)?;
    note_conditions(&profilers, &settings);
    install_interrupt()?;
    let (_scratch, mut worker) = new_worker(&settings)?;
    let (batch, jobs) = Batch::new(&sources, &profilers, &settings);
    let (mut has_news, mut is_checked, mut is_refused) = (false, false, false);
    let mut records = Vec::new();
    let mut last: Option<Section> = None;
    for job in &jobs {
        is_refused |= batch.unsupported(job).is_some();
        if flags.format == CheckFormat::Lcov {
            is_checked |= tracefile(&batch, job, &mut worker)?;
            continue;
        }
        let inspected = batch.inspect(job, &mut worker)?;
        let findings = &inspected.record.findings;
        let clusters = known.clusters(findings);
        let mut view = View {
            batch: &batch,
            job,
            worker: &mut worker,
            inspected: &inspected,
            clusters: &clusters,
            known: &known,
            is_whole: flags.whole,
            line: flags.line,
            out: String::new(),
        };
        view.show()?;
        let section = Section::new(&inspected.record, batch.profiler(job).info(), view.out);
        match last.as_mut().filter(|last| last.is_same(&section)) {
            Some(last) => last.others.push(section.profiler),
            None => last.replace(section).map_or(Ok(()), |last| last.print())?,
        }
        is_checked |= inspected.record.outcome == Outcome::Profiled;
        has_news |= clusters.iter().any(Cluster::is_news)
            || inspected.record.crash.is_some()
            || matches!(inspected.record.outcome, Outcome::ToolCrashed { .. });
        records.push(inspected.record);
    }
    let exit = match (has_news, is_checked) {
        _ if is_refused => Exit::BadInput,
        (true, _) => Exit::News,
        (false, true) => Exit::NothingNew,
        (false, false) => Exit::BadInput,
    };
    if flags.format == CheckFormat::Lcov {
        return Ok(exit);
    }
    last.map_or(Ok(()), |last| last.print())?;
    let unchecked = Unchecked::of(&records);
    print(&unchecked.text())?;
    Ok(flags.required.exit(&unchecked, exit))
}

/// Print the tracefile of one job; false if there is none. The reason goes to standard error, since a tracefile has
/// no place for it.
fn tracefile(batch: &Batch<'_>, job: &Job, worker: &mut Worker) -> Result<bool> {
    let (source, profiler) = (batch.source(job), batch.profiler(job));
    let complain_of = |reason: &str| {
        complain(&format!("{}, input {}: {reason}", source.file, job.input.name));
        Ok(false)
    };
    if let Some(reason) = batch.unsupported(job) {
        return complain_of(&format!("{}: not supported: {reason}", profiler.info().compiler));
    }
    let text = match source.read() {
        Ok(text) => text,
        Err(error) => return complain_of(&format!("{error:#}")),
    };
    let request = Request {
        folder: source.folder(),
        flags: &source.sidecar.flags,
        detail: Detail::Full,
        ..Request::new(&text, &job.input)
    };
    let compiler = &profiler.info().compiler;
    let report = match profiler.profile(worker, &request)? {
        Ok(report) => report,
        Err(outcome) => return complain_of(&format!("{compiler}: {}", outcome.in_words(&source.file))),
    };
    // Tools that read tracefiles open the file by this path.
    let path = Utf8Path::new(&source.file).canonicalize_utf8();
    let path = path.map_or_else(|_| source.file.clone(), Utf8PathBuf::into_string);
    let test = [source.id.as_str(), &job.input.name, compiler].join(".");
    print(&lcov::write(&report.coverage, &test, &path))?;
    Ok(true)
}

/// The text about one job, and the profilers for which it is the same.
struct Section {
    /// The program and the input.
    place: String,
    /// `gcc-17 (17.0.0)`.
    profiler: String,
    others: Vec<String>,
    text: String,
    /// The text without the name of the compiler.
    shared: String,
}

impl Section {
    fn new(record: &JobRecord, profiler: &ProfilerInfo, text: String) -> Section {
        let JobRecord { file, input, .. } = record;
        let ProfilerInfo { compiler, version, .. } = profiler;
        let (place, profiler) = (format!("{file}, input {input}"), format!("{compiler} ({version})"));
        let shared = text.replace(compiler.as_str(), "");
        Section { place, profiler, others: Vec::new(), text, shared }
    }

    fn is_same(&self, other: &Section) -> bool {
        (&self.place, &self.shared) == (&other.place, &other.shared)
    }

    fn print(&self) -> Result<()> {
        let others = match &self.others[..] {
            [] => String::new(),
            others => format!("  the same with {}\n", others.join(", ")),
        };
        print(&format!("{}, {}\n{others}{}", self.place, self.profiler, self.text))
    }
}

/// The text about one job, while it is written.
struct View<'a> {
    batch: &'a Batch<'a>,
    job: &'a Job,
    worker: &'a mut Worker,
    inspected: &'a JobResult,
    clusters: &'a [Cluster],
    known: &'a Known,
    is_whole: bool,
    /// The line whose elements are shown.
    line: Option<Line>,
    out: String,
}

impl View<'_> {
    fn show(&mut self) -> Result<()> {
        let record @ JobRecord { file, .. } = &self.inspected.record;
        if record.outcome != Outcome::Profiled {
            let _ = writeln!(self.out, "  {}\n", record.outcome.in_words(file));
            return Ok(());
        }
        let (variants, findings) = (number_of(record.tally.variants, "variant"), &record.findings);
        let differ = match record.tally.differing {
            0 => "none differs".into(),
            1 => "1 differs".into(),
            several => format!("{several} differ"),
        };
        let number = number_of(findings.len(), "finding");
        let wrong = match findings.iter().filter(|finding| finding.verdict == Verdict::Wrong).count() {
            wrong if wrong == findings.len() => String::new(),
            0 => "none wrong; ".into(),
            wrong => format!("{wrong} wrong; "),
        };
        let _ = writeln!(self.out, "  {number} ({wrong}{variants} tried, {differ})");
        if let Some(crash) = &record.crash {
            let _ = writeln!(self.out, "  with conditions, {crash}; this is the report without them");
        }
        if let Some(reason) = &record.no_truth {
            let _ = writeln!(self.out, "  no ground truth: {reason}");
        }
        // First the report on the program itself, then each edit, then each included file, then each program that a
        // relation rewrote.
        let (rewritten, own): (Vec<&Finding>, Vec<&Finding>) =
            findings.iter().partition(|finding| finding.rewriting.is_some());
        let (included, own): (Vec<&Finding>, Vec<&Finding>) =
            own.into_iter().partition(|finding| record.included_file(finding).is_some());
        let mut by_edit: BTreeMap<Option<&[TextEdit]>, Vec<&Finding>> = BTreeMap::new();
        for finding in own {
            let edits = finding.culprit.as_ref().map(|culprit| &culprit.edits[..]);
            by_edit.entry(edits).or_default().push(finding);
        }
        if by_edit.is_empty() && self.is_whole {
            by_edit.insert(None, Vec::new());
        }
        for (edits, findings) in by_edit {
            self.show_cause(edits, &findings)?;
        }
        for (file, text) in record.included.iter().zip(&self.inspected.included) {
            let findings: Vec<&Finding> =
                included.iter().copied().filter(|finding| finding.file == file.file).collect();
            let _ = writeln!(self.out, "\n  the report on {}, which the program includes", file.file);
            self.list(&findings);
            let marked = lines(&findings);
            self.sheet(&Sheet { program: text, variant: None, counts: &file.counts, marked });
        }
        for findings in rewritten.chunk_by(|a, b| a.rewriting == b.rewriting) {
            self.show_rewritten(findings);
        }
        self.show_line();
        let _ = writeln!(self.out);
        Ok(())
    }

    /// The findings in one program that a relation rewrote; line numbers are those of that program.
    fn show_rewritten(&mut self, findings: &[&Finding]) {
        let [first, ..] = findings else { return };
        let Some(rewriting) = &first.rewriting else { return };
        let edit = first.edit().unwrap_or_default();
        let _ = writeln!(self.out, "\n  in the program rewritten by {}: {edit}", first.relation.name());
        self.list(findings);
        let marked = lines(findings);
        if !marked.is_empty() {
            let program = &render(&self.inspected.source, &rewriting.edits);
            let (program_counts, truth) = (rewriting.counts.clone(), rewriting.truth.clone());
            let counts = &Counts { program: program_counts, truth, ..Counts::default() };
            self.sheet(&Sheet { program, variant: None, counts, marked });
        }
    }

    fn list(&mut self, findings: &[&Finding]) {
        for finding in findings {
            let cluster = self.clusters.iter().find(|cluster| cluster.has(finding));
            let known = cluster.and_then(|cluster| self.known.entry_of(cluster));
            let _ = writeln!(self.out, "  {}", in_words(finding, known));
            for other in finding.each_symptom().iter().skip(1) {
                let _ = writeln!(self.out, "    and {}", counts_in_words(other));
            }
        }
    }

    fn sheet(&mut self, shown: &Sheet<'_>) {
        let around = if self.is_whole { usize::MAX } else { AROUND };
        let width = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(120);
        let _ = write!(self.out, "\n{}", sheet(shown, around, width));
    }

    /// The findings that have one cause, the program and its ground truth, and the variant if there is one.
    fn show_cause(&mut self, edits: Option<&[TextEdit]>, findings: &[&Finding]) -> Result<()> {
        let program = &self.inspected.source;
        let variant = edits.map(|edits| render(program, edits));
        let mut counts = self.inspected.counts.clone();
        if let Some(variant) = &variant {
            counts.variant = self.counts(variant)?;
        }
        let marked = lines(findings);
        let edit = findings.first().and_then(|finding| finding.edit());
        let _ = writeln!(self.out, "\n  {}", edit.as_deref().unwrap_or("the report on the program itself"));
        self.list(findings);
        if edits.is_none() {
            self.list_flow(&marked);
        }
        self.sheet(&Sheet { program, variant: variant.as_deref(), counts: &counts, marked });
        if edits.is_none() {
            self.show_details();
        }
        Ok(())
    }

    /// The functions, branches and regions that differ from the expected report, or all of them, and why lines have no
    /// expected count.
    fn show_details(&mut self) {
        let Some(profiled) = &self.inspected.profiled else { return };
        let details = profiled.details();
        let is_shown = |number: &&ReportNumber| self.is_whole || number.is_wrong();
        let numbers = numbers_text(details.numbers.iter().filter(is_shown));
        if !numbers.is_empty() {
            let _ = write!(self.out, "\n{}", indented(&numbers));
        }
        if self.is_whole {
            let sentences = unknown_text(&details);
            let sentences = [&sentences[..], &[not_checked(profiled.family, profiled.has_conditions).into()]]
                .concat()
                .join("\n");
            let _ = write!(self.out, "\n{}", indented(&sentences));
        }
    }

    /// What decides the count of the selected line.
    fn show_line(&mut self) {
        let (Some(line), Some(profiled)) = (self.line, &self.inspected.profiled) else { return };
        let expected = profiled.expected(line);
        let (counts, reason) = match &expected {
            Ok(counts) => (&counts[..], None),
            Err(reason) => (&[][..], Some(&**reason)),
        };
        let text = self.inspected.source.lines().nth(line as usize - 1).unwrap_or_default();
        let mut out = format!(
            "{}\n  {}\n",
            line_text(line, profiled.coverage.line(line), counts, reason),
            visible(text.trim())
        );
        let details = profiled.details();
        let numbers = numbers_text(details.numbers.iter().filter(|number| number.line == line));
        for part in [numbers, deciding_text(&profiled.deciding(line), profiled.family)] {
            if !part.is_empty() {
                let _ = write!(out, "\n{part}");
            }
        }
        let _ = write!(self.out, "\n{}", indented(&out));
    }

    /// The counts that the report's other counts imply by control flow, for the `doubted` lines.
    fn list_flow(&mut self, doubted: &BTreeSet<Line>) {
        let JobResult { source, counts, .. } = self.inspected;
        let counted = (1..).zip(&counts.program).filter_map(|(line, count)| Some((line, (*count)?)));
        let report: Coverage = counted.collect();
        for found in against_flow(&Program::parse(source.clone()), &report) {
            if let Difference { place: Place::Line(line), after: Some(after), .. } = found.difference
                && doubted.contains(&line)
            {
                let what = found.what;
                let _ =
                    writeln!(self.out, "  line {line}: other counts of the report imply {after} ({what})");
            }
        }
    }

    fn counts(&mut self, text: &str) -> Result<Vec<Count>> {
        let source = self.batch.source(self.job);
        let request = Request {
            folder: source.folder(),
            flags: &source.sidecar.flags,
            dialect: Some(self.inspected.record.dialect),
            ..Request::new(text, &self.job.input)
        };
        let profile = self.batch.profiler(self.job).profile(self.worker, &request)?;
        Ok(profile.map_or_else(|_| Vec::new(), |report| report.coverage.lines()))
    }
}

/// `text` with two spaces before each line.
fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}").trim_end().to_string() + "\n").collect()
}

fn lines(findings: &[&Finding]) -> BTreeSet<Line> {
    findings.iter().flat_map(|finding| finding.lines()).collect()
}

/// One sentence on a finding, with the known cluster that it belongs to.
fn in_words(finding: &Finding, known: Option<&KnownCluster>) -> String {
    let rule = finding.rule;
    let labels = [rule.map(|rule| rule.name().to_string()), known.map(KnownCluster::label)];
    let labels: Vec<String> = labels.into_iter().flatten().collect();
    let labels = if labels.is_empty() { String::new() } else { format!(" ({})", labels.join("; ")) };
    let complaint = finding.complaint.as_ref().map(|complaint| format!(" ({complaint})")).unwrap_or_default();
    let (counts, verdict) = (counts_in_words(finding), finding.verdict.name());
    format!("{counts}; {verdict}{labels}: {}{complaint}", sentence(finding))
}

/// The place of a finding, and what is reported there.
fn counts_in_words(finding: &Finding) -> String {
    let (compiler, before, after) = (&finding.compiler, shown(finding.before), shown(finding.after));
    let truth = finding.truth.as_deref().map(several);
    let has_variant = finding.culprit.is_some()
        && (finding.after.is_some() || finding.rule != Some(Rule::Wrong(WrongKind::Missing)));
    match finding.line.map(|line| finding.place(line)) {
        None if finding.is_total() => {
            format!(
                "a total of the report ({}): {compiler} prints {before}, the report gives {after}",
                finding.metric.name()
            )
        }
        None => "the output differs".to_string(),
        Some(place) if has_variant => format!("{place}: {before} -> {after}"),
        Some(place) if finding.relation == RelationName::Peer => {
            let truth = truth.map_or_else(String::new, |truth| format!(", ground truth {truth}"));
            format!("{place}: {compiler} reports {before}, the other profiler {after}{truth}")
        }
        Some(place) => match truth {
            // It should not be there, or it is a difference that fell below zero.
            Some(truth) if truth.is_empty() => format!("{place}: {compiler} reports {before}"),
            Some(truth) => format!("{place}: {compiler} reports {before}, ground truth {truth}"),
            None if finding.culprit.is_none() && finding.relation.rewrites() => {
                format!("{place}: {before} -> {after} when {} rewrites the program", finding.relation.name())
            }
            None => format!("{place}: {compiler} reports {before}"),
        },
    }
}
