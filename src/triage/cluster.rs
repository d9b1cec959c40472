//! Clusters of findings with the same signature, and a sentence for the cause of each.

use std::collections::{BTreeMap, BTreeSet};

use super::wording::{construct, with_article};
use crate::diagnose::mechanism_in_words;
use crate::model::{Cluster, Finding, RelationName, Verdict};

/// The clusters of `findings`: open verdicts first, then by the number of programs.
pub fn clusters(findings: &[Finding]) -> Vec<Cluster> {
    let mut groups: BTreeMap<(&str, Verdict), Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        groups.entry((&finding.signature, finding.verdict)).or_default().push(finding);
    }
    let mut clusters: Vec<Cluster> = groups.into_values().map(|members| cluster(&members)).collect();
    clusters.sort_by(|a, b| {
        let key =
            |cluster: &Cluster| (std::cmp::Reverse(cluster.verdict), std::cmp::Reverse(cluster.programs));
        key(a).cmp(&key(b)).then_with(|| a.signature.cmp(&b.signature))
    });
    clusters
}

/// The clusters of `findings`; clusters whose reduced programs are the same are merged into the first in rank. `canonical`
/// has the canonical form of the reduced program for a signature and verdict.
pub fn merged_clusters(
    findings: &[Finding],
    canonical: &BTreeMap<(String, Verdict), String>,
) -> Vec<Cluster> {
    let mut merged: Vec<Cluster> = Vec::new();
    let mut of_form: BTreeMap<(&str, Verdict), usize> = BTreeMap::new();
    for found in clusters(findings) {
        let form = canonical.get(&(found.signature.clone(), found.verdict));
        if let Some(first) = form.and_then(|form| of_form.get(&(form.as_str(), found.verdict))) {
            merged[*first].duplicates.push(found.signature);
        } else {
            of_form.extend(form.map(|form| ((form.as_str(), found.verdict), merged.len())));
            merged.push(found);
        }
    }
    for whole in merged.iter_mut().filter(|whole| !whole.duplicates.is_empty()) {
        let members: Vec<&Finding> = findings.iter().filter(|finding| whole.has(finding)).collect();
        let Cluster { count, programs, profilers, .. } = cluster(&members);
        *whole = Cluster { count, programs, profilers, ..whole.clone() };
    }
    merged
}

fn cluster(members: &[&Finding]) -> Cluster {
    let first = members[0];
    let distinct = |of: fn(&Finding) -> &str| -> BTreeSet<String> {
        members.iter().map(|finding| of(finding).to_string()).collect()
    };
    Cluster {
        signature: first.signature.clone(),
        verdict: first.verdict,
        // One mechanism makes some counts too high and others too low.
        rule: first.rule.filter(|rule| members.iter().all(|other| other.rule == Some(*rule))),
        sentence: sentence(first),
        count: members.len(),
        programs: distinct(|finding| &finding.program).len(),
        profilers: distinct(|finding| &finding.compiler).into_iter().collect(),
        example: None,
        known: None,
        duplicates: Vec::new(),
    }
}

/// The cause in plain words.
pub fn sentence(finding: &Finding) -> String {
    if let Some(cause) = &finding.cause {
        return mechanism_in_words(finding.profiler, cause);
    }
    let by_rule = finding.rule.and_then(super::rule::sentence);
    by_rule.map_or_else(|| from_signature(&finding.signature), Into::into)
}

/// Whether a signature with these parts is about a count that is wrong in a variant.
fn is_of_variant(relation: &str, kind: &str, site: &str) -> bool {
    match RelationName::ALL.into_iter().find(|name| name.name() == relation) {
        // Its other signatures are about the deleted code.
        Some(RelationName::Delete) => kind != "output" && !(kind == "missing" && site.contains(" in ")),
        Some(relation) => relation.rewrites(),
        None => false,
    }
}

/// A signature such as `gcov/delete/line/weak n->none/if/jump inside` in words, or unchanged if it has another form.
fn from_signature(signature: &str) -> String {
    let parts: Vec<&str> = signature.split('/').collect();
    in_words(&parts).unwrap_or_else(|| signature.to_string())
}

