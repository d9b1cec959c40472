//! Waiting for free space on a full disk.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;

use super::{Event, EventListener};
use crate::sys::{DiskWait, retry_while_disk_full};

/// A pause that all workers share: each of them finds the disk full, and one of them reports it.
#[derive(Debug, Default)]
pub struct DiskPause {
    is_reported: AtomicBool,
}

impl DiskPause {
    /// Do `work`, and repeat it while a disk is full, unless `give_up` holds; then the error is returned.
    pub fn retry<T>(
        &self,
        listener: &dyn EventListener,
        give_up: impl Fn() -> bool,
        work: impl FnMut() -> Result<T>,
    ) -> Result<T> {
        retry_while_disk_full(work, give_up, |wait| match wait {
            DiskWait::Started(error) if !self.is_reported.swap(true, Ordering::SeqCst) => {
                let reason = format!("a disk is full; the campaign waits for free space: {error:#}");
                listener.on_event(&Event::Paused { reason: &reason });
            }
            DiskWait::Ended if self.is_reported.swap(false, Ordering::SeqCst) => {
                listener.on_event(&Event::Resumed);
            }
            DiskWait::Started(_) | DiskWait::Ended => {}
        })
    }
}
