//! Layout: one statement a line, one space between tokens.
//!
//! Only whitespace between tokens changes, so whatever is wrong about a guess here costs looks
//! and no meaning. What the parser did not understand keeps its whitespace.

mod lines;
pub(super) mod plain;
mod spacing;
pub(super) mod tokens;

use super::{EditSet, Text};
use crate::model::TextEdit;
use lines::Lines;
use plain::Plain;
use spacing::{Role, Seen, spaced};
use tokens::{Kind, Token};

/// One level, as both GCC's and LLVM's own sources have it: what is sent to them looks like theirs.
const INDENT: &str = "  ";

/// One candidate that lays everything out, then one for each top-level item, then one for each
/// line of the result that spans several lines now.
pub(super) fn layout(text: &Text<'_>) -> Vec<EditSet> {
    let plain = Plain::of(text.source);
    let (tokens, nodes) = (&plain.tokens, plain.nodes());
    let texts = tokens.iter().map(|token| (&text.source[token.start..token.end], token.kind));
    let mut seen: Vec<Seen<'_>> = texts.map(|(text, kind)| Seen { text, kind, role: Role::Plain }).collect();
    spacing::assign(&mut seen, &plain.parsed, &nodes);
    let lines = Lines::of(plain.tree.root_node(), &nodes, &plain.parsed, seen);
    let gaps = Writer { source: text.source, tokens, lines: &lines }.gaps();
    candidates(text.source, tokens, &lines, &gaps)
}

/// `gaps` says what stands before each token, and at the end; none where it stays.
fn candidates(source: &str, tokens: &[Token], lines: &Lines<'_>, gaps: &[Option<String>]) -> Vec<EditSet> {
    let edit = |at: usize| {
        let start = if at == 0 { 0 } else { tokens[at - 1].end };
        let end = tokens.get(at).map_or(source.len(), |token| token.start);
        let with = gaps[at].as_ref().filter(|with| source[start..end] != **with)?;
        Some(TextEdit { start, end, with: with.clone() })
    };
    let edits = |range: std::ops::Range<usize>| range.filter_map(edit).collect::<EditSet>();
    let mut found = vec![edits(0..gaps.len())];
    let mut bounds: Vec<usize> = lines.items.iter().copied().filter(|&at| at > 0).collect();
    bounds.sort_unstable();
    bounds.dedup();
    bounds.push(gaps.len());
    let mut start = 0;
    for end in bounds {
        found.push(edits(start..end));
        start = end;
    }
    let is_break = |at: usize| gaps[at].as_ref().is_some_and(|gap| gap.contains('\n'));
    let breaks: Vec<usize> = (0..gaps.len()).filter(|&at| at == 0 || is_break(at)).collect();
    for pair in breaks.windows(2) {
        let mut joined = edits(pair[0] + 1..pair[1]);
        joined.retain(|edit| source[edit.start..edit.end].contains('\n'));
        found.push(joined);
    }
    let mut unique: Vec<EditSet> = Vec::new();
    for candidate in found {
        if !candidate.is_empty() && !unique.contains(&candidate) {
            unique.push(candidate);
        }
    }
    unique
}

/// Decides what stands in each gap.
struct Writer<'a> {
    source: &'a str,
    tokens: &'a [Token],
    lines: &'a Lines<'a>,
}

impl Writer<'_> {
    /// What stands before each token, and behind the last one; none where it stays as it is.
    fn gaps(&self) -> Vec<Option<String>> {
        let mut gaps = Vec::with_capacity(self.tokens.len() + 1);
        // The indentation of this line, and whether a comment stands where the next token's line begins.
        let (mut current, mut taken) = (0, true);
        for at in 0..self.tokens.len() {
            let token = self.tokens[at];
            let fresh = self.is_fresh(at);
            let ends_line =
                at > 0 && matches!(self.tokens[at - 1].kind, Kind::LineComment | Kind::Directive) || at == 0;
            let own = if token.is_comment() { self.next_break(at, current) } else { self.lines.breaks[at] };
            let level = match own {
                _ if token.kind == Kind::Directive => Some(0),
                Some(_) if token.is_comment() && !fresh && !ends_line => None,
                Some(_) if taken && !fresh && !ends_line => None,
                Some(level) => Some(level),
                None if ends_line => Some(self.continued(at, current)),
                None => None,
            };
            taken = token.is_comment() && (level.is_some() || taken && !fresh);
            if token.is_code() && own.is_some() {
                current = own.unwrap_or(current);
            }
            let is_kept = self.lines.kept[at] && token.kind != Kind::Directive;
            gaps.push(match level {
                _ if at == 0 && !is_kept => Some(INDENT.repeat(level.unwrap_or(0))),
                _ if is_kept => None,
                Some(level) => Some(format!("\n{}", INDENT.repeat(level))),
                None => Some(if self.is_spaced(at) { " " } else { "" }.to_string()),
            });
        }
        let is_ended = self.tokens.last().is_some_and(|last| last.kind != Kind::Other);
        gaps.push(is_ended.then(|| "\n".to_string()));
        gaps
    }

    /// Whether token `at` is the first of its line now.
    fn is_fresh(&self, at: usize) -> bool {
        let start = if at == 0 { 0 } else { self.tokens[at - 1].end };
        at == 0 || self.source[start..self.tokens[at].start].contains('\n')
    }

    fn is_spaced(&self, at: usize) -> bool {
        spaced(self.lines.seen[at - 1], self.lines.seen[at])
    }

    /// The indentation of a comment that stands where a new line begins anyway.
    fn next_break(&self, at: usize, current: usize) -> Option<usize> {
        let behind = &self.tokens[at..];
        let Some(next) = behind.iter().position(|token| !token.is_comment()).map(|skip| at + skip) else {
            return Some(0);
        };
        if self.tokens[next].kind == Kind::Directive {
            let code = behind.iter().position(|token| token.is_code()).map(|skip| at + skip);
            return Some(code.and_then(|code| self.lines.breaks[code]).unwrap_or(current));
        }
        let inner = usize::from(self.lines.seen[next].text == "}");
        self.lines.breaks[next].map(|level| level + inner)
    }

    /// The indentation of a line that begins within a statement because something ends there.
    fn continued(&self, at: usize, current: usize) -> usize {
        if matches!(self.lines.seen[at].text, "{" | "else" | "while") { current } else { current + 1 }
    }
}

#[cfg(test)]
pub(super) mod tests;
