//! Deletes items at the top level that `main` does not reach, and items without which a program may still compile.

use std::collections::HashSet;
use std::ops::Range;

use tree_sitter::Node;

use super::text::{EditSet, Text, all_then_each, replace};
use crate::syntax::nodes::NodeExt;
use crate::syntax::words::identifiers;

/// An item at the top level.
struct Item<'t> {
    range: Range<usize>,
    kind: &'t str,
    /// The names that it declares.
    names: HashSet<&'t str>,
    /// The names that occur in it.
    words: HashSet<&'t str>,
    /// Parts of the names of functions whose declarators are macros, which may paste them: `NAME(part)(int a)`.
    parts: Vec<&'t str>,
    /// Whether it is needed even if nothing names it.
    is_root: bool,
    is_deletable: bool,
    /// Whether programs often work without it, though they name it.
    is_dispensable: bool,
}

/// The kinds of items that may be deleted.
const DELETABLE: [&str; 9] = [
    "function_definition",
    "declaration",
    "type_definition",
    "preproc_def",
    "preproc_function_def",
    "struct_specifier",
    "union_specifier",
    "enum_specifier",
    "preproc_include",
];

/// Attributes of functions that run, or are needed, though nothing names them.
const ROOTS: [&str; 6] =
    ["constructor", "destructor", "used", "__constructor__", "__destructor__", "__used__"];

/// Deletes all items that `main` does not reach, then each, then each item that is often dispensable.
pub(super) fn unreferenced(text: &Text<'_>) -> Vec<EditSet> {
    let items = items(text);
    let has_main = items.iter().any(|item| item.names.contains("main"));
    let is_repeated = |item: &Item<'_>| {
        let is_same =
            |other: &&Item<'_>| !other.names.is_disjoint(&item.names) && other.kind == "declaration";
        item.kind == "declaration" && items.iter().filter(is_same).count() > 1
    };
    let (mut dead, mut dispensable): (Vec<EditSet>, Vec<EditSet>) = (Vec::new(), Vec::new());
    for (item, is_reached) in items.iter().zip(reached(&items)).filter(|(item, _)| item.is_deletable) {
        let deleted = || vec![text.delete_with_line(item.range.clone())];
        if !is_reached && has_main {
            dead.push(deleted());
        } else if item.is_dispensable || is_repeated(item) {
            dispensable.push(deleted());
        }
    }
    all_then_each(dead).into_iter().chain(as_builtins(text)).chain(dispensable).collect()
}

/// Functions that both compilers have as builtins.
const BUILTINS: [&str; 8] = ["abort", "exit", "malloc", "memcpy", "memset", "printf", "puts", "strcmp"];

/// Deletes prototypes of library functions, and calls the compiler's builtins.
fn as_builtins(text: &Text<'_>) -> Vec<EditSet> {
    let nodes = text.nodes();
    let builtin = |name: &&str| -> Option<EditSet> {
        let is_name = |node: &&Node<'_>| node.kind() == "identifier" && text.of(**node) == *name;
        let is_call = |node: &&Node<'_>| node.parent_of_kind("call_expression").is_some();
        let (calls, others): (Vec<&Node<'_>>, Vec<&Node<'_>>) =
            nodes.iter().filter(is_name).partition(is_call);
        let prototypes = others.into_iter().map(|node| {
            let declaration = node.parent_of_kind("function_declarator")?.parent_of_kind("declaration")?;
            let is_only = declaration.fields("declarator").len() == 1;
            is_only.then(|| text.delete_with_line(declaration.byte_range()))
        });
        let mut edits = prototypes.collect::<Option<EditSet>>().filter(|edits| !edits.is_empty())?;
        edits.extend(calls.iter().map(|call| replace(**call, format!("__builtin_{name}"))));
        Some(edits)
    };
    BUILTINS.iter().filter_map(builtin).collect()
}

