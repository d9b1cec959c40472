//! `recount import build`: build a package with recorders in place of the compilers, and import its programs.

use std::collections::BTreeMap;

use anyhow::anyhow;
use camino::{Utf8Path, Utf8PathBuf};

use super::exit::{Exit, Failure, bad_input};
use super::import_check::{finish, try_programs};
use super::import_flags::BuildFlags;
use crate::corpus::import::Folder;
use crate::corpus::import::calls::{Built, database};
use crate::corpus::import::package::{MOST_ORDERS, Package};
use crate::corpus::import::recorder::Recorder;
use crate::sys::ScratchRoot;

pub fn build(flags: &BuildFlags) -> Result<Exit, Failure> {
    let root = Utf8PathBuf::try_from(std::env::current_dir()?).map_err(bad_input)?;
    let folder = Folder::new(&flags.common.out).map_err(bad_input)?;
    let scratch = ScratchRoot::new()?;
    let recorder = Recorder::new(scratch.path())?;
    let built = built(flags, &root, &recorder)?;
    let mut package = Package::new(&built, &root, &folder)?;
    let seen = match &flags.test {
        Some(test) => recorder.watch(test, &root, package.outputs()).map_err(bad_input)?,
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