fn in_words(parts: &[&str]) -> Option<String> {
    let at = |site: &str| with_article(&construct(site));
    Some(match *parts {
        [_, relation, "other", "output"] => {
            format!("`{relation}` changes the behaviour of the program, although its edit must preserve it")
        }
        [family, relation, kind, site] if is_of_variant(relation, kind, site) => {
            format!("{}, in a program that `{relation}` made", in_words(&[family, "truth", kind, site])?)
        }
        [family, "truth" | "peer", kind, site] => {
            let site = at(site);
            match kind {
                "one-count" => {
                    format!("only one of two profilers has a count for {site}, and there is no ground truth")
                }
                "two-counts" => {
                    format!("{family} and another profiler disagree on {site}, and there is no ground truth")
                }
                "missing" => format!("{family} reports 0 for {site} that ran"),
                "spurious" => format!("{family} reports a count for {site} that never ran"),
                _ => format!("{family}'s count is wrong on {site}"),
            }
        }
        [family, "truth", "condition" | "mcdc", kind, site] => {
            let (reported, actual) =
                if kind == "missing" { ("uncovered", "is") } else { ("covered", "is not") };
            format!("{family} reports a condition as {reported} that {actual} covered, on {}", at(site))
        }
        [family, "truth", metric, kind, site] => {
            let site = at(site);
            match kind {
                "missing" => format!("{family} reports 0 for a {metric} that ran, on {site}"),
                "spurious" => format!("{family} reports a count for a {metric} that never ran, on {site}"),
                _ => format!("{family}'s {metric} count is wrong on {site}"),
            }
        }
        [family, "flow", rule, site] => {
            format!(
                "{family}'s counts contradict each other on {} ({rule}), and there is no ground truth",
                at(site)
            )
        }
        [family, "views", "total", metric] => {
            format!("a total of {family} does not follow from the rest of its report (metric `{metric}`)")
        }
        [family, "views", view, site] => {
            format!("{family} reports different counts for {} in its {view} and in its line counts", at(site))
        }
        [family, _, "missing", deleted] => {
            let (deleted, outer) = deleted.split_once(" in ")?;
            let outer = if outer == "function" { "the body of a function".into() } else { at(outer) };
            format!(
                "{family} reports 0 for {} in {outer} that ran: a trap in its place ends the program",
                at(deleted)
            )
        }
        [family, _, "output", deleted] => {
            format!("deleting {} that {family} reports as not executed changes the output", at(deleted))
        }
        [family, _, "line", _, site, "no edit"] => {
            format!(
                "{family}: {} changes its count when only a comment is added at the end of the file",
                at(site)
            )
        }
        [family, _, "line", moved, site, culprit] => {
            let (_, movement) = moved.split_once(' ')?;
            let (deleted, position) = culprit.rsplit_once(' ')?;
            let deleted =
                if deleted == "code" { "dead code".into() } else { format!("a dead {}", construct(deleted)) };
            let position = match position {
                "inside" => "inside it",
                "elsewhere" => "in another function",
                "before" => "before it",
                _ => "after it",
            };
            let change = match movement {
                "n->none" => "loses its count",
                "0->none" => "loses its count of 0",
                "none->0" => "gains a count of 0",
                "none->n" => "gains a count",
                "n->0" => "drops to 0",
                "0->n" => "rises from 0",
                "n->m" => "changes its count",
                _ => return None,
            };
            format!("{family}: {} {change} when {deleted} {position} is deleted", at(site))
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_that_reduce_to_the_same_program_are_merged() {
        let finding = |signature: &str, program: &str| -> Finding {
            serde_json::from_value(serde_json::json!({
                "program": program, "file": "p.c", "input": "default", "profiler": "gcov",
                "compiler": "gcc-12", "version": "12", "metric": "line", "line": 4, "relation": "truth",
                "kind": "strong", "before": 0, "after": null, "truth": [1], "signature": signature,
                "signature_version": 2, "culprit": null, "verdict": "wrong", "rule": "missing", "cluster": "c",
            }))
            .expect("a finding")
        };
        let all = [finding("a", "p"), finding("a", "q"), finding("b", "p"), finding("c", "r")];
        let form = |signature: &str, form: &str| ((signature.to_string(), Verdict::Wrong), form.to_string());
        let canonical = BTreeMap::from([form("a", "1"), form("b", "1"), form("c", "2")]);
        let merged = merged_clusters(&all, &canonical);
        let shown: Vec<_> = merged
            .iter()
            .map(|one| (one.signature.as_str(), one.duplicates.len(), one.count, one.programs))
            .collect();
        assert_eq!(shown, [("a", 1, 3, 2), ("c", 0, 1, 1)]);
        assert_eq!(clusters(&all).len(), 3);
    }

    #[test]
    fn a_signature_reads_as_a_sentence() {
        for (signature, sentence) in [
            (
                "gcov/delete/line/weak n->none/if/jump inside",
                "gcov: an `if` statement loses its count when a dead jump inside it is deleted",
            ),
            (
                "llvm-cov/delete/line/strong 0->n/statement/code before",
                "llvm-cov: a statement rises from 0 when dead code before it is deleted",
            ),
            (
                "gcov/guard/missing/statement after if",
                "gcov reports 0 for a statement after an `if` statement that ran, in a program that `guard` made",
            ),
            (
                "gcov/delete/spurious/loop",
                "gcov reports a count for a loop that never ran, in a program that `delete` made",
            ),
            (
                "gcov/truth/frequency/if-continued",
                "gcov's count is wrong on a continuation line of a multi-line `if` statement",
            ),
            (
                "gcov/layout/other/output",
                "`layout` changes the behaviour of the program, although its edit must preserve it",
            ),
            (
                "llvm-cov/truth/mcdc/missing/if",
                "llvm-cov reports a condition as uncovered that is covered, on an `if` statement",
            ),
            (
                "llvm-cov/delete/missing/jump in function",
                "llvm-cov reports 0 for a jump in the body of a function that ran: a trap in its place ends the program",
            ),
            ("gcov/truth", "gcov/truth"),
        ] {
            assert_eq!(from_signature(signature), sentence);
        }
    }
}
