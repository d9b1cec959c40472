//! Replaces expressions by their parts or by constants, and constants by smaller ones.

use std::cmp::Reverse;

use tree_sitter::Node;

use super::text::{EditSet, Text, delete, keep_only, replace};
use crate::model::TextEdit;
use crate::syntax::nodes::NodeExt;

/// For each expression, the largest first: each of its parts, then 0 and 1.
pub(super) fn expressions(text: &Text<'_>) -> Vec<EditSet> {
    let mut nodes: Vec<Node<'_>> =
        text.nodes().into_iter().filter(|node| is_expression(*node) && !node.has_error()).collect();
    nodes.sort_by_key(|node| (Reverse(node.byte_range().len()), node.start_byte()));
    let mut found: Vec<EditSet> = Vec::new();
    for node in nodes {
        found.extend(without(node));
        found.extend(parts(node).into_iter().map(|part| keep_only(node, part)));
        if can_be_constant(node) {
            found.extend(["0", "1"].map(|constant| vec![replace(node, constant)]));
        }
    }
    found.retain(|edits| !edits.is_empty());
    found
}

fn is_expression(node: Node<'_>) -> bool {
    let kind = node.kind();
    kind.ends_with("_expression") && kind != "gnu_asm_expression"
        || matches!(kind, "identifier" | "initializer_list")
}

/// Deletes an expression that is optional: an initialiser, the value of a `return`, a part of a loop's header.
fn without(node: Node<'_>) -> Option<EditSet> {
    let parent = node.parent()?;
    match parent.kind() {
        "init_declarator" if node.is_field("value") => {
            Some(vec![TextEdit::delete(parent.field("declarator")?.end_byte()..node.end_byte())])
        }
        "return_statement" | "for_statement" => Some(vec![delete(node)]),
        _ => None,
    }
}

/// The expressions in `node` that may replace it.
fn parts(node: Node<'_>) -> Vec<Node<'_>> {
    let fields: &[&str] = match node.kind() {
        "binary_expression" | "comma_expression" => &["right", "left"],
        "assignment_expression" => &["right"],
        "conditional_expression" => &["consequence", "alternative", "condition"],
        "unary_expression" | "update_expression" | "pointer_expression" => &["argument"],
        "cast_expression" => &["value"],
        _ => &[],
    };
    let mut parts: Vec<Node<'_>> = fields.iter().filter_map(|name| node.field(name)).collect();
    match (node.kind(), node.field("arguments")) {
        ("call_expression", Some(arguments)) => parts.extend(arguments.named_children(&mut arguments.walk())),
        ("parenthesized_expression", _) if !is_in_header(node) => parts.extend(node.named_child(0)),
        _ => {}
    }
    parts.retain(|part| part.kind() != "compound_statement");
    // A call may be all that matters, however deep it is.
    let mut calls: Vec<Node<'_>> = parts.iter().flat_map(|part| calls_in(*part)).collect();
    calls.retain(|call| !parts.contains(call));
    parts.extend(calls);
    parts
}

/// The calls in `node`, the last first.
fn calls_in(node: Node<'_>) -> Vec<Node<'_>> {
    let (mut found, mut stack) = (Vec::new(), vec![node]);
    while let Some(node) = stack.pop() {
        found.extend((node.kind() == "call_expression").then_some(node));
        stack.extend(node.all_children().into_iter().filter(|child| child.kind() != "compound_statement"));
    }
    found
}

/// Whether the parentheses of `node` are a part of a statement's header.
fn is_in_header(node: Node<'_>) -> bool {
    node.parent().is_some_and(|up| up.kind().ends_with("_statement") && up.kind() != "return_statement")
}

/// Whether a constant may replace `node`, and is worth trying.
fn can_be_constant(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
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
        "call_expression" => !node.is_field("function"),
        "assignment_expression" => !node.is_field("left"),
        "init_declarator" => !node.is_field("declarator"),
        // The parentheses of a header have to stay.
        kind if kind.ends_with("_statement") => node.kind() != "parenthesized_expression",
        kind => !kind.starts_with("preproc_"),
    }
}

/// Replaces numbers by small ones, and strings by empty ones.
pub(super) fn constants(text: &Text<'_>) -> Vec<EditSet> {
    let mut found: Vec<EditSet> = Vec::new();
    for node in text.nodes() {
        let is_directive = |node: Node<'_>| node.kind().starts_with("preproc_");
        let said = text.of(node);
        match node.kind() {
            _ if is_directive(node) || node.ancestors().any(is_directive) => {}
            "number_literal" => {
                // An array without elements is undefined behaviour that no sanitizer reports.
                let least = usize::from(node.parent_of_kind("array_declarator").is_some());
                let smaller = ["0", "1", "2"].into_iter().skip(least).filter(|small| is_smaller(small, said));
                found.extend(smaller.map(|small| vec![replace(node, small)]));
            }
            "char_literal" => found.push(vec![replace(node, "0")]),
            "concatenated_string" => found.push(vec![replace(node, "\"\"")]),
            "string_literal" if said.len() > 2 => found.push(vec![replace(node, "\"\"")]),
            _ => {}
        }
    }
    found
}

/// Whether `small` is a smaller number than `said`, or a shorter one if `said` is not a decimal integer.
fn is_smaller(small: &str, said: &str) -> bool {
    match (small.parse::<u64>(), said.parse::<u64>()) {
        (Ok(small), Ok(said)) => small < said,
        _ => said.len() > small.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, pass::tests::texts};

    #[test]
    fn parts_and_constants_replace_the_whole() {
        let found = texts("void f(int x) { g(x + 2); }", Pass::Expressions);
        let expected = ["x + 2;", "g(2);", "g(x);", "g(0);", "g(1);", "g(0 + 2);", "g(1 + 2);"];
        for expected in expected.map(|body| format!("void f(int x) {{ {body} }}")) {
            assert!(found.contains(&expected), "{expected}\n{found:#?}");
        }
    }

    #[test]
    fn optional_expressions_are_deleted() {
        let found =
            texts("int f(void) { int a = g(1); for (a = 0; a < 2; a++) ; return a; }", Pass::Expressions);
        for expected in [
            "int f(void) { int a; for (a = 0; a < 2; a++) ; return a; }",
            "int f(void) { int a = g(1); for (; a < 2; a++) ; return a; }",
            "int f(void) { int a = g(1); for (a = 0; a < 2; a++) ; return ; }",
        ] {
            assert!(found.iter().any(|text| text == expected), "{expected}\n{found:#?}");
        }
    }

    #[test]
    fn constants_become_smaller_and_never_larger() {
        assert_eq!(texts("int a = 2;", Pass::Constants), ["int a = 0;", "int a = 1;"]);
        assert_eq!(texts("int a = 0;", Pass::Constants), Vec::<String>::new());
        assert_eq!(texts("char *a = \"xy\";", Pass::Constants), ["char *a = \"\";"]);
    }
}
