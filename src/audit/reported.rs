//! What the profiler's tools print about each unit in each program, with as few calls as possible: the raw profiles of a program are
//! merged once, and a unit whose profile is the same in several runs is printed once.

use std::collections::BTreeMap;
use std::result::Result as Checked;

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};

use super::test_run::{ProfiledProgram, TestRun, profile_folder};
use super::unit::{DATA, NOTES, OBJECT};
use crate::model::{Family, Outcome};
use crate::toolchain::{Printed, Profiler, Recorded, Worker};

/// The profiles of the package.
pub struct Reported<'a> {
    profiler: &'a dyn Profiler,
    runs: &'a [TestRun],
    /// clang: the profile of each program in each run, by the name of its link.
    merged: Vec<BTreeMap<String, MergedProfile>>,
}

/// The merged profile of a program in one run.
struct MergedProfile {
    raw: Vec<Utf8PathBuf>,
    /// The profile, or why there is none.
    path: Checked<Utf8PathBuf, Outcome>,
    /// Whether it is the same as in the first run.
    is_first: bool,
}

impl<'a> Reported<'a> {
    pub fn new(profiler: &'a dyn Profiler, worker: &mut Worker, runs: &'a [TestRun]) -> Result<Reported<'a>> {
        let mut merged: Vec<BTreeMap<String, MergedProfile>> = Vec::new();
        let is_merged = profiler.info().profiler == Family::LlvmCov;
        for (at, run) in runs.iter().enumerate().filter(|_| is_merged) {
            let mut programs = BTreeMap::new();
            for (number, (name, ProfiledProgram { profiles, .. })) in run.profiled()?.into_iter().enumerate()
            {
                let to = run.session.data.join(format!("run{}.{number}.profdata", run.number));
                let path = profiler.merge(worker, &profiles, &to)?.map(|()| to);
                let first = merged.first().and_then(|first| first.get(&name)).map(|first| &first.path);
                let is_first = match (first, &path) {
                    (Some(Ok(first)), Ok(path)) => has_same_bytes(first, path)?,
                    _ => false,
                };
                programs.insert(name, MergedProfile { raw: profiles, path, is_first: at == 0 || is_first });
            }
            merged.push(programs);
        }
        Ok(Reported { profiler, runs, merged })
    }

    /// What is printed for each run about the unit in `folders`, for llvm-cov in the program; none where it is the same as
    /// for the first run.
    pub fn unit(
        &self,
        worker: &mut Worker,
        folders: &[Utf8PathBuf],
        program: Option<&str>,
    ) -> Result<Checked<Vec<Option<Printed>>, Outcome>> {
        let mut printed = Vec::new();
        let mut first: Option<Recorded> = None;
        for (at, folder) in folders.iter().enumerate() {
            let (recorded, is_first) = match program {
                Some(program) => match self.in_program(at, folder, program) {
                    Ok(found) => found,
                    Err(outcome) => return Ok(Err(outcome)),
                },
                None => self.alone(at, folder, first.as_ref())?,
            };
            printed.push(if is_first && at > 0 {
                None
            } else {
                match self.profiler.printed(worker, &recorded)? {
                    Ok(found) => Some(found),
                    Err(outcome) => return Ok(Err(outcome)),
                }
            });
            first.get_or_insert(recorded);
        }
        Ok(Ok(printed))
    }

    /// The data of gcov in the folder of a unit, and whether they are those of the first run.
    fn alone(&self, at: usize, folder: &Utf8Path, first: Option<&Recorded>) -> Result<(Recorded, bool)> {
        let folder = profile_folder(folder, self.runs[at].number);
        let data = folder.join(DATA);
        let data = if data.is_file() { vec![data] } else { Vec::new() };
        let recorded = Recorded { object: folder.join(NOTES), data, ..Recorded::default() };
        let is_first = match first.map(|first| (&first.data[..], &recorded.data[..])) {
            Some(([first], [data])) => has_same_bytes(first, data)?,
            Some(([], [])) => self.runs[at].session == self.runs[0].session,
            _ => false,
        };
        Ok((recorded, is_first))
    }

    /// The profile of a program in a run, for the unit in `folder`, and whether it is that of the first run.
    fn in_program(&self, at: usize, folder: &Utf8Path, program: &str) -> Checked<(Recorded, bool), Outcome> {
        let missing = || Outcome::NoProfile { reason: "the program left no profile".into() };
        let merged = self.merged[at].get(program).ok_or_else(missing)?;
        let path = merged.path.clone()?;
        let is_first = merged.is_first && self.runs[at].session == self.runs[0].session;
        let object = folder.join(OBJECT);
        let recorded = Recorded { object, data: merged.raw.clone(), merged: path, ..Recorded::default() };
        Ok((recorded, is_first))
    }
}

fn has_same_bytes(one: &Utf8Path, other: &Utf8Path) -> Result<bool> {
    Ok(fs_err::read(one)? == fs_err::read(other)?)
}
