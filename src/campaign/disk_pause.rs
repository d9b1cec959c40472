//! Waiting for free space on a full disk.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Result;

use super::{Event, EventListener};
use crate::sys::is_disk_full;

/// The time between two attempts while a disk is full.
const PAUSE: Duration = Duration::from_millis(200);

/// A pause that all workers share: all of them find the disk full, but only one reports it.
#[derive(Debug, Default)]
pub struct DiskPause {
    is_reported: AtomicBool,
}

impl DiskPause {
    /// Do `work`, and repeat it while a disk is full. If `give_up` returns true, the error is returned instead.
    pub fn retry<T>(
        &self,
        listener: &dyn EventListener,
        give_up: impl Fn() -> bool,
        mut work: impl FnMut() -> Result<T>,
    ) -> Result<T> {
        let mut is_waiting = false;
        loop {
            let done = work();
            let full = done.as_ref().err().filter(|error| is_disk_full(error) && !give_up());
            let Some(error) = full else {
                if is_waiting && done.is_ok() && self.is_reported.swap(false, Ordering::SeqCst) {
                    listener.on_event(&Event::Resumed);
                }
                return done;
            };
            // Another worker may have continued since, and reported that.
            if !self.is_reported.swap(true, Ordering::SeqCst) {
                let reason = format!("a disk is full; the campaign waits for free space: {error:#}");
                listener.on_event(&Event::Paused { reason: &reason });
            }
            is_waiting = true;
            std::thread::sleep(PAUSE);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::sys::{disk_full_error, lock};

    struct Ends(Mutex<Vec<bool>>);

    impl EventListener for Ends {
        fn on_event(&self, event: &Event<'_>) {
            lock(&self.0).push(matches!(event, Event::Resumed));
        }
    }

    #[test]
    fn a_wait_is_reported_once_and_ends_with_free_space_or_on_request() {
        let full = |left: &mut u32| {
            *left = left.saturating_sub(1);
            if *left == 0 { Ok(()) } else { Err(anyhow::Error::from(disk_full_error("full".into()))) }
        };
        let (mut left, said) = (4, Ends(Mutex::default()));
        DiskPause::default().retry(&said, || false, || full(&mut left)).unwrap();
        assert_eq!(*lock(&said.0), [false, true]);
        // A worker that still waits when another one has continued reports its wait again.
        let (pause, said, mut attempts) = (DiskPause::default(), Ends(Mutex::default()), 0);
        let other = || {
            let mut left = 2;
            pause.retry(&said, || false, || full(&mut left))
        };
        let work = || {
            attempts += 1;
            if attempts == 2 {
                other()?;
            }
            full(&mut (4 - attempts))
        };
        pause.retry(&said, || false, work).unwrap();
        assert_eq!(*lock(&said.0), [false, true, false, true]);
        let mut left = 4;
        assert!(is_disk_full(&DiskPause::default().retry(&(), || true, || full(&mut left)).unwrap_err()));
    }
}
