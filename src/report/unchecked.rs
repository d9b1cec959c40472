//! What was not checked, and why: the end of every report.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde::Serialize;

use super::counts::percent;
use crate::journal::{Checked, JobRecord, Journal};
use crate::model::{OF_SEVERAL_FILES, number_of};

/// The maximum number of reasons or files that a sentence lists.
const MOST_LISTED: usize = 4;

/// What was not checked, over several jobs. It is in the report as JSON, so its keys are a contract with scripts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Unchecked {
    /// Lines that have a count, over all reports.
    pub counts: usize,
    /// Of these, the ones whose count was compared with ground truth.
    pub checked: usize,
    /// Why the others were not compared, each reason with its number of counts, the most frequent first.
    pub uncompared: Vec<(String, usize)>,
    /// Other numbers of the reports, if they were looked at: of branches, regions, functions and decisions.
    pub numbers: usize,
    /// Of these, the ones whose right value is not known, each reason with its number of them, the most frequent first.
    pub unknown: Vec<(String, usize)>,
    /// Jobs of older versions, which did not record how many counts they checked.
    pub unrecorded_jobs: usize,
    /// Planned jobs that have not run.
    pub jobs_left: usize,
    pub without_truth: Programs,
    /// Programs whose report has no conditions because the tool crashed on them.
    pub without_conditions: Programs,
    pub not_profiled: Programs,
    /// Functions that could not be instrumented.
    pub uninstrumented_functions: usize,
    /// Of each of them, the name and the reason.
    pub refused: Vec<String>,
    /// Constructs that could not be parsed.
    pub unparsed_constructs: usize,
    /// Included files that contain code, each with the number of its lines that begin a statement.
    pub included: BTreeMap<String, usize>,
    /// Programs that read input, and have none.
    pub without_input: usize,
}

/// Programs to which something did not happen under at least one profiler.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Programs {
    pub number: usize,
    /// Each reason with its number of programs, the most frequent first.
    pub reasons: Vec<(String, usize)>,
}

impl Programs {
    fn of<'a>(records: impl Iterator<Item = (&'a str, String)>) -> Programs {
        let mut by_reason: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for (program, reason) in records {
            by_reason.entry(reason).or_default().insert(program);
        }
        let number = by_reason.values().flatten().collect::<BTreeSet<_>>().len();
        let reasons = by_reason.into_iter().map(|(reason, programs)| (reason, programs.len()));
        Programs { number, reasons: most_frequent_first(reasons) }
    }
}

