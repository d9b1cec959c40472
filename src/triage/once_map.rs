//! A map whose values are computed once and shared by all threads.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use anyhow::Result;

use crate::sys::lock;

/// The key of a value: a hash of everything on which the value depends.
pub(super) type Key = blake3::Hash;

/// Locked while a thread computes the value.
type Cell<V> = Arc<Mutex<Option<Arc<V>>>>;

/// The values that have been computed so far.
pub struct OnceMap<V>(Mutex<HashMap<Key, Cell<V>>>);

impl<V> Default for OnceMap<V> {
    fn default() -> OnceMap<V> {
        OnceMap(Mutex::default())
    }
}

impl<V> OnceMap<V> {
    /// The value for `key`. The first caller computes it; concurrent callers wait, which takes no longer than to
    /// compute it again.
    pub(super) fn get(&self, key: Key, find: impl FnOnce() -> Result<V>) -> Result<Arc<V>> {
        let cell = Arc::clone(lock(&self.0).entry(key).or_default());
        let mut known = lock(&cell);
        if let Some(known) = &*known {
            return Ok(Arc::clone(known));
        }
        let found = Arc::new(find()?);
        *known = Some(Arc::clone(&found));
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(of: &str) -> Key {
        blake3::hash(of.as_bytes())
    }

    #[test]
    fn it_is_found_out_once_however_many_ask() {
        let once_map: OnceMap<usize> = OnceMap::default();
        let found = Mutex::new(0);
        let find = || {
            *found.lock().unwrap() += 1;
            std::thread::sleep(std::time::Duration::from_millis(20));
            Ok(7)
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
        pool.broadcast(|_| assert_eq!(*once_map.get(key("a"), find).unwrap(), 7));
        assert_eq!(*found.lock().unwrap(), 1);
    }

    #[test]
    fn a_failure_is_not_kept() {
        let once_map: OnceMap<usize> = OnceMap::default();
        assert!(once_map.get(key("a"), || anyhow::bail!("no")).is_err());
        assert_eq!(*once_map.get(key("a"), || Ok(7)).unwrap(), 7);
    }
}
