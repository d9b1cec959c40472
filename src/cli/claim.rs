//! `recount claim`: somebody says that a count is wrong; is it, and is it new?

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::anyhow;
use camino::Utf8Path;

use super::exit::{Exit, Failure, bad_input, ours};
use super::finding::{named_or_all, new_workers, program};
use super::flags::ClaimFlags;
use super::print::print;
use crate::campaign::{JobResult, Plan, ProgramCache, inspect};
use crate::config::Settings;
use crate::model::{Count, Finding, Line, Metric, Outcome, ProfilerInfo, Verdict};
use crate::report::{several, shown, table};
use crate::sys::install_interrupt;
use crate::triage::{Known, sentence, upstream};

/// What one profiler makes of the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    /// The report is wrong, and the claim says what is right.
    Confirmed,
    /// The report is wrong, but what the claim says is not right either.
    WrongOtherwise,
    /// The profiler means it so.
    Convention,
    /// Several things on the line ran differently often; the report tells of one, the claim of another.
    Several,
    /// The program, not the profiler, makes it so.
    Unstable,
    /// The report says what the claim says is right.
    Fixed,
    /// The report is right, and the claim is not.
    Right,
    /// The line has no count, which says nothing.
    NoCount,
    /// Nobody knows what really ran.
    Unknown,
    /// There is no report.
    Untried,
}

impl Answer {
    fn name(self) -> &'static str {
        match self {
            Answer::Confirmed => "wrong, as claimed",
            Answer::WrongOtherwise => "wrong, but not as claimed",
            Answer::Convention => "convention",
            Answer::Several => "convention (several-points)",
            Answer::Unstable => "unstable",
            Answer::Fixed => "right: not reproducible",
            Answer::Right => "right: the claim is not",
            Answer::NoCount => "no count: not reproducible",
            Answer::Unknown => "no truth",
            Answer::Untried => "cannot be tried",
        }
    }
}

/// One profiler's part of the answer.
struct Row {
    info: ProfilerInfo,
    count: Count,
    truth: Vec<u64>,
    answer: Answer,
    finding: Option<Finding>,
    why: String,
}

pub fn claim(flags: &ClaimFlags) -> Result<Exit, Failure> {
    let settings = Settings::merge(flags.settings.config.as_deref(), flags.settings.file())
        .map_err(bad_input)?
        .keeping_lines();
    let known = Known::embedded();
    let sources = program(&flags.file, &settings)?;
    let lines = sources[0].read().map_err(bad_input)?.lines().count();
    if flags.line == 0 || flags.line as usize > lines {
        return Err(bad_input(anyhow!(
            "{}:{}: there is no such line; the file has {lines}",
            flags.file,
            flags.line
        )));
    }
    install_interrupt().map_err(ours)?;
    let asked = named_or_all(&flags.settings, &settings)?;
    let infos: Vec<ProfilerInfo> = asked.iter().map(|profiler| profiler.info().clone()).collect();
    let plan = Plan::new(&sources, &infos, 0);
    let memory = ProgramCache::new(&asked, &plan.jobs);
    let (_scratch, mut workers) = new_workers(1, &settings)?;
    let mut rows = Vec::new();
    for job in &plan.jobs {
        let profiler = &*asked[job.profiler];
        let source = &sources[job.source];
        let inspected = inspect(job, source, profiler, &mut workers[0], &memory, &settings).map_err(ours)?;
        rows.push(row(profiler.info().clone(), &inspected, flags.line, flags.expect.0));
    }
    workers[0].finish();
    print(&told(&flags.file, flags.line, &rows, &known)).map_err(ours)?;
    Ok(if rows.iter().any(|row| row.answer == Answer::Confirmed) {
        Exit::NothingNew
    } else if rows.iter().all(|row| row.answer == Answer::Untried) {
        Exit::BadInput
    } else {
        Exit::NotThere
    })
}

