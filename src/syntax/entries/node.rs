//! A node together with the text that it belongs to.
//!
//! Heads without a return type are parsed a second time, as separate texts. The code that reads a declaration does
//! not need to know which text it comes from.

use tree_sitter::Node;

use super::super::nodes::NodeExt;

/// A text as the parser sees it, and as it is written. Both have the same length.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub seen: &'a str,
    pub written: &'a str,
}

#[derive(Clone, Copy)]
pub struct At<'a> {
    pub node: Node<'a>,
    pub source: Source<'a>,
}

impl<'a> At<'a> {
    pub fn kind(self) -> &'a str {
        self.node.kind()
    }

    /// The text that the parser sees.
    pub fn text(self) -> &'a str {
        self.source.seen.get(self.node.byte_range()).unwrap_or("")
    }

    /// The text as it is written.
    pub fn written(self) -> &'a str {
        self.source.written.get(self.node.byte_range()).unwrap_or("")
    }

    pub fn field(self, name: &str) -> Option<At<'a>> {
        Some(self.with(self.node.child_by_field_name(name)?))
    }

    pub fn fields(self, name: &str) -> Vec<At<'a>> {
        self.node.fields(name).into_iter().map(|node| self.with(node)).collect()
    }

    pub fn children(self) -> Vec<At<'a>> {
        self.node.all_children().into_iter().map(|node| self.with(node)).collect()
    }

    pub fn named(self) -> Vec<At<'a>> {
        self.children().into_iter().filter(|child| child.node.is_named()).collect()
    }

    pub fn parent(self) -> Option<At<'a>> {
        Some(self.with(self.node.parent()?))
    }

    /// The nodes around it, the innermost first.
    pub fn ancestors(self) -> impl Iterator<Item = At<'a>> {
        self.node.ancestors().map(move |node| self.with(node))
    }

    /// Whether this is the field `name` of its parent.
    pub fn is_field(self, name: &str) -> bool {
        self.node.is_field(name)
    }

    /// The operator of an expression; empty if it has none.
    pub fn operator(self) -> &'a str {
        self.field("operator").map_or("", At::text)
    }

    /// The outermost parentheses around this node, or the node.
    pub fn with_parentheses(self) -> At<'a> {
        let around = self.ancestors().take_while(|at| at.kind() == "parenthesized_expression");
        around.last().unwrap_or(self)
    }

    /// This node and its descendants, in source order.
    pub fn all(self) -> Vec<At<'a>> {
        self.node.subtree().into_iter().map(|node| self.with(node)).collect()
    }

    /// `node` of the same text.
    pub fn with(self, node: Node<'a>) -> At<'a> {
        At { node, source: self.source }
    }
}
