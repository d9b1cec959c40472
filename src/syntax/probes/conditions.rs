//! Decisions and their conditions.
//!
//! A condition `a < b` becomes a statement expression that evaluates `a` and `b` once, in order, into variables of
//! their own types, reports both, and compares the variables. Literals are not copied into variables, so that a null
//! pointer constant remains one.
//!
//! In a chain of `&&` and `||`, all conditions without side effects are also evaluated before the chain, whether or not
//! their turn comes. These are called shadows; they show the distance of conditions that the chain skips.

use std::fmt::Write;

use tree_sitter::Node;

use super::super::boolean::BooleanExpr;
use super::super::nodes::NodeExt;
use super::inserter::ProbeInserter;
use super::{Comparison, Condition, Decision};

/// The kinds of visit that a condition reports, as the harness numbers them.
const CONDITION: u8 = 0;
const SHADOW: u8 = 1;

/// The conditions of a decision, each with its number.
type Leaves<'n> = Vec<(usize, Node<'n>)>;

/// The operands of a condition; one that is not a comparison has no right side and is compared with 0.
#[derive(Clone, Copy)]
struct Operands<'n> {
    comparison: Comparison,
    left: Node<'n>,
    right: Option<Node<'n>>,
}

/// Whether `node` is a literal or a null pointer, which may occur in the text twice.
fn is_literal(node: Node<'_>) -> bool {
    match node.kind() {
        "number_literal" | "char_literal" | "true" | "false" | "null" => true,
        "parenthesized_expression" => {
            node.named_child_count() == 1 && node.named_child(0).is_some_and(is_literal)
        }
        "unary_expression" => node.field("argument").is_some_and(is_literal),
        "cast_expression" => node.field("value").is_some_and(is_literal),
        _ => false,
    }
}

/// The report of condition `id`, whose value is that of the comparison.
fn visit(id: usize, kind: u8, comparison: Comparison, left: &str, right: &str) -> String {
    format!(" RECOUNT_VISIT({id}, {kind}, {left}, {right}, {left} {} {right}); }})", comparison.name())
}

