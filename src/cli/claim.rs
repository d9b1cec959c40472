//! `recount claim`: whether a reported count is wrong, and whether that is already known.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use anyhow::anyhow;
use camino::Utf8Path;

use super::claim_answer::{Answer, answer, answer_of_several};
use super::claim_flags::{ClaimFlags, ClaimMetric};
use super::output::{Exit, Failure, bad_input, print};
use super::setup::{new_worker, profilers_or_all, require_line};
use crate::campaign::{Batch, JobResult, Profiled};
use crate::config::Settings;
use crate::corpus::load_programs;
use crate::model::{Count, Family, Finding, Instability, Line, Metric, Outcome, ReportNumber, Rule, Verdict};
use crate::report::{Unchecked, numbers_text, several, shown, table};
use crate::sys::install_interrupt;
use crate::triage::{Known, KnownCluster, Status, sentence, upstream};

/// What is said to be wrong.
#[derive(Clone, Copy)]
struct Claim {
    line: Line,
    metric: ClaimMetric,
    /// The count that is said to be right.
    expected: Count,
    /// Of how many: only decisions and functions with so many flags or paths are meant.
    whole: Option<usize>,
}

/// The result for one profiler, as a row of the table.
struct Row {
    compiler: String,
    input: String,
    /// The counts of the metric on the line: one of a line, any number of others.
    numbers: Vec<ReportNumber>,
    answer: Answer,
    finding: Option<Finding>,
    /// Why there is no report, or no ground truth.
    reason: Option<String>,
    /// Whether the answer is about the program whose variables are initialised.
    is_initialised: bool,
}

/// The flag with which a compiler initialises all variables: what a program counts with it does not depend on what it reads
/// without it (gcc 12 and clang 8 or later).
const INITIALISED: &str = "-ftrivial-auto-var-init=pattern";

pub fn claim(flags: &ClaimFlags) -> Result<Exit, Failure> {
    let (expected, whole) = flags.expect;
    let claim = Claim { line: flags.line, metric: flags.metric, expected, whole };
    let has_shares = matches!(flags.metric, ClaimMetric::Condition | ClaimMetric::Mcdc | ClaimMetric::Path);
    if whole.is_some() && !has_shares {
        return Err(bad_input(anyhow!(
            "--expect: a {} has one count; 3/4 is for --metric condition, mcdc or path",
            name(flags.metric)
        )));
    }
    let mut settings = flags.settings.settings()?.keeping_lines();
    settings.conditions |= has_shares;
    let sources = load_programs(&flags.file, &settings).map_err(bad_input)?;
    require_line(&sources[0], &flags.file, flags.line)?;
    install_interrupt()?;
    let profilers = profilers_or_all(&flags.settings, &settings)?;
    let (_scratch, mut worker) = new_worker(&settings)?;
    let (batch, jobs) = Batch::new(&sources, &profilers, &settings);
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    let known = Known::embedded();
    let initialised =
        Settings { flags: [&settings.flags[..], &[INITIALISED.into()]].concat(), ..settings.clone() };
    let initialised_sources = load_programs(&flags.file, &initialised).map_err(bad_input)?;
    let (initialised, _) = Batch::new(&initialised_sources, &profilers, &initialised);
    for job in &jobs {
        let inspected = batch.inspect(job, &mut worker)?;
        let reason = match &inspected.record.outcome {
            Outcome::Profiled => inspected.record.no_truth.clone(),
            outcome @ Outcome::Died { .. } => {
                Some(format!("{}, so no profile was written", outcome.in_words(&inspected.record.file)))
            }
            outcome => Some(outcome.in_words(&inspected.record.file)),
        };
        let row = match row(&inspected, claim, reason) {
            untried if inspected.record.outcome.is_documented() => {
                Row { answer: Answer::Convention, ..untried }
            }
            row if row.is_undefined() => {
                let again = initialised.inspect(job, &mut worker)?;
                row.or_initialised(self::row(&again, claim, None)).unless_intended(&known)
            }
            row => row.unless_intended(&known),
        };
        rows.push(row);
        records.push(inspected.record);
    }
    // A claim is about the report on the program itself, which needs no variants.
    let unchecked = Unchecked { unparsed_constructs: 0, ..Unchecked::of(&records) };
    let unchecked = unchecked.text();
    print(&format!("{}\n{unchecked}", in_words(&flags.file, claim, &rows)))?;
    Ok(if rows.iter().any(|row| row.answer == Answer::Confirmed) {
        Exit::NothingNew
    } else if rows.iter().all(|row| row.answer == Answer::Untried) {
        Exit::BadInput
    } else {
        Exit::NotThere
    })
}

