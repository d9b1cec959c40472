//! `recount explain CLUSTER`: everything that the journals contain about a cluster.

use anyhow::Result;
use camino::Utf8PathBuf;

use super::exit::{Exit, Failure, bad_input};
use super::print::print;
use super::runs::Runs;
use crate::report::{Known, example, explanation};
use crate::triage::clusters;

pub fn explain(name: &str, folders: &[Utf8PathBuf]) -> Result<Exit, Failure> {
    let runs = Runs::read_or_newest(folders)?;
    let all = clusters(&runs.findings);
    // Clusters of one signature and several verdicts have one id; all of them are explained.
    let named = runs.named(name, &all)?.into_iter();
    let texts = named.map(|cluster| {
        Ok(explanation(&Known {
            cluster,
            findings: runs.findings.iter().filter(|finding| cluster.has(finding)).collect(),
            example: example(&runs.journals, cluster)?,
            folder: runs.written_example(cluster).map(Utf8PathBuf::into_string),
        }))
    });
    print(&texts.collect::<Result<Vec<_>>>().map_err(bad_input)?.join("\n"))?;
    Ok(Exit::NothingNew)
}
