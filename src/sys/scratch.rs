//! Scratch folders: one a worker, of a fixed name, emptied before each use.
//!
//! The name is fixed because compilers write absolute paths into binaries and
//! profiles, and P and P' must not differ in anything but the edit.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};

/// Name of the folder beside the scratch folders of workers that holds what they share.
pub const SHARED_FOLDER: &str = "shared";

/// Free space that memory must have to hold scratch folders.
const ROOM: u64 = 1 << 30;

/// A new folder for the scratch folders of a run; it goes when it is dropped. It is
/// in `TMPDIR` where that is set, else in memory where programs may be run from
/// there, else where the system keeps its temporary files: a campaign writes a
/// dozen small files a profile, and a disk would keep the cores waiting.
pub fn scratch_root() -> io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("recount-");
    let memory = Utf8Path::new("/dev/shm");
    if std::env::var_os("TMPDIR").is_none()
        && can_run_from(memory)
        && let Ok(folder) = builder.tempdir_in(memory)
    {
        return Ok(folder);
    }
    builder.tempdir()
}

fn can_run_from(folder: &Utf8Path) -> bool {
    use rustix::fs::{StatVfsMountFlags, statvfs};
    statvfs(folder.as_str()).is_ok_and(|found| {
        !found.f_flag.contains(StatVfsMountFlags::NOEXEC) && found.f_bavail * found.f_frsize >= ROOM
    })
}

/// A scratch folder with a sub-folder for the program's own files.
#[derive(Debug)]
pub struct Scratch {
    root: Utf8PathBuf,
}

impl Scratch {
    /// A scratch folder at `root`; whatever was there goes at the first [`Scratch::clear`].
    pub fn new(root: Utf8PathBuf) -> Scratch {
        Scratch { root }
    }

    /// Where it is.
    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// The path of `name` in it.
    pub fn at(&self, name: &str) -> Utf8PathBuf {
        self.root.join(name)
    }

    /// The working directory of the program under test.
    pub fn run(&self) -> Utf8PathBuf {
        self.root.join("run")
    }

    /// Make it empty but for an empty `run` folder.
    pub fn clear(&self) -> io::Result<()> {
        match std::fs::remove_dir_all(&self.root) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fs_err::create_dir_all(self.run())
    }
}
