//! `recount check FILE.c`: one program, for a person.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use anyhow::{Context, Result};

use super::exit::{Exit, Failure, bad_input, ours};
use super::flags::{CheckFlags, CheckFormat};
use super::known;
use super::print::print;
use super::run::{own_binary, profilers};
use super::tracefile::tracefile;
use crate::campaign::{JobResult, Plan, ProgramCache, inspect};
use crate::config::Settings;
use crate::corpus::{self, Source};
use crate::coverage::Coverage;
use crate::model::{
    Cluster, Count, Difference, Finding, Line, Outcome, Place, RelationName, Rule, TextEdit, WrongKind,
};
use crate::relation::against_flow;
use crate::report::{Sheet, Side, several, sheet, shown};
use crate::syntax::{Program, render};
use crate::sys::{ScratchRoot, install_interrupt};
use crate::toolchain::{Profiler, Request, Worker};
use crate::triage::{clusters, sentence};

/// Lines shown around a difference.
const AROUND: usize = 3;

pub fn check(flags: &CheckFlags) -> Result<Exit, Failure> {
    let typed = flags.settings.file().normalised(flags.normalise);
    let settings = Settings::merge(flags.settings.config.as_deref(), typed).map_err(bad_input)?;
    if flags.file.is_dir() {
        let error = anyhow::anyhow!("{}: a folder; check takes one program, run takes folders", flags.file);
        return Err(bad_input(error));
    }
    let known = known::read(flags.known.as_deref())?;
    let sources = corpus::load_with(std::slice::from_ref(&flags.file), &settings.flags).map_err(bad_input)?;
    let profilers = profilers(&settings)?;
    install_interrupt().map_err(ours)?;
    let scratch = ScratchRoot::new().map_err(ours)?;
    let root = scratch.path().to_path_buf();
    let mut worker = Worker::new(root.join("w0"), own_binary(), settings.limits.clone());
    let infos: Vec<_> = profilers.iter().map(|profiler| profiler.info().clone()).collect();
    let plan = Plan::new(&sources, &infos, 0);
    let memory = ProgramCache::new(&profilers, &plan.jobs);
    let (mut open, mut checked) = (false, false);
    for job in &plan.jobs {
        let source = &sources[job.source];
        let profiler = &*profilers[job.profiler];
        if flags.format == CheckFormat::Lcov {
            checked |= tracefile(job, source, profiler, &mut worker).map_err(ours)?;
            continue;
        }
        let inspected = inspect(job, source, profiler, &mut worker, &memory, &settings).map_err(ours)?;
        let findings = &inspected.record.findings;
        let mut clusters = clusters(findings);
        known.mark(&mut clusters, findings);
        let mut view = View {
            source,
            profiler,
            worker: &mut worker,
            inspected: &inspected,
            clusters: &clusters,
            whole: flags.whole,
            out: String::new(),
        };
        view.show().and_then(|()| print(&view.out)).map_err(ours)?;
        checked |= inspected.record.outcome == Outcome::Profiled;
        open |= clusters.iter().any(Cluster::is_news);
    }
    Ok(if open {
        Exit::News
    } else if checked {
        Exit::NothingNew
    } else {
        Exit::BadInput
    })
}

/// What is needed to show one job.
struct View<'a> {
    source: &'a Source,
    profiler: &'a dyn Profiler,
    worker: &'a mut Worker,
    inspected: &'a JobResult,
    /// Those of its findings; known ones say so.
    clusters: &'a [Cluster],
    whole: bool,
    out: String,
}

