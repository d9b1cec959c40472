//! The limit on nesting. Code that reads a tree is recursive, and a hostile or generated text must not overflow our
//! stack.

use tree_sitter::Tree;

/// The deepest tree that is read, in levels. C compilers stop at some hundred levels of brackets, each of which takes a
/// handful of levels here.
pub const DEEPEST: usize = 2_000;

/// Whether `tree` is too deep, without recursion. A node has at most as many levels as nodes, so that few nodes have to
/// be visited.
pub(super) fn is_deep(tree: &Tree) -> bool {
    let mut cursor = tree.walk();
    let mut depth = 1;
    loop {
        if depth > DEEPEST {
            return true;
        }
        if depth + cursor.node().descendant_count() > DEEPEST && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
            depth -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use rayon::iter::{IntoParallelIterator, ParallelIterator};

    use crate::model::Family;
    use crate::syntax::search::{entries, main_program};
    use crate::syntax::{Preprocessed, Program, instrument};

    /// Texts that nest `times` deep.
    fn nested(times: usize) -> [String; 20] {
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
            around("(((({ (a); (", "a", "); }))))").replace(" return", "; return"),
            around("a = 1; if (a) case 1: ", "a = 2;", ""),
            around("if (a) if (a) if (a) a = 1; else ", "a = 3;", ""),
            around("1'0 && ", "a;", ""),
            around("/* a */ (char)", "a; /* open", ""),
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
    fn a_text_just_below_the_limit_is_read() {
        (0..nested(1).len()).into_par_iter().for_each(|kind| {
            let steps: Vec<usize> = (1..=40).map(|step| 50 * step).collect();
            let is_read = |&times: &usize| !Program::parse(nested(times)[kind].clone()).is_too_deep;
            let text = nested(50 * steps.partition_point(is_read))[kind].clone();
            assert!(text.len() > 250, "the text is deep enough for the test");
            assert!(!Program::parse(text.clone()).statements.is_empty());
            let preprocessed = Preprocessed::new(text.clone(), "p.c").of(&text);
            assert!(
                instrument(&preprocessed, true).unwrap().source("extra", false, Family::Gcov).len()
                    > text.len()
            );
            let _ = (entries(&preprocessed), main_program(&preprocessed));
        });
    }

    #[test]
    fn ordinary_and_generated_programs_are_below_the_limit() {
        for text in nested(100) {
            assert!(!Program::parse(text.clone()).is_too_deep, "{}", &text[..80]);
            assert!(!Program::parse(text).statements.is_empty());
        }
    }
}