impl ProbeInserter<'_> {
    pub(super) fn decision(&mut self, node: Node<'_>, is_returned: bool) {
        let is_parenthesised = node.kind() == "parenthesized_expression";
        let whole = node.named_child(0).filter(|_| is_parenthesised).unwrap_or(node);
        if is_literal(whole) || whole.kind() == "compound_statement" || whole.is_error() {
            return self.node(whole);
        }
        let id = self.probes.decisions.len();
        self.probes.decisions.push(Decision { tree: BooleanExpr::Condition(0), is_returned });
        let mark = self.inserts.len();
        let mut leaves = Leaves::new();
        self.probes.decisions[id].tree = self.tree(whole, id, &mut leaves);
        let pure = leaves.iter().filter(|(_, leaf)| self.purity.is_pure(*leaf));
        let shadows: Vec<String> = pure.map(|(condition, leaf)| self.shadow(*condition, *leaf)).collect();
        if leaves.len() > 1 && !shadows.is_empty() {
            let shadows = format!(
                "((recount_setjmp(recount_shadow_begin()) == 0 ? ({}, 0) : 0), recount_shadow_end(), \
                 recount_visit({id}, 2, 0, 0, 0, 0, 0), ",
                shadows.join(", ")
            );
            // Before everything that was inserted at the same place since then.
            self.inserts.insert(mark, (whole.start_byte(), true, shadows));
            self.close(whole.end_byte(), ")");
        }
    }

    /// Probe the conditions of `node`, and add each with its node to `leaves`.
    fn tree<'n>(&mut self, node: Node<'n>, decision: usize, leaves: &mut Leaves<'n>) -> BooleanExpr {
        let inner = node.without_parentheses();
        let field = |name| inner.field(name);
        if self.is_chain(inner)
            && let (Some(left), Some(right)) = (field("left"), field("right"))
        {
            let is_and = self.operator(inner) == "&&";
            let left = Box::new(self.tree(left, decision, leaves));
            let right = Box::new(self.tree(right, decision, leaves));
            return if is_and { BooleanExpr::And(left, right) } else { BooleanExpr::Or(left, right) };
        }
        if inner.kind() == "unary_expression"
            && self.operator(inner) == "!"
            && let Some(argument) = field("argument")
        {
            return BooleanExpr::Not(Box::new(self.tree(argument, decision, leaves)));
        }
        if let Some(argument) = self.expected(inner) {
            return self.tree(argument, decision, leaves);
        }
        let condition = self.condition(inner, decision);
        leaves.push((condition, inner));
        BooleanExpr::Condition(condition)
    }

    /// The first argument of a call of `__builtin_expect`.
    fn expected<'n>(&self, node: Node<'n>) -> Option<Node<'n>> {
        let called = node.field("function").filter(|_| node.kind() == "call_expression")?;
        node.field("arguments")
            .filter(|_| called.text(&self.program.text) == "__builtin_expect")?
            .named_child(0)
    }

    fn operands<'n>(&self, node: Node<'n>) -> Operands<'n> {
        let comparison =
            Comparison::from_operator(self.operator(node)).filter(|_| node.kind() == "binary_expression");
        match (comparison, node.field("left"), node.field("right")) {
            (Some(comparison), Some(left), right @ Some(_)) => Operands { comparison, left, right },
            _ => Operands { comparison: Comparison::Unequal, left: node, right: None },
        }
    }

    fn condition(&mut self, node: Node<'_>, decision: usize) -> usize {
        let id = self.probes.conditions.len();
        let operands = self.operands(node);
        // Line markers of the preprocessor may be in between.
        let rows = node.text(&self.program.text).lines().filter(|row| !row.starts_with('#'));
        let text = rows.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
        let (comparison, line) = (operands.comparison, self.line(node));
        self.probes.conditions.push(Condition { comparison, line, text, decision });
        self.report(id, node, operands);
        id
    }

    /// Make condition `id` report its operands.
    fn report(&mut self, id: usize, node: Node<'_>, Operands { comparison, left, right }: Operands<'_>) {
        let is_zero = |node: Node<'_>| node.without_parentheses().text(&self.program.text) == "0";
        // The operands of `|` report too where the condition compares with 0.
        let in_parts =
            |other: Option<Node<'_>>| (comparison.is_equality() && other.is_none_or(is_zero)).then_some(id);
        let literal = |node: Node<'_>| format!("({})", node.text(&self.program.text));
        let (start, end) = (node.start_byte(), node.end_byte());
        self.open(start, "({ ");
        let report = match right {
            None => {
                self.variable("recount_l", left, Some(id));
                visit(id, CONDITION, comparison, "recount_l", "0")
            }
            Some(right) if is_literal(left) => {
                let (text, parts) = (literal(left), in_parts(Some(left)));
                self.remove(left.start_byte()..right.start_byte());
                self.variable("recount_r", right, parts);
                visit(id, CONDITION, comparison, &text, "recount_r")
            }
            Some(right) if is_literal(right) => {
                let (text, parts) = (literal(right), in_parts(Some(right)));
                self.variable("recount_l", left, parts);
                self.remove(left.end_byte()..end);
                visit(id, CONDITION, comparison, "recount_l", &text)
            }
            Some(right) => {
                self.variable("recount_l", left, None);
                self.remove(left.end_byte()..right.start_byte());
                self.variable("recount_r", right, None);
                visit(id, CONDITION, comparison, "recount_l", "recount_r")
            }
        };
        self.close(end, report);
    }

    /// Make `node` the initialiser of the variable `name`; `in_parts` is the condition for which the operands of `|` report.
    fn variable(&mut self, name: &str, node: Node<'_>, in_parts: Option<usize>) {
        self.open(node.start_byte(), format!("__auto_type {name} = (0,("));
        match in_parts {
            Some(condition) => self.parts(node.without_parentheses(), condition),
            None => self.node(node),
        }
        self.close(node.end_byte(), "));");
    }

    /// Make the operands of `p | q` in condition `id` report.
    fn parts(&mut self, node: Node<'_>, id: usize) {
        let mut operands = Vec::new();
        let mut at = node;
        while at.kind() == "binary_expression" && self.operator(at) == "|" {
            let (Some(left), Some(right)) = (at.field("left"), at.field("right")) else {
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
        self.open(node.start_byte(), "({ ");
        let names: Vec<String> = (0..operands.len()).map(|n| format!("recount_p{n}")).collect();
        for (operand, name) in operands.iter().zip(&names) {
            self.variable(name, *operand, None);
        }
        for pair in operands.windows(2) {
            self.remove(pair[0].end_byte()..pair[1].start_byte());
        }
        let mut tail = String::new();
        for name in &names {
            let _ = write!(tail, " recount_visit({id}, 3, 0, 0, RECOUNT_BITS({name}), 0, 0);");
        }
        self.close(node.end_byte(), format!("{tail} {}; }})", names.join(" | ")));
    }

    /// The shadow of condition `id`: a copy that has no probes of its own.
    fn shadow(&self, id: usize, node: Node<'_>) -> String {
        let Operands { comparison, left, right } = self.operands(node);
        let mut text = String::from("({ ");
        let mut operand = |name: &str, node: Node<'_>, is_literal: bool| {
            if is_literal {
                return format!("({})", node.text(&self.program.text));
            }
            let _ = write!(text, "__auto_type {name} = (0,({})); ", node.text(&self.program.text));
            name.to_string()
        };
        let left = operand("recount_l", left, right.is_some() && is_literal(left));
        let right = right.map_or("0".to_string(), |right| operand("recount_r", right, is_literal(right)));
        text + &visit(id, SHADOW, comparison, &left, &right)
    }
}
