//! Decisions: counts how often each combination of outcomes (test vector) of a chain of `&&` and `||` occurred.
//!
//! Counters of single operands do not show combinations, so a chain has a path. The path begins as 0, every operand that is
//! false adds its step, and at the end of the chain the counter of the path is incremented. The outcomes determine which
//! operand is evaluated next, so a path corresponds to one test vector. The path is a local variable of a statement
//! expression, so recursive calls have separate paths. An evaluation that a jump leaves is not counted; the profilers do the
//! same.

use tree_sitter::Node;

use super::super::boolean::BooleanExpr;
use super::super::chain::Chain;
use super::super::nodes::NodeExt;
use super::super::points::PointId;
use super::constants::{expected_part, inverted, is_chain, is_not, logical};
use super::instrumenter::Instrumenter;
use super::source::COUNTERS;

/// The most paths of a chain whose vectors are counted: each has a counter. With operators of one kind, it has one path more than
/// operands; `(a || b) && (c || d) && …` has the most.
const MOST_PATHS: u32 = 1 << 13;

/// The most operators around an operand of a chain whose vectors are counted.
const MOST_OPERATORS: usize = 64;

/// Parts of the names of functions that return twice.
const RETURN_TWICE: [&str; 4] = ["setjmp", "getcontext", "vfork", "savectx"];

impl Instrumenter<'_> {
    /// `a && b` or `a || b`. Its vectors are counted if the caller wants them, and if it is no part of a chain whose vectors
    /// are; `is_condition` says that it is the whole condition of a statement or of `?:`.
    pub(super) fn chain(
        &mut self,
        node: Node<'_>,
        within: Option<PointId>,
        is_condition: bool,
        depth: u32,
    ) -> Option<PointId> {
        if self.is_in_chain {
            return self.logical(node, within, depth);
        }
        let number = if self.with_vectors { self.new_chain(node, is_condition) } else { None };
        (self.chain, self.is_in_chain) = (number, true);
        self.chain_depth += 1;
        self.all_chains += 1;
        let before = self.all_chains;
        if let Some(number) = number {
            let path = path(number);
            self.insert(node.start_byte(), true, format!("({{unsigned {path}=0;int recount_is_{number}=("));
        }
        let first = self.logical(node, within, depth);
        if let Some(number) = number {
            let counter = format!("{COUNTERS}[{}+{}]++", self.chains[number].first_counter, path(number));
            self.insert(node.end_byte(), false, format!(");{counter};recount_is_{number};}})"));
            // One may be in an operand of `sizeof`.
            let is_operator =
                |part: &Node<'_>| part.kind() == "binary_expression" && logical(*part).is_some();
            let operators = node.subtree().into_iter().filter(is_operator).count();
            let is_around = operators >= self.chains[number].operands.len();
            let is_beside = self.chain_depth > 1 || self.all_chains > before || is_around;
            let mut parts = node.subtree().into_iter();
            self.chains[number].is_nested =
                is_beside || parts.any(|part| expected_part(part, self.masked).is_some());
        }
        (self.chain, self.is_in_chain) = (None, false);
        self.chain_depth -= 1;
        first
    }

    /// The number of a new chain for `node`; none if it has too many paths, or no place, or if control may return to the
    /// middle of it, where the path has more outcomes than the evaluation.
    fn new_chain(&mut self, node: Node<'_>, is_condition: bool) -> Option<usize> {
        let text = node.text(self.masked);
        if RETURN_TWICE.iter().any(|name| text.contains(name)) || self.masked.contains("returns_twice") {
            return None;
        }
        let mut operands = 0;
        let tree = tree(node, self.masked, &mut operands, MOST_OPERATORS)?;
        let (steps, paths) = tree.path_steps(MOST_PATHS)?;
        // The parentheses around it do not belong to it.
        let inner = logical(node)?;
        let line = self.program.line(inner.start_position().row)?;
        let offset = self.expression_start(inner);
        let first_counter = self.counters;
        self.counters += paths;
        self.chains.push(Chain {
            tree,
            operands: Vec::new(),
            first_counter,
            paths,
            steps,
            line,
            offset,
            is_condition,
            has_prefix: self.plain.start(inner.start_byte()) < inner.start_byte(),
            is_nested: false,
        });
        Some(self.chains.len() - 1)
    }
}

/// The variable that holds the path of chain `number`.
pub(super) fn path(number: usize) -> String {
    format!("recount_path_{number}")
}

/// How the operands of `node` are joined, from the `next` on; none if a side is missing or an operand is below more
/// than `most` operators: such a chain may be too deep for the stack.
fn tree(node: Node<'_>, text: &str, next: &mut usize, most: usize) -> Option<BooleanExpr> {
    let most = most.checked_sub(1)?;
    let Some(inner) = logical(node) else {
        let (part, is_opposite) = if is_chain(node) {
            (inverted(node)?, is_not(node))
        } else if let Some(part) = expected_part(node, text) {
            part
        } else {
            *next += 1;
            return Some(BooleanExpr::Condition(*next - 1));
        };
        let part = tree(part, text, next, most)?;
        return Some(if is_opposite { BooleanExpr::Not(Box::new(part)) } else { part });
    };
    let left = Box::new(tree(inner.field("left")?, text, next, most)?);
    let right = Box::new(tree(inner.field("right")?, text, next, most)?);
    match inner.field("operator")?.kind() {
        "&&" => Some(BooleanExpr::And(left, right)),
        _ => Some(BooleanExpr::Or(left, right)),
    }
}
