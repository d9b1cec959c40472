//! `recount inputs FILE.c`: inputs that cover a function or a program.

use std::fmt::Write;

use anyhow::{Result, anyhow};
use rayon::prelude::*;
use serde_json::Value;

use super::inputs_flags::{InputsFlags, InputsFormat};
use super::output::{Exit, Failure, bad_input, complain, print};
use super::setup::build_env;
use crate::console::Searches;
use crate::inputs::{Answer, Candidate, SearchOptions, Source, find, hex, json, plot, replay, text};
use crate::report::table;
use crate::sys::{ScratchRoot, install_interrupt, requested};

pub fn inputs(flags: &InputsFlags) -> Result<Exit, Failure> {
    install_interrupt()?;
    let scratch = ScratchRoot::new()?;
    let root = scratch.path().to_path_buf();
    let mut env = build_env(&flags.profiler, root, flags.unconfined)?;
    (env.objects, env.flags) = flags.compiler.iter().cloned().partition(|argument| is_linked(argument));
    let source = Source::read(&env, &flags.file).map_err(bad_input)?;
    let (candidates, left_out) = candidates(&source, flags)?;
    if flags.list {
        print(&list(&source, &candidates, &left_out, flags.callees))?;
        return Ok(Exit::NothingNew);
    }
    for reason in &left_out {
        complain(reason);
    }
    if let Some(folder) = &flags.out {
        fs_err::create_dir_all(folder).map_err(bad_input)?;
    }
    env.compile_harness()?;
    let options = SearchOptions {
        goal: flags.goal.clone(),
        method: flags.method,
        seed: flags.seed,
        budget: flags.budget,
        callees: flags.callees,
        time: flags.time,
    };
    let searches = Searches::new(flags.quiet);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(flags.jobs.unwrap_or(0)).build()?;
    let found: Vec<Result<Answer>> = pool.install(|| {
        let work = candidates.par_iter().map(|candidate| {
            let search = searches.begin(candidate.name());
            find(&env, &source, candidate, &options, &|evaluations, met| search.update(evaluations, met))
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
        return Err(bad_input(anyhow!("{}: no search succeeded", flags.file)));
    }
    show(flags, &source, &answers)?;
    Ok(Exit::NothingNew)
}

/// Whether a compiler argument is linked with the function, rather than a flag.
fn is_linked(argument: &str) -> bool {
    let is_file = [".o", ".a", ".c", ".so"].iter().any(|end| argument.ends_with(end));
    argument.starts_with("-l") || argument.starts_with("-L") || !argument.starts_with('-') && is_file
}

/// The candidates, and a message for each function that is left out.
fn candidates(source: &Source, flags: &InputsFlags) -> Result<(Vec<Candidate>, Vec<String>), Failure> {
    let failure = |reason: String| Err(bad_input(anyhow!("{reason}")));
    let file = &flags.file;
    let (mut found, mut left_out) = (Vec::new(), Vec::new());
    let is_named = |name: &str| flags.entry.iter().any(|entry| entry == name);
    if let Some(program) = source.program.as_ref().filter(|_| flags.entry.is_empty() || is_named("main")) {
        if program.cells().is_empty() {
            return failure(format!(
                "{file}: main reads no numbers from its arguments or standard input; name a function with --entry"
            ));
        }
        found.push(Candidate::Program(program.clone()));
    }
    let by_default = source.program.is_none() && flags.entry.is_empty();
    for entry in &source.entries {
        match entry {
            Ok(entry) if is_named(&entry.name) || by_default && !entry.cells().is_empty() => {
                found.push(Candidate::Function(entry.clone()));
            }
            // A `main` that is a program is a candidate already.
            Err(unsupported) if unsupported.name == "main" && source.program.is_some() => {}
            Err(unsupported) if by_default || is_named(&unsupported.name) => {
                let reason = format!("{file}:{}: {}", unsupported.line, unsupported.reason);
                if !by_default {
                    return failure(reason);
                }
                left_out.push(reason);
            }
            Ok(_) | Err(_) => {}
        }
    }
    let is_found = |name: &String| found.iter().any(|candidate| candidate.name() == name);
    if let Some(name) = flags.entry.iter().find(|name| !is_found(name)) {
        return failure(format!("{file}: it defines no function {name}; --list shows its functions"));
    }
    if found.is_empty() && !flags.list {
        let reason = left_out.first().cloned();
        return failure(reason.unwrap_or_else(|| format!("{file}: no function with parameters")));
    }
    Ok((found, left_out))
}

/// The candidates with the numbers of their inputs, and their conditions as `path=` numbers them.
fn list(source: &Source, candidates: &[Candidate], left_out: &[String], callees: bool) -> String {
    let mut out = String::new();
    for candidate in candidates {
        let cells: Vec<String> = candidate.cells().into_iter().map(|cell| cell.label).collect();
        let _ = writeln!(out, "{} (line {}): {}", candidate.name(), candidate.lines().0, cells.join(", "));
        let conditions = (1_usize..).zip(source.conditions(candidate, callees));
        let rows =
            conditions.map(|(number, found)| vec![number.to_string(), found.line.to_string(), found.text]);
        let rows: Vec<Vec<String>> = rows.collect();
        if !rows.is_empty() {
            out += &table(&["condition", "line", "text"], &[0, 1], rows);
        }
        out.push('\n');
    }
    for reason in left_out {
        let _ = writeln!(out, "{reason}");
    }
    out
}

fn show(flags: &InputsFlags, source: &Source, answers: &[(&Candidate, Answer)]) -> Result<()> {
    let all = answers.iter().map(|(_, answer)| answer);
    let shown = match flags.format {
        InputsFormat::Text => all.map(text).collect::<Vec<_>>().join("\n"),
        InputsFormat::Hex if answers.len() == 1 => all.map(hex).collect(),
        // Nothing else shows which lines belong to which function.
        InputsFormat::Hex => all.map(|answer| format!("# {}\n{}", answer.entry, hex(answer))).collect(),
        InputsFormat::Json => {
            let all: Vec<Value> = all.map(|answer| json_with_options(flags, answer)).collect();
            serde_json::to_string_pretty(&all)? + "\n"
        }
    };
    print(&shown)?;
    if let Some(folder) = &flags.out {
        for (candidate, answer) in answers {
            let path = |end: &str| folder.join(format!("{}.{end}", answer.entry));
            if let Some(program) = replay(source, candidate, answer) {
                fs_err::write(path("replay.c"), program)?;
            }
            let json = serde_json::to_string_pretty(&json_with_options(flags, answer))?;
            fs_err::write(path("json"), json + "\n")?;
            fs_err::write(path("hex"), hex(answer))?;
            fs_err::write(path("svg"), plot(answer))?;
        }
    }
    Ok(())
}

fn json_with_options(flags: &InputsFlags, answer: &Answer) -> Value {
    let mut value = json(answer);
    value["file"] = flags.file.as_str().into();
    value["goal"] = flags.goal.to_string().into();
    value["method"] = serde_json::to_value(flags.method).unwrap_or_default();
    value["seed"] = flags.seed.into();
    value
}
