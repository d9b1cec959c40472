//! Claims: numbers of one report that contradict ground truth, another report or each other. They need no variant.

use anyhow::Result;
use camino::Utf8Path;

use super::by_truth::against;
use super::convention::rule_beyond_lines;
use super::measured::Measured;
use super::peer;
use super::sign::{claim_signature, of_metric, ruled, set_cause};
use super::subject::Subject;
use super::verdict::Evidence;
use crate::config::TriageSettings;
use crate::coverage::Coverage;
use crate::diagnose::{Case, diagnose, line_of_exec};
use crate::model::{
    Cause, Convention, Family, Finding, Instability, Line, Metric, Place, RelationName, Rule, Symptom,
    Verdict, WrongKind,
};
use crate::relation::{
    Contradiction, against_flow, against_peer, against_replay, against_truth, against_views, beyond_lines,
    wrong_among,
};
use crate::toolchain::SOURCE;
use crate::truth::Truth;

/// The contradictions of the report with ground truth, with itself, or with other outputs. `delete` has none, because
/// it compares variants.
pub fn contradictions(subject: &Subject<'_>, relation: RelationName) -> Vec<Contradiction> {
    let report = &subject.report.coverage;
    match relation {
        RelationName::Views => views(subject, report),
        // Where ground truth is available, it decides.
        RelationName::Flow => {
            let mut found = against_flow(subject.program, report);
            let is_counted = |line| subject.admissible(line).is_some();
            found.retain(|found| !found.difference.place.line().is_some_and(is_counted));
            found
        }
        RelationName::Peer => {
            let Some(peer) = subject.peer else { return Vec::new() };
            let mut found = against_peer(report, peer.report, peer.weak);
            // The count of a line of braces says nothing about execution.
            let is_bare = |line| {
                subject.admissible(line).is_some() && subject.truth().is_some_and(|truth| truth.is_bare(line))
            };
            found.retain(|found| !found.difference.place.line().is_some_and(is_bare));
            found
        }
        RelationName::Delete => Vec::new(),
        RelationName::Truth => subject.truth().map_or_else(Vec::new, |truth| {
            let mut found = against_truth(report, truth, subject.family());
            found.extend(wrong_among(subject.numbers()));
            found
        }),
        // A program that a relation derived is compared with its own ground truth.
        RelationName::Insert
        | RelationName::Guard
        | RelationName::Declare
        | RelationName::Layout
        | RelationName::Expand
        | RelationName::Repeat
        | RelationName::Level => {
            subject.truth().map_or_else(Vec::new, |truth| against_truth(report, truth, subject.family()))
        }
    }
}

/// The contradictions between the outputs of the profiler on P.
fn views(subject: &Subject<'_>, report: &Coverage) -> Vec<Contradiction> {
    let mut found = against_views(report);
    found.extend(against_replay(report, subject.request.file.map_or(SOURCE, Utf8Path::as_str)));
    // The regions of an included file end after its last line, where only the tracefile has a line.
    let lines = subject.program.source.lines().count();
    let is_after = |line: Line| subject.family() == Family::LlvmCov && line as usize > lines;
    found.retain(|found| !found.difference.place.line().is_some_and(is_after));
    found
}

/// Judge the `contradictions` that `relation` found: one finding for each.
pub fn examine(
    subject: &mut Subject<'_>,
    relation: RelationName,
    contradictions: &[Contradiction],
    settings: &TriageSettings,
) -> Result<Vec<Finding>> {
    let judge = |found: &Contradiction| {
        let evidence = match relation {
            RelationName::Peer => peer::evidence(subject, &found.difference, settings.rules),
            _ => evidence(&subject.measured(), found),
        };
        (*found, evidence)
    };
    let mut judged: Vec<(Contradiction, Evidence)> = contradictions.iter().map(judge).collect();
    // Only open findings are worth the cost of a confirmation.
    let open = judged.iter().any(|(_, evidence)| Verdict::by(evidence.rule()).is_open());
    if settings.isolate && open {
        // Races make counts vary from run to run.
        let is_race = |evidence: &Evidence| evidence.convention == Some(Convention::LostUpdate);
        // A tool whose output was cut off contradicts itself once.
        let again = (relation == RelationName::Views).then(|| subject.again_in_full()).transpose()?;
        let again =
            again.map(|again| again.map_or_else(|_| Vec::new(), |again| views(subject, &again.coverage)));
        for (found, evidence) in judged.iter_mut().filter(|(_, evidence)| !is_race(evidence)) {
            evidence.unstable = subject.unreliable_on(found.metric, found.difference.place.line())?;
            if let (None, Some(_)) = (evidence.unstable, evidence.wrong)
                && !subject.confirms(found)?
            {
                evidence.unstable = Some(Instability::UnspecifiedBehaviour);
            }
            if evidence.unstable.is_none() && again.as_ref().is_some_and(|again| !again.contains(found)) {
                evidence.unstable = Some(Instability::DoesNotRepeat);
            }
        }
    }
    let measured = subject.measured();
    let finding = |(found, evidence): &(Contradiction, Evidence)| {
        let finding = finding(&measured, relation, found, *evidence);
        Finding { complaint: subject.complaint(finding.rule), ..finding }
    };
    let findings = judged.iter().map(finding).collect();
    Ok(elements(&measured, diagnosed(&measured, relation, &judged, findings)))
}

