//! The structure of a decision: conditions joined by `&&`, `||` and `!`.

use std::collections::BTreeMap;
use std::ops::Range;

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

    /// For each condition the step that its false outcome adds to the number of the path, and how many paths there are: each way
    /// through the evaluation has a number below that (Ball and Larus, "Efficient Path Profiling", MICRO 1996). None if
    /// there are more than `most`.
    pub fn path_steps(&self, most: u32) -> Option<(BTreeMap<usize, u32>, u32)> {
        let mut steps = BTreeMap::new();
        let paths = self.number_paths((1, 1), most, &mut steps)?;
        Some((steps, paths))
    }

    /// The number of paths from here, of which `yes` follow if it is true, and `no` if it is false.
    fn number_paths(
        &self,
        (yes, no): (u32, u32),
        most: u32,
        steps: &mut BTreeMap<usize, u32>,
    ) -> Option<u32> {
        match self {
            BooleanExpr::Condition(condition) => {
                steps.insert(*condition, yes);
                yes.checked_add(no).filter(|paths| *paths <= most)
            }
            BooleanExpr::Not(inner) => inner.number_paths((no, yes), most, steps),
            BooleanExpr::And(left, right) => {
                let right = right.number_paths((yes, no), most, steps)?;
                left.number_paths((right, no), most, steps)
            }
            BooleanExpr::Or(left, right) => {
                let right = right.number_paths((yes, no), most, steps)?;
                left.number_paths((yes, right), most, steps)
            }
        }
    }

    /// The same without the conditions for which `constant` returns a value, or its own value if they decide that.
    pub fn simplified(&self, constant: &impl Fn(usize) -> Option<bool>) -> Result<BooleanExpr, bool> {
        match self {
            BooleanExpr::Condition(condition) => constant(*condition).map_or_else(|| Ok(self.clone()), Err),
            BooleanExpr::Not(inner) => match inner.simplified(constant) {
                Ok(inner) => Ok(BooleanExpr::Not(Box::new(inner))),
                Err(value) => Err(!value),
            },
            BooleanExpr::And(left, right) | BooleanExpr::Or(left, right) => {
                let deciding = matches!(self, BooleanExpr::Or(..));
                match (left.simplified(constant), right.simplified(constant)) {
                    (Err(value), _) | (_, Err(value)) if value == deciding => Err(value),
                    (Err(_), other) | (other, Err(_)) => other,
                    (Ok(left), Ok(right)) if deciding => Ok(BooleanExpr::Or(Box::new(left), Box::new(right))),
                    (Ok(left), Ok(right)) => Ok(BooleanExpr::And(Box::new(left), Box::new(right))),
                }
            }
        }
    }

    /// The same with each condition replaced by its index in `conditions`, which has all of them.
    #[must_use]
    pub fn renumbered(&self, conditions: &[usize]) -> BooleanExpr {
        let inner = |tree: &BooleanExpr| Box::new(tree.renumbered(conditions));
        match self {
            BooleanExpr::Condition(condition) => {
                let index = conditions.iter().position(|other| other == condition);
                BooleanExpr::Condition(index.expect("it has all of them"))
            }
            BooleanExpr::Not(tree) => BooleanExpr::Not(inner(tree)),
            BooleanExpr::And(left, right) => BooleanExpr::And(inner(left), inner(right)),
            BooleanExpr::Or(left, right) => BooleanExpr::Or(inner(left), inner(right)),
        }
    }

    /// The same with each largest part whose conditions are one of `ranges`, and each `!` around it, in place of its conditions.
    /// `parts` becomes what the conditions of the result are.
    #[must_use]
    pub fn merged(&self, ranges: &[Range<usize>], parts: &mut Vec<BooleanExpr>) -> BooleanExpr {
        let mut inner = |tree: &BooleanExpr| Box::new(tree.merged(ranges, parts));
        match self {
            BooleanExpr::Not(tree) if !self.is_part(ranges) => BooleanExpr::Not(inner(tree)),
            BooleanExpr::And(left, right) if !self.is_part(ranges) => {
                BooleanExpr::And(inner(left), inner(right))
            }
            BooleanExpr::Or(left, right) if !self.is_part(ranges) => {
                BooleanExpr::Or(inner(left), inner(right))
            }
            part => {
                parts.push(part.clone());
                BooleanExpr::Condition(parts.len() - 1)
            }
        }
    }

    /// Whether its conditions, several of them, are one of `ranges`.
    fn is_part(&self, ranges: &[Range<usize>]) -> bool {
        let conditions = self.conditions();
        let (Some(first), Some(last)) = (conditions.first(), conditions.last()) else { return false };
        first < last && ranges.contains(&(*first..last + 1))
    }
}
