//! Probes: conditions that report their operands, for the input search.
//!
//! A condition is a leaf of a decision: of the test of an `if`, a loop or a `?:`, or of an operand of `&&`, `||` or `!`.
//! It becomes an expression that evaluates its operands once, reports them with their types, and has the same value
//! as before. The probes therefore see the operands after C's conversions. Macros need no special treatment, because
//! probes are inserted into the preprocessed text.

mod conditions;
mod inserter;
mod purity;
mod statements;

use serde::{Deserialize, Serialize};

use super::boolean::BooleanExpr;
use crate::model::{Line, named_enum};

pub use inserter::{PRELUDE, ProbeOptions};
pub use statements::probe;

named_enum! {
    /// How a condition compares its operands. The name is the operator of C.
    pub enum Comparison {
        Less = "<",
        AtMost = "<=",
        Greater = ">",
        AtLeast = ">=",
        Equal = "==",
        /// A condition that is not a comparison counts as `!= 0`.
        Unequal = "!=",
    }
}

impl Comparison {
    pub fn from_operator(operator: &str) -> Option<Comparison> {
        Comparison::ALL.into_iter().find(|found| found.name() == operator)
    }

    /// The comparison that holds where this one does not, except for NaN.
    #[must_use]
    pub fn negated(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::AtLeast,
            Comparison::AtMost => Comparison::Greater,
            Comparison::Greater => Comparison::AtMost,
            Comparison::AtLeast => Comparison::Less,
            Comparison::Equal => Comparison::Unequal,
            Comparison::Unequal => Comparison::Equal,
        }
    }

    pub fn is_equality(self) -> bool {
        matches!(self, Comparison::Equal | Comparison::Unequal)
    }
}

/// Everything that reports in the functions under test.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Probes {
    /// In source order.
    pub conditions: Vec<Condition>,
    pub decisions: Vec<Decision>,
    pub switches: Vec<Switch>,
    /// The lines on which statements begin; empty unless requested.
    pub lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    pub comparison: Comparison,
    pub line: Line,
    /// Its text, on one line.
    pub text: String,
    /// The index of its decision.
    pub decision: usize,
}

/// Conditions joined by `&&`, `||` and `!`; often just one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    pub tree: BooleanExpr,
    /// Whether its value is the function's return value.
    pub is_returned: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switch {
    pub line: Line,
    /// Without `default`, which is a branch of its own even if it is not written.
    pub cases: Vec<Case>,
    /// The index of the first case in the harness's table of bounds.
    pub first: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    pub line: Line,
    /// Its value as it is written.
    pub text: String,
}
