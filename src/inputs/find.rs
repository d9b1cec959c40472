//! The search for inputs of one function or program, in a separate process.

use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use camino::Utf8PathBuf;

use super::answer::Answer;
use super::build::build;
use super::build_env::BuildEnv;
use super::evaluate::{Isolation, SearchJob, SearchOptions, SearchReport};
use super::measure::measure;
use super::search::{Input, RunEnd, cover};
use super::source::{Candidate, Source};
use crate::model::Termination;
use crate::sys::{Command, Limits, Scratch, run_with_ticks};

/// The signal that ends a run at an index outside its array, if bounds are checked.
const SIGILL: i32 = 4;

/// The interval at which the progress of a search is read.
const INTERVAL: Duration = Duration::from_millis(100);

/// The files that an evaluating process leaves.
const REPORT: &str = "report.json";
const PROGRESS: &str = "progress";

/// Called at intervals with the number of evaluations so far and of targets met.
type OnProgress<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// Search for inputs of `candidate`. The error says what does not build, or what is wrong with the machine.
pub fn find(
    env: &BuildEnv,
    source: &Source,
    candidate: &Candidate,
    options: &SearchOptions,
    on_progress: OnProgress<'_>,
) -> Result<Answer> {
    let with_bounds = |checks_bounds: bool| -> Result<Answer> {
        let folder = env.folder.join(candidate.name());
        fs_err::create_dir_all(&folder)?;
        let built = build(env, source, candidate, options, (&folder, checks_bounds))?;
        let scratch = Scratch::new(folder.join("supervised"));
        let (report, progress) = (scratch.left(REPORT), scratch.left(PROGRESS));
        let mut job = SearchJob { built, options: options.clone(), report, progress };
        let mut ended = run_job(env, &job, &scratch, on_progress)?;
        if ended.is_err() && job.built.isolation == Isolation::Call {
            // If the function breaks the process of the search, search again with a process for each run.
            job.built.isolation = Isolation::Fork;
            ended = run_job(env, &job, &scratch, on_progress)?;
        }
        let mut answer = answer(candidate, ended.map_err(|reason| anyhow!(reason))?);
        answer.coverage = measure(env, source, candidate, &answer)?;
        Ok(answer)
    };
    let answer = with_bounds(true)?;
    let is_out_of_bounds = |fault: &Input| fault.end == RunEnd::Signalled(SIGILL);
    if answer.outcome.only_by_faults.is_empty() || !answer.outcome.faults.iter().any(is_out_of_bounds) {
        return Ok(answer);
    }
    // Code that indexes a whole matrix through its first row exceeds an array, but works. The coverage of the replay
    // shows whether this is such code.
    let covered = |answer: &Answer| answer.coverage.map_or(0, |columns| columns.branches.covered);
    match with_bounds(false) {
        Ok(other) if covered(&other) > covered(&answer) => Ok(other),
        Ok(_) | Err(_) => Ok(answer),
    }
}

fn answer(candidate: &Candidate, report: SearchReport) -> Answer {
    let outcome = report.outcome;
    let requested: Vec<bool> = outcome.targets.iter().map(|target| target.is_requested).collect();
    let mut chosen = cover(&outcome.found, &requested);
    if requested.is_empty() && !outcome.found.is_empty() {
        // Even without a target, a run covers lines.
        chosen.push(0);
    }
    Answer {
        entry: candidate.name().to_string(),
        line: candidate.lines().0,
        cells: candidate.cells(),
        inputs: chosen.into_iter().map(|at| outcome.found[at].input.clone()).collect(),
        outcome,
        seconds: report.seconds,
        times: report.times,
        coverage: None,
    }
}

/// How a search in a separate process ended: with its report, or with the reason why it has none.
type Ended = std::result::Result<SearchReport, String>;

/// Run one evaluating process. The inner error says why it did not finish.
fn run_job(env: &BuildEnv, job: &SearchJob, scratch: &Scratch, on_progress: OnProgress<'_>) -> Result<Ended> {
    scratch.clear()?;
    for name in [REPORT, PROGRESS] {
        scratch.expect(name)?;
    }
    let file = scratch.at("job.json");
    fs_err::write(&file, serde_json::to_vec(job)?)?;
    let time = job.options.time;
    let limits = Limits {
        wall: time * 2 + Duration::from_secs(5),
        cpu_seconds: 2 * time.as_secs() + 5,
        file_bytes: 1 << 30,
    };
    let args = vec!["evaluate".into(), file.to_string()];
    let command = Command {
        cwd: scratch.run(),
        clear_env: true,
        stdout: Utf8PathBuf::from("/dev/null"),
        ..Command::within(&scratch.root, env.binary.as_str(), args, limits)
    };
    let tick = || {
        let progress = fs_err::read_to_string(&job.progress).unwrap_or_default();
        let mut numbers = progress.split_whitespace().filter_map(|number| number.parse().ok());
        if let (Some(evaluations), Some(met)) = (numbers.next(), numbers.next()) {
            on_progress(evaluations, met);
        }
    };
    let output = run_with_ticks(INTERVAL, tick, || env.supervise(scratch, &command))?;
    let stderr = output.stderr.trim();
    match output.termination {
        Termination::Exited(0) if scratch.take(REPORT)? => {
            let report = fs_err::read(scratch.at(REPORT))?;
            Ok(Ok(serde_json::from_slice(&report).context("read the report of the search")?))
        }
        Termination::Exited(0) => Ok(Err("the search left no report".into())),
        Termination::Exited(_) => Ok(Err(stderr.strip_prefix("recount: ").unwrap_or(stderr).to_string())),
        termination => Ok(Err(format!("the search ended early ({termination:?}): {stderr}"))),
    }
}
