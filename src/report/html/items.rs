//! The content of the pages: the runs of a campaign, and the clusters with their findings.

use std::collections::{BTreeMap, BTreeSet};

use crate::journal::{JobRecord, Journal};
use crate::model::{Cluster, Finding, Verdict};
use crate::triage::{Known, cluster_id};

/// The content of the pages.
#[derive(Clone, Copy, Debug)]
pub struct Campaign<'a> {
    /// The journals of the runs, in the order of the command line.
    pub journals: &'a [Journal],
    /// The clusters of all runs, by rank.
    pub clusters: &'a [Cluster],
    pub known: &'a Known,
}

impl<'a> Campaign<'a> {
    pub fn records(&self) -> impl Iterator<Item = &'a JobRecord> {
        self.journals.iter().flat_map(|journal| &journal.records)
    }
}

/// A cluster with everything that its page and its row show.
#[derive(Debug)]
pub struct Item<'a> {
    pub cluster: &'a Cluster,
    /// The file name of its page.
    pub page: String,
    /// Its findings, sorted by job within each run.
    pub findings: Vec<&'a Finding>,
    /// Lines of its program before and after reduction.
    pub reduced: Option<(usize, usize)>,
}

/// The clusters in their order, each with its findings.
pub fn items<'a>(campaign: &Campaign<'a>) -> Vec<Item<'a>> {
    let mut findings: BTreeMap<(&str, Verdict), Vec<&Finding>> = BTreeMap::new();
    let records = campaign.journals.iter().flat_map(Journal::sorted);
    for finding in records.flat_map(|record| &record.findings) {
        findings.entry((&finding.signature, finding.verdict)).or_default().push(finding);
    }
    let mut taken = BTreeSet::new();
    let item = |cluster: &'a Cluster| {
        let id = cluster_id(&cluster.signature);
        // Clusters of one signature and several verdicts have one id.
        let page = if taken.insert(id.clone()) {
            format!("{id}.html")
        } else {
            format!("{id}-{}.html", cluster.verdict.name())
        };
        let findings = findings.remove(&(cluster.signature.as_str(), cluster.verdict)).unwrap_or_default();
        Item { cluster, page, findings, reduced: None }
    };
    campaign.clusters.iter().map(item).collect()
}
