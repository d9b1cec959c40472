//! The folder of a cluster's smallest example: P, P', the commands, the finding.

use anyhow::Result;

use crate::journal::{Journal, RunFolder, write_atomically};
use crate::model::{Cluster, Finding};
use crate::syntax::render;

/// Write an example for each cluster of the journal in `folder`, and say where in the cluster.
///
/// The example is the finding whose program is shortest; among equals, the first
/// by job, so that it does not depend on who finished first.
pub fn write_examples(folder: &RunFolder, journal: &Journal, clusters: &mut [Cluster]) -> Result<()> {
    for cluster in clusters {
        let mut smallest: Option<(usize, String, &Finding, &[String])> = None;
        for record in journal.sorted() {
            let of_cluster = |finding: &&Finding| {
                (&finding.signature, finding.verdict) == (&cluster.signature, cluster.verdict)
            };
            let Some(finding) = record.findings.iter().find(of_cluster) else { continue };
            let source = fs_err::read_to_string(folder.blob(&record.source))?;
            if smallest.as_ref().is_none_or(|(length, ..)| source.len() < *length) {
                smallest = Some((source.len(), source, finding, &record.commands));
            }
        }
        if let Some((_, source, finding, commands)) = smallest {
            write(folder, finding, &source, commands)?;
            cluster.example = Some(format!("examples/{}", finding.cluster));
        }
    }
    Ok(())
}

fn write(folder: &RunFolder, finding: &Finding, source: &str, commands: &[String]) -> Result<()> {
    let example = folder.example(&finding.cluster);
    write_atomically(&example.join("program.c"), source.as_bytes())?;
    if let Some(culprit) = &finding.culprit {
        write_atomically(&example.join("variant.c"), render(source, &culprit.edits).as_bytes())?;
    }
    let mut lines = String::new();
    for name in ["program", "variant"] {
        for command in commands {
            lines.push_str(&command.replace("$1", name));
            lines.push('\n');
        }
    }
    write_atomically(&example.join("commands.txt"), lines.as_bytes())?;
    write_atomically(&example.join("finding.json"), &serde_json::to_vec_pretty(finding)?)
}
