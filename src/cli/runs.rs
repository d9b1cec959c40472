//! The runs that a command reads, with their findings.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow};
use camino::{Utf8Path, Utf8PathBuf};

use super::exit::{Failure, bad_input, not_there};
use super::flags::RUNS;
use crate::journal::{self, FindingFolder, Journal, RunFolder};
use crate::model::{Cluster, Finding, Verdict};
use crate::triage::{Known, cluster_id, clusters, merged_clusters};

pub struct Runs {
    pub journals: Vec<Journal>,
    /// Of all journals, sorted by job within each.
    pub findings: Vec<Finding>,
}

impl Runs {
    pub fn read(folders: &[Utf8PathBuf]) -> Result<Runs, Failure> {
        let read = |folder: &Utf8PathBuf| journal::read(&RunFolder(folder.clone()));
        let journals = folders.iter().map(read).collect::<Result<Vec<_>>>().map_err(bad_input)?;
        let findings = journals.iter().flat_map(Journal::findings).collect();
        Ok(Runs { journals, findings })
    }

    /// The runs in `folders`; the newest run if there are none.
    pub fn read_or_newest(folders: &[Utf8PathBuf]) -> Result<Runs, Failure> {
        if folders.is_empty() { Runs::read(&[newest()?]) } else { Runs::read(folders) }
    }

    /// The clusters of all runs; known ones are marked, and those that reduce to the same program are merged.
    pub fn merged_clusters(&self, known: &Known) -> Result<Vec<Cluster>, Failure> {
        let canonical = self.canonical_forms().map_err(bad_input)?;
        let mut clusters = merged_clusters(&self.findings, &canonical);
        known.mark(&mut clusters, &self.findings);
        Ok(clusters)
    }

    /// The canonical form of each cluster that was reduced in one of the runs.
    fn canonical_forms(&self) -> Result<BTreeMap<(String, Verdict), String>> {
        let mut forms = BTreeMap::new();
        for cluster in clusters(&self.findings) {
            for Journal { folder, .. } in &self.journals {
                let example = folder.example(&cluster_id(&cluster.signature));
                let reduction = FindingFolder(example).reduction()?;
                // Clusters of one signature and two verdicts share a folder.
                if let Some(reduction) = reduction.filter(|found| found.original.verdict == cluster.verdict) {
                    forms.insert((cluster.signature.clone(), cluster.verdict), reduction.canonical);
                    break;
                }
            }
        }
        Ok(forms)
    }

    /// Those of `all` clusters whose signature is `name`, or whose id begins with it: at least one.
    pub fn named<'a>(&self, name: &str, all: &'a [Cluster]) -> Result<Vec<&'a Cluster>, Failure> {
        let mut found: Vec<&Cluster> = all.iter().filter(|cluster| cluster.signature == name).collect();
        if found.is_empty() && !name.is_empty() {
            found = all.iter().filter(|cluster| cluster_id(&cluster.signature).starts_with(name)).collect();
        }
        let Some(first) = found.first() else {
            let folders = self.journals.iter().map(|journal| journal.folder.0.as_str());
            let list = folders.collect::<Vec<_>>().join(" ");
            return Err(not_there(anyhow!(
                "no cluster {name:?} in {list}; `recount report {list}` lists the clusters"
            )));
        };
        if found.iter().any(|cluster| cluster.signature != first.signature) {
            let mut ids: Vec<String> = found.iter().map(|cluster| cluster_id(&cluster.signature)).collect();
            ids.dedup();
            return Err(bad_input(anyhow!(
                "{name:?} begins several cluster ids: {}; type more of one",
                ids.join(", ")
            )));
        }
        Ok(found)
    }

    /// The first folder of an example of `cluster` that was written.
    pub fn written_example(&self, cluster: &Cluster) -> Option<Utf8PathBuf> {
        let id = cluster_id(&cluster.signature);
        self.journals.iter().map(|journal| journal.folder.example(&id)).find(|folder| folder.is_dir())
    }
}

/// The run in [`RUNS`] whose journal was written last.
pub fn newest() -> Result<Utf8PathBuf, Failure> {
    let folders = Utf8Path::new(RUNS).read_dir_utf8().into_iter().flatten().flatten();
    let written = folders.filter_map(|entry| {
        let folder = RunFolder(entry.path().to_path_buf());
        Some((folder.journal().metadata().ok()?.modified().ok()?, folder.0))
    });
    written.max().map(|(_, folder)| folder).ok_or_else(|| {
        bad_input(anyhow!(
            "no run in {RUNS}; name its folder, as in `recount explain CLUSTER DIR` or `recount report CLUSTER --run DIR`"
        ))
    })
}
