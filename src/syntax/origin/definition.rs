//! The definition of a macro: its parameters and the parts of its body.

use std::rc::Rc;

use super::super::tokens::{Kind, Token, tokens_of_directive};
use super::DefinedIn;
use super::word::Place;

/// A part of a body, and where it was typed.
#[derive(Debug)]
pub struct Part {
    pub kind: PartKind,
    pub typed: Option<Place>,
    /// Whether `##` follows.
    pub is_pasted: bool,
}

#[derive(Debug)]
pub enum PartKind {
    Text {
        text: Rc<str>,
        is_word: bool,
    },
    Parameter {
        index: usize,
        is_string: bool,
    },
    /// `__VA_OPT__(…)`
    Optional {
        parts: Vec<Part>,
        is_string: bool,
    },
}

#[derive(Debug)]
pub struct Definition {
    pub name: String,
    /// None for a macro without a parameter list.
    pub parameters: Option<Vec<String>>,
    /// Whether the last parameter takes any number of arguments.
    pub is_variadic: bool,
    pub body: Vec<Part>,
    pub defined: DefinedIn,
}

/// A token of a directive.
struct Word<'a> {
    text: &'a str,
    token: Token,
}

impl Definition {
    /// Read the `#define` that `directive` is in `text`; `typed` gives the place of a byte of `text`.
    pub fn read(
        text: &str,
        directive: Token,
        defined: DefinedIn,
        typed: impl Fn(usize) -> Option<Place>,
    ) -> Option<Definition> {
        let words: Vec<Word<'_>> = tokens_of_directive(text, directive)
            .into_iter()
            .filter(|token| !token.is_comment())
            .map(|token| Word { text: &text[token.range()], token })
            .collect();
        let [_, _, name, rest @ ..] = words.as_slice() else { return None };
        let (mut parameters, mut is_variadic, mut body) = (None, false, rest);
        if rest.first().is_some_and(|open| open.text == "(" && open.token.start == name.token.end) {
            let close = rest.iter().position(|word| word.text == ")")?;
            let mut names: Vec<String> = Vec::new();
            let mut previous = "(";
            for word in &rest[1..close] {
                match word.text {
                    "," => {}
                    "..." => {
                        is_variadic = true;
                        if matches!(previous, "(" | ",") {
                            names.push("__VA_ARGS__".into());
                        }
                    }
                    name => names.push(name.into()),
                }
                previous = word.text;
            }
            (parameters, body) = (Some(names), &rest[close + 1..]);
        }
        let reader = Body { parameters: parameters.as_deref(), is_variadic, typed: &typed };
        let body = reader.parts(body);
        Some(Definition { name: name.text.into(), parameters, is_variadic, body, defined })
    }
}

struct Body<'a> {
    parameters: Option<&'a [String]>,
    is_variadic: bool,
    typed: &'a dyn Fn(usize) -> Option<Place>,
}

impl Body<'_> {
    fn parts(&self, words: &[Word<'_>]) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        let mut at = 0;
        while let Some(word) = words.get(at) {
            if let ("##", Some(last)) = (word.text, parts.last_mut()) {
                last.is_pasted = true;
                at += 1;
                continue;
            }
            let is_string = word.text == "#"
                && words.get(at + 1).is_some_and(|next| self.index(next).is_some() || self.is_optional(next));
            let first = word;
            at += usize::from(is_string);
            let word = &words[at];
            at += 1;
            let kind = if let Some(index) = self.index(word) {
                PartKind::Parameter { index, is_string }
            } else if self.is_optional(word)
                && let Some(length) = parenthesised(&words[at..])
            {
                let inner = &words[at + 1..at + length - 1];
                at += length;
                PartKind::Optional { parts: self.parts(inner), is_string }
            } else {
                PartKind::Text { text: word.text.into(), is_word: word.token.kind == Kind::Word }
            };
            parts.push(Part { kind, typed: (self.typed)(first.token.start), is_pasted: false });
        }
        parts
    }

    fn index(&self, word: &Word<'_>) -> Option<usize> {
        self.parameters?.iter().position(|name| name == word.text)
    }

    fn is_optional(&self, word: &Word<'_>) -> bool {
        self.is_variadic && word.text == "__VA_OPT__"
    }
}

/// The number of words from the opening parenthesis that `words` begin with to the one that closes it.
fn parenthesised(words: &[Word<'_>]) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, word) in words.iter().enumerate() {
        match word.text {
            "(" => depth += 1,
            ")" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (index > 0).then_some(index + 1);
        }
    }
    None
}
