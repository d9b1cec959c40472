//! Where each word of the source stands: comments, macros and broken parses included.
//!
//! Whether a label or a variable is used must not depend on a parse, since a
//! macro's body has none. A word in a comment only makes us more careful.

use std::collections::HashMap;
use std::ops::Range;

/// Whether a word may have this letter; GNU C takes `$`.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Words and the byte offsets at which they begin, ascending.
#[derive(Debug, Default)]
pub struct Words(HashMap<Box<str>, Vec<usize>>);

impl Words {
    /// The words of `source`.
    pub fn of(source: &str) -> Words {
        let mut found: HashMap<Box<str>, Vec<usize>> = HashMap::new();
        let mut rest = source;
        while let Some(start) = rest.find(is_word) {
            let tail = &rest[start..];
            let length = tail.find(|c| !is_word(c)).unwrap_or(tail.len());
            let offset = source.len() - tail.len();
            found.entry(tail[..length].into()).or_default().push(offset);
            rest = &tail[length..];
        }
        Words(found)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `holds` for each word.
    pub fn all(&self, holds: impl Fn(&str) -> bool) -> bool {
        self.0.keys().all(|word| holds(word))
    }

    /// Whether `word` stands anywhere.
    pub fn has(&self, word: &str) -> bool {
        self.0.contains_key(word)
    }

    /// Whether `word` stands in `within` but outside `except`.
    pub fn elsewhere(&self, word: &str, within: &Range<usize>, except: &Range<usize>) -> bool {
        self.0.get(word).is_some_and(|offsets| {
            offsets.iter().any(|offset| within.contains(offset) && !except.contains(offset))
        })
    }
}
