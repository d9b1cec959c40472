//! Types: fewer qualifiers, and `int` in the place of other scalars.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use tree_sitter::Node;

use super::outline::{Outline, declarators, elements, name_of};
use super::{EditSet, Text, put};
use crate::model::TextEdit;

/// One candidate for each kind of qualifier and each type over the whole text, then one a place.
pub(super) fn types(text: &Text<'_>) -> Vec<EditSet> {
    let outline = Outline::of(text);
    let mut qualifiers: BTreeMap<&str, EditSet> = BTreeMap::new();
    let mut scalars: BTreeMap<&str, EditSet> = BTreeMap::new();
    for node in outline.nodes.iter().filter(|node| !node.has_error()) {
        if let Some(kind) = qualifier(text, *node) {
            qualifiers.entry(kind).or_default().push(removed(text, *node));
        } else if is_scalar(&outline, *node) {
            scalars.entry(text.of(*node)).or_default().push(put(*node, "int"));
        }
    }
    let mut places: BTreeMap<(&str, Place<'_>), EditSet> = BTreeMap::new();
    let groups: Vec<(&&str, &EditSet)> = qualifiers.iter().chain(&scalars).collect();
    for (kind, edits) in &groups {
        for edit in *edits {
            places.entry((**kind, place(&outline, edit.start))).or_default().push(edit.clone());
        }
    }
    let whole: Vec<EditSet> = groups.iter().map(|group| group.1.clone()).collect();
    let mut single: Vec<EditSet> = places.into_values().filter(|edits| !whole.contains(edits)).collect();
    single.sort();
    let plain = outline.nodes.iter().filter_map(|node| plain(&outline, *node));
    whole.into_iter().chain(single).chain(plain).collect()
}

/// What a type is said of: all declarations of a function, or of a variable of the whole program,
/// have to agree.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Place<'t> {
    At(usize),
    Of(&'t str),
    Parameter(&'t str, usize),
}

fn place<'t>(outline: &Outline<'t>, at: usize) -> Place<'t> {
    shared(outline, at).unwrap_or(Place::At(at))
}

fn shared<'t>(outline: &Outline<'t>, at: usize) -> Option<Place<'t>> {
    let text = outline.text;
    let mut node = text.tree.root_node().descendant_for_byte_range(at, at + 1)?;
    while !matches!(node.kind(), "declaration" | "function_definition" | "parameter_declaration") {
        // A type in an expression, or in another type, is its own.
        let passes = ["specifier", "qualifier", "type"].iter().any(|end| node.kind().ends_with(end));
        (passes || node.child_count() == 0 || node.kind() == "argument_list").then_some(())?;
        node = node.parent()?;
    }
    if node.kind() == "parameter_declaration" {
        let list = node.parent()?;
        let declarator = list.parent().filter(|up| up.kind() == "function_declarator")?;
        let name = name_of(declarator)?;
        let index = elements(list).iter().position(|one| *one == node)?;
        return Some(Place::Parameter(text.of(name), index));
    }
    let [declarator] = declarators(node)[..] else { return None };
    let top = outline.scope(node) == outline.everything() || node.kind() == "function_definition";
    top.then(|| name_of(declarator).map(|name| Place::Of(text.of(name)))).flatten()
}

/// The kind of qualifier that `node` is.
fn qualifier<'t>(text: &Text<'t>, node: Node<'_>) -> Option<&'t str> {
    let said = text.of(node);
    match node.kind() {
        "attribute_specifier" => Some("__attribute__"),
        // What only stands for a qualifier in the parser's eyes, `_Complex`, is none.
        "storage_class_specifier" | "type_qualifier"
            if !said.starts_with("_C") && !said.starts_with("__c") || said.starts_with("__const") =>
        {
            Some(said.trim_matches('_'))
        }
        _ => None,
    }
}

fn removed(text: &Text<'_>, node: Node<'_>) -> TextEdit {
    let after = &text.source[node.end_byte()..];
    let space = after.len() - after.trim_start_matches([' ', '\t']).len();
    TextEdit { start: node.start_byte(), end: node.end_byte() + space, with: String::new() }
}

/// A type that `int` may replace.
fn is_scalar(outline: &Outline<'_>, node: Node<'_>) -> bool {
    static STANDARD: LazyLock<Regex> = LazyLock::new(|| {
        let names =
            r"^(u?int(_fast|_least)?\d+_t|u?int(ptr|max)_t|s?size_t|ptrdiff_t|wchar_t|bool|off_t|time_t)$";
        Regex::new(names).expect("a constant")
    });
    let Some(parent) = node.parent() else { return false };
    if parent.child_by_field_name("type") != Some(node) || parent.kind() == "sized_type_specifier" {
        return false;
    }
    let name = outline.text.of(node);
    match node.kind() {
        "sized_type_specifier" => true,
        "primitive_type" => !matches!(name, "int" | "void") && !is_string(parent),
        "type_identifier" => STANDARD.is_match(name) || is_defined_scalar(outline, name),
        "enum_specifier" => node.child_by_field_name("body").is_none(),
        _ => false,
    }
}

/// Whether a string initialises what is declared, which no array of `int` takes.
fn is_string(declaration: Node<'_>) -> bool {
    declarators(declaration).iter().any(|one| {
        let value = one.child_by_field_name("value");
        value.is_some_and(|value| matches!(value.kind(), "string_literal" | "concatenated_string"))
    })
}

/// Whether the text defines `name` as another name of a scalar type.
fn is_defined_scalar(outline: &Outline<'_>, name: &str) -> bool {
    outline.nodes.iter().filter(|node| node.kind() == "type_definition").any(|node| {
        let scalar = node.child_by_field_name("type").is_some_and(|of| {
            let aggregate = ["struct_specifier", "union_specifier"].contains(&of.kind());
            !aggregate && outline.text.of(of) != "void"
        });
        let is_it = |found: &Node<'_>| found.kind() == "type_identifier" && outline.text.of(*found) == name;
        scalar && declarators(*node).iter().any(is_it)
    })
}

/// A variable of a struct type whose fields nobody asks for is an `int`.
fn plain(outline: &Outline<'_>, node: Node<'_>) -> Option<EditSet> {
    let of = node
        .child_by_field_name("type")
        .filter(|of| matches!(of.kind(), "struct_specifier" | "union_specifier"))?;
    if !matches!(node.kind(), "declaration" | "parameter_declaration")
        || of.child_by_field_name("body").is_some()
        || node.has_error()
    {
        return None;
    }
    for declarator in declarators(node) {
        let list =
            declarator.child_by_field_name("value").is_some_and(|value| value.kind() == "initializer_list");
        let name = name_of(declarator)?;
        let uses = outline.named(outline.text.of(name), outline.scope(node));
        let asked = uses.iter().any(|used| used.parent().is_some_and(|up| up.kind() == "field_expression"));
        if list || asked || declarator.kind() == "function_declarator" {
            return None;
        }
    }
    Some(vec![put(of, "int")])
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, tests::texts};

    #[test]
    fn qualifiers_go_by_kind_and_one_by_one() {
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
    fn a_struct_without_access_is_an_int() {
        let source = "struct s a;\nstruct s b;\nstruct s c = { 1 };\nvoid f(void) { b.x = 1; a; }\n";
        assert_eq!(texts(source, Pass::Types), [source.replace("struct s a", "int a")]);
    }
}
