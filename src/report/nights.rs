//! What changed since an earlier run: the page that somebody reads in the morning.
//!
//! Clusters are compared by their signatures. Programs, inputs and profilers may differ from night to
//! night, so that a cluster is gone only where a job that showed it was done again and does not show
//! it; else nobody looked.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::overview::clusters_table;
use super::table::table;
use crate::journal::Journal;
use crate::model::{Cluster, Finding, Verdict};
use crate::triage::cluster_id;

/// One night, or several that count as one.
#[derive(Clone, Copy, Debug)]
pub struct Night<'a> {
    /// The journals.
    pub journals: &'a [Journal],
    /// Their clusters, known ones marked.
    pub clusters: &'a [Cluster],
}

/// What differs between two nights.
#[derive(Clone, Debug)]
pub struct Change {
    /// Open clusters of this night that are neither known nor in the earlier one.
    pub new: Vec<Cluster>,
    text: String,
}

impl Change {
    /// Whether a cluster that is a profiler's mistake is new.
    pub fn accuses(&self) -> bool {
        self.new.iter().any(|cluster| cluster.verdict == Verdict::Wrong)
    }
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// `now` against `before`.
pub fn change(now: Night<'_>, before: Night<'_>) -> Change {
    let is_new = |cluster: &&Cluster| {
        cluster.verdict.is_open() && cluster.known.is_none() && find(cluster, before.clusters).is_none()
    };
    let new: Vec<Cluster> = now.clusters.iter().filter(is_new).cloned().collect();
    let mut text = tools(now.journals, before.journals);
    match new.len() {
        0 => text += "Nothing is new.\n",
        _ => _ = write!(text, "New\n\n{}", clusters_table(&new, None)),
    }
    let (gone, unseen) = gone(now, before);
    if !gone.is_empty() {
        let _ =
            write!(text, "\nGone\n\n{}", table(&["cluster", "verdict", "profilers", "cause"], &[], &gone));
    }
    let moved = moved(now, before);
    if !moved.is_empty() {
        let head = ["cluster", "no longer in", "now in too", "cause"];
        let _ = write!(text, "\nMoved between versions\n\n{}", table(&head, &[], &moved));
    }
    if unseen > 0 {
        let _ = writeln!(
            text,
            "\nClusters of the earlier run on programs that were not looked at again: {unseen}."
        );
    }
    Change { new, text }
}

/// The cluster of `all` that is the same as `cluster`.
fn find<'a>(cluster: &Cluster, all: &'a [Cluster]) -> Option<&'a Cluster> {
    let shares = |other: &&Cluster| cluster.signatures().any(|one| other.signatures().any(|two| one == two));
    all.iter().filter(|other| other.verdict.is_open()).find(shares)
}

/// A sentence for each profiler that is another one than before.
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
            Some(old) if old != version => _ = writeln!(text, "{compiler} was {old} and is {version}."),
            Some(_) => {}
        }
    }
    for compiler in before.keys().filter(|compiler| !now.contains_key(*compiler)) {
        let _ = writeln!(text, "{compiler} was not asked this time.");
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// A job, whatever its program's folder.
type Key<'a> = (&'a str, &'a str, &'a str);

fn done(journals: &[Journal]) -> BTreeSet<Key<'_>> {
    let records = journals.iter().flat_map(|journal| &journal.records);
    records
        .filter(|record| record.is_profiled())
        .map(|record| (&*record.program, &*record.input, &*record.compiler))
        .collect()
}

fn findings<'a>(journals: &'a [Journal], cluster: &'a Cluster) -> impl Iterator<Item = &'a Finding> {
    let records = journals.iter().flat_map(|journal| &journal.records);
    records.flat_map(|record| &record.findings).filter(|finding| cluster.has(finding))
}

/// Rows of what the earlier night has and this one has not, and how many of those nobody looked for.
fn gone(now: Night<'_>, before: Night<'_>) -> (Vec<Vec<String>>, usize) {
    let done = done(now.journals);
    let (mut rows, mut unseen) = (Vec::new(), 0);
    for cluster in before.clusters.iter().filter(|cluster| cluster.verdict.is_open()) {
        if find(cluster, now.clusters).is_some() {
            continue;
        }
        let looked = findings(before.journals, cluster)
            .any(|finding| done.contains(&(&*finding.program, &*finding.input, &*finding.compiler)));
        if looked {
            rows.push(vec![
                cluster_id(&cluster.signature),
                cluster.verdict.name().into(),
                cluster.profilers.join(" "),
                cluster.sentence.clone(),
            ]);
        } else {
            unseen += 1;
        }
    }
    (rows, unseen)
}

/// Rows of the clusters that other versions show than before, among those that both nights asked.
fn moved(now: Night<'_>, before: Night<'_>) -> Vec<Vec<String>> {
    let (done_now, done_before) = (done(now.journals), done(before.journals));
    let mut rows = Vec::new();
    for cluster in now.clusters.iter().filter(|cluster| cluster.verdict.is_open()) {
        let Some(old) = find(cluster, before.clusters) else { continue };
        // What has a cluster one night counts as lost or won only where the other night did the same job.
        let only =
            |here: &Cluster, journals, there: &Cluster, done: &BTreeSet<Key<'_>>| -> BTreeSet<String> {
                findings(journals, here)
                    .filter(|finding| !there.profilers.contains(&finding.compiler))
                    .filter(|finding| {
                        done.contains(&(&*finding.program, &*finding.input, &*finding.compiler))
                    })
                    .map(|finding| finding.compiler.clone())
                    .collect()
            };
        let lost = only(old, before.journals, cluster, &done_now);
        let won = only(cluster, now.journals, old, &done_before);
        if !lost.is_empty() || !won.is_empty() {
            let names = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>().join(" ");
            rows.push(vec![
                cluster_id(&cluster.signature),
                names(lost),
                names(won),
                cluster.sentence.clone(),
            ]);
        }
    }
    rows
}
