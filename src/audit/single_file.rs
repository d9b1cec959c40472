//! Programs of the package as single C files, with the calls that its tests make: the way from a wrong line of an audit to a
//! program that can be reduced.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};

use super::audited::RUNS;
use super::build::Commands;
use super::link::Link;
use super::processes::units_in;
use super::session::{Mode, Session};
use super::test_run::phases;
use super::unit::{COUNTING, Unit};
use crate::corpus::import::calls::{self, Built};
use crate::corpus::import::package::{MOST_ORDERS, Package};
use crate::corpus::import::recorder::{Recorded, Recorder, SeenCalls};
use crate::corpus::import::{DOES_NOT_COMPILE, Fates, Folder, skip};

/// A program whose files are joined into one.
#[derive(Clone, Debug)]
pub struct SingleFile {
    /// The program in the package's folder.
    pub name: Utf8PathBuf,
    /// The joined text in each order of its files that may compile, with its flags.
    pub texts: Vec<(String, Vec<String>)>,
    /// Its calls by the tests, those with the smallest input first.
    pub calls: Vec<Recorded>,
}

/// What was linked, and its own units by their objects.
struct Linked {
    link: Link,
    units: BTreeMap<Utf8PathBuf, Unit>,
}

/// The programs with the object `object` as single files, and why others are none. They are written to the new folder `folder`,
/// and the tests run again to record their calls.
///
/// # Errors
/// The audit in `work` is not there any more, or the machine fails.
pub fn single_files(
    work: &Utf8Path,
    commands: &Commands,
    object: &str,
    folder: &Utf8Path,
) -> Result<(Vec<SingleFile>, Vec<String>)> {
    let session = Session::read(&Session::file_in(&work.join(format!("{}-data", Mode::Counters.name()))))
        .context("the copies of the package are not there any more; audit it again")?;
    let linked = linked(&session)?;
    let folder = Folder::new(folder)?;
    let (mut found, mut reasons) = (Vec::new(), Vec::new());
    let mut programs = Vec::new();
    for program in linked.iter().filter(|program| !program.link.is_shared) {
        let units = all_units(program, &linked);
        if units.contains_key(Utf8Path::new(object)) {
            programs.push((program, units));
        }
    }
    // A small program is reduced sooner.
    programs.sort_by_key(|(_, units)| units.len());
    let outputs: BTreeSet<Utf8PathBuf> =
        programs.iter().map(|(program, _)| program.link.output.clone()).collect();
    let seen = recorded(&session, commands, outputs)?;
    for (program, units) in programs {
        let output = &program.link.output;
        let name = session.below(output).to_path_buf();
        let calls = seen.get(output).map_or(&[][..], |seen| &seen.calls);
        let texts = match texts(&session, program, &units, &folder) {
            Ok(Ok(texts)) => texts,
            Ok(Err(reason)) => {
                reasons.push(format!("{name}: {reason}"));
                continue;
            }
            Err(error) => return Err(error),
        };
        if calls.is_empty() {
            reasons.push(format!("{name}: no call of it by the tests could be recorded"));
            continue;
        }
        found.push(SingleFile { name, texts, calls: calls.to_vec() });
    }
    Ok((found, reasons))
}

/// Everything that the package links and that ran.
fn linked(session: &Session) -> Result<Vec<Linked>> {
    let mut found: Vec<Linked> = Vec::new();
    let mut without_counters = BTreeMap::new();
    for phase in phases(RUNS) {
        for (_, folder) in session.units_of(&phase)? {
            if !folder.join(COUNTING).is_file() {
                let unit = Unit::read(&folder)?;
                without_counters.insert(unit.object.clone(), unit);
            }
        }
    }
    for phase in phases(RUNS) {
        for (_, folder) in session.links_of(&phase)? {
            let link = Link::read(&folder)?;
            let mut units = BTreeMap::new();
            for unit in units_in(&folder)? {
                let unit = Unit::read(&session.data.join(unit))?;
                units.insert(unit.object.clone(), unit);
            }
            if units.is_empty() {
                continue;
            }
            // A unit with data alone does not say that it is in the program. An archive does not either.
            let is_archive = |path: &Utf8PathBuf| path.extension() == Some("a");
            let has_archive = link.inputs.iter().any(is_archive);
            for (object, unit) in &without_counters {
                if has_archive || link.inputs.contains(object) {
                    units.insert(object.clone(), unit.clone());
                }
            }
            // Of several programs that were linked at one place, the last one is there.
            found.retain(|other| other.link.output != link.output);
            found.push(Linked { link, units });
        }
    }
    Ok(found)
}

/// The units of a program, and of the shared libraries of the package that it uses.
fn all_units(program: &Linked, linked: &[Linked]) -> BTreeMap<Utf8PathBuf, Unit> {
    let real = |path: &Utf8Path| path.canonicalize_utf8().unwrap_or_else(|_| path.to_path_buf());
    let mut units = program.units.clone();
    let mut open = vec![program];
    let mut seen = BTreeSet::from([&program.link.output]);
    while let Some(one) = open.pop() {
        let inputs: BTreeSet<Utf8PathBuf> = one.link.inputs.iter().map(|path| real(path)).collect();
        for library in linked.iter().filter(|library| inputs.contains(&real(&library.link.output))) {
            if seen.insert(&library.link.output) {
                units.extend(library.units.clone());
                open.push(library);
            }
        }
    }
    units
}

/// The calls of the programs at `outputs` in one more run of the tests.
fn recorded(session: &Session, commands: &Commands, outputs: BTreeSet<Utf8PathBuf>) -> Result<SeenCalls> {
    let folder = session.data.join("recorded");
    if folder.exists() {
        fs_err::remove_dir_all(&folder)?;
    }
    let recorder = Recorder::new(&folder)?;
    recorder.watch(outputs, || session.run_tests_again(commands))
}

/// Texts, each with the flags to compile it, or why there is none.
type Texts = std::result::Result<Vec<(String, Vec<String>)>, String>;

/// The texts of a program in each order of its files.
fn texts(
    session: &Session,
    program: &Linked,
    units: &BTreeMap<Utf8PathBuf, Unit>,
    folder: &Folder,
) -> Result<Texts> {
    let of =
        |unit: &Unit| calls::Unit { source: unit.path(), cwd: unit.cwd.clone(), flags: unit.flags.clone() };
    let link = calls::Link {
        output: program.link.output.clone(),
        inputs: units.keys().cloned().collect(),
        libraries: program.link.libraries.clone(),
    };
    let units = units.iter().map(|(object, unit)| (object.clone(), of(unit))).collect();
    let built = Built { units, links: vec![link], ..Built::default() };
    let mut package = Package::new(&built, &session.tree, folder)?;
    let mut texts = Vec::new();
    for turn in 0..MOST_ORDERS {
        let mut fates: Fates = package.write(turn, &SeenCalls::new())?;
        for (file, fate) in &mut fates {
            if let Ok(taken) = fate {
                texts.push((fs_err::read_to_string(folder.root.join(file))?, taken.sidecar.flags.clone()));
                // The next order is tried as well.
                *fate = Err(skip(DOES_NOT_COMPILE, ""));
            }
        }
        package.keep(fates);
    }
    let reason = || package.reasons().first().map_or_else(|| "it has no main".into(), ToString::to_string);
    Ok(if texts.is_empty() { Err(reason()) } else { Ok(texts) })
}
