//! What is found out once about a program and shared: locked while somebody finds it out.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use anyhow::Result;

use crate::model::Family;
use crate::sys::lock;

/// Programs that are remembered. A plan has the jobs of a program beside each other.
const REMEMBERED: usize = 32;

/// The hash of a source, an input, and the family that is asked.
pub(super) type Key = (String, String, Family);

type Cell<V> = Arc<Mutex<Option<Arc<V>>>>;

/// What is known of the last programs.
pub(super) struct Remembered<V>(Mutex<VecDeque<(Key, Cell<V>)>>);

impl<V> Default for Remembered<V> {
    fn default() -> Remembered<V> {
        Remembered(Mutex::default())
    }
}

impl<V> Remembered<V> {
    /// What is known for `key`; who asks first finds it out.
    pub(super) fn get(&self, key: Key, find: impl FnOnce() -> Result<V>) -> Result<Arc<V>> {
        let cell = self.cell(key);
        let mut cell = lock(&cell);
        if let Some(known) = &*cell {
            return Ok(Arc::clone(known));
        }
        let found = Arc::new(find()?);
        *cell = Some(Arc::clone(&found));
        Ok(found)
    }

    fn cell(&self, key: Key) -> Cell<V> {
        let mut cells = lock(&self.0);
        if let Some((_, cell)) = cells.iter().find(|(known, _)| *known == key) {
            return Arc::clone(cell);
        }
        if cells.len() == REMEMBERED {
            cells.pop_front();
        }
        let cell = Cell::default();
        cells.push_back((key, Arc::clone(&cell)));
        cell
    }
}
