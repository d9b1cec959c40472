//! The program P under one profiler: the report, the ground truth, and whether the results are repeatable.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::Result;
use camino::Utf8Path;

use super::measured::Measured;
use super::program_facts::ProgramFacts;
use super::repeated::{of_each, same_count, varying_beyond_lines};
use crate::coverage::Coverage;
use crate::model::{
    Culprit, Difference, Execution, Family, Finding, Instability, Kind, Line, Metric, Outcome, Place,
    RelationName, Rule,
};
use crate::relation::{Contradiction, beyond_lines};
use crate::replay::{CheckedNumber, expected, numbers};
use crate::syntax::Program;
use crate::toolchain::{
    Complaint, Confidence, Detail, Perturbation, Profile, Profiler, Report, Request, SOURCE, Worker,
};
use crate::truth::{Truth, TruthResult, measure, process_call};

/// Additional runs of P before a finding is left open, in two groups. The runs of a group share a build and a profile,
/// since a build takes much longer than a run.
const RUNS_IN_ONE_PROFILE: [u32; 2] = [4, 5];

/// What repeated builds and runs of P show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stability {
    /// Output and counts are the same each time, with every memory layout.
    Stable,
    /// The output varies from run to run; the counts do not.
    OutputVaries,
    /// The counts vary from run to run.
    CountsVary,
    /// Output or counts depend on the memory layout of the program.
    LayoutDependent,
}

impl Stability {
    /// The reason why a difference of this `kind` is no evidence against the profiler, if there is one.
    pub fn instability(self, kind: Kind) -> Option<Instability> {
        match self {
            Stability::OutputVaries if kind != Kind::Output => None,
            Stability::CountsVary | Stability::OutputVaries => Some(Instability::DoesNotRepeat),
            Stability::LayoutDependent => Some(Instability::LayoutDependent),
            Stability::Stable => None,
        }
    }
}

/// A report by a profiler of the other family on the same program, which behaved the same under both profilers.
#[derive(Clone, Copy, Debug)]
pub struct Peer<'a> {
    /// The family of that profiler.
    pub family: Family,
    /// Its report.
    pub report: &'a Coverage,
    /// Whether a line is reported as a difference if only one of the two profilers counts it.
    pub weak: bool,
}

/// One program with one input under one profiler.
pub struct Subject<'a> {
    /// The profiler under test.
    pub profiler: &'a dyn Profiler,
    /// Builds and runs the program.
    pub worker: &'a mut Worker,
    /// The parsed P.
    pub program: &'a Program,
    /// The profile of P with which all other profiles are compared.
    pub report: &'a Report,
    /// How P and its variants are built and run.
    pub request: Request<'a>,
    /// Ground truth, or the reason why it is unavailable.
    pub truth_result: &'a TruthResult,
    /// The report to compare with for `peer`.
    pub peer: Option<Peer<'a>>,
    /// Facts about P and its variants, which all jobs of a family share.
    pub facts: &'a ProgramFacts,
    stability: Option<Stability>,
    /// The reason, found in the profiles so far, why counts other than line counts are unreliable.
    pub(super) unsteady: Option<Instability>,
    doubted: bool,
    /// The lines with a count that was not the same in another profile of P.
    varying: BTreeSet<Line>,
    /// Whether another run of P left no profile.
    may_vary: bool,
    /// Whether another run of P printed something else.
    prints_vary: bool,
    /// Whether a detector reports undefined behaviour, once they were asked.
    defined: Option<std::result::Result<(), Complaint>>,
    own: Option<TruthResult>,
    numbers: OnceCell<Vec<CheckedNumber>>,
}

