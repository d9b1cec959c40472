//! The parent of the scratch folders of a run. It is removed when it is dropped; the next run removes the folder of a run
//! that was killed.
//!
//! The owner of such a folder holds a lock on it, which the kernel releases when the process ends. A new folder is not
//! locked for a moment, in which another run may remove it as abandoned: then another one is created.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};

use camino::{Utf8Path, Utf8PathBuf};
use rustix::fs::{FlockOperation, Mode, OFlags, StatVfsMountFlags, flock, open, statvfs};
use rustix::process::geteuid;

use super::scratch::empty;

const PREFIX: &str = "recount-scratch-";

/// Free bytes that `/dev/shm` must have.
const ENOUGH: u64 = 1 << 30;

/// A folder for the scratch folders of a run.
#[derive(Debug)]
pub struct ScratchRoot {
    path: Utf8PathBuf,
    #[allow(dead_code, reason = "dropping it releases the lock")]
    lock: OwnedFd,
}

impl ScratchRoot {
    /// Create a folder: in `TMPDIR` if that is set, else in memory if programs can be run from there, else in the
    /// system's folder for temporary files. A campaign writes a dozen small files for each profile, and on a disk the
    /// cores would wait for them.
    pub fn new() -> io::Result<ScratchRoot> {
        let memory = Utf8Path::new("/dev/shm");
        if std::env::var_os("TMPDIR").is_none()
            && can_run_from(memory)
            && let Ok(made) = ScratchRoot::within(memory)
        {
            return Ok(made);
        }
        let usual = Utf8PathBuf::try_from(std::env::temp_dir()).map_err(io::Error::other)?;
        ScratchRoot::within(&usual)
    }

    fn within(parent: &Utf8Path) -> io::Result<ScratchRoot> {
        sweep(parent);
        loop {
            let made = tempfile::Builder::new().prefix(PREFIX).make_in(parent, |path| {
                // Programs may run as another user, who has to enter it.
                std::fs::DirBuilder::new().mode(0o711).create(path)
            })?;
            let ((), name) = made.into_parts();
            let path = Utf8PathBuf::try_from(name.keep()?).map_err(io::Error::other)?;
            if let Some(lock) = lock_new(&path)? {
                return Ok(ScratchRoot { path, lock });
            }
        }
    }

    pub fn path(&self) -> &Utf8Path {
        &self.path
    }
}

impl Drop for ScratchRoot {
    fn drop(&mut self) {
        let _ = empty(&self.path);
        let _ = std::fs::remove_dir(&self.path);
    }
}

/// Whether a running driver owns `folder`.
pub(super) fn is_owned(folder: &Utf8Path) -> bool {
    locked(folder).is_err()
}

/// The lock on the new folder `path`, unless another run has removed it.
fn lock_new(path: &Utf8Path) -> io::Result<Option<OwnedFd>> {
    match locked(path) {
        // It may have been removed before it was locked.
        Ok(lock) => Ok(path.is_dir().then_some(lock)),
        Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

fn locked(folder: &Utf8Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let lock = open(folder.as_str(), flags, Mode::empty())?;
    flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
    Ok(lock)
}

/// Remove our folders in `parent` whose owner has ended.
fn sweep(parent: &Utf8Path) {
    let Ok(entries) = parent.read_dir_utf8() else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().starts_with(PREFIX)) {
        let path = entry.path();
        let is_ours = std::fs::symlink_metadata(path)
            .is_ok_and(|found| found.is_dir() && found.uid() == geteuid().as_raw());
        if is_ours && let Ok(_lock) = locked(path) {
            let _ = empty(path);
            let _ = std::fs::remove_dir(path);
        }
    }
}

fn can_run_from(folder: &Utf8Path) -> bool {
    statvfs(folder.as_str()).is_ok_and(|found| {
        !found.f_flag.contains(StatVfsMountFlags::NOEXEC) && found.f_bavail * found.f_frsize >= ENOUGH
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_folder_that_another_run_removed_is_created_again() {
        let folder = tempfile::tempdir().unwrap();
        let parent = Utf8Path::from_path(folder.path()).unwrap();
        let done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    sweep(parent);
                }
            });
            for _ in 0..2000 {
                let made = ScratchRoot::within(parent).unwrap();
                assert!(made.path().is_dir() && is_owned(made.path()));
                fs_err::create_dir(made.path().join("w0")).unwrap();
            }
            done.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        sweep(parent);
        assert_eq!(parent.read_dir_utf8().unwrap().count(), 0);
    }

    #[test]
    fn abandoned_folders_are_removed_and_used_ones_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let parent = Utf8Path::from_path(folder.path()).unwrap();
        let used = ScratchRoot::within(parent).unwrap();
        // As a kill leaves it: without a lock.
        let gone = parent.join(format!("{PREFIX}left"));
        fs_err::create_dir_all(gone.join("w0/run")).unwrap();
        fs_err::create_dir(parent.join("recount-other")).unwrap();
        assert!(is_owned(used.path()) && !is_owned(&gone));
        drop(ScratchRoot::within(parent).unwrap());
        assert!(!gone.exists());
        assert!(used.path().exists() && parent.join("recount-other").exists());
        drop(used);
        assert_eq!(parent.read_dir_utf8().unwrap().count(), 1);
    }
}
