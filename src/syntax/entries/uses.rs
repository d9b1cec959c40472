//! What a function does with a pointer that it is given: how far it may reach, and whether it expects null.

use super::node::At;

/// How a name is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uses {
    /// Whether only `*p` and `p->…` reach what it points to.
    pub single: bool,
    /// Whether it is tested against null.
    pub tested: bool,
}

/// How `body` uses `name`. Another variable of that name in it counts too.
pub fn uses(body: At<'_>, name: &str) -> Uses {
    let mut found = Uses { single: true, tested: false };
    for at in body.all("") {
        if at.kind() == "identifier" && at.text() == name {
            let tested = is_test(at.bare());
            found.tested |= tested;
            found.single &= tested || is_dereference(at.bare());
        }
    }
    found
}

fn is_dereference(at: At<'_>) -> bool {
    let Some(parent) = at.parent() else { return false };
    let operator = parent.field("operator").map_or("", At::text);
    match parent.kind() {
        "pointer_expression" => operator == "*",
        "field_expression" => operator == "->" && at.is_field("argument"),
        _ => false,
    }
}

fn is_test(at: At<'_>) -> bool {
    let Some(parent) = at.parent() else { return false };
    let operator = parent.field("operator").map_or("", At::text);
    match parent.kind() {
        "unary_expression" => operator == "!",
        "binary_expression" => match operator {
            "&&" | "||" => true,
            "==" | "!=" => {
                let sides = [parent.field("left"), parent.field("right")];
                sides.into_iter().flatten().any(|side| side.node != at.node && is_null(side.text()))
            }
            _ => false,
        },
        "if_statement" | "while_statement" | "do_statement" | "for_statement" | "conditional_expression" => {
            at.is_field("condition")
        }
        _ => false,
    }
}

/// Whether `text` is `0`, `NULL`, or what that stands for.
fn is_null(text: &str) -> bool {
    let bare: String = text.chars().filter(|c| !c.is_whitespace() && !"()".contains(*c)).collect();
    matches!(bare.as_str(), "0" | "0L" | "NULL" | "nullptr") || bare.ends_with("*0")
}
