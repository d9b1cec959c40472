//! The example of a cluster: the smallest program with the newest version. Its folder holds the program, the variant,
//! the commands, the finding, and a script that reproduces it without recount.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;

use anyhow::Result;

use super::reproduce;
use crate::journal::{
    Counts, FindingBundle, FindingFolder, JobRecord, Journal, Replay, RunFolder, write_atomically,
};
use crate::model::{Cluster, Count, Culprit, Finding, Kind, major};
use crate::syntax::render;
use crate::triage::cluster_id;

#[derive(Clone, Debug)]
pub struct Example<'a> {
    /// The program's text.
    pub source: String,
    /// The text of the included file that the finding is about.
    pub included: Option<String>,
    pub record: &'a JobRecord,
    pub finding: &'a Finding,
}

/// The best finding of `cluster`; among equals, the first run's.
pub fn example<'a>(journals: &'a [Journal], cluster: &Cluster) -> Result<Option<Example<'a>>> {
    best(journals.iter().flat_map(|journal| shown_in(journal, cluster)))
}

/// The best of the findings in `found`, each with the folder of its run: with the newest version, because
/// maintainers ask for that one, and among these in the shortest program; among equals, the first.
fn best<'a>(
    found: impl IntoIterator<Item = (&'a RunFolder, &'a JobRecord, &'a Finding)>,
) -> Result<Option<Example<'a>>> {
    let ranked = found.into_iter().map(|(folder, record, finding)| {
        let length = fs_err::metadata(folder.blob(&record.source))?.len();
        Ok(((Reverse(major(&record.compiler)), length), folder, record, finding))
    });
    let best = ranked.collect::<Result<Vec<_>>>()?.into_iter().min_by_key(|(rank, ..)| *rank);
    let Some((_, folder, record, finding)) = best else { return Ok(None) };
    Example::read(folder, record, finding).map(Some)
}

/// The findings of `cluster` in one run: one for each job, sorted by job, so that the best one does not depend on which
/// job finished first.
fn shown_in<'a>(journal: &'a Journal, cluster: &Cluster) -> Vec<(&'a RunFolder, &'a JobRecord, &'a Finding)> {
    let shows = |record: &'a JobRecord| {
        let finding = record.findings.iter().find(|finding| cluster.has(finding))?;
        Some((&journal.folder, record, finding))
    };
    journal.sorted().into_iter().filter_map(shows).collect()
}

/// The example of `cluster` that was written, with its folder, else the best finding. A reduced example is better than
/// one that is not; otherwise they rank as in `best`.
pub fn written_or_best(
    journals: &[Journal],
    cluster: &Cluster,
) -> Result<Option<(Option<FindingFolder>, FindingBundle)>> {
    let id = cluster_id(&cluster.signature);
    let of_run = |journal: &Journal| journal.folder.example(&id);
    let read = |folder: FindingFolder| folder.read().map(|bundle| (Some(folder), bundle));
    let found: Vec<_> =
        journals.iter().map(of_run).filter(FindingFolder::exists).map(read).collect::<Result<_>>()?;
    // If two verdicts share an id, the folder belongs to the first.
    let own = found.into_iter().filter(|(_, bundle)| bundle.finding.verdict == cluster.verdict);
    let written = own.min_by_key(|(_, bundle)| {
        (bundle.reduction.is_none(), Reverse(major(&bundle.finding.compiler)), bundle.program.len())
    });
    let best = || Ok(example(journals, cluster)?.map(|example| (None, example.bundle())));
    written.map_or_else(best, |written| Ok(Some(written)))
}

/// Write an example for each cluster of the run, and store its path in the cluster.
pub fn write_examples(journal: &Journal, clusters: &mut [Cluster]) -> Result<()> {
    let mut written = BTreeSet::new();
    for cluster in clusters {
        let Some(example) = example(std::slice::from_ref(journal), cluster)? else { continue };
        let id = &example.finding.cluster;
        // Clusters of one signature and two verdicts share a folder. It belongs to the first, and the files of the other
        // must not be mixed in.
        let own = journal.folder.example(id);
        // A reduced example is better, and was expensive.
        if written.insert(id.clone()) && !own.is_reduced() {
            write(&own, &example.bundle())?;
        }
        cluster.example = Some(format!("examples/{id}"));
    }
    Ok(())
}

