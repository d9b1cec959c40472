//! Checks the free space on a disk. A full disk is a temporary error, never a result.

use std::io;

use camino::Utf8Path;
use rustix::fs::statvfs;

/// Free bytes that a step needs: more than any single one writes.
pub const MIN_FREE_BYTES: u64 = 16 << 20;

/// Fails unless the disk of `folder` has this many free bytes; [`is_disk_full`] recognises the error.
pub fn check_free_space(folder: &Utf8Path, bytes: u64) -> io::Result<()> {
    let found = statvfs(folder.as_str())?;
    let free = found.f_bavail * found.f_frsize;
    if free >= bytes {
        return Ok(());
    }
    let (free, needed) = (free >> 10, bytes >> 10);
    Err(disk_full_error(format!("{folder}: {free} KiB are free; a step needs up to {needed} KiB")))
}

/// The error for a full disk, with the message of the program that failed.
pub fn disk_full_error(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::StorageFull, message)
}

/// Whether `error` comes from a full disk or an exhausted quota.
pub fn is_disk_full(error: &anyhow::Error) -> bool {
    let is_one = |kind| matches!(kind, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|cause| is_one(cause.kind())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_recognised_by_its_error() {
        let full = check_free_space(Utf8Path::new("/"), u64::MAX).unwrap_err();
        assert!(is_disk_full(&anyhow::Error::from(full).context("failed to write a line")));
        let device = std::fs::write("/dev/full", "x").unwrap_err();
        assert!(is_disk_full(&device.into()));
        assert!(!is_disk_full(&anyhow::anyhow!("no space left on device")));
        assert!(check_free_space(Utf8Path::new("/"), 0).is_ok());
    }
}
