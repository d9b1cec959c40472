//! What is found out once about a program and shared, as long as there is room for it.

use std::sync::{Arc, Mutex};

use anyhow::Result;
use lru::LruCache;

use crate::sys::lock;

/// Bytes that all that is kept may have, about: hundreds of short programs, tens of long ones. A plan has the jobs of
/// a program beside each other.
const ROOM: usize = 8 << 20;

/// What one entry has beside its value.
const ENTRY: usize = 256;

/// By what a value is known: a hash of all that was asked.
pub(super) type Key = blake3::Hash;

/// Locked while somebody finds it out.
type Cell<V> = Arc<Mutex<Option<Arc<V>>>>;

/// What is known of the last programs that somebody asked about.
pub(super) struct Remembered<V> {
    bytes: fn(&V) -> usize,
    kept: Mutex<Kept<V>>,
}

struct Kept<V> {
    /// With the bytes of each.
    cells: LruCache<Key, (Cell<V>, usize)>,
    bytes: usize,
}

impl<V> Remembered<V> {
    /// Nothing yet; `bytes` says how large a value is.
    pub(super) fn new(bytes: fn(&V) -> usize) -> Remembered<V> {
        Remembered { bytes, kept: Mutex::new(Kept { cells: LruCache::unbounded(), bytes: 0 }) }
    }

    /// What is known for `key`; who asks first finds it out, and whoever asks meanwhile waits for that, which
    /// takes no longer than to find it out once more.
    pub(super) fn get(&self, key: Key, find: impl FnOnce() -> Result<V>) -> Result<Arc<V>> {
        let cell = Arc::clone(&lock(&self.kept).cells.get_or_insert(key, Default::default).0);
        let mut known = lock(&cell);
        if let Some(known) = &*known {
            return Ok(Arc::clone(known));
        }
        let found = Arc::new(find()?);
        *known = Some(Arc::clone(&found));
        self.weigh(&key, ENTRY + (self.bytes)(&found));
        Ok(found)
    }

    /// The value of `key` has so many bytes; what was asked for longest ago makes room.
    fn weigh(&self, key: &Key, bytes: usize) {
        let mut kept = lock(&self.kept);
        if let Some((_, known)) = kept.cells.peek_mut(key) {
            let before = std::mem::replace(known, bytes);
            kept.bytes = kept.bytes - before + bytes;
        }
        while kept.bytes > ROOM && kept.cells.len() > 1 {
            let Some((_, (_, oldest))) = kept.cells.pop_lru() else { break };
            kept.bytes -= oldest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(of: &str) -> Key {
        blake3::hash(of.as_bytes())
    }

    #[test]
    fn what_was_asked_for_last_is_kept() {
        let remembered: Remembered<usize> = Remembered::new(|value| *value);
        let get = |of: &str, value: usize| *remembered.get(key(of), || Ok(value)).unwrap();
        let half = ROOM / 2 - ENTRY;
        assert_eq!((get("a", half), get("b", half), get("a", 1)), (half, half, half), "both known");
        assert_eq!(get("c", 3), 3, "too much: b goes, and a stays");
        assert_eq!((get("a", 1), get("b", 4)), (half, 4));
        assert_eq!(get("d", ROOM * 2), ROOM * 2, "larger than the room, and alone in it");
        assert_eq!((get("d", 1), get("a", 5)), (ROOM * 2, 5));
    }

    #[test]
    fn it_is_found_out_once_however_many_ask() {
        let remembered: Remembered<usize> = Remembered::new(|_| 1);
        let found = Mutex::new(0);
        let find = || {
            *found.lock().unwrap() += 1;
            std::thread::sleep(std::time::Duration::from_millis(20));
            Ok(7)
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
        pool.broadcast(|_| assert_eq!(*remembered.get(key("a"), find).unwrap(), 7));
        assert_eq!(*found.lock().unwrap(), 1);
    }

    #[test]
    fn a_failure_is_not_kept() {
        let remembered: Remembered<usize> = Remembered::new(|_| 1);
        assert!(remembered.get(key("a"), || anyhow::bail!("no")).is_err());
        assert_eq!(*remembered.get(key("a"), || Ok(7)).unwrap(), 7);
    }
}
