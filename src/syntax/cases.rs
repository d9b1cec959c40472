//! `case` and `default` as the labels that they are in C.
//!
//! tree-sitter-c reads the statements after `case 1:` up to the next `case` as a part of it. In C it labels one statement,
//! which matters where the labelled statement is the body of an `if` or of a loop: in `if (a) case 2: b(); c();`, `c()` is
//! not in the `if`. Written as a label, a `case` is parsed as C defines it (C17 6.8.1).
//!
//! tree-sitter-c accepts a `switch` only if its body is a block. One with another body is parsed as a `while`.

use super::tokens::{Token, tokens};
use super::words::is_word;

/// `text` of the same length with each `case` and `default` written as a label, and each `switch` without a block as a
/// `while`. A `case` before `}` stays, since the parser expects a statement after a label.
pub fn as_labels(text: &str) -> String {
    let tokens: Vec<Token> = tokens(text).into_iter().filter(|token| token.is_code()).collect();
    let word = |token: &Token| &text[token.range()];
    let mut bytes = text.as_bytes().to_vec();
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match word(token) {
            bracket @ ("{" | "(" | "[") => open.push(bracket),
            "}" | ")" | "]" => _ = open.pop(),
            "switch" => {
                let body = closing(&tokens[at + 1..], word).and_then(|closing| tokens.get(at + closing + 2));
                if body.is_some_and(|body| word(body) != "{") {
                    bytes[token.range()].copy_from_slice(b"while ");
                }
            }
            keyword @ ("case" | "default") if matches!(open.last(), None | Some(&"{")) => {
                let Some(colon) = colon(&tokens[at..], word) else { continue };
                let is_last = tokens.get(at + colon + 1).is_none_or(|next| word(next) == "}");
                if is_last || keyword == "default" && colon != 1 {
                    continue;
                }
                let label = &mut bytes[token.start..tokens[at + colon].start];
                // One word up to the end of the line; the rest is blank.
                let end = label.iter().position(|byte| *byte == b'\n').unwrap_or(label.len());
                label[..end].fill(b'_');
                label[end..].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
            }
            _ => {}
        }
    }
    String::from_utf8(bytes).expect("whole tokens are replaced by ASCII")
}

/// Whether the label at the start of `text` is a `case` or `default`.
pub fn is_case(text: &str) -> bool {
    matches!(first_word(text), "case" | "default")
}

/// Whether the statement at the start of `text` is a `switch`.
pub fn is_switch(text: &str) -> bool {
    first_word(text) == "switch"
}

fn first_word(text: &str) -> &str {
    text.split(|c| !is_word(c)).next().unwrap_or_default()
}

/// The index of the parenthesis that closes the one which `tokens` begin with.
fn closing<'a>(tokens: &[Token], word: impl Fn(&Token) -> &'a str) -> Option<usize> {
    let mut depth = 0;
    tokens.iter().position(|token| {
        depth += i32::from(word(token) == "(") - i32::from(word(token) == ")");
        depth == 0
    })
}

/// The index of the colon that ends the label which `tokens` begin with.
fn colon<'a>(tokens: &[Token], word: impl Fn(&Token) -> &'a str) -> Option<usize> {
    let (mut depth, mut choices) = (0, 0);
    for (at, token) in tokens.iter().enumerate() {
        match word(token) {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            "?" if depth == 0 => choices += 1,
            ":" if depth == 0 && choices == 0 => return Some(at),
            ":" if depth == 0 => choices -= 1,
            ";" if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::as_labels;

    #[test]
    fn cases_are_labels_and_other_words_stay() {
        let check = |text: &str, expected: &str| assert_eq!(as_labels(text), expected);
        check("switch (a) { case 1: b(); default: c(); }", "switch (a) { ______: b(); _______: c(); }");
        check("{ case 1 ? 2 : 3: b(); case 'é': c(); }", "{ ______________: b(); _________: c(); }");
        check("{ case\n 1: b(); case 2: }", "{ ____\n  : b(); case 2: }");
        check("switch (f(a)) case 1: b();", "while  (f(a)) ______: b();");
        check("a = _Generic(b, default: 1);", "a = _Generic(b, default: 1);");
        check("a = ({ switch (b) { default: c(); } 1; });", "a = ({ switch (b) { _______: c(); } 1; });");
    }
}
