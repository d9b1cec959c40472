//! Searches for inputs for the programs of a campaign. A file without `main` becomes one program per function; its
//! argument is the number of the input that it runs.

use anyhow::Result;
use camino::Utf8PathBuf;
use rayon::prelude::*;
use std::time::Duration;

use super::build_env::BuildEnv;
use super::evaluate::SearchOptions;
use super::find::find;
use super::replay::replay_after;
use super::search::{GoalName, Method};
use super::source::{Candidate, Source};
use crate::corpus::{self, Input};
use crate::syntax::search::Entry;

type Programs = Vec<corpus::Source>;

/// The time for one search of a campaign.
const TIME: Duration = Duration::from_secs(20);

/// `programs`, each with at most `most` inputs that a search found.
pub fn with_found_inputs(env: &BuildEnv, programs: Programs, most: usize, seed: u64) -> Result<Programs> {
    env.compile_harness()?;
    let widened = programs.into_par_iter().enumerate().map(|(at, program)| {
        match widened(env, at, &program, most, seed) {
            Ok(found) if !found.is_empty() => found,
            // The program keeps its own inputs; the campaign reports a program that does not compile.
            _ => vec![program],
        }
    });
    Ok(widened.flatten().collect())
}

fn widened(env: &BuildEnv, at: usize, program: &corpus::Source, most: usize, seed: u64) -> Result<Programs> {
    if program.is_cxx() {
        return Ok(Vec::new());
    }
    let text = program.read()?;
    let folder = env.folder.join(format!("widened-{at}"));
    fs_err::create_dir_all(&folder)?;
    let file = folder.join("p.c");
    fs_err::write(&file, &text)?;
    let mut flags = program.sidecar.flags.clone();
    flags.extend(program.folder().map(|folder| format!("-I{folder}")));
    let env = BuildEnv { folder: folder.clone(), cwd: folder, flags, ..env.clone() };
    let source = Source::read(&env, &file)?;
    let options = SearchOptions {
        goal: GoalName::Branches,
        method: Method::Recount,
        seed,
        budget: None,
        callees: true,
        time: TIME,
    };
    let search = |candidate: &Candidate| find(&env, &source, candidate, &options, &|_, _| ());
    if let Some(main) = source.program.clone() {
        if main.cells().is_empty() {
            return Ok(Vec::new());
        }
        let answer = search(&Candidate::Program(main.clone()))?;
        let mut inputs = program.inputs();
        inputs.extend(answer.inputs.iter().take(most).zip(1..).map(|(input, number)| {
            let (args, stdin) = main.text(&input.bits);
            Input { name: format!("found-{number}"), args, stdin }
        }));
        return Ok(vec![program.made(&program.id, &text, inputs)]);
    }
    let callable = source.entries.iter().flatten().filter(|entry| !entry.cells().is_empty());
    // The file with a `main` that runs one input; none if the search fails or finds no input.
    let of_function = |entry: &Entry| {
        let candidate = Candidate::Function(entry.clone());
        let answer = search(&candidate).ok()?;
        let count = answer.inputs.len().min(most);
        let whole = replay_after(&format!("{text}\n"), &candidate, &answer).filter(|_| count > 0)?;
        let inputs = (0..count).map(|at| Input {
            name: format!("found-{}", at + 1),
            args: vec![at.to_string()],
            stdin: String::new(),
        });
        let id = Utf8PathBuf::from(&program.id).join(candidate.name());
        Some(program.made(id.as_str(), &whole, inputs.collect()))
    };
    Ok(callable.filter_map(of_function).collect())
}
