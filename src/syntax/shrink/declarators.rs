//! Declarators: variables, fields and enumerators that nobody names, initialisers, and the
//! elements of lists.

use tree_sitter::Node;

use super::outline::{Outline, acts, apart, declarators, elements, gone, name_of, undeclared, without};
use super::{EditSet, Text};
use crate::model::TextEdit;

/// What is declared becomes less: variables first, then fields, enumerators and initialisers.
pub(super) fn fewer_declarators(text: &Text<'_>) -> Vec<EditSet> {
    let outline = Outline::of(text);
    let sound = || outline.nodes.iter().copied().filter(|node| !node.has_error());
    let mut found = Vec::new();
    found.extend(
        sound().filter(|node| node.kind() == "declaration").flat_map(|node| variables(&outline, node)),
    );
    found.extend(sound().flat_map(|node| fields(&outline, node)));
    found.extend(sound().flat_map(|node| enumerators(&outline, node)));
    found.extend(sound().flat_map(|node| initialisers(node)));
    found
}

/// Variables of one declaration that nobody names: all that go, then each.
fn variables(outline: &Outline<'_>, declaration: Node<'_>) -> Vec<EditSet> {
    let all = declarators(declaration);
    let unused = |declarator: &Node<'_>| {
        let name = name_of(*declarator).map(|name| outline.text.of(name));
        name.is_some_and(|name| {
            outline.named(name, outline.scope(declaration)).len() == 1 && !outline.hidden.contains(name)
        })
    };
    let idle: Vec<usize> = (0..all.len()).filter(|index| unused(&all[*index])).collect();
    if declaration.parent().is_some_and(|up| up.kind() == "for_statement") {
        return Vec::new();
    }
    if idle.len() == all.len() && !all.is_empty() {
        let whole = vec![gone(outline.text, declaration.byte_range())];
        let acting = idle.iter().filter(|_| all.len() > 1 && acts(declaration));
        return [whole].into_iter().chain(acting.map(|index| vec![without(&all, *index)])).collect();
    }
    let mut found = Vec::new();
    if idle.len() > 1 {
        let kept =
            (0..all.len()).filter(|index| !idle.contains(index)).map(|index| outline.text.of(all[index]));
        let with = kept.collect::<Vec<_>>().join(", ");
        found.push(vec![TextEdit { start: all[0].start_byte(), end: all[all.len() - 1].end_byte(), with }]);
    }
    found.extend(idle.iter().map(|index| vec![undeclared(outline.text, declaration, *index)]));
    found
}

/// Fields of a struct that nobody names, with their elements of simple initialisers.
fn fields(outline: &Outline<'_>, specifier: Node<'_>) -> Vec<EditSet> {
    let kinds = ["struct_specifier", "union_specifier"];
    let Some(body) = specifier.child_by_field_name("body").filter(|_| kinds.contains(&specifier.kind()))
    else {
        return Vec::new();
    };
    let lines = elements(body);
    let own = lines.iter().flat_map(|line| {
        let all = declarators(*line);
        (0..all.len()).map(|index| (*line, index)).collect::<Vec<_>>()
    });
    let own: Vec<(Node<'_>, usize)> = own.collect();
    let mut found = Vec::new();
    for (position, (line, index)) in own.iter().enumerate().filter(|_| own.len() > 1) {
        let Some(name) = name_of(declarators(*line)[*index]) else { continue };
        if !is_asked_for(outline, name) {
            let mut edits = vec![undeclared(outline.text, *line, *index)];
            if specifier.kind() == "struct_specifier" {
                edits.extend(elements_of(outline, specifier, position));
            }
            found.extend(apart(edits));
        }
    }
    found
}

/// Whether a field's name stands anywhere but in its declaration.
fn is_asked_for(outline: &Outline<'_>, name: Node<'_>) -> bool {
    let said = outline.text.of(name);
    let same = |node: &Node<'_>| node.kind() == "field_identifier" && outline.text.of(*node) == said;
    outline.hidden.contains(said) || outline.nodes.iter().filter(|node| same(node)).count() > 1
}

/// The elements for the field at `position` in the initialisers of variables of this struct.
fn elements_of(outline: &Outline<'_>, specifier: Node<'_>, position: usize) -> Vec<TextEdit> {
    let text = outline.text;
    let Some(tag) = specifier.child_by_field_name("name").map(|tag| text.of(tag)) else { return Vec::new() };
    let mut edits = Vec::new();
    for node in outline.nodes.iter().filter(|node| node.kind() == "declaration") {
        let of = node.child_by_field_name("type");
        let same =
            of.filter(|of| of.kind() == "struct_specifier").and_then(|of| of.child_by_field_name("name"));
        if same.is_none_or(|name| text.of(name) != tag) {
            continue;
        }
        for declarator in declarators(*node) {
            let Some(list) = declarator.child_by_field_name("value") else { continue };
            let inner = declarator.child_by_field_name("declarator").map_or("", |inner| inner.kind());
            let lists = match (list.kind(), inner) {
                ("initializer_list", "identifier") => vec![list],
                ("initializer_list", "array_declarator") => elements(list),
                _ => Vec::new(),
            };
            let positional = lists.into_iter().filter(|list| list.kind() == "initializer_list").map(elements);
            let long = positional.filter(|list| list.len() > position);
            edits.extend(long.map(|list| without(&list, position)));
        }
    }
    edits
}

/// Constants of an enumeration that nobody names.
fn enumerators(outline: &Outline<'_>, list: Node<'_>) -> Vec<EditSet> {
    let all = if list.kind() == "enumerator_list" { elements(list) } else { Vec::new() };
    let unused = |one: &Node<'_>| {
        let name = one.child_by_field_name("name").map(|name| outline.text.of(name));
        name.is_some_and(|name| {
            outline.named(name, outline.everything()).len() == 1 && !outline.hidden.contains(name)
        })
    };
    let idle = (0..all.len()).filter(|index| all.len() > 1 && unused(&all[*index]));
    idle.map(|index| vec![without(&all, index)]).collect()
}

