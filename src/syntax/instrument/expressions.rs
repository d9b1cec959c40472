//! Expressions: what is tested is wrapped, everything else is only marked.

use tree_sitter::Node;

use super::super::points::{MarkKind, PointId, PointKind};
use super::constants::{is_number, logical};
use super::decisions::path;
use super::{COUNTERS, DEEPEST, Weaver};

impl Weaver<'_> {
    /// `(C)` of a statement.
    pub(super) fn parenthesised(
        &mut self,
        node: Node<'_>,
        outer: PointId,
        folds: bool,
        depth: u32,
    ) -> PointId {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).filter(|child| !child.is_extra()).collect();
        let mut tested = None;
        for child in children {
            if child.kind() == ")" {
                self.mark(child, outer);
            } else if child.is_named() {
                let within = Some(outer);
                tested = Some(if folds {
                    self.condition(child, within, depth + 1)
                } else {
                    self.decision(child, within, depth + 1)
                });
            }
        }
        tested.unwrap_or_else(|| self.point(PointKind::Condition, None, Some(outer)))
    }

    /// What is tested by `if` or a loop, where a number decides about code that is not there.
    pub(super) fn condition(&mut self, node: Node<'_>, within: Option<PointId>, depth: u32) -> PointId {
        if is_number(node) {
            let point = self.point(PointKind::Condition, None, within);
            self.begin(node, point);
            self.points[point].constant = true;
            self.points[point].folded = true;
            self.plain(node, point);
            return point;
        }
        self.decision(node, within, depth)
    }

    /// The same, where a number is counted like anything else.
    pub(super) fn decision(&mut self, node: Node<'_>, within: Option<PointId>, depth: u32) -> PointId {
        let point = self.point(PointKind::Condition, None, within);
        self.points[point].folded = self.is_folded(node);
        self.begin(node, point);
        self.test(node, point, |weaver| {
            if logical(node).is_some() {
                weaver.chain(node, Some(point), depth + 1);
            } else {
                weaver.tokens(node, point, depth + 1);
            }
        });
        point
    }

    /// Wrap `node`, so that its outcomes are counted, around what `inner` does to it.
    pub(super) fn test(&mut self, node: Node<'_>, point: PointId, inner: impl FnOnce(&mut Self)) {
        let (yes, no) = (self.slot(), self.slot());
        // What is nested has a path of its own.
        let followed = self.path.take();
        self.points[point].outcomes = Some((yes, no));
        let (opening, leaves) = (self.inserts.len(), self.leaves);
        self.insert(node.start_byte(), true, "((".into());
        inner(self);
        self.path = followed;
        let turn =
            |bit: u32| followed.map_or_else(String::new, |number| format!(",{0}={0}*2+{bit}", path(number)));
        let (taken, refused) = (turn(1), turn(0));
        let closing = format!(")?({COUNTERS}[{yes}]++{taken},1):({COUNTERS}[{no}]++{refused},0))");
        self.insert(node.end_byte(), false, closing);
        self.points[point].slots = Some(vec![yes, no]);
        // A call may never come back, or come back twice; a jump may leave a statement expression.
        if self.leaves > leaves {
            let slot = self.slot();
            self.inserts[opening].text = format!("(({COUNTERS}[{slot}]++,(");
            if let Some(closing) = self.inserts.last_mut() {
                closing.text.insert(0, ')');
            }
            self.points[point].slots = Some(vec![slot]);
            self.points[point].completed = Some(vec![yes, no]);
        }
    }

    /// `a && b` or `a || b`, perhaps in parentheses; gives what is evaluated first. What stands to
    /// the right is part of something that is evaluated as often as what stands to the left.
    pub(super) fn logical(&mut self, node: Node<'_>, within: Option<PointId>, depth: u32) -> Option<PointId> {
        self.failed |= depth > DEEPEST;
        if self.failed {
            return None;
        }
        let Some(inner) = logical(node) else {
            let point = self.point(PointKind::Operand, None, within);
            self.points[point].folded = self.is_folded(node);
            self.points[point].constant = self.points[point].folded;
            self.begin(node, point);
            if let Some(number) = self.path {
                self.chains[number].operands.push(point);
            }
            self.test(node, point, |weaver| weaver.tokens(node, point, depth + 1));
            return Some(point);
        };
        let side = |name| inner.child_by_field_name(name);
        let (Some(left), Some(right)) = (side("left"), side("right")) else {
            self.failed = true;
            return None;
        };
        let first = self.logical(left, within, depth + 1);
        self.logical(right, first, depth + 1);
        if let (Some(first), true) = (first, node != inner) {
            self.mark_at((node.end_position().row, None), first, MarkKind::Ends);
        }
        first
    }

    /// The tokens of an expression, or of a whole simple statement.
    pub(super) fn tokens(&mut self, node: Node<'_>, point: PointId, depth: u32) {
        self.failed |= depth > DEEPEST;
        if self.failed {
            return;
        }
        match node.kind() {
            "conditional_expression" => self.choice(node, point, depth),
            "binary_expression" if logical(node).is_some() => {
                self.chain(node, Some(point), depth + 1);
            }
            "compound_statement" => {
                self.leaves += 1;
                let mut around = Some(point);
                while let Some(at) = around {
                    self.points[at].holds_block = true;
                    around = self.points[at].within;
                }
                let block = self.counted(PointKind::Block, Some(point));
                self.block(node, block, true, depth + 1);
            }
            // What the parser takes for the address of a label, and is none, is an `&&`.
            "pointer_expression" if self.text(node).starts_with("&&") => {
                self.failed |= !self.names.labels.contains(self.text(node)[2..].trim());
                self.plain(node, point);
            }
            _ if self.is_constant(node) => self.plain(node, point),
            _ if node.child_count() == 0 => self.mark(node, point),
            kind => {
                self.leaves += usize::from(kind == "call_expression");
                let mut cursor = node.walk();
                let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
                for (index, child) in children.into_iter().enumerate() {
                    let field = u32::try_from(index).ok().and_then(|index| node.field_name_for_child(index));
                    if kind == "array_declarator" && field == Some("size") {
                        self.plain(child, point);
                    } else if !child.is_extra() {
                        self.tokens(child, point, depth + 1);
                    }
                }
            }
        }
    }

    /// `c ? a : b`; its arms run as often as `c` is true or false.
    pub(super) fn choice(&mut self, node: Node<'_>, point: PointId, depth: u32) {
        let field = |name| node.child_by_field_name(name);
        let (Some(condition), Some(other)) = (field("condition"), field("alternative")) else {
            self.failed = true;
            return;
        };
        let Some(chosen) = field("consequence") else {
            // `a ?: b`: a's value is used, so it cannot be wrapped.
            self.tokens(condition, point, depth + 1);
            if is_number(other) {
                let arm = self.point(PointKind::Arm, None, Some(point));
                self.begin(other, arm);
                self.plain(other, arm);
                return;
            }
            let slot = self.slot();
            let arm = self.point(PointKind::Arm, Some(vec![slot]), Some(point));
            self.begin(other, arm);
            self.insert(other.start_byte(), true, format!("({COUNTERS}[{slot}]++,("));
            self.tokens(other, arm, depth + 1);
            self.insert(other.end_byte(), false, "))".into());
            return;
        };
        let tested = self.decision(condition, Some(point), depth + 1);
        let outcomes = self.points[tested].outcomes;
        for (arm, slot) in [(chosen, outcomes.map(|both| both.0)), (other, outcomes.map(|both| both.1))] {
            let arm_point = self.point(PointKind::Arm, None, Some(point));
            self.begin(arm, arm_point);
            self.points[arm_point].slots = slot.map(|slot| vec![slot]);
            self.tokens(arm, arm_point, depth + 1);
        }
    }
    /// Marks for every token below `node`, and nothing else; what stands in a statement expression there
    /// is no code, and belongs to nobody.
    pub(super) fn plain(&mut self, node: Node<'_>, point: PointId) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if node.kind() == "compound_statement" {
                continue;
            }
            if node.child_count() == 0 {
                self.mark(node, point);
            } else {
                let mut cursor = node.walk();
                stack.extend(node.children(&mut cursor).filter(|child| !child.is_extra()));
            }
        }
    }
}
