//! GNU extensions that tree-sitter-c does not know, masked for its eyes only.
//!
//! The parser sees a copy of the source of the same length in which each of them
//! is spelt as plain C; offsets and lines are those of the source.

use std::sync::LazyLock;

use regex::{Captures, Regex};

static EXTENSIONS: LazyLock<Regex> = LazyLock::new(|| {
    let computed_goto = r"(?P<goto>\bgoto\s*)(?P<target>\*[^;{}]*);";
    let case_range = r"(?P<low>\bcase\b[^:;{}?\n]*?)\.\.\.";
    let part = r"(?P<part>\b(?:__real__|__imag__|__real|__imag)\b)";
    let complex = r"(?P<complex>\b(?:__complex__|__complex|_Complex)\b)";
    let extension = r"\b__extension__\b";
    Regex::new(&format!("{computed_goto}|{case_range}|{part}|{complex}|{extension}")).expect("a constant")
});

/// `source` as the parser is to see it, byte for byte as long.
pub fn masked(source: &str) -> String {
    let plain = |found: &Captures<'_>| {
        if let (Some(goto), Some(target)) = (found.name("goto"), found.name("target")) {
            return format!("{}{};", goto.as_str(), "x".repeat(target.len()));
        }
        if let Some(low) = found.name("low") {
            return format!("{} + ", low.as_str());
        }
        // What begins a statement has to begin where the extension does.
        let stands_for = if found.name("part").is_some() {
            "*"
        } else if found.name("complex").is_some() {
            "const"
        } else {
            ""
        };
        format!("{stands_for:<width$}", width = found[0].len())
    };
    EXTENSIONS.replace_all(source, plain).into_owned()
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
    fn gnu_statements_parse() {
        let source =
            "void f(int i) { void *t[] = { &&a }; switch (i) { case 1 ... 5: goto *t[i]; }\na: g(); }";
        let program = Program::parse(source.into());
        assert_eq!(program.error_nodes, 0);
        assert!(program.statements.iter().any(|found| found.kind == StatementKind::Goto && !found.broken));
    }
}
