//! The evaluating process: `recount evaluate`, one a search. It loads the probed function and searches with it, so
//! that an evaluation is a call and not a message; it tells its parent how far it is, and leaves the outcome in a file.
//!
//! The function may crash, loop, exit or overflow the stack: the harness ends that run and the search goes on.
//! What breaks the process itself (memory of the C library that was overwritten) ends it, and the parent begins
//! again with a process for each run ([`Isolation::Fork`]), which is slower and survives everything. Either way
//! every run begins from the same memory, so that the outcome depends on the seed alone.

mod loaded;

use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

pub use loaded::{Loaded, Sizes};

use super::search::{Effort, GoalName, Method, Outcome, Problem, Run, Session, Subject, goal, search};
use crate::syntax::search::MainProgram;

/// The harness, in C: to be linked with the probed source.
pub const HARNESS: &str = include_str!("harness.c");

/// How runs are kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Isolation {
    /// A run is a call, from the same memory each time.
    Call,
    /// A run is a process.
    Fork,
}

/// What the evaluating process is asked to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Errand {
    /// The shared object.
    pub library: Utf8PathBuf,
    /// What is searched.
    pub problem: Problem,
    /// What is wanted.
    pub goal: GoalName,
    /// How to search.
    pub method: Method,
    /// The seed.
    pub seed: u64,
    /// How long to search.
    pub effort: Effort,
    /// Time after which it stops, whatever is left.
    pub time: Duration,
    /// How runs are kept apart.
    pub isolation: Isolation,
    /// How a whole program gets its numbers.
    pub program: Option<MainProgram>,
    /// Where the outcome goes.
    pub outcome: Utf8PathBuf,
    /// Where progress goes: evaluations and targets met, two numbers.
    pub progress: Utf8PathBuf,
}

/// What the evaluating process leaves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// What the search came to.
    pub outcome: Outcome,
    /// How long it took, in seconds: the search alone.
    pub seconds: f64,
    /// The seconds at which each step of its progress was made.
    pub times: Vec<f64>,
}

/// Between two reports of progress.
const BETWEEN: Duration = Duration::from_millis(100);

/// Do the errand in the file `errand`.
///
/// # Errors
/// When it cannot be read, loaded or written.
pub fn evaluate(errand: &Utf8Path) -> Result<()> {
    let errand: Errand = serde_json::from_slice(&fs_err::read(errand)?).context("read the errand")?;
    let probes = &errand.problem.probes;
    let bounds = probes.switches.iter().map(|switch| switch.cases.len()).sum();
    let sizes = Sizes { conditions: probes.conditions.len(), bounds };
    let loaded = Loaded::new(&errand.library, sizes, errand.isolation == Isolation::Fork)?;
    let mut subject: Box<dyn Subject> = match errand.program.clone() {
        Some(program) => Box::new(Whole { loaded, program }),
        None => Box::new(loaded),
    };
    let begun = Instant::now();
    let (mut told, mut times) = (begun, Vec::new());
    let mut watch = |evaluations: u64, met: usize, is_new: bool| {
        if is_new {
            times.push(begun.elapsed().as_secs_f64());
        }
        if told.elapsed() >= BETWEEN {
            told = Instant::now();
            // Progress is for looking at; a search does not end for the want of it.
            let _ = fs_err::write(&errand.progress, format!("{evaluations} {met}"));
        }
        begun.elapsed() < errand.time
    };
    let goal = goal(&errand.goal, &errand.problem).map_err(|reason| anyhow!(reason))?;
    let mut session =
        Session::new(&errand.problem, goal, &mut *subject, (errand.seed, errand.effort), &mut watch);
    search(errand.method, &mut session);
    let outcome = session.finish();
    let report = Report { outcome, seconds: begun.elapsed().as_secs_f64(), times };
    fs_err::write(&errand.outcome, serde_json::to_vec(&report)?)?;
    Ok(())
}

/// A whole program: its numbers are text.
struct Whole {
    loaded: Loaded,
    program: MainProgram,
}

impl Subject for Whole {
    fn run(&mut self, input: &[u64]) -> Run<'_> {
        let (mut arguments, text) = self.program.text(input);
        arguments.insert(0, "program".into());
        self.loaded.say(&arguments, &text);
        self.loaded.run(input)
    }
}
