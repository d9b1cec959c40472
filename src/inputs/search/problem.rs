//! What is searched: the cells of an input, and the probes of the function.

use serde::{Deserialize, Serialize};

use crate::model::Number;
use crate::syntax::search::Probes;

/// One number of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Its type.
    pub number: Number,
    /// What it is of the input: `x`, `a[3]`, `p is null`.
    pub label: String,
}

/// A function with its probes, and what it takes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Problem {
    /// The numbers of an input, in order.
    pub cells: Vec<Cell>,
    /// What is reported of a run.
    pub probes: Probes,
    /// The type of what the function returns, where that is a number.
    pub returns: Option<Number>,
    /// Texts that the source names.
    pub texts: Vec<String>,
    /// Numbers that the source names, as doubles and integers: good values to begin with.
    pub constants: Vec<f64>,
}