/// The metrics that are compared. Each tool has its own name for decisions.
fn metrics(of: ClaimMetric) -> &'static [Metric] {
    match of {
        ClaimMetric::Line => &[Metric::Line],
        ClaimMetric::Branch => &[Metric::Branch],
        ClaimMetric::Function => &[Metric::Function],
        ClaimMetric::Region => &[Metric::Region],
        ClaimMetric::Condition | ClaimMetric::Mcdc => &[Metric::Condition, Metric::Mcdc],
        ClaimMetric::Path => &[Metric::Path],
    }
}

fn name(metric: ClaimMetric) -> &'static str {
    metrics(metric)[0].name()
}

/// `of 4` for numbers that are a part of 4.
fn of_whole(whole: Option<usize>) -> String {
    whole.map_or_else(String::new, |whole| format!(" of {whole}"))
}

/// Why a profiler has no numbers of a metric, where the line has no such `numbers`.
fn not_reported(profiled: &Profiled, metric: ClaimMetric, numbers: &[ReportNumber]) -> Option<String> {
    let compiler = &profiled.compiler;
    match metric {
        ClaimMetric::Region if profiled.family == Family::Gcov => Some("gcov reports no regions".into()),
        ClaimMetric::Condition | ClaimMetric::Mcdc if !profiled.has_conditions => {
            Some(format!("{compiler} does not count conditions"))
        }
        ClaimMetric::Condition | ClaimMetric::Mcdc if numbers.is_empty() => {
            profiled.coverage.crash.as_ref().map(|crash| crash.reason.clone())
        }
        ClaimMetric::Path if !profiled.has_paths => Some(format!("{compiler} does not count paths")),
        _ => None,
    }
}

fn row(inspected: &JobResult, claim: Claim, reason: Option<String>) -> Row {
    let record = &inspected.record;
    let is_profiled = record.outcome == Outcome::Profiled;
    let numbers = numbers(inspected, claim);
    let count = numbers.first().and_then(|number| number.count);
    let is_line = claim.metric == ClaimMetric::Line;
    let lines: BTreeSet<Line> = numbers.iter().map(|number| number.line).chain([claim.line]).collect();
    let all = record.findings.iter().flat_map(Finding::each_symptom);
    let of_claim = all.filter(|finding| {
        metrics(claim.metric).contains(&finding.metric)
            && finding.line.is_some_and(|line| lines.contains(&line))
            && finding.rewriting.is_none()
            && !finding.is_included
            && finding.verdict != Verdict::Artefact
            && (!is_line || finding.before == count)
    });
    // A finding by ground truth is preferred to one by a variant, and one that the claim is about to others.
    let is_meant = |finding: &Finding| {
        claim.expected.is_some_and(|count| finding.truth.iter().flatten().any(|it| *it == count))
    };
    let is_about_part = claim.whole.is_some() && !numbers.iter().any(ReportNumber::is_wrong);
    let finding = of_claim.filter(|_| !is_about_part).min_by_key(|finding| {
        (!is_line && !is_meant(finding), !finding.verdict.is_open(), finding.culprit.is_some())
    });
    let lacking =
        inspected.profiled.as_ref().and_then(|profiled| not_reported(profiled, claim.metric, &numbers));
    let (answer, reason) = match lacking {
        Some(reason) => (Answer::Untried, Some(reason)),
        None if is_line => {
            let truth = numbers.first().map_or(&[][..], |number| &number.expected);
            (answer(is_profiled, finding.as_ref(), count, truth, claim.expected), reason)
        }
        None => {
            let unknown = numbers.iter().find_map(|number| number.reason.clone());
            let answer = answer_of_several(is_profiled, finding.as_ref(), &numbers, claim.expected);
            let others = || other_wholes(inspected, claim).filter(|_| answer == Answer::NoCount);
            (answer, reason.or(unknown.filter(|_| answer == Answer::NoTruth)).or_else(others))
        }
    };
    let answer = match answer {
        // Without ground truth, it is not known whether a count is due.
        Answer::NoCount if record.no_truth.is_some() => Answer::NoTruth,
        known => known,
    };
    let (compiler, input) = (record.compiler.clone(), record.input.clone());
    Row { compiler, input, numbers, answer, finding, reason, is_initialised: false }
}

