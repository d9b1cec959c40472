//! One job from source to record.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::{Job, ProgramCache};
use crate::compare::Comparison;
use crate::config::Settings;
use crate::corpus::Source;
use crate::coverage::Coverage;
use crate::journal::{Counts, JobRecord, Replay, Sites, Tally};
use crate::model::{Family, Outcome, ProfilerInfo, RelationName};
use crate::relation::{Delete, DeletionVariants, mutant};
use crate::syntax::{DEEPEST, Pass, Program, StatementId, replaced, shrinks};
use crate::sys::{is_disk_full, requested};
use crate::toolchain::{
    Confidence, Detail, Profiler, Report, Request, Worker, compile_flags, condition_flag,
};
use crate::triage::{
    Lab, Peer, PeerProfile, Rewritten, Subject, VariantResult, contradictions, examine, explain, rewritten,
};
use crate::truth::{NoTruth, TruthResult};

/// What a job gives.
#[derive(Debug)]
pub struct JobResult {
    /// Its record.
    pub record: JobRecord,
    /// The text of P; empty where it cannot be read.
    pub source: String,
    /// What stands beside the lines of P; empty where it was not profiled.
    pub counts: Counts,
    /// What really ran, where P was profiled.
    pub told: Option<Arc<TruthResult>>,
}

/// Profile the program of `job`, test every relation on it, and explain what differs.
pub fn inspect(
    job: &Job,
    source: &Source,
    profiler: &dyn Profiler,
    worker: &mut Worker,
    memory: &ProgramCache,
    settings: &Settings,
) -> Result<JobResult> {
    let mut record = empty_record(job, source, profiler);
    let shared = memory.about(job);
    let program = match shared.program(|| typed(job, source, settings)) {
        Ok(program) => program,
        // Neither is a result: the job is done when there is room, or when the run is resumed.
        Err(error) if is_disk_full(&error) || requested() => return Err(error),
        Err(error) => return Ok(unreadable(record, format!("{error:#}"))),
    };
    let program = &*program;
    record.source = blake3::hash(program.source.as_bytes()).to_hex()[..16].to_string();
    if program.is_too_deep {
        return Ok(unreadable(record, format!("{}: nested more than {DEEPEST} levels deep", source.file)));
    }
    record.tally.error_nodes = program.error_nodes;
    let flags = flags_of(source, profiler.info(), settings);
    let request = Request {
        folder: source.folder(),
        flags: &flags,
        detail: detail(settings),
        confidence: Confidence::Exploratory,
        ..Request::new(&program.source, &job.input)
    };
    let limit = source.sidecar.seconds.map_or(Duration::MAX, Duration::from_secs);
    worker.limit_runs(limit, "`seconds` in its sidecar");
    let report = match profiler.profile(worker, &request)? {
        Ok(report) => report,
        Err(outcome) => {
            record.outcome = outcome;
            return Ok(JobResult {
                record,
                source: program.source.clone(),
                counts: Counts::default(),
                told: None,
            });
        }
    };
    record.dialect = report.dialect;
    let told = if settings.wants_truth() {
        shared.knowledge.of(profiler, worker, program, &request, &report)?
    } else {
        Arc::new(Err(NoTruth::NotAsked))
    };
    record.no_truth = told.as_ref().as_ref().err().map(ToString::to_string);
    let has_peer = settings.relations.contains(&RelationName::Peer);
    let peer = if has_peer { shared.knowledge.peer(worker, &request)? } else { None };
    let peer = peer.as_ref().and_then(|peer| beside_ours(peer, &report, settings));
    record.sites = peer.map(|peer| Sites::of(&report.coverage, peer.report));
    let mut subject = Subject::new(profiler, worker, program, &report, request, &told, &shared.knowledge);
    subject.peer = peer;
    // Profilers that a relation tells the same are given the same variants: what one shows and another does not is
    // then their own.
    let drawn_for = format!("{}|{}", job.program(source), job.input.name);
    for name in &settings.relations {
        let mut rng = generator(settings.seed, &format!("{drawn_for}|{}", name.name()));
        if *name == RelationName::Delete {
            let delete = Delete::new(settings.delete.clone());
            let mut lab = Lab::new(&mut subject, &delete, settings.triage.tests);
            let before = record.tally;
            test(&mut lab, &mut rng, &mut record, settings)?;
            record.relations.insert(*name, record.tally - before);
        } else if name.rewrites() {
            let made = rewritten(&mut subject, *name, &mut rng, settings)?;
            add(&mut record, *name, made);
        } else {
            let found = contradictions(&subject, *name);
            record.keep(examine(&mut subject, *name, &found, &settings.triage)?);
        }
    }
    let counts = beside(&report.coverage, &told, profiler.info().profiler);
    if !record.findings.is_empty() {
        record.commands = profiler.commands(&flags, &job.input, report.dialect);
        record.replay = Some(Replay {
            flags: compile_flags(profiler.info().profiler, &request, report.dialect),
            args: job.input.args.clone(),
            stdin: job.input.stdin.clone(),
            runs: 1,
            commands: Vec::new(),
        });
        record.counts = counts.clone();
    }
    Ok(JobResult { record, source: program.source.clone(), counts, told: Some(told) })
}

