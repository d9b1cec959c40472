//! Clusters: findings that share a signature, and a sentence on their cause.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Cluster, Finding, Verdict};

/// The clusters of `findings`: open verdicts first, then by the number of programs.
pub fn clusters(findings: &[Finding]) -> Vec<Cluster> {
    let mut groups: BTreeMap<(&str, Verdict), Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        groups.entry((&finding.signature, finding.verdict)).or_default().push(finding);
    }
    let mut clusters: Vec<Cluster> = groups.into_values().map(|members| cluster(&members)).collect();
    clusters.sort_by(|a, b| {
        let key = |cluster: &Cluster| (std::cmp::Reverse(cluster.verdict), std::cmp::Reverse(cluster.programs));
        key(a).cmp(&key(b)).then_with(|| a.signature.cmp(&b.signature))
    });
    clusters
}

fn cluster(members: &[&Finding]) -> Cluster {
    let first = members[0];
    let distinct = |of: fn(&Finding) -> &str| -> BTreeSet<String> {
        members.iter().map(|finding| of(finding).to_string()).collect()
    };
    Cluster {
        signature: first.signature.clone(),
        verdict: first.verdict,
        rule: first.rule.clone(),
        sentence: sentence(first),
        count: members.len(),
        programs: distinct(|finding| &finding.program).len(),
        profilers: distinct(|finding| &finding.compiler).into_iter().collect(),
        example: None,
        known: None,
    }
}

/// The cause in plain words.
pub fn sentence(finding: &Finding) -> String {
    match finding.rule.as_deref() {
        Some("closing-brace") => "a closing brace changes its count when a jump before it is deleted".into(),
        Some(rule) => rule.to_string(),
        None => finding.signature.clone(),
    }
}