impl View<'_> {
    fn show(&mut self) -> Result<()> {
        let (info, record) = (self.profiler.info(), &self.inspected.record);
        let _ = writeln!(
            self.out,
            "{}, input {}, {} ({})",
            record.file, record.input, info.compiler, info.version
        );
        if record.outcome != Outcome::Profiled {
            let _ = writeln!(self.out, "  {}\n", record.outcome.told(&record.file));
            return Ok(());
        }
        let (tally, findings) = (record.tally, &record.findings);
        let _ = writeln!(
            self.out,
            "  {} variants, {} of them differ, {} findings",
            tally.variants,
            tally.differing,
            findings.len()
        );
        if let Some(no_truth) = &record.no_truth {
            let _ = writeln!(self.out, "  no truth: {no_truth}");
        }
        // First what P's report says by itself, then one sheet for each edit, and one for each program that a
        // relation made.
        let (made, own): (Vec<&Finding>, Vec<&Finding>) =
            findings.iter().partition(|finding| finding.rewriting.is_some());
        let (claims, moved): (Vec<&Finding>, Vec<&Finding>) =
            own.into_iter().partition(|finding| finding.culprit.is_none());
        let mut by_cause: BTreeMap<Vec<TextEdit>, Vec<&Finding>> = BTreeMap::new();
        for finding in moved {
            let edits = finding.culprit.as_ref().map(|culprit| culprit.edits.clone());
            by_cause.entry(edits.unwrap_or_default()).or_default().push(finding);
        }
        if !claims.is_empty() || by_cause.is_empty() && self.whole {
            self.cause(None, &claims)?;
        }
        for (edits, findings) in by_cause {
            self.cause(Some(&edits), &findings)?;
        }
        for same in made.chunk_by(|a, b| a.rewriting == b.rewriting) {
            self.made(same);
        }
        let _ = writeln!(self.out);
        Ok(())
    }

    /// What is wrong in one program that a relation made of P; its lines are its own.
    fn made(&mut self, findings: &[&Finding]) {
        let Some((first, made)) = findings.first().and_then(|first| Some((first, first.rewriting.as_ref()?)))
        else {
            return;
        };
        let edit = first.edit().unwrap_or_default();
        let _ = writeln!(self.out, "\n  in a program that {} made of P: {edit}", first.relation.name());
        self.say(findings);
        let marked: BTreeSet<Line> = findings.iter().filter_map(|finding| finding.line).collect();
        if marked.is_empty() {
            return;
        }
        let source = render(&self.inspected.source, &made.edits);
        let truth: Vec<String> = made.truth.iter().map(several).collect();
        self.sheet(&Sheet {
            p: Side { source: &source, counts: &made.counts },
            truth: &truth,
            variant: None,
            marked: &marked,
        });
    }

    fn say(&mut self, findings: &[&Finding]) {
        for finding in findings {
            let known = self.clusters.iter().find(|cluster| cluster.has(finding));
            let known = known.and_then(|cluster| cluster.known.as_deref());
            let _ = writeln!(self.out, "  {}", disagreement(finding, known));
        }
    }

    fn sheet(&mut self, shown: &Sheet<'_>) {
        let around = if self.whole { usize::MAX } else { AROUND };
        let width = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(120);
        let _ = writeln!(self.out);
        self.out.push_str(&sheet(shown, around, width));
    }

    /// P, truth, P' of one cause if there is one, and one sentence for each disagreement.
    fn cause(&mut self, edits: Option<&[TextEdit]>, findings: &[&Finding]) -> Result<()> {
        let text = &self.inspected.source;
        let variant = edits.map(|edits| render(text, edits));
        let before = self.counts(text)?;
        let after = match &variant {
            Some(variant) => self.counts(variant)?,
            None => Vec::new(),
        };
        let marked: BTreeSet<Line> = findings.iter().filter_map(|finding| finding.line).collect();
        let edit = findings.first().and_then(|finding| finding.edit());
        let _ = writeln!(self.out, "\n  {}", edit.as_deref().unwrap_or("the report of P"));
        self.say(findings);
        if edits.is_none() {
            self.flow(text, &before, &marked);
        }
        let truth = self.truth();
        self.sheet(&Sheet {
            p: Side { source: text, counts: &before },
            truth: &truth,
            variant: variant.as_deref().map(|source| Side { source, counts: &after }),
            marked: &marked,
        });
        Ok(())
    }

    /// What the report's own control flow says of the lines that are in doubt.
    fn flow(&mut self, text: &str, counts: &[Count], doubted: &BTreeSet<Line>) {
        let counted = (1..).zip(counts).filter_map(|(line, count)| Some((line, (*count)?)));
        let report: Coverage = counted.collect();
        for found in against_flow(&Program::parse(text.to_string()), &report) {
            let Difference { place: Place::Line(line), after: Some(after), .. } = found.difference else {
                continue;
            };
            if doubted.contains(&line) {
                let _ = writeln!(
                    self.out,
                    "  line {line}: {after} by the report's own control flow ({})",
                    found.what
                );
            }
        }
    }

    /// What truth admits for each line, as one cell.
    fn truth(&self) -> Vec<String> {
        let told = self.inspected.told.as_deref().and_then(|told| told.as_ref().ok());
        let Some(truth) = told else { return Vec::new() };
        let family = self.profiler.info().profiler;
        let lines = (1..).zip(self.inspected.source.lines());
        let admitted = |line| truth.line(line, family).map_or_else(String::new, |line| several(&line.counts));
        lines.map(|(line, _)| admitted(line)).collect()
    }

    fn counts(&mut self, text: &str) -> Result<Vec<Count>> {
        let record = &self.inspected.record;
        let inputs = self.source.inputs();
        let input =
            inputs.iter().find(|input| input.name == record.input).context("an input of the program")?;
        let request = Request {
            folder: self.source.folder(),
            flags: &self.source.sidecar.flags,
            dialect: Some(record.dialect),
            ..Request::new(text, input)
        };
        let profile = self.profiler.profile(self.worker, &request)?;
        let coverage = profile.map_or_else(|_| Coverage::default(), |report| report.coverage);
        Ok((1..=coverage.last_line()).map(|line| coverage.line(line)).collect())
    }
}