/// The program that `job` is about.
fn typed(job: &Job, source: &Source, settings: &Settings) -> Result<String> {
    let text = source.read()?;
    let text = if settings.rewrite.normalise { normal(text) } else { text };
    Ok(mutated(job, source, &text, settings).unwrap_or(text))
}

/// A job whose program cannot be read.
fn unreadable(mut record: JobRecord, reason: String) -> JobResult {
    record.outcome = Outcome::Unreadable { reason };
    JobResult { record, source: String::new(), counts: Counts::default(), told: None }
}

/// The program's flags, and the one by which `profiler` counts conditions, if it is to.
fn flags_of(source: &Source, profiler: &ProfilerInfo, settings: &Settings) -> Vec<String> {
    let asked = settings.conditions.then(|| condition_flag(profiler.profiler, profiler.major())).flatten();
    source.sidecar.flags.iter().cloned().chain(asked.map(String::from)).collect()
}

/// How much of the report on P the relations and the verdicts read.
fn detail(settings: &Settings) -> Detail {
    let has = |relation| settings.relations.contains(&relation);
    if has(RelationName::Views) {
        Detail::Full
    } else if settings.wants_truth() || has(RelationName::Flow) {
        Detail::Parts
    } else {
        Detail::Lines
    }
}

/// The mutated copy that `job` is about, if it is about one. It depends on the seed and the program alone.
fn mutated(job: &Job, source: &Source, text: &str, settings: &Settings) -> Option<String> {
    if job.mutant == 0 {
        return None;
    }
    let mut rng = generator(settings.seed, &job.program(source));
    mutant(&Program::parse(text.to_string()), &mut rng)
}

/// `text` with one statement a line. That changes nothing but white space, so it means what it meant,
/// unless it knows its lines.
fn normal(text: String) -> String {
    match shrinks(&text, Pass::Layout).first() {
        Some(everything) => replaced(&text, everything),
        None => text,
    }
}

/// The peer's report, if the program did the same under it; else the two counted different runs.
fn beside_ours<'a>(peer: &'a PeerProfile, ours: &Report, settings: &Settings) -> Option<Peer<'a>> {
    let theirs = peer.profile.as_ref().as_ref().ok().filter(|theirs| theirs.execution == ours.execution)?;
    let family = peer.profiler.info().profiler;
    Some(Peer { family, report: &theirs.coverage, weak: settings.peer.weak })
}

/// What a relation that rewrites gave.
fn add(record: &mut JobRecord, relation: RelationName, made: Rewritten) {
    let Rewritten { findings, variants, compiled, alike, differing, tests, refused, incomparable } = made;
    let tally = Tally { variants, compiled, alike, differing, tests, ..Tally::default() };
    record.tally += tally;
    record.relations.insert(relation, tally);
    record.refused.extend(refused);
    for (reason, count) in incomparable {
        *record.incomparable.entry(reason).or_default() += count;
    }
    record.keep(findings);
}

