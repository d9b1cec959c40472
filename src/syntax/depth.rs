//! How deep a program may be nested. What reads a tree goes down it by recursion, and a hostile or a
//! generated text must not overflow our stack.

use tree_sitter::Tree;

use super::comments::blanked;

/// The deepest tree that is read, in levels. C compilers stop at some hundred levels of brackets, each of
/// which is a handful of these.
pub const DEEPEST: usize = 2_000;

/// Levels of a tree that one token of a text adds at most.
const PER_TOKEN: usize = 8;

/// Whether `tree`, which was made of `source`, is too deep.
pub(super) fn is_deep(source: &str, tree: &Tree) -> bool {
    may_be_deep(source) && levels(tree) > DEEPEST
}

/// A bound from the text alone, which few programs reach.
fn may_be_deep(source: &str) -> bool {
    PER_TOKEN * nested_tokens(&blanked(source)) > DEEPEST
}

/// Most tokens of `source`, which has no literals, that may be around one another: brackets, and with what is
/// between two of them all operators and words of its statement.
fn nested_tokens(source: &str) -> usize {
    let bytes = source.as_bytes();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut open: Vec<Level> = Vec::new();
    let (mut here, mut blocks, mut at) = (Level::default(), 0_usize, 0);
    let close = |here: &mut Level, outer: Level| {
        let inner = here.tokens();
        *here = Level { inner: outer.inner.max(inner), ..outer };
    };
    while let Some(&byte) = bytes.get(at) {
        let end = at + bytes[at..].iter().take_while(|byte| is_word(byte)).count().max(1);
        match byte {
            b'(' | b'[' | b'{' => {
                here.by_expression += 1;
                blocks += usize::from(byte == b'{');
                open.push(std::mem::replace(&mut here, Level { is_block: byte == b'{', ..Level::default() }));
            }
            b')' | b']' => {
                if !here.is_block
                    && let Some(outer) = open.pop()
                {
                    close(&mut here, outer);
                }
            }
            b'}' if blocks > 0 => {
                blocks -= 1;
                // Brackets that are still open belong to the block.
                while !here.is_block
                    && let Some(outer) = open.pop()
                {
                    close(&mut here, outer);
                }
                if let Some(outer) = open.pop() {
                    close(&mut here, outer);
                }
                // Behind a block there is a statement or nothing; behind braces in an expression it goes on.
                let next = bytes[end..].iter().find(|byte| !byte.is_ascii_whitespace());
                if next.is_none_or(|next| is_word(next) || matches!(next, b'{' | b'}' | b'#')) {
                    here.end_statement();
                }
            }
            b';' => here.end_statement(),
            // A directive may hold all lines up to its end.
            b'#' => here.by_statement += 1,
            byte if is_word(&byte) => match &bytes[at..end] {
                // What they hold may have a semicolon before it.
                b"else" | b"do" | b"for" => here.by_statement += 1,
                b"sizeof" | b"_Alignof" | b"__extension__" | b"case" | b"return" => here.by_expression += 1,
                _ => {}
            },
            byte if byte.is_ascii_punctuation() => here.by_expression += 1,
            _ => {}
        }
        at = end;
    }
    while let Some(outer) = open.pop() {
        close(&mut here, outer);
    }
    here.tokens()
}

/// What is between two brackets, so far.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    /// Whether the brackets are braces.
    is_block: bool,
    /// Tokens that may be around all statements that follow.
    by_statement: usize,
    /// Tokens that may be around others of the statement at hand.
    by_expression: usize,
    /// Most tokens around one another between brackets of the statement at hand.
    inner: usize,
    /// Most of them in an earlier statement.
    earlier: usize,
}

impl Level {
    fn end_statement(&mut self) {
        self.earlier = self.earlier.max(self.by_expression + self.inner);
        (self.by_expression, self.inner) = (0, 0);
    }

    fn tokens(&self) -> usize {
        self.by_statement + self.earlier.max(self.by_expression + self.inner)
    }
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
    fn nested(times: usize) -> [String; 16] {
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
            around("for (;;) ", "a = 2;", ""),
            around("while (a) ", "a = 2;", ""),
            around("(((({ (a); (", "a", "); })))").replace(" return", "; return"),
            around("({ a; }) + ", "a;", ""),
            around("\n#if A\na = 1;\n", "a = 2;", "\n#endif\n"),
            around("\n#if A\na = 1;\n", "a = 2;\n#endif\n", "").replace("1;\n\n#if", "1;\n#elif"),
            around("({ ", "a;", &format!("}}){};", " + a".repeat(8))),
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