/// Whether each item is needed.
fn reached(items: &[Item<'_>]) -> Vec<bool> {
    let mut reached = vec![false; items.len()];
    let mut wanted: HashSet<&str> = HashSet::from(["main"]);
    loop {
        let mut has_grown = false;
        for (item, reached) in items.iter().zip(&mut reached).filter(|(_, reached)| !**reached) {
            let is_pasted = || item.parts.iter().any(|part| wanted.iter().any(|word| word.contains(part)));
            if item.is_root || !item.names.is_disjoint(&wanted) || is_pasted() {
                (*reached, has_grown) = (true, true);
                wanted.extend(&item.words);
            }
        }
        if !has_grown {
            return reached;
        }
    }
}

fn items<'t>(text: &'t Text<'t>) -> Vec<Item<'t>> {
    let mut items: Vec<Item<'t>> = Vec::new();
    let mut stack = vec![text.tree.root_node()];
    while let Some(node) = stack.pop() {
        match node.kind() {
            "translation_unit"
            | "preproc_if"
            | "preproc_ifdef"
            | "preproc_else"
            | "preproc_elif"
            | "linkage_specification"
            | "declaration_list"
                if !node.is_error() =>
            {
                stack.extend(node.all_children().into_iter().rev());
            }
            "comment" | ";" => {}
            kind => {
                if kind == "compound_statement" {
                    // The body of an old-style definition; the declarations before it are its parameters.
                    let parameters = items.iter_mut().rev().take_while(|item| item.kind == "declaration");
                    parameters.for_each(|item| (item.is_root, item.is_deletable) = (true, false));
                }
                items.push(item(text, node));
            }
        }
    }
    items
}

fn item<'t>(text: &'t Text<'t>, node: Node<'t>) -> Item<'t> {
    let (mut names, mut words) = (HashSet::new(), HashSet::new());
    for inner in node.subtree() {
        let is_definition = match inner.kind() {
            "struct_specifier" | "union_specifier" | "enum_specifier" => {
                inner.field("body").is_some() || inner == node
            }
            kind => kind == "enumerator",
        };
        names.extend(inner.field("name").filter(|_| is_definition).map(|name| text.of(name)));
        // Assembly and attributes name symbols in strings.
        let names_symbols = inner.kind().starts_with("gnu_asm") || inner.kind() == "attribute_specifier";
        let is_macro_body = inner.parent() == Some(node) && inner.kind() == "preproc_arg";
        let is_word = inner.child_count() == 0 && !matches!(inner.kind(), "comment" | "string_content");
        if is_word || is_macro_body || names_symbols {
            words.extend(identifiers(text.of(inner)).map(|word| &text.of(inner)[word]));
        }
    }
    let defined = node.field("name").filter(|_| node.kind().starts_with("preproc_"));
    let declared = node.fields("declarator").into_iter().filter_map(NodeExt::declared_name);
    let parts = pasted_parts(text, node);
    // The declared name of such a function would be that of the macro.
    let declared = declared.filter(|_| parts.is_empty());
    names.extend(declared.chain(defined).map(|name| text.of(name)));
    // A function may be deleted though its body contains text that the parser did not understand.
    let body = node.field("body").filter(|_| node.kind() == "function_definition");
    let is_parsed = node
        .all_children()
        .into_iter()
        .all(|child| Some(child) == body || !child.has_error() && !child.is_error());
    let is_deletable = DELETABLE.contains(&node.kind()) && is_parsed;
    let is_include = node.kind() == "preproc_include";
    let end = node.next_sibling().filter(|next| next.kind() == ";" && node.kind().ends_with("_specifier"));
    Item {
        range: node.start_byte()..end.unwrap_or(node).end_byte(),
        kind: node.kind(),
        is_root: !is_deletable || is_include || ROOTS.iter().any(|mark| words.contains(mark)),
        is_deletable,
        is_dispensable: is_include || only_declares(text, node),
        parts,
        names,
        words,
    }
}

/// The words between the parentheses of a macro that makes the name of a function.
fn pasted_parts<'t>(text: &'t Text<'t>, node: Node<'t>) -> Vec<&'t str> {
    let outer = node.declarators().find(|inner| inner.kind() == "function_declarator");
    let inner = outer.and_then(|outer| outer.field("declarator"));
    let inner = inner.filter(|inner| inner.kind() == "function_declarator");
    let between = inner.and_then(|inner| inner.field("parameters")).map_or("", |list| text.of(list));
    identifiers(between).map(|word| &between[word]).collect()
}

/// Whether `node` is a prototype or an `extern` declaration.
fn only_declares(text: &Text<'_>, node: Node<'_>) -> bool {
    let is_prototype = |found: Node<'_>| {
        let pointed = found.field("declarator").filter(|_| found.kind() == "pointer_declarator");
        pointed.unwrap_or(found).kind() == "function_declarator"
    };
    node.kind() == "declaration"
        && (node.fields("declarator").into_iter().any(is_prototype) || text.of(node).starts_with("extern"))
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, pass::tests::texts};

    #[test]
    fn everything_that_main_does_not_reach_is_deleted_at_once() {
        let source = "#define N 1\n#define M N\nint a;\nint b, c;\nint f(void);\nint f(void) { return a; }\n\
                      void g(void) { h(); }\nvoid h(void) { g(); }\nint main(void) { return c + M; }\n";
        let found = texts(source, Pass::Unreferenced);
        assert_eq!(found[0], "#define N 1\n#define M N\nint b, c;\nint main(void) { return c + M; }\n");
        assert_eq!(found.len(), 1 + 5);
        assert!(found[1].starts_with("#define N 1\n#define M N\nint b, c;\nint f"), "{}", found[1]);
    }

    #[test]
    fn constructors_aliases_and_the_items_that_they_name_stay() {
        let source = "int a, b;\nvoid t(void) { b = 1; }\nvoid w(void) __attribute__((alias(\"t\")));\n\
                      __attribute__((constructor)) static void c(void) { a = 1; }\n\
                      struct s;\nenum { A };\nint main(void) { w(); return 0; }\n";
        let found = texts(source, Pass::Unreferenced);
        assert_eq!(found[0], source.replace("struct s;\nenum { A };\n", ""));
    }

    #[test]
    fn declarations_and_repetitions_may_be_deleted() {
        let source = "#include <a.h>\nextern int a;\nint *f(void);\nint b;\nint b;\nint c;\n\
                      int main(void) { return *f() + a + b + c; }\n";
        assert_eq!(
            texts(source, Pass::Unreferenced),
            [
                source.replace("#include <a.h>\n", ""),
                source.replace("extern int a;\n", ""),
                source.replace("int *f(void);\n", ""),
                source.replacen("int b;\n", "", 1),
                source.replacen("int b;\n", "", 1),
            ]
        );
    }

    #[test]
    fn a_function_whose_name_a_macro_pastes_stays_if_a_word_may_be_its_name() {
        let source = "#define NAME(x) my_##x\nint NAME(one)(int a) { return a; }\nint NAME(two)(int a) { return a; }\n\
                      int main(void) { return my_one(1); }\n";
        let found = texts(source, Pass::Unreferenced);
        assert_eq!(found, [source.replace("int NAME(two)(int a) { return a; }\n", "")]);
    }

    #[test]
    fn a_text_without_main_keeps_its_functions() {
        assert_eq!(
            texts("int f(void) { return 1; }\n#include <stdio.h>\n", Pass::Unreferenced),
            ["int f(void) { return 1; }\n"]
        );
    }
}
