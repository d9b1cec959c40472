//! What is wanted: one file a goal. Each has an initial value r0 and a function `pen`, the two parameters
//! of Mathematical Execution's researcher layer (section 5.1), for the methods that minimise one function
//! of the input; and the distances to each of its targets, for those that take one target at a time.

mod boundary;
mod branches;
mod lines;
mod path;
mod satisfied;

use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use branches::Branches;

use super::distance::Distance;
use super::problem::Problem;
use super::run::{Run, Visit};
use crate::model::Line;

/// Something that an input can meet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// What it is, for people: `x < 0 is true`.
    pub name: String,
    /// Its line.
    pub line: Line,
    /// Whether it is what was asked for; the others only show the way.
    pub wanted: bool,
}

/// What is wanted of inputs.
pub trait Goal {
    /// All its targets.
    fn targets(&self) -> &[Target];

    /// The distances of `run` to each target that it came near; `open` are those that still matter, the
    /// others need no exact distance. 0 means met.
    fn measure(&mut self, run: &Run<'_>, open: &[bool], into: &mut Measures);

    /// The conditions whose operands lead to `target`: what has to hold for it, in their order.
    fn leading(&self, target: usize) -> Vec<usize>;

    /// Where the representing function begins: Mathematical Execution's r0.
    fn initial(&self) -> f64;

    /// What the representing function is after `visit`, where it was `r`. `closed` are the targets that are
    /// met, with all that lies behind them, or given up.
    fn pen(&self, r: f64, visit: &Visit, closed: &[bool]) -> f64;
}

/// The least distance of one run to each target.
#[derive(Clone, Debug)]
pub struct Measures {
    least: Vec<Option<Distance>>,
    near: Vec<usize>,
}

impl Measures {
    /// For `targets` targets.
    pub fn new(targets: usize) -> Measures {
        Measures { least: vec![None; targets], near: Vec::new() }
    }

    /// Forget the last run.
    pub fn clear(&mut self) {
        for target in self.near.drain(..) {
            self.least[target] = None;
        }
    }

    /// The run came as near as `distance` to `target`.
    pub fn add(&mut self, target: usize, distance: Distance) {
        match &mut self.least[target] {
            Some(known) if known.is_zero() => {}
            Some(known) => *known = known.or(distance),
            none => {
                *none = Some(distance);
                self.near.push(target);
            }
        }
    }

    /// The targets that the run came near.
    pub fn near(&self) -> &[usize] {
        &self.near
    }

    /// How near it came to `target`.
    pub fn of(&self, target: usize) -> Option<Distance> {
        self.least[target]
    }
}

/// A goal as it is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GoalName {
    /// Every branch: each outcome of each condition, each case.
    #[default]
    Branches,
    /// Every line on which a statement begins.
    Lines,
    /// The conditions named take these outcomes, in this order.
    Path(Vec<(usize, bool)>),
    /// The operands of each condition are equal.
    Boundary,
    /// The function returns something that is not 0.
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
                Some(steps) => path::read(steps).map(GoalName::Path),
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
            GoalName::Path(steps) => write!(f, "path={}", path::spelt(steps)),
        }
    }
}

/// The goal called `name`, on `problem`.
///
/// # Errors
/// A sentence, where the function has nothing that the goal could mean.
pub fn goal(name: &GoalName, problem: &Problem) -> Result<Box<dyn Goal>, String> {
    let probes = &problem.probes;
    Ok(match name {
        GoalName::Branches => Box::new(Branches::new(probes)),
        GoalName::Lines => Box::new(lines::Lines::new(probes)),
        GoalName::Path(steps) => Box::new(path::Path::new(probes, steps)?),
        GoalName::Boundary => Box::new(boundary::Boundary::new(probes)),
        GoalName::True => Box::new(satisfied::Satisfied::new(problem)),
    })
}
