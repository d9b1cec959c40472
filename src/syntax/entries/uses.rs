//! How a function uses a pointer: how far it may reach, and whether it expects null.

use super::node::At;

/// How a function uses one of its pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uses {
    /// Whether it accesses the memory only by `*p` and `p->…`.
    pub is_single: bool,
    /// Whether it tests the pointer against null.
    pub is_tested: bool,
}

/// How `body` uses `name`. Inner variables of the same name count too.
pub fn uses(body: At<'_>, name: &str) -> Uses {
    let mut found = Uses { is_single: true, is_tested: false };
    for at in body.all() {
        if at.kind() == "identifier" && at.text() == name {
            let is_tested = is_test(at.with_parentheses());
            found.is_tested |= is_tested;
            found.is_single &= is_tested || is_dereference(at.with_parentheses());
        }
    }
    found
}

fn is_dereference(at: At<'_>) -> bool {
    let Some(parent) = at.parent() else { return false };
    match parent.kind() {
        "pointer_expression" => parent.operator() == "*",
        "field_expression" => parent.operator() == "->" && at.is_field("argument"),
        _ => false,
    }
}

fn is_test(at: At<'_>) -> bool {
    let Some(parent) = at.parent() else { return false };
    match (parent.kind(), parent.operator()) {
        ("unary_expression", operator) => operator == "!",
        ("binary_expression", "&&" | "||") => true,
        ("binary_expression", "==" | "!=") => {
            let sides = [parent.field("left"), parent.field("right")];
            sides.into_iter().flatten().any(|side| side.node != at.node && is_null(side.text()))
        }
        (
            "if_statement" | "while_statement" | "do_statement" | "for_statement" | "conditional_expression",
            _,
        ) => at.is_field("condition"),
        _ => false,
    }
}

/// Whether `text` is `0`, `NULL`, or an expansion of `NULL`.
fn is_null(text: &str) -> bool {
    let bare: String = text.chars().filter(|c| !c.is_whitespace() && !"()".contains(*c)).collect();
    matches!(bare.as_str(), "0" | "0L" | "NULL" | "nullptr") || bare.ends_with("*0")
}
