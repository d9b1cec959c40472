//! Deletes qualifiers, and replaces other scalar types by `int`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use tree_sitter::Node;

use super::outline::Outline;
use super::text::{EditSet, Text, replace};
use crate::model::TextEdit;
use crate::syntax::nodes::NodeExt;

/// One candidate for each kind of qualifier and each type in the whole text, then one for each place.
pub(super) fn types(text: &Text<'_>) -> Vec<EditSet> {
    let outline = Outline::of(text);
    let mut qualifiers: BTreeMap<&str, EditSet> = BTreeMap::new();
    let mut scalars: BTreeMap<&str, EditSet> = BTreeMap::new();
    for node in outline.nodes.iter().copied().filter(|node| !node.has_error()) {
        if let Some(kind) = qualifier(text, node) {
            let after = &text.source[node.end_byte()..];
            let space = after.len() - after.trim_start_matches([' ', '\t']).len();
            let edit = TextEdit::delete(node.start_byte()..node.end_byte() + space);
            qualifiers.entry(kind).or_default().push(edit);
        } else if is_scalar(&outline, node) {
            scalars.entry(text.of(node)).or_default().push(replace(node, "int"));
        }
    }
    let mut places: BTreeMap<(&str, Place<'_>), EditSet> = BTreeMap::new();
    for (kind, edits) in qualifiers.iter().chain(&scalars) {
        for edit in edits {
            let place = shared_place(&outline, edit.start).unwrap_or(Place::At(edit.start));
            places.entry((kind, place)).or_default().push(edit.clone());
        }
    }
    let mut whole: Vec<EditSet> = qualifiers.into_values().chain(scalars.into_values()).collect();
    let mut single: Vec<EditSet> = places.into_values().filter(|edits| !whole.contains(edits)).collect();
    single.sort();
    whole.append(&mut single);
    whole.extend(outline.nodes.iter().filter_map(|node| struct_as_int(&outline, *node)));
    whole
}

/// The place whose type changes. All declarations of a function or of a global variable have to agree.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Place<'t> {
    At(usize),
    Global(&'t str),
    /// The parameter with this index of a function.
    Parameter(&'t str, usize),
}

/// The place that the type at offset `at` shares with other declarations.
fn shared_place<'t>(outline: &Outline<'t>, at: usize) -> Option<Place<'t>> {
    let text = outline.text;
    let mut node = outline.root().descendant_for_byte_range(at, at + 1)?;
    while !matches!(node.kind(), "declaration" | "function_definition" | "parameter_declaration") {
        // A type in an expression or in another type is independent.
        let is_part = ["specifier", "qualifier", "type"].iter().any(|end| node.kind().ends_with(end));
        (is_part || node.child_count() == 0 || node.kind() == "argument_list").then_some(())?;
        node = node.parent()?;
    }
    if node.kind() == "parameter_declaration" {
        let list = node.parent()?;
        let name = list.parent_of_kind("function_declarator")?.declared_name()?;
        let index = list.elements().iter().position(|one| *one == node)?;
        return Some(Place::Parameter(text.of(name), index));
    }
    let [declarator] = node.fields("declarator")[..] else { return None };
    let is_global = outline.scope(node) == outline.root() || node.kind() == "function_definition";
    let name = declarator.declared_name().filter(|_| is_global)?;
    Some(Place::Global(text.of(name)))
}

/// The kind of qualifier that `node` is.
fn qualifier<'t>(text: &Text<'t>, node: Node<'_>) -> Option<&'t str> {
    let said = text.of(node);
    // The parser takes words such as `_Complex` for qualifiers.
    let is_type = (said.starts_with("_C") || said.starts_with("__c")) && !said.starts_with("__const");
    match node.kind() {
        "attribute_specifier" => Some("__attribute__"),
        "storage_class_specifier" | "type_qualifier" if !is_type => Some(said.trim_matches('_')),
        _ => None,
    }
}

/// Whether `node` is a type that `int` may replace.
fn is_scalar(outline: &Outline<'_>, node: Node<'_>) -> bool {
    static STANDARD: LazyLock<Regex> = LazyLock::new(|| {
        let names =
            r"^(u?int(_fast|_least)?\d+_t|u?int(ptr|max)_t|s?size_t|ptrdiff_t|wchar_t|bool|off_t|time_t)$";
        Regex::new(names).expect("a constant")
    });
    let Some(parent) = node.parent() else { return false };
    if !node.is_field("type") || parent.kind() == "sized_type_specifier" {
        return false;
    }
    let name = outline.text.of(node);
    match node.kind() {
        "sized_type_specifier" => true,
        "primitive_type" => !matches!(name, "int" | "void") && !has_string(parent),
        "type_identifier" => STANDARD.is_match(name) || is_defined_as_scalar(outline, name),
        "enum_specifier" => node.field("body").is_none(),
        _ => false,
    }
}

