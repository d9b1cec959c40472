//! `recount claim`: whether a reported count is wrong, and whether that is already known.

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::anyhow;
use camino::Utf8Path;

use super::flags::ClaimFlags;
use super::output::{Exit, Failure, bad_input, print};
use super::setup::{new_worker, profilers_or_all};
use crate::campaign::{Batch, JobResult};
use crate::corpus::load_programs;
use crate::model::{Count, Finding, Line, Metric, Outcome, Verdict, named_enum};
use crate::report::{Unchecked, several, shown, table};
use crate::sys::install_interrupt;
use crate::triage::{Known, sentence, upstream};

named_enum! {
    /// The result for one profiler.
    pub enum Answer {
        Confirmed = "wrong, as claimed",
        WrongOtherwise = "wrong, but the claimed count is wrong too",
        Convention = "intended behaviour",
        /// Several points on the line ran a different number of times; the report counts one, the claim another.
        Several = "intended behaviour (several-points)",
        /// The difference is due to the program, not to the profiler.
        Unstable = "unstable",
        NotAffected = "not affected",
        ClaimIsWrong = "right; the claim is wrong",
        NoCount = "not affected: the line has no count",
        NoTruth = "no ground truth",
        /// There is no report.
        Untried = "not checked",
    }
}

/// The result for one profiler, as a row of the table.
struct Row {
    compiler: String,
    count: Count,
    truth: Vec<u64>,
    answer: Answer,
    finding: Option<Finding>,
    /// Why there is no report, or no ground truth.
    reason: Option<String>,
}

pub fn claim(flags: &ClaimFlags) -> Result<Exit, Failure> {
    let settings = flags.settings.settings()?.keeping_lines();
    let sources = load_programs(&flags.file, &settings.flags).map_err(bad_input)?;
    let lines = sources[0].read().map_err(bad_input)?.lines().count();
    if flags.line == 0 || flags.line as usize > lines {
        return Err(bad_input(anyhow!(
            "{}:{}: there is no such line; the file has {lines} lines",
            flags.file,
            flags.line
        )));
    }
    install_interrupt()?;
    let profilers = profilers_or_all(&flags.settings, &settings)?;
    let (_scratch, mut worker) = new_worker(&settings)?;
    let (batch, jobs) = Batch::new(&sources, &profilers, &settings);
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    for job in &jobs {
        let inspected = batch.inspect(job, &mut worker)?;
        let reason = match &inspected.record.outcome {
            Outcome::Profiled => inspected.record.no_truth.clone(),
            outcome => Some(outcome.told(&inspected.record.file)),
        };
        rows.push(row(&inspected, flags.line, flags.expect, reason));
        records.push(inspected.record);
    }
    let unchecked = Unchecked::of(&records).text();
    print(&format!("{}\n{unchecked}", in_words(&flags.file, flags.line, &rows)))?;
    let is_refused = records.iter().any(|record| matches!(record.outcome, Outcome::Unsupported { .. }));
    Ok(if is_refused {
        Exit::BadInput
    } else if rows.iter().any(|row| row.answer == Answer::Confirmed) {
        Exit::NothingNew
    } else if rows.iter().all(|row| row.answer == Answer::Untried) {
        Exit::BadInput
    } else {
        Exit::NotThere
    })
}

fn row(inspected: &JobResult, line: Line, expected: Count, reason: Option<String>) -> Row {
    let record = &inspected.record;
    let index = (line as usize).saturating_sub(1);
    let count = inspected.counts.program.get(index).copied().flatten();
    let truth = inspected.counts.truth.get(index).cloned().unwrap_or_default();
    let of_line = record.findings.iter().filter(|finding| {
        finding.metric == Metric::Line
            && finding.line == Some(line)
            && finding.rewriting.is_none()
            && !finding.is_included
            && finding.verdict != Verdict::Artefact
            && finding.before == count
    });
    // A finding by ground truth is preferred to one by a variant.
    let finding =
        of_line.min_by_key(|finding| (!finding.verdict.is_open(), finding.culprit.is_some())).cloned();
    let is_profiled = record.outcome == Outcome::Profiled;
    let answer = answer(is_profiled, finding.as_ref(), count, &truth, expected);
    Row { compiler: record.compiler.clone(), count, truth, answer, finding, reason }
}

