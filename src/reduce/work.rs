//! The work on one finding: reduced, confirmed, contrasted, and named by its canonical form.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::Result;
use camino::Utf8Path;

use super::candidate::{Candidate, lines_of_code};
use super::contrast::contrast;
use super::engine::{Engine, Progress};
use super::external::{Reducer, reduce_by};
use super::hunt::{Hunt, Seen, candidate};
use super::included::{includes_own, needs, standing_alone};
use super::schedule::SCHEDULE;
use crate::journal::{FindingBundle, Reduction, Replay};
use crate::model::{Finding, Metric};
use crate::syntax::render;
use crate::toolchain::Confidence;

/// Why there is no reduced program.
#[derive(Clone, Debug, PartialEq)]
pub enum Unreduced {
    /// The program does not show the finding any more.
    Gone,
    /// What reduction made of it did not stand up to a second look; this is what it was, and what it cost.
    Unconfirmed(String, Box<Reduction>),
}

/// Who reduces.
#[derive(Clone, Copy, Debug)]
pub enum By<'a> {
    /// Our engine, by its schedule.
    Engine,
    /// Another reducer, which works in this folder and asks through this binary of ours.
    Other(Reducer, &'a Utf8Path, &'a Utf8Path),
}

/// Reduce the program of `bundle` by `hunt`, with so many `workers`.
///
/// # Errors
/// When we or the machine are broken, or on an interrupt.
pub fn reduce(
    hunt: &mut Hunt<'_>,
    bundle: &FindingBundle,
    workers: usize,
    by: By<'_>,
    observe: &(dyn Fn(Progress) + Sync),
) -> Result<std::result::Result<FindingBundle, Unreduced>> {
    let (began, spent) = (Instant::now(), hunt.cpu_seconds());
    let mut start = candidate(bundle);
    if hunt.quickly(&start)?.is_none() {
        return Ok(Err(Unreduced::Gone));
    }
    hunt.hurry(&start)?;
    hunt.guard(&start.source)?;
    // A program that includes files of its own would need them wherever it is sent.
    let original = bundle.original.as_ref().unwrap_or(&bundle.program);
    if let Some(whole) = standing_alone(&start, original, &hunt.flags)
        && hunt.quickly(&whole)?.is_some()
    {
        start = whole;
    }
    let (smallest, tests, passes) = match by {
        By::Engine => {
            let mut engine = Engine::new(&*hunt, workers, start, observe)?;
            let smallest = engine.run(SCHEDULE)?;
            (smallest, engine.tests(), engine.passes().clone())
        }
        By::Other(reducer, folder, binary) => {
            let marked = bundle.finding.culprit.is_some();
            let (smallest, tests) = reduce_by(reducer, &*hunt, workers, &start, marked, folder, binary)?;
            (smallest, tests, BTreeMap::new())
        }
    };
    let seen = hunt.confirm(&smallest)?;
    let engine = match by {
        By::Engine => "recount",
        By::Other(reducer, ..) => reducer.name(),
    };
    // What was reduced before is measured from where it began.
    let earlier = bundle.reduction.as_ref().filter(|_| *original != bundle.program);
    let reduction = Reduction {
        lines_before: lines_of_code(original),
        lines_after: lines_of_code(&smallest.source),
        bytes_before: original.len(),
        bytes_after: smallest.source.len(),
        tests: tests + earlier.map_or(0, |earlier| earlier.tests),
        passes,
        cpu_seconds: Some(hunt.cpu_seconds() - spent),
        wall_seconds: began.elapsed().as_secs_f64(),
        engine: engine.into(),
        canonical: canonical(&smallest.source),
        contrast: Err(String::new()),
        original: bundle.reduction.as_ref().map_or(&bundle.finding, |earlier| &earlier.original).clone(),
    };
    match seen {
        Some(seen) => Ok(Ok(concluded(hunt, bundle, &smallest, seen, reduction)?)),
        None => Ok(Err(Unreduced::Unconfirmed(smallest.source, Box::new(reduction)))),
    }
}

/// How to run a program that may not need the folders of its files any more.
fn alone(mut replay: Replay, source: &str) -> Replay {
    replay
        .flags
        .retain(|flag| flag.strip_prefix("-I").is_none_or(|folder| needs(source, Utf8Path::new(folder))));
    replay
}

/// The finding of `bundle` in the program in which it was found, if it was reduced since.
pub fn before_reduction(bundle: &FindingBundle) -> FindingBundle {
    let (Some(text), Some(reduction)) = (&bundle.original, &bundle.reduction) else {
        return bundle.clone();
    };
    let mut replay = bundle.replay.clone();
    let folder = Utf8Path::new(&bundle.finding.file).canonicalize_utf8();
    if let (Some(replay), Ok(file)) = (&mut replay, folder)
        && includes_own(text)
        && !replay.flags.iter().any(|flag| flag.starts_with("-I"))
    {
        // The reduced program did without the files beside the original, so `alone` dropped it.
        replay.flags.extend(file.parent().map(|folder| format!("-I{folder}")));
    }
    FindingBundle { program: text.clone(), finding: reduction.original.clone(), replay, ..bundle.clone() }
}

/// A name for a program whose names and layout are the canonical ones.
pub fn canonical(source: &str) -> String {
    blake3::hash(source.as_bytes()).to_hex()[..16].to_string()
}

/// The bundle of the reduced program, with its contrast.
fn concluded(
    hunt: &Hunt<'_>,
    bundle: &FindingBundle,
    smallest: &Candidate,
    seen: Seen,
    mut reduction: Reduction,
) -> Result<FindingBundle> {
    let Seen { findings, mut counts } = seen;
    let mut finding: Finding = findings.into_iter().next().expect("what is seen has a finding");
    finding.program.clone_from(&bundle.finding.program);
    finding.file.clone_from(&bundle.finding.file);
    if let Some(culprit) = &mut finding.culprit {
        culprit.file.clone_from(&bundle.finding.file);
    }
    let variant = finding.culprit.as_ref().map(|culprit| render(&smallest.source, &culprit.edits));
    if let Some(variant) = &variant
        && let Ok((report, _)) = hunt.look(variant, Confidence::Confirming)?
    {
        counts.variant = report.coverage.lines();
    }
    let found = match finding.line {
        Some(_) if finding.metric != Metric::Line => Err(format!(
            "a contrast is looked for by line counts, not by those of a {}",
            finding.metric.name()
        )),
        Some(line) => contrast(hunt, &smallest.source, line, finding.truth.as_deref().unwrap_or_default())?,
        None => Err("what differs is the output, not a count".into()),
    };
    let (edit, contrast) = match found {
        Ok(found) => {
            counts.contrast = found.counts;
            (Ok(found.edit), Some(found.source))
        }
        Err(why) => (Err(why), None),
    };
    reduction.contrast = edit;
    Ok(FindingBundle {
        finding,
        replay: bundle.replay.clone().map(|replay| alone(replay, &smallest.source)),
        program: smallest.source.clone(),
        variant,
        contrast,
        counts,
        original: Some(bundle.original.clone().unwrap_or_else(|| bundle.program.clone())),
        reduction: Some(reduction),
        versions: Vec::new(),
    })
}
