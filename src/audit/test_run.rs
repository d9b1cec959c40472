//! A run of the tests of one build, and what it left: units, programs and their profiles.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use super::processes::{Run, stage};
use super::session::{Phase, Session};
use super::unit::{DATA, NOTES};
use crate::model::Termination;

/// The program of a link in its folder.
pub const PROGRAM: &str = "program";

/// The extension of the raw profiles of clang's programs.
pub const RAW: &str = "profraw";

/// A run of the tests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TestRun {
    /// The build that was tested.
    pub session: Session,
    /// Its number in this session, from 1.
    pub number: u32,
    pub termination: Termination,
    pub run: Run,
}

/// The runs of the tests in one mode, in their order: of one build, or each of a build of its own.
pub type Tested = Vec<TestRun>;

/// A program that left profiles. If it was linked again, what it was each time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfiledProgram {
    /// The copies of the program that were kept.
    pub programs: Vec<Utf8PathBuf>,
    /// The raw profiles, in the order of their names.
    pub profiles: Vec<Utf8PathBuf>,
}

/// The phases in which something may have been made that run `number` of the tests uses.
pub fn phases(number: u32) -> Vec<String> {
    let tests = (1..=number).map(Phase::Test);
    std::iter::once(Phase::Build).chain(tests).map(|phase| phase.to_string()).collect()
}

/// The folder of the profile of run `number` in the folder of a unit or a link.
pub fn profile_folder(folder: &Utf8Path, number: u32) -> Utf8PathBuf {
    folder.join(format!("run{number}"))
}

/// Move the profile in `folder` to the one of run `number`, where gcov finds the notes too.
pub fn keep_profile(folder: &Utf8Path, number: u32) -> Result<()> {
    let kept = profile_folder(folder, number);
    for entry in folder.read_dir_utf8()? {
        let path = entry?.into_path();
        let name = path.file_name().unwrap_or_default();
        if name == DATA || path.extension() == Some(RAW) {
            fs_err::create_dir_all(&kept)?;
            fs_err::rename(&path, kept.join(name))?;
        }
        if name == NOTES {
            fs_err::create_dir_all(&kept)?;
            fs_err::copy(&path, kept.join(name))?;
        }
    }
    Ok(())
}

impl TestRun {
    /// The names of the units of the build.
    pub fn units(&self) -> Result<BTreeSet<String>> {
        let mut found = BTreeSet::new();
        for phase in phases(self.number) {
            let units = self.session.units_of(&phase)?.into_iter();
            found.extend(units.map(|(name, _)| format!("{}/{name}", stage(&phase))));
        }
        Ok(found)
    }

    /// The names of the folders of what was linked.
    pub fn linked(&self) -> Result<BTreeSet<String>> {
        let mut found = BTreeSet::new();
        for phase in phases(self.number) {
            found.extend(self.session.links_of(&phase)?.into_iter().map(|(name, _)| name));
        }
        Ok(found)
    }

    /// The folder of the unit `name` that the run used: of several, the last one that it left a profile in, or the last one.
    pub fn unit_folder(&self, name: &str) -> Option<Utf8PathBuf> {
        let (mut last, mut used) = (None, None);
        let (of, unit) = name.split_once('/').unwrap_or_default();
        for phase in phases(self.number).into_iter().filter(|phase| stage(phase) == of) {
            let folder = self.session.units(&phase).join(unit);
            if folder.is_dir() {
                if profile_folder(&folder, self.number).join(DATA).is_file() {
                    used = Some(folder.clone());
                }
                last = Some(folder);
            }
        }
        used.or(last)
    }

    /// The programs that left profiles of clang in this run, by the names of their links.
    pub fn profiled(&self) -> Result<BTreeMap<String, ProfiledProgram>> {
        let mut found: BTreeMap<String, ProfiledProgram> = BTreeMap::new();
        for phase in phases(self.number) {
            for (name, folder) in self.session.links_of(&phase)? {
                let profiles = profile_folder(&folder, self.number);
                if profiles.is_dir() {
                    let program = found.entry(format!("{}/{name}", stage(&phase))).or_default();
                    program.programs.push(folder.join(PROGRAM));
                    for entry in profiles.read_dir_utf8()? {
                        program.profiles.push(entry?.into_path());
                    }
                }
            }
        }
        for program in found.values_mut() {
            program.profiles.sort();
        }
        Ok(found)
    }
}
