//! Masks constructs that tree-sitter-c does not parse as compilers do, mainly GNU extensions.
//!
//! The parser gets a copy of the source of the same length in which each of them is replaced by plain C, so offsets and
//! lines stay those of the source.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::comments::without_comments_in_directives;

static EXTENSIONS: LazyLock<Regex> = LazyLock::new(|| {
    let computed_goto = r"(?P<goto>\bgoto\s*)(?P<target>\*[^;{}]*);";
    let case_range = r"(?P<low>\bcase\b[^:;{}?\n]*?)\.\.\.";
    let part = r"(?P<part>\b(?:__real__|__imag__|__real|__imag)\b)";
    let complex = r"(?P<complex>\b(?:__complex__|__complex|_Complex)\b)";
    let extension = r"\b__extension__\b";
    Regex::new(&format!("{computed_goto}|{case_range}|{part}|{complex}|{extension}")).expect("a constant")
});

/// `source` with these constructs replaced by plain C of the same length.
pub fn masked(source: &str) -> String {
    let plain = |found: &Captures<'_>| {
        if let (Some(goto), Some(target)) = (found.name("goto"), found.name("target")) {
            return format!("{}{};", goto.as_str(), "x".repeat(target.len()));
        }
        if let Some(low) = found.name("low") {
            return format!("{} + ", low.as_str());
        }
        // The statement must begin where the extension does.
        let replacement = if found.name("part").is_some() {
            "*"
        } else if found.name("complex").is_some() {
            "const"
        } else {
            ""
        };
        format!("{replacement:<width$}", width = found[0].len())
    };
    without_comments_in_directives(&bare_operands(EXTENSIONS.replace_all(source, plain).into_owned()))
}

/// The parser reads `x >= (y) && z` as a cast of a label's address, `(y) &&z`. Without the parentheses around the name it
/// parses correctly.
fn bare_operands(source: String) -> String {
    let mut bytes = source.into_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut at = 0;
    while at + 1 < bytes.len() {
        at += 1;
        if bytes[at - 1..=at] != *b"&&" {
            continue;
        }
        let back = |mut end: usize, over: &dyn Fn(u8) -> bool| {
            while end > 0 && over(bytes[end - 1]) {
                end -= 1;
            }
            end
        };
        let space = |byte: u8| byte.is_ascii_whitespace();
        let close = back(at - 1, &space);
        if close == 0 || bytes[close - 1] != b')' {
            continue;
        }
        let mut end = back(close - 1, &space);
        while end > 0 && bytes[end - 1] == b']' {
            // `(y[z]) &&` reads as a cast to an array.
            let mut depth = 0;
            while end > 0 {
                end -= 1;
                depth += i32::from(bytes[end] == b']') - i32::from(bytes[end] == b'[');
                if depth == 0 {
                    break;
                }
            }
            end = back(end, &space);
        }
        let start = back(end, &is_word);
        let open = back(start, &space);
        if start == end || open == 0 || bytes[open - 1] != b'(' {
            continue;
        }
        let before = back(open - 1, &space);
        let word = &bytes[back(before, &is_word)..before];
        let is_call = before > 0 && (is_word(bytes[before - 1]) || matches!(bytes[before - 1], b')' | b']'));
        if !is_call || word == b"return" {
            (bytes[open - 1], bytes[close - 1]) = (b' ', b' ');
        }
    }
    String::from_utf8(bytes).expect("parentheses became spaces")
}

#[cfg(test)]
mod tests {
    use super::super::{Program, StatementKind};
    use super::masked;

    #[test]
    fn masking_keeps_every_offset() {
        let source = "goto *t[i];\ncase 1 ... 5:\n__extension__ int x; y = __real__ z; f(1, ...);";
        let seen = masked(source);
        assert_eq!(seen.len(), source.len());
        assert!(seen.starts_with("goto xxxxx;\ncase 1  +  5:\n "), "{seen}");
        assert!(seen.contains("y = *        z;"), "{seen}");
        assert!(seen.ends_with("f(1, ...);"));
    }

    #[test]
    fn an_operand_in_parentheses_is_not_a_cast() {
        let seen = masked("a = b >= (c) && d; e = f(c) && (g[h[1]]) && h; return (i) && j;");
        assert_eq!(seen, "a = b >=  c  && d; e = f(c) &&  g[h[1]]  && h; return  i  && j;");
    }

    #[test]
    fn the_text_of_a_macro_is_not_a_statement() {
        let source = "#define M(a) { \\\n  /* one */ \\\n  if (a) { \\\n    f(a); \\\n  } }\nvoid g(int a) { M(a); }\n";
        let program = Program::parse(source.into());
        assert_eq!((program.error_nodes, program.statements.len()), (0, 2), "{:?}", program.statements);
    }

    #[test]
    fn gnu_statements_parse() {
        let source =
            "void f(int i) { void *t[] = { &&a }; switch (i) { case 1 ... 5: goto *t[i]; }\na: g(); }";
        let program = Program::parse(source.into());
        assert_eq!(program.error_nodes, 0);
        assert!(program.statements.iter().any(|found| found.kind == StatementKind::Goto && !found.broken));
    }
}
