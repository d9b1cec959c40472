//! A variant of P as a program of its own, which is compared with its own ground truth.
//!
//! The lines that P and P' share must have the same counts; where they differ, ground truth says which report is wrong.
//! A count that is wrong in P' and right in P is a finding on P': it is judged, confirmed and diagnosed like a finding
//! on any other program, whatever relation made P'.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::Result;

use super::claims::examine;
use super::subject::Subject;
use crate::config::TriageSettings;
use crate::model::{Family, Finding, Line, Outcome, RelationName, Rewriting};
use crate::relation::{Contradiction, LineMap, against_truth};
use crate::replay::expected_counts;
use crate::syntax::{Program, render};
use crate::toolchain::{Detail, Report, Request};
use crate::truth::{Truth, TruthResult};

pub(super) struct Variant {
    /// How P was rewritten, without the counts of the result.
    plan: Rewriting,
    source: String,
    flags: Vec<String>,
    pub(super) report: Report,
    truth: Arc<TruthResult>,
    /// From the lines of P to those of P'.
    pub(super) lines: LineMap,
}

impl Variant {
    /// P rewritten by `plan`, with its report and ground truth, or the outcome if it has no report.
    pub(super) fn new(
        subject: &mut Subject<'_>,
        plan: Rewriting,
        detail: Detail,
    ) -> Result<std::result::Result<Variant, Outcome>> {
        let p = subject.program;
        let flags: Vec<String> = subject.request.flags.iter().chain(&plan.flags).cloned().collect();
        let source = render(&p.source, &plan.edits);
        let request = Request { source: &source, flags: &flags, runs: plan.runs, detail, ..subject.request };
        let report = match subject.profile(&request)? {
            Ok(report) => report,
            Err(outcome) => return Ok(Err(outcome)),
        };
        // Ground truth does not need the flags that a relation added, except -O flags, which may change the behaviour.
        let is_needed = |flag: &&String| subject.request.flags.contains(flag) || flag.starts_with("-O");
        let plain: Vec<String> = flags.iter().filter(is_needed).cloned().collect();
        let truth = subject.truth_of_variant(&Request { flags: &plain, ..request }, &report)?;
        let lines = LineMap::new(p, &plan.edits);
        Ok(Ok(Variant { plan, source, flags, report, truth, lines }))
    }

    /// The number of runs that share its profile.
    pub(super) fn runs(&self) -> u32 {
        self.plan.runs
    }

    /// The parsed program. Only few variants need it, so it is not stored.
    pub(super) fn program(&self) -> Program {
        Program::parse(self.source.clone())
    }

    /// How often each part of the variant really ran.
    pub(super) fn truth(&self) -> Option<&Truth> {
        self.truth.as_ref().as_ref().ok()
    }

    /// The counts that are wrong here, on lines other than the `wrong` ones of P.
    pub(super) fn newly_wrong(&self, wrong: &BTreeSet<Line>, family: Family) -> Vec<Contradiction> {
        let Some(truth) = self.truth() else { return Vec::new() };
        let earlier: BTreeSet<Line> = wrong.iter().filter_map(|line| self.lines.to(*line)).collect();
        let mut found = against_truth(&self.report.coverage, truth, family);
        found.retain(|found| found.difference.place.line().is_some_and(|line| !earlier.contains(&line)));
        found
    }

    /// Judge the contradictions that `relation` found in the variant of the P of `subject`.
    pub(super) fn examine(
        &self,
        subject: &mut Subject<'_>,
        relation: RelationName,
        found: &[Contradiction],
        settings: &TriageSettings,
    ) -> Result<Vec<Finding>> {
        let program = self.program();
        let request =
            Request { source: &program.source, flags: &self.flags, runs: self.plan.runs, ..subject.request };
        let Subject { profiler, facts, .. } = *subject;
        let worker = &mut *subject.worker;
        let mut own = Subject::new(profiler, worker, &program, &self.report, request, &self.truth, facts);
        examine(&mut own, relation, found, settings)
    }

    /// How P was rewritten, and the counts of the result.
    pub(super) fn rewriting(&self, is_isolated: bool, family: Family) -> Rewriting {
        Rewriting {
            isolated: is_isolated,
            counts: self.report.coverage.lines(),
            truth: self.truth().map_or_else(Vec::new, |truth| expected_counts(truth, family)),
            ..self.plan.clone()
        }
    }
}

/// The lines of P with a wrong count. The relation `truth` reports them.
pub(super) fn wrong_lines(subject: &Subject<'_>) -> BTreeSet<Line> {
    let Some(truth) = subject.truth() else { return BTreeSet::new() };
    let wrong = against_truth(&subject.report.coverage, truth, subject.family());
    wrong.iter().filter_map(|found| found.difference.place.line()).collect()
}