/// Write the folder of a finding, with its script.
pub fn write(folder: &FindingFolder, bundle: &FindingBundle) -> Result<()> {
    folder.write(bundle)?;
    let path = folder.script();
    match reproduce::script(bundle) {
        Some(text) => {
            write_atomically(&path, text.as_bytes())?;
            Ok(fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?)
        }
        // An earlier triage may have chosen another example.
        None if path.exists() => Ok(fs_err::remove_file(&path)?),
        None => Ok(()),
    }
}

impl<'a> Example<'a> {
    /// The example with the texts that the run in `folder` stored.
    pub fn read(folder: &RunFolder, record: &'a JobRecord, finding: &'a Finding) -> Result<Example<'a>> {
        let included = record
            .included_file(finding)
            .map(|included| fs_err::read_to_string(folder.blob(&included.source)));
        let source = fs_err::read_to_string(folder.blob(&record.source))?;
        Ok(Example { source, included: included.transpose()?, record, finding })
    }

    /// The bundle, with everything that the journal contains about the finding.
    pub fn bundle(&self) -> FindingBundle {
        let Example { source, included, record, finding } = self;
        let replay = record.replay.clone();
        let replay = replay.map(|replay| Replay { commands: record.commands.clone(), ..replay });
        let counts = record.included_file(finding).map_or(&record.counts, |included| &included.counts);
        let culprit = finding.culprit.as_ref();
        let bundle = FindingBundle {
            finding: (*finding).clone(),
            replay,
            program: source.clone(),
            included: included.clone(),
            variant: culprit.map(|culprit| render(source, &culprit.edits)),
            contrast: None,
            counts: Counts {
                variant: culprit.map_or_else(Vec::new, |culprit| variant_counts(&counts.program, culprit)),
                ..counts.clone()
            },
            original: None,
            reduction: None,
            versions: Vec::new(),
        };
        let Some(rewriting) = &finding.rewriting else { return bundle };
        let rewritten = render(source, &rewriting.edits);
        // If the behaviour differs, both programs are needed to show it.
        if finding.kind == Kind::Output {
            return FindingBundle { variant: Some(rewritten), ..bundle };
        }
        let (program, truth) = (rewriting.counts.clone(), rewriting.truth.clone());
        FindingBundle {
            replay: bundle.replay.map(|replay| replay.by(rewriting)),
            program: rewritten,
            counts: Counts { program, truth, ..Counts::default() },
            ..bundle
        }
    }
}

/// The counts of the variant: those of the program, except on edited lines and where they changed.
fn variant_counts(program: &[Count], culprit: &Culprit) -> Vec<Count> {
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

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;
    use serde_json::json;

    use super::super::reproduce::tests::{finding, record};
    use super::*;

    #[test]
    fn the_newest_version_ranks_before_the_shortest_program() {
        let temp = tempfile::tempdir().expect("a folder");
        let folder = RunFolder(Utf8PathBuf::try_from(temp.path().to_path_buf()).expect("UTF-8"));
        let finding = finding("truth", &json!({}));
        let found =
            [("gcc-9", "x"), ("gcc-17", "first"), ("gcc-17", "longer"), ("gcc-17", "later"), ("gcc-2", "")];
        let of = |(number, (compiler, text)): (usize, &(&str, &str))| {
            let source = number.to_string();
            write_atomically(&folder.blob(&source), text.as_bytes()).expect("a file");
            JobRecord { compiler: (*compiler).into(), source, ..record(&finding) }
        };
        let records: Vec<JobRecord> = found.iter().enumerate().map(of).collect();
        let found = best(records.iter().map(|record| (&folder, record, &finding)));
        let best = found.expect("the files are there").expect("one of them");
        assert_eq!((best.record.compiler.as_str(), best.source.as_str()), ("gcc-17", "first"));
        assert!(super::best([]).expect("nothing is read").is_none());
    }
}
