//! Tests one finding's program with each version of a profiler.

use std::sync::Mutex;

use anyhow::Result;

use super::finding_test::{FindingTest, marked};
use crate::config::Settings;
use crate::journal::{FindingBundle, Replay, VersionResult};
use crate::model::{Finding, Metric};
use crate::toolchain::{Confidence, Probed, Worker};

/// Tests the program of `bundle` with each of `profilers`, in their order.
pub fn versions(
    profilers: &[Probed],
    settings: &Settings,
    bundle: &FindingBundle,
    replay: &Replay,
    worker: &Mutex<Worker>,
) -> Result<Vec<VersionResult>> {
    let workers = std::slice::from_ref(worker);
    let test = |profiler| FindingTest::new(profiler, settings, &bundle.finding, replay, workers);
    profilers.iter().map(|profiler| version_result(&test(profiler), bundle)).collect()
}

fn version_result(test: &FindingTest<'_>, bundle: &FindingBundle) -> Result<VersionResult> {
    let finding = &bundle.finding;
    let shown: Vec<Finding> = test.explore(0, &marked(bundle))?.map_or_else(Vec::new, |shown| shown.findings);
    let here = shown.iter().find(|found| found.line == finding.line).or(shown.first());
    let count = match test.profile(&bundle.program, Confidence::Confirming)? {
        Ok((report, _)) if matches!(finding.metric, Metric::Line | Metric::Function) => {
            Ok(finding.line.and_then(|line| report.coverage.count(finding.metric, line)))
        }
        Ok(_) => Ok(here.and_then(|found| found.before)),
        Err(outcome) => Err(outcome
            .reason()
            .map_or_else(|| outcome.name().to_string(), |reason| format!("{}: {reason}", outcome.name()))),
    };
    let info = test.profiler.info();
    Ok(VersionResult {
        compiler: info.compiler.clone(),
        version: info.version.clone(),
        count,
        verdict: here.map(|found| found.verdict),
        affected: here.is_some(),
    })
}
