//! The messages between the evaluating process and its parent.

use std::time::Duration;

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use super::super::search::{Effort, GoalName, Method, Outcome, Problem};
use crate::syntax::search::MainProgram;

/// How runs are isolated from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Isolation {
    /// A run is a call that starts from the same memory each time.
    Call,
    /// A run is a process.
    Fork,
}

/// A shared object with probes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Built {
    pub library: Utf8PathBuf,
    pub problem: Problem,
    pub isolation: Isolation,
    /// For a whole program, how it reads its numbers.
    pub program: Option<MainProgram>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SearchOptions {
    pub goal: GoalName,
    pub method: Method,
    pub seed: u64,
    /// The maximum number of evaluations; by default, enough for a search of some seconds.
    pub budget: Option<u64>,
    /// Whether to cover the conditions of the functions that the entry calls too.
    pub callees: bool,
    /// The time for one search.
    pub time: Duration,
}

impl SearchOptions {
    /// A process takes a hundred times as long as a call.
    pub fn effort(&self, isolation: Isolation) -> Effort {
        let (budget, patience) = match isolation {
            Isolation::Call => (20_000_000, 100_000),
            Isolation::Fork => (200_000, 5_000),
        };
        // A larger budget also allows more attempts at each target.
        let patience = self.budget.map_or(patience, |budget| patience.max(budget / 20));
        Effort { budget: self.budget.unwrap_or(budget), patience }
    }
}

/// The task of an evaluating process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SearchJob {
    pub built: Built,
    pub options: SearchOptions,
    /// The file for the [`SearchReport`].
    pub report: Utf8PathBuf,
    /// The file for the progress: evaluations and targets met.
    pub progress: Utf8PathBuf,
}

/// The result of an evaluating process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SearchReport {
    pub outcome: Outcome,
    /// The seconds that the search took.
    pub seconds: f64,
    /// The time in seconds of each step of the outcome's progress.
    pub times: Vec<f64>,
}
