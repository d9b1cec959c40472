//! A report with its ground truth, for commands that show one program: each number next to the one that it should be.

use std::sync::Arc;

use crate::coverage::Coverage;
use crate::model::{DecidingElement, Family, Line, Metric, ReportDetails, ReportNumber};
use crate::replay::{CheckedNumber, Deciding, expected, numbers};
use crate::toolchain::SOURCE;
use crate::truth::{Truth, TruthResult};

/// A report with the ground truth that it is compared with.
#[derive(Debug)]
pub struct Profiled {
    pub family: Family,
    /// The name of the compiler, as in `gcc-12`.
    pub compiler: String,
    /// Whether conditions are counted.
    pub has_conditions: bool,
    /// Whether paths are counted.
    pub has_paths: bool,
    pub coverage: Coverage,
    pub truth: Arc<TruthResult>,
}

impl Profiled {
    /// Every function, branch and region next to the expected one, and why lines have no expected count.
    pub fn details(&self) -> ReportDetails {
        let counted = self.coverage.counted().map(|(line, _)| line);
        let unknown = counted.filter_map(|line| Some((line, self.expected(line).err()?)));
        ReportDetails {
            numbers: self.numbers().collect(),
            unknown: unknown.collect(),
            ..ReportDetails::default()
        }
    }

    /// The counts of `metric` that begin on `line`. A function begins at its head, and for llvm-cov at its brace.
    pub fn numbers_on(&self, metric: Metric, line: Line) -> Vec<ReportNumber> {
        let function_of = |line: Line| self.truth().and_then(|truth| Some(truth.entries(line)?.0));
        let is_head = |of: &ReportNumber| {
            metric == Metric::Function
                && line < of.line
                && function_of(line).is_some_and(|function| function_of(of.line) == Some(function))
        };
        let is_there =
            |number: &ReportNumber| number.metric == metric && (number.line == line || is_head(number));
        self.numbers().filter(is_there).collect()
    }

    fn numbers(&self) -> impl Iterator<Item = ReportNumber> {
        numbers(&self.coverage, self.truth(), self.family).into_iter().map(CheckedNumber::described)
    }

    /// What decides the count of `line`.
    ///
    /// # Errors
    /// A sentence that says why that is not known.
    pub fn deciding(&self, line: Line) -> Result<Vec<DecidingElement>, String> {
        Deciding::new(&self.coverage, self.truth(), self.family, SOURCE).of(line)
    }

    /// The counts that the report should give `line`.
    ///
    /// # Errors
    /// A sentence that says why there are none.
    pub fn expected(&self, line: Line) -> Result<Vec<u64>, String> {
        let truth = (*self.truth).as_ref().map_err(|reason| format!("there is no ground truth: {reason}"))?;
        let found = expected(truth, self.family, line).map_err(|reason| reason.to_string())?;
        Ok(found.counts.into_iter().collect())
    }

    fn truth(&self) -> Option<&Truth> {
        (*self.truth).as_ref().ok()
    }
}
