//! The hunt: whether a finding is found afresh in another program.
//!
//! What is asked is what the campaign asked: the program is profiled, held against the same relation,
//! and judged. The finding may be on any line: a program with the same movement, verdict and site
//! elsewhere shows the same thing.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};

use super::candidate::{Candidate, place};
use super::engine::Judge;
use crate::compare::Comparison;
use crate::config::{Settings, TriageSettings};
use crate::corpus::Input;
use crate::journal::{Counts, FindingBundle, Replay};
use crate::model::{CountChange, Finding, Kind, Metric, Outcome, RelationName, Rule, Verdict, WrongKind};
use crate::relation::{Delete, StatementSet};
use crate::syntax::Program;
use crate::sys::{lock, own_and_children};
use crate::toolchain::{Confidence, Detail, Probed, Report, Request, UbChecks, Worker};
use crate::triage::{
    ProgramFacts, Subject, VariantResult, VariantRunner, contradictions, core, examine, explain,
};
use crate::truth::{TruthResult, measure, require_execution};

/// What a program gets at least: it may have to wait for a core.
const SHORTEST_WAIT: Duration = Duration::from_millis(200);

/// What has to stay of a finding when its program changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    relation: RelationName,
    metric: Metric,
    kind: Kind,
    verdict: Verdict,
    rule: Option<Rule>,
    from_to: CountChange,
    core: String,
}

impl Wanted {
    /// What has to stay of `finding`.
    pub fn of(finding: &Finding) -> Wanted {
        let wanted = Wanted {
            relation: finding.relation,
            metric: finding.metric,
            kind: finding.kind,
            verdict: finding.verdict,
            rule: finding.rule,
            from_to: CountChange::of(finding.before, finding.after),
            core: core(&finding.signature),
        };
        if finding.relation != RelationName::Peer {
            return wanted;
        }
        // The peer is not asked again: what is wrong by it is wrong by truth.
        Wanted {
            relation: RelationName::Truth,
            kind: Kind::Strong,
            from_to: CountChange::of(finding.before, None),
            core: wanted.core.replacen("/peer/", "/truth/", 1),
            ..wanted
        }
    }

    /// Whether `finding` is one.
    pub fn is(&self, finding: &Finding) -> bool {
        Wanted::of(finding) == *self
    }
}

/// One finding that is looked for, under one profiler.
pub struct Hunt<'a> {
    /// The profiler.
    pub profiler: &'a Probed,
    /// The settings of the campaign.
    pub settings: &'a Settings,
    wanted: Wanted,
    pub(super) flags: Vec<String>,
    pub(super) guards: Vec<String>,
    input: Input,
    runs: u32,
    workers: Vec<Mutex<Worker>>,
    pub(super) sound: bool,
    pub(super) analysed: bool,
    /// The reports on the programs that were interesting, by their source.
    pub(super) reports: Mutex<HashMap<String, Report>>,
    knowledge: ProgramFacts,
}

/// The program of `bundle`, with what its finding is about marked: the statements that are edited,
/// or else what stands on its line.
pub fn candidate(bundle: &FindingBundle) -> Candidate {
    let program = Program::parse(bundle.program.clone());
    let finding = &bundle.finding;
    let marks = match &finding.culprit {
        Some(culprit) => culprit.edits.iter().map(|edit| edit.start..edit.end).collect(),
        None => finding.line.and_then(|line| place(&program, line)).into_iter().collect(),
    };
    Candidate { source: program.source, marks }
}

/// What is seen of a program.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The findings that are wanted, by line.
    pub findings: Vec<Finding>,
    /// The counts of its lines and of those of the first finding's variant.
    pub counts: Counts,
}

