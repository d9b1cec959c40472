//! What a set of inputs covers, by gcov: lines, conditions, branches and calls of the entry, as the
//! papers count them.

use std::time::Duration;

use anyhow::{Context, Result};
use camino::Utf8Path;

use super::search::Ended;
use super::{Answer, Candidate, Source, Workshop, chamber, replay};
use crate::coverage::{Columns, columns};
use crate::model::Termination;
use crate::sys::{Command, Limits, Scratch};

/// What the program that replays leaves.
const PROFILE: &str = "replay.gcda";

/// Time for one run.
const WALL: Duration = Duration::from_secs(5);

/// Build `candidate` with coverage, run the inputs of `found` that end well, and ask gcov; none where there is nothing to run.
///
/// # Errors
/// One sentence, when that does not build or gcov fails.
pub fn measure(
    workshop: &Workshop,
    source: &Source,
    candidate: &Candidate,
    found: &Answer,
) -> Result<Option<Columns>> {
    if found.inputs.is_empty() {
        return Ok(None);
    }
    let folder = workshop.folder.join(candidate.name()).join("covered");
    fs_err::create_dir_all(&folder)?;
    let file = match replay::program(&replay::including(source), candidate, found) {
        Some(text) => {
            let file = folder.join("replay.c");
            fs_err::write(&file, text)?;
            file
        }
        None => source.path.clone(),
    };
    let (object, program) = (folder.join("replay.o"), folder.join("replay"));
    let mut args: Vec<String> = vec!["-O0".into()];
    args.extend(workshop.flags.iter().cloned());
    args.extend(["-w", "--coverage", "-c", file.as_str(), "-o", object.as_str()].map(String::from));
    workshop
        .compile(args)
        .with_context(|| format!("{}: the program that replays does not build", candidate.name()))?;
    let mut args = vec!["--coverage".to_string(), object.to_string()];
    args.extend(workshop.objects.iter().cloned());
    args.extend(["-lm".into(), "-o".into(), program.to_string()]);
    workshop
        .compile(args)
        .with_context(|| format!("{}: the program that replays does not link", candidate.name()))?;
    let mut all = runs(candidate, found);
    let chamber = chamber(&folder);
    chamber.clear()?;
    chamber.expect(PROFILE)?;
    let run = |run: &Run| replayed(workshop, &chamber, &program, run);
    // What reads beyond its arrays may end otherwise here, and would take the counts of the others with it.
    if all.len() == 1 && !run(&all[0])? {
        all = all
            .remove(0)
            .args
            .into_iter()
            .map(|number| Run { args: vec![number], stdin: String::new() })
            .collect();
        for one in &all {
            run(one)?;
        }
    } else if all.len() > 1 {
        for one in &all {
            run(one)?;
        }
    }
    if chamber.take(PROFILE)? {
        fs_err::rename(chamber.at(PROFILE), folder.join(PROFILE))?;
    }
    let args = ["-b", "-c", "-t", PROFILE].map(String::from).into();
    let exit = workshop.tool(&workshop.gcov, args, &folder)?;
    let text = String::from_utf8_lossy(&exit.stdout).into_owned();
    Ok(columns(&text, source.path.as_str(), candidate.lines()))
}

/// Whether `run` of `program` ends well.
fn replayed(workshop: &Workshop, chamber: &Scratch, program: &Utf8Path, run: &Run) -> Result<bool> {
    let stdin = chamber.at("stdin");
    fs_err::write(&stdin, &run.stdin)?;
    let prefix = [("GCOV_PREFIX", chamber.left("").into_string()), ("GCOV_PREFIX_STRIP", "9999".into())];
    let command = Command {
        program: program.to_string(),
        args: run.args.clone(),
        cwd: chamber.run(),
        env: prefix.map(|(name, value)| (name.to_string(), value)).into(),
        clear_env: true,
        stdin: Some(stdin),
        stdout: chamber.at("stdout"),
        stderr: chamber.at("stderr"),
        limits: Limits { wall: WALL, cpu_seconds: WALL.as_secs(), file_bytes: 1 << 24 },
    };
    let exit = workshop.supervise(chamber, &command)?;
    Ok(matches!(exit.termination, Termination::Exited(_)))
}

/// One run of the program.
struct Run {
    args: Vec<String>,
    stdin: String,
}

/// The runs that it takes: a program needs one an input, a function one for all that return and one for each that exits.
fn runs(candidate: &Candidate, found: &Answer) -> Vec<Run> {
    if let Candidate::Program(program) = candidate {
        let run = |bits: &[u64]| {
            let (args, stdin) = program.text(bits);
            Run { args, stdin }
        };
        return found.inputs.iter().map(|input| run(&input.bits)).collect();
    }
    let number = |(at, _): (usize, &super::Input)| at.to_string();
    let (returning, exiting): (Vec<_>, Vec<_>) =
        found.inputs.iter().enumerate().partition(|(_, input)| input.ended == Ended::Returned);
    let mut runs = vec![Run { args: returning.into_iter().map(number).collect(), stdin: String::new() }];
    // Without an argument all would run.
    runs.retain(|run| !run.args.is_empty());
    runs.extend(exiting.into_iter().map(|input| Run { args: vec![number(input)], stdin: String::new() }));
    runs
}
