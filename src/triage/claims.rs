//! Claims: what one report says that contradicts something, judged without a variant.

use anyhow::Result;

use super::convention::{self, Claim};
use super::peer;
use super::sign::{claim_signature, of_metric, ruled};
use super::subject::Subject;
use super::verdict::{Evidence, wrong};
use crate::config::TriageSettings;
use crate::coverage::Coverage;
use crate::model::{Finding, Instability, Line, Metric, Place, RelationName, Rule, Verdict};
use crate::relation::{
    Contradiction, against_flow, against_peer, against_truth, against_views, beyond_lines,
};

/// What the report says that contradicts truth, itself, or the profiler's other outputs: none for a
/// relation that has variants.
pub fn contradictions(subject: &Subject<'_>, relation: RelationName) -> Vec<Contradiction> {
    let report = &subject.report.coverage;
    match relation {
        RelationName::Views => against_views(report),
        // Where truth has a say, flow only explains.
        RelationName::Flow => {
            let mut found = against_flow(subject.program, report);
            found.retain(|found| match found.difference.place {
                Place::Line(line) => subject.admissible(line).is_none(),
                Place::Output => true,
            });
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
        // The programs that others made are programs like any other.
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

/// The findings that `contradictions`, found by `relation`, are.
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
        let rule = subject.unreliable()?;
        for (found, evidence) in &mut judged {
            evidence.unstable = rule.or_else(|| subject.unsteady().filter(|_| found.metric != Metric::Line));
            if let (None, Some(_)) = (evidence.unstable, evidence.wrong)
                && !subject.confirms(found)?
            {
                evidence.unstable = Some(Instability::UnspecifiedBehaviour);
            }
        }
    }
    Ok(judged.into_iter().map(|(found, evidence)| finding(subject, relation, &found, evidence)).collect())
}

fn evidence(subject: &Subject<'_>, found: &Contradiction) -> Evidence {
    match (found.difference.place, found.difference.before, found.right) {
        (Place::Line(line), Some(count), Some(right)) => {
            let convention = subject.truth().and_then(|truth| {
                let place = convention::Beyond {
                    truth,
                    family: subject.family(),
                    metric: found.metric,
                    line,
                    count,
                    right,
                };
                convention::rule_beyond_lines(&place)
            });
            Evidence { convention, wrong: wrong(count, &[right].into()), ..Evidence::default() }
        }
        (Place::Line(line), Some(count), None) => against(subject, line, count),
        _ => Evidence::default(),
    }
}

/// What truth says of the `count` that P's report gives `line`.
pub(super) fn against(subject: &Subject<'_>, line: Line, count: u64) -> Evidence {
    against_report(subject, &subject.report.coverage, line, count)
}

/// The same for the `report` of a variant that shares the line with P.
pub(super) fn against_report(subject: &Subject<'_>, report: &Coverage, line: Line, count: u64) -> Evidence {
    let admissible = subject.truth().and_then(|truth| truth.line(line, subject.family()));
    let (Some(truth), Some(admissible)) = (subject.truth(), admissible) else { return Evidence::default() };
    if admissible.counts.contains(&count) {
        return Evidence::default();
    }
    let family = subject.family();
    let claim = Claim { truth, report, family, line, count, admissible: &admissible };
    Evidence {
        convention: convention::rule(&claim),
        wrong: wrong(count, &admissible.counts),
        ..Evidence::default()
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
    let line = match difference.place {
        Place::Line(line) => Some(line),
        Place::Output => None,
    };
    let signature = match rule {
        Some(Rule::Wrong(kind)) => {
            claim_signature(subject.program, subject.family(), relation, kind.name(), line)
        }
        Some(rule) => ruled(relation, rule),
        None => claim_signature(subject.program, subject.family(), relation, found.what, line),
    };
    let signature = of_metric(signature, relation, found.metric);
    let finding = subject.finding(relation, difference, signature, rule, None);
    let truth = found.right.map_or(finding.truth, |right| Some(vec![right]));
    Finding { metric: found.metric, truth, ..finding }
}
