//! Programs for a campaign: each with the inputs that were found for it. A file without `main` becomes a
//! program a function, which runs one of its inputs, by number.

use anyhow::Result;
use camino::Utf8PathBuf;
use std::time::Duration;

use super::search::{GoalName, Method};
use super::{Answer, Candidate, Wanted, Workshop, find, replay};
use crate::corpus::{self, Input};

/// Time for one search of a campaign.
const TIME: Duration = Duration::from_secs(20);

/// `program`, the `at`th of a campaign, with up to `most` inputs that were found; as it is where nothing can be searched for.
pub fn widened(
    workshop: &Workshop,
    at: usize,
    program: corpus::Source,
    most: usize,
    seed: u64,
) -> Vec<corpus::Source> {
    match attempt(workshop, at, &program, most, seed) {
        Ok(found) if !found.is_empty() => found,
        // It is profiled with what it has; the campaign says what does not compile.
        _ => vec![program],
    }
}

fn attempt(
    workshop: &Workshop,
    at: usize,
    program: &corpus::Source,
    most: usize,
    seed: u64,
) -> Result<Vec<corpus::Source>> {
    let text = program.read()?;
    let folder = workshop.folder.join(format!("widened-{at}"));
    fs_err::create_dir_all(&folder)?;
    let file = folder.join("p.c");
    fs_err::write(&file, &text)?;
    let mut flags = program.sidecar.flags.clone();
    flags.extend(program.folder().map(|folder| format!("-I{folder}")));
    fs_err::copy(workshop.folder.join("harness.o"), folder.join("harness.o"))?;
    let workshop = Workshop { folder: folder.clone(), cwd: folder, flags, ..workshop.clone() };
    let source = workshop.read(&file)?;
    let wanted = Wanted {
        goal: GoalName::Branches,
        method: Method::Recount,
        seed,
        budget: None,
        callees: true,
        time: TIME,
    };
    let search = |candidate: &Candidate| find(&workshop, &source, candidate, &wanted, &|_, _| ());
    if let Some(main) = source.program.clone() {
        if main.cells().is_empty() {
            return Ok(Vec::new());
        }
        let found = search(&Candidate::Program(main.clone()))?;
        let mut inputs = program.inputs();
        inputs.extend(found.inputs.iter().take(most).enumerate().map(|(at, input)| {
            let (args, stdin) = main.text(&input.bits);
            Input { name: format!("found-{}", at + 1), args, stdin }
        }));
        return Ok(vec![program.made(&program.id, &text, inputs)]);
    }
    let mut made = Vec::new();
    for entry in source.entries.iter().flatten().filter(|entry| !entry.cells().is_empty()) {
        let candidate = Candidate::Function(entry.clone());
        // A function that cannot be searched does not keep the others from it.
        let Ok(found) = search(&candidate) else { continue };
        made.extend(as_program(program, &text, &candidate, &found, most));
    }
    Ok(made)
}

/// The file with a `main` that runs one input; none where no input was found.
fn as_program(
    program: &corpus::Source,
    text: &str,
    candidate: &Candidate,
    found: &Answer,
    most: usize,
) -> Option<corpus::Source> {
    let count = found.inputs.len().min(most);
    let whole = replay::program(&format!("{text}\n"), candidate, found).filter(|_| count > 0)?;
    let inputs = (0..count).map(|at| Input {
        name: format!("found-{}", at + 1),
        args: vec![at.to_string()],
        stdin: String::new(),
    });
    let id = Utf8PathBuf::from(&program.id).join(candidate.name());
    Some(program.made(id.as_str(), &whole, inputs.collect()))
}
