//! Versions: what every profiler here says of one finding's program.

use anyhow::Result;

use super::hunt::{Hunt, candidate};
use crate::config::{Lane, Settings};
use crate::journal::{Dossier, Replay, Tried};
use crate::model::{Finding, Metric};
use crate::toolchain::{Bench, Probed};

/// Hold the program of `dossier` against each of `profilers`, in their order.
pub fn versions(
    profilers: &[Probed],
    settings: &Settings,
    dossier: &Dossier,
    replay: &Replay,
    mut bench: Bench,
) -> Result<(Vec<Tried>, Bench)> {
    let mut all = Vec::new();
    for profiler in profilers {
        let hunt = Hunt::new(profiler, settings, &dossier.finding, replay, vec![bench]);
        all.push(tried(&hunt, dossier)?);
        bench = hunt.into_benches().remove(0);
    }
    Ok((all, bench))
}

fn tried(hunt: &Hunt<'_>, dossier: &Dossier) -> Result<Tried> {
    let finding = &dossier.finding;
    let shown: Vec<Finding> = hunt.quickly(&candidate(dossier))?.map_or_else(Vec::new, |seen| seen.findings);
    let here = shown.iter().find(|found| found.line == finding.line).or(shown.first());
    let count = match hunt.look(&dossier.program, Lane::Plain)? {
        Ok((report, _)) if matches!(finding.metric, Metric::Line | Metric::Function) => {
            Ok(finding.line.and_then(|line| report.coverage.count(finding.metric, line)))
        }
        Ok(_) => Ok(here.and_then(|found| found.before)),
        Err(outcome) => Err(outcome
            .reason()
            .map_or_else(|| outcome.name().to_string(), |reason| format!("{}: {reason}", outcome.name()))),
    };
    let info = hunt.profiler.info();
    Ok(Tried {
        compiler: info.compiler.clone(),
        version: info.version.clone(),
        count,
        verdict: here.map(|found| found.verdict),
        affected: here.is_some(),
    })
}
