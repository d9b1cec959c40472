//! Tests one finding's program with other builds of a profiler: all of them, or as few as show which one changed.

use std::collections::BTreeMap;
use std::sync::Mutex;

use anyhow::Result;

use super::bisect::change;
use super::finding_test::{FindingTest, marked};
use crate::config::Settings;
use crate::coverage::Coverage;
use crate::journal::{FindingBundle, Replay, Standing, VersionResult};
use crate::model::{Finding, Metric};
use crate::replay::shown_count;
use crate::sys::{is_disk_full, requested};
use crate::toolchain::{Archive, Confidence, Worker};

/// Tests the program of `bundle` with each build of `archive`, in their order.
pub fn versions(
    archive: &dyn Archive,
    settings: &Settings,
    bundle: &FindingBundle,
    replay: &Replay,
    worker: &Mutex<Worker>,
) -> Result<Vec<VersionResult>> {
    let case = Case { archive, settings, bundle, replay, worker };
    (0..archive.number_of_builds()).map(|build| case.test(build)).collect()
}

/// Tests the program of `bundle` with as few builds of `archive` as are needed to find two that are next to each other and
/// differ, and returns the results of all of these, oldest first. Builds that cannot be used are left out.
pub fn bisect(
    archive: &dyn Archive,
    settings: &Settings,
    bundle: &FindingBundle,
    replay: &Replay,
    worker: &Mutex<Worker>,
) -> Result<Vec<VersionResult>> {
    let case = Case { archive, settings, bundle, replay, worker };
    let right = bundle.right();
    let mut tested = BTreeMap::new();
    change(archive.number_of_builds(), |build| {
        let result = match case.test(build) {
            Ok(result) => result,
            Err(error) if requested() || is_disk_full(&error) => return Err(error),
            // A broken snapshot says nothing about its neighbours.
            Err(_) => return Ok(None),
        };
        let standing = result.standing(right.as_deref());
        tested.insert(build, result);
        Ok((standing != Standing::Untried).then_some(standing == Standing::Affected))
    })?;
    Ok(tested.into_values().collect())
}

/// A finding whose program is tested with the builds of an archive.
struct Case<'a> {
    archive: &'a dyn Archive,
    settings: &'a Settings,
    bundle: &'a FindingBundle,
    replay: &'a Replay,
    worker: &'a Mutex<Worker>,
}

impl Case<'_> {
    fn test(&self, build: usize) -> Result<VersionResult> {
        let profiler = self.archive.profiler(build)?;
        let workers = std::slice::from_ref(self.worker);
        let test = FindingTest::new(&profiler, self.settings, &self.bundle.finding, self.replay, workers);
        let snapshot = self.archive.date(build).map(String::from);
        Ok(VersionResult { snapshot, ..version_result(&test, self.bundle)? })
    }
}

fn version_result(test: &FindingTest<'_>, bundle: &FindingBundle) -> Result<VersionResult> {
    let finding = &bundle.finding;
    let shown: Vec<Finding> = test.explore(0, &marked(bundle))?.map_or_else(Vec::new, |shown| shown.findings);
    let here = shown.iter().find(|found| found.line == finding.line).or(shown.first());
    let family = finding.profiler;
    let shown_in = |report: &Coverage| shown_count(report, family, finding.metric, finding.line?);
    let count = match test.profile(&bundle.program, Confidence::Confirming)? {
        Ok((report, _)) if matches!(finding.metric, Metric::Line | Metric::Function) => {
            Ok(shown_in(&report.coverage))
        }
        Ok((report, _)) if bundle.covered().is_some() => {
            shown_in(&report.coverage).map(Some).ok_or("the report has none there".into())
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
        snapshot: None,
        count,
        verdict: here.map(|found| found.verdict),
        affected: here.is_some(),
    })
}
