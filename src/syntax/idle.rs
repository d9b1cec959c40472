//! Code that changes nothing.

use tree_sitter::Node;

use super::nodes::NodeExt;
use super::program::Program;
use crate::model::Line;

/// Whether `node` itself, and not a part of it, may change something.
pub(super) fn acts(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "call_expression" | "assignment_expression" | "update_expression" | "gnu_asm_expression"
    )
}

/// Whether the statement `node` changes nothing: it has no call, assignment, assembly or other statement.
pub(super) fn is_idle(node: Node<'_>) -> bool {
    let mut stack = vec![node];
    while let Some(node) = stack.pop() {
        if acts(node) || node.kind() == "compound_statement" {
            return false;
        }
        let is_sizeof =
            matches!(node.kind(), "sizeof_expression" | "alignof_expression" | "offsetof_expression");
        stack.extend(node.elements().into_iter().filter(|_| !is_sizeof));
    }
    true
}

impl Program {
    /// The first line of the innermost arm of an `if` with code on `line` that changes nothing: it has tests and empty statements
    /// only.
    pub fn idle_arm(&self, line: Line) -> Option<Line> {
        let is_of_other_kind = |node: &Node<'_>| {
            node.kind() == "declaration"
                || node.kind().ends_with("_statement")
                    && !matches!(node.kind(), "if_statement" | "compound_statement" | "expression_statement")
        };
        let is_arm = |node: &Node<'_>| {
            node.kind() == "else_clause"
                || node.is_field("consequence")
                    && node.parent().is_some_and(|outer| outer.kind() == "if_statement")
        };
        let arms = self.tree.root_node().subtree().into_iter().filter(is_arm);
        let idle = arms.filter(|arm| !arm.subtree().iter().any(|node| acts(*node) || is_of_other_kind(node)));
        let lines = idle.map(|arm| (self.line_of(arm.start_byte()), self.line_of(arm.end_byte() - 1)));
        lines.filter(|(first, last)| (*first..=*last).contains(&line)).map(|(first, _)| first).max()
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::Program;

    #[test]
    fn only_an_arm_without_effects_is_idle() {
        let text = "void f(int a) {\n  if (a)\n    g();\n  else if (a > 2 && a < 5) {\n  }\n  if (a) g();\n  else if (g()) return;\n  else ;\n  if (a) g();\n  else asm(\"\");\n  if (a)\n    a || n;\n}\n";
        let program = Program::parse(text.into());
        assert_eq!(
            [2, 3, 4, 5, 7, 8, 10, 12].map(|line| program.idle_arm(line)),
            [None, None, Some(4), Some(4), None, Some(8), None, Some(12)]
        );
    }
}