/// The findings on a report that was made elsewhere, as in the audit of a package: its numbers against ground truth. Whether
/// they repeat is the caller's to know.
pub fn wrong_numbers(measured: &Measured<'_>) -> Vec<Finding> {
    let Some(truth) = measured.truth else { return Vec::new() };
    let mut found = against_truth(measured.report, truth, measured.family());
    found.extend(beyond_lines(measured.report, truth, measured.family()));
    let judge = |found: Contradiction| (found, evidence(measured, &found));
    let judged: Vec<(Contradiction, Evidence)> = found.into_iter().map(judge).collect();
    let finding = |(found, evidence): &(Contradiction, Evidence)| {
        finding(measured, RelationName::Truth, found, *evidence)
    };
    let findings = judged.iter().map(finding).collect();
    elements(measured, diagnosed(measured, RelationName::Truth, &judged, findings))
}

/// One finding for each faulty element. Lines of braces say nothing about execution: alone they are evidence only if they have a
/// count, and the fault is understood.
fn elements(measured: &Measured<'_>, findings: Vec<Finding>) -> Vec<Finding> {
    let is_bare = |symptom: &Symptom| {
        symptom.metric == Metric::Line && measured.truth.is_some_and(|truth| truth.is_bare(symptom.line))
    };
    let is_evidence = |finding: &Finding| {
        let has_count = || finding.symptoms.iter().any(|symptom| symptom.reported.is_some());
        let is_understood = finding.cause.as_ref().is_some_and(Cause::is_understood) && has_count();
        let is_of_truth = finding.relation == RelationName::Truth && finding.verdict == Verdict::Wrong;
        !is_of_truth || is_understood || finding.symptoms.is_empty() || !finding.symptoms.iter().all(is_bare)
    };
    let mut found: Vec<Finding> = one_per_element(findings).into_iter().filter(is_evidence).collect();
    // A convention about a line of braces is listed next to other lines only.
    let is_line =
        |finding: &Finding| finding.relation == RelationName::Truth && finding.metric == Metric::Line;
    let matters = |finding: &Finding| {
        let is_bare = |truth: &Truth| finding.line.is_some_and(|line| truth.is_bare(line));
        finding.verdict == Verdict::Wrong || !measured.truth.is_some_and(is_bare)
    };
    if !found.iter().any(|finding| is_line(finding) && matters(finding)) {
        found.retain(|finding| !is_line(finding));
    }
    found
}

/// `findings`, one for each of `judged`, with their symptoms. The wrong ones have their causes and the signatures of these.
fn diagnosed(
    measured: &Measured<'_>,
    relation: RelationName,
    judged: &[(Contradiction, Evidence)],
    mut findings: Vec<Finding>,
) -> Vec<Finding> {
    let Some(truth) = measured.truth else { return findings };
    let mut symptoms: Vec<(&mut Finding, Symptom)> = Vec::new();
    for ((found, _), finding) in judged.iter().zip(&mut findings) {
        if finding.verdict == Verdict::Wrong
            && let Some(symptom) = Symptom::of(found, truth, measured.family())
        {
            symptoms.push((finding, symptom));
        }
    }
    // The numbers of another output do not follow from the mapping of this one.
    let causes = if relation == RelationName::Views {
        Ok(Vec::new())
    } else {
        causes(measured, &symptoms.iter().map(|(_, symptom)| symptom.clone()).collect::<Vec<_>>())
    };
    let (causes, undiagnosed) = match causes {
        Ok(causes) => (causes, None),
        Err(reason) => (Vec::new(), Some(reason)),
    };
    let mut causes = causes.into_iter();
    for (finding, symptom) in symptoms {
        finding.symptoms = vec![symptom];
        finding.undiagnosed.clone_from(&undiagnosed);
        if let Some(cause) = causes.next() {
            set_cause(finding, cause);
        }
    }
    findings
}

