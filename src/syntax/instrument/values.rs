//! Values of which gcc may make a branch, and tests of which it makes none.

use tree_sitter::Node;

use super::super::idle::acts;
use super::super::nodes::NodeExt;
use super::constants::{is_not, plain_value};

/// Whether gcc may make a branch of the expression `node` where it is no condition: it is a comparison, or a change of an
/// `_Atomic`. The program has one of these if `has_atomic`.
pub(super) fn is_tested_value(node: Node<'_>, text: &str, has_atomic: bool) -> bool {
    let operator = || node.field("operator").map_or("", |operator| operator.kind());
    match node.kind() {
        "binary_expression" => matches!(operator(), "<" | ">" | "<=" | ">=" | "==" | "!="),
        "unary_expression" => is_not(node),
        "cast_expression" => {
            let name = node.field("type").map_or("", |name| name.text(text));
            name.to_ascii_lowercase().contains("bool")
        }
        _ => has_atomic && is_change(node),
    }
}

/// Whether the expression `node` changes a variable by its value: gcc makes a loop of it for an `_Atomic` (`build_atomic_assign`
/// in c-typeck.cc).
pub(super) fn is_change(node: Node<'_>) -> bool {
    let is_plain = || node.field("operator").is_some_and(|operator| operator.kind() == "=");
    node.kind() == "update_expression" || node.kind() == "assignment_expression" && !is_plain()
}

/// Whether the `if`, the `switch` or the `do` with the test 0 that `node` is changes nothing: empty statements and blocks are in it, and no
/// jump, label or other statement.
pub(super) fn is_idle_test(node: Node<'_>, text: &str) -> bool {
    let is_test = match node.kind() {
        "if_statement" | "switch_statement" => true,
        "do_statement" => node.field("condition").is_some_and(|test| plain_value(test, text) == Some(false)),
        _ => false,
    };
    let is_harmless = |inner: Node<'_>| {
        let is_statement = inner.kind().ends_with("_statement") || inner.kind() == "declaration";
        !acts(inner)
            && (!is_statement
                || inner == node
                || matches!(inner.kind(), "compound_statement" | "expression_statement" | "if_statement"))
    };
    if !is_test {
        return false;
    }
    // One of the first nodes decides for most tests, so the rest is not collected before.
    let mut left = vec![node];
    while let Some(inner) = left.pop() {
        if !is_harmless(inner) {
            return false;
        }
        left.extend(inner.all_children());
    }
    true
}
