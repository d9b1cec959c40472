//! Repeats a short action while a long one is running.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Do `work`, and meanwhile `tick` on another thread every `pause`.
pub fn run_with_ticks<T>(pause: Duration, tick: impl Fn() + Send, work: impl FnOnce() -> T) -> T {
    // The end of the work, or its panic, drops the sender, which wakes the ticking thread.
    let (end, ended) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                tick();
            }
            tick();
        });
        let _end = end;
        work()
    })
}
