//! The lines and numbers of one file of a unit over all runs of the tests.

use std::collections::{BTreeMap, BTreeSet};

use super::result::{LineAudit, State};
use crate::coverage::Coverage;
use crate::model::{Count, Family, Finding, Layer, Line, Metric, Rule, Verdict, nearest};
use crate::replay::{expected, lacks_code, needs_count, numbers};
use crate::syntax::PointId;
use crate::truth::Truth;

const VARIES: &str = "its count varies from run to run";
const PARTLY_VARIES: &str = "the count of another line with the same fault varies from run to run";
const DOUBTFUL: &str =
    "the two builds count differently here, as they may where addresses, time or random numbers decide";

/// In a file with counts that vary, a smaller difference than this may be one between runs, even if no count of its function varied.
const LEAST_SPREAD: f64 = 0.05;

/// The numbers that are not counts of lines, by their metric and line: each with its count and those that it should have.
type Numbers = BTreeMap<(Metric, Line), Vec<(Count, Option<Vec<u64>>)>>;

/// The reports and the truths of all runs on one file of a unit.
pub struct Checked<'a> {
    family: Family,
    reports: &'a [Coverage],
    truths: &'a [Truth],
    /// The lines of statements that have a line whose count, or what it should be, differs between runs.
    varying: BTreeSet<Line>,
    /// The lines whose count is wrong in the first run, by a fault of which another number varies.
    partly_varying: BTreeSet<Line>,
    /// The lines with a difference that may be one between the two builds.
    doubtful: BTreeSet<Line>,
}

