//! A node together with the text that it belongs to.
//!
//! Heads without a return type are parsed a second time, as separate texts. The code that reads a declaration does
//! not need to know which text it comes from.

use tree_sitter::Node;

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
        let mut cursor = self.node.walk();
        let found: Vec<Node<'a>> = self.node.children_by_field_name(name, &mut cursor).collect();
        found.into_iter().map(|node| self.with(node)).collect()
    }

    pub fn children(self) -> Vec<At<'a>> {
        let mut cursor = self.node.walk();
        let found: Vec<Node<'a>> = self.node.children(&mut cursor).collect();
        found.into_iter().map(|node| self.with(node)).collect()
    }

    pub fn named(self) -> Vec<At<'a>> {
        self.children().into_iter().filter(|child| child.node.is_named()).collect()
    }

    pub fn parent(self) -> Option<At<'a>> {
        Some(self.with(self.node.parent()?))
    }

    /// Whether this is the field `name` of its parent.
    pub fn is_field(self, name: &str) -> bool {
        self.parent().and_then(|parent| parent.field(name)).is_some_and(|field| field.node == self.node)
    }

    /// The operator of an expression; empty if it has none.
    pub fn operator(self) -> &'a str {
        self.field("operator").map_or("", At::text)
    }

    /// The outermost parentheses around this node, or the node.
    pub fn with_parentheses(self) -> At<'a> {
        let mut at = self;
        while let Some(parent) = at.parent().filter(|parent| parent.kind() == "parenthesized_expression") {
            at = parent;
        }
        at
    }

    /// This node and its descendants in source order, except for the descendants of nodes of the kind `closed`.
    pub fn all(self, closed: &str) -> Vec<At<'a>> {
        let mut found = Vec::new();
        let mut stack = vec![self];
        while let Some(at) = stack.pop() {
            found.push(at);
            if at.kind() != closed {
                stack.extend(at.children().into_iter().rev());
            }
        }
        found
    }

    fn with(self, node: Node<'a>) -> At<'a> {
        At { node, source: self.source }
    }
}

/// `text` on one line, with single spaces.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
