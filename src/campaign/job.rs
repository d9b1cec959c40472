//! Runs one job in five steps: prepare, profile, ground truth, relations, record.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use camino::Utf8Path;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::profiled::Profiled;
use super::program_cache::CachedProgram;
use super::{Batch, Job};
use crate::compare::Comparison;
use crate::config::{Settings, TriageSettings};
use crate::journal::{Checked, Counts, JobRecord, RelationResult, Replay, Sites};
use crate::model::{Finding, Outcome, RelationName};
use crate::relation::{Delete, DeletionVariants, mutant};
use crate::replay::{details, expected_counts, lines_to_keep};
use crate::syntax::{
    DEEPEST, InstrumentedFunction, Pass, Program, StatementId, candidate_edits, reads_input, replaced,
};
use crate::sys::{is_disk_full, requested};
use crate::toolchain::{
    Asked, Confidence, Detail, Report, Request, SOURCE, StepResult, Worker, compile_flags, condition_flags,
    counts_conditions, counts_paths, unsupported,
};
use crate::triage::{
    Peer, PeerProfile, Subject, VariantResult, VariantRunner, contradictions, examine, explain,
    one_per_element, rewritten,
};
use crate::truth::{NoTruth, TruthResult};

#[derive(Debug)]
pub struct JobResult {
    pub record: JobRecord,
    /// The text of the program; empty where it cannot be read.
    pub source: String,
    /// The counts of its lines; empty where it was not profiled.
    pub counts: Counts,
    /// The texts of the included files in the record.
    pub included: Vec<String>,
    /// The report and its ground truth; none where the program was not profiled.
    pub profiled: Option<Profiled>,
}

impl JobResult {
    /// The record, and the texts of [`JobRecord::sources`].
    pub fn into_record(self) -> (JobRecord, Vec<String>) {
        (self.record, [vec![self.source], self.included].concat())
    }
}

/// A job whose program has no profile, for the reason that `outcome` gives.
fn without_profile(record: JobRecord, outcome: Outcome, source: String) -> JobResult {
    let record = JobRecord { outcome, ..record };
    JobResult { record, source, counts: Counts::default(), included: Vec::new(), profiled: None }
}

