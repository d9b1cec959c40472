//! `recount triage`, `recount explain`, `recount report`, the report at the end of a run, and the man pages.

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};
use clap::CommandFactory;

use super::flags::{Cli, Format};
use super::known_flags::KnownFlags;
use super::output::{Exit, Failure, bad_input, print};
use super::require_flags::RequireFlags;
use super::runs::Runs;
use crate::journal::{self, JobRecord, Journal, RunFolder};
use crate::model::Cluster;
use crate::report::{
    Campaign, Explained, RunSet, Unchecked, changes, document, example, explanation, inconsistent, overview,
    suites, visible, write_examples, write_pages,
};
use crate::triage::{Known, clusters};

pub fn triage(
    folders: &[Utf8PathBuf],
    against: &[Utf8PathBuf],
    flags: &KnownFlags,
    required: &RequireFlags,
) -> Result<Exit, Failure> {
    let runs = Runs::read(folders)?;
    let known = flags.read()?;
    let all = runs.merged_clusters(&known)?;
    for journal in &runs.journals {
        write_examples(journal, &mut clusters(&journal.findings()))?;
    }
    let unchecked = Unchecked::of_journals(&runs.journals);
    if !against.is_empty() {
        let earlier = Runs::read(against)?;
        let before = earlier.merged_clusters(&known)?;
        let now = RunSet { journals: &runs.journals, clusters: &all };
        let changes = changes(now, RunSet { journals: &earlier.journals, clusters: &before });
        print(&format!("{}\n{}", changes.text, unchecked.text()))?;
        let exit = if changes.has_new_wrong() { Exit::News } else { Exit::NothingNew };
        return Ok(required.exit(&unchecked, exit));
    }
    print(&whole_report(&runs.journals, &all, flags.listed(&known)).map_err(bad_input)?)?;
    let exit = if all.iter().any(Cluster::is_news) { Exit::News } else { Exit::NothingNew };
    Ok(required.exit(&unchecked, exit))
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
            whole_report(journals, &clusters, flags.listed(&known)).map_err(bad_input)?
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

/// The report of runs as text. It ends with what was not checked.
fn whole_report(journals: &[Journal], clusters: &[Cluster], listed: Option<&Known>) -> Result<String> {
    let unchecked = Unchecked::of_journals(journals).text();
    Ok(format!("{}{}\n{unchecked}", overview(journals, clusters, listed), inconsistent(journals)?))
}

/// The report of a run.
pub struct Conclusion {
    pub text: String,
    pub exit: Exit,
    pub unchecked: Unchecked,
}

/// Write the examples and the report of the run in `folder`.
pub fn conclude(folder: &RunFolder, known: &Known, flags: &KnownFlags) -> Result<Conclusion> {
    let journal = journal::read(folder)?;
    let mut clusters = known.clusters(&journal.findings());
    write_examples(&journal, &mut clusters)?;
    let records = &journal.records;
    let exit = if records.iter().any(|record| record.failed.is_some()) {
        Exit::Ours
    } else if clusters.iter().any(Cluster::is_news) {
        Exit::News
    } else if !records.is_empty() && !records.iter().any(JobRecord::is_profiled) {
        Exit::BadInput
    } else {
        Exit::NothingNew
    };
    let journals = [journal];
    let text = whole_report(&journals, &clusters, flags.listed(known))?;
    journal::write_atomically(&folder.report(), visible(&text).as_bytes())?;
    Ok(Conclusion { text, exit, unchecked: Unchecked::of_journals(&journals) })
}

pub fn man_pages(folder: &Utf8Path) -> Result<Exit, Failure> {
    fs_err::create_dir_all(folder).map_err(bad_input)?;
    clap_mangen::generate_to(Cli::command(), folder)?;
    Ok(Exit::NothingNew)
}
