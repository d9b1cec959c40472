//! A real profiler whose report a test falsifies; the relation under test has to find the wrong count.

#![allow(dead_code, reason = "no test file uses all of it")]

use std::sync::Arc;

use anyhow::Result;
use camino::Utf8Path;
use recount::config::Settings;
use recount::coverage::Coverage;
use recount::journal::JobRecord;
use recount::model::{Finding, Outcome, ProfilerInfo, RelationName, Verdict};
use recount::toolchain::{Probed, Profile, Profiler, Request, Worker, select};

use crate::town::Town;

/// Falsifies the report on the program in the request.
pub type Lie = fn(&Request<'_>, &mut Coverage);

/// A profiler whose reports are falsified by `lie`.
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

    fn commands(&self, request: &Request<'_>, dialect: usize) -> Vec<String> {
        self.inner.commands(request, dialect)
    }
}

/// The profiler `inner` with reports that `lie` falsifies.
pub fn lying(inner: Probed, lie: Lie) -> Probed {
    Arc::new(Liar { inner, lie })
}

/// The lines of the program that contain `word`.
pub fn lines_with(source: &str, word: &str) -> Vec<u32> {
    (1..).zip(source.lines()).filter(|(_, text)| text.contains(word)).map(|(line, _)| line).collect()
}

/// Change the count of `line`, if it has one.
pub fn set(coverage: &mut Coverage, line: u32, change: impl Fn(u64) -> u64) {
    let count = coverage.line(line);
    if let Some(count) = count {
        coverage.add_line(line, change(count).wrapping_sub(count));
    }
}

/// The record of a campaign with `relation` alone on the program `text`, under the newest profiler of `family`, whose
/// report `lie` falsifies. If `normalise` is true, the program is first rewritten to one statement a line.
pub fn record(relation: RelationName, family: &str, text: &str, lie: Lie, normalise: bool) -> JobRecord {
    record_with(relation, family, text, lie, move |settings: &mut Settings| {
        settings.rewrite.normalise = normalise;
    })
}

/// The same, with settings that `change` modifies.
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

/// The findings of `relation` alone in the program `text`, under the newest profiler of `family`, whose report `lie`
/// falsifies, without conventions and artefacts. Every variant must compile and behave like P. The draw of variants
/// depends on `seed` and on the compiler's name.
pub fn found(relation: RelationName, family: &str, text: &str, lie: Lie, seed: u64) -> Vec<Finding> {
    let record = record_with(relation, family, text, lie, move |settings| settings.seed = seed);
    assert_eq!(record.refused, [""; 0]);
    assert!(record.incomparable.is_empty(), "{:?}", record.incomparable);
    let tally = record.relations[&relation];
    // `delete` reports variants that behave differently as findings.
    let alike = if relation == RelationName::Delete { tally.compiled } else { tally.alike };
    assert!(tally.variants > 0 && alike == tally.variants, "{tally:?}");
    let mut findings = record.findings;
    findings.retain(|finding| !matches!(finding.verdict, Verdict::Convention | Verdict::Artefact));
    findings
}