impl Batch<'_> {
    /// Profile the program of `job`, test every relation on it, and explain each difference.
    pub fn inspect(&self, job: &Job, worker: &mut Worker) -> Result<JobResult> {
        let (source, profiler, settings) = (self.source(job), self.profiler(job), self.settings);
        let mut record = self.empty_record(job);
        if let Some(reason) = self.unsupported(job) {
            return Ok(without_profile(record, Outcome::Unsupported { reason }, String::new()));
        }
        let cached = self.cache.program_of(job);
        let program = match self.prepare(job, &cached, &mut record)? {
            Ok(program) => program,
            Err(outcome) => return Ok(without_profile(record, outcome, String::new())),
        };
        let flags = self.flags(job);
        let request = Request {
            folder: source.folder(),
            flags: &flags,
            detail: detail(settings),
            confidence: Confidence::Exploratory,
            ..Request::new(&program.source, &job.input)
        };
        let report = match self.profile(job, worker, &request)? {
            Ok(report) => report,
            Err(outcome) => return Ok(without_profile(record, outcome, program.source.clone())),
        };
        let (truth, peer) = self.what_is_known(job, &cached, worker, &request, &report)?;
        let mut subject = Subject::new(profiler, worker, &program, &report, request, &truth, &cached.facts);
        subject.peer = peer.as_ref().and_then(|peer| comparable_peer(peer, &report, settings));
        record.sites = subject.peer.map(|peer| Sites::of(&report.coverage, peer.report));
        self.test_relations(job, &mut subject, &mut record)?;
        let counts = counts_of(&subject, &record.findings);
        let mut checked = self.checked(&subject, &counts);
        checked.lacks_input = source.sidecar.inputs.is_empty() && reads_input(&program);
        let included =
            self.inspect_included_files(job, &cached, worker, &request, &mut record, &mut checked)?;
        record.checked = Some(checked);
        record.dialect = report.dialect;
        record.crash = report.coverage.crash.as_ref().map(|crash| crash.reason.clone());
        record.no_truth = truth.as_ref().as_ref().err().map(ToString::to_string);
        if !record.findings.is_empty() {
            self.add_replay(&mut record, job, &Request { dialect: Some(report.dialect), ..request });
            record.counts = counts.clone();
        }
        let profiled = Profiled {
            family: profiler.info().profiler,
            compiler: profiler.info().compiler.clone(),
            has_conditions: counts_conditions(&flags),
            has_paths: counts_paths(&flags),
            coverage: report.coverage,
            truth,
        };
        Ok(JobResult { record, source: program.source.clone(), counts, included, profiled: Some(profiled) })
    }

    /// The ground truth for `report`, and the peer's profile, as far as the settings ask for them.
    pub(super) fn what_is_known(
        &self,
        job: &Job,
        cached: &CachedProgram,
        worker: &mut Worker,
        request: &Request<'_>,
        report: &Report,
    ) -> Result<(Arc<TruthResult>, Option<PeerProfile>)> {
        let truth = if self.settings.wants_truth() {
            cached.facts.ground_truth(self.profiler(job), worker, request, report)?
        } else {
            Arc::new(Err(NoTruth::NotAsked))
        };
        let has_peer = self.settings.relations.contains(&RelationName::Peer);
        let peer = if has_peer { cached.facts.peer(worker, request)? } else { None };
        Ok((truth, peer))
    }

    /// Profile the program within the time that its sidecar allows.
    pub(super) fn profile(
        &self,
        job: &Job,
        worker: &mut Worker,
        request: &Request<'_>,
    ) -> StepResult<Report> {
        let seconds = self.source(job).sidecar.seconds;
        worker.limit_runs(seconds.map_or(Duration::MAX, Duration::from_secs), "`seconds` in its sidecar");
        self.profiler(job).profile(worker, request)
    }

    /// Read and parse the program, or return the outcome that explains why it cannot be used.
    ///
    /// # Errors
    /// A full disk and an interrupt are not results: the job is repeated when there is space, or when the run is
    /// resumed.
    fn prepare(&self, job: &Job, cached: &CachedProgram, record: &mut JobRecord) -> StepResult<Arc<Program>> {
        let program = match cached.parsed(|| self.text(job)) {
            Ok(program) => program,
            Err(error) if is_disk_full(&error) || requested() => return Err(error),
            Err(error) => return Ok(Err(Outcome::Unreadable { reason: format!("{error:#}") })),
        };
        record.source = hash(&program.source);
        if program.is_too_deep {
            let reason = format!("{}: nested more than {DEEPEST} levels deep", record.file);
            return Ok(Err(Outcome::Unreadable { reason }));
        }
        record.tally.error_nodes = program.error_nodes;
        Ok(Ok(program))
    }

    /// Test every relation of the settings, and explain the differences that it shows.
    fn test_relations(&self, job: &Job, subject: &mut Subject<'_>, record: &mut JobRecord) -> Result<()> {
        let settings = self.settings;
        // The seed does not depend on the profiler. If the reports of two profilers lead to the same choices, both get
        // the same variants, and a difference that only one of them shows is due to the profiler.
        let seed = format!("{}|{}", record.program, job.input.name);
        for name in &settings.relations {
            let mut rng = generator(settings.seed, &format!("{seed}|{}", name.name()));
            if *name == RelationName::Delete {
                let delete = Delete::new(settings.delete.clone());
                let mut runner = VariantRunner::new(subject, &delete, settings.triage.tests);
                record.add(*name, test_deletions(&mut runner, &mut rng, settings)?);
            } else if name.rewrites() {
                record.add(*name, rewritten(subject, *name, &mut rng, settings)?);
            } else {
                record.add_findings(contradicted(subject, *name, &settings.triage)?);
            }
        }
        // Several relations may find one faulty element.
        record.findings = one_per_element(std::mem::take(&mut record.findings));
        Ok(())
    }

    /// The text of the program, normalised as the settings ask, or of the mutated copy that the job is about. The
    /// copy depends only on the seed and the program.
    fn text(&self, job: &Job) -> Result<String> {
        let mut text = self.source(job).read()?;
        if self.settings.rewrite.normalise {
            text = one_statement_a_line(text);
        }
        if job.mutant == 0 {
            return Ok(text);
        }
        let mut rng = generator(self.settings.seed, &job.program(self.source(job)));
        Ok(mutant(&Program::parse(text.clone()), &mut rng).unwrap_or(text))
    }

    /// The hash of the program's text, if it can be read.
    pub(super) fn source_hash(&self, job: &Job) -> Option<String> {
        Some(hash(&self.text(job).ok()?))
    }

    /// The flags of the program, and the profiler's flags for conditions and paths if the settings ask for them.
    fn flags(&self, job: &Job) -> Vec<String> {
        let info = self.profiler(job).info();
        let conditions = condition_flags(info.profiler, info.major()).filter(|_| self.settings.conditions);
        let own = self.source(job).sidecar.flags.iter().cloned();
        own.chain(conditions.map(String::from)).collect()
    }

    /// How to run the program of `request` again.
    fn add_replay(&self, record: &mut JobRecord, job: &Job, request: &Request<'_>) {
        let profiler = self.profiler(job);
        let dialect = request.dialect.unwrap_or_default();
        record.commands = profiler.commands(request, dialect);
        record.replay = Some(Replay {
            flags: compile_flags(profiler.info().profiler, request, dialect),
            args: job.input.args.clone(),
            stdin: job.input.stdin.clone(),
            runs: 1,
            commands: Vec::new(),
        });
    }

    /// How much of the report on `subject` was checked.
    pub(super) fn checked(&self, subject: &Subject<'_>, counts: &Counts) -> Checked {
        let is_compared = self.settings.relations.contains(&RelationName::Truth);
        let counted = || (0..).zip(&counts.program).filter(|(_, count)| count.is_some());
        let has_truth = |line: usize| counts.truth.get(line).is_some_and(|admitted| !admitted.is_empty());
        let functions = subject.truth().map_or(&[][..], |truth| &truth.functions);
        let numbers = if is_compared { subject.numbers() } else { &[] };
        let mut unknown = BTreeMap::new();
        for reason in numbers.iter().filter_map(|number| number.right.as_ref().err()) {
            *unknown.entry(reason.to_string()).or_default() += 1;
        }
        Checked {
            numbers: numbers.len(),
            unknown,
            counts: counted().count(),
            lacks_relation: !is_compared,
            with_truth: counted().filter(|(line, _)| is_compared && has_truth(*line)).count(),
            refused: functions.iter().filter_map(InstrumentedFunction::refused).collect(),
            ..Checked::default()
        }
    }

    /// Why recount does not check the program of `job` under its profiler.
    pub fn unsupported(&self, job: &Job) -> Option<String> {
        let (source, settings) = (self.source(job), self.settings);
        let asked = Asked {
            is_cxx: source.is_cxx(),
            flags: &source.sidecar.flags,
            wants_truth: settings.wants_truth(),
        };
        unsupported(self.profiler(job).info().profiler, &asked)
    }

    fn empty_record(&self, job: &Job) -> JobRecord {
        let source = self.source(job);
        JobRecord {
            job: job.id.clone(),
            program: job.program(source),
            file: source.file.clone(),
            input: job.input.name.clone(),
            compiler: self.profiler(job).info().compiler.clone(),
            ..JobRecord::default()
        }
    }

    /// The record of a job that ended by an error of recount itself.
    pub(super) fn failed(&self, job: &Job, reason: String) -> JobRecord {
        JobRecord { failed: Some(reason), ..self.empty_record(job) }
    }
}

