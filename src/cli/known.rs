//! `recount known`: the clusters that are understood, and whether each still shows.

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;

use super::exit::{Exit, Failure, bad_input, ours};
use super::flags::KnownFlags;
use super::print::print;
use super::setup::{own_binary, profilers};
use crate::campaign::{Job, Plan, ProgramCache, inspect};
use crate::config::{File, Settings};
use crate::corpus::Source;
use crate::journal::write_atomically;
use crate::model::{Outcome, ProfilerInfo, SIGNATURE_VERSION};
use crate::report::known_table;
use crate::sys::{ScratchRoot, install_interrupt};
use crate::toolchain::{Probed, Worker};
use crate::triage::{Known, KnownCluster};

impl KnownFlags {
    /// The clusters that are known.
    pub fn read(&self) -> Result<Known, Failure> {
        read(self.known.as_deref())
    }

    /// These, if they are to be listed.
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
        print(&known_table(&known)).map_err(ours)?;
        return Ok(Exit::NothingNew);
    }
    let checker = Checker::new()?;
    let each = known.entries.par_iter().enumerate();
    let checked = each.map(|(index, entry)| checker.check(index, entry)).collect::<Result<Vec<_>>>();
    conclude(&known, &checked.map_err(ours)?, file.or(Known::source_file())).map_err(ours)
}

/// What became of an entry.
enum Fate {
    /// None of its profilers is here.
    Skipped,
    /// It shows what it says.
    Shows,
    /// It shows the verdict, and nothing else of its relation, under another signature or version.
    Moved(String),
    /// It does not; in words what it shows.
    Gone(String),
}

/// An entry's fate, and how many of its profilers are here and how many not.
struct Checked {
    fate: Fate,
    here: usize,
    missing: usize,
}

/// What is needed to check an entry.
struct Checker {
    profilers: Vec<Probed>,
    /// Holds the scratch folder, which goes with it.
    _scratch: ScratchRoot,
    root: Utf8PathBuf,
}

impl Checker {
    fn new() -> Result<Checker, Failure> {
        let all = File { profilers: Some(vec!["all".into()]), ..File::default() };
        let profilers = profilers(&Settings::merge(None, all).map_err(ours)?)?;
        install_interrupt().map_err(ours)?;
        let scratch = ScratchRoot::new().map_err(ours)?;
        let root = scratch.path().to_path_buf();
        Ok(Checker { profilers, _scratch: scratch, root })
    }

    /// Derive the signature of `entry`, the `index`th, anew under each of its profilers that is here.
    fn check(&self, index: usize, entry: &KnownCluster) -> Result<Checked> {
        let is_named = |profiler: &&Probed| entry.profilers.contains(&profiler.info().compiler);
        let here = self.profilers.iter().filter(is_named);
        let found: BTreeSet<&str> = here.map(|profiler| profiler.info().compiler.as_str()).collect();
        let missing = entry.profilers.iter().filter(|name| !found.contains(name.as_str())).count();
        let relations = Some(vec![entry.relation]);
        let settings = Settings::merge(None, File { relations, ..File::default() })?;
        let sources = [Source::given(&entry.name, &entry.source)];
        // Others may be its peer, or tell the truth for it.
        let infos: Vec<ProfilerInfo> =
            self.profilers.iter().map(|profiler| profiler.info().clone()).collect();
        let plan = Plan::new(&sources, &infos, 0);
        let jobs: Vec<&Job> =
            plan.jobs.iter().filter(|job| is_named(&&self.profilers[job.profiler])).collect();
        let memory = ProgramCache::new(&self.profilers, jobs.iter().copied());
        let folder = self.root.join(format!("w{index}"));
        let mut worker = Worker::new(folder, own_binary(), settings.limits.clone());
        let mut shown = Vec::new();
        for job in jobs {
            let profiler = &*self.profilers[job.profiler];
            let source = &sources[job.source];
            let record = inspect(job, source, profiler, &mut worker, &memory, &settings)?.record;
            let of_verdict = record.findings.iter().filter(|finding| finding.verdict == entry.verdict);
            let signatures: BTreeSet<String> = of_verdict.map(|finding| finding.signature.clone()).collect();
            let because = match &record.outcome {
                Outcome::Profiled => record.no_truth.clone(),
                outcome => Some(outcome.reason().unwrap_or_else(|| outcome.name().to_string())),
            };
            shown.push(Shown { compiler: profiler.info().compiler.clone(), signatures, because });
        }
        Ok(Checked { fate: fate(entry, &shown), here: found.len(), missing })
    }
}

