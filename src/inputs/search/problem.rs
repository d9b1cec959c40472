//! The input of a search: the cells of an input, and the probes of the function.

use serde::{Deserialize, Serialize};

use crate::model::Number;
use crate::syntax::search::{Cell, Probes};

/// A function with its probes and its parameters.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Problem {
    pub cells: Vec<Cell>,
    pub probes: Probes,
    /// The return type, if that is a number.
    pub returns: Option<Number>,
    /// Strings in the source.
    pub texts: Vec<String>,
    /// Numbers in the source, as doubles: good start values.
    pub constants: Vec<f64>,
}

impl Problem {
    /// The type of each cell.
    pub fn numbers(&self) -> impl Iterator<Item = Number> {
        self.cells.iter().map(|cell| cell.number)
    }
}
