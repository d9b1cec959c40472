//! Finds the folders of the findings that are named on the command line.

use std::collections::BTreeSet;

use anyhow::anyhow;
use camino::{Utf8Path, Utf8PathBuf};

use super::exit::{Failure, bad_input, not_there};
use super::flags::{KnownFlags, RUNS};
use super::print::complain;
use super::runs::newest;
use crate::journal::{self, FindingBundle, FindingFolder, Replay, RunFolder};
use crate::model::Cluster;
use crate::report::{number_of, write_examples};

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
    let found = runs.iter().filter_map(example).map(FindingFolder).find(FindingFolder::exists);
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

/// How to run the program of a finding.
pub fn replay_of(bundle: &FindingBundle) -> Result<&Replay, Failure> {
    bundle.replay.as_ref().ok_or_else(|| {
        bad_input(anyhow!(
            "no replay.json in this folder, which says how to run the program; run the campaign again"
        ))
    })
}
