//! The folder of a cluster's smallest example: P, P', the commands, the finding, and a script that
//! shows it without us.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;

use anyhow::Result;

use super::reproduce;
use crate::journal::{JobRecord, Journal, RunFolder, write_atomically};
use crate::model::{Cluster, Finding};
use crate::syntax::render;

/// A cluster's finding whose program is shortest.
#[derive(Clone, Debug)]
pub struct Smallest<'a> {
    /// The program's text.
    pub source: String,
    /// The job.
    pub record: &'a JobRecord,
    /// The finding.
    pub finding: &'a Finding,
}

/// The smallest example of `cluster` in the run in `folder`; among equals, the first by job, so
/// that it does not depend on who finished first.
pub fn smallest<'a>(
    folder: &RunFolder,
    journal: &'a Journal,
    cluster: &Cluster,
) -> Result<Option<Smallest<'a>>> {
    let mut smallest: Option<Smallest<'a>> = None;
    for record in journal.sorted() {
        let Some(finding) = record.findings.iter().find(|finding| cluster.has(finding)) else { continue };
        let source = fs_err::read_to_string(folder.blob(&record.source))?;
        if smallest.as_ref().is_none_or(|found| source.len() < found.source.len()) {
            smallest = Some(Smallest { source, record, finding });
        }
    }
    Ok(smallest)
}

/// Write an example for each cluster of the journal in `folder`, and say where in the cluster.
pub fn write_examples(folder: &RunFolder, journal: &Journal, clusters: &mut [Cluster]) -> Result<()> {
    let mut written = BTreeSet::new();
    for cluster in clusters {
        let Some(example) = smallest(folder, journal, cluster)? else { continue };
        let id = &example.finding.cluster;
        // Clusters of one signature and two verdicts share a folder; the first is the one to look
        // at, and must not find its files mixed with those of the other.
        if written.insert(id.clone()) {
            write(folder, &example)?;
        }
        cluster.example = Some(format!("examples/{id}"));
    }
    Ok(())
}

fn write(folder: &RunFolder, Smallest { source, record, finding }: &Smallest<'_>) -> Result<()> {
    let example = folder.example(&finding.cluster);
    write_atomically(&example.join("program.c"), source.as_bytes())?;
    let script = reproduce::script(finding, record, source);
    let stdin = record.replay.as_ref().map(|replay| &replay.stdin).filter(|stdin| !stdin.is_empty());
    let variant = finding.culprit.as_ref().map(|culprit| render(source, &culprit.edits));
    let optional = [
        ("variant.c", variant),
        ("stdin", stdin.filter(|_| script.is_some()).cloned()),
        ("reproduce.sh", script),
    ];
    for (name, text) in optional {
        let path = example.join(name);
        match text {
            Some(text) => write_atomically(&path, text.as_bytes())?,
            // The example of an earlier triage may have been another one.
            None if path.exists() => fs_err::remove_file(&path)?,
            None => {}
        }
    }
    let script = example.join("reproduce.sh");
    if script.exists() {
        fs_err::set_permissions(&script, std::fs::Permissions::from_mode(0o755))?;
    }
    let mut lines = String::new();
    for name in ["program", "variant"] {
        for command in &record.commands {
            lines.push_str(&command.replace("$1", name));
            lines.push('\n');
        }
    }
    write_atomically(&example.join("commands.txt"), lines.as_bytes())?;
    write_atomically(&example.join("finding.json"), &serde_json::to_vec_pretty(finding)?)
}
