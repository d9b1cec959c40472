//! Decisions: which operands of a chain of `&&` and `||` were evaluated together, and to what.
//!
//! The counters of operands do not say that. So a chain carries a path: it begins as 1, and every
//! operand that is evaluated puts its outcome behind it as a bit; at the chain's end the counter of that
//! path goes up. Operands are evaluated in one order, which their outcomes decide, so a path is a test
//! vector. It is a local variable of a statement expression: what calls itself has a path of its own each
//! time, and what is left by a jump has none, as in the profilers.

use tree_sitter::Node;

use super::super::boolean::BooleanExpr;
use super::super::points::{Chain, PointId};
use super::constants::logical;
use super::{COUNTERS, Weaver};

/// Operands of a chain that is followed: clang's own limit in its first version.
const MOST: usize = 6;

impl Weaver<'_> {
    /// `a && b` or `a || b` that is no operand of another; followed, where that is asked for.
    pub(super) fn chain(&mut self, node: Node<'_>, within: Option<PointId>, depth: u32) -> Option<PointId> {
        let around = self.path.take();
        let followed = if self.follows { self.begun(node) } else { None };
        self.path = followed;
        if let Some(number) = followed {
            let opening = format!("({{unsigned {0}=1;int recount_is_{number}=(", path(number));
            self.insert(node.start_byte(), true, opening);
        }
        let first = self.logical(node, within, depth);
        if let Some(number) = followed {
            let counter = format!("{COUNTERS}[{}+{}]++", self.chains[number].slot, path(number));
            self.insert(node.end_byte(), false, format!(");{counter};recount_is_{number};}})"));
        }
        self.path = around;
        first
    }

    /// The number of a new chain, which is `node`; none where it has too many operands, or no place.
    fn begun(&mut self, node: Node<'_>) -> Option<usize> {
        let mut operands = 0;
        let tree = tree(node, &mut operands).filter(|_| operands <= MOST)?;
        let (from, to) = (node.start_position(), node.end_position());
        let start = (self.program.line(from.row)?, self.program.column(from.row, from.column)?);
        let (slot, is_on_one_line) = (self.slots, from.row == to.row);
        self.slots += 2 << operands;
        self.chains.push(Chain { tree, operands: Vec::new(), slot, start, is_on_one_line });
        Some(self.chains.len() - 1)
    }
}

/// The variable that holds the path of chain `number`.
pub(super) fn path(number: usize) -> String {
    format!("recount_path_{number}")
}

/// How the operands of `node` are joined, from the `next` on; none where a side is missing.
fn tree(node: Node<'_>, next: &mut usize) -> Option<BooleanExpr> {
    let Some(inner) = logical(node) else {
        *next += 1;
        return Some(BooleanExpr::Condition(*next - 1));
    };
    let left = Box::new(tree(inner.child_by_field_name("left")?, next)?);
    let right = Box::new(tree(inner.child_by_field_name("right")?, next)?);
    match inner.child_by_field_name("operator")?.kind() {
        "&&" => Some(BooleanExpr::And(left, right)),
        _ => Some(BooleanExpr::Or(left, right)),
    }
}
