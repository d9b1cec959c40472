//! A difference between the report of P and the report of P'.

use super::named::named_enum;

/// A line of a source file, counted from 1.
pub type Line = u32;

/// How often something ran; `None` where the report says nothing.
pub type Count = Option<u64>;

named_enum! {
    /// How two reports differ (Cod, section II-B).
    pub enum Kind {
        /// Exit status, signal or standard output differ.
        Output = "output",
        /// Both reports have a count, and the counts differ.
        Strong = "strong",
        /// Exactly one report has a count.
        Weak = "weak",
    }
}

named_enum! {
    /// Which of a report's numbers is compared.
    pub enum Metric {
        /// Executions of a source line.
        Line = "line",
        /// Entries of a function.
        Function = "function",
        /// How often a condition was true, and how often false.
        Branch = "branch",
        /// Executions of a region of llvm-cov.
        Region = "region",
        /// Whether gcov reports an outcome of a condition as covered: 1 or 0 (masking MC/DC).
        Condition = "condition",
        /// Whether llvm-cov reports a condition as covered: 1 or 0 (MC/DC).
        Mcdc = "mcdc",
    }
}

/// What a difference is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// What the program printed and how it ended.
    Output,
    /// One source line.
    Line(Line),
}

/// One difference, before anything is known of its cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Difference {
    /// Where.
    pub place: Place,
    /// Output, strong or weak.
    pub kind: Kind,
    /// The count in the report of P.
    pub before: Count,
    /// The count in the report of P'.
    pub after: Count,
}

impl Difference {
    /// How the count moved, without the numbers.
    pub fn movement(&self) -> CountChange {
        CountChange::of(self.before, self.after)
    }
}

/// A count without its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// No information.
    None,
    /// Zero.
    Zero,
    /// Some positive count.
    N,
    /// A positive count other than the one on the other side.
    M,
}

impl Shape {
    /// `none`, `0`, `n` or `m`.
    pub fn name(self) -> &'static str {
        match self {
            Shape::None => "none",
            Shape::Zero => "0",
            Shape::N => "n",
            Shape::M => "m",
        }
    }
}

/// How a count moved from P to P'.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CountChange {
    /// The side of P.
    pub from: Shape,
    /// The side of P'.
    pub to: Shape,
}

impl CountChange {
    /// The movement between two counts; equal positive counts are `n`, `n`.
    pub fn of(before: Count, after: Count) -> CountChange {
        let shape = |count: Count| match count {
            None => Shape::None,
            Some(0) => Shape::Zero,
            Some(_) => Shape::N,
        };
        let (from, mut to) = (shape(before), shape(after));
        if from == Shape::N && to == Shape::N && before != after {
            to = Shape::M;
        }
        CountChange { from, to }
    }
}

impl std::fmt::Display for CountChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}->{}", self.from.name(), self.to.name())
    }
}
