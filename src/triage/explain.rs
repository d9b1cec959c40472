//! Every difference of a job is isolated, confirmed, judged and signed.

use anyhow::Result;

use super::artefact::{self, Case};
use super::claims::{against, against_report};
use super::control::shown_by_control;
use super::isolate::{ddmin, minimise};
use super::sign::{missing, ruled, signature};
use super::subject::Stability;
use super::variant_runner::VariantRunner;
use super::verdict::{Evidence, verdict};
use crate::config::TriageSettings;
use crate::model::{Culprit, Difference, Finding, Kind, Line, Metric, Place, Verdict};
use crate::relation::{Atom, Atoms};
use crate::syntax::Program;

/// Single atoms that are tried before delta debugging.
const LIKELY: usize = 6;

/// Causes of one difference that are told apart before the rest counts as alike.
const CAUSES: usize = 3;

/// Runs in which P' must show a difference before it is left open.
pub(super) const CONFIRMING_RUNS: u32 = 5;

/// P's count is right, that of P' is not: a bug of the profiler, but one that only our edit shows.
pub const VARIANT_ONLY: &str = "variant-only";

/// A variant and how it differs from P.
#[derive(Clone, Debug)]
pub struct ObservedVariant {
    /// What was edited.
    pub atoms: Atoms,
    /// Its differences; empty for most.
    pub differences: Vec<Difference>,
}

/// The findings of a job, sorted by place; one for each difference and cause.
pub fn explain(
    lab: &mut VariantRunner<'_, '_>,
    observed: &[ObservedVariant],
    settings: &TriageSettings,
) -> Result<Vec<Finding>> {
    let mut distinct: Vec<Difference> = observed.iter().flat_map(|seen| seen.differences.clone()).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let mut findings = Vec::new();
    let mut found: Vec<Atoms> = Vec::new();
    if settings.isolate {
        for (shown, finding) in shown_by_control(lab, &distinct)? {
            distinct.retain(|difference| *difference != shown);
            findings.push(finding);
        }
    }
    for difference in distinct {
        let mut causes: Vec<Atoms> = Vec::new();
        for seen in observed.iter().filter(|seen| seen.differences.contains(&difference)) {
            let within =
                |cause: &Atoms| cause.iter().all(|atom| covers(lab.subject.program, &seen.atoms, *atom));
            if causes.iter().any(within) {
                continue;
            }
            // One edit often moves many counts; what was found once is not searched for again.
            let candidates: Vec<Atoms> = found.iter().filter(|cause| within(cause)).cloned().collect();
            let (cause, isolated) = match shown_by(lab, &candidates, &difference)? {
                Some(cause) => (cause, true),
                None => isolate(lab, &difference, seen, observed, settings)?,
            };
            let found_here = finding(lab, &difference, &cause, isolated, settings)?;
            // Echoes of one cause that are known for that are one finding.
            if !findings.contains(&found_here) {
                findings.push(found_here);
            }
            if isolated && !found.contains(&cause) {
                found.push(cause.clone());
            }
            causes.push(cause);
            if !settings.isolate || causes.len() == CAUSES {
                break;
            }
        }
    }
    Ok(findings)
}

/// What is needed for the difference of the first of `causes`, all profiled before, that shows it.
fn shown_by(
    lab: &mut VariantRunner<'_, '_>,
    causes: &[Atoms],
    difference: &Difference,
) -> Result<Option<Atoms>> {
    for cause in causes {
        if lab.compare(cause)?.shows(difference) {
            return match ddmin(cause, |atoms| shows(lab, atoms, difference)) {
                Ok(smallest) => Ok(Some(smallest)),
                Err(Stop::Budget) => Ok(None),
                Err(Stop::Failed(error)) => Err(error),
            };
        }
    }
    Ok(None)
}

/// Whether one of `atoms` is or holds `atom`.
fn covers(program: &Program, atoms: &[Atom], atom: Atom) -> bool {
    atoms.iter().any(|outer| program.holds(*outer, atom))
}

/// The smallest part of the variant that still shows the difference, and
/// whether it was found within the budget.
fn isolate(
    lab: &mut VariantRunner<'_, '_>,
    difference: &Difference,
    seen: &ObservedVariant,
    observed: &[ObservedVariant],
    settings: &TriageSettings,
) -> Result<(Atoms, bool)> {
    if !settings.isolate || lab.budget == 0 {
        return Ok((seen.atoms.clone(), seen.atoms.len() == 1));
    }
    let likely = suspects(lab.subject.program, difference, seen, observed);
    let mut smallest = match minimise(&seen.atoms, &likely, |atoms| shows(lab, atoms, difference)) {
        Ok(smallest) => smallest,
        Err(Stop::Budget) => return Ok((seen.atoms.clone(), false)),
        Err(Stop::Failed(error)) => return Err(error),
    };
    // Then look inside: perhaps only a part of a deleted statement is to blame.
    while let Some(inner) = look_inside(lab, &smallest, difference)? {
        smallest = inner;
    }
    Ok((smallest, true))
}

