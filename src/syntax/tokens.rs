//! The tokens of C as a compiler sees them, with comments and whole directives.
//!
//! tree-sitter sees a masked text, takes `-1` for one token and `&&x` for three. Whitespace may only change between
//! real tokens, so they are found here, without a grammar.

use std::ops::Range;

use super::words::is_word;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or a keyword.
    Word,
    Number,
    /// A string or a character, with its prefix.
    Literal,
    Punct,
    /// `// …`, without its line feed.
    LineComment,
    BlockComment,
    /// From `#` to the end of its last line, without the line feed.
    Directive,
    /// Text that may not move: a splice, a literal without an end, anything that is not C.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

impl Token {
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    pub fn is_comment(self) -> bool {
        matches!(self.kind, Kind::LineComment | Kind::BlockComment)
    }

    /// Whether it is still there after preprocessing.
    pub fn is_code(self) -> bool {
        !self.is_comment() && self.kind != Kind::Directive
    }
}

/// The longer ones first.
const PUNCTS: [&str; 29] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=",
    "+=", "-=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>", "%:", "??",
];

/// The tokens of `source`, in order.
pub fn tokens(source: &str) -> Vec<Token> {
    tokens_in(source, 0, true)
}

/// The tokens of a directive, with places in `source`.
pub fn tokens_of_directive(source: &str, directive: Token) -> Vec<Token> {
    tokens_in(&source[..directive.end], directive.start, false)
}

fn tokens_in(source: &str, mut start: usize, has_directives: bool) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let mut begins_line = has_directives;
    while let Some(first) = source[start..].chars().next() {
        if first.is_whitespace() {
            begins_line |= has_directives && first == '\n';
            start += first.len_utf8();
            continue;
        }
        let (kind, length) = first_token(&source[start..], begins_line);
        found.push(Token { kind, start, end: start + length });
        begins_line &= kind == Kind::BlockComment;
        start += length;
    }
    found
}

/// Whether two tokens remain two without a space between them.
pub fn may_touch(left: &str, right: &str) -> bool {
    let both = tokens(&format!("x {left}{right}"));
    both.len() == 3 && both[1].end == 2 + left.len()
}

/// Kind and length of the first token of `text`; `begins_line` if nothing precedes it on its line.
fn first_token(text: &str, begins_line: bool) -> (Kind, usize) {
    let bytes = text.as_bytes();
    let first = text.chars().next().unwrap_or(' ');
    if begins_line && first == '#' {
        return (Kind::Directive, directive(text));
    }
    if text.starts_with("//") {
        return (Kind::LineComment, line(text));
    }
    if let Some(after) = text.strip_prefix("/*") {
        let end = after.find("*/").map_or(text.len(), |at| at + 4);
        return (Kind::BlockComment, end);
    }
    if first.is_ascii_digit() || first == '.' && bytes.get(1).is_some_and(u8::is_ascii_digit) {
        return (Kind::Number, number(bytes));
    }
    if is_word(first) {
        let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
        return match bytes.get(end) {
            Some(b'"' | b'\'') if matches!(&text[..end], "L" | "u" | "U" | "u8") => literal(text, end),
            _ => (Kind::Word, end),
        };
    }
    if first == '"' || first == '\'' {
        return literal(text, 0);
    }
    // The most frequent ones begin no longer one.
    if matches!(first, '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';') {
        return (Kind::Punct, 1);
    }
    if let Some(punct) = PUNCTS.iter().find(|punct| text.starts_with(**punct)) {
        let kind = if matches!(*punct, "??" | "##" | "%:") { Kind::Other } else { Kind::Punct };
        return (kind, punct.len());
    }
    let kind = if "()[]{}<>.,;:?=+-*/%&|^!~".contains(first) { Kind::Punct } else { Kind::Other };
    (kind, first.len_utf8())
}

/// A literal whose quote is at `open`.
fn literal(text: &str, open: usize) -> (Kind, usize) {
    let bytes = text.as_bytes();
    let mut at = open + 1;
    while at < bytes.len() {
        match bytes[at] {
            byte if byte == bytes[open] => return (Kind::Literal, at + 1),
            b'\\' => at += 1,
            b'\n' => break,
            _ => {}
        }
        at += 1;
    }
    // Without an end it ends with its line, as for a compiler.
    (Kind::Other, text[..at.min(text.len())].trim_end().len())
}

fn number(bytes: &[u8]) -> usize {
    let continues = |pair: &&[u8]| match pair {
        [b'e' | b'E' | b'p' | b'P', b'+' | b'-'] | [_, b'.' | b'_'] => true,
        pair => pair[1].is_ascii_alphanumeric(),
    };
    1 + bytes.windows(2).take_while(continues).count()
}

/// Up to the line feed that no backslash precedes.
fn line(text: &str) -> usize {
    let feeds = text.match_indices('\n').map(|(at, _)| at);
    let end = feeds.into_iter().find(|&at| !text[..at].trim_end_matches('\r').ends_with('\\'));
    text[..end.unwrap_or(text.len())].trim_end_matches('\r').len()
}

/// A directive continues after a backslash, and through a comment of several lines.
fn directive(text: &str) -> usize {
    let mut at = 0;
    while !text[at..].is_empty() && !text[at..].starts_with('\n') {
        let splice = ["\\\n", "\\\r\n"].into_iter().find(|splice| text[at..].starts_with(splice));
        at += splice.map_or_else(|| first_token(&text[at..], false).1, str::len);
    }
    text[..at].trim_end_matches('\r').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        tokens(source).iter().map(|token| &source[token.start..token.end]).collect()
    }

    #[test]
    fn tokens_are_those_of_a_compiler() {
        assert_eq!(
            texts("a=-1.5e-3+L\"x\\\"y\"->b"),
            ["a", "=", "-", "1.5e-3", "+", "L\"x\\\"y\"", "->", "b"]
        );
        assert_eq!(
            texts("#define A \\\n b /* c\n d */ e\nf // g \\\n h\ni"),
            ["#define A \\\n b /* c\n d */ e", "f", "// g \\\n h", "i",]
        );
        assert_eq!(tokens("don't x\ny")[1].kind, Kind::Other);
        assert_eq!(texts("don't x\ny"), ["don", "'t x", "y"]);
    }

    #[test]
    fn tokens_that_would_become_one_may_not_touch() {
        for (left, right) in [
            ("+", "+"),
            ("-", "--"),
            ("&", "&"),
            ("a", "b"),
            ("/", "*"),
            ("1", "x"),
            ("L", "'a'"),
            ("-", ">"),
        ] {
            assert!(!may_touch(left, right), "{left} {right}");
        }
        for (left, right) in [("+", "-"), ("*", "*"), ("a", "+"), ("(", "#"), ("\"a\"", "b"), ("&&", "x")] {
            assert!(may_touch(left, right), "{left} {right}");
        }
    }
}
