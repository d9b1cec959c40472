//! `recount known`: list the known clusters, and check that each still reproduces.

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;

use super::known_flags::KnownFlags;
use super::output::{Exit, Failure, bad_input, print};
use super::setup::{own_binary, profilers};
use crate::campaign::Batch;
use crate::config::{File, Settings};
use crate::corpus::Source;
use crate::model::{Outcome, ProfilerInfo};
use crate::report::{known_table, number_of};
use crate::sys::{ScratchRoot, install_interrupt};
use crate::toolchain::{Probed, Worker};
use crate::triage::{Known, KnownCluster, KnownProgram};

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
    let programs: Vec<(&KnownCluster, &KnownProgram)> = known
        .entries
        .iter()
        .flat_map(|entry| entry.programs.iter().map(move |program| (entry, program)))
        .collect();
    let check = |(index, (entry, program)): (usize, &(&KnownCluster, &KnownProgram))| {
        check_program(entry, program, &profilers, scratch.path().join(format!("w{index}")))
    };
    let checked: Result<Vec<Checked>> = programs.par_iter().enumerate().map(check).collect();
    Ok(conclude(&known, &programs, &checked?)?)
}

/// The result of checking a program.
struct Checked {
    /// How many of its profilers are installed.
    installed: usize,
    /// For each installed profiler that does not show the root cause, what it shows.
    instead: Vec<String>,
}

/// Profile `program` with each of its profilers that is installed, and look for the signature of `entry`.
fn check_program(
    entry: &KnownCluster,
    program: &KnownProgram,
    profilers: &[Probed],
    folder: Utf8PathBuf,
) -> Result<Checked> {
    let is_named = |profiler: &ProfilerInfo| program.profilers.contains(&profiler.compiler);
    let relations = Some(vec![entry.relation()]);
    let conditions = Some(!program.without_conditions);
    let settings = Settings::merge(None, File { relations, conditions, ..File::default() })?;
    let mut source = Source::given(program.name(), &program.source);
    source.sidecar.flags.clone_from(&program.flags);
    let sources = [source];
    let (batch, jobs) = Batch::new(&sources, profilers, &settings);
    let mut worker = Worker::new(folder, own_binary(), settings.limits.clone());
    let mut checked = Checked { installed: 0, instead: Vec::new() };
    for job in jobs.iter().filter(|job| is_named(batch.profiler(job).info())) {
        checked.installed += 1;
        let record = batch.inspect(job, &mut worker)?.record;
        let of_verdict = record.findings.iter().filter(|finding| finding.verdict == entry.verdict);
        let signatures: BTreeSet<&str> = of_verdict.map(|finding| finding.signature.as_str()).collect();
        if signatures.contains(entry.signature().as_str()) {
            continue;
        }
        let because = match &record.outcome {
            Outcome::Profiled => record.no_truth.clone(),
            outcome => Some(outcome.reason().unwrap_or_else(|| outcome.name().to_string())),
        };
        let because = because.map(|because| format!(" ({because})")).unwrap_or_default();
        let instead: Vec<&str> = signatures.into_iter().collect();
        let instead = if instead.is_empty() { "nothing".into() } else { instead.join(" and ") };
        let (compiler, verdict) = (record.compiler, entry.verdict.name());
        checked.instead.push(format!("with {compiler}; its {verdict} findings are {instead}{because}"));
    }
    Ok(checked)
}

/// Print what the programs do not show.
fn conclude(known: &Known, programs: &[(&KnownCluster, &KnownProgram)], checked: &[Checked]) -> Result<Exit> {
    let mut out = String::new();
    let (mut failed, mut skipped) = (0, 0);
    for ((entry, program), Checked { installed, instead }) in programs.iter().zip(checked) {
        let KnownCluster { place, .. } = entry;
        let name = program.name();
        if *installed == 0 {
            skipped += 1;
            writeln!(out, "{place}: {name} is not checked: it needs {}", program.profilers.join(" or "))?;
        }
        failed += usize::from(!instead.is_empty());
        for instead in instead {
            writeln!(out, "{place}: {name} does not show {} {instead}", entry.signature())?;
        }
    }
    let installed: usize = checked.iter().map(|checked| checked.installed).sum();
    let missing = programs.iter().map(|(_, program)| program.profilers.len()).sum::<usize>() - installed;
    writeln!(
        out,
        "{} with {}: {} reproduced, {failed} not reproduced, {skipped} not checked. {}; {missing} skipped because the \
         profiler is not installed.",
        number_of(known.entries.len(), "known root cause"),
        number_of(programs.len(), "program"),
        programs.len() - failed - skipped,
        number_of(installed, "profile"),
    )?;
    print(&out)?;
    Ok(if failed > 0 { Exit::NotThere } else { Exit::NothingNew })
}
