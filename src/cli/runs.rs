//! The runs and the folders of findings that a command names.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, anyhow};
use camino::{Utf8Path, Utf8PathBuf};

use super::flags::RUNS;
use super::known_flags::KnownFlags;
use super::output::{Failure, bad_input, complain, not_there};
use crate::journal::{self, FindingBundle, FindingFolder, Journal, Replay, RunFolder};
use crate::model::{Cluster, Finding, Verdict};
use crate::report::{number_of, write_examples};
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
                let reduction = folder.example(&cluster_id(&cluster.signature)).reduction()?;
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
        // A mechanism is named with its profiler or without.
        let is_named = |signature: &str| {
            signature == name || signature.split_once('/').is_some_and(|(_, mechanism)| mechanism == name)
        };
        let mut found: Vec<&Cluster> = all.iter().filter(|cluster| is_named(&cluster.signature)).collect();
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
                "{name:?} means several clusters: {}; type one of these",
                ids.join(", ")
            )));
        }
        Ok(found)
    }

    /// The first folder of an example of `cluster` that was written.
    pub fn written_example(&self, cluster: &Cluster) -> Option<Utf8PathBuf> {
        let id = cluster_id(&cluster.signature);
        self.journals.iter().map(|journal| journal.folder.example(&id).0).find(|folder| folder.is_dir())
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

/// The folders that `names` denote: a finding's folder, a run's folder (its open clusters, without those that are
/// known), or a cluster's id, which is looked up in `runs`, by default the newest run. A cluster of several runs
/// counts once.
pub fn finding_folders(
    names: &[Utf8PathBuf],
    runs: &[Utf8PathBuf],
    known: &KnownFlags,
) -> Result<Vec<FindingFolder>, Failure> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for name in names {
        let own = FindingFolder(name.clone());
        if own.exists() {
            found.push(own);
        } else if RunFolder(name.clone()).journal().exists() {
            let mut open = open_clusters(&RunFolder(name.clone()), known)?;
            open.retain(|folder| seen.insert(folder.0.file_name().unwrap_or_default().to_string()));
            found.append(&mut open);
        } else if name.exists() {
            return Err(bad_input(anyhow!(
                "{name}: this is neither the folder of a finding nor of a run; `recount triage RUN` writes folders of findings"
            )));
        } else {
            found.push(by_cluster(name, runs)?);
        }
    }
    Ok(found)
}

/// The example of the cluster whose id begins with `name`.
fn by_cluster(name: &Utf8Path, runs: &[Utf8PathBuf]) -> Result<FindingFolder, Failure> {
    let newest = if runs.is_empty() { newest().ok() } else { None };
    let runs: Vec<&Utf8PathBuf> = runs.iter().chain(&newest).collect();
    if runs.is_empty() {
        return Err(bad_input(anyhow!(
            "{name}: no folder or cluster has this name; name the run with `--run DIR` if it is not in {RUNS}"
        )));
    }
    let example = |run: &&Utf8PathBuf| RunFolder((*run).clone()).example_beginning(name.as_str());
    let found = runs.iter().filter_map(example).find(FindingFolder::exists);
    found.ok_or_else(|| {
        let runs = runs.iter().map(|run| run.as_str()).collect::<Vec<_>>().join(" ");
        not_there(anyhow!("no finding {name:?} in {runs}; `recount report {runs}` lists the clusters"))
    })
}

/// The folders of the open clusters of a run, written if they do not exist yet.
fn open_clusters(run: &RunFolder, flags: &KnownFlags) -> Result<Vec<FindingFolder>, Failure> {
    let known = flags.read()?;
    let journal = journal::read(run).map_err(bad_input)?;
    let mut all = known.clusters(&journal.findings());
    write_examples(&journal, &mut all)?;
    let is_wanted = |cluster: &&Cluster| flags.show_known || cluster.known.is_none();
    let open = all.iter().filter(|cluster| cluster.verdict.is_open());
    let (wanted, left_out): (Vec<&Cluster>, Vec<&Cluster>) = open.partition(is_wanted);
    if !left_out.is_empty() {
        let them = if left_out.len() == 1 { "it" } else { "them" };
        complain(&format!(
            "{}: {} left out because the list of known clusters has {them}; --show-known includes {them}",
            run.0,
            number_of(left_out.len(), "cluster")
        ));
    }
    let folders = wanted.into_iter().filter_map(|cluster| cluster.example.as_ref());
    Ok(folders.map(|example| FindingFolder(run.0.join(example))).collect())
}

/// Refuse a finding in an included file, until reduction has made the file a part of the program.
pub fn refuse_included(bundle: &FindingBundle) -> Result<(), Failure> {
    let Finding { file, cluster, .. } = &bundle.finding;
    match bundle.included_text() {
        None => Ok(()),
        Some(_) => Err(bad_input(anyhow!(
            "the finding is in {file}, which its program includes; `recount reduce {cluster}` makes one program of both first"
        ))),
    }
}

/// How to run the program of a finding.
pub fn replay_of(bundle: &FindingBundle) -> Result<&Replay, Failure> {
    bundle.replay.as_ref().ok_or_else(|| {
        bad_input(anyhow!(
            "no replay.json in this folder, which says how to run the program; run the campaign again"
        ))
    })
}
