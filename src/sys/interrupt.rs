//! The user's wish to stop, as a flag and as something that `poll` wakes on.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{EventfdFlags, eventfd};

static REQUESTED: AtomicBool = AtomicBool::new(false);
static WAKE: OnceLock<OwnedFd> = OnceLock::new();

/// From now on ^C, TERM and HUP ask for a stop instead of ending us.
pub fn install() -> io::Result<()> {
    let fd = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
    if WAKE.set(fd).is_err() {
        return Ok(());
    }
    ctrlc::set_handler(request).map_err(io::Error::other)
}

/// Ask for a stop: every wait returns, no new work is started.
pub fn request() {
    REQUESTED.store(true, Ordering::SeqCst);
    if let Some(fd) = WAKE.get() {
        // Never read back, so it stays readable for every waiter.
        let _ = rustix::io::write(fd, &1u64.to_ne_bytes());
    }
}

/// Whether a stop was asked for.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// Readable once a stop was asked for.
pub(super) fn fd() -> Option<BorrowedFd<'static>> {
    WAKE.get().map(AsFd::as_fd)
}