/// A variable without its initialiser, or an array with half of it and with one element less.
fn initialisers(node: Node<'_>) -> Vec<EditSet> {
    let (Some(declarator), Some(value)) =
        (node.child_by_field_name("declarator"), node.child_by_field_name("value"))
    else {
        return Vec::new();
    };
    if node.kind() != "init_declarator" {
        return Vec::new();
    }
    let mut found = Vec::new();
    if !counts_its_elements(declarator) {
        found.push(vec![TextEdit {
            start: declarator.end_byte(),
            end: value.end_byte(),
            with: String::new(),
        }]);
    }
    let list = if value.kind() == "initializer_list" { elements(value) } else { Vec::new() };
    let mut keep = vec![list.len() / 2, list.len().saturating_sub(1)];
    keep.dedup();
    for keep in keep.into_iter().filter(|keep| *keep > 0) {
        let (start, end) = (list[keep - 1].end_byte(), list[list.len() - 1].end_byte());
        found.push(vec![TextEdit { start, end, with: String::new() }]);
    }
    found
}

/// Whether the initialiser says how long the array is.
fn counts_its_elements(declarator: Node<'_>) -> bool {
    let mut at = Some(declarator);
    while let Some(node) = at {
        if node.kind() == "array_declarator" && node.child_by_field_name("size").is_none() {
            return true;
        }
        at = node.child_by_field_name("declarator");
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, tests::texts};

    #[test]
    fn variables_that_nobody_names_go() {
        let source = "void f(void) {\n  int a, *b, c;\n  int d;\n  c = 1;\n}\n";
        assert_eq!(
            texts(source, Pass::Declarators),
            [
                source.replace("a, *b, c", "c"),
                source.replace("a, ", ""),
                source.replace("*b, ", ""),
                source.replace("  int d;\n", ""),
            ]
        );
    }

    #[test]
    fn fields_go_with_their_elements() {
        let source = "struct s { int a, b; char *c; };\nstruct s x = { 1, 2, \"\" }, y[] = { { 3 }, { 4, 5 } };\n\
                      int f(void) { return x.a + y[0].a; }\n";
        let found = texts(source, Pass::Declarators);
        assert_eq!(
            found[0],
            source.replace("a, b", "a").replace("1, 2, ", "1, ").replace("{ 4, 5 }", "{ 4 }")
        );
        assert_eq!(found[1], source.replace("char *c; ", "").replace("2, \"\"", "2"));
        assert_eq!(found[2], source.replace(" = { 1, 2, \"\" }", ""));
        assert_eq!(found[3], source.replace("{ 1, 2, \"\" }", "{ 1 }"));
        assert_eq!(found[4], source.replace("{ 1, 2, \"\" }", "{ 1, 2 }"));
        assert_eq!(found[5], source.replace("{ { 3 }, { 4, 5 } }", "{ { 3 } }"));
        assert_eq!(found.len(), 6);
    }

    #[test]
    fn enumerators_and_initialisers_go() {
        let source = "enum { A, B = 2, C };\nint x = C;\n";
        assert_eq!(
            texts(source, Pass::Declarators),
            [
                source.replace("int x = C;\n", ""),
                source.replace("A, ", ""),
                source.replace("B = 2, ", ""),
                source.replace("x = C", "x"),
            ]
        );
    }
}
