//! Locks between workers, of which one that panicked says nothing of the rest.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Lock `mutex`. What it guards is whole between any two statements that change it, so that a panic elsewhere
/// does not spoil it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
