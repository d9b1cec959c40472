//! `recount check FILE.c`: one program, for a person.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use anyhow::{Context, Result};
use camino::Utf8PathBuf;

use super::exit::{Exit, Failure, bad_input, ours};
use super::flags::CheckFlags;
use super::print::print;
use super::run::{own_binary, profilers};
use crate::campaign::{Plan, Selection, Truths, inspect};
use crate::config::Settings;
use crate::corpus::{self, Source};
use crate::coverage::Coverage;
use crate::journal::JobRecord;
use crate::model::{Count, Finding, Line, Outcome, TextEdit};
use crate::report::{Side, annotated, side_by_side};
use crate::syntax::render;
use crate::sys::{install_interrupt, scratch_root};
use crate::toolchain::{Bench, Detail, Perturb, Profiler, Request};
use crate::triage::sentence;

/// Lines shown around a difference.
const AROUND: usize = 3;

pub fn check(flags: &CheckFlags) -> Result<Exit, Failure> {
    let settings =
        Settings::merge(flags.settings.config.as_deref(), flags.settings.file()).map_err(bad_input)?;
    if flags.file.is_dir() {
        let error = anyhow::anyhow!("{}: a folder; check takes one program, run takes folders", flags.file);
        return Err(bad_input(error));
    }
    let sources = corpus::load(std::slice::from_ref(&flags.file)).map_err(bad_input)?;
    let profilers = profilers(&settings)?;
    install_interrupt().map_err(ours)?;
    let scratch = scratch_root().map_err(ours)?;
    let root = Utf8PathBuf::try_from(scratch.path().to_path_buf()).map_err(ours)?;
    let mut bench = Bench::new(root.join("w0"), own_binary(), settings.limits.clone());
    let infos: Vec<_> = profilers.iter().map(|profiler| profiler.info().clone()).collect();
    let plan = Plan::new(&sources, &infos, settings.seed, Selection::default());
    let truths = Truths::new(&profilers);
    let mut open = false;
    for job in &plan.jobs {
        let source = &sources[job.source];
        let profiler = &*profilers[job.profiler];
        let (record, text) = inspect(job, source, profiler, &mut bench, &truths, &settings).map_err(ours)?;
        let mut view = View {
            source,
            text: &text,
            profiler,
            bench: &mut bench,
            record: &record,
            whole: flags.whole,
            out: String::new(),
        };
        view.show().and_then(|()| print(&view.out)).map_err(ours)?;
        open |= record.findings.iter().any(|finding| finding.verdict.is_open());
    }
    Ok(if open { Exit::News } else { Exit::NothingNew })
}

/// What is needed to show one job.
struct View<'a> {
    source: &'a Source,
    text: &'a str,
    profiler: &'a dyn Profiler,
    bench: &'a mut Bench,
    record: &'a JobRecord,
    whole: bool,
    out: String,
}

impl View<'_> {
    fn show(&mut self) -> Result<()> {
        let info = self.profiler.info();
        let _ = writeln!(
            self.out,
            "{}, input {}, {} ({})",
            self.record.file, self.record.input, info.compiler, info.version
        );
        if self.record.outcome != Outcome::Profiled {
            let reason = self.record.outcome.reason().map(|reason| format!(": {reason}"));
            let _ = writeln!(self.out, "  {}{}\n", self.record.outcome.name(), reason.unwrap_or_default());
            return Ok(());
        }
        let tally = self.record.tally;
        let _ = writeln!(
            self.out,
            "  {} variants, {} of them differ, {} findings",
            tally.variants,
            tally.differing,
            self.record.findings.len()
        );
        let mut by_cause: BTreeMap<Vec<TextEdit>, Vec<&Finding>> = BTreeMap::new();
        for finding in &self.record.findings {
            let edits = finding.culprit.as_ref().map(|culprit| culprit.edits.clone());
            by_cause.entry(edits.unwrap_or_default()).or_default().push(finding);
        }
        if by_cause.is_empty() && self.whole {
            let counts = self.counts(self.text)?;
            self.out.push_str(&annotated(Side { source: self.text, counts: &counts }));
        }
        for (edits, findings) in by_cause {
            self.cause(&edits, &findings)?;
        }
        let _ = writeln!(self.out);
        Ok(())
    }

    /// P and P' of one cause, and what is said of each line.
    fn cause(&mut self, edits: &[TextEdit], findings: &[&Finding]) -> Result<()> {
        let variant = render(self.text, edits);
        let counts = [self.counts(self.text)?, self.counts(&variant)?];
        let marked: BTreeSet<Line> = findings.iter().filter_map(|finding| finding.line).collect();
        let edit = findings
            .first()
            .and_then(|finding| finding.culprit.as_ref())
            .map(|culprit| culprit.edit.as_str());
        let _ = writeln!(self.out, "\n  {}", edit.unwrap_or("no edit"));
        for finding in findings {
            let moved = match finding.line {
                Some(line) => format!("line {line}: {} -> {}", shown(finding.before), shown(finding.after)),
                None => "the output differs".into(),
            };
            let rule = finding.rule.as_deref().map(|rule| format!(" ({rule})")).unwrap_or_default();
            let verdict = finding.verdict.name();
            let _ = writeln!(self.out, "  {moved}, {verdict}{rule}: {}", sentence(finding));
        }
        let _ = writeln!(self.out);
        let around = if self.whole { usize::MAX / 4 } else { AROUND };
        let width = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(120);
        let left = Side { source: self.text, counts: &counts[0] };
        let right = Side { source: &variant, counts: &counts[1] };
        self.out.push_str(&side_by_side(left, right, &marked, around, width));
        Ok(())
    }

    fn counts(&mut self, text: &str) -> Result<Vec<Count>> {
        let inputs = self.source.inputs();
        let input =
            inputs.iter().find(|input| input.name == self.record.input).context("an input of the program")?;
        let request = Request {
            source: text,
            folder: self.source.folder(),
            flags: &self.source.sidecar.flags,
            input,
            dialect: Some(self.record.dialect),
            detail: Detail::Lines,
            perturb: Perturb::Nothing,
        };
        let profile = self.profiler.profile(self.bench, &request)?;
        let coverage = profile.map_or_else(|_| Coverage::default(), |report| report.coverage);
        Ok((1..=coverage.last_line()).map(|line| coverage.line(line)).collect())
    }
}

fn shown(count: Count) -> String {
    count.map_or("none".into(), |count| count.to_string())
}
