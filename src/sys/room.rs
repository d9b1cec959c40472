//! Room on a disk: a full one is nobody's result, and passes.

use std::io;
use std::time::Duration;

use camino::Utf8Path;
use rustix::fs::statvfs;

/// Free bytes that a step must find: more than any single one writes.
pub const ROOM: u64 = 16 << 20;

/// Whether `folder` has so many free bytes; the error is one that [`is_disk_full`] knows.
pub fn room(folder: &Utf8Path, bytes: u64) -> io::Result<()> {
    let found = statvfs(folder.as_str())?;
    let free = found.f_bavail * found.f_frsize;
    if free >= bytes {
        return Ok(());
    }
    Err(no_room(format!("{folder}: {} KiB are free, and a step takes up to {}", free >> 10, bytes >> 10)))
}

/// The error of a full disk, from somebody else's words.
pub fn no_room(said: String) -> io::Error {
    io::Error::new(io::ErrorKind::StorageFull, said)
}

/// Whether `error` is a full disk's, or a used up quota's.
pub fn is_disk_full(error: &anyhow::Error) -> bool {
    let is_one = |kind| matches!(kind, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|cause| is_one(cause.kind())))
}

/// Between two attempts at what a full disk keeps from being done.
const PAUSE: Duration = Duration::from_millis(200);

/// What there is to say of a wait for room.
#[derive(Clone, Copy, Debug)]
pub enum DiskWait<'a> {
    /// It begins, because of this error.
    Begins(&'a anyhow::Error),
    /// There is room again.
    IsOver,
}

/// Do `work`; where a disk is full, again when there is room, unless somebody is to `give_up`. The error of a full
/// disk means that somebody did.
pub fn retry_while_disk_full<T>(
    mut work: impl FnMut() -> anyhow::Result<T>,
    give_up: impl Fn() -> bool,
    mut say: impl FnMut(DiskWait<'_>),
) -> anyhow::Result<T> {
    let mut waits = false;
    loop {
        match work() {
            Err(error) if is_disk_full(&error) && !give_up() => {
                if !std::mem::replace(&mut waits, true) {
                    say(DiskWait::Started(&error));
                }
                std::thread::sleep(PAUSE);
            }
            done => {
                if waits && done.is_ok() {
                    say(DiskWait::Ended);
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
    fn a_full_disk_is_known_by_its_error() {
        let full = room(Utf8Path::new("/"), u64::MAX).unwrap_err();
        assert!(is_disk_full(&anyhow::Error::from(full).context("failed to write a line")));
        let device = std::fs::write("/dev/full", "x").unwrap_err();
        assert!(is_disk_full(&device.into()));
        assert!(!is_disk_full(&anyhow::anyhow!("no space left on device, says somebody")));
        assert!(room(Utf8Path::new("/"), 0).is_ok());
    }

    #[test]
    fn a_wait_is_told_once_and_ends_with_room_or_patience() {
        let full = |left: &mut u32| {
            *left = left.saturating_sub(1);
            if *left == 0 { Ok(()) } else { Err(anyhow::Error::from(no_room("full".into()))) }
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
