//! Macros and names of types: what they stand for, where they stand.
//!
//! Words are looked for in the text itself: a macro may stand anywhere, and in other macros.

use std::ops::Range;

use tree_sitter::Node;

use super::outline::{Outline, apart, declarators, gone, holds, is_word, words};
use super::{EditSet, Text};
use crate::model::TextEdit;
use crate::syntax::comments::blanked;

/// Text that all uses of one name may become.
const LONGEST: usize = 2_000;

/// One candidate for each macro and each name of a type that is defined once.
pub(super) fn expansions(text: &Text<'_>) -> Vec<EditSet> {
    let outline = Outline::of(text);
    let code = blanked(text.source);
    let sound = outline.nodes.iter().copied().filter(|node| !node.has_error());
    let found = sound.filter_map(|node| match node.kind() {
        "preproc_def" | "preproc_function_def" => expanded(text, &code, node),
        "type_definition" if is_simple(&outline, node) => renamed(text, &code, node),
        _ => None,
    });
    found.collect()
}

/// Where `name` stands in `code` outside `own`; none where a directive asks whether it is defined.
fn places(code: &str, name: &str, own: &Range<usize>) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    for word in words(code).filter(|word| &code[word.clone()] == name && !holds(own, word)) {
        let line = &code[code[..word.start].rfind('\n').map_or(0, |end| end + 1)..word.start];
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        if directive.is_some_and(|directive| !directive.starts_with("define"))
            || directive.is_some_and(|directive| directive["define".len()..].trim().is_empty())
        {
            return None;
        }
        found.push(word);
    }
    (!found.is_empty()).then_some(found)
}

fn expanded(text: &Text<'_>, code: &str, node: Node<'_>) -> Option<EditSet> {
    let name = text.of(node.child_by_field_name("name")?);
    let body = node.child_by_field_name("value").map_or("", |value| text.of(value).trim());
    let names: Option<Vec<&str>> = node.child_by_field_name("parameters").map(|list| {
        let listed = text.of(list).trim_matches(['(', ')']).split(',').map(str::trim);
        listed.filter(|name| !name.is_empty()).collect()
    });
    let strange =
        ["//", "/*"].iter().any(|mark| body.contains(mark)) || names.is_some() && body.contains('#');
    let odd = |names: &Vec<&str>| names.iter().any(|name| name.contains(|c| !is_word(c)));
    if strange || names.as_ref().is_some_and(odd) || words(body).any(|word| &body[word] == name) {
        return None;
    }
    let body = body.replace("\\\n", "\n");
    let mut edits = vec![gone(text, node.byte_range())];
    for place in places(code, name, &node.byte_range())? {
        let (end, with) = match &names {
            None => (place.end, body.clone()),
            Some(names) => {
                let (end, given) = arguments(text, code, place.end)?;
                let given = if names.is_empty() && given == [""] { Vec::new() } else { given };
                (given.len() == names.len()).then_some(())?;
                (end, filled(&body, names, &given))
            }
        };
        // In another macro a line ends with the directive.
        let with = if in_directive(text.source, place.start) { with.replace('\n', " ") } else { with };
        edits.push(TextEdit { start: place.start, end, with });
    }
    let long = edits.iter().map(|edit| edit.with.len()).sum::<usize>() > LONGEST;
    (!long).then(|| apart(edits)).flatten()
}

fn in_directive(source: &str, at: usize) -> bool {
    let mut start = source[..at].rfind('\n').map_or(0, |end| end + 1);
    while start >= 2 && source[..start].ends_with("\\\n") {
        start = source[..start - 1].rfind('\n').map_or(0, |end| end + 1);
    }
    source[start..].trim_start().starts_with('#')
}

