//! Expressions without side effects, which may be evaluated out of turn. They may still fault, through
//! a pointer or a division; the harness then reports nothing for them.

use std::collections::{BTreeMap, HashSet};

use tree_sitter::Node;

use super::super::nodes::NodeExt;

/// Functions of the C library without side effects other than setting `errno`, which conditions of numeric code do not
/// read.
const MATHS: [&str; 44] = [
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos",
    "cosh", "erf", "exp", "exp2", "expm1", "fabs", "fabsf", "fdim", "floor", "fma", "fmax", "fmin", "fmod",
    "hypot", "isalpha", "isdigit", "isspace", "labs", "ldexp", "log", "log10", "log1p", "log2", "pow",
    "rint", "round", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
];

/// The functions of a file that change only their own variables.
#[derive(Debug)]
pub struct Purity<'a> {
    text: &'a str,
    pure: HashSet<String>,
}

impl<'a> Purity<'a> {
    /// For the file whose tree has this root.
    pub fn of(root: Node<'_>, text: &'a str) -> Purity<'a> {
        let mut bodies = BTreeMap::new();
        for node in root.all_children().into_iter().filter(|node| node.kind() == "function_definition") {
            if let (Some(name), Some(body)) = (node.declared_name(), node.field("body")) {
                bodies.insert(name.text(text).to_string(), body);
            }
        }
        let mut purity = Purity { text, pure: bodies.keys().cloned().collect() };
        // Assume that every function is pure, and remove functions until nothing changes. Recursion is then no obstacle.
        loop {
            let impure: Vec<String> =
                purity.pure.iter().filter(|name| !purity.is_pure_body(bodies[*name])).cloned().collect();
            if impure.is_empty() {
                return purity;
            }
            for name in impure {
                purity.pure.remove(&name);
            }
        }
    }

    /// Whether the evaluation of `node` has no side effects.
    pub fn is_pure(&self, node: Node<'_>) -> bool {
        self.changes_only(node, &HashSet::new())
    }

    /// Whether the body of a function changes only its own variables.
    fn is_pure_body(&self, body: Node<'_>) -> bool {
        let mut own = HashSet::new();
        for node in body.subtree().into_iter().filter(|node| node.kind() == "declaration") {
            if self.text[node.byte_range()].starts_with("static") || node.has_error() {
                return false;
            }
            for declarator in node.fields("declarator") {
                let name = match declarator.kind() {
                    "init_declarator" => declarator.field("declarator"),
                    _ => Some(declarator),
                };
                if let Some(name) = name.filter(|name| name.kind() == "identifier") {
                    own.insert(name.text(self.text));
                }
            }
        }
        self.changes_only(body, &own)
    }

    fn changes_only(&self, node: Node<'_>, own: &HashSet<&str>) -> bool {
        node.subtree().into_iter().all(|node| match node.kind() {
            "assignment_expression" => self.is_one_of(node.field("left"), own),
            "update_expression" => self.is_one_of(node.field("argument"), own),
            "call_expression" => node.field("function").is_some_and(|called| {
                let name = called.text(self.text);
                MATHS.contains(&name) || self.pure.contains(name)
            }),
            "compound_statement" => node.parent().is_none_or(|up| up.kind() != "parenthesized_expression"),
            "gnu_asm_expression" | "goto_statement" | "ERROR" => false,
            _ => true,
        })
    }

    fn is_one_of(&self, node: Option<Node<'_>>, own: &HashSet<&str>) -> bool {
        node.is_some_and(|node| own.contains(node.text(self.text)))
    }
}