/// One sentence on a finding, and by what name it is `known`.
fn disagreement(finding: &Finding, known: Option<&str>) -> String {
    let verdict = finding.verdict.name();
    let rule = match (finding.rule.map(Rule::name), known) {
        (Some(rule), Some(known)) => format!(" ({rule}; known as {known})"),
        (Some(rule), None) => format!(" ({rule})"),
        (None, Some(known)) => format!(" (known as {known})"),
        (None, None) => String::new(),
    };
    let Some(line) = finding.line else {
        return format!("the output differs, {verdict}{rule}: {}", sentence(finding));
    };
    let moved = match (finding.culprit.is_some(), &finding.truth) {
        (true, _) if finding.after.is_some() || finding.rule != Some(Rule::Wrong(WrongKind::Missing)) => {
            format!("{}: {} -> {}", finding.place(line), shown(finding.before), shown(finding.after))
        }
        _ if finding.relation == RelationName::Peer => {
            let (ours, theirs) = (shown(finding.before), shown(finding.after));
            let truth = finding.truth.as_deref().map(|truth| format!(", truth {}", several(truth)));
            let truth = truth.unwrap_or_default();
            format!("line {line}: {} says {ours}, the other profiler {theirs}{truth}", finding.compiler)
        }
        (_, Some(truth)) => {
            let truth = several(truth);
            let place = finding.place(line);
            format!("{place}: {} says {}, truth {truth}", finding.compiler, shown(finding.before))
        }
        (false, None) if finding.relation.rewrites() => {
            let (before, after) = (shown(finding.before), shown(finding.after));
            format!(
                "{}: {before} -> {after} when {} rewrites P",
                finding.place(line),
                finding.relation.name()
            )
        }
        (_, None) => {
            format!("{}: {} says {}", finding.place(line), finding.compiler, shown(finding.before))
        }
    };
    format!("{moved}, {verdict}{rule}: {}", sentence(finding))
}
