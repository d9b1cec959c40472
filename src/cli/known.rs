//! `recount known`: list the known clusters, and check that each still reproduces.

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;

use super::flags::KnownFlags;
use super::output::{Exit, Failure, bad_input, print};
use super::setup::{own_binary, profilers};
use crate::campaign::Batch;
use crate::config::{File, Settings};
use crate::corpus::Source;
use crate::journal::write_atomically;
use crate::model::{Outcome, ProfilerInfo, SIGNATURE_VERSION};
use crate::report::{known_table, number_of};
use crate::sys::{ScratchRoot, install_interrupt};
use crate::toolchain::{Probed, Worker};
use crate::triage::{Known, KnownCluster};

impl KnownFlags {
    pub fn read(&self) -> Result<Known, Failure> {
        read(self.known.as_deref())
    }

    /// The known clusters, if the user wants them listed.
    pub fn listed<'a>(&self, known: &'a Known) -> Option<&'a Known> {
        self.show_known.then_some(known)
    }
}

/// The clusters of `file`, or the built-in ones.
pub(super) fn read(file: Option<&Utf8Path>) -> Result<Known, Failure> {
    file.map_or_else(|| Ok(Known::embedded()), Known::read).map_err(bad_input)
}

pub fn known(check: bool, file: Option<&Utf8Path>) -> Result<Exit, Failure> {
    let known = read(file)?;
    if !check {
        print(&known_table(&known))?;
        return Ok(Exit::NothingNew);
    }
    let all = File { profilers: Some(vec!["all".into()]), ..File::default() };
    let profilers = profilers(&Settings::merge(None, all)?)?;
    install_interrupt()?;
    let scratch = ScratchRoot::new()?;
    let check = |(index, entry)| check_entry(entry, &profilers, scratch.path().join(format!("w{index}")));
    let checked: Result<Vec<(Fate, usize)>> = known.entries.par_iter().enumerate().map(check).collect();
    Ok(conclude(&known, &checked?, file.or(Known::source_file()))?)
}

/// The result of checking an entry.
enum Fate {
    /// None of its profilers is installed.
    Skipped,
    Reproduced,
    /// Its program shows the verdict, but with another signature or version, and no other finding of its relation.
    Moved(String),
    /// Its program does not show the signature; the text says what it shows instead.
    NotReproduced(String),
}

/// Derive the signature of `entry` with each of its profilers that is installed; returns its fate, and how many of its
/// profilers are installed.
fn check_entry(entry: &KnownCluster, profilers: &[Probed], folder: Utf8PathBuf) -> Result<(Fate, usize)> {
    let is_named = |profiler: &ProfilerInfo| entry.profilers.contains(&profiler.compiler);
    let is_installed = |name: &&String| profilers.iter().any(|other| other.info().compiler == **name);
    let installed = entry.profilers.iter().filter(is_installed).count();
    let relations = entry.relation().map(|relation| vec![relation]);
    let settings = Settings::merge(None, File { relations, ..File::default() })?;
    let sources = [Source::given(&entry.name, &entry.source)];
    let (batch, jobs) = Batch::new(&sources, profilers, &settings);
    let mut worker = Worker::new(folder, own_binary(), settings.limits.clone());
    let mut shown = Vec::new();
    for job in jobs.iter().filter(|job| is_named(batch.profiler(job).info())) {
        let record = batch.inspect(job, &mut worker)?.record;
        let of_verdict = record.findings.iter().filter(|finding| finding.verdict == entry.verdict);
        let signatures: BTreeSet<String> = of_verdict.map(|finding| finding.signature.clone()).collect();
        let because = match &record.outcome {
            Outcome::Profiled => record.no_truth.clone(),
            outcome => Some(outcome.reason().unwrap_or_else(|| outcome.name().to_string())),
        };
        shown.push(Shown { compiler: record.compiler, signatures, because });
    }
    Ok((fate(entry, &shown), installed))
}

/// The findings on the program of an entry with one compiler.
struct Shown {
    compiler: String,
    /// Signatures of findings with the entry's verdict.
    signatures: BTreeSet<String>,
    /// Why there is no report or no ground truth.
    because: Option<String>,
}

