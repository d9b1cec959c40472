//! Decisions: counts how often each combination of outcomes (test vector) of a chain of `&&` and `||` occurred.
//!
//! Counters of single operands do not show combinations, so a chain has a path. The path begins as 1, every evaluated
//! operand appends its outcome as a bit, and at the end of the chain the counter of the path is incremented. The
//! outcomes determine which operand is evaluated next, so a path corresponds to one test vector. The path is a local
//! variable of a statement expression, so recursive calls have separate paths. An evaluation that a jump leaves is not
//! counted; the profilers do the same.

use tree_sitter::Node;

use super::super::boolean::BooleanExpr;
use super::super::nodes::NodeExt;
use super::super::points::{Chain, PointId};
use super::constants::logical;
use super::instrumenter::Instrumenter;
use super::source::COUNTERS;

/// The most operands of a chain whose vectors are counted: clang's limit in its first version.
const MOST_OPERANDS: usize = 6;

impl Instrumenter<'_> {
    /// `a && b` or `a || b` that is no operand of another; its vectors are counted if the caller wants them.
    pub(super) fn chain(&mut self, node: Node<'_>, within: Option<PointId>, depth: u32) -> Option<PointId> {
        let outer = self.chain.take();
        self.chain = if self.with_vectors { self.new_chain(node) } else { None };
        let Some(number) = self.chain else {
            let first = self.logical(node, within, depth);
            self.chain = outer;
            return first;
        };
        let path = path(number);
        self.insert(node.start_byte(), true, format!("({{unsigned {path}=1;int recount_is_{number}=("));
        let first = self.logical(node, within, depth);
        let counter = format!("{COUNTERS}[{}+{path}]++", self.chains[number].first_counter);
        self.insert(node.end_byte(), false, format!(");{counter};recount_is_{number};}})"));
        self.chain = outer;
        first
    }

    /// The number of a new chain for `node`; none if it has too many operands, or no place.
    fn new_chain(&mut self, node: Node<'_>) -> Option<usize> {
        let mut operands = 0;
        let tree = tree(node, &mut operands, MOST_OPERANDS).filter(|_| operands <= MOST_OPERANDS)?;
        let (from, to) = (node.start_position(), node.end_position());
        let start = (self.program.line(from.row)?, self.program.column(from.row, from.column)?);
        let (first_counter, is_on_one_line) = (self.counters, from.row == to.row);
        self.counters += 2 << operands;
        self.chains.push(Chain { tree, operands: Vec::new(), first_counter, start, is_on_one_line });
        Some(self.chains.len() - 1)
    }
}

/// The variable that holds the path of chain `number`.
pub(super) fn path(number: usize) -> String {
    format!("recount_path_{number}")
}

/// How the operands of `node` are joined, from the `next` on; none if a side is missing or an operand is below more
/// than `most` operators: such a chain has too many operands, and may be too deep for the stack.
fn tree(node: Node<'_>, next: &mut usize, most: usize) -> Option<BooleanExpr> {
    let most = most.checked_sub(1)?;
    let Some(inner) = logical(node) else {
        *next += 1;
        return Some(BooleanExpr::Condition(*next - 1));
    };
    let left = Box::new(tree(inner.field("left")?, next, most)?);
    let right = Box::new(tree(inner.field("right")?, next, most)?);
    match inner.field("operator")?.kind() {
        "&&" => Some(BooleanExpr::And(left, right)),
        _ => Some(BooleanExpr::Or(left, right)),
    }
}