impl<'a> Subject<'a> {
    /// The subject of a job; `request` is the one that gave `report`.
    pub fn new(
        profiler: &'a dyn Profiler,
        worker: &'a mut Worker,
        program: &'a Program,
        report: &'a Report,
        request: Request<'a>,
        truth_result: &'a TruthResult,
        facts: &'a ProgramFacts,
    ) -> Subject<'a> {
        let request = Request { dialect: Some(report.dialect), detail: Detail::Lines, ..request };
        Subject {
            profiler,
            worker,
            program,
            report,
            request,
            truth_result,
            peer: None,
            facts,
            stability: None,
            unsteady: None,
            doubted: false,
            varying: BTreeSet::new(),
            may_vary: false,
            prints_vary: false,
            defined: None,
            own: None,
            numbers: OnceCell::new(),
        }
    }

    /// The family of the profiler.
    pub fn family(&self) -> Family {
        self.profiler.info().profiler
    }

    /// How often each part of P really ran.
    pub fn truth(&self) -> Option<&'a Truth> {
        self.truth_result.as_ref().ok()
    }

    /// The numbers of the report on P that are not counts of lines, next to the right ones; none without ground truth.
    pub fn numbers(&self) -> &[CheckedNumber] {
        self.numbers.get_or_init(|| {
            let report = &self.report.coverage;
            self.truth().map_or_else(Vec::new, |truth| numbers(report, Some(truth), self.family()))
        })
    }

    /// The ground truth of the program in `request`, which a relation derived from P. `report` is the report on that
    /// program.
    pub fn truth_of_variant(&mut self, request: &Request<'_>, report: &Report) -> Result<Arc<TruthResult>> {
        self.facts.ground_truth_of_variant(self.profiler, self.worker, request, report)
    }

    /// Whether P may run as several processes. Ground truth is only available if it does not.
    pub fn may_be_several(&self) -> bool {
        self.truth().map_or_else(|| process_call(self.program).is_some(), |truth| truth.processes.len() > 1)
    }

    /// The report next to ground truth.
    pub fn measured(&self) -> Measured<'_> {
        Measured {
            profiler: self.profiler.info(),
            report: &self.report.coverage,
            truth: self.truth(),
            program: self.program,
            file: self.request.file.map_or(SOURCE, Utf8Path::as_str),
            input: &self.request.input.name,
        }
    }

    /// The counts that ground truth admits for `line`.
    pub fn admissible(&self, line: Line) -> Option<Vec<u64>> {
        self.measured().admissible(line)
    }

    /// Whether the program has undefined behaviour, so that no report on it counts as wrong.
    pub fn is_undefined(&mut self) -> Result<bool> {
        if self.defined.is_none() {
            let did = &self.report.execution;
            let said = self.facts.undefined_behaviour(self.profiler, self.worker, &self.request, did)?;
            self.defined = Some(said);
        }
        Ok(matches!(self.defined, Some(Err(_))))
    }

    /// The complaint about the program, in words, if `rule` is due to it.
    pub(super) fn complaint(&self, rule: Option<Rule>) -> Option<String> {
        let is_due = rule == Some(Rule::Unstable(Instability::UndefinedBehaviour));
        self.defined.as_ref()?.as_ref().err().filter(|_| is_due).map(ToString::to_string)
    }

    /// Whether ground truth that is rebuilt with the compiler under test agrees with the claim. If two compilers
    /// differ, the program's behaviour is unspecified.
    pub fn confirms(&mut self, claim: &Contradiction) -> Result<bool> {
        if self.own.is_none() {
            let request = Request { confidence: Confidence::Confirming, ..self.request };
            self.own = Some(measure(self.profiler, self.worker, &request)?);
        }
        let own = self.own.as_ref().and_then(|truth| truth.as_ref().ok());
        let Place::Line(line) = claim.difference.place else { return Ok(true) };
        if claim.metric != Metric::Line {
            let report = &self.report.coverage;
            return Ok(own.is_some_and(|own| beyond_lines(report, own, self.family()).contains(claim)));
        }
        let Some(own) = own else { return Ok(false) };
        // A line that cannot be counted with the compiler under test, as it reads the standard differently, says nothing.
        let Ok(own) = expected(own, self.family(), line) else { return Ok(true) };
        let shared = self.truth().and_then(|truth| expected(truth, self.family(), line).ok());
        Ok(shared.is_some_and(|shared| shared.counts == own.counts))
    }

    /// The reason why a difference of this `kind` between reports on this program is no evidence against the profiler.
    pub fn unreliable(&mut self, kind: Kind) -> Result<Option<Instability>> {
        let unstable = self.confirmed_stability()?.instability(kind);
        self.or_undefined(unstable)
    }

    /// The reason why a wrong count of `metric` on `line` is no evidence against the profiler. A count that varies, as that of a
    /// thread that waits, says nothing about the functions in which no count does.
    pub fn unreliable_on(&mut self, metric: Metric, line: Option<Line>) -> Result<Option<Instability>> {
        let unstable = match self.confirmed_stability()? {
            Stability::CountsVary if !self.varies_around(line) => None,
            stability => stability.instability(Kind::Strong),
        };
        let unstable = unstable.or_else(|| self.is_timed().then_some(Instability::DoesNotRepeat));
        let unsteady = self.unsteady.filter(|_| metric != Metric::Line && self.varies_around(line));
        self.or_undefined(unstable.or(unsteady))
    }

    /// Whether the counters of ground truth may have changed what the program does, as they do in a thread that waits for another
    /// one: it prints numbers that ground truth does not, and prints them again in all other runs. Process ids, times and addresses
    /// are not the same again.
    fn is_timed(&self) -> bool {
        self.truth().is_some_and(|truth| self.prints_otherwise(&truth.execution))
    }

    /// Whether `other` prints numbers that no run of P prints: P did something else there.
    pub(super) fn prints_otherwise(&self, other: &Execution) -> bool {
        other.stdout != self.report.execution.stdout && !self.prints_vary
    }

    fn or_undefined(&mut self, unstable: Option<Instability>) -> Result<Option<Instability>> {
        Ok(match unstable {
            None => self.is_undefined()?.then_some(Instability::UndefinedBehaviour),
            unstable => unstable,
        })
    }

    /// Whether a count in the function around `line` may not be the same each time, in a program in which some are not.
    fn varies_around(&self, line: Option<Line>) -> bool {
        // Nothing is known of a variation that was seen only once.
        let may_vary = self.may_vary || self.varying.is_empty();
        match line.and_then(|line| self.truth()?.functions_around(line).next()) {
            Some(found) => may_vary || self.varying.range(found.lines.0..=found.lines.1).next().is_some(),
            None => true,
        }
    }

    /// A finding on this subject. The program's id and file name are empty; the job's record adds them.
    pub fn finding(
        &self,
        relation: RelationName,
        difference: &Difference,
        signature: String,
        rule: Option<Rule>,
        culprit: Option<Culprit>,
    ) -> Finding {
        let finding = self.measured().finding(relation, difference, signature, rule, culprit);
        Finding { complaint: self.complaint(rule), ..finding }
    }

    /// Profile the program in `request`.
    pub fn profile(&mut self, request: &Request<'_>) -> Result<Profile> {
        self.profiler.profile(self.worker, request)
    }

    /// How stable P is: it is built and run again unchanged, and with other memory layouts.
    pub fn stability(&mut self) -> Result<Stability> {
        if let Some(known) = self.stability {
            return Ok(known);
        }
        let again = self.again(Perturbation::Nothing)?;
        let mut stability = self.against_p(&again, Perturbation::Nothing);
        // If the output varies, the counts may still be stable.
        for perturbation in [Perturbation::Layout, Perturbation::Distances, Perturbation::Uninitialised] {
            let perturbed = self.again(perturbation)?;
            let found = self.against_p(&perturbed, perturbation);
            if !matches!(stability, Stability::CountsVary | Stability::LayoutDependent)
                && found != Stability::Stable
                && found != stability
            {
                stability = Stability::LayoutDependent;
            }
        }
        self.stability = Some(stability);
        Ok(stability)
    }

    /// Stability with more runs: P runs several more times before a count is called wrong. A result that depends on a
    /// random address or a process id can be the same twice by chance.
    pub fn confirmed_stability(&mut self) -> Result<Stability> {
        let stability = self.stability()?;
        if std::mem::replace(&mut self.doubted, true) {
            return Ok(stability);
        }
        // The sum of several runs does not show that one run covered less of a condition than another.
        let may_add_up = stability == Stability::Stable && self.report.coverage.decisions.is_empty();
        let doubted = if may_add_up { self.doubted_at_once()? } else { self.doubted_singly(stability)? };
        self.stability = Some(doubted);
        Ok(doubted)
    }

    /// Stability from runs that share a profile: [`RUNS_IN_ONE_PROFILE`] must give the counts of P times their number. If
    /// they do not, they are repeated. If the repetition differs, the program is unstable. If it is equal, then the
    /// tool does not add up runs, or the program detects earlier runs; single runs decide.
    fn doubted_at_once(&mut self) -> Result<Stability> {
        for runs in RUNS_IN_ONE_PROFILE {
            let all = runs.saturating_mul(self.request.runs);
            let request = Request { runs: all, ..self.alike(Perturbation::Nothing) };
            let sum = self.profiler.profile(self.worker, &request)?;
            let each = of_each(sum.clone(), runs);
            let (lines, _) = self.compared(&each, Perturbation::Nothing);
            let is_same = |each: &Report| {
                varying_beyond_lines(&self.report.coverage, &each.coverage, Perturbation::Nothing).is_none()
            };
            if lines == Stability::Stable && each.as_ref().is_ok_and(is_same) {
                continue;
            }
            if sum.is_err() || lines == Stability::OutputVaries {
                return self.doubted_singly(Stability::OutputVaries);
            }
            let again = self.profiler.profile(self.worker, &request)?;
            if again.is_err() {
                return self.doubted_singly(Stability::OutputVaries);
            }
            if sum == again {
                return self.doubted_singly(Stability::Stable);
            }
            if lines != Stability::Stable {
                self.note_sum(&sum, runs);
                return self.doubted_singly(Stability::CountsVary);
            }
            self.unsteady = Some(Instability::DoesNotRepeat);
        }
        Ok(Stability::Stable)
    }

    /// Stability from the same number of runs, each with its own build; `stability` is the result so far.
    fn doubted_singly(&mut self, mut stability: Stability) -> Result<Stability> {
        for _ in 0..RUNS_IN_ONE_PROFILE.iter().sum::<u32>() {
            let again = self.again(Perturbation::Nothing)?;
            match self.against_p(&again, Perturbation::Nothing) {
                Stability::Stable => {}
                worse if stability == Stability::Stable => stability = worse,
                Stability::CountsVary => stability = Stability::CountsVary,
                _ => {}
            }
        }
        Ok(stability)
    }

    /// The request that profiles P again by the plain commands, with this perturbation of the build.
    fn alike(&self, perturbation: Perturbation) -> Request<'a> {
        // llvm-cov reports conditions only in full detail.
        let conditions = !self.report.coverage.decisions.is_empty();
        let detail = if conditions { Detail::Parts } else { Detail::Lines };
        Request { perturbation, detail, confidence: Confidence::Confirming, ..self.request }
    }

    /// Another profile of P, with all outputs of the profiler.
    pub(super) fn again_in_full(&mut self) -> Result<Profile> {
        let request = Request { detail: Detail::Full, ..self.alike(Perturbation::Nothing) };
        self.profiler.profile(self.worker, &request)
    }

    fn again(&mut self, perturbation: Perturbation) -> Result<Profile> {
        let request = self.alike(perturbation);
        let again = self.profiler.profile(self.worker, &request)?;
        // A compiler that refuses the flags gives no information about the program.
        let refused = again.as_ref().is_err_and(Outcome::is_without_program);
        if refused && perturbation != Perturbation::Nothing {
            return Ok(Ok(self.report.clone()));
        }
        if perturbation == Perturbation::Uninitialised && self.is_filled_only(&again)? {
            return Ok(Ok(self.report.clone()));
        }
        if let Ok(again) = &again
            && let Some(lines) = varying_beyond_lines(&self.report.coverage, &again.coverage, perturbation)
        {
            self.varying.extend(lines);
            self.unsteady = Some(match perturbation {
                Perturbation::Nothing => Instability::DoesNotRepeat,
                _ => Instability::LayoutDependent,
            });
        }
        Ok(again)
    }

    /// Whether `filled`, with a pattern in the variables, differs from P, but not from a build with zeros in them: by the code with
    /// which gcc initialises them, which may be on a line that does not run otherwise.
    fn is_filled_only(&mut self, filled: &Profile) -> Result<bool> {
        let (stability, _) = self.compared(filled, Perturbation::Uninitialised);
        if filled.is_err() || stability == Stability::Stable {
            return Ok(false);
        }
        let request = self.alike(Perturbation::Zeroed);
        Ok(self.profiler.profile(self.worker, &request)? == *filled)
    }

    /// Note the lines whose counts in the `sum` of several runs are not those of as many equal runs.
    fn note_sum(&mut self, sum: &Profile, runs: u32) {
        let Ok(sum) = sum else {
            self.may_vary = true;
            return;
        };
        let all = |count: u64| count.saturating_mul(runs.into());
        let differs = |(line, count): &(Line, u64)| sum.coverage.line(*line) != Some(all(*count));
        self.varying.extend(self.report.coverage.counted().filter(differs).map(|(line, _)| line));
    }

    /// Compare another profile of P with the first one, and note what varies.
    fn against_p(&mut self, again: &Profile, perturbation: Perturbation) -> Stability {
        let (stability, lines) = self.compared(again, perturbation);
        self.may_vary |= again.is_err();
        // With filled variables, other counts pass for the same, and so what they print says nothing.
        self.prints_vary |= perturbation != Perturbation::Uninitialised
            && again.as_ref().is_ok_and(|again| again.execution.stdout != self.report.execution.stdout);
        self.varying.extend(lines);
        stability
    }

    /// Compare another profile of P, in a build with this perturbation, with the first one; and the lines that differ.
    fn compared(&self, again: &Profile, perturbation: Perturbation) -> (Stability, Vec<Line>) {
        let Ok(again) = again else { return (Stability::CountsVary, Vec::new()) };
        let same = same_count(perturbation);
        // Another build may give a line a count that had none.
        let differs =
            |(line, old): &(Line, u64)| again.coverage.line(*line).is_some_and(|new| !same(new, *old));
        let lines: Vec<Line> = self.report.coverage.counted().filter(differs).map(|(line, _)| line).collect();
        let stability = match (lines.is_empty(), again.execution == self.report.execution) {
            (false, _) => Stability::CountsVary,
            (true, true) => Stability::Stable,
            (true, false) => Stability::OutputVaries,
        };
        (stability, lines)
    }
}
