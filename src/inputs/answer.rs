//! The result of a search for inputs of one function or program.

use super::search::{Input, Outcome};
use crate::coverage::Columns;
use crate::model::{Line, Number};
use crate::syntax::search::Cell;

#[derive(Clone, Debug)]
pub struct Answer {
    /// The name of the function.
    pub entry: String,
    pub line: Line,
    pub cells: Vec<Cell>,
    /// The inputs that together meet every target that was met.
    pub inputs: Vec<Input>,
    pub outcome: Outcome,
    /// The seconds that the search took.
    pub seconds: f64,
    /// The time in seconds of each step of the outcome's progress.
    pub times: Vec<f64>,
    /// The coverage of the inputs, by gcov.
    pub coverage: Option<Columns>,
}

impl Answer {
    /// The number of requested targets.
    pub fn requested(&self) -> usize {
        self.outcome.targets.iter().filter(|target| target.is_requested).count()
    }

    /// The number of requested targets that were met.
    pub fn met(&self) -> usize {
        self.requested() - self.outcome.unmet.len()
    }

    /// The values of `input` as C literals.
    pub fn literals(&self, input: &Input) -> Vec<String> {
        self.values(input, Number::literal)
    }

    /// The values of `input`, each as `format` writes it.
    pub fn values(&self, input: &Input, format: impl Fn(Number, u64) -> String) -> Vec<String> {
        self.cells.iter().zip(&input.bits).map(|(cell, bits)| format(cell.number, *bits)).collect()
    }
}
