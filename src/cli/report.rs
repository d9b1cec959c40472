//! `recount triage`, `recount report` and the man pages.

use std::collections::BTreeMap;

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};
use clap::CommandFactory;

use super::exit::{Exit, Failure, bad_input, ours};
use super::flags::{Cli, Format, KnownFlags};
use super::print::print;
use crate::journal::{self, FindingFolder, Journal, RunFolder};
use crate::model::{Cluster, Finding, Verdict};
use crate::report::{
    Campaign, RunSet, changes, document, inconsistent, overview, suites, write_examples, write_pages,
};
use crate::triage::{Known, cluster_id, clusters, merged_clusters};

pub fn triage(folders: &[Utf8PathBuf], against: &[Utf8PathBuf], flags: &KnownFlags) -> Result<Exit, Failure> {
    let journals = read(folders)?;
    let known = flags.read()?;
    let all = all_clusters(folders, &journals, &known)?;
    for (folder, journal) in folders.iter().zip(&journals) {
        let mut own = clusters(&journal.findings());
        write_examples(&RunFolder(folder.clone()), journal, &mut own).map_err(ours)?;
    }
    if !against.is_empty() {
        let earlier = read(against)?;
        let before = all_clusters(against, &earlier, &known)?;
        let now = RunSet { journals: &journals, clusters: &all };
        let changes = changes(now, RunSet { journals: &earlier, clusters: &before });
        print(&changes.text).map_err(ours)?;
        return Ok(if changes.has_new_wrong() { Exit::News } else { Exit::NothingNew });
    }
    print(&overview(&journals, &all, flags.listed(&known))).map_err(ours)?;
    Ok(if all.iter().any(Cluster::is_news) { Exit::News } else { Exit::NothingNew })
}

pub fn report(
    folders: &[Utf8PathBuf],
    format: Format,
    out: Option<&Utf8Path>,
    flags: &KnownFlags,
) -> Result<Exit, Failure> {
    let journals = read(folders)?;
    let known = flags.read()?;
    let mut clusters = all_clusters(folders, &journals, &known)?;
    for cluster in &mut clusters {
        let id = cluster_id(&cluster.signature);
        let there = folders.iter().find(|folder| RunFolder((*folder).clone()).example(&id).is_dir());
        cluster.example = there.map(|folder| match folders {
            [_] => format!("examples/{id}"),
            _ => RunFolder(folder.clone()).example(&id).into_string(),
        });
    }
    let text = match format {
        // `filing` handles these formats for a single finding.
        Format::Text | Format::Bugzilla | Format::Github | Format::Markdown => {
            let runs: Vec<RunFolder> = folders.iter().cloned().map(RunFolder).collect();
            overview(&journals, &clusters, flags.listed(&known))
                + &inconsistent(&runs, &journals).map_err(bad_input)?
        }
        Format::Json => serde_json::to_string_pretty(&document(&journals, clusters)).map_err(ours)? + "\n",
        Format::Junit => suites(&journals, &clusters).map_err(ours)?,
        Format::Html => {
            let campaign = Campaign { folders, journals: &journals, clusters: &clusters, known: &known };
            let out = out.map_or_else(|| folders[0].join("html"), Utf8Path::to_path_buf);
            format!("{}\n", write_pages(&campaign, &out).map_err(bad_input)?)
        }
    };
    print(&text).map_err(ours)?;
    Ok(Exit::NothingNew)
}

pub(super) fn read(folders: &[Utf8PathBuf]) -> Result<Vec<Journal>, Failure> {
    let read = |folder: &Utf8PathBuf| journal::read(&RunFolder(folder.clone()));
    folders.iter().map(read).collect::<Result<_>>().map_err(bad_input)
}

/// The clusters of all journals; known ones are marked.
fn all_clusters(
    folders: &[Utf8PathBuf],
    journals: &[Journal],
    known: &Known,
) -> Result<Vec<Cluster>, Failure> {
    let findings: Vec<Finding> = journals.iter().flat_map(Journal::findings).collect();
    let canonical = canonical_forms(folders, &findings).map_err(bad_input)?;
    let mut clusters = merged_clusters(&findings, &canonical);
    known.mark(&mut clusters, &findings);
    Ok(clusters)
}

/// The canonical form of each cluster that was reduced in one of the runs.
fn canonical_forms(
    folders: &[Utf8PathBuf],
    findings: &[Finding],
) -> Result<BTreeMap<(String, Verdict), String>> {
    let mut forms = BTreeMap::new();
    for cluster in clusters(findings) {
        for folder in folders {
            let example = RunFolder(folder.clone()).example(&cluster_id(&cluster.signature));
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

pub fn man_pages(folder: &Utf8Path) -> Result<Exit, Failure> {
    fs_err::create_dir_all(folder).map_err(ours)?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(ours)?;
    Ok(Exit::NothingNew)
}
