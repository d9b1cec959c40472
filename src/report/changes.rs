//! Changes since an earlier run.
//!
//! Clusters are compared by their signatures. Programs, inputs and profilers may differ from run to run, so a cluster no
//! longer reproduces only if a job that showed it ran again and does not show it; otherwise it was not checked.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::overview::clusters_table;
use super::table::table;
use crate::journal::{JobRecord, Journal};
use crate::model::{Cluster, Finding, Verdict};
use crate::triage::cluster_id;

/// One run, or several that are taken together.
#[derive(Clone, Copy, Debug)]
pub struct RunSet<'a> {
    pub journals: &'a [Journal],
    /// The clusters of all journals; known ones are marked.
    pub clusters: &'a [Cluster],
}

#[derive(Clone, Debug)]
pub struct Changes {
    /// Open clusters of this run that are neither known nor in the earlier one.
    pub new: Vec<Cluster>,
    /// All changes in words.
    pub text: String,
}

impl Changes {
    /// Whether a wrong count is new.
    pub fn has_new_wrong(&self) -> bool {
        self.new.iter().any(|cluster| cluster.verdict == Verdict::Wrong)
    }
}

pub fn changes(now: RunSet<'_>, before: RunSet<'_>) -> Changes {
    let is_new = |cluster: &&Cluster| cluster.is_news() && find(cluster, before.clusters).is_none();
    let new: Vec<Cluster> = now.clusters.iter().filter(is_new).cloned().collect();
    let mut text = tools(now.journals, before.journals);
    match new.len() {
        0 => text += "Nothing is new.\n",
        _ => _ = write!(text, "New\n\n{}", clusters_table(&new, None)),
    }
    let (gone, unchecked) = gone(now, before);
    if !gone.is_empty() {
        let head = ["cluster", "verdict", "profilers", "cause"];
        let _ = write!(text, "\nNo longer reproduces\n\n{}", table(&head, &[], gone));
    }
    let moved = moved(now, before);
    if !moved.is_empty() {
        let head = ["cluster", "no longer in", "also in", "cause"];
        let _ = write!(text, "\nChanged between versions\n\n{}", table(&head, &[], moved));
    }
    if unchecked > 0 {
        let _ = writeln!(
            text,
            "\nClusters of the earlier run whose programs were not checked again: {unchecked}."
        );
    }
    Changes { new, text }
}

/// The open cluster of `all` that shares a signature with `cluster`.
fn find<'a>(cluster: &Cluster, all: &'a [Cluster]) -> Option<&'a Cluster> {
    let shares = |other: &&Cluster| cluster.signatures().any(|one| other.signatures().any(|two| one == two));
    all.iter().filter(|other| other.verdict.is_open()).find(shares)
}

/// A sentence for each profiler that changed.
fn tools(now: &[Journal], before: &[Journal]) -> String {
    let versions = |journals: &[Journal]| -> BTreeMap<String, String> {
        let infos = journals.iter().flat_map(|journal| &journal.header.profilers);
        infos.map(|info| (info.compiler.clone(), info.version.clone())).collect()
    };
    let (now, before) = (versions(now), versions(before));
    let mut text = String::new();
    for (compiler, version) in &now {
        match before.get(compiler) {
            None => _ = writeln!(text, "{compiler} is new: {version}."),
            Some(old) if old != version => {
                _ = writeln!(text, "{compiler} changed from {old} to {version}.");
            }
            Some(_) => {}
        }
    }
    for compiler in before.keys().filter(|compiler| !now.contains_key(*compiler)) {
        let _ = writeln!(text, "{compiler} was not part of this run.");
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// A job, independent of its program's folder.
type Key<'a> = (&'a str, &'a str, &'a str);

fn key(finding: &Finding) -> Key<'_> {
    (&finding.program, &finding.input, &finding.compiler)
}

/// The jobs that gave a profile, each with whether it was compared with ground truth.
fn profiled(journals: &[Journal]) -> BTreeMap<Key<'_>, bool> {
    let records = journals.iter().flat_map(|journal| &journal.records).filter(|record| record.is_profiled());
    let lacks_relation =
        |record: &JobRecord| record.checked.as_ref().is_some_and(|checked| checked.lacks_relation);
    let with_truth = |record: &JobRecord| record.no_truth.is_none() && !lacks_relation(record);
    records
        .map(|record| ((&*record.program, &*record.input, &*record.compiler), with_truth(record)))
        .collect()
}

/// Whether the job of `finding` is among those that are `profiled`, in a way that could show it again.
fn could_show(profiled: &BTreeMap<Key<'_>, bool>, finding: &Finding) -> bool {
    profiled.get(&key(finding)).is_some_and(|has_truth| *has_truth || finding.right_counts().is_none())
}

fn findings<'a>(journals: &'a [Journal], cluster: &'a Cluster) -> impl Iterator<Item = &'a Finding> {
    let records = journals.iter().flat_map(|journal| &journal.records);
    records.flat_map(|record| &record.findings).filter(|finding| cluster.has(finding))
}

/// Rows of the open clusters that only the earlier run has, and the number of those whose jobs did not run again.
fn gone(now: RunSet<'_>, before: RunSet<'_>) -> (Vec<Vec<String>>, usize) {
    let profiled = profiled(now.journals);
    let is_missing = |cluster: &&Cluster| cluster.verdict.is_open() && find(cluster, now.clusters).is_none();
    let missing = before.clusters.iter().filter(is_missing);
    let is_checked =
        |cluster: &&Cluster| findings(before.journals, cluster).any(|finding| could_show(&profiled, finding));
    let (checked, unchecked): (Vec<&Cluster>, Vec<&Cluster>) = missing.partition(is_checked);
    let row = |cluster: &&Cluster| {
        let (id, verdict) = (cluster_id(&cluster.signature), cluster.verdict.name().into());
        vec![id, verdict, cluster.profilers.join(" "), cluster.sentence.clone()]
    };
    (checked.iter().map(row).collect(), unchecked.len())
}

/// Rows of the clusters that other versions show than before.
fn moved(now: RunSet<'_>, before: RunSet<'_>) -> Vec<Vec<String>> {
    let (profiled_now, profiled_before) = (profiled(now.journals), profiled(before.journals));
    let mut rows = Vec::new();
    for cluster in now.clusters.iter().filter(|cluster| cluster.verdict.is_open()) {
        let Some(old) = find(cluster, before.clusters) else { continue };
        // Compilers that show the cluster in one run and not in the other, although that ran the same job.
        let only =
            |here: &Cluster, journals, there: &Cluster, profiled: &BTreeMap<Key<'_>, bool>| -> String {
                let found = findings(journals, here).filter(|finding| {
                    !there.profilers.contains(&finding.compiler) && could_show(profiled, finding)
                });
                let names: BTreeSet<&str> = found.map(|finding| finding.compiler.as_str()).collect();
                names.into_iter().collect::<Vec<_>>().join(" ")
            };
        let lost = only(old, before.journals, cluster, &profiled_now);
        let won = only(cluster, now.journals, old, &profiled_before);
        if !lost.is_empty() || !won.is_empty() {
            rows.push(vec![cluster_id(&cluster.signature), lost, won, cluster.sentence.clone()]);
        }
    }
    rows
}
