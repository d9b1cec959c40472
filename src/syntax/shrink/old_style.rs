//! Old style: definitions without prototypes, and without types, get both.
//!
//! The parser reads many of them as errors, in which no other pass finds anything. So they are
//! looked for in the text itself, and come first.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::outline::{is_word, words};
use super::{EditSet, Text};
use crate::model::TextEdit;
use crate::syntax::comments::blanked;

static HEADER: LazyLock<Regex> = LazyLock::new(|| {
    let before = r"(?P<before>[A-Za-z_][\w\s*]*?[\s*])??";
    let declarations = r"(?P<declarations>(?:\s*[A-Za-z_][^;{}=]*;)*)";
    let header =
        format!(r"(?m)^{before}(?P<name>[A-Za-z_]\w*)\s*\((?P<names>[\w\s,]*)\){declarations}\s*\{{");
    Regex::new(&header).expect("a constant")
});

/// One candidate that changes all old-style definitions, then one for each.
pub(super) fn old_style(text: &Text<'_>) -> Vec<EditSet> {
    let code = blanked(text.source);
    let mut found = Vec::new();
    let (mut at, mut depth) = (0, 0);
    while let Some(header) = HEADER.captures_at(&code, at) {
        let start = header.get_match().start();
        depth += code[at..start].matches('{').count();
        depth -= code[at..start].matches('}').count().min(depth);
        if depth == 0 {
            if stands_alone(&code[..start]) {
                found.extend(modern(text, &header).map(|edit| vec![edit]));
            }
            depth = 1;
            at = header.get_match().end();
        } else {
            at = code[start..].find('\n').map_or(code.len(), |line| start + line);
            depth += code[start..at].matches('{').count();
            depth -= code[start..at].matches('}').count().min(depth);
        }
    }
    let together = (found.len() > 1).then(|| found.concat());
    together.into_iter().chain(found).collect()
}

/// Whether something new begins behind `before`, and not behind an attribute, say.
fn stands_alone(before: &str) -> bool {
    let before = before.trim_end();
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    before.is_empty() || before.ends_with([';', '}']) || line.starts_with('#')
}

/// The header of a definition up to its brace, in new style; none if it is that already.
fn modern(text: &Text<'_>, header: &Captures<'_>) -> Option<TextEdit> {
    let (names, declarations) = (header.name("names")?, header.name("declarations")?);
    let before = header.name("before").map_or("", |before| before.as_str());
    let listed: Vec<&str> =
        names.as_str().split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    let typed = before.contains('*') || words(before).any(|word| !is_storage(&before[word]));
    let untyped = listed.iter().all(|name| words(name).count() == 1 && *name != "void");
    if typed && (listed.is_empty() || !untyped) || !listed.is_empty() && !untyped && !declarations.is_empty()
    {
        return None;
    }
    let name = header.name("name")?;
    if matches!(name.as_str(), "if" | "while" | "for" | "switch") {
        return None;
    }
    let known: Vec<(String, String)> = declarations.as_str().split(';').flat_map(declared).collect();
    let of = |name: &&str| {
        let declared = known.iter().find(|(declared, _)| declared == name);
        declared.map_or_else(|| format!("int {name}"), |(_, declaration)| declaration.clone())
    };
    let parameters = match (&listed[..], untyped) {
        ([], _) => "void".into(),
        (listed, true) => listed.iter().map(of).collect::<Vec<_>>().join(", "),
        (_, false) => names.as_str().into(),
    };
    let start = if typed { name.start() } else { header.get_match().start() };
    let lead = if typed { String::new() } else { format!("{before}int ") };
    let end = header.get_match().end() - 1;
    let end = text.source[..end].trim_end().len().max(names.end() + 1);
    Some(TextEdit { start, end, with: format!("{lead}{}({parameters})", name.as_str()) })
}

fn is_storage(word: &str) -> bool {
    matches!(
        word,
        "static" | "extern" | "inline" | "register" | "__inline" | "__inline__" | "const" | "volatile"
    )
}

/// The names of a declaration such as `int a, *b`, each with a declaration of its own.
fn declared(declaration: &str) -> Vec<(String, String)> {
    let mut depth = 0;
    let pieces = declaration.split(|c: char| {
        depth += i32::from(c == '(' || c == '[') - i32::from(c == ')' || c == ']');
        depth == 0 && c == ','
    });
    let pieces: Vec<&str> = pieces.map(str::trim).collect();
    let first = pieces[0];
    let head = &first[..first.find(['[', '*', '(']).unwrap_or(first.len())];
    let base = match first[head.len()..].chars().next() {
        Some('*' | '(') => head.trim_end(),
        _ => head.trim_end().trim_end_matches(is_word).trim_end(),
    };
    let base = if base.is_empty() { "int" } else { base };
    let rest = |index: usize, piece: &'_ str| {
        let said = if index == 0 { piece.strip_prefix(base).unwrap_or(piece) } else { piece };
        said.trim().to_string()
    };
    let said = pieces.iter().enumerate().map(|(index, piece)| rest(index, piece));
    let named = said.filter_map(|said| {
        let name = words(&said).next().map(|word| said[word].to_string())?;
        Some((name, format!("{base} {said}")))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, tests::texts};

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
    fn what_is_within_a_body_is_no_definition() {
        assert_eq!(texts("int f(int a) {\nif (a) {\n g(a) { }\n}\n}\n", Pass::OldStyle), [""; 0]);
    }
}