/// The arguments in the parentheses that open behind `at`, and where these end.
fn arguments<'t>(text: &Text<'t>, code: &str, at: usize) -> Option<(usize, Vec<&'t str>)> {
    let open = at + code[at..].len() - code[at..].trim_start().len();
    code[open..].starts_with('(').then_some(())?;
    let (mut depth, mut start, mut found) = (0, open + 1, Vec::new());
    for (offset, c) in code[open..].char_indices() {
        let at = open + offset;
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 1 => {
                found.push(text.source[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            found.push(text.source[start..at].trim());
            return Some((at + 1, found));
        }
    }
    None
}

/// `body` with arguments in the places of `names`.
pub(super) fn filled(body: &str, names: &[&str], given: &[impl AsRef<str>]) -> String {
    let (mut out, mut at) = (String::new(), 0);
    let code = blanked(body);
    for word in words(&code) {
        if let Some(index) = names.iter().position(|name| *name == &body[word.clone()]) {
            out.push_str(&body[at..word.start]);
            out.push_str(given[index].as_ref());
            at = word.end;
        }
    }
    out + &body[at..]
}

/// Whether the definition is the only one of its name, and says no more than a type.
fn is_simple(outline: &Outline<'_>, node: Node<'_>) -> bool {
    let same = |other: &Node<'_>| {
        let name = |node: Node<'_>| declarators(node).first().map(|name| outline.text.of(*name));
        other.kind() == "type_definition" && name(*other) == name(node)
    };
    let single = outline.nodes.iter().filter(|other| same(other)).count() == 1;
    single && !outline.text.of(node).contains("__attribute")
}

/// A name of a type gives way to the type.
fn renamed(text: &Text<'_>, code: &str, node: Node<'_>) -> Option<EditSet> {
    let [declarator] = declarators(node)[..] else { return None };
    let of = node.child_by_field_name("type")?;
    (declarator.kind() == "type_identifier").then_some(())?;
    let name = text.of(declarator);
    let head = text.source[node.start_byte()..declarator.start_byte()].trim();
    let head = head.trim_start_matches("__extension__").trim_start().strip_prefix("typedef")?.trim_start();
    let defines = of.child_by_field_name("body").is_some();
    let (first, said) = if defines {
        let tag = of.child_by_field_name("name")?;
        let start = TextEdit { start: node.start_byte(), end: of.start_byte(), with: String::new() };
        let end = TextEdit { start: of.end_byte(), end: declarator.end_byte(), with: String::new() };
        (vec![start, end], text.source[of.start_byte()..tag.end_byte()].to_string())
    } else {
        (vec![gone(text, node.byte_range())], head.to_string())
    };
    let own = if defines { declarator } else { node };
    // A tag may be the same word, and stays.
    let tagged = |place: &Range<usize>| {
        let before = code[..place.start].trim_end();
        ["struct", "union", "enum"].iter().any(|word| before.ends_with(word))
    };
    let field = |place: &Range<usize>| code[..place.start].trim_end().ends_with(['.', '>']);
    let places = places(code, name, &own.byte_range())?.into_iter();
    let uses = places.filter(|place| !field(place) && !tagged(place));
    let uses = uses.map(|place| TextEdit { start: place.start, end: place.end, with: said.clone() });
    apart(first.into_iter().chain(uses).collect())
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, tests::texts};

    #[test]
    fn a_macro_gives_way_to_its_text() {
        let source = "#define N (1 + M)\n#define M 2\n#define ADD(a, b) ((a) + (b) + N)\n\
                      int x = ADD(f(1, 2), \"N\"[0]);\n#define K\n#ifdef K\n#endif\n";
        assert_eq!(
            texts(source, Pass::Expand),
            [
                source.replace("#define N (1 + M)\n", "").replace("+ N)", "+ (1 + M))"),
                source.replace("#define M 2\n", "").replace("+ M)", "+ 2)"),
                source
                    .replace("#define ADD(a, b) ((a) + (b) + N)\n", "")
                    .replace("ADD(f(1, 2), \"N\"[0])", "((f(1, 2)) + (\"N\"[0]) + N)"),
            ]
        );
    }

    #[test]
    fn a_type_gives_way_to_what_it_names() {
        let source = "typedef unsigned long u;\ntypedef struct s { int a; u b; } s;\nu f(s *p, struct s *q) { return p->u; }\n";
        assert_eq!(
            texts(source, Pass::Expand),
            [
                source
                    .replace("typedef unsigned long u;\n", "")
                    .replace("u b", "unsigned long b")
                    .replace("u f", "unsigned long f"),
                source
                    .replace("typedef struct", "struct")
                    .replace("} s;", "};")
                    .replace("(s *p", "(struct s *p"),
            ]
        );
    }
}