/// What the program of an entry shows under one compiler.
struct Shown {
    compiler: String,
    /// Signatures of the entry's verdict.
    signatures: BTreeSet<String>,
    /// Why there is no report or no truth, where there is none.
    because: Option<String>,
}

/// What it means for `entry` that its program shows this.
fn fate(entry: &KnownCluster, shown: &[Shown]) -> Fate {
    let Some(Shown { signatures: first, .. }) = shown.first() else { return Fate::Skipped };
    let without = shown.iter().find(|shown| !shown.signatures.contains(&entry.signature));
    match (without, first.first()) {
        (None, _) if entry.signature_version == SIGNATURE_VERSION => Fate::Shows,
        (None, _) => Fate::Moved(entry.signature.clone()),
        // All compilers agree on one other signature: it is the way of signing that changed.
        (Some(_), Some(only)) if first.len() == 1 && shown.iter().all(|shown| shown.signatures == *first) => {
            Fate::Moved(only.clone())
        }
        (Some(Shown { compiler, signatures, because }), _) => {
            let instead: Vec<&str> = signatures.iter().map(String::as_str).collect();
            let instead = if instead.is_empty() { "nothing".into() } else { instead.join(" and ") };
            let because = because.as_ref().map(|because| format!(" ({because})")).unwrap_or_default();
            let verdict = entry.verdict.name();
            Fate::Gone(format!("under {compiler}, whose {verdict} findings are {instead}{because}"))
        }
    }
}

/// Whether an entry other than the `index`th has or gets the signature `to`.
fn is_taken(known: &Known, index: usize, to: &str, moved: &[(usize, String)]) -> bool {
    let verdict = known.entries[index].verdict;
    let has = |other: usize| other != index && known.entries[other].verdict == verdict;
    let mut standing = known.entries.iter().enumerate();
    standing.any(|(other, entry)| has(other) && entry.signature == to)
        || moved.iter().any(|(other, signature)| has(*other) && signature == to)
}

/// Say what became of each entry, and write to `file` the signatures that moved.
fn conclude(known: &Known, checked: &[Checked], file: Option<&Utf8Path>) -> Result<Exit> {
    let mut out = String::new();
    let (mut moved, mut gone, mut skipped) = (Vec::new(), 0, 0);
    for (index, (entry, checked)) in known.entries.iter().zip(checked).enumerate() {
        let KnownCluster { place, name, signature, .. } = entry;
        match &checked.fate {
            Fate::Shows => {}
            Fate::Skipped => {
                skipped += 1;
                writeln!(out, "{place}: {name} is not checked: no {} here", entry.profilers.join(", "))?;
            }
            Fate::Gone(instead) => {
                gone += 1;
                writeln!(out, "{place}: {name} does not show {signature} {instead}")?;
            }
            // A file has each signature once, so two entries cannot go to the same one.
            Fate::Moved(to) if is_taken(known, index, to, &moved) => {
                gone += 1;
                writeln!(
                    out,
                    "{place}: {name} does not show {signature}, but what is another entry's: {to}"
                )?;
            }
            Fate::Moved(to) if file.is_some() => {
                let version = entry.signature_version;
                writeln!(out, "{place}: {name} moved from {signature} (version {version}) to {to}")?;
                moved.push((index, to.clone()));
            }
            // The binary knows it by a signature that no finding has any more.
            Fate::Moved(to) => {
                gone += 1;
                writeln!(
                    out,
                    "{place}: {name} moved from {signature} to {to}; --file names the file to mend"
                )?;
            }
        }
    }
    if let (Some(file), false) = (file, moved.is_empty()) {
        write_atomically(file, known.signed_anew(&moved).as_bytes())?;
    }
    let entries = known.entries.len();
    let here: usize = checked.iter().map(|checked| checked.here).sum();
    let missing: usize = checked.iter().map(|checked| checked.missing).sum();
    writeln!(
        out,
        "{entries} known clusters: {} show their verdict, {} of them moved, {gone} do not, {skipped} are not \
         checked; {here} profiles, {missing} skipped for want of the profiler.",
        entries - gone - skipped,
        moved.len(),
    )?;
    print(&out)?;
    Ok(if gone > 0 { Exit::NotThere } else { Exit::NothingNew })
}
