//! The interface of a goal: its targets, the distances of a run from them, and its representing function.

use serde::{Deserialize, Serialize};

use super::super::distance::Distance;
use super::super::run::{Run, Visit};
use crate::model::Line;

/// A target: something that an input can meet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// For people: `x < 0 is true`.
    pub name: String,
    pub line: Line,
    /// Whether the user asked for it. The other targets only guide the search.
    pub is_requested: bool,
}

impl Target {
    pub fn new(name: String, line: Line) -> Target {
        Target { name, line, is_requested: true }
    }
}

pub trait Goal {
    fn targets(&self) -> &[Target];

    /// Add the distances of `run` from each target that it came near. Only `open` targets need exact distances.
    fn measure(&mut self, run: &Run<'_>, open: &[bool], into: &mut Measures);

    /// How many of the first targets are branches of conditions: two for each condition, or none.
    fn branches(&self) -> usize {
        0
    }

    /// The conditions whose outcomes decide whether `target` is met, in their order.
    fn deciding_conditions(&self, target: usize) -> Vec<usize>;

    /// The representing function of a run, for methods that minimise one function of the input. In Mathematical Execution
    /// (section 5.1) it is given by an initial value r0 and a function `pen` that each condition applies to it. `closed`
    /// targets are given up, or met together with everything after them.
    fn represent(&self, visits: &[Visit], closed: &[bool]) -> f64;
}

/// The least distance of one run from each target.
#[derive(Clone, Debug)]
pub struct Measures {
    least: Vec<Option<Distance>>,
    near: Vec<usize>,
}

impl Measures {
    pub fn new(targets: usize) -> Measures {
        Measures { least: vec![None; targets], near: Vec::new() }
    }

    pub fn clear(&mut self) {
        for target in self.near.drain(..) {
            self.least[target] = None;
        }
    }

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

    /// The targets that the run came near, with its distances from them.
    pub fn near(&self) -> impl Iterator<Item = (usize, Distance)> {
        self.near.iter().filter_map(|target| Some((*target, self.least[*target]?)))
    }

    /// The targets that the run met.
    pub fn met(&self) -> Vec<usize> {
        self.near().filter(|(_, distance)| distance.is_zero()).map(|(target, _)| target).collect()
    }

    pub fn of(&self, target: usize) -> Option<Distance> {
        self.least[target]
    }
}
