//! The text between tokens: new lines, comments, and lines that the preprocessor drops.

use std::fmt::Write;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::Printer;

/// The probability of each property of a layout.
pub(super) struct Layout {
    /// A new line between two tokens.
    pub(super) split: f64,
    /// A new line before a thing.
    pub(super) tall: f64,
    /// No new line after a statement or a brace.
    pub(super) join: f64,
    pub(super) comment: f64,
    pub(super) blank: f64,
    /// Parentheses that are not needed.
    pub(super) parentheses: f64,
    /// Dropped lines between two tokens.
    pub(super) dropped: f64,
    /// A new line before `{`, and before `else`.
    pub(super) brace: f64,
}

impl Layout {
    pub(super) fn draw(rng: &mut ChaCha8Rng) -> Layout {
        let mut one = |of: &[f64]| of[rng.random_range(0..of.len())];
        Layout {
            split: one(&[0.0, 0.0, 0.01, 0.05, 0.2]),
            tall: one(&[0.0, 0.0, 0.1, 0.5, 1.0]),
            join: one(&[0.0, 0.0, 0.1, 0.3, 0.7]),
            comment: one(&[0.0, 0.01, 0.05]),
            blank: one(&[0.0, 0.05, 0.2]),
            parentheses: one(&[0.0, 0.05, 0.3]),
            dropped: one(&[0.0, 0.0, 0.05]),
            brace: one(&[0.0, 0.5, 1.0]),
        }
    }
}

/// Comments, some of which look like code.
const COMMENTS: [&str; 5] = ["why not", "if (x) {", "a && b ? c : d", "it's \"so\"", "} else { // \\ ;"];

impl Printer<'_> {
    /// Prints the gap before a token.
    pub(super) fn gap(&mut self, next: &str) {
        if self.defining {
            if !self.glued && self.chance(0.05) {
                self.out.push_str(" \\\n");
                self.line += 1;
            }
        } else if !self.held && !self.out.ends_with('\n') && !self.glued {
            let tall = if self.pending.is_empty() { 0.0 } else { self.layout.tall };
            if self.newline || self.chance(self.layout.split) || self.chance(tall) {
                self.end_line();
            }
        }
        if self.out.ends_with('\n') {
            let indent = if self.newline { self.depth } else { self.depth + 1 };
            self.out.push_str(&"    ".repeat(indent));
        } else if self.spaced(next) {
            self.out.push(' ');
        }
        self.newline = false;
        if !self.held && !self.defining && self.chance(self.layout.comment) {
            let comment = COMMENTS[self.rng.random_range(0..COMMENTS.len())];
            if self.glued || self.chance(0.7) {
                write!(self.out, "/* {comment} */ ").expect("memory");
            } else {
                write!(self.out, "/* {comment}\n * {comment} */ ").expect("memory");
                self.line += 1;
            }
        }
    }

    fn spaced(&self, next: &str) -> bool {
        let last = self.last.as_str();
        let word = |text: &str| text.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let keyword = ["if", "while", "for", "switch", "return", "do", "else", "case", "int"].contains(&last);
        let opens = matches!(last, "(" | "[" | "!" | "~");
        let closes = matches!(next, ")" | ";" | "," | "[" | "]");
        !(opens || closes || next == "(" && word(last) && !keyword)
    }

    fn end_line(&mut self) {
        if self.chance(self.layout.comment) {
            let comment = COMMENTS[self.rng.random_range(0..COMMENTS.len())];
            write!(self.out, " // {comment}").expect("memory");
        }
        self.out.push('\n');
        self.line += 1;
        if self.chance(self.layout.blank) {
            self.out.push('\n');
            self.line += 1;
        }
        if self.chance(self.layout.dropped) {
            self.directive("#if 0");
            self.directive("&& x ? y : { z;");
            self.directive("#endif");
        }
    }

    /// Prints `text` on a line of its own.
    pub(super) fn directive(&mut self, text: &str) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
            self.line += 1;
        }
        self.out.push_str(text);
        self.out.push('\n');
        self.line += 1;
        self.newline = true;
    }
}