impl<'a> Hunt<'a> {
    /// The hunt for `finding`, whose program runs by `replay`; one worker a worker_index.
    pub fn new(
        profiler: &'a Probed,
        settings: &'a Settings,
        finding: &Finding,
        replay: &Replay,
        workers: Vec<Worker>,
    ) -> Hunt<'a> {
        Hunt {
            profiler,
            settings,
            wanted: Wanted::of(finding),
            // It would silence the guards.
            flags: replay.flags.iter().filter(|flag| *flag != "-w").cloned().collect(),
            guards: Vec::new(),
            input: Input {
                name: finding.input.clone(),
                args: replay.args.clone(),
                stdin: replay.stdin.clone(),
            },
            runs: replay.runs.max(1),
            workers: workers.into_iter().map(Mutex::new).collect(),
            sound: true,
            analysed: false,
            reports: Mutex::default(),
            knowledge: ProgramFacts::new(std::slice::from_ref(profiler), profiler.info().profiler),
        }
    }

    /// Wait no longer for any program than `start` ran, many times over: what is made smaller often
    /// never ends.
    pub fn hurry(&self, start: &Candidate) -> Result<()> {
        let request = self.request(&start.source, &self.flags, Confidence::Confirming);
        let ran = self.with_worker(0, |worker| {
            let _ = self.profiler.profile(worker, &request)?;
            Ok(worker.last_run())
        })?;
        (0..self.workers.len()).try_for_each(|worker_index| {
            self.with_worker(worker_index, |worker| {
                worker.limit_runs(SHORTEST_WAIT.max(ran * 20), "the reduction");
                Ok(())
            })
        })
    }

    /// CPU seconds of ourselves and of everything that we started, so far.
    pub fn cpu_seconds(&self) -> f64 {
        let of = |worker: &Mutex<Worker>| lock(worker).running();
        let all = self.workers.iter().map(of).fold(own_and_children("self"), |sum, one| sum + one);
        all.own + all.children
    }

    /// The workers, to be finished.
    pub fn into_workers(self) -> Vec<Worker> {
        let inner = |worker: Mutex<Worker>| worker.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.workers.into_iter().map(inner).collect()
    }

    /// The wanted findings in `candidate` by the plain commands, judged and doubted as in a campaign.
    pub fn confirm(&self, candidate: &Candidate) -> Result<Option<Seen>> {
        self.with_worker(0, |worker| {
            self.seen(worker, candidate, &self.settings.triage, Confidence::Confirming)
        })
    }

    /// The same, judged but not doubted.
    pub fn quickly(&self, candidate: &Candidate) -> Result<Option<Seen>> {
        self.quickly_by(0, candidate)
    }

    fn quickly_by(&self, worker_index: usize, candidate: &Candidate) -> Result<Option<Seen>> {
        let quick = TriageSettings { isolate: false, ..self.settings.triage.clone() };
        self.with_worker(worker_index, |worker| self.seen(worker, candidate, &quick, Confidence::Exploratory))
    }

    /// One profile of `source`, with everything that the tools say and what truth says.
    pub fn look(
        &self,
        source: &str,
        confidence: Confidence,
    ) -> Result<std::result::Result<(Report, TruthResult), Outcome>> {
        let program = Program::parse(source.to_string());
        let request = Request { detail: Detail::Full, ..self.request(source, &self.flags, confidence) };
        self.with_worker(0, |worker| {
            let report = match self.profiler.profile(worker, &request)? {
                Ok(report) => report,
                Err(outcome) => return Ok(Err(outcome)),
            };
            let told =
                require_execution(measure(&**self.profiler, worker, &program, &request)?, &report.execution);
            Ok(Ok((report, told)))
        })
    }

    pub(super) fn request<'r>(
        &'r self,
        source: &'r str,
        flags: &'r [String],
        confidence: Confidence,
    ) -> Request<'r> {
        Request { flags, dialect: Some(0), runs: self.runs, confidence, ..Request::new(source, &self.input) }
    }

    pub(super) fn with_worker<T>(
        &self,
        worker_index: usize,
        act: impl FnOnce(&mut Worker) -> Result<T>,
    ) -> Result<T> {
        let worker = self.workers.get(worker_index).context("a worker for each worker_index")?;
        act(&mut lock(worker))
    }

    /// The wanted findings in `candidate`; what is dear is asked last.
    fn seen(
        &self,
        worker: &mut Worker,
        candidate: &Candidate,
        settings: &TriageSettings,
        confidence: Confidence,
    ) -> Result<Option<Seen>> {
        let program = Program::parse(candidate.source.clone());
        let guarded = [self.flags.as_slice(), &self.guards].concat();
        let profiler = &**self.profiler;
        // Conventions are told by what P's counts are made of; of variants the counts will do.
        let views = self.wanted.relation == RelationName::Views;
        let (own, variants) =
            if views { (Detail::Full, Detail::Full) } else { (Detail::Parts, Detail::Lines) };
        let request = Request { detail: variants, ..self.request(&program.source, &self.flags, confidence) };
        let whole = Request { detail: own, flags: &guarded, ..request };
        let Ok(report) = profiler.profile(worker, &whole)? else {
            return Ok(None);
        };
        let delete = Delete::new(self.settings.delete.clone());
        let mut observed = None;
        if self.wanted.relation == RelationName::Delete {
            let Some(statements) = statements_at(&delete, &program, &report, &candidate.marks) else {
                return Ok(None);
            };
            observed = self.moved(worker, &delete, &program, &report, request, statements)?;
            if observed.is_none() {
                return Ok(None);
            }
        }
        let told = require_execution(measure(profiler, worker, &program, &request)?, &report.execution);
        if observed.is_none() && !self.may_contradict(worker, &program, &report, request, &told) {
            return Ok(None);
        }
        let mut subject = Subject::new(profiler, worker, &program, &report, request, &told, &self.knowledge);
        let found = if let Some(observed) = observed {
            let mut lab = VariantRunner::new(&mut subject, &delete, settings.tests);
            lab.remember(&observed.statements, &observed.differences);
            explain(&mut lab, &[observed], settings)?
        } else {
            let found = contradictions(&subject, self.wanted.relation);
            examine(&mut subject, self.wanted.relation, &found, settings)?
        };
        let findings: Vec<Finding> = found.into_iter().filter(|finding| self.wanted.is(finding)).collect();
        if findings.is_empty() {
            return Ok(None);
        }
        let family = profiler.info().profiler;
        let truth = told.as_ref().map_or_else(|_| Vec::new(), |truth| truth.lines(family));
        let counts = Counts { program: report.coverage.lines(), truth, ..Counts::default() };
        lock(&self.reports).insert(candidate.source.clone(), report);
        Ok(Some(Seen { findings, counts }))
    }

    /// The variant of `statements`, if a count moves as it is wanted.
    fn moved(
        &self,
        worker: &mut Worker,
        delete: &Delete,
        program: &Program,
        report: &Report,
        request: Request<'_>,
        statements: StatementSet,
    ) -> Result<Option<VariantResult>> {
        let nothing = Err(crate::truth::NoTruth::Silent);
        let mut subject =
            Subject::new(&**self.profiler, worker, program, report, request, &nothing, &self.knowledge);
        let mut lab = VariantRunner::new(&mut subject, delete, 1);
        let Comparison::Compared(differences) = lab.compare(&statements)? else { return Ok(None) };
        // What ran unseen is known by its echoes, which may be of any kind.
        let is_echo = self.wanted.rule == Some(Rule::Wrong(WrongKind::Missing)) && !differences.is_empty();
        let is_wanted = is_echo
            || differences
                .iter()
                .any(|found| found.kind == self.wanted.kind && found.movement() == self.wanted.from_to);
        Ok(is_wanted.then_some(VariantResult { statements, differences }))
    }

    /// Whether the line counts, or for `views` all that the tools say, contradict anything as it is wanted.
    fn may_contradict(
        &self,
        worker: &mut Worker,
        program: &Program,
        report: &Report,
        request: Request<'_>,
        told: &TruthResult,
    ) -> bool {
        // What has no place in a report of line counts is asked for later.
        let is_whole = !matches!(self.wanted.metric, Metric::Line | Metric::Function);
        if self.wanted.relation == RelationName::Views || is_whole {
            return true;
        }
        let subject = Subject::new(&**self.profiler, worker, program, report, request, told, &self.knowledge);
        contradictions(&subject, self.wanted.relation)
            .iter()
            .filter(|found| found.metric == self.wanted.metric)
            .any(|found| {
                CountChange::of(found.difference.before, found.difference.after) == self.wanted.from_to
            })
    }
}

impl Judge for Hunt<'_> {
    fn is_interesting(&self, worker_index: usize, candidate: &Candidate) -> Result<bool> {
        Ok(self.quickly_by(worker_index, candidate)?.is_some())
    }

    fn is_sound(&self, worker_index: usize, candidate: &Candidate, checks: UbChecks) -> Result<bool> {
        self.stands(worker_index, &candidate.source, checks)
    }
}

/// The statements at `marks`, if each may be deleted.
fn statements_at(
    delete: &Delete,
    program: &Program,
    report: &Report,
    marks: &[Range<usize>],
) -> Option<StatementSet> {
    let statement = |mark: &Range<usize>| {
        let text = &program.source[mark.clone()];
        let (front, back) = (text.len() - text.trim_start().len(), text.len() - text.trim_end().len());
        let range = mark.start + front..mark.end - back;
        let found = program.ids().filter(|id| program.statement(*id).range == range);
        found.into_iter().find(|id| delete.admits(program, &report.coverage, *id))
    };
    marks
        .iter()
        .filter(|mark| !mark.is_empty())
        .map(statement)
        .collect::<Option<StatementSet>>()
        .filter(|statements| !statements.is_empty())
}
