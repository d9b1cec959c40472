//! A session: one build of the package, with coverage or with counters of our own, and the runs of its tests. Compilers that
//! the build calls read it from its file.

use std::collections::BTreeSet;
use std::fmt;

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::model::{Family, named_enum};

named_enum! {
    /// What the build counts with.
    pub enum Mode {
        /// The profiler under audit.
        Coverage = "coverage",
        /// Counters of our own. Both names have the same length, so that paths in the two builds have it too.
        Counters = "counters",
    }
}

/// One build of the package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    pub mode: Mode,
    pub family: Family,
    /// The compiler under audit, which takes the place of every C compiler.
    pub compiler: Utf8PathBuf,
    /// The copy of the package that is built.
    pub tree: Utf8PathBuf,
    /// Everything that the session records.
    pub data: Utf8PathBuf,
    /// Whether the package has threads, so that counters must be atomic.
    pub has_threads: bool,
    /// In the build with counters, what the one with coverage has linked, by the names of its folders.
    #[serde(default)]
    pub linked: BTreeSet<String>,
}

/// A part of a session: the build, or a run of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    Build,
    /// Counted from 1.
    Test(u32),
}

impl fmt::Display for Phase {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Phase::Build => out.write_str("build"),
            Phase::Test(number) => write!(out, "test{number}"),
        }
    }
}

impl Session {
    /// The session that the file describes.
    pub fn read(file: &Utf8Path) -> Result<Session> {
        let text = fs_err::read_to_string(file)?;
        serde_json::from_str(&text).with_context(|| format!("{file}: not a session of an audit"))
    }

    pub fn file(&self) -> Utf8PathBuf {
        Session::file_in(&self.data)
    }

    /// The file of the session whose data is in the folder.
    pub fn file_in(data: &Utf8Path) -> Utf8PathBuf {
        data.join("session.json")
    }

    pub fn write(&self) -> Result<()> {
        fs_err::create_dir_all(&self.data)?;
        Ok(fs_err::write(self.file(), serde_json::to_string_pretty(self)?)?)
    }

    /// Where the scripts are that take the place of compilers.
    pub fn bin(&self) -> Utf8PathBuf {
        self.data.join("bin")
    }

    /// The file that names the present phase.
    fn phase_file(&self) -> Utf8PathBuf {
        self.data.join("phase")
    }

    pub fn begin(&self, phase: Phase) -> Result<()> {
        Ok(fs_err::write(self.phase_file(), phase.to_string())?)
    }

    /// The name of the present phase.
    pub fn phase(&self) -> Result<String> {
        Ok(fs_err::read_to_string(self.phase_file())?)
    }

    /// The folder of all units that were compiled in a phase.
    pub fn units(&self, phase: &str) -> Utf8PathBuf {
        self.data.join("units").join(phase)
    }

    /// The folder of all programs and shared libraries that were linked in a phase.
    pub fn links(&self, phase: &str) -> Utf8PathBuf {
        self.data.join("links").join(phase)
    }

    /// `path` relative to the tree; the path itself elsewhere.
    pub fn below<'a>(&self, path: &'a Utf8Path) -> &'a Utf8Path {
        path.strip_prefix(&self.tree).unwrap_or(path)
    }
}

/// `path` with `PID` in place of the number of a process that the present one descends from: a script that names its temporary
/// file by its own number, as a wrapper of libtool does, gives it another name in each build.
pub fn without_process_numbers(path: &Utf8Path) -> Utf8PathBuf {
    let parent = |process: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name of the program, in parentheses, may contain anything.
        let (_, after) = stat.rsplit_once(") ")?;
        after.split(' ').nth(1)?.parse().ok().filter(|parent| *parent > 1)
    };
    let ancestors: Vec<String> = std::iter::successors(parent(&std::process::id()), parent)
        .map(|process: u32| process.to_string())
        .collect();
    let name = path.file_name().unwrap_or_default();
    let is_number = |part: &&str| ancestors.iter().any(|number| number == part);
    match name.split(|c: char| !c.is_ascii_digit()).find(is_number) {
        Some(number) => path.with_file_name(name.replacen(number, "PID", 1)),
        None => path.to_owned(),
    }
}

/// A new folder in `folder` for what was made at `path`: several things may be made at one place, one after the other.
pub fn new_folder(folder: &Utf8Path, path: &Utf8Path) -> Result<Utf8PathBuf> {
    fs_err::create_dir_all(folder)?;
    // Not `%`, which has a meaning in the name of a profile of clang.
    let name = path.as_str().replace('+', "++").replace('/', "+");
    for number in 1.. {
        let made = folder.join(format!("{name}#{number}"));
        match fs_err::create_dir(&made) {
            Ok(()) => {
                use std::os::unix::fs::PermissionsExt;
                // Programs of the package may change their user.
                fs_err::set_permissions(&made, std::fs::Permissions::from_mode(0o777))?;
                return Ok(made);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error.into()),
        }
    }
    unreachable!("there is a number that is free")
}
