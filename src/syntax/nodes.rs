//! Short forms for common steps in a syntax tree.

use tree_sitter::Node;

pub(super) trait NodeExt<'t>: Copy {
    fn field(self, name: &str) -> Option<Node<'t>>;

    fn fields(self, name: &str) -> Vec<Node<'t>>;

    /// Its text in `source`.
    fn text(self, source: &str) -> &str;

    /// All children, tokens such as `;` included.
    fn all_children(self) -> Vec<Node<'t>>;

    /// The named children without comments.
    fn elements(self) -> Vec<Node<'t>>;

    /// The parent, if it is of this kind.
    fn parent_of_kind(self, kind: &str) -> Option<Node<'t>>;

    /// Whether its parent has it in the field `name`.
    fn is_field(self, name: &str) -> bool;

    /// The nodes around it, the innermost first.
    fn ancestors(self) -> impl Iterator<Item = Node<'t>>;

    /// The declarator and those inside it, the outermost first.
    fn declarators(self) -> impl Iterator<Item = Node<'t>>;

    /// The name that a declarator declares.
    fn declared_name(self) -> Option<Node<'t>>;

    /// The node and all nodes below it, each before its children, in source order.
    fn subtree(self) -> Vec<Node<'t>> {
        self.subtree_without(|_| false)
    }

    /// The same without the nodes that are `pruned`, and without what is below them.
    fn subtree_without(self, pruned: impl Fn(Node<'t>) -> bool) -> Vec<Node<'t>>;

    /// The expression inside all its parentheses; those of a statement expression are not removed.
    fn without_parentheses(self) -> Node<'t>;
}

impl<'t> NodeExt<'t> for Node<'t> {
    fn field(self, name: &str) -> Option<Node<'t>> {
        self.child_by_field_name(name)
    }

    fn fields(self, name: &str) -> Vec<Node<'t>> {
        self.children_by_field_name(name, &mut self.walk()).collect()
    }

    fn text(self, source: &str) -> &str {
        &source[self.byte_range()]
    }

    fn all_children(self) -> Vec<Node<'t>> {
        self.children(&mut self.walk()).collect()
    }

    fn elements(self) -> Vec<Node<'t>> {
        self.named_children(&mut self.walk()).filter(|child| child.kind() != "comment").collect()
    }

    fn parent_of_kind(self, kind: &str) -> Option<Node<'t>> {
        self.parent().filter(|parent| parent.kind() == kind)
    }

    fn is_field(self, name: &str) -> bool {
        self.parent().is_some_and(|parent| parent.field(name) == Some(self))
    }

    fn ancestors(self) -> impl Iterator<Item = Node<'t>> {
        std::iter::successors(self.parent(), Node::parent)
    }

    fn declarators(self) -> impl Iterator<Item = Node<'t>> {
        std::iter::successors(Some(self), |node| node.field("declarator"))
    }

    fn declared_name(self) -> Option<Node<'t>> {
        let mut at = self;
        while !at.kind().ends_with("identifier") {
            let is_inner = |child: &Node<'t>| {
                child.kind().ends_with("declarator") || child.kind().ends_with("identifier")
            };
            at = at.field("declarator").or_else(|| at.elements().into_iter().find(is_inner))?;
        }
        Some(at)
    }

    fn subtree_without(self, pruned: impl Fn(Node<'t>) -> bool) -> Vec<Node<'t>> {
        let mut found = Vec::new();
        let mut stack = vec![self];
        while let Some(node) = stack.pop() {
            found.push(node);
            stack.extend(node.all_children().into_iter().rev().filter(|child| !pruned(*child)));
        }
        found
    }

    fn without_parentheses(self) -> Node<'t> {
        let mut node = self;
        while node.kind() == "parenthesized_expression" && node.named_child_count() == 1 {
            match node.named_child(0).filter(|inner| inner.kind() != "compound_statement") {
                Some(inner) => node = inner,
                None => return node,
            }
        }
        node
    }
}
