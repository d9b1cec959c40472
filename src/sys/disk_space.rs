//! Free space on a disk. A full disk is an error that waiting can cure, and never a result.

use std::io;
use std::time::Duration;

use camino::Utf8Path;
use rustix::fs::statvfs;

/// Free bytes that a step needs: more than any single one writes.
pub const MIN_FREE_BYTES: u64 = 16 << 20;

/// Fails unless the disk of `folder` has so many free bytes; [`is_disk_full`] recognises the error.
pub fn check_free_space(folder: &Utf8Path, bytes: u64) -> io::Result<()> {
    let found = statvfs(folder.as_str())?;
    let free = found.f_bavail * found.f_frsize;
    if free >= bytes {
        return Ok(());
    }
    let (free, needed) = (free >> 10, bytes >> 10);
    Err(disk_full_error(format!("{folder}: {free} KiB are free; a step needs up to {needed} KiB")))
}

/// The error of a full disk, with the message of the program that met it.
pub fn disk_full_error(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::StorageFull, message)
}

/// Whether `error` comes from a full disk or an exhausted quota.
pub fn is_disk_full(error: &anyhow::Error) -> bool {
    let is_one = |kind| matches!(kind, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|cause| is_one(cause.kind())))
}

/// The time between two attempts while a disk is full.
const PAUSE: Duration = Duration::from_millis(200);

/// The start or end of a wait for free space.
#[derive(Clone, Copy, Debug)]
pub enum DiskWait<'a> {
    /// It starts because of this error.
    Started(&'a anyhow::Error),
    /// There is free space again.
    Ended,
}

/// Do `work`, and repeat it while a disk is full, unless `give_up` says otherwise. The error of a full disk is
/// returned only after giving up.
pub fn retry_while_disk_full<T>(
    mut work: impl FnMut() -> anyhow::Result<T>,
    give_up: impl Fn() -> bool,
    mut notify: impl FnMut(DiskWait<'_>),
) -> anyhow::Result<T> {
    let mut is_waiting = false;
    loop {
        match work() {
            Err(error) if is_disk_full(&error) && !give_up() => {
                if !std::mem::replace(&mut is_waiting, true) {
                    notify(DiskWait::Started(&error));
                }
                std::thread::sleep(PAUSE);
            }
            done => {
                if is_waiting && done.is_ok() {
                    notify(DiskWait::Ended);
                }
                return done;
            }
        }
    }
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

    #[test]
    fn a_wait_is_reported_once_and_ends_with_free_space_or_on_request() {
        let full = |left: &mut u32| {
            *left = left.saturating_sub(1);
            if *left == 0 { Ok(()) } else { Err(anyhow::Error::from(disk_full_error("full".into()))) }
        };
        let (mut left, mut said) = (4, Vec::new());
        retry_while_disk_full(
            || full(&mut left),
            || false,
            |what| said.push(matches!(what, DiskWait::Ended)),
        )
        .unwrap();
        assert_eq!(said, [false, true]);
        let mut left = 4;
        assert!(is_disk_full(&retry_while_disk_full(|| full(&mut left), || true, |_| {}).unwrap_err()));
    }
}
