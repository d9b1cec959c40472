//! The words of a source text, with their places: also in comments, macros and text that does not parse.
//!
//! The answer to whether a label or a variable is used must not depend on a parse, since the body of a macro is not
//! parsed. If the word occurs in a comment, the answer is only more cautious.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// Whether a word may contain this character; GNU C allows `$`.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The words of `text`, numbers included.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word(c)).filter(|word| !word.is_empty())
}

/// `text` on one line, with single spaces.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether `text` begins with `word` as a whole word.
pub fn starts_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_word))
}

/// The places of the identifiers and keywords in `text`.
pub(super) fn identifiers(text: &str) -> impl Iterator<Item = Range<usize>> {
    static IDENTIFIER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[A-Za-z_$][\w$]*").expect("a constant"));
    IDENTIFIER.find_iter(text).map(|found| found.range())
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
            found.entry(tail[..length].into()).or_default().push(source.len() - tail.len());
            rest = &tail[length..];
        }
        Words(found)
    }

    pub fn has(&self, word: &str) -> bool {
        self.0.contains_key(word)
    }

    /// Whether `word` occurs in `within` but outside `except`.
    pub fn elsewhere(&self, word: &str, within: &Range<usize>, except: &Range<usize>) -> bool {
        self.0.get(word).is_some_and(|offsets| {
            offsets.iter().any(|offset| within.contains(offset) && !except.contains(offset))
        })
    }
}
