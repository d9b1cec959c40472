//! Copies of the package.

use std::fs::{FileTimes, Permissions};
use std::os::unix::fs::PermissionsExt;

use anyhow::Result;
use camino::Utf8Path;

use crate::toolchain::starts_threads;

/// The file in a folder with copies of packages, which are no part of a package that contains the folder.
const MARK: &str = "copies-of-recount";

/// Make the folder `work` for copies of a package, and mark it.
pub fn make_work_folder(work: &Utf8Path) -> Result<()> {
    fs_err::create_dir_all(work)?;
    let text = "`recount audit` keeps the packages here that it built. The folder may be deleted.\n";
    Ok(fs_err::write(work.join(MARK), text)?)
}

/// Whether `path` is no part of the package: it is `left_out`, or earlier audits keep their copies there.
fn is_left_out(path: &Utf8Path, left_out: &Utf8Path) -> bool {
    path == left_out || path.join(MARK).exists()
}

/// Copy the folder `from` to the new folder `to`, with times and links as they are, without `left_out` and without the copies of
/// earlier audits.
pub fn copy(from: &Utf8Path, to: &Utf8Path, left_out: &Utf8Path) -> Result<()> {
    fs_err::create_dir_all(to)?;
    for entry in from.read_dir_utf8()? {
        let entry = entry?;
        let (path, made) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() && is_left_out(path, left_out) {
            continue;
        }
        if kind.is_symlink() {
            fs_err::os::unix::fs::symlink(fs_err::read_link(path)?, &made)?;
        } else if kind.is_dir() {
            copy(path, &made, left_out)?;
        } else if kind.is_file() {
            fs_err::copy(path, &made)?;
            let times = FileTimes::new().set_modified(fs_err::metadata(path)?.modified()?);
            fs_err::OpenOptions::new()
                .write(true)
                .open(&made)
                .or_else(|_| fs_err::File::open(&made))?
                .into_parts()
                .0
                .set_times(times)?;
        }
    }
    // Builds write into the copy, whatever the original allows.
    let mode = fs_err::metadata(from)?.permissions().mode() | 0o700;
    Ok(fs_err::set_permissions(to, Permissions::from_mode(mode))?)
}

/// A hash of the names, sizes, modes and times of the files in a folder and of the targets of links, without what [`copy`] leaves out:
/// another one after a change.
pub fn fingerprint(folder: &Utf8Path, left_out: &Utf8Path) -> Result<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in folder.read_dir_utf8()? {
            let path = entry?.into_path();
            let about = path.symlink_metadata()?;
            if about.is_dir() && !is_left_out(&path, left_out) {
                open.push(path);
            } else if about.is_file() {
                let mode = about.permissions().mode();
                found.push(format!("{path} {} {mode:o} {:?}", about.len(), about.modified()?));
            } else if about.is_symlink() {
                found.push(format!("{path} {}", fs_err::read_link(&path)?.display()));
            }
        }
    }
    found.sort();
    Ok(blake3::hash(found.join("\n").as_bytes()).to_hex().to_string())
}

/// Whether a C file of the package starts threads.
pub fn has_threads(folder: &Utf8Path) -> Result<bool> {
    for entry in folder.read_dir_utf8()? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        let is_code = matches!(path.extension(), Some("c" | "h" | "inc" | "y" | "l"));
        let found = if kind.is_dir() {
            has_threads(path)?
        } else {
            kind.is_file() && is_code && starts_threads(&String::from_utf8_lossy(&fs_err::read(path)?))
        };
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}