enum Stop {
    Budget,
    Failed(anyhow::Error),
}

fn shows(lab: &mut VariantRunner<'_, '_>, atoms: &[Atom], difference: &Difference) -> Result<bool, Stop> {
    if lab.budget == 0 {
        return Err(Stop::Budget);
    }
    Ok(lab.compare(atoms).map_err(Stop::Failed)?.shows(difference))
}

/// A smaller cause inside one of `atoms`, if there is one.
fn look_inside(
    lab: &mut VariantRunner<'_, '_>,
    atoms: &[Atom],
    difference: &Difference,
) -> Result<Option<Atoms>> {
    for atom in atoms {
        let parts = lab.relation.refine(lab.subject.program, *atom);
        if parts.is_empty() {
            continue;
        }
        let mut tried: Atoms = atoms.iter().copied().filter(|other| other != atom).chain(parts).collect();
        tried.sort_unstable();
        let found = match shows(lab, &tried, difference) {
            Ok(true) => ddmin(&tried, |atoms| shows(lab, atoms, difference)),
            Ok(false) => continue,
            Err(stop) => Err(stop),
        };
        return match found {
            Ok(inner) => Ok(Some(inner)),
            Err(Stop::Budget) => Ok(None),
            Err(Stop::Failed(error)) => Err(error),
        };
    }
    Ok(None)
}

/// The atoms most likely to be to blame alone: in every variant that shows the
/// difference, in none that does not, nearest to the place first.
fn suspects(
    program: &Program,
    difference: &Difference,
    seen: &ObservedVariant,
    observed: &[ObservedVariant],
) -> Atoms {
    let consistent = |atom: &Atom| {
        let showing =
            |other: &ObservedVariant| other.differences.iter().any(|found| found.place == difference.place);
        observed.iter().all(|other| covers(program, &other.atoms, *atom) == showing(other))
    };
    let distance = |atom: &Atom| match difference.place {
        Place::Line(line) => program.statement(*atom).lines.0.abs_diff(line),
        Place::Output => 0,
    };
    let mut atoms = seen.atoms.clone();
    atoms.sort_by_key(|atom| (!consistent(atom), distance(atom), *atom));
    atoms.truncate(LIKELY);
    atoms
}

fn finding(
    lab: &mut VariantRunner<'_, '_>,
    difference: &Difference,
    cause: &[Atom],
    isolated: bool,
    settings: &TriageSettings,
) -> Result<Finding> {
    let (relation, family) = (lab.relation.name(), lab.subject.family());
    let (evidence, ran) = judge(lab, difference, cause, settings)?;
    let (verdict, rule) = verdict(evidence);
    // What ran unseen is wrong where it stands; the counts that moved are its echoes.
    let unseen = ran.filter(|_| verdict == Verdict::Wrong).map(|line| Difference {
        place: Place::Line(line),
        before: Some(0),
        after: None,
        ..*difference
    });
    let difference = unseen.as_ref().unwrap_or(difference);
    let signature = match (verdict, rule) {
        _ if unseen.is_some() => missing(lab.subject.program, family, relation, cause),
        (Verdict::Wrong, _) | (_, None | Some(VARIANT_ONLY)) => {
            signature(lab.subject.program, family, relation, Metric::Line, difference, cause)
        }
        (_, Some(rule)) => ruled(relation, verdict, rule),
    };
    let edits = lab.relation.render(lab.subject.program, cause);
    let lines = edits.iter().map(|edit| {
        let last = edit.end.max(edit.start + 1) - 1;
        (lab.subject.program.line_of(edit.start), lab.subject.program.line_of(last))
    });
    let culprit = Culprit {
        file: String::new(),
        lines: lines.collect(),
        edit: lab.relation.describe(lab.subject.program, cause),
        edits,
        isolated,
        moved: lab.compare(cause)?.moved(),
    };
    Ok(lab.subject.finding(relation, difference, signature, (verdict, rule), Some(culprit)))
}

