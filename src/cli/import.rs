//! `recount import`: a folder of programs for `recount run` from a testsuite or a package.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, anyhow};
use camino::{Utf8Path, Utf8PathBuf};

use super::import_check::{finish, try_programs};
use super::import_flags::{BuildFlags, ImportCommand, SuiteFlags};
use super::output::{Exit, Failure, bad_input};
use crate::corpus::c_files;
use crate::corpus::import::calls::{Built, database};
use crate::corpus::import::package::{MOST_ORDERS, Package};
use crate::corpus::import::recorder::{Recorder, run_here};
use crate::corpus::import::{Fate, Fates, Folder, clang, gcc, included, text_of};
use crate::model::Termination;
use crate::sys::{ScratchRoot, install_interrupt, requested};

pub fn import(command: &ImportCommand) -> Result<Exit, Failure> {
    install_interrupt()?;
    match command {
        ImportCommand::Gcc(flags) => import_suite(flags, &gcc::judge),
        ImportCommand::Clang(flags) => import_suite(flags, &clang::judge_file),
        ImportCommand::Build(flags) => build(flags),
    }
}

/// Import the programs of a testsuite; `judge` decides on each file by its path and text.
fn import_suite(flags: &SuiteFlags, judge: &dyn Fn(&Utf8Path, &str) -> Fate) -> Result<Exit, Failure> {
    let suite = flags.folder.canonicalize_utf8();
    let suite = suite
        .with_context(|| format!("{}: not a folder; name the folder of a testsuite", flags.folder))
        .map_err(bad_input)?;
    let files = c_files(&suite).map_err(bad_input)?;
    let folder = Folder::new(&flags.common.out).map_err(bad_input)?;
    if folder.root.starts_with(&suite) {
        return Err(bad_input(anyhow!(
            "{}: this folder is inside the imported folder; name another one with --out",
            flags.common.out
        )));
    }
    let mut fates = Fates::new();
    let mut headers: BTreeMap<Utf8PathBuf, BTreeSet<Utf8PathBuf>> = BTreeMap::new();
    for file in files {
        let fate = text_of(&suite.join(&file))?.and_then(|text| {
            let taken = judge(&suite.join(&file), &text)?;
            headers.insert(file.clone(), included(&suite, &file, &text)?);
            Ok((text, taken))
        });
        if let Ok((text, taken)) = &fate {
            folder.program(&file, text.as_bytes(), &taken.sidecar)?;
        }
        fates.insert(file, fate.map(|(_, taken)| taken));
    }
    let written: BTreeSet<Utf8PathBuf> = headers.values().flatten().cloned().collect();
    for header in &written {
        folder.write(header, &fs_err::read(suite.join(header))?)?;
    }
    let compiler = try_programs(&folder, &mut fates, &flags.common)?;
    if requested() {
        return Ok(Exit::Interrupted);
    }
    headers.retain(|file, _| fates.get(file).is_some_and(Result::is_ok));
    folder.tidy(&written, &headers.into_values().flatten().collect())?;
    finish(&folder, &fates, compiler.as_deref(), &flags.common)
}

/// Build a package with recorders in place of the compilers, and import its programs.
fn build(flags: &BuildFlags) -> Result<Exit, Failure> {
    let root = Utf8PathBuf::try_from(std::env::current_dir()?).map_err(bad_input)?;
    let folder = Folder::new(&flags.common.out).map_err(bad_input)?;
    let scratch = ScratchRoot::new()?;
    let recorder = Recorder::new(scratch.path())?;
    let built = built(flags, &root, &recorder)?;
    let mut package = Package::new(&built, &root, &folder)?;
    let seen = match &flags.test {
        Some(test) => recorder.watch(package.outputs(), || run_tests(test, &root)).map_err(bad_input)?,
        None => BTreeMap::new(),
    };
    let mut compiler = None;
    let turns = if flags.common.no_check { 1 } else { MOST_ORDERS };
    for turn in 0..turns {
        let mut fates = package.write(turn, &seen)?;
        compiler = try_programs(&folder, &mut fates, &flags.common)?.or(compiler);
        package.keep(fates);
    }
    finish(&folder, &package.finish()?, compiler.as_deref(), &flags.common)
}

/// Run the shell command `test` in `root`.
fn run_tests(test: &str, root: &Utf8Path) -> anyhow::Result<Termination> {
    let args = vec!["-c".to_string(), test.to_string()];
    Ok(run_here("/bin/sh", args, root, Vec::new())?.termination)
}

/// The calls that the command made, or those in the compilation database.
fn built(flags: &BuildFlags, root: &Utf8Path, recorder: &Recorder) -> Result<Built, Failure> {
    let calls = match &flags.compile_commands {
        Some(file) => fs_err::read_to_string(file).map_err(Into::into).and_then(|text| database(&text, file)),
        None => recorder.build(&flags.command, root),
    };
    let built = Built::of(&calls.map_err(bad_input)?);
    if built.units.is_empty() {
        return Err(bad_input(anyhow!(
            "no C file was compiled; clean earlier builds, as with `make clean`, and make sure that the build takes its \
             compiler from PATH or CC"
        )));
    }
    Ok(built)
}
