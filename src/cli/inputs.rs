//! `recount inputs FILE.c`: inputs that cover a function or a program.

use std::fmt::Write;

use anyhow::{Result, anyhow};
use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;
use serde_json::Value;

use super::exit::{Exit, Failure, bad_input, ours};
use super::inputs_flags::{InputsFlags, InputsFormat};
use super::print::{complain, print};
use super::setup::own_binary;
use crate::console::Searches;
use crate::inputs::{Answer, Candidate, Source, Wanted, Workshop, find, hex, json, plot, replay, text};
use crate::report::table;
use crate::sys::{ScratchRoot, install_interrupt, requested};
use crate::toolchain::select;

pub fn inputs(flags: &InputsFlags) -> Result<Exit, Failure> {
    install_interrupt().map_err(ours)?;
    let scratch = ScratchRoot::new().map_err(ours)?;
    let root = scratch.path().to_path_buf();
    let mut workshop = workshop(&flags.profiler, root, flags.unconfined)?;
    (workshop.flags, workshop.objects) = sorted(&flags.compiler);
    let source = workshop.read(&flags.file).map_err(bad_input)?;
    let (candidates, left_out) = candidates(&source, flags)?;
    if flags.list {
        print(&list(&source, &candidates, &left_out, flags.callees)).map_err(ours)?;
        return Ok(Exit::NothingNew);
    }
    for reason in &left_out {
        complain(reason);
    }
    workshop.prepare().map_err(ours)?;
    let wanted = Wanted {
        goal: flags.goal.clone(),
        method: flags.method,
        seed: flags.seed,
        budget: flags.budget,
        callees: flags.callees,
        time: flags.time,
    };
    let searches = Searches::new(flags.quiet);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(flags.jobs.unwrap_or(0)).build().map_err(ours)?;
    let found: Vec<Result<Answer>> = pool.install(|| {
        let work = candidates.par_iter().map(|candidate| {
            let search = searches.begin(candidate.name());
            find(&workshop, &source, candidate, &wanted, &|evaluations, met| search.update(evaluations, met))
        });
        work.collect()
    });
    searches.finish();
    if requested() {
        return Ok(Exit::Interrupted);
    }
    let mut answers = Vec::new();
    for (candidate, found) in candidates.iter().zip(found) {
        match found {
            Ok(answer) => answers.push((candidate, answer)),
            Err(error) => complain(&format!("{}: {error:#}", flags.file)),
        }
    }
    if answers.is_empty() {
        return Err(bad_input(anyhow!("{}: nothing could be searched", flags.file)));
    }
    show(flags, &source, &answers).map_err(ours)?;
    Ok(Exit::NothingNew)
}

/// A workshop in `folder` with the gcc that `profiler` means.
pub fn workshop(profiler: &str, folder: Utf8PathBuf, unconfined: bool) -> Result<Workshop, Failure> {
    let found = select(&[profiler.to_string()]).map_err(bad_input)?;
    let tools = found.iter().find_map(|found| Some((found.compiler()?, found.reader()?)));
    let Some((compiler, gcov)) = tools else {
        let error = anyhow!("{profiler}: a search for inputs takes a gcc with its gcov, as in gcc-12");
        return Err(Failure { error, exit: Exit::NoProfiler });
    };
    let cwd = std::env::current_dir().map_err(ours)?;
    Ok(Workshop {
        compiler: compiler.to_path_buf(),
        gcov: gcov.to_path_buf(),
        cwd: Utf8PathBuf::try_from(cwd).map_err(ours)?,
        folder,
        binary: own_binary(),
        unconfined,
        flags: Vec::new(),
        objects: Vec::new(),
    })
}

/// The compiler's flags, and what is linked.
fn sorted(arguments: &[String]) -> (Vec<String>, Vec<String>) {
    let is_linked = |argument: &String| {
        let ends = [".o", ".a", ".c", ".so"].iter().any(|end| argument.ends_with(end));
        argument.starts_with("-l") || argument.starts_with("-L") || !argument.starts_with('-') && ends
    };
    let (objects, flags) = arguments.iter().cloned().partition(is_linked);
    (flags, objects)
}

