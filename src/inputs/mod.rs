//! `recount inputs`: from a C file to a small set of inputs and what they cover.
//!
//! preprocess, find the entries, weave the probes (`build`); search in a process of its own
//! (`evaluate`); choose a cover; run it under gcov (`measure`); show it (`render`, `plot`).

mod build;
mod evaluate;
mod measure;
mod plot;
mod render;
mod replay;
mod search;
mod widen;

use std::time::Duration;

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

pub use build::{Candidate, Source, Workshop};
pub use evaluate::evaluate;
pub use plot::plot;
pub use render::{hex, json, text};
pub use search::{GoalName, Method};
pub use widen::widened;

use crate::coverage::Columns;
use crate::model::{Line, Termination};
use crate::sys::{Command, Confinement, Limits, Scratch, Supervisor, run_with_ticks};
use crate::toolchain::compilers_folder;
use build::Built;
use evaluate::{Errand, Isolation, Report};
use search::{Cell, Effort, Ended, Outcome, cover};

/// How to search.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// What is wanted.
    pub goal: GoalName,
    /// How the next input is chosen.
    pub method: Method,
    /// The seed.
    pub seed: u64,
    /// Evaluations at most; by default what a search of some seconds needs.
    pub budget: Option<u64>,
    /// Whether the conditions of the functions that the entry calls count too.
    pub callees: bool,
    /// Time for one search.
    pub time: Duration,
}

impl Wanted {
    /// How long to search where runs are kept apart so: a process takes a hundred times as long as a call.
    fn effort(&self, isolation: Isolation) -> Effort {
        let (budget, patience) = match isolation {
            Isolation::Call => (20_000_000, 100_000),
            Isolation::Fork => (200_000, 5_000),
        };
        // Who gives more evaluations wants more to be tried.
        let patience = self.budget.map_or(patience, |budget| patience.max(budget / 20));
        Effort { budget: self.budget.unwrap_or(budget), patience }
    }
}

/// One input of the result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// The bits of its cells.
    pub bits: Vec<u64>,
    /// How the function ends with it.
    pub ended: Ended,
    /// The line of the last probe, for one that ends badly.
    pub behind: Option<Line>,
}

/// What was found for one entry.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The function.
    pub entry: String,
    /// Its line.
    pub line: Line,
    /// The numbers of an input.
    pub cells: Vec<Cell>,
    /// The inputs that together meet all that was met.
    pub inputs: Vec<Input>,
    /// Inputs that end badly.
    pub faults: Vec<Input>,
    /// All that the search came to.
    pub outcome: Outcome,
    /// Seconds of search.
    pub seconds: f64,
    /// The seconds at which each step of the outcome's progress was made.
    pub times: Vec<f64>,
    /// What the inputs cover, by gcov.
    pub coverage: Option<Columns>,
}

/// Search for inputs of `candidate`. `watch` hears evaluations and targets met, now and then.
///
/// # Errors
/// One sentence: what does not compile, or that the machine is broken.
pub fn find(
    workshop: &Workshop,
    source: &Source,
    candidate: &Candidate,
    wanted: &Wanted,
    watch: &(dyn Fn(u64, u64) + Sync),
) -> Result<Answer> {
    let found = found_in(workshop, source, candidate, wanted, (true, watch))?;
    let leaves_arrays = |fault: &Input| fault.ended == Ended::Signalled(ILLEGAL);
    if found.outcome.only_by_faults.is_empty() || !found.faults.iter().any(leaves_arrays) {
        return Ok(found);
    }
    // Code that runs through a matrix by the index of its first row leaves an array and works. What the replay covers says
    // whether that is so here.
    let covered = |found: &Answer| found.coverage.map_or(0, |columns| columns.branches.covered);
    match found_in(workshop, source, candidate, wanted, (false, watch)) {
        Ok(other) if covered(&other) > covered(&found) => Ok(other),
        Ok(_) | Err(_) => Ok(found),
    }
}

/// The signal with which a run ends at an index outside of its array, if indices are checked.
const ILLEGAL: i32 = 4;

/// The same, with indices that are checked or not.
fn found_in(
    workshop: &Workshop,
    source: &Source,
    candidate: &Candidate,
    wanted: &Wanted,
    (is_checked, watch): (bool, &(dyn Fn(u64, u64) + Sync)),
) -> Result<Answer> {
    let built = workshop.build(source, candidate, wanted, is_checked)?;
    let report = search_in_process(workshop, &built, wanted, watch)?;
    let outcome = report.outcome;
    let asked: Vec<bool> = outcome.targets.iter().map(|target| target.wanted).collect();
    let chosen = cover(&outcome.found, &asked);
    let input = |at: usize| {
        let found = &outcome.found[at];
        Input { bits: found.input.clone(), ended: found.ended, behind: None }
    };
    let mut inputs: Vec<Input> = chosen.into_iter().map(input).collect();
    if inputs.is_empty() && asked.is_empty() {
        // Nothing is to be met; a run still covers its lines.
        inputs.extend((!outcome.found.is_empty()).then(|| input(0)));
    }
    let faults = outcome.faults.iter().map(|fault| Input {
        bits: fault.input.clone(),
        ended: fault.ended,
        behind: fault.behind,
    });
    let mut found = Answer {
        entry: candidate.name().to_string(),
        line: candidate.line(),
        cells: built.problem.cells.clone(),
        inputs,
        faults: faults.collect(),
        seconds: report.seconds,
        times: report.times,
        outcome,
        coverage: None,
    };
    found.coverage = measure::measure(workshop, source, candidate, &found)?;
    Ok(found)
}

