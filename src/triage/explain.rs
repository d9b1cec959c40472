//! Every difference of a job is isolated, confirmed, judged and signed.

use anyhow::Result;

use super::artefact::{self, Case};
use super::isolate::{ddmin, minimise};
use super::lab::Lab;
use super::subject::Stability;
use super::sign::{cluster_id, missing, ruled, signature};
use crate::config::TriageSettings;
use crate::model::{Culprit, Difference, Finding, Kind, Metric, Place, SIGNATURE_VERSION, Verdict};
use crate::relation::{Atom, Atoms};
use crate::syntax::Program;

/// Single atoms that are tried before delta debugging.
const LIKELY: usize = 6;

/// Causes of one difference that are told apart before the rest counts as alike.
const CAUSES: usize = 3;

/// Runs in which P' must show a difference before it is left open.
const INSISTENCE: usize = 5;

/// A variant and how it differs from P.
#[derive(Clone, Debug)]
pub struct Observed {
    /// What was edited.
    pub atoms: Atoms,
    /// Its differences; empty for most.
    pub differences: Vec<Difference>,
}

/// The findings of a job, sorted by place; one for each difference and cause.
pub fn explain(lab: &mut Lab<'_, '_>, observed: &[Observed], settings: &TriageSettings) -> Result<Vec<Finding>> {
    let mut distinct: Vec<Difference> = observed.iter().flat_map(|seen| seen.differences.clone()).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let mut findings = Vec::new();
    let mut found: Vec<Atoms> = Vec::new();
    for difference in distinct {
        let mut causes: Vec<Atoms> = Vec::new();
        for seen in observed.iter().filter(|seen| seen.differences.contains(&difference)) {
            let within = |cause: &Atoms| cause.iter().all(|atom| covers(lab.subject.program, &seen.atoms, *atom));
            if causes.iter().any(within) {
                continue;
            }
            // One edit often moves many counts; what was found once is not searched for again.
            let candidates: Vec<Atoms> = found.iter().filter(|cause| within(cause)).cloned().collect();
            let (cause, isolated) = match shown_by(lab, &candidates, &difference)? {
                Some(cause) => (cause, true),
                None => isolate(lab, &difference, seen, observed, settings)?,
            };
            findings.push(finding(lab, &difference, &cause, isolated, settings)?);
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
fn shown_by(lab: &mut Lab<'_, '_>, causes: &[Atoms], difference: &Difference) -> Result<Option<Atoms>> {
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
    lab: &mut Lab<'_, '_>,
    difference: &Difference,
    seen: &Observed,
    observed: &[Observed],
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

fn shows(lab: &mut Lab<'_, '_>, atoms: &[Atom], difference: &Difference) -> Result<bool, Stop> {
    if lab.budget == 0 {
        return Err(Stop::Budget);
    }
    Ok(lab.compare(atoms).map_err(Stop::Failed)?.shows(difference))
}

/// A smaller cause inside one of `atoms`, if there is one.
fn look_inside(lab: &mut Lab<'_, '_>, atoms: &[Atom], difference: &Difference) -> Result<Option<Atoms>> {
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
fn suspects(program: &Program, difference: &Difference, seen: &Observed, observed: &[Observed]) -> Atoms {
    let consistent = |atom: &Atom| {
        let showing =
            |other: &Observed| other.differences.iter().any(|found| found.place == difference.place);
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
    lab: &mut Lab<'_, '_>,
    difference: &Difference,
    cause: &[Atom],
    isolated: bool,
    settings: &TriageSettings,
) -> Result<Finding> {
    let (relation, family) = (lab.relation.name(), lab.subject.profiler.info().profiler);
    let (verdict, rule) = judge(lab, difference, cause, settings)?;
    let signature = match (verdict, rule) {
        (Verdict::Unexplained, Some(_)) => missing(lab.subject.program, family, relation, cause),
        (_, Some(rule)) => ruled(relation, verdict, rule),
        (_, None) => signature(lab.subject.program, family, relation, Metric::Line, difference, cause),
    };
    let edits = lab.relation.render(lab.subject.program, cause);
    let lines = edits.iter().map(|edit| {
        let last = edit.end.max(edit.start + 1) - 1;
        (lab.subject.program.line_of(edit.start), lab.subject.program.line_of(last))
    });
    let info = lab.subject.profiler.info();
    Ok(Finding {
        program: String::new(),
        file: String::new(),
        input: lab.subject.request.input.name.clone(),
        profiler: info.profiler,
        compiler: info.compiler.clone(),
        version: info.version.clone(),
        metric: Metric::Line,
        line: match difference.place {
            Place::Line(line) => Some(line),
            Place::Output => None,
        },
        relation,
        kind: difference.kind,
        before: difference.before,
        after: difference.after,
        truth: None,
        cluster: cluster_id(&signature),
        signature,
        signature_version: SIGNATURE_VERSION,
        culprit: Some(Culprit {
            file: String::new(),
            lines: lines.collect(),
            edit: lab.relation.describe(lab.subject.program, cause),
            edits,
            isolated,
        }),
        verdict,
        rule: rule.map(str::to_string),
    })
}

/// The verdict, in the order of precedence: unstable, artefact, and, while there
/// is no truth, unexplained.
fn judge(
    lab: &mut Lab<'_, '_>,
    difference: &Difference,
    cause: &[Atom],
    settings: &TriageSettings,
) -> Result<(Verdict, Option<&'static str>)> {
    if settings.isolate {
        if let Some(rule) = unstable(lab.subject.stability()?, difference) {
            return Ok((Verdict::Unstable, Some(rule)));
        }
        if !lab.repeats(cause, difference, 1)? {
            return Ok((Verdict::Unstable, Some("does-not-repeat")));
        }
    }
    // One wrong 0 disturbs many counts: what ran is deleted. They are its echoes, whatever
    // else could be said of each.
    let missing = settings.rules && difference.kind != Kind::Weak && lab.ran(cause)?;
    if settings.rules && !missing {
        let family = lab.subject.profiler.info().profiler;
        let report = &lab.subject.report.coverage;
        let case = Case { program: lab.subject.program, report, family, difference, culprit: cause };
        if let Some(rule) = artefact::rule(&case) {
            return Ok((Verdict::Artefact, Some(rule)));
        }
    }
    if settings.isolate {
        if let Some(rule) = unstable(lab.subject.doubted_stability()?, difference) {
            return Ok((Verdict::Unstable, Some(rule)));
        }
        // A clock that is right nine times out of ten deceives P' as it deceives P.
        if !lab.repeats(cause, difference, INSISTENCE)? {
            return Ok((Verdict::Unstable, Some("does-not-repeat")));
        }
        if difference.kind != Kind::Weak && PROCESSES.iter().any(|call| lab.subject.program.mentions(call)) {
            return Ok((Verdict::Unstable, Some("several-processes")));
        }
    }
    Ok((Verdict::Unexplained, missing.then_some("missing")))
}

/// Calls by which a program becomes several processes, or ends without its counters: its
/// profile is then that of one of them, or of whoever wrote last.
const PROCESSES: [&str; 18] = [
    "fork",
    "vfork",
    "clone",
    "daemon",
    "execl",
    "execle",
    "execlp",
    "execv",
    "execve",
    "execvp",
    "posix_spawn",
    "posix_spawnp",
    "popen",
    "system",
    "_exit",
    "_Exit",
    "quick_exit",
    "fexecve",
];

fn unstable(stability: Stability, difference: &Difference) -> Option<&'static str> {
    match stability {
        Stability::CountsVary => Some("does-not-repeat"),
        Stability::OutputVaries if difference.kind == Kind::Output => Some("does-not-repeat"),
        Stability::LayoutDependent => Some("layout-dependent"),
        Stability::OutputVaries | Stability::Stable => None,
    }
}
