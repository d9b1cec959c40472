//! A decision and its conditions: what each becomes.

use std::fmt::Write;

use tree_sitter::Node;

use super::weave::Weaver;
use super::{BooleanExpr, Comparison, Condition, Decision};

/// Whether `node` is a literal, or a null pointer: it may stand in the text twice.
fn is_literal(node: Node<'_>) -> bool {
    match node.kind() {
        "number_literal" | "char_literal" | "true" | "false" | "null" => true,
        "parenthesized_expression" => {
            node.named_child_count() == 1 && node.named_child(0).is_some_and(is_literal)
        }
        "unary_expression" => node.child_by_field_name("argument").is_some_and(is_literal),
        "cast_expression" => node.child_by_field_name("value").is_some_and(is_literal),
        _ => false,
    }
}

/// `node` without its parentheses.
pub(super) fn bare(mut node: Node<'_>) -> Node<'_> {
    while node.kind() == "parenthesized_expression" && node.named_child_count() == 1 {
        match node.named_child(0).filter(|inner| inner.kind() != "compound_statement") {
            Some(inner) => node = inner,
            None => return node,
        }
    }
    node
}

impl Weaver<'_> {
    pub(super) fn decision(&mut self, node: Node<'_>, returned: bool) {
        let whole = if node.kind() == "parenthesized_expression" {
            node.named_child(0).unwrap_or(node)
        } else {
            node
        };
        if is_literal(whole) || whole.kind() == "compound_statement" || whole.is_error() {
            return self.node(whole);
        }
        let id = self.probes.decisions.len();
        self.probes.decisions.push(Decision { tree: BooleanExpr::Condition(0), returned });
        let at = self.inserts.len();
        let mut leaves = Vec::new();
        let tree = self.tree(whole, id, &mut leaves);
        self.probes.decisions[id].tree = tree;
        let pure: Vec<String> = leaves
            .iter()
            .filter(|(_, leaf)| self.purity.is_pure(*leaf))
            .map(|(condition, leaf)| self.shadow(*condition, *leaf))
            .collect();
        if leaves.len() > 1 && !pure.is_empty() {
            let shadows = format!(
                "((recount_setjmp(recount_shadow_begin()) == 0 ? ({}, 0) : 0), recount_shadow_end(), \
                 recount_visit({id}, 2, 0, 0, 0, 0, 0), ",
                pure.join(", ")
            );
            // In front of what its own conditions put at the same place.
            self.inserts.insert(at, (whole.start_byte(), true, shadows));
            self.close(whole.end_byte(), ")".into());
        }
    }

    /// Probe the conditions of `node`; `leaves` receives each with its node.
    fn tree<'n>(
        &mut self,
        node: Node<'n>,
        decision: usize,
        leaves: &mut Vec<(usize, Node<'n>)>,
    ) -> BooleanExpr {
        let inner = bare(node);
        let side = |name| inner.child_by_field_name(name);
        if self.is_chain(inner)
            && let (Some(left), Some(right)) = (side("left"), side("right"))
        {
            let is_and = self.operator(inner) == "&&";
            let left = Box::new(self.tree(left, decision, leaves));
            let right = Box::new(self.tree(right, decision, leaves));
            return if is_and { BooleanExpr::And(left, right) } else { BooleanExpr::Or(left, right) };
        }
        if inner.kind() == "unary_expression"
            && self.operator(inner) == "!"
            && let Some(argument) = side("argument")
        {
            return BooleanExpr::Not(Box::new(self.tree(argument, decision, leaves)));
        }
        if let Some(argument) = self.expected(inner) {
            return self.tree(argument, decision, leaves);
        }
        let condition = self.leaf(inner, decision);
        leaves.push((condition, inner));
        BooleanExpr::Condition(condition)
    }

    /// What `__builtin_expect(…, 0)` is about.
    fn expected<'n>(&self, node: Node<'n>) -> Option<Node<'n>> {
        let called = node.child_by_field_name("function").filter(|_| node.kind() == "call_expression")?;
        if self.text(called) != "__builtin_expect" {
            return None;
        }
        node.child_by_field_name("arguments")?.named_child(0)
    }

    /// The sides of `node`, if it compares.
    fn compared<'n>(&self, node: Node<'n>) -> Option<(Comparison, Node<'n>, Node<'n>)> {
        let comparison =
            Comparison::read(self.operator(node)).filter(|_| node.kind() == "binary_expression")?;
        Some((comparison, node.child_by_field_name("left")?, node.child_by_field_name("right")?))
    }

    fn leaf(&mut self, node: Node<'_>, decision: usize) -> usize {
        let id = self.probes.conditions.len();
        let compared = self.compared(node);
        // Markers of the preprocessor may stand in between.
        let rows = self.program.text[node.byte_range()].lines().filter(|row| !row.starts_with('#'));
        let words: Vec<&str> = rows.flat_map(str::split_whitespace).collect();
        let text = words.join(" ");
        self.probes.conditions.push(Condition {
            comparison: compared.map_or(Comparison::Unequal, |(comparison, ..)| comparison),
            line: self.program.line(node.start_position().row).unwrap_or(0),
            text,
            decision,
        });
        if let Some((comparison, left, right)) = compared {
            self.comparison(id, comparison, left, right);
        } else {
            self.operand(node, "recount_l", Some(id));
            let tail = format!(" RECOUNT_VISIT({id}, 0, recount_l, 0, recount_l != 0); }})");
            self.close(node.end_byte(), tail);
        }
        id
    }

    /// Make `node` the initialiser of a variable.
    fn operand(&mut self, node: Node<'_>, name: &str, in_parts: Option<usize>) {
        let opening = if name == "recount_r" { "" } else { "({ " };
        self.open(node.start_byte(), format!("{opening}__auto_type {name} = (0,("));
        match in_parts {
            Some(condition) => self.parts(bare(node), condition),
            None => self.node(node),
        }
        self.close(node.end_byte(), "));".into());
    }

    fn comparison(&mut self, id: usize, comparison: Comparison, left: Node<'_>, right: Node<'_>) {
        let is_zero = |node: Node<'_>| matches!(self.text(bare(node)), "0");
        let equality = matches!(comparison, Comparison::Equal | Comparison::Unequal);
        let (left_zero, right_zero) = (is_zero(left), is_zero(right));
        let operator = comparison.spelt();
        let (start, end) = (left.start_byte(), right.end_byte());
        let literal = |node: Node<'_>| format!("({})", &self.program.text[node.byte_range()]);
        if is_literal(right) && !is_literal(left) {
            let right_text = literal(right);
            self.operand(left, "recount_l", (equality && right_zero).then_some(id));
            self.cuts.push(left.end_byte()..end);
            self.close(
                end,
                format!(
                    " RECOUNT_VISIT({id}, 0, recount_l, {right_text}, recount_l {operator} {right_text}); }})"
                ),
            );
        } else if is_literal(left) {
            let left_text = literal(left);
            self.cuts.push(start..right.start_byte());
            self.open(start, "({ ".into());
            self.operand(right, "recount_r", (equality && left_zero).then_some(id));
            self.close(
                end,
                format!(
                    " RECOUNT_VISIT({id}, 0, {left_text}, recount_r, {left_text} {operator} recount_r); }})"
                ),
            );
        } else {
            self.operand(left, "recount_l", None);
            self.cuts.push(left.end_byte()..right.start_byte());
            self.operand(right, "recount_r", None);
            self.close(
                end,
                format!(" RECOUNT_VISIT({id}, 0, recount_l, recount_r, recount_l {operator} recount_r); }})"),
            );
        }
    }

    /// `p | q` of condition `id`, each of whose operands reports.
    fn parts(&mut self, node: Node<'_>, id: usize) {
        let mut operands = Vec::new();
        let mut at = node;
        while at.kind() == "binary_expression" && self.operator(at) == "|" {
            let (Some(left), Some(right)) = (at.child_by_field_name("left"), at.child_by_field_name("right"))
            else {
                return;
            };
            operands.push(right);
            at = left;
        }
        if operands.is_empty() {
            return self.node(node);
        }
        operands.push(at);
        operands.reverse();
        self.open(node.start_byte(), "({ ".into());
        for (n, operand) in operands.iter().enumerate() {
            self.open(operand.start_byte(), format!("__auto_type recount_p{n} = (0,("));
            self.node(*operand);
            self.close(operand.end_byte(), "));".into());
            if let Some(next) = operands.get(n + 1) {
                self.cuts.push(operand.end_byte()..next.start_byte());
            }
        }
        let mut tail = String::new();
        for n in 0..operands.len() {
            let _ = write!(tail, " recount_visit({id}, 3, 0, 0, RECOUNT_BITS(recount_p{n}), 0, 0);");
        }
        let names: Vec<String> = (0..operands.len()).map(|n| format!("recount_p{n}")).collect();
        let _ = write!(tail, " {}; }})", names.join(" | "));
        self.close(node.end_byte(), tail);
    }

    /// What condition `id` would say, out of turn; its text is the program's own.
    fn shadow(&self, id: usize, node: Node<'_>) -> String {
        let text = |node: Node<'_>| self.text(node);
        let variable = |name: &str, node: Node<'_>| format!("__auto_type {name} = (0,({}));", text(node));
        let Some((comparison, left, right)) = self.compared(node) else {
            let l = variable("recount_l", node);
            return format!("({{ {l} RECOUNT_VISIT({id}, 1, recount_l, 0, recount_l != 0); }})");
        };
        let operator = comparison.spelt();
        let side = |name: &str, node: Node<'_>| {
            if is_literal(node) {
                (String::new(), format!("({})", text(node)))
            } else {
                (variable(name, node), name.to_string())
            }
        };
        let ((l, l_name), (r, r_name)) = (side("recount_l", left), side("recount_r", right));
        format!("({{ {l} {r} RECOUNT_VISIT({id}, 1, {l_name}, {r_name}, {l_name} {operator} {r_name}); }})")
    }
}
