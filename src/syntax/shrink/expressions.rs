//! Expressions: a part takes the place of the whole, or a constant does.

use tree_sitter::Node;

use super::statements::only;
use super::{EditSet, Text, cut, put};
use crate::model::TextEdit;

/// For each expression, the largest first: each of its parts, then 0 and 1.
pub(super) fn expressions(text: &Text<'_>) -> Vec<EditSet> {
    let mut nodes: Vec<Node<'_>> =
        text.nodes().into_iter().filter(|node| is_expression(*node) && !node.has_error()).collect();
    nodes.sort_by_key(|node| (std::cmp::Reverse(node.end_byte() - node.start_byte()), node.start_byte()));
    let mut found: Vec<EditSet> = Vec::new();
    for node in nodes {
        found.extend(absent(node));
        found.extend(parts(node).into_iter().map(|part| only(node, part)));
        if is_value(node) {
            found.extend(["0", "1"].map(|constant| vec![put(node, constant)]));
        }
    }
    found.retain(|shrink| !shrink.is_empty());
    found
}

fn is_expression(node: Node<'_>) -> bool {
    let kind = node.kind();
    kind.ends_with("_expression") && kind != "gnu_asm_expression"
        || matches!(kind, "identifier" | "initializer_list")
}

/// Where an expression may be absent: an initialiser, the value of a `return`, a part of a loop's header.
fn absent(node: Node<'_>) -> Option<EditSet> {
    let parent = node.parent()?;
    match parent.kind() {
        "init_declarator" if parent.child_by_field_name("value") == Some(node) => {
            let declared = parent.child_by_field_name("declarator")?;
            Some(vec![TextEdit { start: declared.end_byte(), end: node.end_byte(), with: String::new() }])
        }
        "return_statement" | "for_statement" => Some(vec![cut(node)]),
        _ => None,
    }
}

/// The expressions that `node` is made of and that may stand for it.
fn parts(node: Node<'_>) -> Vec<Node<'_>> {
    let field = |name: &str| node.child_by_field_name(name);
    let list: Vec<Option<Node<'_>>> = match node.kind() {
        "binary_expression" | "comma_expression" => vec![field("right"), field("left")],
        "assignment_expression" => vec![field("right")],
        "conditional_expression" => vec![field("consequence"), field("alternative"), field("condition")],
        "unary_expression" | "update_expression" | "pointer_expression" => vec![field("argument")],
        "cast_expression" => vec![field("value")],
        "call_expression" => {
            let Some(arguments) = field("arguments") else { return Vec::new() };
            let mut cursor = arguments.walk();
            arguments.named_children(&mut cursor).map(Some).collect()
        }
        "parenthesized_expression" if may_be_bare(node) => vec![node.named_child(0)],
        _ => Vec::new(),
    };
    let mut parts: Vec<Node<'_>> =
        list.into_iter().flatten().filter(|part| part.kind() != "compound_statement").collect();
    // A call may be all that matters, however deep it stands.
    let mut inner: Vec<Node<'_>> = parts.iter().flat_map(|part| calls_below(*part)).collect();
    inner.retain(|call| !parts.contains(call));
    parts.extend(inner);
    parts
}

fn calls_below(node: Node<'_>) -> Vec<Node<'_>> {
    let (mut found, mut stack) = (Vec::new(), vec![node]);
    while let Some(node) = stack.pop() {
        if node.kind() == "call_expression" {
            found.push(node);
        }
        let mut cursor = node.walk();
        stack.extend(node.children(&mut cursor).filter(|child| child.kind() != "compound_statement"));
    }
    found
}

/// Whether the parentheses of `node` are no part of a statement's header.
fn may_be_bare(node: Node<'_>) -> bool {
    node.parent()
        .is_none_or(|parent| !parent.kind().ends_with("_statement") || parent.kind() == "return_statement")
}

/// Whether a constant may stand for `node`, and says more than nothing.
fn is_value(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    let is = |name: &str| parent.child_by_field_name(name) == Some(node);
    match parent.kind() {
        "expression_statement"
        | "function_declarator"
        | "parameter_declaration"
        | "declaration"
        | "pointer_declarator"
        | "array_declarator"
        | "labeled_statement"
        | "goto_statement"
        | "enumerator"
        | "update_expression"
        | "pointer_expression"
        | "subscript_expression"
        | "field_expression" => false,
        "call_expression" => !is("function"),
        "assignment_expression" => !is("left"),
        "init_declarator" => !is("declarator"),
        // The parentheses of a header are its own.
        kind if kind.ends_with("_statement") => node.kind() != "parenthesized_expression",
        kind => !kind.starts_with("preproc_"),
    }
}

/// Numbers become small ones, texts empty.
pub(super) fn constants(text: &Text<'_>) -> Vec<EditSet> {
    let mut found: Vec<EditSet> = Vec::new();
    for node in text.nodes() {
        let is_directive =
            std::iter::successors(Some(node), Node::parent).any(|above| above.kind().starts_with("preproc_"));
        let said = text.of(node);
        match node.kind() {
            _ if is_directive => {}
            "number_literal" => {
                // An array without elements is undefined, and no sanitizer says so.
                let least =
                    usize::from(node.parent().is_some_and(|parent| parent.kind() == "array_declarator"));
                let smaller = ["0", "1", "2"].into_iter().skip(least).filter(|small| is_smaller(small, said));
                found.extend(smaller.map(|small| vec![put(node, small)]));
            }
            "char_literal" => found.push(vec![put(node, "0")]),
            "string_literal" if said.len() > 2 => found.push(vec![put(node, "\"\"")]),
            "concatenated_string" => found.push(vec![put(node, "\"\"")]),
            _ => {}
        }
    }
    found
}

/// Whether `small` is a smaller number than `said`, or says it in fewer letters.
fn is_smaller(small: &str, said: &str) -> bool {
    match (small.parse::<u64>(), said.parse::<u64>()) {
        (Ok(small), Ok(said)) => small < said,
        _ => said.len() > small.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Pass;
    use super::super::tests::texts as all;

    #[test]
    fn parts_and_constants_stand_for_the_whole() {
        let found = all("void f(int x) { g(x + 2); }", Pass::Expressions);
        let expected = ["x + 2;", "g(2);", "g(x);", "g(0);", "g(1);", "g(0 + 2);", "g(1 + 2);"];
        for expected in expected.map(|body| format!("void f(int x) {{ {body} }}")) {
            assert!(found.contains(&expected), "{expected}\n{found:#?}");
        }
    }

    #[test]
    fn what_may_be_absent_goes() {
        let found =
            all("int f(void) { int a = g(1); for (a = 0; a < 2; a++) ; return a; }", Pass::Expressions);
        for expected in [
            "int f(void) { int a; for (a = 0; a < 2; a++) ; return a; }",
            "int f(void) { int a = g(1); for (; a < 2; a++) ; return a; }",
            "int f(void) { int a = g(1); for (a = 0; a < 2; a++) ; return ; }",
        ] {
            assert!(found.iter().any(|text| text == expected), "{expected}\n{found:#?}");
        }
    }

    #[test]
    fn constants_become_small_and_never_grow() {
        assert_eq!(all("int a = 2;", Pass::Constants), ["int a = 0;", "int a = 1;"]);
        assert_eq!(all("int a = 0;", Pass::Constants), Vec::<String>::new());
        assert_eq!(all("char *a = \"xy\";", Pass::Constants), ["char *a = \"\";"]);
    }
}
