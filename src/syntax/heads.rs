//! Finds the heads of functions without types, which tree-sitter-c reads as something else: `f (i)`, `f (a, b) int a, b;`.
//!
//! They are blanked for the parser, which then sees the body as a block at file scope.

use std::collections::BTreeMap;
use std::ops::Range;

use super::tokens::{Kind, Token, tokens};
use super::type_words::{UNTYPED, may_be_name};

/// The head of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    pub range: Range<usize>,
    pub name: Range<usize>,
}

/// The old-style heads in `text`, each by the start of its body; `text` has no attributes.
pub fn old_style_heads(text: &str) -> BTreeMap<usize, Head> {
    let tokens: Vec<Token> = tokens(text).into_iter().filter(|token| token.is_code()).collect();
    let scan = Scan { text, tokens };
    let mut heads = BTreeMap::new();
    let mut at = 0;
    while at < scan.tokens.len() {
        let (last, body) = scan.item(at);
        if let Some(body) = body
            && let Some(head) = scan.head(at, body)
        {
            heads.insert(scan.tokens[body].start, head);
        }
        at = last + 1;
    }
    heads
}

struct Scan<'a> {
    text: &'a str,
    tokens: Vec<Token>,
}

impl<'a> Scan<'a> {
    fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| &self.text[token.range()])
    }

    fn is_name(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Kind::Word) && may_be_name(self.word(at))
    }

    /// The partner of the opening bracket at `at`, or the last token.
    fn closing(&self, at: usize) -> usize {
        let mut depth = 0;
        for last in at..self.tokens.len() {
            match self.word(last) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return last;
            }
        }
        self.tokens.len() - 1
    }

    /// The last token of the declaration or definition that begins at `first`, and the first one of its body.
    fn item(&self, first: usize) -> (usize, Option<usize>) {
        let mut at = first;
        let mut declares_parameters = false;
        while at < self.tokens.len() {
            match self.word(at) {
                ";" if !declares_parameters => return (at, None),
                "{" if matches!(self.word(at.wrapping_sub(1)), ")" | ";") && at > first => {
                    return (self.closing(at), Some(at));
                }
                "(" | "[" | "{" => {
                    let last = self.closing(at);
                    let names = self.names(at, last);
                    declares_parameters |= names
                        && at > first
                        && self.is_name(at - 1)
                        && self.tokens.get(last + 1).is_some_and(|token| token.kind == Kind::Word)
                        && self.body_after_declarations(last + 1);
                    at = last;
                }
                "}" => return (at, None),
                _ => {}
            }
            at += 1;
        }
        (at, None)
    }

    /// Whether the parentheses at `open` and `close` contain names alone.
    fn names(&self, open: usize, close: usize) -> bool {
        self.word(open) == "("
            && (close - open).is_multiple_of(2)
            && (open + 1..close)
                .all(|at| if (at - open) % 2 == 1 { self.is_name(at) } else { self.word(at) == "," })
    }

    /// Whether declarations from `at` on are followed by a block.
    fn body_after_declarations(&self, mut at: usize) -> bool {
        while at < self.tokens.len() {
            match self.word(at) {
                "{" if self.word(at - 1) == ";" => return true,
                "{" if !matches!(self.word(at - 1), "struct" | "union" | "enum")
                    && !matches!(self.word(at - 2), "struct" | "union" | "enum") =>
                {
                    return false;
                }
                "(" | "[" | "{" => at = self.closing(at),
                "=" | "}" => return false,
                _ => {}
            }
            at += 1;
        }
        false
    }

    /// The head from `first` to before `body`, if it declares parameters after the parentheses or has no type.
    fn head(&self, first: usize, body: usize) -> Option<Head> {
        let open = (first..body).find(|at| self.word(*at) == "(")?;
        let is_enclosed = self.is_name(open + 1) && self.word(open + 2) == ")" && self.word(open + 3) == "(";
        let name = if is_enclosed { open + 1 } else { open.checked_sub(1)? };
        if name < first || !self.is_name(name) {
            return None;
        }
        let is_untyped = |at: usize| matches!(self.word(at), "*") || UNTYPED.contains(&self.word(at));
        let has_type = (first..name).any(|at| !is_untyped(at));
        // The parser takes the name in `T (f)(int x)` for a parameter.
        if has_type && !is_enclosed && self.word(body - 1) == ")" {
            return None;
        }
        let range = self.tokens[first].start..self.tokens[body - 1].end;
        Some(Head { range, name: self.tokens[name].range() })
    }
}

#[cfg(test)]
mod tests {
    use super::old_style_heads;

    #[test]
    fn heads_without_types_are_found() {
        let heads = |text: &str| -> Vec<String> {
            old_style_heads(text).values().map(|head| text[head.range.clone()].to_string()).collect()
        };
        let text = "struct s { int x; } v = { 1 };\nint g(int x) { return x; }\nf (int i) { g(i); }\n\
                    static int h (a, b) int a; struct s *b; { }\nint p(), q;\nmain () { }\nT k(a) T a; { }\n\
                    int (*m(void))(int) { }\nstatic *n() { }\nenum e { A };\nint w(T), z;\nint o(x) { }\nT (u)(int x) { }\n";
        let found = heads(text);
        assert_eq!(
            found,
            [
                "f (int i)",
                "static int h (a, b) int a; struct s *b;",
                "main ()",
                "T k(a) T a;",
                "static *n()",
                "T (u)(int x)"
            ]
        );
        let names: Vec<&str> = old_style_heads(text).values().map(|head| &text[head.name.clone()]).collect();
        assert_eq!(names, ["f", "h", "main", "k", "n", "u"]);
    }
}
