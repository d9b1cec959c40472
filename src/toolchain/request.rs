//! A request to profile a program, and the report that answers it.

use camino::Utf8Path;

use crate::corpus::Input;
use crate::coverage::Coverage;
use crate::model::{Execution, Outcome};

/// How much of a report is read. Extraction is a large part of the cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Line counts, and everything else in the same output.
    Lines,
    /// Also the blocks, regions and segments that line counts are derived from.
    Parts,
    /// Also the line counts in the other output formats.
    Full,
}

/// The purpose of a profile, which decides how its tools are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confidence {
    /// To choose what to try next. The fast lane is used where there is one.
    Exploratory,
    /// As evidence for a finding. Its tools run by the plain commands that a bug report shows.
    Confirming,
}

/// A program to profile, and how.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    pub source: &'a str,
    /// The folder of its own headers.
    pub folder: Option<&'a Utf8Path>,
    /// The included file that the report is about, by its absolute path; none for the program's own file.
    pub file: Option<&'a Utf8Path>,
    /// Flags from its sidecar.
    pub flags: &'a [String],
    pub input: &'a Input,
    /// The index of the flags for old C, as in an earlier [`Report`]; none to try all of them.
    pub dialect: Option<usize>,
    pub detail: Detail,
    pub perturbation: Perturbation,
    /// The number of runs that share one profile.
    pub runs: u32,
    pub confidence: Confidence,
}

impl<'a> Request<'a> {
    /// One confirming run of `source`, of which the line counts are read.
    pub fn new(source: &'a str, input: &'a Input) -> Request<'a> {
        Request {
            source,
            folder: None,
            file: None,
            flags: &[],
            input,
            dialect: None,
            detail: Detail::Lines,
            perturbation: Perturbation::Nothing,
            runs: 1,
            confidence: Confidence::Confirming,
        }
    }
}

impl Request<'_> {
    /// Whether the file that the report is about may have no code: a program may include all of its own.
    pub fn may_lack_code(&self) -> bool {
        self.file.is_none() && self.source.contains("#include \"")
    }
}

/// A way of building a program that does not change the behaviour of a program without undefined
/// behaviour whose decisions do not depend on addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Perturbation {
    Nothing,
    /// Code, data, constants, stack and heap have other addresses.
    Layout,
    /// As [`Perturbation::Layout`], but functions begin at odd distances instead of aligned ones.
    Distances,
    /// Uninitialised variables contain a pattern. gcc counts the initialisation on the lines of the
    /// declarations, so counts may differ, but not whether a line ran.
    Uninitialised,
    /// They are zero, and counted alike: where both builds have the same counts, it does not matter what the variables contain.
    Zeroed,
}

/// A run of a program and the profiler's report on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub execution: Execution,
    pub coverage: Coverage,
    /// The index of the flags for old C with which it compiled.
    pub dialect: usize,
}

/// A report, or why there is none.
pub type Profile = Result<Report, Outcome>;
