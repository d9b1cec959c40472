//! Compares verdicts with verdicts by hand. `data/truth` has programs with a wrong count, and programs that only seem
//! to have one, judged by people who did not write triage. `x.expected.toml` lists every line of `x.c` whose count is
//! wrong, and the profilers that report it; no other line may get the verdict `wrong`. Every listed profiler that is
//! installed runs.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use recount::journal::{JobRecord, RunFolder, read};
use recount::model::{Convention as ConventionRule, Finding, Metric, Rule, Verdict};
use serde::Deserialize;
use support::{Said, Temp};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/truth");

/// A person's verdicts on one program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// The feature of the program that is tested.
    #[allow(dead_code, reason = "for readers")]
    about: String,
    /// False if it is debatable whether the count is wrong.
    #[serde(default = "yes")]
    sure: bool,
    /// The lines whose count is wrong.
    #[serde(default)]
    wrong: Vec<Wrong>,
    /// Lines whose count is intended behaviour, and the rule that must apply.
    #[serde(default)]
    convention: Vec<Convention>,
    /// Lines on which no number is wrong: not those of regions and branches either.
    #[serde(default)]
    right: Vec<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wrong {
    line: u32,
    /// Only of lines, every wrong count is listed.
    #[serde(default = "lines")]
    metric: Metric,
    profilers: Vec<String>,
    kind: String,
    /// None if the line or branch has no count.
    shown: Option<u64>,
    /// None if nothing should be there.
    truth: Option<u64>,
    /// The mechanism that must be named, with the profiler before it.
    mechanism: Option<String>,
    /// The reason why recount does not find it, if it is not found.
    missed: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Convention {
    line: u32,
    profilers: Vec<String>,
    rule: String,
}

fn lines() -> Metric {
    Metric::Line
}

fn yes() -> bool {
    true
}

fn expected(stem: &str) -> Expected {
    let path = Utf8Path::new(DATA).join(format!("{stem}.expected.toml"));
    toml::from_str(&fs_err::read_to_string(&path).unwrap()).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Run every program of `family` under those of `compilers` that are installed.
fn records(family: &str, compilers: &[&str]) -> Vec<JobRecord> {
    let temp = Temp::new();
    for entry in Utf8Path::new(DATA).read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        if path.extension() == Some("c") && path.file_name().is_some_and(|name| name.starts_with(family)) {
            temp.write(&format!("programs/{}", path.file_name().unwrap()), fs_err::read(&path).unwrap());
        }
    }
    // Isolation and confirmation change no verdict here; `scripts/test-long` runs them too.
    let thorough = std::env::var_os("RECOUNT_THOROUGH").is_some();
    let settings = format!("relations = [\"truth\"]\n[triage]\nisolate = {thorough}\n");
    let config = temp.write("settings.toml", settings);
    let out: Utf8PathBuf = temp.at("out");
    let programs = temp.at("programs");
    let mut args =
        vec!["run", programs.as_str(), "--quiet", "--config", config.as_str(), "--out", out.as_str()];
    // `Temp::recount` uses the compilers on PATH.
    let is_installed = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let installed: Vec<&str> = compilers.iter().copied().filter(is_installed).collect();
    assert!(!installed.is_empty(), "none of {compilers:?} is installed");
    args.extend(installed.iter().flat_map(|name| ["--profiler", name]));
    let said = Said::from(temp.recount(&args));
    assert!(said.code <= 1, "{}{}", said.out, said.err);
    read(&RunFolder(out)).unwrap().records
}

/// Whether the profiler of `record` is one of `profilers`.
fn is_by(profilers: &[String], record: &JobRecord) -> bool {
    profilers.contains(&record.compiler)
}

/// The errors in the verdicts on one program under one profiler; `found` counts the wrong counts that were found.
fn complaints(record: &JobRecord, expected: &Expected, found: &mut usize) -> Vec<String> {
    let numbers: Vec<Finding> = record.findings.iter().flat_map(Finding::each_symptom).collect();
    let at = |line: u32, metric: Metric| -> Vec<&Finding> {
        let here = |finding: &&Finding| finding.line == Some(line) && finding.metric == metric;
        numbers.iter().filter(here).collect()
    };
    let is_unlisted = |finding: &&Finding| {
        let is_right = finding.line.is_some_and(|line| expected.right.contains(&line));
        finding.verdict == Verdict::Wrong && (finding.metric == Metric::Line || is_right)
    };
    let mut complaints = Vec::new();
    let mut complain =
        |line: u32, text: String| complaints.push(format!("{} line {line}: {text}", record.job));
    let listed: BTreeSet<u32> = expected
        .wrong
        .iter()
        .filter(|wrong| is_by(&wrong.profilers, record))
        .map(|wrong| wrong.line)
        .collect();
    for finding in numbers.iter().filter(is_unlisted) {
        let line = finding.line.unwrap_or(0);
        if !listed.contains(&line) {
            complain(line, format!("called wrong ({:?} of {:?})", finding.before, finding.truth));
        }
    }
    for wrong in expected.wrong.iter().filter(|wrong| is_by(&wrong.profilers, record)) {
        let agrees = |finding: &&Finding| {
            let admits = match wrong.truth {
                Some(truth) => finding.truth.as_ref().is_some_and(|found| found.contains(&truth)),
                None => finding.truth.as_ref().is_some_and(Vec::is_empty),
            };
            finding.verdict == Verdict::Wrong
                && finding.before == wrong.shown
                && wrong.mechanism.as_ref().is_none_or(|name| *name == finding.signature)
                && admits
                && (finding.rule.map(Rule::name) == Some(wrong.kind.as_str()) || !expected.sure)
        };
        let seen = at(wrong.line, wrong.metric).iter().any(agrees);
        *found += usize::from(seen);
        match (&wrong.missed, seen) {
            (None, false) if expected.sure => {
                let shown = wrong.shown.map_or("no count".into(), |count| count.to_string());
                let names: Vec<&str> =
                    at(wrong.line, wrong.metric).iter().map(|found| found.signature.as_str()).collect();
                complain(wrong.line, format!("{shown} instead of {:?} not found ({names:?})", wrong.truth));
            }
            (Some(why), true) => {
                complain(wrong.line, format!("found, although expected to be missed: {why:?}"));
            }
            _ => {}
        }
    }
    for convention in expected.convention.iter().filter(|convention| is_by(&convention.profilers, record)) {
        let says = |finding: &&Finding| {
            finding.verdict == Verdict::Convention
                && finding.rule.map(Rule::name) == Some(convention.rule.as_str())
        };
        if !at(convention.line, Metric::Line).iter().any(says) {
            complain(convention.line, format!("rule {} does not apply", convention.rule));
        }
    }
    complaints
}

fn judge(family: &str, compilers: &[&str], programs: usize) {
    let records = records(family, compilers);
    let mut found = 0;
    let mut all = Vec::new();
    let mut by_program: BTreeMap<&str, usize> = BTreeMap::new();
    for record in &records {
        assert_eq!(record.outcome.name(), "profiled", "{}", record.job);
        *by_program.entry(&record.program).or_default() += 1;
        all.extend(complaints(record, &expected(&record.program), &mut found));
    }
    assert!(by_program.len() >= programs, "{} programs", by_program.len());
    assert!(found >= programs / 2, "only {found} wrong counts found");
    assert!(all.is_empty(), "{} complaints, {found} wrong counts found:\n{}", all.len(), all.join("\n"));
}

#[test]
fn every_convention_has_a_program_with_a_wrong_count_next_to_it() {
    let mut paired = BTreeSet::new();
    for entry in Utf8Path::new(DATA).read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        if let Some(stem) = path.file_name().and_then(|name| name.strip_suffix(".c")) {
            let expected = expected(stem);
            paired.extend(
                expected
                    .convention
                    .into_iter()
                    .filter(|_| !expected.wrong.is_empty())
                    .map(|found| found.rule),
            );
        }
    }
    for rule in ConventionRule::ALL {
        let name = rule.name();
        // Another report or a variant decides these.
        let is_by_truth = !matches!(
            rule,
            ConventionRule::NoCount | ConventionRule::NoPoint | ConventionRule::BothAdmissible
        ) && !name.starts_with("peer-");
        // Threads do not race in every run; tests/processes.rs makes sure that they do.
        if !is_by_truth || rule == ConventionRule::LostUpdate {
            continue;
        }
        assert!(paired.contains(name), "{name} has no program with a wrong count in {DATA}");
    }
}

#[test]
fn every_wrong_count_of_gcov_is_found_and_no_right_one_is_called_wrong() {
    judge("gcov", &["gcc-11", "gcc-12"], 80);
}

#[test]
fn every_wrong_count_of_llvm_cov_is_found_and_no_right_one_is_called_wrong() {
    judge("llvm", &["clang-14", "clang-19", "clang-22"], 90);
}
