//! Code that changes nothing.

use tree_sitter::Node;

use super::nodes::NodeExt;
use super::program::Program;
use crate::model::Line;

impl Program {
    /// The first line of the innermost `else` arm with code on `line` that changes nothing: it has tests and empty statements only.
    pub fn idle_else(&self, line: Line) -> Option<Line> {
        let acts = |node: &Node<'_>| {
            matches!(
                node.kind(),
                "call_expression" | "assignment_expression" | "update_expression" | "declaration"
            ) || node.kind().ends_with("_statement")
                && !matches!(node.kind(), "if_statement" | "compound_statement" | "expression_statement")
        };
        let arms = self.tree.root_node().subtree().into_iter().filter(|node| node.kind() == "else_clause");
        let idle = arms.filter(|arm| !arm.subtree().iter().any(acts));
        let lines = idle.map(|arm| (self.line_of(arm.start_byte()), self.line_of(arm.end_byte() - 1)));
        lines.filter(|(first, last)| (*first..=*last).contains(&line)).map(|(first, _)| first).max()
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::Program;

    #[test]
    fn only_an_else_without_effects_is_idle() {
        let text = "void f(int a) {\n  if (a)\n    g();\n  else if (a > 2 && a < 5) {\n  }\n  if (a) g();\n  else if (g()) {}\n  else ;\n}\n";
        let program = Program::parse(text.into());
        assert_eq!(
            [2, 4, 5, 7, 8].map(|line| program.idle_else(line)),
            [None, Some(4), Some(4), None, Some(8)]
        );
    }
}
