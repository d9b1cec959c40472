//! How deep a program may be nested. What reads a tree goes down it by recursion, and a hostile or a
//! generated text must not overflow our stack.

use tree_sitter::Tree;

/// The deepest tree that is read, in levels. C compilers stop at some hundred levels of brackets, each of
/// which is a handful of these.
pub const DEEPEST: usize = 2_000;

/// Levels of a tree that one token of a text adds at most.
const PER_TOKEN: usize = 8;

/// Whether `tree`, which was made of `source`, is too deep.
pub(super) fn is_deep(source: &str, tree: &Tree) -> bool {
    may_be_deep(source) && levels(tree) > DEEPEST
}

/// A bound from the text alone, which few programs reach: what nests is brackets, operators between two
/// semicolons, and the words that nest without either.
fn may_be_deep(source: &str) -> bool {
    let words = ["else", "do", "sizeof", "_Alignof", "__extension__", "case", "return"];
    let by_words: usize = words.iter().map(|word| source.matches(word).count()).sum();
    let (mut open, mut run, mut most) = (0_usize, 0_usize, 0_usize);
    for byte in source.bytes() {
        match byte {
            b'{' => (open, run) = (open + 1, 0),
            b'}' => (open, run) = (open.saturating_sub(1), 0),
            b';' => run = 0,
            byte if byte.is_ascii_punctuation() && byte != b'_' => run += 1,
            _ => continue,
        }
        most = most.max(open + run);
    }
    PER_TOKEN * (most + by_words) > DEEPEST
}

/// The levels of `tree`, counted without recursion.
fn levels(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let (mut depth, mut deepest) = (1, 1);
    loop {
        if cursor.goto_first_child() {
            depth += 1;
            deepest = deepest.max(depth);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return deepest;
            }
            depth -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::{Preprocessed, Program, entries, instrument, main_program};

    /// Texts that nest in each way that C has, `times` deep.
    fn nested(times: usize) -> [String; 9] {
        let around = |open: &str, inner: &str, close: &str| {
            format!(
                "int main(void) {{ int a = 1; {}{inner}{} return 0; }}\n",
                open.repeat(times),
                close.repeat(times)
            )
        };
        [
            around("{", "a = 2;", "}"),
            around("(", "a", ")").replace(" return", "; return"),
            around("a + ", "a;", ""),
            around("if (a) ", "a = 2;", ""),
            around("if (a) a = 2; else ", "a = 3;", ""),
            around("- ", "a;", ""),
            around("sizeof ", "a;", ""),
            around("do ", "a = 2;", " while (0);"),
            around("l: ", "a = 2;", ""),
        ]
    }

    #[test]
    fn no_text_is_too_deep_for_the_stack() {
        for text in nested(50_000) {
            let program = Program::parse(text.clone());
            assert!(program.is_too_deep && program.statements.is_empty(), "{}", &text[..80]);
        }
    }

    #[test]
    fn what_is_just_not_too_deep_is_read() {
        for kind in 0..nested(1).len() {
            let shallow = (1..=40).rev().map(|times| nested(50 * times)[kind].clone());
            let text = shallow
                .into_iter()
                .find(|text| !Program::parse(text.clone()).is_too_deep)
                .expect("one of them");
            assert!(text.len() > 250, "deep enough to say something");
            assert!(!Program::parse(text.clone()).statements.is_empty());
            let preprocessed = Preprocessed::new(text.clone(), "p.c").of(&text);
            assert!(instrument(&preprocessed, "extra", true).unwrap().source.len() > text.len());
            let _ = (entries(&preprocessed), main_program(&preprocessed));
        }
    }

    #[test]
    fn what_people_and_generators_write_is_not_too_deep() {
        for text in nested(100) {
            assert!(!Program::parse(text.clone()).is_too_deep, "{}", &text[..80]);
            assert!(!Program::parse(text).statements.is_empty());
        }
    }
}
