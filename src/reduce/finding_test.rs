//! The interestingness test: whether a candidate still shows the finding.
//!
//! The test does what the campaign did: it profiles the candidate, compares the report by the same relation, and judges
//! the differences. The finding may be on any line: a difference with the same movement, verdict and place in the syntax
//! is the same finding.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use anyhow::Result;

use super::candidate::{Candidate, edited, marked_range};
use super::engine::InterestingnessTest;
use crate::compare::Comparison;
use crate::config::{Settings, TriageSettings};
use crate::corpus::Input;
use crate::journal::{Counts, FindingBundle, Replay};
use crate::model::{
    CountChange, Finding, Kind, Line, Metric, Outcome, RelationName, Rule, Verdict, WrongKind,
};
use crate::relation::{Contradiction, Delete, StatementSet};
use crate::replay::{details, expected_counts, lines_to_keep, tests_constant};
use crate::syntax::{Pass, Program, StatementId, candidate_edits, inactive_branches, with_branch_marks};
use crate::sys::{lock, own_and_children};
use crate::toolchain::{
    Confidence, Detail, Probed, Report, Request, SOURCE, UbChecks, Worker, assemble, is_of_other_metric,
};
use crate::triage::{
    Measured, ProgramFacts, Subject, VariantResult, VariantRunner, contradictions, core, examine, explain,
    wrong_numbers,
};
use crate::truth::{NoTruth, Truth, TruthResult, measure, require_execution};

/// The shortest time limit of a program, since it may have to wait for a core.
const SHORTEST_LIMIT: Duration = Duration::from_millis(200);

/// The properties of a finding that stay the same when its program is reduced.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Essence {
    relation: RelationName,
    metric: Metric,
    kind: Kind,
    verdict: Verdict,
    rule: Option<Rule>,
    movement: CountChange,
    /// Whether code ran that has no count.
    has_run: bool,
    core: String,
}

impl Essence {
    fn of(finding: &Finding) -> Essence {
        let essence = Essence {
            relation: finding.relation,
            metric: finding.metric,
            kind: finding.kind,
            verdict: finding.verdict,
            rule: finding.rule,
            movement: CountChange::of(finding.before, finding.after),
            has_run: finding.before.is_none()
                && finding.truth.as_ref().is_some_and(|truth| truth.iter().all(|right| *right > 0)),
            core: core(&finding.signature),
        };
        if finding.relation != RelationName::Peer && finding.rewriting.is_none() {
            return essence;
        }
        // Neither the peer nor the program that was rewritten runs again: the count is wrong according to ground truth.
        let relation = format!("/{}/", finding.relation.name());
        Essence {
            relation: RelationName::Truth,
            kind: Kind::Strong,
            movement: CountChange::of(finding.before, None),
            core: essence.core.replacen(&relation, "/truth/", 1),
            ..essence
        }
    }
}

/// The test for one finding of one profiler.
pub struct FindingTest<'a> {
    pub(super) profiler: &'a Probed,
    settings: &'a Settings,
    wanted: Essence,
    /// Whether exactly one count is right, which must stay so.
    is_exact: bool,
    /// Whether the decision of the finding may have conditions that a compiler evaluates.
    may_test_constants: bool,
    pub(super) flags: Vec<String>,
    /// Flags that make the compiler reject faults that the original program does not have.
    pub(super) guards: Vec<String>,
    input: Input,
    runs: u32,
    pub(super) workers: &'a [Mutex<Worker>],
    pub(super) deadline: Option<Instant>,
    /// The original program.
    pub(super) original: String,
    /// Whether the original program has no undefined behaviour; determined when a candidate has some.
    pub(super) is_defined: OnceLock<bool>,
    /// Whether the original program passes the compiler's static analysis; determined when a candidate does not.
    pub(super) passes_analysis: OnceLock<bool>,
    /// The reports on the programs that were interesting, by their source.
    pub(super) reports: Mutex<HashMap<String, Report>>,
    facts: ProgramFacts,
}

/// The program of `bundle`. Its marks are the statements that the finding's variant edits, or else the statement on the
/// finding's line.
pub(super) fn marked(bundle: &FindingBundle) -> Candidate {
    let program = Program::parse(bundle.program.clone());
    let finding = &bundle.finding;
    let marks = match &finding.culprit {
        Some(culprit) => culprit.edits.iter().map(|edit| edit.start..edit.end).collect(),
        None if bundle.included_text().is_some() => Vec::new(),
        None => finding.line.and_then(|line| marked_range(&program, line)).into_iter().collect(),
    };
    Candidate { source: program.source, marks }
}

