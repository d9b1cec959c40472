//! `recount triage`, `recount explain`, `recount report`, the report at the end of a run, and the man pages.

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};
use clap::CommandFactory;

use super::flags::{Cli, Format, KnownFlags};
use super::output::{Exit, Failure, bad_input, print};
use super::runs::Runs;
use crate::journal::{self, JobRecord, RunFolder};
use crate::model::Cluster;
use crate::report::{
    Campaign, Explained, RunSet, changes, document, example, explanation, inconsistent, overview, suites,
    visible, write_examples, write_pages,
};
use crate::triage::{Known, clusters};

pub fn triage(folders: &[Utf8PathBuf], against: &[Utf8PathBuf], flags: &KnownFlags) -> Result<Exit, Failure> {
    let runs = Runs::read(folders)?;
    let known = flags.read()?;
    let all = runs.merged_clusters(&known)?;
    for journal in &runs.journals {
        write_examples(journal, &mut clusters(&journal.findings()))?;
    }
    if !against.is_empty() {
        let earlier = Runs::read(against)?;
        let before = earlier.merged_clusters(&known)?;
        let now = RunSet { journals: &runs.journals, clusters: &all };
        let changes = changes(now, RunSet { journals: &earlier.journals, clusters: &before });
        print(&changes.text)?;
        return Ok(if changes.has_new_wrong() { Exit::News } else { Exit::NothingNew });
    }
    print(&overview(&runs.journals, &all, flags.listed(&known)))?;
    Ok(if all.iter().any(Cluster::is_news) { Exit::News } else { Exit::NothingNew })
}

/// Everything that the journals know of a cluster.
pub fn explain(name: &str, folders: &[Utf8PathBuf]) -> Result<Exit, Failure> {
    let runs = Runs::read_or_newest(folders)?;
    let all = clusters(&runs.findings);
    // Clusters of one signature and several verdicts have one id; all of them are explained.
    let named = runs.named(name, &all)?.into_iter();
    let texts = named.map(|cluster| {
        Ok(explanation(&Explained {
            cluster,
            findings: runs.findings.iter().filter(|finding| cluster.has(finding)).collect(),
            example: example(&runs.journals, cluster)?,
            folder: runs.written_example(cluster).map(Utf8PathBuf::into_string),
        }))
    });
    print(&texts.collect::<Result<Vec<_>>>().map_err(bad_input)?.join("\n"))?;
    Ok(Exit::NothingNew)
}

pub fn report(
    folders: &[Utf8PathBuf],
    format: Format,
    out: Option<&Utf8Path>,
    flags: &KnownFlags,
) -> Result<Exit, Failure> {
    let runs = Runs::read(folders)?;
    let journals = &runs.journals;
    let known = flags.read()?;
    let mut clusters = runs.merged_clusters(&known)?;
    for cluster in &mut clusters {
        cluster.example = runs.written_example(cluster).map(|example| match journals.as_slice() {
            [run] => example.strip_prefix(&run.folder.0).unwrap_or(&example).to_string(),
            _ => example.into_string(),
        });
    }
    let text = match format {
        // `filing` handles these formats for a single finding.
        Format::Text | Format::Bugzilla | Format::Github | Format::Markdown => {
            overview(journals, &clusters, flags.listed(&known))
                + &inconsistent(journals).map_err(bad_input)?
        }
        Format::Json => serde_json::to_string_pretty(&document(journals, clusters))? + "\n",
        Format::Junit => suites(journals, &clusters)?,
        Format::Html => {
            let campaign = Campaign { journals, clusters: &clusters, known: &known };
            let out = out.map_or_else(|| journals[0].folder.0.join("html"), Utf8Path::to_path_buf);
            format!("{}\n", write_pages(&campaign, &out).map_err(bad_input)?)
        }
    };
    print(&text)?;
    Ok(Exit::NothingNew)
}

/// Write the examples and the report of the run in `folder`; returns the report's text.
pub fn conclude(folder: &RunFolder, known: &Known, flags: &KnownFlags) -> Result<(String, Exit)> {
    let journal = journal::read(folder)?;
    let mut clusters = known.clusters(&journal.findings());
    write_examples(&journal, &mut clusters)?;
    let records = &journal.records;
    let exit = if clusters.iter().any(Cluster::is_news) {
        Exit::News
    } else if !records.is_empty() && !records.iter().any(JobRecord::is_profiled) {
        Exit::BadInput
    } else {
        Exit::NothingNew
    };
    let journals = [journal];
    let report = overview(&journals, &clusters, flags.listed(known)) + &inconsistent(&journals)?;
    journal::write_atomically(&folder.report(), visible(&report).as_bytes())?;
    Ok((report, exit))
}

pub fn man_pages(folder: &Utf8Path) -> Result<Exit, Failure> {
    fs_err::create_dir_all(folder)?;
    clap_mangen::generate_to(Cli::command(), folder)?;
    Ok(Exit::NothingNew)
}
