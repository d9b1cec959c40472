//! The text between tokens: new lines, comments, and lines that the preprocessor drops.

use std::fmt::Write;

use rand::RngExt;

use super::Printer;

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
            if self.glued || self.chance(0.9) {
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
