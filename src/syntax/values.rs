//! Expressions: those whose value is used once and unchanged, so that they may be put into parentheses or a statement
//! expression, and lists of values.

use std::ops::Range;

use tree_sitter::Node;

use super::Program;
use super::nodes::NodeExt;

/// The right sides of assignments that are statements, the values of returns, and the conditions of `if` and `while`
/// without their parentheses, in source order. Constants are left out, since a constant 0 may be a null pointer.
pub fn values(program: &Program) -> Vec<Range<usize>> {
    let nodes = program.tree.root_node().subtree().into_iter();
    let found = nodes.filter(|node| !node.has_error()).filter_map(value).map(|node| node.byte_range());
    let mut found: Vec<Range<usize>> =
        found.filter(|range| is_computed(&program.source[range.clone()])).collect();
    found.sort_by_key(|range| range.start);
    found
}

/// The expression whose value `node` uses.
fn value(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "expression_statement" => {
            let assignment = node.named_child(0).filter(|child| child.kind() == "assignment_expression")?;
            let operator = assignment.field("operator")?;
            assignment.field("right").filter(|_| operator.kind() == "=")
        }
        "return_statement" => node.named_child(0),
        "if_statement" | "while_statement" => {
            let condition = node.field("condition")?;
            (condition.kind() == "parenthesized_expression").then(|| condition.named_child(0)).flatten()
        }
        _ => None,
    }
    .filter(|found| !matches!(found.kind(), "comma_expression" | "initializer_list" | "comment"))
}

/// Whether `text` contains a name and an operator, or a call.
fn is_computed(text: &str) -> bool {
    let has_name = text.starts_with(|c: char| c.is_alphabetic() || c == '_') || text.contains(' ');
    has_name
        && text.contains(['(', '+', '-', '*', '<', '>', '=', '&', '|', '['])
        && !text.contains(['"', '#', '{'])
}

/// The lists in braces with which functions initialise their variables, in source order.
pub fn local_lists(program: &Program) -> Vec<Range<usize>> {
    let is_local = |node: &Node<'_>| {
        node.kind() == "init_declarator"
            && program.functions.iter().any(|function| function.range.contains(&node.start_byte()))
    };
    let declarators = program.tree.root_node().subtree().into_iter().filter(is_local);
    let values = declarators.filter_map(|declarator| declarator.field("value"));
    values.filter(|value| value.kind() == "initializer_list").map(|list| list.byte_range()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_of_local_variables_are_found() {
        let source = "int a[] = {1};\nint f(void) {\n  int b[] = {2}, c = 3, d[1] = {[0] = ({ int e[] = {4}; e[0]; })};\n  \
                      return b[0] + c + d[0];\n}\n";
        let program = Program::parse(source.into());
        let mut texts: Vec<&str> = local_lists(&program).into_iter().map(|range| &source[range]).collect();
        texts.sort_unstable();
        assert_eq!(texts, ["{2}", "{4}", "{[0] = ({ int e[] = {4}; e[0]; })}"]);
    }

    #[test]
    fn computed_values_that_are_used_once_are_found() {
        let source = "int f(int *p, int x) {\n  p = 0;\n  x = g(x) + 1;\n  x += h(x);\n  if (x < 3)\n    return x + 1;\n  \
                      while ((x > 4)) k(x = x - 1);\n  return 0;\n}\n";
        let program = Program::parse(source.into());
        let texts: Vec<&str> = values(&program).into_iter().map(|range| &source[range]).collect();
        assert_eq!(texts, ["g(x) + 1", "x < 3", "x + 1", "(x > 4)"]);
    }
}
