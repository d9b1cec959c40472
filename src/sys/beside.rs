//! Something small that is done every now and then while something long is under way.

use std::sync::atomic::{AtomicBool, Ordering};
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
        let done = work();
        over.store(true, Ordering::Relaxed);
        // Whoever waits for the answer does not wait out the pause.
        ticking.thread().unpark();
        done
    })
}
