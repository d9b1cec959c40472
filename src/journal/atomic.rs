//! Writes files that exist completely or not at all, even if this process is killed.

use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;

use anyhow::{Context, Result};
use camino::Utf8Path;

/// Write `bytes` so that the file exists completely or not at all, even if this process is killed.
pub fn write_atomically(path: &Utf8Path, bytes: &[u8]) -> Result<()> {
    write_and_rename(path, bytes, |_| Ok(()))
}

/// Write `bytes` to a temporary file, call `then`, and rename the file to `path`.
pub(super) fn write_and_rename(
    path: &Utf8Path,
    bytes: &[u8],
    then: impl Fn(&std::fs::File) -> io::Result<()>,
) -> Result<()> {
    let parent = path.parent().context("the path has no folder")?;
    fs_err::create_dir_all(parent)?;
    // Other users may read it, subject to the umask.
    let mut builder = tempfile::Builder::new();
    builder.permissions(PermissionsExt::from_mode(0o666));
    let created = builder.tempfile_in(parent);
    let mut temporary = created.with_context(|| format!("failed to write in {parent}"))?;
    temporary
        .write_all(bytes)
        .and_then(|()| then(temporary.as_file()))
        .with_context(|| format!("failed to write {path}"))?;
    temporary.persist(path).with_context(|| format!("failed to write {path}"))?;
    Ok(())
}