/// The ready program that replays the inputs of `found`; none for a program with its own `main`.
pub fn replay(source: &Source, candidate: &Candidate, found: &Answer) -> Option<String> {
    replay::program(&replay::including(source), candidate, found)
}

/// Search in a process of its own; what breaks it is run again with a process for each run.
fn search_in_process(
    workshop: &Workshop,
    built: &Built,
    wanted: &Wanted,
    watch: &(dyn Fn(u64, u64) + Sync),
) -> Result<Report> {
    let chamber = chamber(&built.folder);
    let errand = Errand {
        library: built.library.clone(),
        problem: built.problem.clone(),
        goal: wanted.goal.clone(),
        method: wanted.method,
        seed: wanted.seed,
        effort: wanted.effort(built.isolation),
        time: wanted.time,
        isolation: built.isolation,
        program: built.program.clone(),
        outcome: chamber.left(OUTCOME),
        progress: chamber.left(PROGRESS),
    };
    match attempt(workshop, &errand, &chamber, watch)? {
        Ok(report) => Ok(report),
        Err(_) if errand.isolation == Isolation::Call => {
            let (isolation, effort) = (Isolation::Fork, wanted.effort(Isolation::Fork));
            let errand = Errand { effort, isolation, ..errand };
            attempt(workshop, &errand, &chamber, watch)?.map_err(anyhow::Error::msg)
        }
        Err(reason) => bail!("{reason}"),
    }
}

/// Between two looks at how far a search is.
const LOOK: Duration = Duration::from_millis(100);

/// One evaluating process, and why it did not get to its end.
fn attempt(
    workshop: &Workshop,
    errand: &Errand,
    chamber: &Scratch,
    watch: &(dyn Fn(u64, u64) + Sync),
) -> Result<std::result::Result<Report, String>> {
    chamber.clear()?;
    for name in [OUTCOME, PROGRESS] {
        chamber.expect(name)?;
    }
    let file = chamber.at("errand.json");
    fs_err::write(&file, serde_json::to_vec(errand)?)?;
    let command = Command {
        program: workshop.binary.to_string(),
        args: vec!["evaluate".into(), file.to_string()],
        cwd: chamber.run(),
        env: Vec::new(),
        clear_env: true,
        stdin: None,
        stdout: Utf8PathBuf::from("/dev/null"),
        stderr: chamber.at("stderr"),
        limits: Limits {
            wall: errand.time * 2 + Duration::from_secs(5),
            cpu_seconds: 2 * errand.time.as_secs() + 5,
            file_bytes: 1 << 30,
        },
    };
    let tick = || {
        let told = fs_err::read_to_string(&errand.progress).unwrap_or_default();
        let mut numbers = told.split_whitespace().filter_map(|number| number.parse().ok());
        if let (Some(evaluations), Some(met)) = (numbers.next(), numbers.next()) {
            watch(evaluations, met);
        }
    };
    let exit = run_with_ticks(LOOK, tick, || workshop.supervise(chamber, &command))?;
    if exit.termination != Termination::Exited(0) {
        let said = exit.stderr.trim();
        return Ok(Err(match exit.termination {
            Termination::Exited(_) => said.strip_prefix("recount: ").unwrap_or(said).to_string(),
            termination => format!("the search ended early ({termination:?}): {said}"),
        }));
    }
    if !chamber.take(OUTCOME)? {
        return Ok(Err("the search left no outcome".into()));
    }
    let report = fs_err::read(chamber.at(OUTCOME))?;
    Ok(Ok(serde_json::from_slice(&report).context("read the outcome of the search")?))
}

/// Address space of a program under test.
const MEMORY_MIB: u64 = 4096;

/// Largest file that a search or a replay may write.
const OUTPUT_KIB: u64 = 1 << 20;

/// What an evaluating process leaves.
const OUTCOME: &str = "outcome.json";
const PROGRESS: &str = "progress";

/// Where the foreign programs that are built in `folder` run.
fn chamber(folder: &Utf8Path) -> Scratch {
    Scratch::new(folder.join("supervised"))
}

impl Workshop {
    /// Run a foreign program in `chamber` under a supervisor of its own.
    fn supervise(&self, chamber: &Scratch, command: &Command) -> Result<crate::sys::CommandOutput> {
        let confinement = Confinement {
            binary: self.binary.clone(),
            memory_mib: MEMORY_MIB,
            output_kib: OUTPUT_KIB,
            scratch: chamber.root().to_path_buf(),
            needed: compilers_folder(),
            unconfined: self.unconfined,
        };
        Supervisor::new(confinement).run(command)
    }
}
