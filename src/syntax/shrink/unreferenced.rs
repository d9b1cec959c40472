//! Unreferenced: what stands at the top level and `main` does not reach.

use std::collections::HashSet;
use std::ops::Range;

use tree_sitter::Node;

use super::outline::{declarators, gone, name_of, words};
use super::{EditSet, Text, put};

/// Something at the top level.
struct Item<'t> {
    range: Range<usize>,
    kind: &'t str,
    names: HashSet<&'t str>,
    words: HashSet<&'t str>,
    /// It counts whether or not somebody names it.
    root: bool,
    /// It may go.
    removable: bool,
    /// Programs often do without, though they name it.
    dispensable: bool,
}

/// One candidate without all that `main` does not reach, then one for each; then one for each
/// other item that a program often does without.
pub(super) fn unreferenced(text: &Text<'_>) -> Vec<EditSet> {
    let items = items(text);
    let reached = reached(&items);
    let out = |item: &Item<'_>| gone(text, item.range.clone());
    let has_main = items.iter().any(|item| item.names.contains("main"));
    let again = |item: &Item<'_>| {
        let same = |other: &&Item<'_>| !other.names.is_disjoint(&item.names) && other.kind == "declaration";
        item.kind == "declaration" && items.iter().filter(same).count() > 1
    };
    let (mut dead, mut dispensable): (Vec<EditSet>, Vec<EditSet>) = (Vec::new(), Vec::new());
    for (item, reached) in items.iter().zip(reached) {
        if item.removable && !reached && has_main {
            dead.push(vec![out(item)]);
        } else if item.removable && (item.dispensable || again(item)) {
            dispensable.push(vec![out(item)]);
        }
    }
    let together = (dead.len() > 1).then(|| dead.concat());
    together.into_iter().chain(dead).chain(built_in(text)).chain(dispensable).collect()
}

/// Functions that both compilers have built in.
const BUILT_IN: [&str; 8] = ["abort", "exit", "malloc", "memcpy", "memset", "printf", "puts", "strcmp"];

/// A prototype gives way to the compiler's own function.
fn built_in(text: &Text<'_>) -> Vec<EditSet> {
    let nodes = text.nodes();
    let named = |name: &str| -> Vec<Node<'_>> {
        nodes.iter().copied().filter(|node| node.kind() == "identifier" && text.of(*node) == name).collect()
    };
    let called = |name: &&str| -> Option<EditSet> {
        let (calls, others): (Vec<Node<'_>>, Vec<Node<'_>>) = named(name)
            .into_iter()
            .partition(|node| node.parent().is_some_and(|above| above.kind() == "call_expression"));
        let mut edits = Vec::new();
        for node in others {
            let declarator = node.parent().filter(|above| above.kind() == "function_declarator")?;
            let declaration = declarator.parent().filter(|above| above.kind() == "declaration")?;
            (declarators(declaration).len() == 1).then_some(())?;
            edits.push(gone(text, declaration.byte_range()));
        }
        let is_declared = !edits.is_empty();
        edits.extend(calls.iter().map(|call| put(*call, &format!("__builtin_{name}"))));
        is_declared.then_some(edits)
    };
    BUILT_IN.iter().filter_map(called).collect()
}

/// Which items somebody needs.
fn reached(items: &[Item<'_>]) -> Vec<bool> {
    let mut reached: Vec<bool> = items.iter().map(|item| item.root).collect();
    let mut wanted: HashSet<&str> = HashSet::from(["main"]);
    for (item, _) in items.iter().zip(&reached).filter(|(_, reached)| **reached) {
        wanted.extend(&item.words);
    }
    loop {
        let mut grown = false;
        for (item, reached) in items.iter().zip(&mut reached) {
            if !*reached && !item.names.is_disjoint(&wanted) {
                (*reached, grown) = (true, true);
                wanted.extend(&item.words);
            }
        }
        if !grown {
            return reached;
        }
    }
}

fn items<'t>(text: &'t Text<'t>) -> Vec<Item<'t>> {
    let mut items = Vec::new();
    let mut stack = vec![text.tree.root_node()];
    while let Some(node) = stack.pop() {
        let mut cursor = node.walk();
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
                stack.extend(node.children(&mut cursor).collect::<Vec<_>>().into_iter().rev());
            }
            "comment" | ";" => {}
            "compound_statement" => {
                // The block of an old-style definition; the declarations before it are its parameters.
                let declarations =
                    items.iter_mut().rev().take_while(|item: &&mut Item<'_>| item.kind == "declaration");
                declarations.for_each(|item| (item.root, item.removable) = (true, false));
                items.push(item(text, node));
            }
            _ => items.push(item(text, node)),
        }
    }
    items
}