/// What is to be searched, and a sentence for each function that cannot be.
fn candidates(source: &Source, flags: &InputsFlags) -> Result<(Vec<Candidate>, Vec<String>), Failure> {
    let mut left_out = Vec::new();
    let mut found = Vec::new();
    if let Some(program) = &source.program
        && (flags.entry.is_empty() || flags.entry.iter().any(|name| name == "main"))
    {
        if program.cells().is_empty() {
            let error = anyhow!(
                "{}: main reads no numbers from its arguments or standard input; name a function with --entry",
                flags.file
            );
            return Err(bad_input(error));
        }
        found.push(Candidate::Program(program.clone()));
    }
    let by_default = source.program.is_none() && flags.entry.is_empty();
    for entry in &source.entries {
        let name = entry.as_ref().map_or_else(|reason| &reason.name, |entry| &entry.name);
        if name == "main" && source.program.is_some() {
            // No function to call, and offered above as a program.
            continue;
        }
        let is_asked = flags.entry.contains(name);
        match entry {
            Ok(entry) if is_asked || by_default && !entry.cells().is_empty() => {
                found.push(Candidate::Function(entry.clone()));
            }
            Err(reason) if is_asked => {
                return Err(bad_input(anyhow!("{}:{}: {}", flags.file, reason.line, reason.reason)));
            }
            Err(reason) if by_default => {
                left_out.push(format!("{}:{}: {}", flags.file, reason.line, reason.reason));
            }
            Ok(_) | Err(_) => {}
        }
    }
    for name in &flags.entry {
        if !found.iter().any(|candidate| candidate.name() == name) {
            return Err(bad_input(anyhow!(
                "{}: no function {name} is defined there; --list shows those that are",
                flags.file
            )));
        }
    }
    if found.is_empty() && !flags.list {
        let why = left_out
            .first()
            .cloned()
            .unwrap_or_else(|| format!("{}: no function with parameters", flags.file));
        return Err(bad_input(anyhow!(why)));
    }
    Ok((found, left_out))
}

/// The entries with their inputs' numbers, and the conditions as `path=` numbers them.
fn list(source: &Source, candidates: &[Candidate], left_out: &[String], callees: bool) -> String {
    let mut out = String::new();
    for candidate in candidates {
        let cells: Vec<String> = candidate.cells().into_iter().map(|cell| cell.label).collect();
        let _ = writeln!(out, "{} (line {}): {}", candidate.name(), candidate.line(), cells.join(", "));
        let rows: Vec<Vec<String>> = source
            .conditions(candidate, callees)
            .into_iter()
            .enumerate()
            .map(|(at, condition)| vec![(at + 1).to_string(), condition.line.to_string(), condition.text])
            .collect();
        if !rows.is_empty() {
            out += &table(&["condition", "line", "text"], &[0, 1], &rows);
        }
        out.push('\n');
    }
    for reason in left_out {
        let _ = writeln!(out, "{reason}");
    }
    out
}

fn show(flags: &InputsFlags, source: &Source, answers: &[(&Candidate, Answer)]) -> Result<()> {
    let texts: Vec<String> = answers
        .iter()
        .map(|(_, answer)| match flags.format {
            InputsFormat::Text => text(answer),
            // Whose line is whose shows in nothing else.
            InputsFormat::Hex if answers.len() > 1 => format!("# {}\n{}", answer.entry, hex(answer)),
            InputsFormat::Hex => hex(answer),
            InputsFormat::Json => String::new(),
        })
        .collect();
    match flags.format {
        InputsFormat::Json => {
            let all: Vec<Value> = answers.iter().map(|(_, answer)| whole(flags, answer)).collect();
            print(&(serde_json::to_string_pretty(&all)? + "\n"))?;
        }
        InputsFormat::Text => print(&texts.join("\n"))?,
        InputsFormat::Hex => print(&texts.concat())?,
    }
    if let Some(folder) = &flags.out {
        fs_err::create_dir_all(folder)?;
        for (candidate, answer) in answers {
            write(folder, (flags, source), candidate, answer)?;
        }
    }
    Ok(())
}

/// The answer, and what was asked.
fn whole(flags: &InputsFlags, answer: &Answer) -> Value {
    let mut whole = json(answer);
    whole["file"] = flags.file.as_str().into();
    whole["goal"] = flags.goal.to_string().into();
    whole["method"] = serde_json::to_value(flags.method).unwrap_or_default();
    whole["seed"] = flags.seed.into();
    whole
}

/// The files of one entry: its inputs, the program that replays them, the picture of the search.
fn write(
    folder: &Utf8Path,
    (flags, source): (&InputsFlags, &Source),
    candidate: &Candidate,
    answer: &Answer,
) -> Result<()> {
    let path = |end: &str| folder.join(format!("{}.{end}", answer.entry));
    if let Some(program) = replay(source, candidate, answer) {
        fs_err::write(path("replay.c"), program)?;
    }
    fs_err::write(path("json"), serde_json::to_string_pretty(&whole(flags, answer))? + "\n")?;
    fs_err::write(path("hex"), hex(answer))?;
    fs_err::write(path("svg"), plot(answer))?;
    Ok(())
}
