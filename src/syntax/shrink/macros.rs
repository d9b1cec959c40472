//! Replaces macros and type names by their definitions.
//!
//! This pass searches the text itself for names, since a macro may be used anywhere, also in other macros.

use std::ops::Range;

use tree_sitter::Node;

use super::outline::Outline;
use super::text::{EditSet, Text, without_overlap};
use crate::model::TextEdit;
use crate::syntax::comments::blanked;
use crate::syntax::edits::replaced;
use crate::syntax::nodes::NodeExt;
use crate::syntax::words::{identifiers, is_word};

/// The most bytes that all expansions of one macro may be longer than its uses.
const LONGEST: usize = 2_000;

/// One candidate for each macro and each type name that is defined once.
pub(super) fn expand(text: &Text<'_>) -> Vec<EditSet> {
    let outline = Outline::of(text);
    let code = blanked(text.source);
    let parsed = outline.nodes.iter().copied().filter(|node| !node.has_error());
    let found = parsed.filter_map(|node| match node.kind() {
        "preproc_def" | "preproc_function_def" => expand_macro(text, &code, node),
        "type_definition" if is_simple(&outline, node) => expand_type(text, &code, node),
        _ => None,
    });
    found.collect()
}

/// The uses of `name` in `code` outside its definition `own`; none if a directive tests whether it is defined.
fn uses(code: &str, name: &str, own: &Range<usize>) -> Option<Vec<Range<usize>>> {
    let is_own = |word: &Range<usize>| own.start <= word.start && word.end <= own.end;
    let mut found = Vec::new();
    for word in identifiers(code).filter(|word| &code[word.clone()] == name && !is_own(word)) {
        let before = code[line_start(code, word.start)..word.start].trim_start();
        if let Some(directive) = before.strip_prefix('#') {
            // It may be used in the body of a macro, but not be redefined or tested.
            let definition = directive.trim_start().strip_prefix("define")?;
            (!definition.trim().is_empty()).then_some(())?;
        }
        found.push(word);
    }
    (!found.is_empty()).then_some(found)
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

fn expand_macro(text: &Text<'_>, code: &str, node: Node<'_>) -> Option<EditSet> {
    let name = text.of(node.field("name")?);
    let body = node.field("value").map_or("", |value| text.of(value).trim());
    let parameters: Option<Vec<&str>> = node.field("parameters").map(|list| {
        let listed = text.of(list).trim_matches(['(', ')']).split(',').map(str::trim);
        listed.filter(|name| !name.is_empty()).collect()
    });
    let is_variadic = |names: &Vec<&str>| !names.iter().all(|name| name.chars().all(is_word));
    if body.contains("//")
        || body.contains("/*")
        || parameters.is_some() && body.replace("##", "").contains('#')
        || parameters.as_ref().is_some_and(is_variadic)
        || identifiers(body).any(|word| &body[word] == name)
    {
        return None;
    }
    let body = body.replace("\\\n", "\n");
    let mut edits = vec![text.delete_with_line(node.byte_range())];
    for place in uses(code, name, &node.byte_range())? {
        let (end, with) = match &parameters {
            None => (place.end, body.clone()),
            Some(names) => {
                let (end, mut given) = arguments(text, code, place.end)?;
                if names.is_empty() && given == [""] {
                    given.clear();
                }
                (given.len() == names.len()).then_some(())?;
                (end, pasted(&substituted(&body, names, &given)))
            }
        };
        // A directive ends with its line.
        let with = if is_in_directive(text.source, place.start) { with.replace('\n', " ") } else { with };
        edits.push(TextEdit::replace(place.start..end, with));
    }
    let growth: usize = edits.iter().map(|edit| edit.with.len().saturating_sub(edit.range().len())).sum();
    (growth <= LONGEST).then(|| without_overlap(edits)).flatten()
}

/// `body` with the operands of each `##` joined. A name in parentheses, such as that of a function, stays alone.
fn pasted(body: &str) -> String {
    if !body.contains("##") {
        return body.to_string();
    }
    let joined = body.split("##").map(str::trim).collect::<String>();
    let inner = joined.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).map(str::trim);
    inner.filter(|inner| inner.chars().all(is_word)).map_or(joined.clone(), String::from)
}