/// A report with the ground truth, or why there is no report.
type Profiled = std::result::Result<(Report, TruthResult), Outcome>;

/// The findings of a candidate that match the finding.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    /// The findings that match, by line; at least one.
    pub(super) findings: Vec<Finding>,
    /// The counts of its lines.
    pub(super) counts: Counts,
}

impl<'a> FindingTest<'a> {
    /// The test for `finding`, whose program runs by `replay`.
    pub fn new(
        profiler: &'a Probed,
        settings: &'a Settings,
        finding: &Finding,
        replay: &Replay,
        workers: &'a [Mutex<Worker>],
    ) -> FindingTest<'a> {
        // The reduction of another finding has limited them.
        for worker in workers {
            lock(worker).reset_limits();
        }
        FindingTest {
            profiler,
            settings,
            wanted: Essence::of(finding),
            is_exact: finding.truth.as_ref().is_some_and(|truth| truth.len() == 1),
            may_test_constants: true,
            // -w would silence the guards.
            flags: replay.flags.iter().filter(|flag| *flag != "-w").cloned().collect(),
            guards: Vec::new(),
            input: replay.input(&finding.input),
            runs: replay.runs.max(1),
            workers,
            deadline: None,
            original: String::new(),
            is_defined: OnceLock::new(),
            passes_analysis: OnceLock::new(),
            reports: Mutex::default(),
            facts: ProgramFacts::new(std::slice::from_ref(profiler), profiler.info().profiler),
        }
    }

    /// Limits the time of each program to a multiple of the time that `start` takes, since many candidates do not
    /// terminate.
    pub(super) fn limit_time(&self, start: &Candidate) -> Result<()> {
        let request = self.request(&start.source, Confidence::Confirming);
        let _ = self.profiler.profile(&mut lock(&self.workers[0]), &request)?;
        let time = lock(&self.workers[0]).last_run;
        for worker in self.workers {
            lock(worker).limit_runs(SHORTEST_LIMIT.max(time * 20), "the reduction");
        }
        Ok(())
    }

    /// Keeps constants out of the decision of the finding if `start` has none there: what a tool should say about a condition
    /// with one value is disputed.
    pub(super) fn keep_constants_out(&mut self, start: &Candidate) -> Result<()> {
        self.may_test_constants = false;
        self.may_test_constants = self.explore(0, start)?.is_none();
        Ok(())
    }

    /// Whether the decisions on `line` are as the finding's may be.
    pub(super) fn may_test(&self, truth: Option<&Truth>, line: Option<Line>) -> bool {
        let is_decision = matches!(self.wanted.metric, Metric::Condition | Metric::Mcdc);
        let has_constant = || truth.zip(line).is_some_and(|(truth, line)| tests_constant(truth, line));
        self.may_test_constants || !is_decision || !has_constant()
    }

    /// Leaves out the flags for conditions and paths that `metric` does not need, if `start` shows the finding without them.
    pub(super) fn drop_flags_of_other_metrics(&mut self, start: &Candidate, metric: Metric) -> Result<()> {
        let given = self.flags.clone();
        self.flags.retain(|flag| !is_of_other_metric(flag, metric));
        if self.flags != given && self.explore(0, start)?.is_none() {
            self.flags = given;
        }
        Ok(())
    }

    /// Stops the compilers and tools that run at `deadline`, and rejects the programs that are checked then.
    pub(super) fn stop_at(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
        for worker in self.workers {
            lock(worker).stop_tools_at(deadline);
        }
    }

    /// Whether the deadline has passed.
    pub(super) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }

    /// The CPU seconds of this process and of everything that it started, so far.
    pub(super) fn cpu_seconds(&self) -> f64 {
        let of = |worker: &Mutex<Worker>| lock(worker).running();
        let all = self.workers.iter().map(of).fold(own_and_children("self"), |sum, one| sum + one);
        all.own + all.children
    }

    /// The matching findings of `candidate`, by a confirming profile and with all the checks of a campaign.
    pub(super) fn confirm(&self, candidate: &Candidate) -> Result<Option<Shown>> {
        self.show(0, candidate, &self.settings.triage, Confidence::Confirming)
    }

    /// The matching findings of `candidate`, by an exploratory profile and without isolation of the cause.
    pub(super) fn explore(&self, worker_index: usize, candidate: &Candidate) -> Result<Option<Shown>> {
        let quick = TriageSettings { isolate: false, ..self.settings.triage.clone() };
        self.show(worker_index, candidate, &quick, Confidence::Exploratory)
    }

    /// Whether `source` has a wrong number with the finding's cause on one of `lines`, or why it does not compile. The number
    /// may be wrong in another way, since a program of several units has other counts.
    pub fn shows_cause(
        &self,
        source: &str,
        lines: &[Line],
        signature: &str,
    ) -> Result<std::result::Result<bool, String>> {
        let (report, truth) = match self.profile(source, Confidence::Exploratory)? {
            Ok(profiled) => profiled,
            Err(Outcome::DoesNotCompile { reason }) => return Ok(Err(reason)),
            Err(_) => return Ok(Ok(false)),
        };
        let program = Program::parse(source.to_string());
        let measured = Measured {
            profiler: self.profiler.info(),
            report: &report.coverage,
            truth: truth.as_ref().ok(),
            program: &program,
            file: SOURCE,
            input: &self.input.name,
        };
        let found: Vec<Finding> = wrong_numbers(&measured).iter().flat_map(Finding::each_symptom).collect();
        let is_wanted = |finding: &Finding| {
            finding.signature == signature
                && finding.metric == self.wanted.metric
                && finding.line.is_some_and(|line| lines.contains(&line))
        };
        Ok(Ok(found.iter().any(is_wanted)))
    }

    /// A profile of `source` with all details, and the ground truth.
    pub(super) fn profile(&self, source: &str, confidence: Confidence) -> Result<Profiled> {
        let request = Request { detail: Detail::Full, ..self.request(source, confidence) };
        let worker = &mut *lock(&self.workers[0]);
        let report = match self.profiler.profile(worker, &request)? {
            Ok(report) => report,
            Err(outcome) => return Ok(Err(outcome)),
        };
        let truth = measure(&**self.profiler, worker, &request)?;
        let truth = require_execution(truth, &report.execution);
        Ok(Ok((report, truth)))
    }

    pub(super) fn request<'r>(&'r self, source: &'r str, confidence: Confidence) -> Request<'r> {
        let flags = &self.flags;
        Request { flags, dialect: Some(0), runs: self.runs, confidence, ..Request::new(source, &self.input) }
    }

    /// `candidate` without comments and without the branches of conditional groups that the preprocessor leaves out; none
    /// if it has no such group.
    pub(super) fn without_inactive_branches(&self, candidate: &Candidate) -> Result<Option<Candidate>> {
        let comments = candidate_edits(&candidate.source, Pass::Comments);
        let plain = comments.first().map_or_else(|| candidate.clone(), |edits| edited(candidate, edits));
        let marked = with_branch_marks(&plain.source);
        if marked == plain.source {
            return Ok(None);
        }
        let request = self.request(&marked, Confidence::Exploratory);
        let mut preprocessed = String::new();
        let worker = &mut lock(&self.workers[0]);
        let done = assemble(&**self.profiler, worker, &request, |text| {
            preprocessed = text;
            Vec::new()
        })?;
        let edits = inactive_branches(&plain.source, &preprocessed);
        Ok((done.is_ok() && !edits.is_empty()).then(|| edited(&plain, &edits)))
    }

    /// The matching findings in `candidate`; expensive checks come last.
    fn show(
        &self,
        worker_index: usize,
        candidate: &Candidate,
        settings: &TriageSettings,
        confidence: Confidence,
    ) -> Result<Option<Shown>> {
        let worker = &mut *lock(&self.workers[worker_index]);
        let program = Program::parse(candidate.source.clone());
        let guarded = [self.flags.as_slice(), &self.guards].concat();
        let profiler = &**self.profiler;
        // Conventions depend on the blocks, regions and segments of the program's report; variants only need line
        // counts.
        let (own, of_variants) = match self.wanted.relation {
            RelationName::Views => (Detail::Full, Detail::Full),
            _ => (Detail::Parts, Detail::Lines),
        };
        let request = Request { detail: of_variants, ..self.request(&program.source, confidence) };
        let Ok(report) = profiler.profile(worker, &Request { detail: own, flags: &guarded, ..request })?
        else {
            return Ok(None);
        };
        let delete = Delete::new(self.settings.delete.clone());
        let mut observed = None;
        if self.wanted.relation == RelationName::Delete {
            observed = self.variant(worker, &delete, &program, &report, request, &candidate.marks)?;
            if observed.is_none() {
                return Ok(None);
            }
        }
        // The proof takes as long as several profiles, so only the result is proved.
        let truth = match confidence {
            Confidence::Exploratory => {
                Arc::new(require_execution(measure(profiler, worker, &request)?, &report.execution))
            }
            Confidence::Confirming => self.facts.ground_truth(profiler, worker, &request, &report)?,
        };
        let mut subject = Subject::new(profiler, worker, &program, &report, request, &truth, &self.facts);
        let mut findings = if let Some(observed) = observed {
            let mut runner = VariantRunner::new(&mut subject, &delete, settings.tests);
            runner.remember(&observed.statements, &observed.differences);
            explain(&mut runner, &[observed], settings)?
        } else {
            let found = contradictions(&subject, self.wanted.relation);
            // Only a report with all details has the other metrics and views.
            let is_complete = self.wanted.relation != RelationName::Views
                && matches!(self.wanted.metric, Metric::Line | Metric::Function);
            let is_wanted = |found: &Contradiction| {
                (found.metric, found.difference.movement()) == (self.wanted.metric, self.wanted.movement)
            };
            if is_complete && !found.iter().any(is_wanted) {
                return Ok(None);
            }
            examine(&mut subject, self.wanted.relation, &found, settings)?
        };
        findings = findings.iter().flat_map(Finding::each_symptom).collect();
        let is_exact = |finding: &Finding| finding.truth.as_ref().is_none_or(|truth| truth.len() < 2);
        findings
            .retain(|finding| Essence::of(finding) == self.wanted && (!self.is_exact || is_exact(finding)));
        let truth = (*truth).as_ref().ok();
        findings.retain(|finding| self.may_test(truth, finding.line));
        if findings.is_empty() {
            return Ok(None);
        }
        let family = profiler.info().profiler;
        let mut counts = Counts {
            program: report.coverage.lines(),
            truth: truth.map_or_else(Vec::new, |truth| expected_counts(truth, family)),
            ..Counts::default()
        };
        if confidence == Confidence::Confirming {
            let marked = findings.iter().flat_map(Finding::lines);
            let lines = lines_to_keep(candidate.source.lines().count(), marked);
            counts.details = details(&report.coverage, truth, family, SOURCE, &lines);
        }
        lock(&self.reports).insert(candidate.source.clone(), report);
        Ok(Some(Shown { findings, counts }))
    }

    /// The variant without the statements at `marks`, if they may be deleted and a count changes as in the finding.
    fn variant(
        &self,
        worker: &mut Worker,
        delete: &Delete,
        program: &Program,
        report: &Report,
        request: Request<'_>,
        marks: &[Range<usize>],
    ) -> Result<Option<VariantResult>> {
        let statement = |mark: &Range<usize>| {
            let text = &program.source[mark.clone()];
            let range = mark.end - text.trim_start().len()..mark.start + text.trim_end().len();
            let is_marked = |id: &StatementId| program.statement(*id).range == range;
            program.ids().find(|id| is_marked(id) && delete.admits(program, &report.coverage, *id))
        };
        let marks = marks.iter().filter(|mark| !mark.is_empty());
        let statements: Option<StatementSet> = marks.map(statement).collect();
        let Some(statements) = statements.filter(|found| !found.is_empty()) else { return Ok(None) };
        let no_truth = Err(NoTruth::Silent);
        let mut subject =
            Subject::new(&**self.profiler, worker, program, report, request, &no_truth, &self.facts);
        let mut runner = VariantRunner::new(&mut subject, delete, 1);
        let Comparison::Compared(differences) = runner.compare(&statements)? else { return Ok(None) };
        // Code that runs although its count is 0 causes differences elsewhere, which may be of any kind.
        let is_missing = self.wanted.rule == Some(Rule::Wrong(WrongKind::Missing)) && !differences.is_empty();
        let mut all = differences.iter();
        let is_wanted = is_missing
            || all.any(|found| found.kind == self.wanted.kind && found.movement() == self.wanted.movement);
        Ok(is_wanted.then_some(VariantResult { statements, differences }))
    }
}

impl InterestingnessTest for FindingTest<'_> {
    fn is_interesting(&self, worker_index: usize, candidate: &Candidate) -> Result<bool> {
        Ok(self.explore(worker_index, candidate)?.is_some())
    }

    fn is_sound(&self, worker_index: usize, candidate: &Candidate, checks: UbChecks) -> Result<bool> {
        self.is_sound_source(worker_index, &candidate.source, checks)
    }
}
