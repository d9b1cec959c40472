//! Expressions: conditions and operands are wrapped in counters; all other tokens are only assigned to points.

use tree_sitter::Node;

use super::super::nodes::NodeExt;
use super::super::points::{Counter, PointId, PointKind};
use super::constants::{
    expected_chain, inverted, is_chain, is_number, is_opposite, is_size_of_value, logical, may_be_chain,
    may_have_computed_size,
};
use super::decisions::path;
use super::instrumenter::{Instrumenter, children, is_token};
use super::source::COUNTERS;
use super::values::{is_change, is_tested_value};

impl Instrumenter<'_> {
    /// The condition `(C)` of the statement `outer`; `folds` says whether the compiler folds a number there.
    pub(super) fn parenthesised(
        &mut self,
        node: Node<'_>,
        outer: PointId,
        folds: bool,
        depth: u32,
    ) -> PointId {
        let mut tested = None;
        for child in children(node) {
            if matches!(child.kind(), "(" | ")") {
                self.mark(child, outer);
            } else if child.is_named() {
                tested = Some(if folds {
                    self.condition(child, Some(outer), depth + 1)
                } else {
                    self.decision(child, Some(outer), depth + 1)
                });
            }
        }
        tested.unwrap_or_else(|| self.point(PointKind::Condition, None, Some(outer)))
    }

    /// The condition of an `if` or a loop, where compilers fold a number.
    pub(super) fn condition(&mut self, node: Node<'_>, within: Option<PointId>, depth: u32) -> PointId {
        if !is_number(node) {
            return self.decision(node, within, depth);
        }
        let point = self.point(PointKind::Condition, None, within);
        self.begin_expression(node, point);
        self.points[point].constant = true;
        self.points[point].folded = true;
        self.mark_all(node, point);
        point
    }

    /// A condition of which a number is counted like any other.
    fn decision(&mut self, node: Node<'_>, within: Option<PointId>, depth: u32) -> PointId {
        let point = self.new_condition(node, within);
        self.points[point].is_chain = is_chain(node);
        self.points[point].may_be_chain = may_be_chain(node, self.masked);
        self.tested = Some(node.id());
        self.test(node, point, |this| {
            if logical(node).is_some() {
                this.chain(node, Some(point), true, depth + 1);
            } else {
                this.expression(node, point, depth + 1);
            }
        });
        if self.points[point].is_chain && is_opposite(node) {
            self.invert(point);
        }
        point
    }

    fn new_condition(&mut self, node: Node<'_>, within: Option<PointId>) -> PointId {
        let point = self.point(PointKind::Condition, None, within);
        self.points[point].folded = self.is_folded_test(node);
        self.points[point].is_evaluable = self.is_evaluable(node);
        self.points[point].is_pointless = self.is_pointless(node);
        self.points[point].has_code = self.names.has_effect(node, self.masked);
        self.points[point].is_open = self.names.integers.has_both_outcomes(node, self.masked);
        self.begin_expression(node, point);
        point
    }

    /// The condition of `a ?: b`, which is `b` so often as the counter `no` says.
    fn value_condition(&mut self, node: Node<'_>, no: Counter, within: PointId, depth: u32) {
        let point = self.new_condition(node, Some(within));
        let all = self.counter();
        let exits = self.exits;
        self.count_evaluations(node, all, |this| this.expression(node, point, depth + 1));
        self.points[point].counters = Some(vec![all]);
        // An evaluation that a jump or a call leaves has no outcome.
        if self.exits == exits {
            self.points[point].outcomes = Some((all, no));
            self.points[point].counts_evaluations = true;
        }
    }

    /// Count the outcomes of `node`, and let `inner` instrument it.
    pub(super) fn test(&mut self, node: Node<'_>, point: PointId, inner: impl FnOnce(&mut Self)) {
        let (yes, no) = (self.counter(), self.counter());
        self.points[point].outcomes = Some((yes, no));
        // A chain that is no part of the chain that it is in has a path of its own.
        let around = (self.chain, self.is_in_chain);
        if !self.points[point].is_part {
            (self.chain, self.is_in_chain) = (None, false);
        }
        let appended = around.0.filter(|_| !self.points[point].is_part);
        let step = appended.and_then(|number| {
            let chain = &self.chains[number];
            let step = chain.steps.get(&chain.operands.len().checked_sub(1)?)?;
            Some(format!(",{}+={step}", path(number)))
        });
        // gcc passes what is expected on to the operands of a chain, so it must stay the operand of `__builtin_expect`.
        let (counted, is_opposite) = expected_chain(node, self.masked).unwrap_or((node, false));
        let [one, zero] = if is_opposite { [(no, false), (yes, true)] } else { [(yes, true), (no, false)] };
        let (opening, exits) = (self.inserts.len(), self.exits);
        self.insert(counted.start_byte(), true, "(!!(");
        inner(self);
        (self.chain, self.is_in_chain) = around;
        let append = |is_true: bool| step.as_ref().filter(|_| !is_true).map_or("", String::as_str);
        let mut closing = format!(
            ")?({COUNTERS}[{}]++{},1):({COUNTERS}[{}]++{},0))",
            one.0,
            append(one.1),
            zero.0,
            append(zero.1)
        );
        self.points[point].counters = Some(vec![yes, no]);
        // A call may not return, or return twice, and a jump may leave a statement expression.
        if self.exits > exits {
            let counter = self.counter();
            self.inserts[opening].text = format!("(!!({COUNTERS}[{counter}]++,(");
            closing.insert(0, ')');
            self.points[point].counters = Some(vec![counter]);
            self.points[point].completed = Some(vec![yes, no]);
            self.points[point].has_several_exits = self.exits > exits + 1;
        }
        self.insert(counted.end_byte(), false, closing);
    }

    /// An operator with two operands, other than `&&` and `||`. A sum may be long, so only right operands recurse.
    fn binary(&mut self, node: Node<'_>, point: PointId, depth: u32) {
        let mut operators = vec![node];
        let mut first = node.field("left");
        while let Some(left) =
            first.filter(|left| left.kind() == "binary_expression" && logical(*left).is_none())
        {
            operators.push(left);
            first = left.field("left");
        }
        if let Some(first) = first {
            self.expression(first, point, depth + 1);
        }
        for operator in operators.into_iter().rev() {
            self.note_value(operator, point);
            for child in children(operator).into_iter().filter(|child| !child.is_field("left")) {
                self.expression(child, point, depth + 1);
            }
        }
    }

    /// Note that gcc may make a branch of `node`, if it may and `node` is not the condition itself.
    fn note_value(&mut self, node: Node<'_>, point: PointId) {
        self.points[point].has_generic |= node.kind() == "generic_expression";
        if self.tested != Some(node.id()) {
            self.points[point].has_tested_value |= is_tested_value(node, self.masked, self.names.has_atomic);
            self.points[point].may_repeat |= self.names.may_repeat && is_change(node);
        } else if let Some(inner) = inverted(node) {
            self.tested = Some(inner.id());
        }
    }

    /// The tokens of an expression, or of a whole simple statement.
    pub(super) fn expression(&mut self, node: Node<'_>, point: PointId, depth: u32) {
        if !self.is_shallow(depth) {
            return;
        }
        if node.kind() != "binary_expression" {
            self.note_value(node, point);
        }
        match node.kind() {
            "conditional_expression" => self.choice(node, point, depth),
            "binary_expression" if logical(node).is_some() => {
                self.chain(node, Some(point), false, depth + 1);
            }
            "binary_expression" => self.binary(node, point, depth),
            "compound_statement" => {
                self.exits += 1;
                let mut outer = Some(point);
                while let Some(id) = outer {
                    self.points[id].holds_block = true;
                    outer = self.points[id].within;
                }
                let block = self.counted_point(PointKind::Block, Some(point));
                self.block(node, block, true, depth + 1);
            }
            // If it is not the address of a label, the parser misread an `&&`.
            "pointer_expression" if node.text(self.masked).starts_with("&&") => {
                if !self.names.labels.contains(node.text(self.masked)[2..].trim()) {
                    self.refuse(|| format!("not parsed: the operator && in `{}`", node.text(self.masked)));
                }
                self.mark_all(node, point);
            }
            _ if self.is_constant(node) => self.uncounted(node, point),
            _ if is_token(node) => self.mark(node, point),
            kind => {
                self.exits += usize::from(kind == "call_expression");
                let size = node.field("size").filter(|_| kind == "array_declarator");
                for child in children(node) {
                    if Some(child) == size {
                        self.uncounted(child, point);
                    } else {
                        self.expression(child, point, depth + 1);
                    }
                }
            }
        }
    }

    /// The tokens of code without counters: it may be evaluated, as the size of an array or the association that
    /// `_Generic` chooses, or not. The parts of it that may run less often than the rest have an unknown count, or none if it is
    /// certainly not evaluated.
    fn uncounted(&mut self, node: Node<'_>, point: PointId) {
        let may_run = may_have_computed_size(node.text(self.masked));
        let mut stack = vec![(node, point, false, false)];
        while let Some((node, mut point, is_inside, mut is_never)) = stack.pop() {
            // As in the macro `assert` of glibc. A line of nothing else is not judged.
            let begins_here = self.points[point].line == self.program.line(node.end_position().row);
            is_never |= begins_here && is_size_of_value(node);
            if may_run && !is_never {
                self.note_value(node, point);
            }
            let is_part = match node.kind() {
                "conditional_expression" | "compound_statement" => true,
                "binary_expression" => logical(node).is_some(),
                _ => false,
            };
            if is_part && !is_inside {
                point = self.point(PointKind::Arm, is_never.then(Vec::new), Some(point));
            }
            if is_token(node) {
                self.mark(node, point);
                continue;
            }
            let is_inside = is_inside || is_part;
            // The operand of `_Generic` only has a type, as in the macro `strchr` of glibc.
            let operand = node.named_child(0).filter(|_| begins_here && node.kind() == "generic_expression");
            let part = |child| (child, point, is_inside, is_never || Some(child) == operand);
            stack.extend(children(node).into_iter().map(part));
        }
    }

    /// Whether `point` is a condition or an operand, or a part of one.
    fn is_in_condition(&self, point: PointId) -> bool {
        let mut around = std::iter::successors(Some(point), |id| self.points[*id].within);
        around.any(|id| matches!(self.points[id].kind, PointKind::Condition | PointKind::Operand))
    }

    /// `c ? a : b`, whose arms run as often as `c` is true or false.
    fn choice(&mut self, node: Node<'_>, point: PointId, depth: u32) {
        let field = |name| node.field(name);
        let (Some(condition), Some(other)) = (field("condition"), field("alternative")) else { return };
        let arm = |this: &mut Self, node, counter: Option<_>| {
            let arm = this.point(PointKind::Arm, counter.map(|counter| vec![counter]), Some(point));
            this.points[arm].has_tested_value = this.names.has_bool || this.is_in_condition(point);
            this.points[arm].is_alternative = node == other;
            this.points[arm].folded = this.is_folded(node);
            this.begin_expression(node, arm);
            arm
        };
        if let Some(chosen) = field("consequence") {
            let tested = self.decision(condition, Some(point), depth + 1);
            let (yes, no) = self.points[tested].outcomes.unzip();
            let operators = || children(node).into_iter().filter(|child| matches!(child.kind(), "?" | ":"));
            for ((node, counter), operator) in [(chosen, yes), (other, no)].into_iter().zip(operators()) {
                let arm = arm(self, node, counter);
                self.mark(operator, arm);
                self.expression(node, arm, depth + 1);
            }
            return;
        }
        // `a ?: b`: the value of a is used, so its outcomes are not tested. A zero may be a null pointer, which `(count, 0)` is
        // not. gcc may make no branch for a constant, and for `a ?: -a`.
        let [value, text] = [condition, other].map(|node| node.text(self.masked));
        self.points[point].has_tested_value = self.is_folded(other) || text.contains(value);
        let counter = self.counter();
        let is_counted = !is_number(other) || text.contains(|digit| matches!(digit, '1'..='9'));
        if is_counted && !self.is_folded_test(condition) {
            self.value_condition(condition, counter, point, depth);
        } else {
            self.points[point].has_tested_value = true;
            self.expression(condition, point, depth + 1);
        }
        if !is_counted {
            let arm = arm(self, other, None);
            return self.mark_all(other, arm);
        }
        let arm = arm(self, other, Some(counter));
        for operator in children(node).into_iter().filter(|child| matches!(child.kind(), "?" | ":")) {
            self.mark(operator, arm);
        }
        self.count_evaluations(other, counter, |this| this.expression(other, arm, depth + 1));
    }
}