fn is_in_directive(source: &str, at: usize) -> bool {
    let mut start = line_start(source, at);
    while start >= 2 && source[..start].ends_with("\\\n") {
        start = line_start(source, start - 1);
    }
    source[start..].trim_start().starts_with('#')
}

/// The arguments in the parentheses that open after `at`, and the end of the parentheses.
fn arguments<'t>(text: &Text<'t>, code: &str, at: usize) -> Option<(usize, Vec<&'t str>)> {
    let open = at + code[at..].len() - code[at..].trim_start().len();
    code[open..].starts_with('(').then_some(())?;
    let (mut depth, mut start, mut found) = (0, open + 1, Vec::new());
    for (at, c) in code[open..].char_indices().map(|(offset, c)| (open + offset, c)) {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 || c == ',' && depth == 1 {
            found.push(text.source[start..at].trim());
            start = at + 1;
        }
        if depth == 0 {
            return Some((start, found));
        }
    }
    None
}

/// `body` with `values` in place of `names`.
pub(super) fn substituted(body: &str, names: &[&str], values: &[impl AsRef<str>]) -> String {
    let code = blanked(body);
    let edits = identifiers(&code).filter_map(|word| {
        let index = names.iter().position(|name| *name == &body[word.clone()])?;
        Some(TextEdit::replace(word, values[index].as_ref()))
    });
    replaced(body, &edits.collect::<Vec<_>>())
}

/// Whether the definition is the only one of its name and has no attribute.
fn is_simple(outline: &Outline<'_>, node: Node<'_>) -> bool {
    let name = |node: Node<'_>| node.field("declarator").map(|name| outline.text.of(name));
    let is_same = |other: &&Node<'_>| other.kind() == "type_definition" && name(**other) == name(node);
    outline.nodes.iter().filter(is_same).count() == 1 && !outline.text.of(node).contains("__attribute")
}

fn expand_type(text: &Text<'_>, code: &str, node: Node<'_>) -> Option<EditSet> {
    let [declarator] = node.fields("declarator")[..] else { return None };
    let of = node.field("type").filter(|_| declarator.kind() == "type_identifier")?;
    let head = text.source[node.start_byte()..declarator.start_byte()].trim();
    let head = head.trim_start_matches("__extension__").trim_start().strip_prefix("typedef")?.trim_start();
    // The definition of a struct stays, without the name.
    let (mut edits, own, with) = if of.field("body").is_some() {
        let tag = of.field("name")?;
        let around = [node.start_byte()..of.start_byte(), of.end_byte()..declarator.end_byte()];
        let with = &text.source[of.start_byte()..tag.end_byte()];
        (around.map(TextEdit::delete).to_vec(), declarator, with)
    } else {
        (vec![text.delete_with_line(node.byte_range())], node, head)
    };
    // A tag or a field may have the same name, and stays.
    let is_type = |place: &Range<usize>| {
        let before = code[..place.start].trim_end();
        !["struct", "union", "enum", ".", ">"].iter().any(|end| before.ends_with(end))
    };
    let uses = uses(code, text.of(declarator), &own.byte_range())?.into_iter().filter(is_type);
    edits.extend(uses.map(|place| TextEdit::replace(place, with)));
    without_overlap(edits)
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, pass::tests::texts};

    #[test]
    fn a_macro_is_replaced_by_its_body() {
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
    fn pasted_names_are_joined() {
        let source = "#define NAME(x) (my_##x)\nint NAME(f)(int a) { return a; }\nint main(void) { return my_f(0); }\n";
        let found = "int my_f(int a) { return a; }\nint main(void) { return my_f(0); }\n";
        assert_eq!(texts(source, Pass::Expand), [found]);
        let source = "#define JOIN(a, b) a ## b = #a\nchar *JOIN(x, y);\n";
        assert!(texts(source, Pass::Expand).is_empty(), "a string is not made");
    }

    #[test]
    fn a_type_name_is_replaced_by_its_type() {
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