/// Of how many the numbers on the line of the claim are, if none is of as many as the claim says.
fn other_wholes(inspected: &JobResult, claim: Claim) -> Option<String> {
    claim.whole?;
    let profiled = inspected.profiled.as_ref()?;
    let all = metrics(claim.metric).iter().flat_map(|metric| profiled.numbers_on(*metric, claim.line));
    let wholes: BTreeSet<usize> = all.filter_map(|number| number.whole).collect();
    let wholes: Vec<String> = wholes.iter().map(ToString::to_string).collect();
    (!wholes.is_empty()).then(|| format!("those on it are of {}", wholes.join(" and ")))
}

/// The counts that the claim may be about.
fn numbers(inspected: &JobResult, Claim { line, metric, whole, .. }: Claim) -> Vec<ReportNumber> {
    if metric == ClaimMetric::Line {
        let metric = Metric::Line;
        let index = (line as usize).saturating_sub(1);
        let count = inspected.counts.program.get(index).copied().flatten();
        let expected = inspected.counts.truth.get(index).cloned().unwrap_or_default();
        let what = String::new();
        return vec![ReportNumber { metric, line, what, count, expected, reason: None, whole: None }];
    }
    let of = |metric: &Metric| Some(inspected.profiled.as_ref()?.numbers_on(*metric, line));
    let all: Vec<ReportNumber> = metrics(metric).iter().filter_map(of).flatten().collect();
    let (meant, others): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|number| whole.is_none() || number.whole == whole);
    if !meant.is_empty() {
        return meant;
    }
    // gcc may have made several decisions one, of which the source has none.
    others.into_iter().filter(|number| number.whole.is_some() && number.reason.is_some()).collect()
}

impl Row {
    /// Whether the program has undefined behaviour, which may decide its counts.
    fn is_undefined(&self) -> bool {
        let rule = self.finding.as_ref().and_then(|finding| finding.rule);
        rule == Some(Rule::Unstable(Instability::UndefinedBehaviour))
    }

    /// The row of the program whose variables are initialised, if it has the same numbers and the claim is right of it: what the
    /// program reads did not decide them.
    fn or_initialised(self, initialised: Row) -> Row {
        let is_same = self.counts_in_words() == initialised.counts_in_words();
        if initialised.answer == Answer::Confirmed && is_same {
            Row { is_initialised: true, ..initialised }
        } else {
            self
        }
    }

    /// A wrong count whose root cause upstream calls intended is no bug.
    fn unless_intended(mut self, known: &Known) -> Row {
        let entry = self
            .finding
            .as_ref()
            .and_then(|finding| known.with_signature(&finding.signature, finding.verdict));
        if self.answer == Answer::Confirmed && entry.is_some_and(|entry| entry.status == Status::Intended) {
            self.answer = Answer::Convention;
        }
        self
    }

    fn answer_in_words(&self, claim: Claim) -> String {
        let text = self.answer.name();
        match (self.answer, claim.metric) {
            (Answer::NotAffected, _) => {
                let is_right = |number: &ReportNumber| {
                    number.count.is_some_and(|count| number.expected.contains(&count))
                };
                let all_right = self.numbers.len() > 1 && self.numbers.iter().all(is_right);
                let others = if all_right { ", and the other counts of the line are right too" } else { "" };
                return format!("{text}: reports {}{others}", shown(claim.expected));
            }
            (Answer::NoCount, ClaimMetric::Line) => {}
            (Answer::NoCount, metric) => {
                // gcov's decisions may have one condition.
                let of_one = "a condition alone is no decision of llvm-cov";
                let is_decision = matches!(metric, ClaimMetric::Condition | ClaimMetric::Mcdc);
                let of_one = (is_decision && self.compiler.starts_with("clang")).then_some(of_one);
                let others = self.reason.as_deref().or(of_one);
                let others = others.map_or_else(String::new, |others| format!("; {others}"));
                return format!(
                    "not affected: no {}{} with a count begins on the line{others}",
                    name(metric),
                    of_whole(claim.whole)
                );
            }
            _ => {}
        }
        let rule = self.finding.as_ref().and_then(|finding| finding.rule);
        let rule = rule.filter(|_| self.answer != Answer::ClaimIsWrong);
        let name = |rule: Rule| match (self.answer, rule, &self.finding) {
            // The name of the root cause that upstream calls intended.
            (Answer::Convention, Rule::Wrong(_), Some(finding)) => {
                finding.signature.rsplit('/').next().unwrap_or_default().to_string()
            }
            _ => rule.name().to_string(),
        };
        let rule = rule.map(name);
        let reason = rule.or(self.reason.clone());
        let initialised = self.is_initialised.then(|| format!("with {INITIALISED}"));
        let reasons: Vec<String> = reason.into_iter().chain(initialised).collect();
        if reasons.is_empty() { text.into() } else { format!("{text} ({})", reasons.join("; ")) }
    }

