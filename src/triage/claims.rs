//! Claims: numbers of one report that contradict ground truth, another report or each other. They need no variant.

use std::collections::BTreeMap;

use anyhow::Result;
use camino::Utf8Path;

use super::by_truth::against;
use super::convention::rule_beyond_lines;
use super::peer;
use super::sign::{claim_signature, of_metric, ruled};
use super::subject::Subject;
use super::verdict::{Evidence, wrong};
use crate::config::TriageSettings;
use crate::diagnose::{Case, Symptom, diagnose};
use crate::model::{
    Cause, Convention, Family, Finding, Instability, Kind, Line, Metric, Place, RelationName, Rule, Verdict,
};
use crate::relation::{
    Contradiction, against_flow, against_peer, against_replay, against_truth, against_views, beyond_lines,
};
use crate::toolchain::SOURCE;

/// The contradictions of the report with ground truth, with itself, or with other outputs. `delete` has none, because
/// it compares variants.
pub fn contradictions(subject: &Subject<'_>, relation: RelationName) -> Vec<Contradiction> {
    let report = &subject.report.coverage;
    match relation {
        RelationName::Views => {
            let mut found = against_views(report);
            found.extend(against_replay(report, subject.request.file.map_or(SOURCE, Utf8Path::as_str)));
            // The regions of an included file end after its last line, where only the tracefile has a line.
            let lines = subject.program.source.lines().count();
            let is_after = |line: Line| subject.family() == Family::LlvmCov && line as usize > lines;
            found.retain(|found| !found.difference.place.line().is_some_and(is_after));
            found
        }
        // Where ground truth is available, it decides.
        RelationName::Flow => {
            let mut found = against_flow(subject.program, report);
            let is_counted = |line| subject.admissible(line).is_some();
            found.retain(|found| !found.difference.place.line().is_some_and(is_counted));
            found
        }
        RelationName::Peer => {
            subject.peer.map_or_else(Vec::new, |peer| against_peer(report, peer.report, peer.weak))
        }
        RelationName::Delete => Vec::new(),
        RelationName::Truth => subject.truth().map_or_else(Vec::new, |truth| {
            let mut found = against_truth(report, truth, subject.family());
            found.extend(beyond_lines(report, truth, subject.family()));
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
            _ => evidence(subject, found),
        };
        (*found, evidence)
    };
    let mut judged: Vec<(Contradiction, Evidence)> = contradictions.iter().map(judge).collect();
    // Only open findings are worth the cost of a confirmation.
    let open = judged.iter().any(|(_, evidence)| Verdict::by(evidence.rule()).is_open());
    if settings.isolate && open {
        let rule = subject.unreliable(Kind::Strong)?;
        // Races make counts vary from run to run.
        let is_race = |evidence: &Evidence| evidence.convention == Some(Convention::LostUpdate);
        for (found, evidence) in judged.iter_mut().filter(|(_, evidence)| !is_race(evidence)) {
            evidence.unstable = rule.or_else(|| subject.unsteady.filter(|_| found.metric != Metric::Line));
            if let (None, Some(_)) = (evidence.unstable, evidence.wrong)
                && !subject.confirms(found)?
            {
                evidence.unstable = Some(Instability::UnspecifiedBehaviour);
            }
        }
    }
    let mut causes = causes(subject, relation, &judged);
    let with_cause = |(found, evidence): (Contradiction, Evidence)| Finding {
        cause: causes.remove(&(found.metric, found.difference.place)),
        ..finding(subject, relation, &found, evidence)
    };
    Ok(judged.into_iter().map(with_cause).collect())
}

/// Where in the profiler the numbers come from that are wrong by ground truth.
fn causes(
    subject: &Subject<'_>,
    relation: RelationName,
    judged: &[(Contradiction, Evidence)],
) -> BTreeMap<(Metric, Place), Cause> {
    let Some(truth) = subject.truth().filter(|_| relation == RelationName::Truth) else {
        return BTreeMap::new();
    };
    let is_wrong = |evidence: &Evidence| matches!(evidence.rule(), Some(Rule::Wrong(_)));
    let wrong = judged.iter().filter(|(_, evidence)| is_wrong(evidence)).map(|(found, _)| found);
    let family = subject.family();
    let symptoms = wrong.filter_map(|found| {
        let key = (found.metric, found.difference.place);
        Symptom::of(found, truth, family).map(|symptom| (key, symptom))
    });
    let (keys, symptoms): (Vec<_>, Vec<Symptom>) = symptoms.unzip();
    if symptoms.is_empty() {
        return BTreeMap::new();
    }
    let file = subject.request.file.map_or(SOURCE, Utf8Path::as_str);
    let case = Case { report: &subject.report.coverage, truth, program: subject.program, family, file };
    keys.into_iter().zip(diagnose(&case, &symptoms)).collect()
}

fn evidence(subject: &Subject<'_>, found: &Contradiction) -> Evidence {
    let (count, right) = (found.difference.before, found.right);
    match found.difference.place {
        Place::Line(line) if found.metric == Metric::Line => against(subject, line, count),
        Place::Line(line) => {
            let by_truth = |(count, right)| {
                rule_beyond_lines(subject.truth()?, subject.family(), found.metric, line, count, right)
            };
            let convention = count.zip(right).and_then(by_truth);
            Evidence { convention, wrong: wrong(count, &right.into_iter().collect()), ..Evidence::default() }
        }
        Place::Output => Evidence::default(),
    }
}

fn finding(
    subject: &Subject<'_>,
    relation: RelationName,
    found: &Contradiction,
    evidence: Evidence,
) -> Finding {
    let difference = &found.difference;
    let rule = evidence.rule();
    let line = difference.place.line();
    let signature = match rule {
        Some(Rule::Wrong(kind)) => {
            claim_signature(subject.program, subject.family(), relation, kind.name(), line)
        }
        Some(rule) => ruled(relation, rule),
        None => claim_signature(subject.program, subject.family(), relation, found.what, line),
    };
    let signature = of_metric(signature, relation, found.metric);
    let finding = subject.finding(relation, difference, signature, rule, None);
    let truth = match found.metric {
        Metric::Line => finding.truth,
        _ => found.right.map(|right| vec![right]).or(finding.truth.map(|_| Vec::new())),
    };
    Finding { metric: found.metric, truth, ..finding }
}
