//! Scratch folders: one a worker, of a fixed name, emptied before each use.
//!
//! The name is fixed because compilers write absolute paths into binaries and
//! profiles, and P and P' must not differ in anything but the edit.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};

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
