//! Where in a profiler a wrong number comes from.

use serde::{Deserialize, Serialize};

use super::named::named_enum;
use super::{Count, Line, Metric, WrongKind};

named_enum! {
    /// The part of a profiler that a fault is in. Each part is right about its input: the line rule about the mapping and
    /// the counters, the report generator about the rule.
    pub enum Layer {
        /// A counter has a wrong value, or none was inserted.
        Counter = "counter",
        /// A block has the wrong lines; a region the wrong extent, kind or expression.
        Mapping = "mapping",
        /// The rule that turns counts of blocks or regions into counts of lines.
        LineRule = "line-rule",
        /// The report differs from the rules of the profiler.
        Report = "report",
        /// An element that must be there is not.
        Missing = "missing",
    }
}

/// A number of a report that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symptom {
    /// As in the finding.
    #[serde(default)]
    pub file: String,
    pub line: Line,
    pub metric: Metric,
    /// None if the report lacks it.
    pub reported: Count,
    /// The counts that it may have; empty if it should not be there.
    pub expected: Vec<u64>,
}

impl Symptom {
    /// How the number is wrong; none if it is right.
    pub fn kind(&self) -> Option<WrongKind> {
        WrongKind::of(self.reported, &self.expected)
    }
}

/// The faulty element that makes a number wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    pub layer: Layer,
    /// The id of a known mechanism, or for an unknown one its layer, what is odd about the element, and the construct
    /// responsible, as in `mapping/extent/switch`.
    pub mechanism: String,
    /// The faulty element. It is the same for all symptoms of one element, and different for two elements of one report.
    pub element: String,
    /// What shows that this is the mechanism, in one or two sentences.
    pub evidence: String,
}

impl Cause {
    /// Whether the mechanism is a known one: the id of a combination that is not understood has several parts.
    pub fn is_understood(&self) -> bool {
        !self.mechanism.contains('/')
    }

    pub(crate) fn new(layer: Layer, mechanism: &str, element: String, evidence: String) -> Cause {
        Cause { layer, mechanism: mechanism.to_string(), element, evidence }
    }
}
