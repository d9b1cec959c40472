//! The goals, with the names that users type.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::super::problem::Problem;
use super::boundary::Boundary;
use super::branches::Branches;
use super::path::{self, Path};
use super::satisfied::Satisfied;
use super::target::Goal;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GoalName {
    /// Each outcome of each condition, and each case.
    #[default]
    Branches,
    /// Every line on which a statement begins.
    Lines,
    /// These conditions, numbered from 1, have these outcomes, in this order.
    Path(Vec<(usize, bool)>),
    /// The operands of each condition are equal.
    Boundary,
    /// The function returns a value other than 0.
    True,
}

impl FromStr for GoalName {
    type Err = String;

    fn from_str(text: &str) -> Result<GoalName, String> {
        match text {
            "branches" => Ok(GoalName::Branches),
            "lines" => Ok(GoalName::Lines),
            "boundary" => Ok(GoalName::Boundary),
            "true" => Ok(GoalName::True),
            _ => match text.strip_prefix("path=") {
                Some(steps) => path::parse(steps).map(GoalName::Path),
                None => Err("a goal is branches, lines, boundary, true, or path=1T,2F,…".into()),
            },
        }
    }
}

impl std::fmt::Display for GoalName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GoalName::Branches => f.write_str("branches"),
            GoalName::Lines => f.write_str("lines"),
            GoalName::Boundary => f.write_str("boundary"),
            GoalName::True => f.write_str("true"),
            GoalName::Path(steps) => write!(f, "path={}", path::format(steps)),
        }
    }
}

/// The goal `name` for `problem`, or a sentence that says why the function cannot have it.
pub fn goal(name: &GoalName, problem: &Problem) -> Result<Box<dyn Goal>, String> {
    let probes = &problem.probes;
    Ok(match name {
        GoalName::Branches => Box::new(Branches::new(probes)),
        GoalName::Lines => Box::new(Branches::with_lines(probes)),
        GoalName::Path(steps) => Box::new(Path::new(probes, steps)?),
        GoalName::Boundary => Box::new(Boundary::new(probes)),
        GoalName::True => Box::new(Satisfied::new(problem)),
    })
}
