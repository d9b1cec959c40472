//! Our file as its author typed it: tokens and directives with their positions, and where each conditional group ends.
//!
//! Lines that a backslash joins are joined before the text is split into tokens, as a compiler does it.

use std::borrow::Cow;

use super::super::lines::{line_at, line_starts};
use super::super::tokens::{Kind, Token, tokens, tokens_of_directive};
use super::Position;
use crate::model::Line;

/// The bytes that may precede the text of a file of UTF-8; compilers skip them.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// What a directive does to the tokens after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directive {
    /// `#if`, `#ifdef`, `#ifndef`.
    If,
    /// `#elif`, `#else` and their kin.
    Else,
    Endif,
    /// `#pragma push_macro` and `#pragma pop_macro`; the compilers do not print them.
    PushMacro,
    PopMacro,
    Other,
}

/// A token, or a directive.
#[derive(Debug)]
pub struct Item {
    pub token: Token,
    pub directive: Option<Directive>,
    /// The lines on which it begins and ends.
    pub lines: (Line, Line),
    /// Whether nothing but comments precedes it on its line.
    pub begins_line: bool,
    /// For a conditional directive, the index of the next one that belongs to the same `#if`.
    pub next_branch: usize,
}

#[derive(Debug)]
pub struct Typed<'a> {
    /// The text without backslashes that join lines.
    pub text: Cow<'a, str>,
    pub items: Vec<Item>,
    /// Where something was removed: the offset in `text`, and the number of bytes that were removed before it and there.
    removed: Vec<(usize, usize)>,
    /// Where the lines of the file begin.
    starts: Vec<usize>,
}

impl<'a> Typed<'a> {
    pub fn new(source: &'a str) -> Typed<'a> {
        let (text, removed) = joined(source);
        let mut typed = Typed { text, items: Vec::new(), removed, starts: line_starts(source) };
        let mut items: Vec<Item> = Vec::new();
        let mut last_line = 0;
        for token in tokens(&typed.text).into_iter().filter(|token| !token.is_comment()) {
            let directive = (token.kind == Kind::Directive).then(|| directive(&typed.text, token));
            let offset = typed.offset_of_text(token.start);
            // Most tokens are on the line of the one before.
            let is_on_last = typed.starts.get(last_line as usize).is_none_or(|next| offset < *next);
            let first = if last_line > 0 && is_on_last { last_line } else { line_at(&typed.starts, offset) };
            let last = directive.map_or(first, |_| line_at(&typed.starts, typed.offset(token.end - 1)));
            let begins_line = first != last_line;
            last_line = first;
            items.push(Item { token, directive, lines: (first, last), begins_line, next_branch: usize::MAX });
        }
        let mut open: Vec<usize> = Vec::new();
        for index in 0..items.len() {
            if let Some(Directive::Else | Directive::Endif) = items[index].directive
                && let Some(previous) = open.pop()
            {
                items[previous].next_branch = index;
            }
            if let Some(Directive::If | Directive::Else) = items[index].directive {
                open.push(index);
            }
        }
        typed.items = items;
        typed
    }

    /// The offset in the file of byte `at` of `text`. A token that begins a joined line begins at the backslash before it, as
    /// in clang.
    pub fn offset(&self, at: usize) -> usize {
        self.offset_after(at, self.removed.partition_point(|(offset, _)| *offset < at))
    }

    /// The same, but after a backslash, as in gcc and in the output of both.
    fn offset_of_text(&self, at: usize) -> usize {
        self.offset_after(at, self.removed.partition_point(|(offset, _)| *offset <= at))
    }

    fn offset_after(&self, at: usize, removals: usize) -> usize {
        at + removals.checked_sub(1).map_or(0, |last| self.removed[last].1)
    }

    /// The position of a byte of the file.
    pub fn position(&self, offset: usize) -> Position {
        let line = line_at(&self.starts, offset);
        let start = self.starts.get((line as usize).saturating_sub(1)).copied().unwrap_or_default();
        Position { line, column: u32::try_from(offset - start).unwrap_or(u32::MAX).saturating_add(1) }
    }

    pub fn text_of(&self, token: Token) -> &str {
        &self.text[token.range()]
    }
}

/// `source` without backslashes before line feeds, and where they were. GCC and clang allow spaces between the two.
fn joined(source: &str) -> (Cow<'_, str>, Vec<(usize, usize)>) {
    let (mut text, mut removed) = (String::new(), Vec::new());
    let (mut from, mut total) = (0, 0);
    if source.starts_with(BYTE_ORDER_MARK) {
        from = BYTE_ORDER_MARK.len_utf8();
        text.push_str(&" ".repeat(from));
    }
    for (at, _) in source.match_indices('\\') {
        let after = source[at + 1..].trim_start_matches([' ', '\t', '\r', '\x0b', '\x0c']);
        if !after.starts_with('\n') {
            continue;
        }
        text.push_str(&source[from..at]);
        from = source.len() - after.len() + 1;
        total += from - at;
        removed.push((text.len(), total));
    }
    if from == 0 {
        return (Cow::Borrowed(source), removed);
    }
    text.push_str(&source[from..]);
    (Cow::Owned(text), removed)
}

fn directive(text: &str, token: Token) -> Directive {
    let words = tokens_of_directive(text, token);
    let mut words = words.iter().filter(|word| !word.is_comment()).map(|word| &text[word.range()]).skip(1);
    match words.next() {
        Some("if" | "ifdef" | "ifndef") => Directive::If,
        Some("elif" | "elifdef" | "elifndef" | "else") => Directive::Else,
        Some("endif") => Directive::Endif,
        Some("pragma") => match words.next() {
            Some("push_macro") => Directive::PushMacro,
            Some("pop_macro") => Directive::PopMacro,
            _ => Directive::Other,
        },
        _ => Directive::Other,
    }
}
