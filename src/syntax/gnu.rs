//! Masks constructs that tree-sitter-c does not parse as compilers do, mainly GNU extensions.
//!
//! The parser gets a copy of the source of the same length in which each of them is replaced by plain C, so offsets and
//! lines stay those of the source.

use std::borrow::Cow;
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

/// A name in parentheses before `&&`, which has up to three levels of brackets. It is an argument after `before`.
static OPERAND: LazyLock<Regex> = LazyLock::new(|| {
    let word = "[0-9A-Za-z_]+";
    let index = r"(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*";
    let operand = format!(r"\((?P<operand>\s*{word}\s*(?:\[{index}\]\s*)*)\)");
    Regex::new(&format!(r"(?P<before>(?:{word}|[)\]])\s*)?{operand}(?P<and>\s*&&)")).expect("a constant")
});

/// `source` with these constructs replaced by plain C of the same length.
pub fn masked(source: &str) -> String {
    let plain = |found: &Captures<'_>| {
        if let (Some(goto), Some(target)) = (found.name("goto"), found.name("target")) {
            // Line feeds stay, and the name ends at the first.
            let (first, _) = target.as_str().split_once('\n').unwrap_or((target.as_str(), ""));
            let plain = |(at, byte)| match byte {
                b'\n' => '\n',
                _ if at < first.len() => 'x',
                _ => ' ',
            };
            let target: String = target.as_str().bytes().enumerate().map(plain).collect();
            return format!("{}{target};", goto.as_str());
        }
        if let Some(low) = found.name("low") {
            return format!("{} + ", low.as_str());
        }
        // The statement must begin where the extension does.
        let replacement = match (found.name("part"), found.name("complex")) {
            (Some(_), _) => "*",
            (_, Some(_)) => "const",
            _ => "",
        };
        format!("{replacement:<width$}", width = found[0].len())
    };
    without_comments_in_directives(&bare_operands(&EXTENSIONS.replace_all(source, plain)))
}

/// The parser reads `x >= (y) && z` as a cast of a label's address, `(y) &&z`, and `(y[z]) &&` as a cast to an array.
/// Without the parentheses around the name it parses correctly.
fn bare_operands(source: &str) -> Cow<'_, str> {
    OPERAND.replace_all(source, |found: &Captures<'_>| {
        let before = found.name("before").map_or("", |before| before.as_str());
        if matches!(before.trim_end(), "" | "return") {
            format!("{before} {} {}", &found["operand"], &found["and"])
        } else {
            found[0].to_string()
        }
    })
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
    fn a_computed_goto_over_several_lines_keeps_its_lines() {
        let source = "goto *t[f(i,\n    j) &\n  1];\nx = 1;";
        assert_eq!(masked(source), "goto xxxxxxx\n        \n    ;\nx = 1;");
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
