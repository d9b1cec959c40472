//! The identifiers and functions of a text, and where each is used.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;
use tree_sitter::Node;

use super::text::{EditSet, Text, contains};
use crate::syntax::nodes::NodeExt;
use crate::syntax::words::{identifiers, is_word};

/// A function that the text defines with parameters in its parentheses.
pub(super) struct Function<'t> {
    pub(super) node: Node<'t>,
    pub(super) name: &'t str,
    pub(super) parameters: Node<'t>,
    pub(super) body: Node<'t>,
}

pub(super) struct Outline<'t> {
    pub(super) text: &'t Text<'t>,
    pub(super) nodes: Vec<Node<'t>>,
    identifiers: BTreeMap<&'t str, Vec<Node<'t>>>,
    /// Words in macro bodies, in errors and in masked text, about which the tree says nothing.
    pub(super) unparsed: HashSet<&'t str>,
    pub(super) functions: Vec<Function<'t>>,
}

impl<'t> Outline<'t> {
    pub(super) fn of(text: &'t Text<'t>) -> Outline<'t> {
        let nodes = text.nodes();
        let mut identifiers_by_name: BTreeMap<&str, Vec<Node<'_>>> = BTreeMap::new();
        let mut unparsed = HashSet::new();
        for node in &nodes {
            let said = text.of(*node);
            let is_identifier = node.kind() == "identifier";
            if node.is_error() || node.kind() == "preproc_arg" || is_identifier && !said.chars().all(is_word)
            {
                unparsed.extend(identifiers(said).map(|word| &said[word]));
            } else if is_identifier {
                identifiers_by_name.entry(said).or_default().push(*node);
            }
        }
        let functions = nodes.iter().filter_map(|node| function(text, *node)).collect();
        Outline { text, functions, nodes, identifiers: identifiers_by_name, unparsed }
    }

    /// Every identifier `name` in the text.
    pub(super) fn all_named(&self, name: &str) -> &[Node<'t>] {
        self.identifiers.get(name).map_or(&[], Vec::as_slice)
    }

    /// Every identifier `name` inside `scope`.
    pub(super) fn named(&self, name: &str, scope: Node<'_>) -> Vec<Node<'t>> {
        self.all_named(name).iter().copied().filter(|node| contains(scope, *node)).collect()
    }

    /// Whether nothing inside `scope` but its declaration names `name`.
    pub(super) fn is_unused(&self, name: &str, scope: Node<'_>) -> bool {
        self.named(name, scope).len() == 1 && !self.unparsed.contains(name)
    }

    pub(super) fn root(&self) -> Node<'t> {
        self.text.tree.root_node()
    }

    /// The function around `node`, or the whole text.
    pub(super) fn scope(&self, node: Node<'_>) -> Node<'t> {
        let mut functions = self.functions.iter().map(|function| function.node);
        functions.find(|function| contains(*function, node)).unwrap_or(self.root())
    }

    /// The nodes of this kind that the parser understood.
    pub(super) fn of_kind(&self, kind: &str) -> impl Iterator<Item = Node<'t>> {
        self.nodes.iter().copied().filter(move |node| node.kind() == kind && !node.has_error())
    }

    /// The prototypes and the calls of `function`, if its name occurs nowhere else.
    pub(super) fn uses(&self, function: &Function<'t>) -> Option<(Vec<Node<'t>>, Vec<Node<'t>>)> {
        let (mut prototypes, mut calls) = (Vec::new(), Vec::new());
        if self.unparsed.contains(function.name) {
            return None;
        }
        for node in self.all_named(function.name) {
            let parent = node.parent()?;
            match parent.kind() {
                "call_expression" if node.is_field("function") => calls.push(parent),
                "function_declarator" if contains(function.node, *node) => {
                    (function.parameters.parent() == Some(parent)).then_some(())?;
                }
                "function_declarator" => prototypes.push(parent),
                _ => return None,
            }
        }
        Some((prototypes, calls))
    }

    /// The edits that delete the definition of `function` and its prototypes.
    pub(super) fn delete_function(
        &self,
        function: &Function<'t>,
        prototypes: &[Node<'t>],
    ) -> Option<EditSet> {
        let mut edits = vec![self.text.delete_with_line(function.node.byte_range())];
        for prototype in prototypes {
            let declaration = declaration_of(*prototype)?;
            (declaration.fields("declarator").len() == 1 && declaration.kind() == "declaration")
                .then_some(())?;
            edits.push(self.text.delete_with_line(declaration.byte_range()));
        }
        Some(edits)
    }
}

fn function<'t>(text: &'t Text<'t>, node: Node<'t>) -> Option<Function<'t>> {
    if node.kind() != "function_definition" || node.has_error() {
        return None;
    }
    let declarator = node.declarators().find(|inner| inner.kind() == "function_declarator")?;
    let name = declarator.field("declarator").filter(|name| name.kind() == "identifier")?;
    let parameters = declarator.field("parameters")?;
    let is_old_style = parameters.elements().iter().any(|element| element.kind() == "identifier");
    let body = node.field("body")?;
    (!is_old_style).then_some(Function { node, name: text.of(name), parameters, body })
}

/// The parameters of a list; none for `(void)`.
pub(super) fn parameters<'t>(text: &Text<'_>, list: Node<'t>) -> Vec<Node<'t>> {
    let found = list.elements();
    if found.len() == 1 && text.of(found[0]) == "void" { Vec::new() } else { found }
}

/// The declaration that `declarator` belongs to.
pub(super) fn declaration_of(declarator: Node<'_>) -> Option<Node<'_>> {
    declarator.ancestors().find(|node| !node.kind().ends_with("declarator"))
}

/// `expression` in parentheses, unless it can be an operand without them.
pub(super) fn parenthesized(expression: &str) -> String {
    static OPERAND: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"^([\w.]+|"[^"\\]*"|'[^']*'|\([^()]*\))$"#).expect("a constant"));
    if OPERAND.is_match(expression) { expression.into() } else { format!("({expression})") }
}

/// Whether evaluating `node` calls, assigns, increments, or runs statements or assembly.
pub(super) fn has_side_effect(node: Node<'_>) -> bool {
    let acting = ["call_expression", "assignment_expression", "update_expression", "compound_statement"];
    node.subtree().iter().any(|node| acting.contains(&node.kind()) || node.kind().starts_with("gnu_asm"))
}

/// Whether the variable that `node` names may change there.
pub(super) fn may_change(node: Node<'_>) -> bool {
    let mut at = node;
    while let Some(parent) = at.parent() {
        match parent.kind() {
            "assignment_expression" => return at.is_field("left"),
            "update_expression" => return true,
            "pointer_expression" => return parent.child(0).is_some_and(|sign| sign.kind() == "&"),
            "parenthesized_expression" | "field_expression" => {}
            "subscript_expression" if at.is_field("argument") => {}
            kind => return kind.starts_with("gnu_asm"),
        }
        at = parent;
    }
    false
}

/// Whether the identifier `node` is the name in a declarator, not a value.
pub(super) fn is_declared_name(node: Node<'_>) -> bool {
    node.is_field("declarator") || node.parent().is_some_and(|parent| parent.kind() == "declaration")
}
