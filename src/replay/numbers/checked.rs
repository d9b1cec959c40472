//! A number of a report next to the counts that it should have.

use std::fmt;

use crate::coverage::{RegionKind, without_file};
use crate::model::{Count, Family, Line, Metric, ReportNumber};

/// The counts that a number should have, none if it should not be there; or why they are unknown.
pub type Right = Result<Vec<u64>, &'static str>;

pub(super) const NO_TRUTH: &str = "there is no ground truth";

/// A number of a report that is not the count of a line, or one that the report lacks.
#[derive(Clone, Debug)]
pub struct CheckedNumber {
    pub metric: Metric,
    /// The line on which it begins.
    pub line: Line,
    pub what: What,
    /// None if the report lacks it.
    pub count: Count,
    pub right: Right,
}

/// What a number counts.
#[derive(Clone, Debug)]
pub enum What {
    /// The entries of the function with this name.
    Function(String),
    /// gcov's branch with this number among those of the line.
    Branch(usize),
    /// One outcome of a condition, from `start` to before `end`.
    Outcome { start: (Line, u32), end: (Line, u32), is_true: bool },
    /// A region by its extent and kind.
    Region { start: (Line, u32), end: (Line, u32), kind: RegionKind },
    /// The token at a column, in a segment with another count.
    Code(u32),
    /// The region that must begin at a column.
    RegionAt(u32),
    /// The gap that must end at a column.
    GapBefore(u32),
    /// The gap that must begin at a column.
    GapAt(u32),
    /// The expansion of a macro whose name is at a column.
    ExpansionAt(u32),
    /// The condition, or the `case`, that begins at a column and must have a branch.
    TestAt(u32),
    /// Whether a condition of a decision is covered, for gcov by its true or by its false outcome. Numbered as the tools do.
    Condition { decision: DecisionPlace, condition: usize, outcome: Option<bool> },
    /// How many flags of a decision say that something is covered, and the vectors that occurred, if they are known.
    Decision { decision: DecisionPlace, flags: usize, vectors: String },
    /// Whether a path of a function is covered, by the lines of its blocks.
    Path { function: String, lines: Vec<Line> },
    /// How many of the paths of a function are covered.
    Paths { function: String, all: usize },
    /// The outcome of a decision for a test vector: 1 if it was true, and 0 if it was false.
    Vector { decision: DecisionPlace, vector: String },
}

/// A decision on a line: its column, and its number among those that are in one place.
#[derive(Clone, Copy, Debug)]
pub struct DecisionPlace {
    pub column: Option<u32>,
    pub index: usize,
}

/// The metric by which reports of `family` say which conditions are covered.
pub fn metric_of_decisions(family: Family) -> Metric {
    match family {
        Family::Gcov => Metric::Condition,
        Family::LlvmCov => Metric::Mcdc,
    }
}

impl CheckedNumber {
    pub fn is_wrong(&self) -> bool {
        match (&self.right, self.count) {
            (Err(_), _) => false,
            (Ok(right), Some(count)) => !right.contains(&count),
            (Ok(right), None) => !right.is_empty(),
        }
    }

    /// Whether it is wrong about whether anything ran at all.
    pub fn is_wrong_about_execution(&self) -> bool {
        let ran = |right: &Vec<u64>| right.iter().any(|count| *count > 0);
        self.is_wrong() && self.right.as_ref().is_ok_and(|right| (self.count > Some(0)) != ran(right))
    }

    /// Whether it is a gap, which only counts in the lines that it decides.
    pub fn is_gap(&self) -> bool {
        matches!(self.what, What::Region { kind: RegionKind::Gap, .. } | What::GapBefore(_) | What::GapAt(_))
    }

    /// The number as plain data.
    pub fn described(self) -> ReportNumber {
        let what = self.what.to_string();
        let (expected, reason) = match self.right {
            Ok(expected) => (expected, None),
            Err(reason) => (Vec::new(), Some(reason.to_string())),
        };
        let whole = match &self.what {
            What::Decision { flags, .. } => Some(*flags),
            What::Paths { all, .. } => Some(*all),
            _ => None,
        };
        let (metric, line, count) = (self.metric, self.line, self.count);
        ReportNumber { metric, line, what, count, expected, reason, whole }
    }
}

impl fmt::Display for What {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Function(name) => out.write_str(without_file(name)),
            What::Branch(number) => write!(out, "branch {number}"),
            What::Outcome { start, end, is_true } => {
                write!(out, "{}, {is_true}", Extent(*start, *end))
            }
            What::Region { start, end, kind } => {
                write!(out, "{}, {}", Extent(*start, *end), kind.in_words())
            }
            What::Code(column) => write!(out, "the code at column {column}"),
            What::RegionAt(column) => write!(out, "the region that begins at column {column}"),
            What::GapBefore(column) => write!(out, "the gap before column {column}"),
            What::GapAt(column) => write!(out, "the gap that begins at column {column}"),
            What::ExpansionAt(column) => write!(out, "the expansion at column {column}"),
            What::TestAt(column) => write!(out, "the condition at column {column}"),
            What::Condition { decision, condition, outcome: None } => {
                write!(out, "{decision}, condition {condition}")
            }
            What::Condition { decision, condition, outcome: Some(outcome) } => {
                write!(out, "{decision}, condition {condition}, {outcome}")
            }
            What::Decision { decision, flags, vectors } if vectors.is_empty() => {
                write!(out, "{decision}, covered of {flags}")
            }
            What::Decision { decision, flags, vectors } => {
                write!(out, "{decision}, covered of {flags}; vectors {vectors}")
            }
            What::Path { function, lines } => {
                let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
                write!(out, "path of {function} on lines {}", lines.join(" "))
            }
            What::Paths { function, all } => write!(out, "paths of {function}, covered of {all}"),
            What::Vector { decision, vector } => write!(out, "{decision}, outcome of {vector}"),
        }
    }
}

impl fmt::Display for DecisionPlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some(column) => write!(out, "decision at column {column}"),
            None => write!(out, "decision {}", self.index),
        }
    }
}

/// The text from a start to before an end, on the line where it starts, as in `column 9 to 11:24`.
struct Extent((Line, u32), (Line, u32));

impl fmt::Display for Extent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            (line, u32::MAX) => write!(out, "column {} to the end of line {line}", self.0.1),
            (line, column) => write!(out, "column {} to {line}:{column}", self.0.1),
        }
    }
}