/// The findings of a relation that needs no variant.
pub(super) fn contradicted(
    subject: &mut Subject<'_>,
    relation: RelationName,
    settings: &TriageSettings,
) -> Result<Vec<Finding>> {
    let found = contradictions(subject, relation);
    examine(subject, relation, &found, settings)
}

/// The reported and the admissible counts of the lines of `subject`, with details if there are `findings` on it.
pub(super) fn counts_of(subject: &Subject<'_>, findings: &[Finding]) -> Counts {
    let (report, family) = (&subject.report.coverage, subject.family());
    let truth = subject.truth().map_or_else(Vec::new, |truth| expected_counts(truth, family));
    let mut counts = Counts { program: report.lines(), truth, ..Counts::default() };
    if !findings.is_empty() {
        let marked = findings.iter().flat_map(Finding::lines);
        let lines = lines_to_keep(subject.program.source.lines().count(), marked);
        let file = subject.request.file.map_or(SOURCE, Utf8Path::as_str);
        counts.details = details(report, subject.truth(), family, file, &lines);
    }
    counts
}

/// A short hash of a program's text.
pub(super) fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_string()
}

/// How much of the report the relations and the verdicts read.
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

/// `text` with one statement a line. Only white space changes, so the program means the same, unless it depends on its
/// own line numbers.
fn one_statement_a_line(text: String) -> String {
    match candidate_edits(&text, Pass::Layout).first() {
        Some(edits) => replaced(&text, edits),
        None => text,
    }
}