/// What is known of a difference between P and P': first whether it can be relied upon, then
/// whether our edit made it, then what truth says of either report.
fn judge(
    lab: &mut VariantRunner<'_, '_>,
    difference: &Difference,
    cause: &[Atom],
    settings: &TriageSettings,
) -> Result<(Evidence, Option<Line>)> {
    let unstable = |rule| Ok((Evidence { unstable: Some(rule), ..Evidence::default() }, None));
    if settings.isolate {
        if let Some(rule) = varies(lab.subject.stability()?, difference) {
            return unstable(rule);
        }
        if !lab.repeats(cause, difference, 1)? {
            return unstable("does-not-repeat");
        }
    }
    // One wrong 0 disturbs many counts: what ran is deleted. They are its echoes, whatever
    // else could be said of each.
    let may_run = settings.rules && difference.kind != Kind::Weak;
    // A quick answer takes the word of our counters for that of a trap.
    let counted =
        denied(lab, cause).and_then(|line| lab.subject.admissible(line)).filter(|_| !settings.isolate);
    let ran = may_run
        && match counted {
            Some(counts) => counts.iter().all(|count| *count > 0),
            None => lab.ran(cause)?,
        };
    let unseen = unseen(lab, cause).filter(|_| ran);
    let mut evidence = Evidence { wrong: unseen.and(Some("missing")), ..Evidence::default() };
    if settings.rules && !ran {
        let family = lab.subject.family();
        let report = &lab.subject.report.coverage;
        let case = Case { program: lab.subject.program, report, family, difference, culprit: cause };
        evidence.artefact = artefact::rule(&case);
        if evidence.artefact.is_none() {
            evidence = by_truth(lab, difference, cause)?;
        }
    }
    if !settings.isolate || !verdict(evidence).0.is_open() {
        return Ok((evidence, unseen));
    }
    if let Some(rule) = varies(lab.subject.confirmed_stability()?, difference) {
        return unstable(rule);
    }
    // A clock that is right nine times out of ten deceives P' as it deceives P.
    if !lab.repeats(cause, difference, CONFIRMING_RUNS)? {
        return unstable("does-not-repeat");
    }
    if difference.kind != Kind::Weak && lab.subject.may_be_several() {
        return unstable("several-processes");
    }
    if evidence.wrong.is_some() && lab.subject.is_undefined()? {
        return unstable("undefined-behaviour");
    }
    Ok((evidence, unseen))
}

/// The first line of `cause` that the report gives a 0; none where truth agrees with the report,
/// which would be against the trap.
fn unseen(lab: &VariantRunner<'_, '_>, cause: &[Atom]) -> Option<Line> {
    let line = denied(lab, cause)?;
    let ran = lab.subject.admissible(line).is_none_or(|counts| counts.iter().any(|count| *count > 0));
    ran.then_some(line)
}

/// The first line of `cause` that the report gives a 0.
fn denied(lab: &VariantRunner<'_, '_>, cause: &[Atom]) -> Option<Line> {
    let mut lines = cause.iter().flat_map(|atom| {
        let (first, last) = lab.subject.program.statement(*atom).lines;
        first..=last
    });
    lines.find(|line| lab.subject.report.coverage.line(*line) == Some(0))
}

/// What truth says of the two counts. P and P' run alike, so the truth of P is that of P'.
fn by_truth(lab: &mut VariantRunner<'_, '_>, difference: &Difference, cause: &[Atom]) -> Result<Evidence> {
    let (Place::Line(line), Some(_)) = (difference.place, lab.subject.truth()) else {
        return Ok(Evidence::default());
    };
    if lab.subject.admissible(line).is_none() {
        return Ok(Evidence::default());
    }
    let said = difference.before.map_or_else(Evidence::default, |count| against(lab.subject, line, count));
    if said != Evidence::default() {
        return Ok(said);
    }
    // Nothing is wrong with P's count. No count is never wrong by itself.
    let Some(after) = difference.after else {
        return Ok(Evidence { convention: Some("no-count"), ..Evidence::default() });
    };
    let report = lab.report(cause)?;
    let said = against_report(lab.subject, &report, line, after);
    Ok(match said {
        Evidence { convention: Some(_), .. } => said,
        Evidence { wrong: Some(_), .. } => Evidence { artefact: Some(VARIANT_ONLY), ..Evidence::default() },
        _ if difference.kind == Kind::Weak => Evidence { convention: Some("no-count"), ..said },
        _ => Evidence { convention: Some("several-points"), ..said },
    })
}

pub(super) fn varies(stability: Stability, difference: &Difference) -> Option<&'static str> {
    match stability {
        Stability::CountsVary => Some("does-not-repeat"),
        Stability::OutputVaries if difference.kind == Kind::Output => Some("does-not-repeat"),
        Stability::LayoutDependent => Some("layout-dependent"),
        Stability::OutputVaries | Stability::Stable => None,
    }
}