fn answer(
    is_profiled: bool,
    finding: Option<&Finding>,
    count: Count,
    truth: &[u64],
    expected: Count,
) -> Answer {
    let is_right = |count: Count| count.map_or(truth.is_empty(), |count| truth.contains(&count));
    // A trap proves that the line ran, but not how often.
    let is_proved = truth.is_empty() && expected.is_some_and(|count| count > 0);
    match finding.map(|finding| finding.verdict) {
        _ if !is_profiled => Answer::Untried,
        Some(Verdict::Wrong) if is_proved || !truth.is_empty() && is_right(expected) => Answer::Confirmed,
        Some(Verdict::Wrong) => Answer::WrongOtherwise,
        Some(Verdict::Convention) => Answer::Convention,
        Some(Verdict::Unstable) => Answer::Unstable,
        _ if count == expected => Answer::NotAffected,
        _ if count.is_none() => Answer::NoCount,
        _ if truth.is_empty() => Answer::NoTruth,
        _ if is_right(expected) => Answer::Several,
        _ => Answer::ClaimIsWrong,
    }
}

impl Row {
    fn answer_in_words(&self) -> String {
        let text = self.answer.name();
        if self.answer == Answer::NotAffected {
            return format!("{text}: reports {}", shown(self.count));
        }
        let rule = self.finding.as_ref().and_then(|finding| finding.rule);
        let rule = rule.filter(|_| self.answer != Answer::ClaimIsWrong);
        let rule = rule.map(|rule| rule.name().to_string());
        rule.or(self.reason.clone()).map_or_else(|| text.into(), |reason| format!("{text} ({reason})"))
    }
}

fn in_words(file: &Utf8Path, line: Line, rows: &[Row]) -> String {
    let cells = rows
        .iter()
        .map(|row| vec![row.compiler.clone(), shown(row.count), several(&row.truth), row.answer_in_words()]);
    let mut out = format!("{file}:{line}\n\n");
    out.push_str(&table(&["compiler", "count", "truth", "answer"], &[1, 2], cells));
    let known = Known::embedded();
    let explained = rows.iter().filter(|row| row.answer <= Answer::Unstable);
    let causes = explained.filter_map(|row| Some(cause(row.finding.as_ref()?, &known)));
    for cause in causes.collect::<BTreeSet<String>>() {
        let _ = write!(out, "\n{cause}\n");
    }
    if let Some(row) = rows.iter().rev().find(|row| row.answer == Answer::Confirmed) {
        let _ = writeln!(
            out,
            "\nNext: `recount reduce {file} --line {line} --profiler {}` reduces the program.",
            row.compiler
        );
    }
    out
}

/// The cause of a finding, the known cluster that it belongs to, and the bug report that it repeats.
fn cause(finding: &Finding, known: &Known) -> String {
    let mut out = sentence(finding);
    let entry = known.get(&finding.signature, finding.verdict, std::slice::from_ref(&finding.compiler));
    if let Some(entry) = entry {
        let _ = write!(out, "\n  known as {}: {}", entry.name, entry.note);
    }
    let repeated = entry.map(|entry| entry.upstream.as_str()).filter(|id| !id.is_empty());
    if let Some(id) = repeated.or_else(|| finding.rule.and_then(upstream)) {
        let _ = write!(out, "\n  reported as {id}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_finding_the_report_is_right_or_says_nothing() {
        let of = |count, truth: &[u64], expected| answer(true, None, count, truth, expected);
        assert_eq!(of(Some(2), &[2], Some(2)), Answer::NotAffected);
        assert_eq!(of(Some(2), &[2], Some(1)), Answer::ClaimIsWrong);
        assert_eq!(of(Some(2), &[1, 2], Some(1)), Answer::Several);
        assert_eq!(of(None, &[2], Some(2)), Answer::NoCount);
        assert_eq!(of(Some(2), &[], Some(1)), Answer::NoTruth);
        assert_eq!(answer(false, None, None, &[], Some(1)), Answer::Untried);
    }
}
