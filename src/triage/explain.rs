//! Isolates, confirms and judges every difference of a job, and gives it a signature.

use anyhow::Result;

use super::artefact::{self, Case};
use super::by_truth::{against, against_report};
use super::claims::with_cause;
use super::control::shown_by_control;
use super::isolate::{ddmin, minimise};
use super::sign::{missing, ruled, signature};
use super::variant_runner::{CONFIRMING_RUNS, VariantRunner};
use super::verdict::Evidence;
use crate::config::TriageSettings;
use crate::model::{
    Convention, Culprit, Difference, Finding, Instability, Kind, Line, Place, RelationName, Rule, Verdict,
    WrongKind,
};
use crate::relation::{StatementId, StatementSet};
use crate::syntax::Program;

/// Single statements that are tried before delta debugging.
const LIKELY: usize = 6;

/// The maximum number of causes that are distinguished for one difference.
const CAUSES: usize = 3;

/// A variant and how it differs from P.
#[derive(Clone, Debug)]
pub struct VariantResult {
    /// The statements that the variant deletes.
    pub statements: StatementSet,
    /// Its differences from P; most variants have none.
    pub differences: Vec<Difference>,
}

/// The findings of a job, sorted by place; one for each difference and cause.
pub fn explain(
    runner: &mut VariantRunner<'_, '_>,
    observed: &[VariantResult],
    settings: &TriageSettings,
) -> Result<Vec<Finding>> {
    let mut distinct: Vec<Difference> = observed.iter().flat_map(|seen| seen.differences.clone()).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let mut findings = Vec::new();
    let mut found: Vec<StatementSet> = Vec::new();
    if settings.isolate {
        for (shown, finding) in shown_by_control(runner, &distinct, settings)? {
            distinct.retain(|difference| *difference != shown);
            findings.push(finding);
        }
    }
    for difference in distinct {
        let mut causes: Vec<StatementSet> = Vec::new();
        for seen in observed.iter().filter(|seen| seen.differences.contains(&difference)) {
            let within = |cause: &StatementSet| {
                cause.iter().all(|statement| covers(runner.subject.program, &seen.statements, *statement))
            };
            if causes.iter().any(within) {
                continue;
            }
            // One edit often changes many counts, so causes that were found for other differences are tried first.
            let candidates: Vec<StatementSet> = found.iter().filter(|cause| within(cause)).cloned().collect();
            let (cause, isolated) = match shown_by(runner, &candidates, &difference)? {
                Some(cause) => (cause, true),
                None => isolate(runner, &difference, seen, observed, settings)?,
            };
            let found_here = finding(runner, &difference, &cause, isolated, settings)?;
            // Several consequences of one cause give equal findings; keep one.
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

/// The smallest part of the first of `causes` that shows `difference`. All `causes` have been profiled before.
fn shown_by(
    runner: &mut VariantRunner<'_, '_>,
    causes: &[StatementSet],
    difference: &Difference,
) -> Result<Option<StatementSet>> {
    for cause in causes {
        if runner.compare(cause)?.shows(difference) {
            return within_budget(ddmin(cause, |statements| shows(runner, statements, difference)));
        }
    }
    Ok(None)
}

/// Whether one of `statements` is or contains `statement`.
fn covers(program: &Program, statements: &[StatementId], statement: StatementId) -> bool {
    statements.iter().any(|outer| program.holds(*outer, statement))
}

/// The smallest part of the variant that still shows the difference, and
/// whether it was found within the budget.
fn isolate(
    runner: &mut VariantRunner<'_, '_>,
    difference: &Difference,
    seen: &VariantResult,
    observed: &[VariantResult],
    settings: &TriageSettings,
) -> Result<(StatementSet, bool)> {
    if !settings.isolate || runner.budget == 0 {
        return Ok((seen.statements.clone(), seen.statements.len() == 1));
    }
    let likely = suspects(runner.subject.program, difference, seen, observed);
    let smallest = minimise(&seen.statements, &likely, |statements| shows(runner, statements, difference));
    let Some(mut smallest) = within_budget(smallest)? else { return Ok((seen.statements.clone(), false)) };
    // Then look inside: perhaps a part of a deleted statement is enough.
    while let Some(inner) = look_inside(runner, &smallest, difference)? {
        smallest = inner;
    }
    Ok((smallest, true))
}

enum Stop {
    Budget,
    Failed(anyhow::Error),
}

fn within_budget(found: Result<StatementSet, Stop>) -> Result<Option<StatementSet>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Stop::Budget) => Ok(None),
        Err(Stop::Failed(error)) => Err(error),
    }
}