fn row(info: ProfilerInfo, inspected: &JobResult, line: Line, expected: Count) -> Row {
    let record = &inspected.record;
    let index = (line as usize).saturating_sub(1);
    let count = inspected.counts.program.get(index).copied().flatten();
    let truth = inspected.counts.truth.get(index).cloned().unwrap_or_default();
    // What truth says of P comes before what a variant shows.
    let here =
        record.findings.iter().filter(|finding| finding.metric == Metric::Line && finding.line == Some(line));
    let of_p = here.filter(|finding| {
        finding.rewriting.is_none() && finding.verdict != Verdict::Artefact && finding.before == count
    });
    let finding = of_p.min_by_key(|finding| (!finding.verdict.is_open(), finding.culprit.is_some())).cloned();
    let why = match &record.outcome {
        Outcome::Profiled => record.no_truth.clone().unwrap_or_default(),
        outcome => outcome.told(&record.file),
    };
    let profiled = record.outcome == Outcome::Profiled;
    let answer = answer(profiled, finding.as_ref(), count, &truth, expected);
    Row { info, count, truth, answer, finding, why }
}

fn answer(profiled: bool, finding: Option<&Finding>, count: Count, truth: &[u64], expected: Count) -> Answer {
    let is_right = |count: Count| count.map_or(truth.is_empty(), |count| truth.contains(&count));
    // What a trap proves is that it ran; how often, nobody counted.
    let is_proved = truth.is_empty() && expected.is_some_and(|count| count > 0);
    match finding.map(|finding| finding.verdict) {
        _ if !profiled => Answer::Untried,
        Some(Verdict::Wrong) if is_proved || !truth.is_empty() && is_right(expected) => Answer::Confirmed,
        Some(Verdict::Wrong) => Answer::WrongOtherwise,
        Some(Verdict::Convention) => Answer::Convention,
        Some(Verdict::Unstable) => Answer::Unstable,
        _ if count == expected => Answer::Fixed,
        _ if count.is_none() => Answer::NoCount,
        _ if truth.is_empty() => Answer::Unknown,
        _ if is_right(expected) => Answer::Several,
        _ => Answer::Right,
    }
}

fn told(file: &Utf8Path, line: Line, rows: &[Row], known: &Known) -> String {
    let cells = rows.iter().map(|row| {
        let rule = row.finding.as_ref().and_then(|finding| finding.rule).map(|rule| rule.name().to_string());
        let rule = rule.filter(|_| !matches!(row.answer, Answer::Fixed | Answer::Right));
        let why = rule.or(Some(row.why.clone()).filter(|why| !why.is_empty()));
        let why = why.map_or_else(String::new, |why| format!(" ({why})"));
        vec![
            row.info.compiler.clone(),
            shown(row.count),
            several(&row.truth),
            format!("{}{why}", row.answer.name()),
        ]
    });
    let mut out = format!("{file}:{line}\n\n");
    out.push_str(&table(&["compiler", "count", "truth", "answer"], &[1, 2], &cells.collect::<Vec<_>>()));
    let mut said: BTreeSet<String> = BTreeSet::new();
    for row in rows {
        let finding = row.finding.as_ref().filter(|_| row.answer <= Answer::Unstable);
        said.extend(finding.map(|finding| in_words(finding, known)));
    }
    for sentence in said {
        let _ = write!(out, "\n{sentence}\n");
    }
    let confirmed = rows.iter().rev().find(|row| row.answer == Answer::Confirmed);
    if let Some(row) = confirmed {
        let _ = writeln!(
            out,
            "\n`recount reduce {file} --line {line} --profiler {}` makes the smallest program that shows it.",
            row.info.compiler
        );
    }
    out
}

/// What is known of a finding: its cause, the known cluster that it belongs to, the report that it repeats.
fn in_words(finding: &Finding, known: &Known) -> String {
    let mut out = sentence(finding);
    let entry = known.get(&finding.signature, finding.verdict, std::slice::from_ref(&finding.compiler));
    if let Some(entry) = entry {
        let _ = write!(out, "\n  known as {}: {}", entry.name, entry.note);
    }
    let repeated = entry.map(|entry| entry.upstream.as_str()).filter(|id| !id.is_empty());
    let repeated = repeated.or_else(|| finding.rule.and_then(upstream));
    if let Some(id) = repeated {
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
        assert_eq!(of(Some(2), &[2], Some(2)), Answer::Fixed);
        assert_eq!(of(Some(2), &[2], Some(1)), Answer::Right);
        assert_eq!(of(Some(2), &[1, 2], Some(1)), Answer::Several);
        assert_eq!(of(None, &[2], Some(2)), Answer::NoCount);
        assert_eq!(of(Some(2), &[], Some(1)), Answer::Unknown);
        assert_eq!(answer(false, None, None, &[], Some(1)), Answer::Untried);
    }
}
