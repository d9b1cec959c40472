//! Something small that is done every now and then while something long is under way.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;
use std::time::Duration;

/// Do `work`, and `tick` on another thread every `pause` until it is done.
pub fn beside<T>(pause: Duration, tick: impl Fn() + Sync + Send, work: impl FnOnce() -> T) -> T {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let ticking = scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                std::thread::park_timeout(pause);
                tick();
            }
        });
        // Whatever becomes of the work, nobody waits for a thread that goes on ticking.
        let _end = End { over: &over, ticking: ticking.thread() };
        work()
    })
}

/// Ends the ticking when it is dropped.
struct End<'a> {
    over: &'a AtomicBool,
    ticking: &'a Thread,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        // Whoever waits for the answer does not wait out the pause.
        self.ticking.unpark();
    }
}
