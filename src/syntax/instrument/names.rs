//! Names whose meaning the instrumenter must know: constants, labels, and functions that are certainly called.

use std::collections::HashSet;

use tree_sitter::Node;

use super::super::nodes::NodeExt;
use super::constants::{logical, needs_no_code};

/// Functions that end a program.
const ENDS: [&str; 2] = ["abort", "exit"];

#[derive(Default)]
pub(super) struct Names<'a> {
    /// The constants of every `enum`.
    pub constants: HashSet<&'a str>,
    /// The labels of every function.
    pub labels: HashSet<&'a str>,
    /// Functions that have a body.
    functions: HashSet<&'a str>,
    /// Functions with an attribute or `inline`: a call of one may be optimised away.
    special: HashSet<&'a str>,
}

impl<'a> Names<'a> {
    /// `text` was parsed; `original` has its attributes too.
    pub fn of(root: Node<'_>, text: &'a str, original: &str) -> Names<'a> {
        let mut names = Names::default();
        let name_in = |node: Node<'_>, field| Some(node.field(field)?.text(text));
        for node in root.subtree() {
            match node.kind() {
                "enumerator" => names.constants.extend(name_in(node, "name")),
                "labeled_statement" => names.labels.extend(name_in(node, "label")),
                "function_definition" | "declaration" => names.add_functions(node, text, original),
                _ => {}
            }
        }
        names
    }

    /// A function with an old-style `head`.
    pub fn add_old_style(&mut self, name: &'a str, head: &str) {
        if !head.contains("attribute") && !head.contains("inline") {
            self.functions.insert(name);
        }
    }

    /// The functions that a declaration or a definition declares.
    fn add_functions(&mut self, node: Node<'_>, text: &'a str, original: &str) {
        let body = node.field("body");
        let start = node.prev_sibling().map_or(0, |before| before.end_byte());
        let head = &original[start..body.map_or(node.end_byte(), |body| body.start_byte())];
        let is_special = head.contains("attribute") || head.contains("inline");
        for name in node.fields("declarator").into_iter().filter_map(function_name) {
            let name = name.text(text);
            if is_special {
                self.special.insert(name);
            } else if node.kind() == "function_definition" {
                self.functions.insert(name);
            }
        }
    }

    /// Whether every compiler generates code for the statement `node`: a `return`, a call that it does not optimise away, or
    /// an assignment or initialiser of something computed. A plain copy may be of an empty structure.
    pub fn has_code(&self, node: Node<'_>, text: &str) -> bool {
        let inner = || node.named_child(0).filter(|_| node.kind() == "expression_statement");
        let is_computed = |value: Node<'_>| matches!(value.kind(), "binary_expression" | "number_literal");
        let computes = |node: Node<'_>| match node.kind() {
            "update_expression" => true,
            "assignment_expression" => {
                let is_plain = node.field("operator").is_some_and(|operator| operator.kind() == "=");
                !is_plain || node.field("right").is_some_and(is_computed)
            }
            _ => false,
        };
        let initialises = |child: Node<'_>| {
            let value = child.field("value").filter(|_| child.kind() == "init_declarator");
            value.is_some_and(|value| is_computed(value) || self.is_sure_call(value, text))
        };
        match node.kind() {
            "return_statement" => true,
            "declaration" => !needs_no_code(node.text(text)) && node.elements().into_iter().any(initialises),
            _ => self.is_sure_call(node, text) || inner().is_some_and(computes),
        }
    }

    /// Whether no compiler folds the condition `node`: it has a sure call or changes something, or compares a variable with a
    /// small number. An array is never null, and a bit-field may be too short for a number.
    pub fn is_tested(&self, node: Node<'_>, text: &str) -> bool {
        let changes = |node: Node<'_>| {
            matches!(node.kind(), "update_expression" | "assignment_expression")
                || self.is_sure_call(node, text)
        };
        let is_small = |side: Node<'_>| {
            side.kind() == "number_literal"
                && matches!(side.text(text).parse::<u8>(), Ok(number) if (1..128).contains(&number))
        };
        let is_compared = |operator: Node<'_>| matches!(operator.kind(), "==" | "!=");
        let sides = [node.field("left"), node.field("right")];
        let is_variable =
            |side: Node<'_>| side.kind() == "identifier" && !self.constants.contains(side.text(text));
        let compares = node.field("operator").is_some_and(is_compared)
            && sides.into_iter().flatten().any(is_small)
            && sides.into_iter().flatten().any(is_variable);
        // A part of these may not be evaluated.
        let may_skip = |node: &Node<'_>| {
            let kind = node.kind();
            let is_builtin = kind == "call_expression" && node.text(text).starts_with("__builtin");
            matches!(kind, "conditional_expression" | "compound_statement" | "generic_expression")
                || kind.ends_with("of_expression")
                || is_builtin
                || logical(*node).is_some()
        };
        let parts = node.subtree();
        compares || !parts.iter().any(may_skip) && parts.into_iter().any(changes)
    }

    /// Whether the value of `node` comes from a call that no compiler optimises away: of a function that has its body
    /// here, or one that ends the program.
    fn is_sure_call(&self, node: Node<'_>, text: &str) -> bool {
        let inner = match node.kind() {
            "expression_statement" | "return_statement" | "parenthesized_expression" => node.named_child(0),
            "assignment_expression" => node.field("right"),
            "cast_expression" => node.field("value"),
            "call_expression" => {
                let callee = node.field("function").map(|callee| callee.text(text));
                return callee.is_some_and(|name| {
                    ENDS.contains(&name) || self.functions.contains(name) && !self.special.contains(name)
                });
            }
            _ => None,
        };
        inner.is_some_and(|inner| self.is_sure_call(inner, text))
    }
}

/// The name in the declarator of a function.
fn function_name(declarator: Node<'_>) -> Option<Node<'_>> {
    let functions = declarator.declarators().filter(|node| node.kind() == "function_declarator");
    functions.filter_map(|node| node.field("declarator")).find(|inner| inner.kind() == "identifier")
}
