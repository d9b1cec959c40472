//! The reduction of one finding: reduce, confirm, find a contrast, and name the result.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::Result;
use camino::Utf8Path;

use super::candidate::{Candidate, lines_of_code};
use super::contrast::contrast;
use super::engine::{Engine, Progress};
use super::external::{ExternalReducer, reduce_by};
use super::finding_test::{FindingTest, Shown, marked};
use super::included::{includes_own, with_own_files, without_unneeded_folders};
use super::schedule::SCHEDULE;
use crate::journal::{FindingBundle, Reduction};
use crate::model::Metric;
use crate::syntax::render;
use crate::sys::requested;
use crate::toolchain::{Confidence, is_of_other_metric};

/// The reason why there is no reduced program.
#[derive(Clone, Debug, PartialEq)]
pub enum NotReduced {
    /// The program no longer shows the finding.
    NotReproduced,
    /// The time ended before any program was smaller than the original.
    OutOfTime,
    /// The user interrupted the reduction; the smallest program so far, which was not confirmed.
    Interrupted(String),
    /// The reduced program did not show the finding when it was confirmed; the program, and what it cost.
    NotConfirmed(String, Box<Reduction>),
}

/// The reducer.
#[derive(Clone, Copy, Debug)]
pub enum ReduceBy<'a> {
    Engine,
    /// An external reducer, with a scratch folder and the recount binary, which the reducer's test script runs.
    External(ExternalReducer, &'a Utf8Path, &'a Utf8Path),
}

/// Reduces the program of `bundle` while `test` finds it interesting. After `time`, recount's own reducer keeps the smallest
/// program so far.
///
/// # Errors
/// When recount or the machine is broken, or on an interrupt.
pub fn reduce(
    test: &mut FindingTest<'_>,
    bundle: &FindingBundle,
    by: ReduceBy<'_>,
    time: Option<Duration>,
    observe: &(dyn Fn(Progress) + Sync),
) -> Result<std::result::Result<FindingBundle, NotReduced>> {
    let (began, spent) = (Instant::now(), test.cpu_seconds());
    let mut start = marked(bundle);
    // The result should not need other files of the program.
    let original = bundle.original.as_ref().unwrap_or(&bundle.program);
    let whole = with_own_files(&start, original, &test.flags);
    if bundle.included_text().is_some() {
        // The finding is in one of these files, so the program shows it only with the text of the file in its own.
        let Some(whole) = &whole else { return Ok(Err(NotReduced::NotReproduced)) };
        start = whole.clone();
    }
    if test.explore(0, &start)?.is_none() {
        return Ok(Err(NotReduced::NotReproduced));
    }
    test.drop_flags_of_other_metrics(&start, bundle.finding.metric)?;
    test.keep_constants_out(&start)?;
    test.limit_time(&start)?;
    test.set_guards(&start.source)?;
    test.drop_guards_that_change(&start)?;
    if let Some(whole) = whole.filter(|whole| *whole != start)
        && test.explore(0, &whole)?.is_some()
    {
        start = whole;
    }
    if let Some(simple) = test.without_inactive_branches(&start)?
        && test.explore(0, &simple)?.is_some()
    {
        start = simple;
    }
    let workers = test.workers.len();
    let deadline = time.map(|time| began + time);
    test.stop_at(deadline);
    let mut is_complete = true;
    let (smallest, tests, passes, engine) = match by {
        ReduceBy::Engine => {
            let mut engine = Engine::new(&*test, workers, start, observe)?;
            engine.stop_at(deadline);
            let smallest = match engine.run(SCHEDULE) {
                Err(_) if requested() => {
                    return Ok(Err(NotReduced::Interrupted(engine.smallest().source.clone())));
                }
                smallest => smallest?,
            };
            is_complete = !engine.is_late();
            (smallest, engine.tests, engine.passes, "recount")
        }
        ReduceBy::External(reducer, folder, binary) => {
            if bundle.finding.culprit.is_none() {
                start.marks.clear();
            }
            let (smallest, tests) = reduce_by(reducer, &*test, workers, &start, folder, binary)?;
            (smallest, tests, BTreeMap::new(), reducer.name())
        }
    };
    // The text of its headers may have made the program larger.
    let length = bundle.program.len() + bundle.included_text().map_or(0, str::len);
    let is_smaller = smallest.source.len() <= length && smallest.source != bundle.program;
    if !is_complete && !is_smaller {
        return Ok(Err(NotReduced::OutOfTime));
    }
    // A program that was reduced before is compared with its original.
    let earlier = bundle.reduction.as_ref();
    let earlier_tests = earlier.filter(|_| *original != bundle.program).map_or(0, |earlier| earlier.tests);
    let replay = bundle.replay.as_ref().map(|replay| replay.flags.clone());
    let earlier_flags =
        earlier.map(|earlier| earlier.flags.clone()).filter(|flags| !flags.is_empty()).or(replay);
    let mut reduction = Reduction {
        lines_before: lines_of_code(original),
        lines_after: lines_of_code(&smallest.source),
        bytes_before: original.len(),
        bytes_after: smallest.source.len(),
        tests: tests + earlier_tests,
        passes,
        cpu_seconds: None,
        wall_seconds: 0.0,
        engine: engine.into(),
        flags: earlier_flags.unwrap_or_default(),
        is_complete,
        canonical: canonical(&smallest.source),
        contrast: Err(String::new()),
        original: earlier.map_or(&bundle.finding, |earlier| &earlier.original).clone(),
    };
    let mut concluded = || {
        let shown = test.confirm(&smallest)?;
        reduction.cpu_seconds = Some(test.cpu_seconds() - spent);
        reduction.wall_seconds = began.elapsed().as_secs_f64();
        Ok(match shown {
            Some(shown) => Ok(reduced_bundle(test, bundle, &smallest, shown, reduction.clone())?),
            None => Err(NotReduced::NotConfirmed(smallest.source.clone(), Box::new(reduction.clone()))),
        })
    };
    match concluded() {
        Err(_) if requested() => Ok(Err(NotReduced::Interrupted(smallest.source))),
        concluded => concluded,
    }
}

