//! `recount import`: programs of others as a folder that `recount run` takes.

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::{Result, anyhow};
use camino::{Utf8Path, Utf8PathBuf};

use super::exit::{Exit, Failure, bad_input, ours};
use super::import_build::build;
use super::import_check::{Checker, Verdict};
use super::import_flags::{CommonFlags, ImportCommand, SuiteFlags};
use super::print::print;
use crate::corpus::c_files;
use crate::corpus::import::{Fate, Fates, Folder, LIST, clang, gcc, included, skip, tally, text_of};
use crate::report::table;
use crate::sys::{install_interrupt, requested};

pub fn import(command: &ImportCommand) -> Result<Exit, Failure> {
    install_interrupt().map_err(ours)?;
    match command {
        ImportCommand::Gcc(flags) => suite(flags, &|suite, file, text| gcc::judge(&suite.join(file), text)),
        ImportCommand::Clang(flags) => suite(flags, &llvm),
        ImportCommand::Build(flags) => build(flags),
    }
}

/// Says what becomes of a file below a suite's folder.
type Judge<'a> = &'a dyn Fn(&Utf8Path, &Utf8Path, &str) -> Fate;

fn llvm(suite: &Utf8Path, file: &Utf8Path, text: &str) -> Fate {
    let path = suite.join(file);
    let beside = path.parent().and_then(|folder| folder.read_dir_utf8().ok());
    let c_files =
        beside.into_iter().flatten().flatten().filter(|entry| entry.path().extension() == Some("c"));
    let mut fate = clang::judge(&path, text, c_files.count().saturating_sub(1));
    if let Fate::Taken(taken) = &mut fate {
        let reference = std::fs::read_to_string(path.with_extension("reference_output"));
        taken.exit = reference.map_or(0, |text| clang::expected_exit(&text));
    }
    fate
}

fn suite(flags: &SuiteFlags, judge: Judge<'_>) -> Result<Exit, Failure> {
    let suite = flags
        .folder
        .canonicalize_utf8()
        .map_err(|error| bad_input(anyhow!("{}: {error}; name the folder of a testsuite", flags.folder)))?;
    let files = c_files(&suite).map_err(bad_input)?;
    let folder = Folder::new(&flags.common.out).map_err(bad_input)?;
    if folder.root.starts_with(&suite) {
        return Err(bad_input(anyhow!("{}: lies in what is imported; put it elsewhere", flags.common.out)));
    }
    let mut fates = Fates::new();
    let mut headers: Vec<(Utf8PathBuf, BTreeSet<Utf8PathBuf>)> = Vec::new();
    for file in files {
        let fate = match text_of(&suite.join(&file)).map_err(ours)? {
            Ok(text) => match judge(&suite, &file, &text) {
                Fate::Taken(taken) => match included(&suite, &file, &text) {
                    Ok(included) => {
                        folder.program(&file, text.as_bytes(), &taken.sidecar).map_err(ours)?;
                        headers.push((file.clone(), included));
                        Fate::Taken(taken)
                    }
                    Err(fate) => *fate,
                },
                skipped @ Fate::Skipped(_) => skipped,
            },
            Err(fate) => fate,
        };
        fates.insert(file, fate);
    }
    let written: BTreeSet<Utf8PathBuf> = headers.iter().flat_map(|(_, all)| all.clone()).collect();
    for header in &written {
        let bytes = fs_err::read(suite.join(header)).map_err(ours)?;
        folder.write(header, &bytes).map_err(ours)?;
    }
    let tried = check(&folder, &mut fates, &flags.common)?;
    if requested() {
        return Ok(Exit::Interrupted);
    }
    let is_taken = |file: &Utf8PathBuf| matches!(fates.get(file), Some(Fate::Taken(_)));
    let needed = headers.into_iter().filter(|(file, _)| is_taken(file)).flat_map(|(_, all)| all).collect();
    folder.tidy(&written, &needed).map_err(ours)?;
    conclude(&folder, &fates, tried.as_deref(), &flags.common).map_err(ours)
}

/// Try every program that is taken; those that fail are taken away. Gives the compiler that tried them.
pub fn check(folder: &Folder, fates: &mut Fates, flags: &CommonFlags) -> Result<Option<String>, Failure> {
    if flags.no_check || !fates.values().any(|fate| matches!(fate, Fate::Taken(_))) {
        return Ok(None);
    }
    let checker = Checker::new(flags)?;
    let tried = checker.check(&folder.root, fates).map_err(ours)?;
    for (file, verdict) in tried {
        match verdict {
            Verdict::Good => {}
            Verdict::Without(sidecar, note) => {
                let Some(Fate::Taken(taken)) = fates.get_mut(&file) else { continue };
                taken.notes.push(note);
                taken.sidecar = sidecar;
                let text = fs_err::read(folder.root.join(&file)).map_err(ours)?;
                folder.program(&file, &text, &taken.sidecar).map_err(ours)?;
            }
            Verdict::Bad(reason, detail) => {
                folder.remove(&file).map_err(ours)?;
                fates.insert(file, skip(reason, detail));
            }
        }
    }
    Ok(Some(checker.compiler()))
}

/// Write the list, print the table; `tried` is the compiler that tried the programs.
pub fn conclude(folder: &Folder, fates: &Fates, tried: Option<&str>, flags: &CommonFlags) -> Result<Exit> {
    folder.list(fates)?;
    let counts = tally(fates);
    let rows: Vec<Vec<String>> =
        counts.iter().map(|(what, count)| vec![what.clone(), count.to_string()]).collect();
    let mut out = table(&["what became of it", "files"], &[1], &rows);
    if let Some(compiler) = tried {
        out.push_str("\nWhat is taken ran well, built by ");
        out.push_str(compiler);
        out.push('.');
    }
    writeln!(out, "\nWhy, file by file: {}", flags.out.join(LIST))?;
    if counts[0].1 > 0 {
        writeln!(out, "Next: recount run {}", flags.out)?;
    }
    print(&out)?;
    Ok(if counts[0].1 > 0 { Exit::NothingNew } else { Exit::NotThere })
}
