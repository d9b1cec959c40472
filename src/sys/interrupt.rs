//! The user's request to stop, as a flag and as a descriptor on which `poll` wakes.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{EventfdFlags, eventfd};

static REQUESTED: AtomicBool = AtomicBool::new(false);
static WAKE: OnceLock<OwnedFd> = OnceLock::new();

/// The exit code after the second request; shells use it for a command that was ended by ^C.
const INTERRUPTED: i32 = 130;

/// From now on ^C, SIGTERM and SIGHUP request a stop instead of ending the process; the second signal ends it at once.
/// In both cases its child processes end too, and the journal keeps its records.
pub fn install() -> io::Result<()> {
    let fd = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
    if WAKE.set(fd).is_err() {
        return Ok(());
    }
    let handler = || {
        if requested() {
            std::process::exit(INTERRUPTED);
        }
        request();
    };
    ctrlc::set_handler(handler).map_err(io::Error::other)
}

/// Request a stop: every wait returns, and no new work is started.
pub fn request() {
    REQUESTED.store(true, Ordering::SeqCst);
    if let Some(fd) = WAKE.get() {
        // It is never read, so it stays readable for every waiter.
        let _ = rustix::io::write(fd, &1u64.to_ne_bytes());
    }
}

/// Whether a stop was requested.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// A descriptor that is readable once a stop was requested.
pub(super) fn fd() -> Option<BorrowedFd<'static>> {
    WAKE.get().map(AsFd::as_fd)
}
