//! A report next to its ground truth: what can be said about its numbers without running anything.

use std::collections::BTreeSet;

use super::sign::cluster_id;
use crate::coverage::Coverage;
use crate::model::{
    Culprit, Difference, Family, Finding, Line, Metric, ProfilerInfo, RelationName, Rule, SIGNATURE_VERSION,
    Verdict,
};
use crate::replay::expected;
use crate::syntax::Program;
use crate::truth::Truth;

#[derive(Clone, Copy, Debug)]
pub struct Measured<'a> {
    pub profiler: &'a ProfilerInfo,
    pub report: &'a Coverage,
    /// How often each part of the program really ran.
    pub truth: Option<&'a Truth>,
    /// The file that the report is about.
    pub program: &'a Program,
    /// The name of that file by which the profiler knows it.
    pub file: &'a str,
    /// The name of the input.
    pub input: &'a str,
}

impl Measured<'_> {
    pub fn family(&self) -> Family {
        self.profiler.profiler
    }

    /// The counts that ground truth admits for `line`.
    pub fn admissible(&self, line: Line) -> Option<Vec<u64>> {
        Some(expected(self.truth?, self.family(), line).ok()?.counts.into_iter().collect())
    }

    /// A finding on this report. The program's id and file name are empty; the job's record adds them.
    pub fn finding(
        &self,
        relation: RelationName,
        difference: &Difference,
        signature: String,
        rule: Option<Rule>,
        culprit: Option<Culprit>,
    ) -> Finding {
        let line = difference.place.line();
        Finding {
            program: String::new(),
            file: String::new(),
            is_included: false,
            input: self.input.into(),
            profiler: self.profiler.profiler,
            compiler: self.profiler.compiler.clone(),
            version: self.profiler.version.clone(),
            metric: Metric::Line,
            line,
            relation,
            also: BTreeSet::new(),
            kind: difference.kind,
            before: difference.before,
            after: difference.after,
            truth: line.and_then(|line| self.admissible(line)),
            cluster: cluster_id(&signature),
            signature,
            signature_version: SIGNATURE_VERSION,
            culprit,
            verdict: Verdict::by(rule),
            complaint: None,
            rule,
            rewriting: None,
            symptoms: Vec::new(),
            cause: None,
            undiagnosed: None,
        }
    }
}
