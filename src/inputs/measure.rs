//! The coverage of a set of inputs, by gcov: lines, conditions, branches and calls of the entry, as the papers count them.

use std::time::Duration;

use anyhow::{Context, Result};

use super::answer::Answer;
use super::build_env::BuildEnv;
use super::replay::replay;
use super::search::RunEnd;
use super::source::{Candidate, Source};
use crate::coverage::{Columns, columns};
use crate::model::Termination;
use crate::sys::{Command, Limits, Scratch};

/// The profile that the replay leaves.
const PROFILE: &str = "replay.gcda";

/// The time for one run.
const WALL: Duration = Duration::from_secs(5);

/// Build `candidate` with coverage, run the inputs of `answer`, and call gcov; none if there are no inputs. The error says
/// what does not build, or why gcov fails.
pub fn measure(
    env: &BuildEnv,
    source: &Source,
    candidate: &Candidate,
    answer: &Answer,
) -> Result<Option<Columns>> {
    if answer.inputs.is_empty() {
        return Ok(None);
    }
    let folder = env.folder.join(candidate.name()).join("covered");
    fs_err::create_dir_all(&folder)?;
    let mut file = source.path.clone();
    if let Some(text) = replay(source, candidate, answer) {
        file = folder.join("replay.c");
        fs_err::write(&file, text)?;
    }
    let (object, program) = (folder.join("replay.o"), folder.join("replay"));
    let fails = |how: &str| format!("{}: the replay does not {how}", candidate.name());
    let args = ["-w", "--coverage", "-c", file.as_str(), "-o", object.as_str()];
    env.compile(&["-O0"], &env.flags, &args).with_context(|| fails("compile"))?;
    let args = ["-lm", "-o", program.as_str()];
    env.compile(&["--coverage", object.as_str()], &env.objects, &args).with_context(|| fails("link"))?;
    let scratch = Scratch::new(folder.join("supervised"));
    scratch.clear()?;
    scratch.expect(PROFILE)?;
    // Run the replay; returns whether it exits normally.
    let run = |args: Vec<String>, stdin: &str| -> Result<bool> {
        let stdin_file = scratch.at("stdin");
        fs_err::write(&stdin_file, stdin)?;
        let prefix = [("GCOV_PREFIX", scratch.left("").into_string()), ("GCOV_PREFIX_STRIP", "9999".into())];
        let limits = Limits { wall: WALL, cpu_seconds: WALL.as_secs(), file_bytes: 1 << 24 };
        let command = Command {
            cwd: scratch.run(),
            env: prefix.map(|(name, value)| (name.to_string(), value)).into(),
            clear_env: true,
            stdin: Some(stdin_file),
            ..Command::within(&scratch.root, program.as_str(), args, limits)
        };
        Ok(matches!(env.supervise(&scratch, &command)?.termination, Termination::Exited(_)))
    };
    match candidate {
        Candidate::Program(program) => {
            for input in &answer.inputs {
                let (args, stdin) = program.text(&input.bits);
                run(args, &stdin)?;
            }
        }
        Candidate::Function(_) => {
            let numbered = answer.inputs.iter().enumerate();
            let (returning, exiting): (Vec<_>, Vec<_>) =
                numbered.partition(|(_, input)| input.end == RunEnd::Returned);
            let mut single: Vec<String> = exiting.into_iter().map(|(at, _)| at.to_string()).collect();
            let returning: Vec<String> = returning.into_iter().map(|(at, _)| at.to_string()).collect();
            // A function that reads outside its arrays may crash here, which loses the counts of the other inputs.
            if !returning.is_empty() && !run(returning.clone(), "")? {
                single.extend(returning);
            }
            for number in single {
                run(vec![number], "")?;
            }
        }
    }
    if scratch.take(PROFILE)? {
        fs_err::rename(scratch.at(PROFILE), folder.join(PROFILE))?;
    }
    let text = env.run_gcov(&["-b", "-c", "-t", PROFILE], &folder)?;
    Ok(columns(&text, source.path.as_str(), candidate.lines()))
}
