//! The structure of a decision: conditions joined by `&&`, `||` and `!`.

use serde::{Deserialize, Serialize};

/// Each condition is an index into a list that the owner of the expression keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BooleanExpr {
    Condition(usize),
    Not(Box<BooleanExpr>),
    And(Box<BooleanExpr>, Box<BooleanExpr>),
    Or(Box<BooleanExpr>, Box<BooleanExpr>),
}

impl BooleanExpr {
    /// In source order.
    pub fn conditions(&self) -> Vec<usize> {
        match self {
            BooleanExpr::Condition(condition) => vec![*condition],
            BooleanExpr::Not(inner) => inner.conditions(),
            BooleanExpr::And(left, right) | BooleanExpr::Or(left, right) => {
                [left.conditions(), right.conditions()].concat()
            }
        }
    }
}