/// The peer's report, if the program behaves the same under both profilers; otherwise they counted different
/// executions.
pub(super) fn comparable_peer<'a>(
    peer: &'a PeerProfile,
    ours: &Report,
    settings: &Settings,
) -> Option<Peer<'a>> {
    let theirs = peer.profile.as_ref().as_ref().ok().filter(|theirs| theirs.execution == ours.execution)?;
    let family = peer.profiler.info().profiler;
    Some(Peer { family, report: &theirs.coverage, weak: settings.peer.weak })
}

/// A generator that depends only on the seed and `id`.
fn generator(seed: u64, id: &str) -> ChaCha8Rng {
    let hash = blake3::hash(&[&seed.to_le_bytes(), id.as_bytes()].concat());
    ChaCha8Rng::from_seed(*hash.as_bytes())
}

/// Profile variants without unexecuted statements, and explain how they differ from the program.
fn test_deletions(
    runner: &mut VariantRunner<'_, '_>,
    rng: &mut ChaCha8Rng,
    settings: &Settings,
) -> Result<RelationResult> {
    let report: &Report = runner.subject.report;
    let deletions = runner.delete.variants(runner.subject.program, &report.coverage, rng);
    let budget = runner.budget + deletions.variants.len();
    runner.budget = budget;
    let mut result = RelationResult::default();
    let variants = profile_variants(runner, &deletions, &mut result)?;
    result.findings = explain(runner, &variants, &settings.triage)?;
    result.tally.unexecuted = deletions.unexecuted.len();
    result.tally.deleted = count_deleted(runner.subject.program, &deletions.unexecuted, &variants);
    result.tally.tests = (budget - runner.budget).saturating_sub(deletions.variants.len());
    Ok(result)
}

/// Profile every variant; one that does not compile is repaired.
fn profile_variants(
    runner: &mut VariantRunner<'_, '_>,
    deletions: &DeletionVariants,
    result: &mut RelationResult,
) -> Result<Vec<VariantResult>> {
    let mut variants = Vec::new();
    for statements in &deletions.variants {
        result.tally.variants += 1;
        let mut statements = statements.clone();
        let mut comparison = runner.compare(&statements)?;
        if let Comparison::Incomparable(Outcome::DoesNotCompile { reason }) = &comparison {
            result.refused.push(reason.clone());
            let Some(repaired) = runner.repair(&statements)? else { continue };
            comparison = runner.compare(&repaired)?;
            statements = repaired;
        } else {
            result.tally.compiled += 1;
        }
        match comparison {
            Comparison::Compared(differences) => {
                result.tally.differing += usize::from(!differences.is_empty());
                variants.push(VariantResult { statements, differences });
            }
            Comparison::Incomparable(outcome) => {
                *result.incomparable.entry(outcome.name().to_string()).or_default() += 1;
            }
        }
    }
    Ok(variants)
}

/// How many of `unexecuted` were deleted in at least one variant, alone or as part of a larger statement.
fn count_deleted(program: &Program, unexecuted: &[StatementId], variants: &[VariantResult]) -> usize {
    let deleted: BTreeSet<StatementId> =
        variants.iter().flat_map(|variant| variant.statements.iter().copied()).collect();
    let is_deleted = |id: &&StatementId| {
        let mut holders = std::iter::successors(Some(**id), |id| program.statement(*id).parent);
        holders.any(|id| deleted.contains(&id))
    };
    unexecuted.iter().filter(is_deleted).count()
}