fn item<'t>(text: &'t Text<'t>, node: Node<'t>) -> Item<'t> {
    let (mut names, mut said) = (HashSet::new(), HashSet::new());
    let mut stack = vec![node];
    while let Some(inner) = stack.pop() {
        let own = inner.parent() == Some(node);
        match inner.kind() {
            "struct_specifier" | "union_specifier" | "enum_specifier"
                if inner.child_by_field_name("body").is_some() || inner == node =>
            {
                names.extend(inner.child_by_field_name("name").map(|name| text.of(name)));
            }
            "enumerator" => names.extend(inner.child_by_field_name("name").map(|name| text.of(name))),
            _ => {}
        }
        let mut cursor = inner.walk();
        stack.extend(inner.children(&mut cursor));
        // A field's name refers to nothing but a macro, and those are dropped one by one too.
        let says = inner.child_count() == 0 && !matches!(inner.kind(), "comment" | "string_content");
        if says || own && inner.kind() == "preproc_arg" || names_in_strings(inner) {
            said.extend(words(text.of(inner)).map(|word| &text.of(inner)[word]));
        }
    }
    let macros = node.child_by_field_name("name").filter(|_| node.kind().starts_with("preproc_"));
    names.extend(macros.map(|name| text.of(name)));
    names.extend(declarators(node).into_iter().filter_map(name_of).map(|name| text.of(name)));
    let kinds = [
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
    // What the parser did not understand inside a body does not keep the function from going whole.
    let body = node.child_by_field_name("body").filter(|_| node.kind() == "function_definition");
    let mut cursor = node.walk();
    let understood = node
        .children(&mut cursor)
        .all(|child| Some(child) == body || !child.has_error() && !child.is_error());
    let known = kinds.contains(&node.kind()) && understood;
    let marked = ["constructor", "destructor", "used", "__constructor__", "__destructor__", "__used__"];
    let ends = node.next_sibling().filter(|next| next.kind() == ";" && node.kind().ends_with("_specifier"));
    Item {
        range: node.start_byte()..ends.map_or(node.end_byte(), |end| end.end_byte()),
        kind: node.kind(),
        root: !known || node.kind() == "preproc_include" || marked.iter().any(|mark| said.contains(mark)),
        removable: known,
        dispensable: node.kind() == "preproc_include" || announces(text, node),
        names,
        words: said,
    }
}

/// Whether `node` is a prototype or an `extern` declaration.
fn announces(text: &Text<'_>, node: Node<'_>) -> bool {
    let prototype = |found: &Node<'_>| {
        let pointed =
            found.child_by_field_name("declarator").filter(|_| found.kind() == "pointer_declarator");
        pointed.unwrap_or(*found).kind() == "function_declarator"
    };
    node.kind() == "declaration"
        && (declarators(node).iter().any(prototype) || text.of(node).starts_with("extern"))
}

/// Assembly and attributes name symbols in strings.
fn names_in_strings(node: Node<'_>) -> bool {
    node.kind().starts_with("gnu_asm") || node.kind() == "attribute_specifier"
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, tests::texts};

    #[test]
    fn what_main_does_not_reach_goes_at_once() {
        let source = "#define N 1\n#define M N\nint a;\nint b, c;\nint f(void);\nint f(void) { return a; }\n\
                      void g(void) { h(); }\nvoid h(void) { g(); }\nint main(void) { return c + M; }\n";
        let found = texts(source, Pass::Unreferenced);
        assert_eq!(found[0], "#define N 1\n#define M N\nint b, c;\nint main(void) { return c + M; }\n");
        assert_eq!(found.len(), 1 + 5);
        assert!(found[1].starts_with("#define N 1\n#define M N\nint b, c;\nint f"), "{}", found[1]);
    }

    #[test]
    fn constructors_aliases_and_what_they_name_stay() {
        let source = "int a, b;\nvoid t(void) { b = 1; }\nvoid w(void) __attribute__((alias(\"t\")));\n\
                      __attribute__((constructor)) static void c(void) { a = 1; }\n\
                      struct s;\nenum { A };\nint main(void) { w(); return 0; }\n";
        let found = texts(source, Pass::Unreferenced);
        assert_eq!(found[0], source.replace("struct s;\nenum { A };\n", ""));
    }

    #[test]
    fn what_announces_or_repeats_may_go() {
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
    fn a_text_without_main_keeps_its_functions() {
        assert_eq!(
            texts("int f(void) { return 1; }\n#include <stdio.h>\n", Pass::Unreferenced),
            ["int f(void) { return 1; }\n"]
        );
    }
}