impl<'a> Checked<'a> {
    pub fn new(family: Family, reports: &'a [Coverage], truths: &'a [Truth]) -> Checked<'a> {
        let (varying, partly_varying, doubtful) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut checked = Checked { family, reports, truths, varying, partly_varying, doubtful };
        let truth = &truths[0];
        let last = reports[0].last_line().max(truth.lines.keys().next_back().copied().unwrap_or(0));
        let alone: BTreeSet<Line> = (1..=last).filter(|line| checked.differs(*line)).collect();
        let roots = |line: &Line| truth.tokens(*line).iter().map(|token| truth.root(token.point));
        let statements: BTreeSet<PointId> = alone.iter().flat_map(roots).collect();
        // The counts of one part of a statement may be equal in two runs by chance.
        let shares = |line: &Line| roots(line).any(|root| statements.contains(&root));
        checked.varying = truth.lines.keys().copied().filter(shares).chain(alone).collect();
        checked
    }

    /// Whether the count of the line, or what it should be, differs between runs.
    fn differs(&self, line: Line) -> bool {
        let right = |truth: &Truth| expected(truth, self.family, line).map(|found| found.counts).ok();
        self.reports.iter().any(|report| report.line(line) != self.reports[0].line(line))
            || self.truths.iter().any(|truth| right(truth) != right(&self.truths[0]))
    }

    /// Whether a count of the statements on the line varies.
    fn varies(&self, line: Line) -> bool {
        self.varying.contains(&line)
    }

    /// The findings that every run has, as none of their numbers varies, and that are no difference between the two builds.
    pub fn steady(&mut self, findings: Vec<Finding>) -> Vec<Finding> {
        if findings.is_empty() {
            return findings;
        }
        let numbers: Vec<Numbers> =
            self.reports.iter().zip(self.truths).map(|(report, truth)| self.numbers(report, truth)).collect();
        let varies = |metric: Metric, line: Line| match metric {
            Metric::Line => self.varies(line),
            _ => numbers.iter().any(|run| run.get(&(metric, line)) != numbers[0].get(&(metric, line))),
        };
        let is_steady = |finding: &Finding| {
            !finding.line.is_some_and(|line| varies(finding.metric, line))
                && !finding.symptoms.iter().any(|found| varies(found.metric, found.line))
        };
        let (mut steady, unsteady): (Vec<Finding>, Vec<Finding>) = findings.into_iter().partition(is_steady);
        self.partly_varying = unsteady.iter().flat_map(lines_of).collect();
        // A line that is doubtful makes others in its function doubtful.
        loop {
            let (doubtful, others): (Vec<Finding>, Vec<Finding>) =
                steady.into_iter().partition(|finding| self.is_doubtful(finding));
            steady = others;
            if doubtful.is_empty() {
                return steady;
            }
            self.doubtful.extend(doubtful.iter().flat_map(lines_of));
        }
    }

    /// Whether `finding` may be a difference between the two builds, which have other addresses and run at another time. If no known
    /// mechanism explains it: it is one of the profiler's own counters, which only an execution changes, or in a function with a
    /// count that varies. If one does: the difference is as small as those between runs, of which some may be equal by chance.
    fn is_doubtful(&self, finding: &Finding) -> bool {
        let (Some(cause), Some(line)) = (&finding.cause, finding.line) else { return false };
        let varies = || {
            self.in_functions_around(line, &self.varying)
                .chain(self.in_functions_around(line, &self.doubtful))
        };
        let is_small = || {
            let spread = varies().map(|line| self.spread(line)).fold(LEAST_SPREAD, f64::max);
            let right = nearest(finding.truth.iter().flatten(), finding.before);
            finding.before.zip(right).is_some_and(|(count, right)| difference(count, right) <= spread)
        };
        let may_be_one = if cause.is_understood() {
            !self.varying.is_empty() && is_small()
        } else {
            cause.layer == Layer::Counter || varies().next().is_some()
        };
        finding.verdict == Verdict::Wrong && may_be_one
    }

    /// Those of `lines` that are in a function around `line`.
    fn in_functions_around<'b>(
        &'b self,
        line: Line,
        lines: &'b BTreeSet<Line>,
    ) -> impl Iterator<Item = Line> + 'b {
        let functions = self.truths[0].functions_around(line).map(|function| function.lines);
        functions.flat_map(|(first, last)| lines.range(first..=last).copied())
    }

    /// The largest difference between the counts that runs report for `line`, as a share.
    fn spread(&self, line: Line) -> f64 {
        let counts = || self.reports.iter().filter_map(|report| report.line(line));
        counts().min().zip(counts().max()).map_or(0.0, |(least, most)| difference(least, most))
    }

    fn numbers(&self, report: &Coverage, truth: &Truth) -> Numbers {
        let mut found = Numbers::new();
        for number in numbers(report, Some(truth), self.family) {
            found.entry((number.metric, number.line)).or_default().push((number.count, number.right.ok()));
        }
        found
    }

    /// Every line that has a count, or must have one.
    pub fn lines(&self, findings: &[Finding]) -> BTreeMap<Line, LineAudit> {
        let (report, truth) = (&self.reports[0], &self.truths[0]);
        let last = report.last_line().max(truth.lines.keys().next_back().copied().unwrap_or(0));
        let lines = (1..=last).filter_map(|line| Some((line, self.line(line, report.line(line), findings)?)));
        lines.collect()
    }

    fn line(&self, line: Line, reported: Count, findings: &[Finding]) -> Option<LineAudit> {
        let truth = &self.truths[0];
        let is_here = |finding: &&Finding| {
            let has = finding.symptoms.iter().any(|found| found.line == line && found.metric == Metric::Line);
            has || finding.line == Some(line) && finding.metric == Metric::Line
        };
        let unchecked =
            |reason: String| LineAudit { reported, right: None, state: State::Unchecked { reason } };
        let found = findings.iter().find(is_here);
        let must_have = needs_count(&self.reports[0], truth, self.family, line);
        if reported.is_none() && !must_have && found.is_none() {
            return None;
        }
        if self.varies(line) {
            return Some(unchecked(VARIES.into()));
        }
        if self.doubtful.contains(&line) {
            return Some(unchecked(DOUBTFUL.into()));
        }
        if found.is_none() && self.partly_varying.contains(&line) {
            return Some(unchecked(PARTLY_VARIES.into()));
        }
        let right = match expected(truth, self.family, line) {
            _ if lacks_code(&self.reports[0], truth, self.family, line) => None,
            Ok(right) => {
                // Of several counts that the line may have, those of its own code come first; in the definition of a macro,
                // each of its points is one of several copies.
                let own = right.points.iter().filter(|_| !truth.directives.contains(&line));
                let own = own.filter_map(|id| truth.point(*id).count);
                let own: BTreeSet<u64> = own.filter(|count| right.counts.contains(count)).collect();
                nearest(if own.is_empty() { &right.counts } else { &own }, reported)
            }
            Err(reason) if reported.is_some() => return Some(unchecked(reason.to_string())),
            Err(_) => None,
        };
        let state = match found.map(|finding| (finding.verdict, finding.rule)) {
            Some((Verdict::Wrong, _)) => State::Wrong,
            Some((_, Some(Rule::Convention(rule)))) => State::Convention { rule: rule.name().into() },
            Some(_) => return Some(unchecked("it could not be judged".into())),
            // Of several right counts, the report has one.
            None => return Some(LineAudit { reported, right: reported, state: State::Checked }),
        };
        let right = if state == State::Wrong { right } else { reported };
        Some(LineAudit { reported, right, state })
    }
}

/// How much two counts differ, as a share of the larger one.
fn difference(one: u64, other: u64) -> f64 {
    let larger = one.max(other).max(1);
    #[allow(clippy::cast_precision_loss, reason = "a share needs no more")]
    let share = one.abs_diff(other) as f64 / larger as f64;
    share
}

/// The lines whose counts the finding says are wrong.
fn lines_of(finding: &Finding) -> impl Iterator<Item = Line> {
    let symptoms = finding.symptoms.iter().map(|found| (found.metric, found.line));
    let all = symptoms.chain(finding.line.map(|line| (finding.metric, line)));
    all.filter(|(metric, _)| *metric == Metric::Line).map(|(_, line)| line)
}