/// Whether a string initialises a variable of `declaration`; it cannot initialise an array of `int`.
fn has_string(declaration: Node<'_>) -> bool {
    let mut values = declaration.fields("declarator").into_iter().filter_map(|one| one.field("value"));
    values.any(|value| matches!(value.kind(), "string_literal" | "concatenated_string"))
}

/// Whether the text defines `name` as another name of a scalar type.
fn is_defined_as_scalar(outline: &Outline<'_>, name: &str) -> bool {
    let is_name = |found: &Node<'_>| found.kind() == "type_identifier" && outline.text.of(*found) == name;
    outline.nodes.iter().filter(|node| node.kind() == "type_definition").any(|node| {
        let is_scalar = node.field("type").is_some_and(|of| {
            !matches!(of.kind(), "struct_specifier" | "union_specifier") && outline.text.of(of) != "void"
        });
        is_scalar && node.fields("declarator").iter().any(is_name)
    })
}

/// Makes a variable of a struct type an `int`, if none of its fields is accessed.
fn struct_as_int(outline: &Outline<'_>, node: Node<'_>) -> Option<EditSet> {
    let of = node.field("type").filter(|of| matches!(of.kind(), "struct_specifier" | "union_specifier"))?;
    if !matches!(node.kind(), "declaration" | "parameter_declaration")
        || of.field("body").is_some()
        || node.has_error()
    {
        return None;
    }
    for declarator in node.fields("declarator") {
        let has_list = declarator.field("value").is_some_and(|value| value.kind() == "initializer_list");
        let uses = outline.named(outline.text.of(declarator.declared_name()?), outline.scope(node));
        let is_accessed = uses.iter().any(|used| used.parent_of_kind("field_expression").is_some());
        (!has_list && !is_accessed && declarator.kind() != "function_declarator").then_some(())?;
    }
    Some(vec![replace(of, "int")])
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, pass::tests::texts};

    #[test]
    fn qualifiers_are_deleted_by_kind_and_one_by_one() {
        let found = texts("static const int a;\nvoid f(const char *p) { static long b; }\n", Pass::Types);
        let expected = [
            "static int a;\nvoid f(char *p) { static long b; }\n",
            "const int a;\nvoid f(const char *p) { long b; }\n",
            "static const int a;\nvoid f(const int *p) { static long b; }\n",
            "static const int a;\nvoid f(const char *p) { static int b; }\n",
            "const int a;\nvoid f(const char *p) { static long b; }\n",
            "static int a;\nvoid f(const char *p) { static long b; }\n",
            "static const int a;\nvoid f(char *p) { static long b; }\n",
            "static const int a;\nvoid f(const char *p) { long b; }\n",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn scalars_become_int() {
        let source = "typedef unsigned int u;\nu a;\n__attribute__((noinline)) size_t f(u b);\nFILE *x; \
                      _Complex int z;\n";
        let expected = [
            source.replace("__attribute__((noinline)) ", ""),
            source.replace("size_t", "int"),
            source.replace("u a", "int a").replace("u b", "int b"),
            source.replace("unsigned int", "int"),
            source.replace("u a", "int a"),
            source.replace("u b", "int b"),
        ];
        assert_eq!(texts(source, Pass::Types), expected);
    }

    #[test]
    fn all_declarations_of_a_function_agree() {
        let source = "extern long a;\nstatic char f(long, short b);\nlong a;\nstatic char f(long c, short d) { }\n\
                      char s[] = \"\";\n";
        let found = texts(source, Pass::Types);
        assert_eq!(found[2], source.replace("char f", "int f"));
        assert_eq!(found[3], source.replace("long", "int"));
        assert_eq!(found[4], source.replace("short", "int"));
        assert_eq!(found[5], source.replace("long a", "int a"));
        assert_eq!(found[6], source.replace("(long", "(int"));
        assert_eq!(found.len(), 7);
    }

    #[test]
    fn a_struct_that_is_not_accessed_becomes_an_int() {
        let source = "struct s a;\nstruct s b;\nstruct s c = { 1 };\nvoid f(void) { b.x = 1; a; }\n";
        assert_eq!(texts(source, Pass::Types), [source.replace("struct s a", "int a")]);
    }
}