/// `finding` on one number of the report on P, with its cause and the signature of this if the number is wrong.
pub(super) fn with_cause(measured: &Measured<'_>, mut finding: Finding) -> Finding {
    if finding.verdict == Verdict::Wrong {
        finding.symptoms = finding.own_symptom().into_iter().collect();
        match causes(measured, &finding.symptoms).map(|mut causes| causes.pop()) {
            Ok(Some(cause)) => set_cause(&mut finding, cause),
            Ok(None) => {}
            Err(reason) => finding.undiagnosed = Some(reason),
        }
    }
    finding
}

/// Where in the profiler the numbers of the report on P come from that are wrong.
///
/// # Errors
/// Its layers cannot be replayed.
fn causes(measured: &Measured<'_>, symptoms: &[Symptom]) -> std::result::Result<Vec<Cause>, String> {
    let Some(truth) = measured.truth.filter(|_| !symptoms.is_empty()) else { return Ok(Vec::new()) };
    let Measured { report, program, file, .. } = *measured;
    let case = Case { report, truth, program, family: measured.family(), file };
    diagnose(&case, symptoms)
}

/// One finding for each faulty element of a report, with all of its symptoms; the other findings unchanged. Of several
/// relations that found one element, `truth` is named first, since its symptoms are complete.
pub fn one_per_element(findings: Vec<Finding>) -> Vec<Finding> {
    let mut merged: Vec<Finding> = Vec::new();
    for finding in findings {
        match merged.iter_mut().find(|other| other.shares_element(&finding)) {
            Some(first) => first.absorb(finding),
            None => merged.push(finding),
        }
    }
    for finding in &mut merged {
        finding.lead_by_line();
    }
    merged
}

fn evidence(measured: &Measured<'_>, found: &Contradiction) -> Evidence {
    let (count, right) = (found.difference.before, found.right);
    match found.difference.place {
        Place::Line(line) if found.metric == Metric::Line => against(measured, line, count),
        Place::Line(line) => {
            let by_truth = |(count, right)| {
                let (truth, family) = (measured.truth?, measured.family());
                let case = Case {
                    report: measured.report,
                    truth,
                    program: measured.program,
                    family,
                    file: measured.file,
                };
                let rule = || rule_beyond_lines(truth, family, found.metric, line, count, right);
                line_of_exec(&case, found.metric, line, count).is_none().then(rule)?
            };
            let convention = count.zip(right).and_then(by_truth);
            Evidence { convention, wrong: WrongKind::of(count, right.as_slice()), ..Evidence::default() }
        }
        // It contradicts the report itself.
        Place::File => Evidence { wrong: Some(WrongKind::Frequency), ..Evidence::default() },
        Place::Output => Evidence::default(),
    }
}

fn finding(
    measured: &Measured<'_>,
    relation: RelationName,
    found: &Contradiction,
    evidence: Evidence,
) -> Finding {
    let difference = &found.difference;
    let rule = evidence.rule();
    let line = difference.place.line();
    let signature = match rule {
        _ if difference.place == Place::File => {
            format!("{}/{}/total/{}", measured.family().name(), relation.name(), found.metric.name())
        }
        Some(Rule::Wrong(kind)) => {
            claim_signature(measured.program, measured.family(), relation, kind.name(), line)
        }
        Some(rule) => ruled(relation, rule),
        None => claim_signature(measured.program, measured.family(), relation, found.what, line),
    };
    let signature = if line.is_some() { of_metric(signature, relation, found.metric) } else { signature };
    let finding = measured.finding(relation, difference, signature, rule, None);
    let truth = match found.metric {
        Metric::Line => finding.truth,
        _ => found.right.map(|right| vec![right]).or(finding.truth.map(|_| Vec::new())),
    };
    Finding { metric: found.metric, truth, ..finding }
}
