//! The control variant: P with an additional comment at its end.
//!
//! If the control shows a difference too, the difference does not depend on the edit: the profiler counts one program
//! in two ways. Then there is no culprit to isolate, and ground truth judges both reports.

use anyhow::Result;

use super::by_truth::{against, against_report};
use super::claims::with_cause;
use super::sign::{ruled, uncaused};
use super::variant_runner::{CONFIRMING_RUNS, VariantRunner};
use super::verdict::Evidence;
use crate::config::TriageSettings;
use crate::model::{
    Convention, Count, Culprit, Difference, Finding, Instability, Kind, Line, Place, RelationName, Rule,
    TextEdit, WrongKind,
};

/// The text that the control adds to P.
const COMMENT: &str = "\n/* recount */\n";

const WORDS: &str = "add a comment after the program";

/// The findings for the `differences` that the control shows too.
pub(super) fn shown_by_control(
    runner: &mut VariantRunner<'_, '_>,
    differences: &[Difference],
    settings: &TriageSettings,
) -> Result<Vec<(Difference, Finding)>> {
    let edits = [TextEdit::insert(runner.subject.program.source.len(), COMMENT)];
    if differences.is_empty() || runner.budget == 0 {
        return Ok(Vec::new());
    }
    let control = runner.compare_edited(&edits, runner.subject.request.confidence)?;
    let shown: Vec<Difference> = differences.iter().filter(|one| control.shows(one)).copied().collect();
    let mut findings = Vec::new();
    for difference in shown {
        let (evidence, is_of_variant) = judge(runner, &difference, &edits)?;
        let of_variant = if is_of_variant {
            runner.wrong_in_variant(&edits, WORDS, true, settings)?.unwrap_or_default()
        } else {
            Vec::new()
        };
        let own = of_variant.into_iter().find(|finding| finding.concerns(difference.place));
        let finding = own.unwrap_or_else(|| finding(runner, &difference, evidence, &edits, control.moved()));
        findings.push((difference, finding));
    }
    Ok(findings)
}

fn finding(
    runner: &VariantRunner<'_, '_>,
    difference: &Difference,
    evidence: Evidence,
    edits: &[TextEdit],
    moved: Vec<(Line, Count)>,
) -> Finding {
    let (program, relation) = (runner.subject.program, RelationName::Delete);
    let rule = evidence.rule();
    let signature = match rule {
        Some(Rule::Wrong(_)) | None => uncaused(program, runner.subject.family(), difference),
        Some(rule) => ruled(relation, rule),
    };
    let last = program.line_of(program.source.len());
    let culprit = Culprit {
        file: String::new(),
        lines: vec![(last, last)],
        edit: WORDS.into(),
        edits: edits.to_vec(),
        isolated: true,
        moved,
    };
    let finding = runner.subject.finding(relation, difference, signature, rule, Some(culprit));
    with_cause(&runner.subject.measured(), finding)
}

/// The evidence on a difference, and whether only the count of P' contradicts ground truth.
fn judge(
    runner: &mut VariantRunner<'_, '_>,
    difference: &Difference,
    edits: &[TextEdit],
) -> Result<(Evidence, bool)> {
    let unstable = |rule| Ok((Evidence::unstable(rule), false));
    if let Some(rule) = runner.subject.confirmed_stability()?.instability(difference.kind) {
        return unstable(rule);
    }
    if !runner.repeats_every_time(edits, difference, CONFIRMING_RUNS)? || runner.prints_otherwise(edits)? {
        return unstable(Instability::DoesNotRepeat);
    }
    if runner.subject.may_be_several() {
        return unstable(Instability::SeveralProcesses);
    }
    let Place::Line(line) = difference.place else { return Ok((Evidence::default(), false)) };
    let mut evidence = against(&runner.subject.measured(), line, difference.before);
    let mut is_of_variant = false;
    if evidence.wrong.is_none() && difference.after.is_some() {
        let report = runner.report_edited(edits)?;
        evidence = against_report(&runner.subject.measured(), &report, line, difference.after);
        is_of_variant = evidence.wrong.is_some();
    }
    // Two reproducible reports on one program differ, so one of them is wrong even without ground truth. A missing
    // count is never wrong.
    if evidence == Evidence::default() {
        match difference.kind {
            Kind::Weak => evidence.convention = Some(Convention::NoCount),
            Kind::Strong | Kind::Output => evidence.wrong = Some(WrongKind::Frequency),
        }
    }
    if evidence.wrong.is_some() && runner.subject.is_undefined()? {
        return unstable(Instability::UndefinedBehaviour);
    }
    Ok((evidence, is_of_variant))
}