/// `bundle` with the program in which the finding was found, if it was reduced since.
pub fn before_reduction(bundle: &FindingBundle) -> FindingBundle {
    let (Some(text), Some(reduction)) = (&bundle.original, &bundle.reduction) else {
        return bundle.clone();
    };
    let mut replay = bundle.replay.clone();
    if let Some(replay) = replay.as_mut().filter(|_| !reduction.flags.is_empty()) {
        replay.flags.clone_from(&reduction.flags);
    }
    let file = Utf8Path::new(&bundle.finding.file).canonicalize_utf8();
    if let (Some(replay), Ok(file)) = (&mut replay, file)
        && includes_own(text)
        && !replay.flags.iter().any(|flag| flag.starts_with("-I"))
    {
        // The reduced program did not need the folder of the original, so the flag was removed.
        replay.flags.extend(file.parent().map(|folder| format!("-I{folder}")));
    }
    FindingBundle { program: text.clone(), finding: reduction.original.clone(), replay, ..bundle.clone() }
}

/// An id for a program whose names and layout are canonical.
pub fn canonical(source: &str) -> String {
    blake3::hash(source.as_bytes()).to_hex()[..16].to_string()
}

/// The bundle of the reduced program, with its contrast.
fn reduced_bundle(
    test: &FindingTest<'_>,
    bundle: &FindingBundle,
    smallest: &Candidate,
    shown: Shown,
    mut reduction: Reduction,
) -> Result<FindingBundle> {
    let Shown { mut findings, mut counts } = shown;
    let mut finding = findings.swap_remove(0);
    finding.program.clone_from(&bundle.finding.program);
    finding.file.clone_from(&bundle.finding.file);
    if let Some(culprit) = &mut finding.culprit {
        culprit.file.clone_from(&bundle.finding.file);
    }
    let variant = finding.culprit.as_ref().map(|culprit| render(&smallest.source, &culprit.edits));
    if let Some(variant) = &variant
        && let Ok((report, _)) = test.profile(variant, Confidence::Confirming)?
    {
        counts.variant = report.coverage.lines();
    }
    let is_used = |flag: &String| !is_of_other_metric(flag, finding.metric) || test.flags.contains(flag);
    let replay = bundle.replay.clone().map(|mut replay| {
        replay.flags = without_unneeded_folders(&replay.flags, &smallest.source);
        replay.flags.retain(is_used);
        replay
    });
    let mut reduced = FindingBundle {
        finding,
        replay,
        program: smallest.source.clone(),
        included: bundle.included.clone(),
        variant,
        contrast: None,
        counts,
        original: Some(bundle.original.clone().unwrap_or_else(|| bundle.program.clone())),
        reduction: None,
        versions: Vec::new(),
    };
    let metric = reduced.finding.metric;
    let found = match reduced.finding.line {
        Some(_) if !has_contrast(&reduced) => Err(format!(
            "it needs counts that are all known, and this finding is about a {} that is not there",
            metric.name()
        )),
        Some(line) => contrast(test, &reduced.program, (metric, line), &reduced.right().unwrap_or_default())?,
        None => Err("the outputs differ, not the counts".into()),
    };
    reduction.contrast = match found {
        Ok(found) => {
            reduced.counts.contrast = found.counts;
            reduced.contrast = Some(found.source);
            Ok(found.edit)
        }
        Err(why) => Err(why),
    };
    Ok(FindingBundle { reduction: Some(reduction), ..reduced })
}

/// Whether the numbers that a contrast needs are known.
fn has_contrast(reduced: &FindingBundle) -> bool {
    reduced.finding.metric == Metric::Line || reduced.covered().is_some()
}
