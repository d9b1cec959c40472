//! Scratch folders: one for each worker, with a fixed name. They are emptied before each use, whatever a program
//! created in them.
//!
//! The name is fixed because compilers write absolute paths into binaries and profiles, and the program and its variant
//! must not differ in anything except the edit.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};

/// Name of the folder, next to the workers' scratch folders, for the files that they share.
pub const SHARED_FOLDER: &str = "shared";

/// The working directory of programs below the scratch folder `root`.
pub(super) fn run_folder(root: &Utf8Path) -> Utf8PathBuf {
    root.join("run")
}

/// The folder below `root` with the files that programs may fill.
pub(super) fn left_folder(root: &Utf8Path) -> Utf8PathBuf {
    root.join("left")
}

/// A scratch folder. Programs under test can write in two folders of it: anything in one, and only into existing files
/// in the other.
#[derive(Debug)]
pub struct Scratch {
    pub root: Utf8PathBuf,
}

impl Scratch {
    /// A scratch folder at `root`. The first [`Scratch::clear`] removes everything in it.
    pub fn new(root: Utf8PathBuf) -> Scratch {
        Scratch { root }
    }

    /// The path of `name` in it.
    pub fn at(&self, name: &str) -> Utf8PathBuf {
        self.root.join(name)
    }

    /// The working directory of the program under test.
    pub fn run(&self) -> Utf8PathBuf {
        run_folder(&self.root)
    }

    /// Make it empty, except for its two folders, which are kept: they may be mount points of a supervisor.
    pub fn clear(&self) -> io::Result<()> {
        let (run, left) = (self.run(), left_folder(&self.root));
        for folder in [&run, &left] {
            match empty(folder) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => fs_err::create_dir_all(folder)?,
                done => done?,
            }
        }
        remove_all(&self.root, |path| path != run.as_path() && path != left.as_path())
    }

    /// The path of the file `name` that a program under test may fill after [`Scratch::expect`].
    pub fn left(&self, name: &str) -> Utf8PathBuf {
        left_folder(&self.root).join(name)
    }

    /// Create the file that a program under test may fill, if it does not exist; its path.
    pub fn expect(&self, name: &str) -> io::Result<Utf8PathBuf> {
        let path = self.left(name);
        let made = fs_err::OpenOptions::new().append(true).create(true).open(&path)?;
        made.set_permissions(PermissionsExt::from_mode(0o666))?;
        Ok(path)
    }

    /// Move the file `name` that a program filled into the scratch folder; whether it has content. If the program
    /// replaced it by anything other than a file, that is not touched.
    pub fn take(&self, name: &str) -> io::Result<bool> {
        let path = self.left(name);
        let is_there = std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_file() && found.len() > 0);
        if is_there {
            fs_err::rename(path, self.at(name))?;
        }
        Ok(is_there)
    }
}

/// Make `folder` empty, even if a program created folders that cannot be entered, or nested deeper than any path is
/// long.
pub(super) fn empty(folder: &Utf8Path) -> io::Result<()> {
    match remove_all(folder, |_| true) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            fs_err::set_permissions(folder, PermissionsExt::from_mode(0o700))?;
            remove_all(folder, |_| true)
        }
        done => done,
    }
}

fn remove_all(folder: &Utf8Path, is_removed: impl Fn(&Utf8Path) -> bool) -> io::Result<()> {
    for entry in fs_err::read_dir(folder.as_std_path())? {
        let entry = entry?;
        let path = entry.path();
        if Utf8Path::from_path(&path).is_none_or(&is_removed) {
            remove(folder, &path, entry.file_type()?.is_dir()).or_else(|error| match error.kind() {
                // Another process may remove the same files.
                io::ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            })?;
        }
    }
    Ok(())
}

/// Remove `path` in `folder`, whatever it is.
fn remove(folder: &Utf8Path, path: &Path, is_dir: bool) -> io::Result<()> {
    if !is_dir {
        return fs_err::remove_file(path);
    }
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => flatten(folder, path),
        done => done,
    }
}

/// Remove the folder `path` in `folder` one level at a time: subfolders are moved up into `folder` first.
fn flatten(folder: &Utf8Path, path: &Path) -> io::Result<()> {
    let (mut waiting, mut moved) = (vec![path.to_path_buf()], 0);
    while let Some(path) = waiting.pop() {
        // A program can remove its own permissions.
        fs_err::set_permissions(&path, PermissionsExt::from_mode(0o700))?;
        for entry in fs_err::read_dir(&path)? {
            let inner = entry?.path();
            if std::fs::symlink_metadata(&inner)?.is_dir() {
                let up = folder.join(format!(".recount-{moved}"));
                moved += 1;
                fs_err::set_permissions(&inner, PermissionsExt::from_mode(0o700))?;
                fs_err::rename(&inner, &up)?;
                waiting.push(up.into_std_path_buf());
            } else {
                fs_err::remove_file(&inner)?;
            }
        }
        fs_err::remove_dir(&path)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch() -> (tempfile::TempDir, Scratch) {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(folder.path().join("w0")).unwrap();
        let scratch = Scratch::new(root);
        scratch.clear().unwrap();
        (folder, scratch)
    }

    #[test]
    fn folders_nested_deeper_than_paths_are_long_are_removed() {
        let (_folder, scratch) = scratch();
        let name = "d".repeat(200);
        // Innermost first, so that no path is too long.
        let run = scratch.run();
        fs_err::create_dir(run.join(&name)).unwrap();
        for _ in 0..60 {
            fs_err::create_dir(run.join("outer")).unwrap();
            fs_err::rename(run.join(&name), run.join("outer").join(&name)).unwrap();
            fs_err::rename(run.join("outer"), run.join(&name)).unwrap();
        }
        fs_err::set_permissions(run.join(&name), PermissionsExt::from_mode(0o000)).unwrap();
        empty(&run).unwrap();
        assert_eq!(fs_err::read_dir(run).unwrap().count(), 0);
    }

    #[test]
    fn only_a_file_with_content_is_taken() {
        let (_folder, scratch) = scratch();
        let path = scratch.expect("p.gcda").unwrap();
        assert!(!scratch.take("p.gcda").unwrap(), "it is empty");
        fs_err::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", &path).unwrap();
        assert!(!scratch.take("p.gcda").unwrap(), "it is a link");
        fs_err::remove_file(&path).unwrap();
        fs_err::create_dir(&path).unwrap();
        assert!(!scratch.take("p.gcda").unwrap(), "it is a folder");
        scratch.clear().unwrap();
        fs_err::write(scratch.expect("p.gcda").unwrap(), "something").unwrap();
        assert!(scratch.take("p.gcda").unwrap());
        assert_eq!(fs_err::read_to_string(scratch.at("p.gcda")).unwrap(), "something");
    }
}
