//! `recount explain CLUSTER`: everything that the journals know of a cluster.

use anyhow::{Result, anyhow};
use camino::{Utf8Path, Utf8PathBuf};

use super::exit::{Exit, Failure, bad_input, ours};
use super::flags::RUNS;
use super::print::print;
use super::report::read;
use crate::journal::{Journal, RunFolder};
use crate::model::{Cluster, Finding};
use crate::report::{Example, Known, example, explanation, shown_in};
use crate::triage::{cluster_id, clusters};

pub fn explain(name: &str, folders: &[Utf8PathBuf]) -> Result<Exit, Failure> {
    let folders = if folders.is_empty() { vec![newest(Utf8Path::new(RUNS))?] } else { folders.to_vec() };
    let journals = read(&folders)?;
    let findings: Vec<Finding> = journals.iter().flat_map(Journal::findings).collect();
    let all = clusters(&findings);
    // Clusters of one signature and several verdicts have one id; all of them are explained.
    let texts: Result<Vec<String>> = named(name, &all, &folders)?
        .into_iter()
        .map(|cluster| {
            let id = cluster_id(&cluster.signature);
            let written = folders.iter().map(|folder| RunFolder(folder.clone()).example(&id));
            Ok(explanation(&Known {
                cluster,
                findings: findings.iter().filter(|finding| cluster.has(finding)).collect(),
                example: example_of_all(&folders, &journals, cluster)?,
                folder: written.into_iter().find(|folder| folder.is_dir()).map(Utf8PathBuf::into_string),
            }))
        })
        .collect();
    print(&texts.map_err(bad_input)?.join("\n")).map_err(ours)?;
    Ok(Exit::NothingNew)
}

/// The clusters whose signature is `name`, or whose id begins with it.
pub(super) fn named<'a>(
    name: &str,
    all: &'a [Cluster],
    folders: &[Utf8PathBuf],
) -> Result<Vec<&'a Cluster>, Failure> {
    let mut found: Vec<&Cluster> = all.iter().filter(|cluster| cluster.signature == name).collect();
    if found.is_empty() && !name.is_empty() {
        found = all.iter().filter(|cluster| cluster_id(&cluster.signature).starts_with(name)).collect();
    }
    let Some(first) = found.first() else {
        let list = folders.iter().map(|folder| folder.as_str()).collect::<Vec<_>>().join(" ");
        let error = anyhow!("no cluster {name:?} in {list}; `recount report {list}` lists the clusters");
        return Err(Failure { error, exit: Exit::NotThere });
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

/// The best example of all runs; among equals, the first run's.
pub(super) fn example_of_all<'a>(
    folders: &[Utf8PathBuf],
    journals: &'a [Journal],
    cluster: &Cluster,
) -> Result<Option<Example<'a>>> {
    let runs = folders.iter().zip(journals);
    example(runs.flat_map(|(folder, journal)| shown_in(&RunFolder(folder.clone()), journal, cluster)))
}

/// The run in the folder `runs` whose journal was written last.
pub(super) fn newest(runs: &Utf8Path) -> Result<Utf8PathBuf, Failure> {
    let folders =
        runs.read_dir_utf8().into_iter().flatten().flatten().map(|entry| entry.path().to_path_buf());
    let written = |folder: Utf8PathBuf| {
        let journal = RunFolder(folder.clone()).journal();
        Some((journal.metadata().ok()?.modified().ok()?, folder))
    };
    let newest = folders.filter_map(written).max();
    newest.map(|(_, folder)| folder).ok_or_else(|| {
        bad_input(anyhow!(
            "no run in {runs}; name its folder, as in `recount explain CLUSTER DIR` or `recount report CLUSTER --run DIR`"
        ))
    })
}