fn fate(entry: &KnownCluster, shown: &[Shown]) -> Fate {
    let Some(Shown { signatures: first, .. }) = shown.first() else { return Fate::Skipped };
    let without = shown.iter().find(|shown| !shown.signatures.contains(entry.signature()));
    match (without, first.first()) {
        (None, _) if entry.signature_version() == SIGNATURE_VERSION => Fate::Reproduced,
        (None, _) => Fate::Moved(entry.signature().clone()),
        // All compilers agree on another signature, so the algorithm for signatures has changed.
        (Some(_), Some(only)) if first.len() == 1 && shown.iter().all(|shown| shown.signatures == *first) => {
            Fate::Moved(only.clone())
        }
        (Some(Shown { compiler, signatures, because }), _) => {
            let instead: Vec<&str> = signatures.iter().map(String::as_str).collect();
            let instead = if instead.is_empty() { "nothing".into() } else { instead.join(" and ") };
            let because = because.as_ref().map(|because| format!(" ({because})")).unwrap_or_default();
            let verdict = entry.verdict.name();
            Fate::NotReproduced(format!("with {compiler}; its {verdict} findings are {instead}{because}"))
        }
    }
}

/// Whether an entry other than the `index`th has the signature `to`, or gets it.
fn is_taken(known: &Known, index: usize, to: &str, moved: &[(usize, String)]) -> bool {
    let verdict = known.entries[index].verdict;
    let signatures = known.entries.iter().map(KnownCluster::signature).enumerate();
    let moved = moved.iter().map(|(other, signature)| (*other, signature));
    signatures.chain(moved).any(|(other, signature)| {
        other != index && known.entries[other].verdict == verdict && signature == to
    })
}

/// Print the result for each entry, and write the changed signatures to `file`.
fn conclude(known: &Known, checked: &[(Fate, usize)], file: Option<&Utf8Path>) -> Result<Exit> {
    let mut out = String::new();
    let (mut moved, mut not_reproduced, mut skipped) = (Vec::new(), 0, 0);
    for (index, (entry, (fate, _))) in known.entries.iter().zip(checked).enumerate() {
        let KnownCluster { place, name, .. } = entry;
        let (signature, version) = (entry.signature(), entry.signature_version());
        let said = match fate {
            Fate::Reproduced => continue,
            Fate::Skipped => {
                skipped += 1;
                format!("is not checked: it needs {}", entry.profilers.join(" or "))
            }
            Fate::NotReproduced(instead) => format!("does not show {signature} {instead}"),
            // Two entries cannot have one signature.
            Fate::Moved(to) if is_taken(known, index, to, &moved) => {
                format!("does not show {signature}, but the signature of another entry: {to}")
            }
            Fate::Moved(to) if file.is_some() => {
                moved.push((index, to.clone()));
                format!("moved from {signature} (version {version}) to {to}")
            }
            // The built-in list has a signature that no finding has any more.
            Fate::Moved(to) => format!("moved from {signature} to {to}; name the file to update with --file"),
        };
        let is_updated = moved.last().is_some_and(|(last, _)| *last == index);
        not_reproduced += usize::from(!is_updated && !matches!(fate, Fate::Skipped));
        writeln!(out, "{place}: {name} {said}")?;
    }
    if let (Some(file), false) = (file, moved.is_empty()) {
        write_atomically(file, known.signed_anew(&moved).as_bytes())?;
    }
    let installed: usize = checked.iter().map(|(_, installed)| installed).sum();
    let missing = known.entries.iter().map(|entry| entry.profilers.len()).sum::<usize>() - installed;
    writeln!(
        out,
        "{}: {} reproduced ({} with a new signature), {not_reproduced} not reproduced, {skipped} not checked. {}; \
         {missing} skipped because the profiler is not installed.",
        number_of(known.entries.len(), "known cluster"),
        known.entries.len() - not_reproduced - skipped,
        moved.len(),
        number_of(installed, "profile"),
    )?;
    print(&out)?;
    Ok(if not_reproduced > 0 { Exit::NotThere } else { Exit::NothingNew })
}
