//! Layout: one statement a line, one space between tokens.
//!
//! Only whitespace between tokens changes, so a wrong guess affects the appearance and not the meaning. Text that the
//! parser did not understand keeps its whitespace.

mod lines;
pub(super) mod plain;
mod spacing;

use std::ops::Range;

use super::text::{EditSet, Text};
use crate::model::TextEdit;
use crate::syntax::tokens::{Kind, Token};
use lines::Lines;
use plain::Plain;
use spacing::{needs_space, with_roles};

/// One level, as in the sources of GCC and LLVM: bug reports to them should look familiar.
const INDENT: &str = "  ";

/// Lays everything out, then each top-level item, then each line of the result that takes several lines now.
pub(super) fn layout(text: &Text<'_>) -> Vec<EditSet> {
    let plain = Plain::of(text.source);
    let nodes = plain.nodes();
    let lines = Lines::of(plain.tree.root_node(), &nodes, &plain.parsed, with_roles(&plain, &nodes));
    let gaps = Writer { source: text.source, tokens: &plain.tokens, lines: &lines }.gaps();
    candidates(text.source, &plain.tokens, &lines, &gaps)
}

/// `gaps` has the whitespace before each token and at the end; none if it stays.
fn candidates(source: &str, tokens: &[Token], lines: &Lines<'_>, gaps: &[Option<String>]) -> Vec<EditSet> {
    let edit = |at: usize| {
        let start = at.checked_sub(1).map_or(0, |before| tokens[before].end);
        let end = tokens.get(at).map_or(source.len(), |token| token.start);
        let with = gaps[at].as_ref().filter(|with| source[start..end] != **with)?;
        Some(TextEdit::replace(start..end, with))
    };
    let edits = |range: Range<usize>| range.filter_map(edit).collect::<EditSet>();
    let mut bounds: Vec<usize> = lines.items.iter().copied().chain([0, gaps.len()]).collect();
    bounds.sort_unstable();
    bounds.dedup();
    let mut found = vec![edits(0..gaps.len())];
    found.extend(bounds.windows(2).map(|pair| edits(pair[0]..pair[1])));
    let is_break = |at: usize| gaps[at].as_ref().is_some_and(|gap| gap.contains('\n'));
    let breaks: Vec<usize> = (0..gaps.len()).filter(|&at| at == 0 || is_break(at)).collect();
    found.extend(breaks.windows(2).map(|pair| {
        let mut joined = edits(pair[0] + 1..pair[1]);
        joined.retain(|edit| source[edit.range()].contains('\n'));
        joined
    }));
    let mut unique: Vec<EditSet> = Vec::new();
    for candidate in found {
        if !candidate.is_empty() && !unique.contains(&candidate) {
            unique.push(candidate);
        }
    }
    unique
}

/// Decides on the whitespace in each gap.
struct Writer<'a> {
    source: &'a str,
    tokens: &'a [Token],
    lines: &'a Lines<'a>,
}

impl Writer<'_> {
    /// The whitespace before each token and after the last; none if it stays as it is.
    fn gaps(&self) -> Vec<Option<String>> {
        let (seen, mut gaps) = (&self.lines.seen, Vec::with_capacity(self.tokens.len() + 1));
        // The indentation of this line, and whether a comment is where the line of the next token begins.
        let (mut current, mut has_comment) = (0, true);
        for (at, token) in self.tokens.iter().enumerate() {
            let begins_line = self.begins_line(at);
            let follows_line =
                at == 0 || matches!(self.tokens[at - 1].kind, Kind::LineComment | Kind::Directive);
            let own = if token.is_comment() { self.next_break(at, current) } else { self.lines.breaks[at] };
            let stays_on_line = (token.is_comment() || has_comment) && !begins_line && !follows_line;
            let level = match own {
                _ if token.kind == Kind::Directive => Some(0),
                Some(_) if stays_on_line => None,
                Some(level) => Some(level),
                None if follows_line => Some(self.continuation(at, current)),
                None => None,
            };
            has_comment = token.is_comment() && (level.is_some() || has_comment && !begins_line);
            if let Some(own) = own.filter(|_| token.is_code()) {
                current = own;
            }
            let is_kept = self.lines.kept[at] && token.kind != Kind::Directive;
            gaps.push(match level {
                _ if is_kept => None,
                level if at == 0 => Some(INDENT.repeat(level.unwrap_or(0))),
                Some(level) => Some(format!("\n{}", INDENT.repeat(level))),
                None => Some(if needs_space(seen[at - 1], seen[at]) { " " } else { "" }.to_string()),
            });
        }
        let ends_properly = self.tokens.last().is_some_and(|last| last.kind != Kind::Other);
        gaps.push(ends_properly.then(|| "\n".to_string()));
        gaps
    }

    /// Whether token `at` is the first of its line now.
    fn begins_line(&self, at: usize) -> bool {
        at == 0 || self.source[self.tokens[at - 1].end..self.tokens[at].start].contains('\n')
    }

    /// The indentation of a comment where a new line begins anyway.
    fn next_break(&self, at: usize, current: usize) -> Option<usize> {
        let first =
            |wanted: fn(Token) -> bool| (at..self.tokens.len()).find(|&next| wanted(self.tokens[next]));
        let Some(next) = first(|token| !token.is_comment()) else { return Some(0) };
        if self.tokens[next].kind == Kind::Directive {
            let level = first(Token::is_code).and_then(|code| self.lines.breaks[code]);
            return Some(level.unwrap_or(current));
        }
        let inner = usize::from(self.lines.seen[next].text == "}");
        self.lines.breaks[next].map(|level| level + inner)
    }

    /// The indentation of a line that begins within a statement, after a comment or a directive.
    fn continuation(&self, at: usize, current: usize) -> usize {
        if matches!(self.lines.seen[at].text, "{" | "else" | "while") { current } else { current + 1 }
    }
}

#[cfg(test)]
pub(super) mod tests;
