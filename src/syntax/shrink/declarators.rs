//! Declarators: unused variables, fields and enumerators, initialisers, and elements of initialiser lists.

use tree_sitter::Node;

use super::lists::{delete_declarator, delete_element, truncate};
use super::outline::{Outline, has_side_effect};
use super::text::{EditSet, Text, without_overlap};
use crate::model::TextEdit;
use crate::syntax::nodes::NodeExt;

/// Variables first, then fields, enumerators and initialisers.
pub(super) fn declarators(text: &Text<'_>) -> Vec<EditSet> {
    let outline = Outline::of(text);
    let mut found: Vec<EditSet> =
        outline.of_kind("declaration").flat_map(|node| unused_variables(&outline, node)).collect();
    let parsed = || outline.nodes.iter().copied().filter(|node| !node.has_error());
    found.extend(parsed().flat_map(|node| unused_fields(&outline, node)));
    found.extend(outline.of_kind("enumerator_list").flat_map(|list| unused_enumerators(&outline, list)));
    found.extend(outline.of_kind("init_declarator").flat_map(shorter_initialisers));
    found
}

/// Deletes all unused variables of one declaration, then each.
fn unused_variables(outline: &Outline<'_>, declaration: Node<'_>) -> Vec<EditSet> {
    let all = declaration.fields("declarator");
    let is_unused = |index: &usize| {
        let name = all[*index].declared_name().map(|name| outline.text.of(name));
        name.is_some_and(|name| outline.is_unused(name, outline.scope(declaration)))
    };
    let unused: Vec<usize> = (0..all.len()).filter(is_unused).collect();
    if unused.is_empty() || declaration.parent_of_kind("for_statement").is_some() {
        return Vec::new();
    }
    if unused.len() == all.len() {
        let whole = vec![outline.text.delete_with_line(declaration.byte_range())];
        let each = unused.iter().filter(|_| all.len() > 1 && has_side_effect(declaration));
        return std::iter::once(whole).chain(each.map(|index| vec![delete_element(&all, *index)])).collect();
    }
    let together = (unused.len() > 1).then(|| {
        let used = (0..all.len()).filter(|index| !unused.contains(index));
        let with: Vec<&str> = used.map(|index| outline.text.of(all[index])).collect();
        vec![TextEdit::replace(all[0].start_byte()..all[all.len() - 1].end_byte(), with.join(", "))]
    });
    let each = unused.iter().map(|index| vec![delete_declarator(outline.text, declaration, *index)]);
    together.into_iter().chain(each).collect()
}

/// Deletes unused fields of a struct or union, with their values in simple initialisers.
fn unused_fields(outline: &Outline<'_>, specifier: Node<'_>) -> Vec<EditSet> {
    let is_struct = specifier.kind() == "struct_specifier";
    let Some(body) = specifier.field("body").filter(|_| is_struct || specifier.kind() == "union_specifier")
    else {
        return Vec::new();
    };
    let fields: Vec<(Node<'_>, usize, Node<'_>)> = body
        .elements()
        .into_iter()
        .flat_map(|line| {
            line.fields("declarator").into_iter().enumerate().map(move |(index, field)| (line, index, field))
        })
        .collect();
    let mut found = Vec::new();
    for (position, (line, index, field)) in fields.iter().enumerate().filter(|_| fields.len() > 1) {
        let Some(name) = field.declared_name() else { continue };
        if !is_field_used(outline, outline.text.of(name)) {
            let mut edits = vec![delete_declarator(outline.text, *line, *index)];
            if is_struct {
                edits.extend(values_of_field(outline, specifier, position));
            }
            found.extend(without_overlap(edits));
        }
    }
    found
}

/// Whether the text names a field more often than in its declaration.
fn is_field_used(outline: &Outline<'_>, name: &str) -> bool {
    let is_same = |node: &&Node<'_>| node.kind() == "field_identifier" && outline.text.of(**node) == name;
    outline.unparsed.contains(name) || outline.nodes.iter().filter(is_same).count() > 1
}

/// Deletes the values of the field at `position` from the initialisers of variables of this struct.
fn values_of_field(outline: &Outline<'_>, specifier: Node<'_>, position: usize) -> Vec<TextEdit> {
    let text = outline.text;
    let Some(tag) = specifier.field("name").map(|tag| text.of(tag)) else { return Vec::new() };
    let is_of_struct = |node: &&Node<'_>| {
        let of =
            node.field("type").filter(|of| node.kind() == "declaration" && of.kind() == "struct_specifier");
        of.and_then(|of| of.field("name")).is_some_and(|name| text.of(name) == tag)
    };
    let declarators = outline.nodes.iter().filter(is_of_struct).flat_map(|node| node.fields("declarator"));
    let lists = declarators.flat_map(|declarator| {
        let list = declarator.field("value").filter(|value| value.kind() == "initializer_list");
        match (list, declarator.field("declarator").map_or("", |inner| inner.kind())) {
            (Some(list), "identifier") => vec![list],
            (Some(list), "array_declarator") => list.elements(),
            _ => Vec::new(),
        }
    });
    let lists = lists.filter(|list| list.kind() == "initializer_list").map(NodeExt::elements);
    lists.filter(|list| list.len() > position).map(|list| delete_element(&list, position)).collect()
}

fn unused_enumerators(outline: &Outline<'_>, list: Node<'_>) -> Vec<EditSet> {
    let all = list.elements();
    let is_unused = |index: &usize| {
        let name = all[*index].field("name").map(|name| outline.text.of(name));
        all.len() > 1 && name.is_some_and(|name| outline.is_unused(name, outline.root()))
    };
    (0..all.len()).filter(is_unused).map(|index| vec![delete_element(&all, index)]).collect()
}

/// Deletes an initialiser, or half of a list, or its last element.
fn shorter_initialisers(node: Node<'_>) -> Vec<EditSet> {
    let (Some(declarator), Some(value)) = (node.field("declarator"), node.field("value")) else {
        return Vec::new();
    };
    let whole =
        (!has_implicit_size(declarator)).then(|| TextEdit::delete(declarator.end_byte()..value.end_byte()));
    let list = if value.kind() == "initializer_list" { value.elements() } else { Vec::new() };
    let mut lengths = vec![list.len() / 2, list.len().saturating_sub(1)];
    lengths.dedup();
    let shorter = lengths.into_iter().filter(|length| *length > 0).map(|length| truncate(&list, length));
    whole.into_iter().chain(shorter).map(|edit| vec![edit]).collect()
}

/// Whether the length of the array comes from its initialiser.
fn has_implicit_size(declarator: Node<'_>) -> bool {
    declarator.declarators().any(|node| node.kind() == "array_declarator" && node.field("size").is_none())
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, pass::tests::texts};

    #[test]
    fn unused_variables_are_deleted() {
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
    fn unused_fields_are_deleted_with_their_values() {
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
    fn unused_enumerators_and_initialisers_are_deleted() {
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
