//! The user's wish to stop, as a flag and as something that `poll` wakes on.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{EventfdFlags, eventfd};

static REQUESTED: AtomicBool = AtomicBool::new(false);
static WAKE: OnceLock<OwnedFd> = OnceLock::new();

/// How we end when somebody asks twice; also the shell's code for an end by ^C.
const AT_ONCE: i32 = 130;

/// From now on ^C, TERM and HUP ask for a stop instead of ending us; the second one ends us at once. What
/// we started ends with us either way, and what the journal has it keeps.
pub fn install() -> io::Result<()> {
    let fd = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
    if WAKE.set(fd).is_err() {
        return Ok(());
    }
    let handler = || {
        if requested() {
            std::process::exit(AT_ONCE);
        }
        request();
    };
    ctrlc::set_handler(handler).map_err(io::Error::other)
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