fn most_frequent_first(reasons: impl IntoIterator<Item = (String, usize)>) -> Vec<(String, usize)> {
    let mut reasons: Vec<(String, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
    reasons
}

/// `does not compile (2), timed out (1)`.
fn in_words(reasons: &[(String, usize)]) -> String {
    listed(reasons.iter().map(|(reason, number)| format!("{reason} ({number})")), "other reason")
}

/// The first of `words`, and the number of the others.
fn listed(words: impl ExactSizeIterator<Item = String>, other: &str) -> String {
    let others = words.len().saturating_sub(MOST_LISTED);
    let mut out = words.take(MOST_LISTED).collect::<Vec<_>>().join(", ");
    if others > 0 {
        let _ = write!(out, ", and {}", number_of(others, other));
    }
    out
}

/// Something that was not checked, as in `3 programs`, and why.
pub struct Item {
    pub what: String,
    pub why: String,
}

impl Unchecked {
    pub fn of_journals(journals: &[Journal]) -> Unchecked {
        let planned: usize = journals.iter().map(|journal| journal.header.jobs).sum();
        let done: usize = journals.iter().map(|journal| journal.records.len()).sum();
        let records = journals.iter().flat_map(|journal| &journal.records);
        Unchecked { jobs_left: planned.saturating_sub(done), ..Unchecked::of(records) }
    }

    pub fn of<'a>(records: impl IntoIterator<Item = &'a JobRecord>) -> Unchecked {
        let records: Vec<&JobRecord> = records.into_iter().collect();
        let profiled = || records.iter().filter(|record| record.is_profiled());
        let mut out = Unchecked {
            unrecorded_jobs: profiled().filter(|record| record.checked.is_none()).count(),
            without_truth: Programs::of(profiled().filter_map(|record| {
                let reason = record.no_truth.as_deref()?;
                Some((record.program.as_str(), without_details(reason)))
            })),
            without_conditions: Programs::of(
                profiled().filter_map(|record| Some((record.program.as_str(), record.crash.clone()?))),
            ),
            not_profiled: Programs::of(
                records
                    .iter()
                    .filter(|record| !record.is_profiled())
                    .map(|record| (record.program.as_str(), end_in_words(record))),
            ),
            ..Unchecked::default()
        };
        // Constructs are the same under every profiler, and functions under every profiler of a family.
        let (mut constructs, mut functions) = (BTreeMap::new(), BTreeMap::new());
        let mut without_input = BTreeSet::new();
        let mut uncompared: BTreeMap<&str, usize> = BTreeMap::new();
        let mut unknown: BTreeMap<String, usize> = BTreeMap::new();
        for record in profiled() {
            constructs.insert(&record.program, record.tally.error_nodes);
            let Some(checked) = &record.checked else { continue };
            out.counts += checked.counts;
            out.checked += checked.with_truth;
            out.numbers += checked.numbers;
            for (reason, number) in &checked.unknown {
                *unknown.entry(reason.clone()).or_default() += number;
            }
            let left = checked.counts - checked.with_truth;
            if left > 0 {
                *uncompared.entry(why_uncompared(record, checked)).or_default() += left;
            }
            let refused = checked.refused.iter();
            functions.extend(refused.map(|(name, reason)| ((&record.program, name), reason)));
            if checked.lacks_input {
                without_input.insert(&record.program);
            }
            out.included.extend(checked.included.clone());
        }
        out.uncompared =
            most_frequent_first(uncompared.into_iter().map(|(why, left)| (why.to_string(), left)));
        out.unknown = most_frequent_first(unknown);
        out.unparsed_constructs = constructs.values().sum();
        out.uninstrumented_functions = functions.len();
        out.refused = functions.into_iter().map(|((_, name), reason)| format!("{name}: {reason}")).collect();
        out.without_input = without_input.len();
        out
    }

    /// The share of all counts that were compared with ground truth; 0 if there are none.
    pub fn checked_share(&self) -> f64 {
        if self.counts == 0 { 0.0 } else { self.checked as f64 / self.counts as f64 }
    }

    /// Everything that was not checked: at most 8 items.
    pub fn items(&self) -> Vec<Item> {
        let all = [
            self.counts_left(),
            self.numbers_left(),
            self.programs_left(),
            self.truth_left(),
            self.code_left(),
            self.conditions_left(),
            self.variants_left(),
            self.included_left(),
            self.inputs_left(),
        ];
        all.into_iter().flatten().collect()
    }

    fn counts_left(&self) -> Option<Item> {
        let left = self.counts - self.checked;
        if left == 0 {
            let what = number_of(self.unrecorded_jobs, "job");
            let why = "an older version of recount did not record what it checked".into();
            return (self.unrecorded_jobs > 0).then_some(Item { what, why });
        }
        let (all, share) = (number_of(self.counts, "line count"), percent(left, self.counts));
        let mut why = in_words(&self.uncompared);
        if self.unrecorded_jobs > 0 {
            let unknown = number_of(self.unrecorded_jobs, "job");
            let _ = write!(why, "; an older version of recount did not record the counts of {unknown}");
        }
        Some(Item { what: format!("{left} of {all} ({share})"), why })
    }

    fn numbers_left(&self) -> Option<Item> {
        let left: usize = self.unknown.iter().map(|(_, number)| number).sum();
        let (all, share) = (number_of(self.numbers, "other number"), percent(left, self.numbers));
        (left > 0).then(|| Item { what: format!("{left} of {all} ({share})"), why: in_words(&self.unknown) })
    }

    fn programs_left(&self) -> Option<Item> {
        let mut what = Vec::new();
        let mut why = Vec::new();
        if self.not_profiled.number > 0 {
            what.push(number_of(self.not_profiled.number, "program"));
            why.push(in_words(&self.not_profiled.reasons));
        }
        if self.jobs_left > 0 {
            what.push(number_of(self.jobs_left, "job"));
            why.push(format!("not run ({})", self.jobs_left));
        }
        (!what.is_empty()).then(|| Item { what: what.join(" and "), why: why.join(", ") })
    }

    fn truth_left(&self) -> Option<Item> {
        let Programs { number, .. } = self.without_truth;
        let what = format!("the counts of {}", number_of(number, "program"));
        let why = || format!("no ground truth: {}", in_words(&self.without_truth.reasons));
        (number > 0).then(|| Item { what, why: why() })
    }

    fn conditions_left(&self) -> Option<Item> {
        let Programs { number, .. } = self.without_conditions;
        let what = format!("the conditions of {}", number_of(number, "program"));
        (number > 0).then(|| Item { what, why: in_words(&self.without_conditions.reasons) })
    }

    fn code_left(&self) -> Option<Item> {
        let what = number_of(self.uninstrumented_functions, "function");
        let refused = listed(self.refused.iter().cloned(), "other function");
        let refused = if refused.is_empty() { refused } else { format!(" ({refused})") };
        let why = format!("could not be instrumented{refused}");
        (self.uninstrumented_functions > 0).then_some(Item { what, why })
    }

    /// The relations change what the parser understands in the text as it was typed; ground truth sees it without macros.
    fn variants_left(&self) -> Option<Item> {
        let constructs = number_of(self.unparsed_constructs, "construct");
        let what = format!("variants of statements with {constructs}, such as a macro that is no expression");
        let why = "could not be parsed, so no relation changes them".into();
        (self.unparsed_constructs > 0).then_some(Item { what, why })
    }

    fn included_left(&self) -> Option<Item> {
        let files = self.included.len();
        let what = format!(
            "{} of code in {}",
            number_of(self.included.values().sum(), "line"),
            number_of(files, "included file")
        );
        let why = || {
            let names = listed(self.included.keys().cloned(), "other file");
            format!("the report has no counts of {names}")
        };
        (files > 0).then(|| Item { what, why: why() })
    }

    fn inputs_left(&self) -> Option<Item> {
        let (read, have) = if self.without_input == 1 { ("reads", "has") } else { ("read", "have") };
        let what = format!("other inputs of {}", number_of(self.without_input, "program"));
        let why = format!("{read} arguments or standard input, and {have} no inputs in a sidecar");
        (self.without_input > 0).then_some(Item { what, why })
    }

    /// One line for each item; if everything was checked, a line that says so.
    pub fn text(&self) -> String {
        let items = self.items();
        if items.is_empty() {
            return match self.counts {
                0 => "There was no count to check.\n".into(),
                1 => "The only line count was checked against ground truth.\n".into(),
                counts => format!("All {counts} line counts were checked against ground truth.\n"),
            };
        }
        items.iter().map(|Item { what, why }| format!("Not checked: {what}: {why}.\n")).collect()
    }
}