/// What stands beside the lines of P.
fn beside(report: &Coverage, told: &TruthResult, family: Family) -> Counts {
    let truth = told.as_ref().map_or_else(|_| Vec::new(), |truth| truth.lines(family));
    Counts { program: report.lines(), truth, ..Counts::default() }
}

/// A generator that depends on the seed and the job alone.
fn generator(seed: u64, id: &str) -> ChaCha8Rng {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&seed.to_le_bytes());
    hasher.update(id.as_bytes());
    ChaCha8Rng::from_seed(*hasher.finalize().as_bytes())
}

fn test(
    lab: &mut Lab<'_, '_>,
    rng: &mut ChaCha8Rng,
    record: &mut JobRecord,
    settings: &Settings,
) -> Result<()> {
    let report: &Report = lab.subject.report;
    let deletions = lab.delete.variants(lab.subject.program, &report.coverage, rng);
    let budget = lab.budget + deletions.variants.len();
    lab.budget = budget;
    let observed = observe(lab, &deletions, record)?;
    let deleted = deleted(lab.subject.program, &deletions.unexecuted, &observed);
    record.tally += Tally { unexecuted: deletions.unexecuted.len(), deleted, ..Tally::default() };
    let findings = explain(lab, &observed, &settings.triage)?;
    record.tally.tests += (budget - lab.budget).saturating_sub(deletions.variants.len());
    record.keep(findings);
    Ok(())
}

/// Profile every proposed variant; one that does not compile is repaired.
fn observe(
    lab: &mut Lab<'_, '_>,
    deletions: &DeletionVariants,
    record: &mut JobRecord,
) -> Result<Vec<VariantResult>> {
    let mut observed = Vec::new();
    for statements in &deletions.variants {
        record.tally.variants += 1;
        let mut statements = statements.clone();
        let mut comparison = lab.compare(&statements)?;
        if let Comparison::Incomparable(Outcome::DoesNotCompile { reason }) = &comparison {
            record.refused.push(reason.clone());
            let Some(repaired) = lab.repair(&statements)? else { continue };
            comparison = lab.compare(&repaired)?;
            statements = repaired;
        } else {
            record.tally.compiled += 1;
        }
        match comparison {
            Comparison::Compared(differences) => {
                record.tally.differing += usize::from(!differences.is_empty());
                observed.push(VariantResult { statements, differences });
            }
            Comparison::Incomparable(outcome) => {
                *record.incomparable.entry(outcome.name().to_string()).or_default() += 1;
            }
        }
    }
    Ok(observed)
}

/// How many of `unexecuted` were gone in at least one variant.
fn deleted(program: &Program, unexecuted: &[StatementId], observed: &[VariantResult]) -> usize {
    let statements: BTreeSet<StatementId> =
        observed.iter().flat_map(|seen| seen.statements.iter().copied()).collect();
    let gone = |id: &&StatementId| {
        let mut at = Some(**id);
        while let Some(id) = at {
            if statements.contains(&id) {
                return true;
            }
            at = program.statement(id).parent;
        }
        false
    };
    unexecuted.iter().filter(gone).count()
}

fn empty_record(job: &Job, source: &Source, profiler: &dyn Profiler) -> JobRecord {
    JobRecord {
        job: job.id.clone(),
        program: job.program(source),
        file: source.file.clone(),
        input: job.input.name.clone(),
        compiler: profiler.info().compiler.clone(),
        outcome: Outcome::Profiled,
        source: String::new(),
        dialect: 0,
        no_truth: None,
        tally: Tally::default(),
        relations: BTreeMap::new(),
        sites: None,
        refused: Vec::new(),
        incomparable: BTreeMap::new(),
        commands: Vec::new(),
        replay: None,
        counts: Counts::default(),
        findings: Vec::new(),
        failed: None,
    }
}

/// The record of a job that ended by a failure of ours.
pub(super) fn failed(job: &Job, source: &Source, profiler: &dyn Profiler, reason: String) -> JobRecord {
    JobRecord { failed: Some(reason), ..empty_record(job, source, profiler) }
}
