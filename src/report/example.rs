//! The folder of a cluster's smallest example: P, P', the commands, the finding, and a script that
//! shows it without us.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;

use anyhow::Result;

use super::reproduce;
use crate::journal::{
    Counts, Dossier, FindingFolder, JobRecord, Journal, Replay, RunFolder, write_atomically,
};
use crate::model::{Cluster, Count, Culprit, Finding};
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
        let own = FindingFolder(folder.example(id));
        // What has been reduced is better than what was found, and cost more.
        if written.insert(id.clone()) && !own.is_reduced() {
            write(&own, &example.dossier())?;
        }
        cluster.example = Some(format!("examples/{id}"));
    }
    Ok(())
}

/// Write the folder of a finding, its script included.
pub fn write(folder: &FindingFolder, dossier: &Dossier) -> Result<()> {
    folder.write(dossier)?;
    let path = folder.script();
    match reproduce::script(dossier) {
        Some(text) => {
            write_atomically(&path, text.as_bytes())?;
            Ok(fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?)
        }
        // The example of an earlier triage may have been another one.
        None if path.exists() => Ok(fs_err::remove_file(&path)?),
        None => Ok(()),
    }
}

impl Smallest<'_> {
    /// All that the journal knows of it.
    pub fn dossier(&self) -> Dossier {
        let Smallest { source, record, finding } = self;
        let replay = record.replay.clone();
        let replay = replay.map(|replay| Replay { commands: record.commands.clone(), ..replay });
        let culprit = finding.culprit.as_ref();
        if let Some(made) = &finding.rewriting {
            return Dossier {
                finding: (*finding).clone(),
                replay: replay.map(|replay| replay.by(made)),
                program: render(source, &made.edits),
                variant: None,
                contrast: None,
                counts: Counts {
                    program: made.counts.clone(),
                    truth: made.truth.clone(),
                    ..Counts::default()
                },
                original: None,
                reduction: None,
                versions: Vec::new(),
            };
        }
        Dossier {
            finding: (*finding).clone(),
            replay,
            program: source.clone(),
            variant: culprit.map(|culprit| render(source, &culprit.edits)),
            contrast: None,
            counts: Counts {
                variant: culprit.map_or_else(Vec::new, |culprit| moved(&record.counts.program, culprit)),
                ..record.counts.clone()
            },
            original: None,
            reduction: None,
            versions: Vec::new(),
        }
    }
}

/// The counts of P' by those of P, on the lines that they share.
pub(super) fn moved(program: &[Count], culprit: &Culprit) -> Vec<Count> {
    let mut counts = program.to_vec();
    let edited = culprit.lines.iter().flat_map(|(first, last)| *first..=*last).map(|line| (line, None));
    for (line, count) in edited.chain(culprit.moved.iter().copied()) {
        let index = (line as usize).saturating_sub(1);
        if counts.len() <= index {
            counts.resize(index + 1, None);
        }
        counts[index] = count;
    }
    counts
}
