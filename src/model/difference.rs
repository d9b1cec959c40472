//! A difference between the report of P and the report of P'.

use super::named::named_enum;

/// A line of a source file, counted from 1.
pub type Line = u32;

/// An execution count; `None` if the report has no count.
pub type Count = Option<u64>;

/// Of several right counts, the one that differs least from the `reported` one.
pub fn nearest<'a>(right: impl IntoIterator<Item = &'a u64>, reported: Count) -> Count {
    right.into_iter().copied().min_by_key(|right| right.abs_diff(reported.unwrap_or(0)))
}

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
        /// Whether gcov reports a prime path of a function as covered: 1 or 0.
        Path = "path",
    }
}

impl Metric {
    /// Whether a line may have several numbers: of the conditions of its decisions, the paths of its functions, the
    /// outcomes of its branches, or its regions.
    pub fn is_of_parts(self) -> bool {
        self.is_of_counts() || matches!(self, Metric::Condition | Metric::Mcdc | Metric::Path)
    }

    /// Whether these numbers are counts, of which a report has the sum: the others are covered or not.
    pub fn is_of_counts(self) -> bool {
        matches!(self, Metric::Branch | Metric::Region)
    }
}

/// The subject of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Standard output, exit status and signal.
    Output,
    /// The file: a total of the report.
    File,
    Line(Line),
}

impl Place {
    pub fn line(self) -> Option<Line> {
        match self {
            Place::Line(line) => Some(line),
            Place::Output | Place::File => None,
        }
    }
}

/// One difference whose cause is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Difference {
    pub place: Place,
    pub kind: Kind,
    /// The count in the report of P.
    pub before: Count,
    /// The count in the report of P'.
    pub after: Count,
}

impl Difference {
    /// The counts `before` and `after` of `line`; none if they agree.
    pub fn of_line(line: Line, before: Count, after: Count) -> Option<Difference> {
        let kind = if before.is_some() && after.is_some() { Kind::Strong } else { Kind::Weak };
        (before != after).then_some(Difference { place: Place::Line(line), kind, before, after })
    }

    /// The change of the count, without the numbers.
    pub fn movement(&self) -> CountChange {
        CountChange::of(self.before, self.after)
    }
}

named_enum! {
    /// A count without its number.
    pub enum Shape {
        None = "none",
        Zero = "0",
        /// A positive count.
        N = "n",
        /// A positive count that differs from the positive count on the other side.
        M = "m",
    }
}

/// The change of a count from P to P'.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CountChange {
    pub from: Shape,
    pub to: Shape,
}

impl CountChange {
    /// The change between two counts; equal positive counts are `n`, `n`.
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
