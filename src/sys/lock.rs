//! Takes locks, even after the panic of another worker.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Lock `mutex`, also after a panic. The guarded values are consistent between any two statements that change them.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
