//! Rewrites definitions without prototypes or types as definitions with both.
//!
//! The parser reads many old-style definitions as errors, in which no other pass finds anything. So this pass searches
//! the text itself for them, and it comes first.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::text::{EditSet, Text, all_then_each};
use crate::model::TextEdit;
use crate::syntax::comments::blanked;
use crate::syntax::words::{identifiers, is_word};

static HEADER: LazyLock<Regex> = LazyLock::new(|| {
    let before = r"(?P<before>[A-Za-z_][\w\s*]*?[\s*])??";
    let declarations = r"(?P<declarations>(?:\s*[A-Za-z_][^;{}=]*;)*)";
    let header =
        format!(r"(?m)^{before}(?P<name>[A-Za-z_]\w*)\s*\((?P<names>[\w\s,]*)\){declarations}\s*\{{");
    Regex::new(&header).expect("a constant")
});

/// All old-style definitions at once, then each.
pub(super) fn old_style(text: &Text<'_>) -> Vec<EditSet> {
    let code = blanked(text.source);
    let mut found = Vec::new();
    let (mut at, mut depth) = (0, 0);
    while let Some(header) = HEADER.captures_at(&code, at) {
        let start = header.get_match().start();
        depth = depth_after(&code[at..start], depth);
        if depth == 0 {
            if begins_item(&code[..start]) {
                found.extend(with_prototype(text, &header).map(|edit| vec![edit]));
            }
            depth = 1;
            at = header.get_match().end();
        } else {
            at = code[start..].find('\n').map_or(code.len(), |line| start + line);
            depth = depth_after(&code[start..at], depth);
        }
    }
    all_then_each(found)
}

/// The depth of braces after `code`, which begins at `depth`.
fn depth_after(code: &str, depth: usize) -> usize {
    (depth + code.matches('{').count()).saturating_sub(code.matches('}').count())
}

/// Whether an item begins after `before`, which may end with an attribute instead.
fn begins_item(before: &str) -> bool {
    let before = before.trim_end();
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    before.is_empty() || before.ends_with([';', '}']) || line.starts_with('#')
}

/// The header of a definition up to its brace in new style; none if it is in new style already.
fn with_prototype(text: &Text<'_>, header: &Captures<'_>) -> Option<TextEdit> {
    let (name, names, declarations) =
        (header.name("name")?, header.name("names")?, header.name("declarations")?);
    let before = header.name("before").map_or("", |before| before.as_str());
    let listed: Vec<&str> =
        names.as_str().split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    let has_type = before.contains('*') || identifiers(before).any(|word| !is_storage(&before[word]));
    let are_names = listed.iter().all(|name| identifiers(name).count() == 1 && *name != "void");
    if has_type && (listed.is_empty() || !are_names)
        || !are_names && !declarations.is_empty()
        || matches!(name.as_str(), "if" | "while" | "for" | "switch")
    {
        return None;
    }
    let known: Vec<(String, String)> = declarations.as_str().split(';').flat_map(declared).collect();
    let with_type = |name: &&str| {
        let declared = known.iter().find(|(declared, _)| declared == name);
        declared.map_or_else(|| format!("int {name}"), |(_, declaration)| declaration.clone())
    };
    let parameters = match (&listed[..], are_names) {
        ([], _) => "void".into(),
        (listed, true) => listed.iter().map(with_type).collect::<Vec<_>>().join(", "),
        (_, false) => names.as_str().into(),
    };
    let (start, lead) = if has_type {
        (name.start(), String::new())
    } else {
        (header.get_match().start(), format!("{before}int "))
    };
    let end = text.source[..header.get_match().end() - 1].trim_end().len().max(names.end() + 1);
    Some(TextEdit::replace(start..end, format!("{lead}{}({parameters})", name.as_str())))
}

fn is_storage(word: &str) -> bool {
    matches!(
        word,
        "static" | "extern" | "inline" | "register" | "__inline" | "__inline__" | "const" | "volatile"
    )
}

/// The names in a declaration such as `int a, *b`, each with a declaration of its own.
fn declared(declaration: &str) -> Vec<(String, String)> {
    let mut depth = 0;
    let pieces = declaration.split(|c: char| {
        depth += i32::from(c == '(' || c == '[') - i32::from(c == ')' || c == ']');
        depth == 0 && c == ','
    });
    let mut pieces: Vec<&str> = pieces.map(str::trim).collect();
    let first = pieces[0];
    let head = &first[..first.find(['[', '*', '(']).unwrap_or(first.len())];
    let base = match first[head.len()..].chars().next() {
        Some('*' | '(') => head.trim_end(),
        _ => head.trim_end().trim_end_matches(is_word).trim_end(),
    };
    let base = if base.is_empty() { "int" } else { base };
    pieces[0] = first.strip_prefix(base).unwrap_or(first).trim();
    let named = pieces.into_iter().filter_map(|declarator| {
        let name = identifiers(declarator).next().map(|word| declarator[word].to_string())?;
        Some((name, format!("{base} {declarator}")))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, pass::tests::texts};

    #[test]
    fn old_definitions_become_new_ones() {
        let source = "main () { if (a) { b(); } }\nstatic\nf (a, b, c)\n     char *a, b[3];\n{\n}\n\
                      unsigned int g (p) struct s *p; { c(); }\nint h(void) { return 0; }\nint k(int a) { }\nint l() {}\n";
        let found = texts(source, Pass::OldStyle);
        assert_eq!(
            found[0],
            "int main(void) { if (a) { b(); } }\nstatic\nint f(char * a, char b[3], int c)\n{\n}\n\
             unsigned int g(struct s *p) { c(); }\nint h(void) { return 0; }\nint k(int a) { }\nint l() {}\n"
                .replace("char * a", "char *a")
        );
        assert_eq!(found.len(), 4);
        assert_eq!(found[1], source.replace("main ()", "int main(void)"));
    }

    #[test]
    fn a_type_with_an_attribute_is_a_type() {
        assert_eq!(texts("int __attribute__ ((noinline))\nfoo ()\n{\n}\n", Pass::OldStyle), [""; 0]);
    }

    #[test]
    fn a_call_in_a_body_is_no_definition() {
        assert_eq!(texts("int f(int a) {\nif (a) {\n g(a) { }\n}\n}\n", Pass::OldStyle), [""; 0]);
    }
}