    fn counts_in_words(&self) -> String {
        let counts: Vec<String> = self.numbers.iter().map(|number| shown(number.count)).collect();
        if counts.is_empty() { shown(None) } else { counts.join(", ") }
    }

    fn truth_in_words(&self) -> String {
        let is_known = |number: &ReportNumber| !number.expected.is_empty();
        if !self.numbers.iter().any(is_known) {
            return String::new();
        }
        let truth = self
            .numbers
            .iter()
            .map(|number| if is_known(number) { several(&number.expected) } else { "?".into() });
        truth.collect::<Vec<_>>().join(", ")
    }
}

fn in_words(file: &Utf8Path, claim: Claim, rows: &[Row]) -> String {
    let Claim { line, metric, .. } = claim;
    let inputs: BTreeSet<&str> = rows.iter().map(|row| &*row.input).collect();
    let run = |row: &Row| match inputs.len() {
        0 | 1 => row.compiler.clone(),
        _ => format!("{}, input {}", row.compiler, row.input),
    };
    let cells = rows
        .iter()
        .map(|row| vec![run(row), row.counts_in_words(), row.truth_in_words(), row.answer_in_words(claim)]);
    let mut out = format!("{file}:{line}");
    if metric != ClaimMetric::Line {
        let _ = write!(out, ", {}", name(metric));
    }
    out.push_str("\n\n");
    out.push_str(&table(&["compiler", "count", "truth", "answer"], &[1, 2], cells));
    if metric != ClaimMetric::Line {
        for row in rows.iter().filter(|row| !row.numbers.is_empty()) {
            let _ = write!(out, "\n{}\n\n{}", run(row), numbers_text(&row.numbers));
        }
    }
    if rows.iter().any(|row| row.is_initialised) {
        let _ = writeln!(
            out,
            "\nThe program reads variables that are not initialised, which is undefined. It has the same counts with {INITIALISED}, so \
             they do not depend on these variables."
        );
    }
    let known = Known::embedded();
    let mut causes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.answer <= Answer::Unstable) {
        if let Some(finding) = &row.finding {
            causes.entry(cause(finding, &known)).or_default().push(run(row));
        }
    }
    let is_only = causes.len() == 1;
    for (cause, compilers) in causes {
        let of = if is_only { String::new() } else { format!("{}: ", compilers.join(", ")) };
        let _ = write!(out, "\n{of}{cause}\n");
    }
    if let Some(row) = rows.iter().rev().find(|row| row.answer == Answer::Confirmed && !row.is_initialised) {
        let _ = writeln!(
            out,
            "\nNext: `recount reduce {file} --line {line} --profiler {}` reduces the program.",
            row.compiler
        );
    }
    out
}

/// The cause of a finding with the evidence for its mechanism, the known root cause that it may be, and the bug report that
/// it repeats.
fn cause(finding: &Finding, known: &Known) -> String {
    let mechanism = sentence(finding);
    let mut out = mechanism.clone();
    if let Some(evidence) = finding.evidence() {
        let _ = write!(out, "\n  evidence: {evidence}");
    }
    let compiler = std::slice::from_ref(&finding.compiler);
    let entry = known.get(&finding.signature, finding.verdict, compiler);
    if let Some(entry) = entry {
        let note = if entry.note == mechanism { String::new() } else { format!(": {}", entry.note) };
        let _ = write!(out, "\n  same mechanism as {} in the list of known root causes{note}", entry.name);
        if entry.status == Status::New {
            out += "\n  no public report is known";
        }
    } else if let Some(entry) = known.with_signature(&finding.signature, finding.verdict) {
        let _ = write!(
            out,
            "\n  possibly {}: {}; {} should have the fix, so this may be a regression",
            entry.name, entry.note, finding.compiler
        );
    }
    let repeated = entry.map(KnownCluster::reports).filter(|reports| !reports.is_empty());
    if let Some(reports) = repeated.or_else(|| finding.rule.and_then(upstream).map(Into::into)) {
        let _ = write!(out, "\n  reported as {reports}");
    }
    out
}
