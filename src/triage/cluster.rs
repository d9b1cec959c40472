//! Clusters: findings that share a signature, and a sentence on their cause.

use std::collections::{BTreeMap, BTreeSet};

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

/// The clusters of `findings`, those merged whose reduced programs are the same: `canonical` has the
/// canonical form for a signature and verdict. The first in rank stands for all.
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
        rule: first.rule,
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
    let by_rule = finding.rule.and_then(super::rule::sentence).map(str::to_string);
    by_rule.or_else(|| from_signature(&finding.signature)).unwrap_or_else(|| finding.signature.clone())
}

/// Whether this is the name of a relation that rewrites; its claims are those of the program that it makes.
fn rewrites(name: &str) -> bool {
    RelationName::ALL.into_iter().any(|relation| relation.name() == name && relation.rewrites())
}

/// `gcov/delete/line/weak n->none/if/jump inside` in words.
fn from_signature(signature: &str) -> Option<String> {
    let parts: Vec<&str> = signature.split('/').collect();
    match parts.as_slice() {
        [_, relation, "other", "output"] => Some(format!(
            "the program does something else when `{relation}` rewrites it, which changes nothing that it does"
        )),
        [family, relation, kind, site] if rewrites(relation) => {
            let said = from_signature(&format!("{family}/truth/{kind}/{site}"))?;
            Some(format!("{said}, in a program that `{relation}` made"))
        }
        [family, "truth" | "peer", kind, site] => Some(match *kind {
            "one-count" => format!("one of two profilers has no count for a `{site}`, and nobody counted"),
            "two-counts" => {
                format!("another profiler has another count for a `{site}` than {family}, and nobody counted")
            }
            "missing" => format!("{family} shows 0 for a `{site}` that ran, by our counters"),
            "spurious" => format!("{family} shows a count for a `{site}` that never ran, by our counters"),
            _ => format!("{family} shows another count for a `{site}` than our counters"),
        }),
        [family, "truth", "condition" | "mcdc", kind, site] => Some(match *kind {
            "missing" => {
                format!("{family} does not cover a condition of a `{site}` that was shown, by our counters")
            }
            _ => format!("{family} covers a condition of a `{site}` that was not shown, by our counters"),
        }),
        [family, "truth", metric, kind, site] => Some(match *kind {
            "missing" => format!("{family} shows 0 for a {metric} at a `{site}` that ran, by our counters"),
            "spurious" => {
                format!("{family} shows a count for a {metric} at a `{site}` that never ran, by our counters")
            }
            _ => format!("{family} shows another {metric} count at a `{site}` than our counters"),
        }),
        [family, "flow", rule, site] => Some(format!(
            "{family}'s counts contradict each other at a `{site}` ({rule}), and nobody counted"
        )),
        [family, "views", view, site] => {
            Some(format!("{family} says one thing of a `{site}` in its {view}, another in its line counts"))
        }
        [family, _, "missing", what] => {
            let (deleted, within) = what.split_once(" in ")?;
            let place = if within == "function" { "a function's body" } else { within };
            Some(format!(
                "{family} shows 0 for a {deleted} in {place} that ran, as a trap in its place proves"
            ))
        }
        [family, _, "output", deleted] => {
            Some(format!("the output changes when a {deleted} is deleted that did not run by {family}"))
        }
        [family, _, "line", moved, site, culprit] => {
            if *culprit == "no edit" {
                let how = "when nothing is edited but a comment behind the program";
                return Some(format!("{family}: `{site}` has another count {how}"));
            }
            let (_, movement) = moved.split_once(' ')?;
            let (deleted, position) = culprit.rsplit_once(' ')?;
            let position = match position {
                "inside" => "in it",
                "elsewhere" => "in another function",
                "before" => "before it",
                _ => "after it",
            };
            let deleted = if deleted == "code" { "dead code".into() } else { format!("a dead {deleted}") };
            let verb = in_words(movement)?;
            Some(format!("{family}: `{site}` {verb} when {deleted} {position} is deleted"))
        }
        _ => None,
    }
}

fn in_words(movement: &str) -> Option<&'static str> {
    Some(match movement {
        "n->none" => "loses its count",
        "0->none" => "loses its 0",
        "none->0" => "gets a 0 that it did not have",
        "none->n" => "gets a count that it did not have",
        "n->0" => "turns from a count to 0",
        "0->n" => "turns from 0 to a count",
        "n->m" => "changes its count",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reduces_to_the_same_program_is_merged_and_kept_as_evidence() {
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
        let said = |signature: &str| from_signature(signature).unwrap_or_default();
        assert_eq!(
            said("gcov/delete/line/weak n->none/if/jump inside"),
            "gcov: `if` loses its count when a dead jump in it is deleted",
        );
        assert_eq!(
            said("llvm-cov/delete/line/strong 0->n/statement/code before"),
            "llvm-cov: `statement` turns from 0 to a count when dead code before it is deleted",
        );
        assert_eq!(
            said("gcov/guard/missing/statement after if"),
            "gcov shows 0 for a `statement after if` that ran, by our counters, in a program that `guard` made",
        );
        assert!(said("gcov/layout/other/output").contains("does something else when `layout` rewrites it"));
        assert!(said("llvm-cov/truth/mcdc/missing/if").contains("does not cover a condition of a `if`"));
        assert!(
            said("llvm-cov/delete/missing/jump in function").contains("a jump in a function's body that ran")
        );
    }
}