fn shows(
    runner: &mut VariantRunner<'_, '_>,
    statements: &[StatementId],
    difference: &Difference,
) -> Result<bool, Stop> {
    if runner.budget == 0 {
        return Err(Stop::Budget);
    }
    Ok(runner.compare(statements).map_err(Stop::Failed)?.shows(difference))
}

/// A smaller cause inside one of `statements`, if there is one.
fn look_inside(
    runner: &mut VariantRunner<'_, '_>,
    statements: &[StatementId],
    difference: &Difference,
) -> Result<Option<StatementSet>> {
    for statement in statements {
        let parts = runner.delete.parts(runner.subject.program, *statement);
        if parts.is_empty() {
            continue;
        }
        let mut tried: StatementSet =
            statements.iter().copied().filter(|other| other != statement).chain(parts).collect();
        tried.sort_unstable();
        let found = match shows(runner, &tried, difference) {
            Ok(true) => ddmin(&tried, |statements| shows(runner, statements, difference)),
            Ok(false) => continue,
            Err(stop) => Err(stop),
        };
        return within_budget(found);
    }
    Ok(None)
}

/// The statements that are most likely to be the only cause. Statements that are deleted in exactly those variants that
/// show the difference come first, then statements near the place.
fn suspects(
    program: &Program,
    difference: &Difference,
    seen: &VariantResult,
    observed: &[VariantResult],
) -> StatementSet {
    let consistent = |statement: &StatementId| {
        let showing =
            |other: &VariantResult| other.differences.iter().any(|found| found.place == difference.place);
        observed.iter().all(|other| covers(program, &other.statements, *statement) == showing(other))
    };
    let distance = |statement: &StatementId| match difference.place {
        Place::Line(line) => program.statement(*statement).lines.0.abs_diff(line),
        Place::Output | Place::File => 0,
    };
    let mut statements = seen.statements.clone();
    statements.sort_by_key(|statement| (!consistent(statement), distance(statement), *statement));
    statements.truncate(LIKELY);
    statements
}

fn finding(
    runner: &mut VariantRunner<'_, '_>,
    difference: &Difference,
    cause: &[StatementId],
    isolated: bool,
    settings: &TriageSettings,
) -> Result<Finding> {
    let (program, family) = (runner.subject.program, runner.subject.family());
    let edits = runner.delete.edits(program, cause);
    let words = runner.delete.describe(program, cause);
    let (evidence, ran) = match judge(runner, difference, cause, settings)? {
        Judgement::OfProgram(evidence, ran) => (evidence, ran),
        Judgement::OfVariant => match runner.wrong_in_variant(&edits, &words, isolated, settings)? {
            Some(found) => match found.into_iter().find(|finding| finding.concerns(difference.place)) {
                Some(finding) => return Ok(finding),
                None => (Evidence::convention(Convention::BothAdmissible), None),
            },
            None => (Evidence::convention(Convention::NoPoint), None),
        },
    };
    let rule = evidence.rule();
    // If code ran although its count is 0, the finding is about that code; the counts that changed are consequences.
    let unseen = ran.filter(|_| matches!(rule, Some(Rule::Wrong(_)))).map(|line| Difference {
        place: Place::Line(line),
        before: Some(0),
        after: None,
        ..*difference
    });
    let difference = unseen.as_ref().unwrap_or(difference);
    let signature = match rule {
        _ if unseen.is_some() => missing(program, family, cause),
        None | Some(Rule::Wrong(_)) => signature(program, family, difference, cause),
        Some(rule) => ruled(RelationName::Delete, rule),
    };
    let lines = edits.iter().map(|edit| {
        let last = edit.end.max(edit.start + 1) - 1;
        (program.line_of(edit.start), program.line_of(last))
    });
    let culprit = Culprit {
        file: String::new(),
        lines: lines.collect(),
        edit: words,
        edits,
        isolated,
        moved: runner.compare(cause)?.moved(),
    };
    let finding = runner.subject.finding(RelationName::Delete, difference, signature, rule, Some(culprit));
    Ok(with_cause(&runner.subject.measured(), finding))
}

/// What is wrong about a difference between P and P'.
enum Judgement {
    /// The evidence on the count of P, and the line of `cause` that ran although its count is 0, if there is one.
    OfProgram(Evidence, Option<Line>),
    /// By the ground truth of P, its count is right and that of P' is wrong.
    OfVariant,
}