/// Why some counts of a report were not compared with ground truth.
fn why_uncompared(record: &JobRecord, checked: &Checked) -> &'static str {
    match (&record.no_truth, checked.lacks_relation) {
        (Some(_), _) => "in programs without ground truth",
        (None, true) => "without the relation truth",
        (None, false) => "on lines without ground truth",
    }
}

/// A reason without its details, which differ from program to program.
fn without_details(reason: &str) -> String {
    reason.split(": ").next().unwrap_or(reason).to_string()
}

/// Why the program of a record was not profiled.
fn end_in_words(record: &JobRecord) -> String {
    match record.failed {
        Some(_) => "internal failure of recount".into(),
        None if record.outcome.reason().is_some_and(|reason| reason.ends_with(OF_SEVERAL_FILES)) => {
            format!("needs other files: {OF_SEVERAL_FILES}")
        }
        None => record.outcome.name().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Tally;
    use crate::model::Outcome;

    fn record(program: &str, counts: usize, with_truth: usize) -> JobRecord {
        let checked = Checked { counts, with_truth, ..Checked::default() };
        JobRecord {
            program: program.into(),
            file: format!("dir/{program}.c"),
            checked: Some(checked),
            ..JobRecord::default()
        }
    }

    fn ended(program: &str, outcome: Outcome) -> JobRecord {
        JobRecord { program: program.into(), outcome, ..JobRecord::default() }
    }

    #[test]
    fn everything_checked_is_one_line() {
        let text = |records: &[JobRecord]| Unchecked::of(records).text();
        let both = [record("p", 7, 7), record("q", 3, 3)];
        assert_eq!(text(&both), "All 10 line counts were checked against ground truth.\n");
        assert_eq!(text(&[record("p", 0, 0)]), "There was no count to check.\n");
    }

    #[test]
    fn each_kind_is_one_line_and_programs_count_once() {
        let failed = |why: &str| JobRecord { no_truth: Some(why.into()), ..record("q", 5, 0) };
        let mut first = record("p", 5, 4);
        first.checked = Some(Checked {
            refused: [("f".to_string(), "not parsed".to_string())].into(),
            included: [("a.h".to_string(), 3), ("b.c".to_string(), 1)].into(),
            lacks_input: true,
            ..first.checked.unwrap()
        });
        first.tally = Tally { error_nodes: 1, ..Tally::default() };
        let reason = || "x".to_string();
        let records = [
            first.clone(),
            first,
            failed("the instrumented program failed: p.c:4"),
            failed("the instrumented program failed: p.c:9"),
            ended("r", Outcome::TimedOut { reason: reason() }),
            ended("s", Outcome::DoesNotCompile { reason: reason() }),
            ended("t", Outcome::DoesNotCompile { reason: reason() }),
            JobRecord { failed: Some(reason()), ..ended("t", Outcome::Profiled) },
        ];
        let unchecked = Unchecked::of(&records);
        let lines = [
            "12 of 20 line counts (60.0 %): in programs without ground truth (10), on lines without ground truth (2)",
            "3 programs: does not compile (2), internal failure of recount (1), timed out (1)",
            "the counts of 1 program: no ground truth: the instrumented program failed (1)",
            "1 function: could not be instrumented (f: not parsed)",
            "variants of statements with 1 construct, such as a macro that is no expression: could not be parsed, so no relation changes them",
            "4 lines of code in 2 included files: the report has no counts of a.h, b.c",
            "other inputs of 1 program: reads arguments or standard input, and has no inputs in a sidecar",
        ];
        let expected: String = lines.iter().map(|line| format!("Not checked: {line}.\n")).collect();
        assert_eq!(unchecked.text(), expected);
        assert!((unchecked.checked_share() - 0.4).abs() < 1e-9);
    }

    #[test]
    fn the_share_of_nothing_is_0_and_older_records_are_named() {
        let old = Unchecked::of(&[JobRecord::default()]);
        assert!(old.checked_share() < 1e-9);
        assert!(old.text().contains("1 job: an older version"), "{}", old.text());
    }
}
