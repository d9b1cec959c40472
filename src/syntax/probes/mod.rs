//! Probes: conditions that report their operands, for the search for inputs.
//!
//! A condition is a leaf of what decides about control: of the tests of `if`, loops and `?:`, of
//! the operands of `&&`, `||` and `!`. Each becomes an expression that evaluates its operands once, reports them with
//! their types, and has the value it had. What is compared, and how, is thus seen after
//! C's conversions, and macros need no case of their own, since the text is that behind the preprocessor.

mod conditions;
mod purity;
mod weave;

use serde::{Deserialize, Serialize};

use super::boolean::BooleanExpr;
use crate::model::Line;

pub use weave::{Asked, Woven, prelude, probe};

/// How a condition compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `==`
    Equal,
    /// `!=`; also a condition that is no comparison, which is one with 0.
    Unequal,
}

impl Comparison {
    /// The operator as C writes it.
    pub fn spelt(self) -> &'static str {
        match self {
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Greater => ">",
            Comparison::AtLeast => ">=",
            Comparison::Equal => "==",
            Comparison::Unequal => "!=",
        }
    }

    /// The operator that `text` is.
    pub fn read(text: &str) -> Option<Comparison> {
        use Comparison::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
        [Less, AtMost, Greater, AtLeast, Equal, Unequal].into_iter().find(|found| found.spelt() == text)
    }

    /// What holds where this does not, NaNs aside.
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
}

/// All that reports of one function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Probes {
    /// Its conditions, in source order.
    pub conditions: Vec<Condition>,
    /// What they decide together.
    pub decisions: Vec<Decision>,
    /// Its switches.
    pub switches: Vec<Switch>,
    /// The lines on which its statements begin; only where they were asked for.
    pub lines: Vec<Line>,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// How it compares.
    pub comparison: Comparison,
    /// Its line.
    pub line: Line,
    /// Its text, on one line.
    pub text: String,
    /// The decision that it is part of.
    pub decision: usize,
}

/// Conditions joined by `&&`, `||` and `!`; often just one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// How they are joined.
    pub tree: BooleanExpr,
    /// Whether its value is what the function returns.
    pub returned: bool,
}

/// A `switch`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switch {
    /// Its line.
    pub line: Line,
    /// Its cases, as they are written; `default` is the branch behind them, whether or not it is written.
    pub cases: Vec<Case>,
    /// Where the first of them stands in the harness's table of bounds.
    pub first: usize,
}

/// A `case`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// Its line.
    pub line: Line,
    /// Its value as written.
    pub text: String,
}
