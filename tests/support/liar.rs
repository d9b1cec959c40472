//! A real profiler that lies: what a relation has to notice, put into its report by a test.

#![allow(dead_code, reason = "no test file uses all of it")]

use std::sync::Arc;

use anyhow::Result;
use camino::Utf8Path;
use recount::config::Settings;
use recount::corpus::Input;
use recount::coverage::Coverage;
use recount::journal::JobRecord;
use recount::model::{Finding, Outcome, ProfilerInfo, RelationName, Verdict};
use recount::toolchain::{Probed, Profile, Profiler, Request, Worker, select};

use crate::town::Town;

/// What is done to the report on a program that was profiled by the request.
pub type Lie = fn(&Request<'_>, &mut Coverage);

/// A profiler whose reports are changed.
struct Liar {
    inner: Probed,
    lie: Lie,
}

impl Profiler for Liar {
    fn info(&self) -> &ProfilerInfo {
        self.inner.info()
    }

    fn profile(&self, worker: &mut Worker, request: &Request<'_>) -> Result<Profile> {
        let mut profile = self.inner.profile(worker, request)?;
        if let Ok(report) = &mut profile {
            (self.lie)(request, &mut report.coverage);
        }
        Ok(profile)
    }

    fn compiler(&self) -> Option<&Utf8Path> {
        self.inner.compiler()
    }

    fn commands(&self, flags: &[String], input: &Input, dialect: usize) -> Vec<String> {
        self.inner.commands(flags, input, dialect)
    }
}

/// `inner`, whose reports are changed by `lie`.
pub fn lying(inner: Probed, lie: Lie) -> Probed {
    Arc::new(Liar { inner, lie })
}

/// The lines of the program whose text has `word`.
pub fn lines_with(source: &str, word: &str) -> Vec<u32> {
    (1..).zip(source.lines()).filter(|(_, text)| text.contains(word)).map(|(line, _)| line).collect()
}

/// Give `line` another count.
pub fn set(coverage: &mut Coverage, line: u32, change: impl Fn(u64) -> u64) {
    let count = coverage.line(line);
    if let Some(count) = count {
        coverage.add_line(line, change(count).wrapping_sub(count));
    }
}

/// The record of a campaign of `relation` alone on `text`, under the newest of `family`, which lies by
/// `lie`; laid out first where `normalise` says so.
pub fn record(relation: RelationName, family: &str, text: &str, lie: Lie, normalise: bool) -> JobRecord {
    record_with(relation, family, text, lie, move |settings: &mut Settings| {
        settings.rewrite.normalise = normalise;
    })
}

/// The same with settings changed by `change`.
pub fn record_with(
    relation: RelationName,
    family: &str,
    text: &str,
    lie: Lie,
    change: impl Fn(&mut Settings),
) -> JobRecord {
    let mut town = Town::new(&[("p", text)]);
    let inner = select(&[family.to_string()]).expect("a profiler is installed").remove(0);
    town.profilers = vec![lying(inner, lie)];
    town.settings = Settings { relations: vec![relation], ..Settings::quick() };
    town.settings.rewrite.variants = 12;
    change(&mut town.settings);
    let record = town.records("run").remove(0);
    assert_eq!(record.outcome, Outcome::Profiled);
    assert_eq!(record.no_truth, None);
    record
}

/// What `relation` alone finds in `text` under the newest of `family`, which lies by `lie`; conventions
/// and artefacts left out. Every variant must compile and do what P does. Which ones are drawn depends on `seed`
/// and the compiler's name.
pub fn found(relation: RelationName, family: &str, text: &str, lie: Lie, seed: u64) -> Vec<Finding> {
    let record = record_with(relation, family, text, lie, move |settings| settings.seed = seed);
    assert_eq!(record.refused, [""; 0]);
    assert!(record.incomparable.is_empty(), "{:?}", record.incomparable);
    let tally = record.relations[&relation];
    assert!(tally.variants > 0 && tally.alike == tally.variants, "{tally:?}");
    let mut findings = record.findings;
    findings.retain(|finding| !matches!(finding.verdict, Verdict::Convention | Verdict::Artefact));
    findings
}
