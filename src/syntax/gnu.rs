//! Masks constructs that tree-sitter-c does not parse as compilers do, mainly GNU extensions.
//!
//! The parser gets a copy of the source of the same length in which each of them is replaced by plain C, so offsets and
//! lines stay those of the source.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::comments::without_comments_in_directives;
use super::tokens::{Kind, Token, tokens};
use super::words::is_word;

static EXTENSIONS: LazyLock<Regex> = LazyLock::new(|| {
    // Braces in it are those of a compound literal.
    let computed_goto = r"(?P<goto>\bgoto\s*)(?P<target>\*(?:[^;{}]|\{(?:[^;{}]|\{[^;{}]*\})*\})*);";
    let case_range = r"(?P<low>\bcase\b[^:;{}?\n]*?)\.\.\.";
    let part = r"(?P<part>\b(?:__real__|__imag__|__real|__imag)\b)";
    let complex = r"(?P<complex>\b(?:__complex__|__complex|_Complex)\b)";
    let extension = r"\b__extension__\b";
    // The type of an enumeration (C23 6.7.3.3).
    let enumeration = r"(?P<enum>\benum\b(?:\s+[A-Za-z_]\w*)?\s*)(?P<type>:[\w\s]+)\{";
    // Like `sizeof`, they need no parentheses.
    let operator = r"(?P<operator>\b_Countof\b)|(?P<align>\b(?:_Alignof|__alignof__|__alignof|alignof)\s+)(?P<operand>[A-Za-z_])";
    let all = [computed_goto, case_range, part, complex, extension, enumeration, operator];
    Regex::new(&all.join("|")).expect("a constant")
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
        if let (Some(head), Some(kind)) = (found.name("enum"), found.name("type")) {
            let blank: String = kind.as_str().chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
            return format!("{}{blank}{{", head.as_str());
        }
        if let (Some(operator), Some(operand)) = (found.name("align"), found.name("operand")) {
            return format!("{:<width$}{}", "sizeof ", operand.as_str(), width = operator.len());
        }
        if found.name("operator").is_some() {
            return format!("{:<width$}", "sizeof", width = found[0].len());
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

/// The parser reads `x >= (y) && z` as a cast of a label's address, `(y) &&z`, and so it reads `(y[z]) &&` and `(y(z)) &&`:
/// as types. Without the parentheses around such a name it parses correctly. Those of a call's arguments stay.
pub fn bare_operands(source: &str) -> Cow<'_, str> {
    static AND: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\)\s*&&").expect("a constant"));
    if !AND.is_match(source) {
        return Cow::Borrowed(source);
    }
    let tokens: Vec<Token> = tokens(source).into_iter().filter(|token| token.is_code()).collect();
    let word = |at: usize| tokens.get(at).map_or("", |token: &Token| &source[token.range()]);
    let mut bytes = source.as_bytes().to_vec();
    // The open brackets, each with whether only a name and brackets after it have followed.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match word(at) {
            "(" | "[" => {
                // A bracket within is one after the name.
                if let Some((first, is_name)) = open.last_mut() {
                    *is_name &= at > *first + 1;
                }
                open.push((at, true));
            }
            close @ (")" | "]") => {
                let Some((first, is_name)) = open.pop() else { continue };
                let before = first.checked_sub(1).map_or("", word);
                let is_call =
                    before != "return" && before.ends_with(|c: char| is_word(c) || ")]".contains(c));
                if close == ")" && is_name && at > first + 1 && !is_call && word(at + 1) == "&&" {
                    bytes[tokens[first].start] = b' ';
                    bytes[token.start] = b' ';
                }
            }
            _ => {
                if let Some((first, is_name)) = open.last_mut() {
                    *is_name &= at == *first + 1 && matches!(token.kind, Kind::Word | Kind::Number);
                }
            }
        }
    }
    Cow::Owned(String::from_utf8(bytes).expect("brackets are replaced by spaces"))
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
    fn types_of_enumerations_and_operators_like_sizeof_are_plain() {
        let source = "enum e : unsigned\nchar { A } x; enum : short { B }; n = _Countof b + __alignof__ i + alignof(int);";
        let seen = masked(source);
        assert_eq!(
            seen,
            "enum e           \n     { A } x; enum         { B }; n = sizeof   b + sizeof      i + alignof(int);"
        );
        assert_eq!(Program::parse(format!("{source}\n").replace("n = ", "int n = ")).error_nodes, 0);
    }

    #[test]
    fn a_computed_goto_over_several_lines_keeps_its_lines() {
        let literal = "goto *t[((int[2]) { 1, i })[1]];\nif (x) { goto *p; }";
        assert_eq!(masked(literal), "goto xxxxxxxxxxxxxxxxxxxxxxxxxx;\nif (x) { goto xx; }");
        let source = "goto *t[f(i,\n    j) &\n  1];\nx = 1;";
        assert_eq!(masked(source), "goto xxxxxxx\n        \n    ;\nx = 1;");
    }

    #[test]
    fn an_operand_in_parentheses_is_not_a_cast() {
        let seen = masked("a = b >= (c) && d; e = f(c) && (g[h[1]]) && h; return (i) && j;");
        assert_eq!(seen, "a = b >=  c  && d; e = f(c) &&  g[h[1]]  && h; return  i  && j;");
        let seen = masked("a = ((f(b, c)) && ((f(b, c))->d) == 2) && (b + c) && (\")\") && ((b) && c);");
        assert_eq!(seen, "a = ( f(b, c)  && ((f(b, c))->d) == 2) && (b + c) && (\")\") && ( b  && c);");
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