/// The evidence on a difference between P and P': first whether it is repeatable, then whether our edit caused it, then
/// whether ground truth contradicts one of the reports.
fn judge(
    runner: &mut VariantRunner<'_, '_>,
    difference: &Difference,
    cause: &[StatementId],
    settings: &TriageSettings,
) -> Result<Judgement> {
    let unstable = |rule| Ok(Judgement::OfProgram(Evidence::unstable(rule), None));
    if settings.isolate {
        if let Some(rule) = runner.subject.stability()?.instability(difference.kind) {
            return unstable(rule);
        }
        if !runner.repeats(cause, difference, 1)? {
            return unstable(Instability::DoesNotRepeat);
        }
    }
    // If a reported 0 is wrong, the edit deletes code that ran, and many other counts change. All of them are
    // consequences of the wrong 0, whatever other rules apply to them.
    let may_run = settings.rules && difference.kind != Kind::Weak;
    // Without isolation, ground truth is used instead of a trap, which costs more.
    let counted =
        denied(runner, cause).and_then(|line| runner.subject.admissible(line)).filter(|_| !settings.isolate);
    let ran = may_run
        && match counted {
            Some(counts) => counts.iter().all(|count| *count > 0),
            None => runner.ran(cause)?,
        };
    let unseen = unseen(runner, cause).filter(|_| ran);
    let mut evidence = Evidence { wrong: unseen.and(Some(WrongKind::Missing)), ..Evidence::default() };
    if settings.rules && !ran {
        let family = runner.subject.family();
        let report = &runner.subject.report.coverage;
        let case = Case { program: runner.subject.program, report, family, difference, culprit: cause };
        evidence.artefact = artefact::rule(&case);
        if evidence.artefact.is_none() {
            match by_truth(runner, difference, cause)? {
                Some(of_program) => evidence = of_program,
                None => return Ok(Judgement::OfVariant),
            }
        }
    }
    if !settings.isolate || !Verdict::by(evidence.rule()).is_open() {
        return Ok(Judgement::OfProgram(evidence, unseen));
    }
    if let Some(rule) = runner.subject.confirmed_stability()?.instability(difference.kind) {
        return unstable(rule);
    }
    // A program that depends on the clock may behave the same in nine of ten runs, P' as well as P.
    if !runner.repeats(cause, difference, CONFIRMING_RUNS)? {
        return unstable(Instability::DoesNotRepeat);
    }
    let edits = runner.delete.edits(runner.subject.program, cause);
    if runner.prints_otherwise(&edits)? {
        return unstable(Instability::DoesNotRepeat);
    }
    if difference.kind != Kind::Weak && runner.subject.may_be_several() {
        return unstable(Instability::SeveralProcesses);
    }
    if evidence.wrong.is_some() && runner.subject.is_undefined()? {
        return unstable(Instability::UndefinedBehaviour);
    }
    Ok(Judgement::OfProgram(evidence, unseen))
}

/// The first line of `cause` with the reported count 0; none if ground truth agrees that it did not run, which would
/// contradict the trap.
fn unseen(runner: &VariantRunner<'_, '_>, cause: &[StatementId]) -> Option<Line> {
    let line = denied(runner, cause)?;
    let ran = runner.subject.admissible(line).is_none_or(|counts| counts.iter().any(|count| *count > 0));
    ran.then_some(line)
}

/// The first line of `cause` with the reported count 0.
fn denied(runner: &VariantRunner<'_, '_>, cause: &[StatementId]) -> Option<Line> {
    let mut lines = cause.iter().flat_map(|statement| {
        let (first, last) = runner.subject.program.statement(*statement).lines;
        first..=last
    });
    lines.find(|line| runner.subject.report.coverage.line(*line) == Some(0))
}

/// Compare both counts with ground truth. P and P' behave the same, so the ground truth of P applies to both. None if only
/// the count of P' contradicts it.
fn by_truth(
    runner: &mut VariantRunner<'_, '_>,
    difference: &Difference,
    cause: &[StatementId],
) -> Result<Option<Evidence>> {
    let (Place::Line(line), Some(_)) = (difference.place, runner.subject.truth()) else {
        return Ok(Some(Evidence::default()));
    };
    if runner.subject.admissible(line).is_none() {
        return Ok(Some(Evidence::default()));
    }
    let said = against(&runner.subject.measured(), line, difference.before);
    if said != Evidence::default() {
        return Ok(Some(said));
    }
    // The count of P is right. A missing count is never wrong.
    if difference.after.is_none() {
        return Ok(Some(Evidence::convention(Convention::NoCount)));
    }
    let report = runner.report(cause)?;
    let said = against_report(&runner.subject.measured(), &report, line, difference.after);
    Ok(match said {
        Evidence { convention: Some(_), .. } => Some(said),
        Evidence { wrong: Some(_), .. } => None,
        _ if difference.kind == Kind::Weak => Some(Evidence::convention(Convention::NoCount)),
        _ => Some(Evidence::convention(Convention::BothAdmissible)),
    })
}
