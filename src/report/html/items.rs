//! The content of the pages: the runs of a campaign, and the clusters with their findings.

use std::collections::{BTreeMap, BTreeSet};

use crate::journal::{JobRecord, Journal, RunFolder};
use crate::model::{Cluster, Finding, Verdict};
use crate::triage::{Known, cluster_id};

/// The content of the pages.
#[derive(Clone, Copy, Debug)]
pub struct Campaign<'a> {
    /// The folders of the runs, in the order of the command line, and their journals.
    pub folders: &'a [RunFolder],
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
    /// Its findings, each with its run and job.
    pub members: Vec<(&'a RunFolder, &'a JobRecord, &'a Finding)>,
    /// Lines of its program before and after reduction.
    pub reduced: Option<(usize, usize)>,
}

impl<'a> Item<'a> {
    pub fn findings(&self) -> Vec<&'a Finding> {
        self.members.iter().map(|(.., finding)| *finding).collect()
    }
}

/// The clusters in their order, each with its findings.
pub fn items<'a>(campaign: &Campaign<'a>) -> Vec<Item<'a>> {
    let mut members: BTreeMap<(&str, Verdict), Vec<_>> = BTreeMap::new();
    for (folder, journal) in campaign.folders.iter().zip(campaign.journals) {
        for record in journal.sorted() {
            for finding in &record.findings {
                let key = (finding.signature.as_str(), finding.verdict);
                members.entry(key).or_default().push((folder, record, finding));
            }
        }
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
        let members = members.remove(&(cluster.signature.as_str(), cluster.verdict)).unwrap_or_default();
        Item { cluster, page, members, reduced: None }
    };
    campaign.clusters.iter().map(item).collect()
}
