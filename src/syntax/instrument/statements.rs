//! Statements: where their counters go.

use tree_sitter::Node;

use super::super::StatementKind;
use super::super::points::{MarkKind, PointId, PointKind};
use super::constants::{has_initialiser, is_plainly_true, needs_no_code};
use super::{COUNTERS, DEEPEST, Stand, Weaver, increment};

impl Weaver<'_> {
    /// `{ … }`, whose entries are those of `point`; a statement expression's has a value.
    pub(super) fn block(&mut self, node: Node<'_>, point: PointId, value: bool, depth: u32) {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).filter(|child| !child.is_extra()).collect();
        let items = || children.iter().filter(|child| child.is_named());
        // Local labels are declared before everything else.
        let labels = items().take_while(|child| self.text(**child).starts_with("__label__")).last();
        let behind = labels.or(children.first()).map_or(node.start_byte() + 1, Node::end_byte);
        if let Some(slots) = self.points[point].slots.clone() {
            for slot in slots {
                self.insert(behind, true, increment(slot));
            }
        }
        let last = items().next_back().copied();
        for child in children {
            match child.kind() {
                "{" => self.mark_start(child, point, MarkKind::Opens),
                "}" => {
                    self.mark_start(child, point, MarkKind::Closes);
                    if !value {
                        let slot = self.slot();
                        self.points[point].completed = Some(vec![slot]);
                        self.insert(child.start_byte(), false, increment(slot));
                    }
                }
                _ if value && Some(child) == last => self.statement(child, Stand::Value, depth + 1),
                _ => self.statement(child, Stand::Item, depth + 1),
            }
        }
    }

    pub(super) fn statement(&mut self, node: Node<'_>, stand: Stand, depth: u32) {
        self.failed |= depth > DEEPEST;
        if self.failed || node.is_extra() {
            return;
        }
        let Some(kind) = StatementKind::of(node) else { return self.odd(node, stand, depth) };
        match kind {
            StatementKind::Empty if stand == Stand::Sole => {
                let point = self.counted(PointKind::Block, None);
                let slots = self.points[point].slots.clone().unwrap_or_default();
                self.insert(node.start_byte(), true, format!("{{{}", increment(slots[0])));
                self.mark_start(node, point, MarkKind::Opens);
                self.insert(node.end_byte(), false, "}".into());
            }
            StatementKind::Empty => {}
            StatementKind::Block => {
                let point = self.counted(PointKind::Block, None);
                self.block(node, point, false, depth);
            }
            StatementKind::Declaration if needs_no_code(self.text(node)) => {}
            _ => {
                if stand == Stand::Sole {
                    self.insert(node.start_byte(), true, "{".into());
                }
                match kind {
                    StatementKind::If => self.branch(node, None, depth),
                    StatementKind::While | StatementKind::Do | StatementKind::For => {
                        self.repeated(node, kind, depth);
                    }
                    StatementKind::Switch => self.switch(node, depth),
                    StatementKind::Case | StatementKind::Labeled => self.labelled(node, kind, stand, depth),
                    _ => self.simple(node, kind, stand, depth),
                }
                if stand == Stand::Sole {
                    self.insert(node.end_byte(), false, "}".into());
                }
            }
        }
    }

    /// What is no statement to the parser, or holds one.
    pub(super) fn odd(&mut self, node: Node<'_>, stand: Stand, depth: u32) {
        match node.kind() {
            "function_definition" => {
                if let Some(body) = node.child_by_field_name("body") {
                    self.function(node, node.start_byte(), body, depth);
                }
            }
            "attributed_statement" => {
                let inner = node
                    .named_child_count()
                    .checked_sub(1)
                    .and_then(|last| u32::try_from(last).ok().and_then(|last| node.named_child(last)));
                // An increment between an attribute and its statement would take the attribute.
                self.failed |= stand == Stand::Sole;
                if let Some(inner) = inner.filter(|inner| inner.kind() == "compound_statement") {
                    self.statement(inner, stand, depth + 1);
                }
            }
            _ => {}
        }
    }

    /// A statement that holds no other, but for those of statement expressions.
    pub(super) fn simple(&mut self, node: Node<'_>, kind: StatementKind, stand: Stand, depth: u32) {
        let silent = kind == StatementKind::Declaration && !has_initialiser(node);
        let kind_of_point = if silent { PointKind::Silent } else { PointKind::Statement(kind) };
        let point = self.counted(kind_of_point, None);
        self.points[point].calls = self.names.is_sure_call(node, self.masked);
        self.start(node, point);
        let leaves = self.leaves;
        self.tokens(node, point, depth + 1);
        if self.leaves > leaves && !kind.is_jump() && stand != Stand::Value {
            let slot = self.slot();
            self.points[point].completed = Some(vec![slot]);
            self.insert(node.end_byte(), false, increment(slot));
        }
    }

    /// `if`; one that follows `else` is counted by its condition, so that a chain is not nested.
    pub(super) fn branch(&mut self, node: Node<'_>, chained: Option<PointId>, depth: u32) {
        let point = chained.unwrap_or_else(|| self.counted(PointKind::Statement(StatementKind::If), None));
        if chained.is_none() {
            self.start(node, point);
        }
        self.keyword(node, point);
        let Some(condition) = node.child_by_field_name("condition") else { return };
        let tested = self.parenthesised(condition, point, chained.is_none(), depth);
        if chained.is_some() {
            self.points[point].slots = self.points[tested].slots.clone();
        } else if self.points[tested].constant {
            self.points[tested].slots = self.points[point].slots.clone();
        }
        if let Some(arm) = node.child_by_field_name("consequence") {
            self.arm(arm, depth);
        }
        let other = node.child_by_field_name("alternative").and_then(|clause| {
            let mut cursor = clause.walk();
            clause.named_children(&mut cursor).find(|child| !child.is_extra())
        });
        match other {
            Some(next) if next.kind() == "if_statement" => {
                let chained = self.point(PointKind::Statement(StatementKind::If), None, None);
                self.begin(next, chained);
                self.branch(next, Some(chained), depth + 1);
            }
            Some(arm) => {
                self.arm(arm, depth);
            }
            None => {}
        }
    }

    /// The body of a loop or an arm of an `if`; gives the point of its entries, if it has one.
    pub(super) fn arm(&mut self, node: Node<'_>, depth: u32) -> Option<PointId> {
        let next = self.points.len();
        self.statement(node, Stand::Sole, depth + 1);
        (self.points.len() > next).then_some(next)
    }

    pub(super) fn repeated(&mut self, node: Node<'_>, kind: StatementKind, depth: u32) {
        let point = self.counted(PointKind::Statement(kind), None);
        self.start(node, point);
        self.keyword(node, point);
        let field = |name| node.child_by_field_name(name);
        if let Some(first) = field("initializer") {
            let slots = self.points[point].slots.clone();
            let init = self.point(PointKind::Init, slots, Some(point));
            self.begin(first, init);
            self.tokens(first, init, depth + 1);
        }
        let body = |weaver: &mut Self| field("body").and_then(|body| weaver.arm(body, depth));
        let tested = |weaver: &mut Self| {
            let condition = field("condition")?;
            Some(match kind {
                StatementKind::For => weaver.condition(condition, Some(point), depth),
                _ => weaver.parenthesised(condition, point, true, depth),
            })
        };
        if kind == StatementKind::Do {
            body(self);
            if let (Some(tested), Some(condition)) = (tested(self), field("condition"))
                && self.points[tested].constant
            {
                let slot = self.slot();
                self.points[tested].slots = Some(vec![slot]);
                self.insert(condition.start_byte() + 1, true, format!("{COUNTERS}[{slot}]++,("));
                self.insert(condition.end_byte() - 1, false, ")".into());
            }
            return;
        }
        let tested = tested(self);
        if let Some(step) = field("update") {
            let counted = self.counted(PointKind::Step, Some(point));
            self.begin(step, counted);
            let slot = self.points[counted].slots.as_ref().map_or(0, |slots| slots[0]);
            self.insert(step.start_byte(), true, format!("{COUNTERS}[{slot}]++,("));
            self.tokens(step, counted, depth + 1);
            self.insert(step.end_byte(), false, ")".into());
        }
        let labels = self.labels;
        let entered = body(self);
        // A constant is tested as often as the body is entered: control leaves by other ways. It
        // may enter by other ways too, and then who knows how often a 0 is tested.
        if let Some(tested) = tested.filter(|tested| self.points[*tested].constant)
            && (labels == self.labels
                || field("condition").is_none_or(|test| is_plainly_true(self.text(test))))
        {
            // To a label comes who jumps, too.
            let entered = entered.map(|entered| &self.points[entered]);
            let entered = entered.filter(|point| !matches!(point.kind, PointKind::Label | PointKind::Case));
            self.points[tested].slots = entered.and_then(|point| point.slots.clone());
        }
    }

    pub(super) fn switch(&mut self, node: Node<'_>, depth: u32) {
        let point = self.counted(PointKind::Statement(StatementKind::Switch), None);
        self.start(node, point);
        self.keyword(node, point);
        if let Some(selected) = node.child_by_field_name("condition") {
            self.tokens(selected, point, depth + 1);
        }
        let Some(body) = node.child_by_field_name("body") else { return };
        // The parser gives a `case` without braces the statements behind the switch too.
        self.failed |= body.kind() != "compound_statement";
        let mut cursor = body.walk();
        for child in body.children(&mut cursor) {
            let row = child.start_position().row;
            match child.kind() {
                "{" => self.mark_at((row, None), point, MarkKind::Ends),
                // It ends what belongs to its last label.
                "}" => self.mark_at((row, None), self.last_code(point), MarkKind::Ends),
                _ if child.is_named() => self.statement(child, Stand::Item, depth + 1),
                _ => {}
            }
        }
    }

    /// The piece of the last code so far, or `none` if there is none.
    fn last_code(&self, none: PointId) -> PointId {
        let mut marks = self.marks.iter().rev();
        marks.find(|(_, mark)| mark.kind == MarkKind::Code).map_or(none, |(_, mark)| mark.point)
    }

    /// A label or `case`, and what follows it.
    pub(super) fn labelled(&mut self, node: Node<'_>, kind: StatementKind, stand: Stand, depth: u32) {
        let kind = if kind == StatementKind::Case { PointKind::Case } else { PointKind::Label };
        let point = self.counted(kind, None);
        self.labels += 1;
        self.begin(node, point);
        let mut cursor = node.walk();
        let mut behind = false;
        let children: Vec<Node<'_>> = node.children(&mut cursor).filter(|child| !child.is_extra()).collect();
        for (index, child) in children.iter().enumerate() {
            if behind {
                let last = stand == Stand::Value && index + 1 == children.len();
                self.statement(*child, if last { Stand::Value } else { Stand::Item }, depth + 1);
            } else if child.kind() == ":" {
                behind = true;
                let slots = self.points[point].slots.clone().unwrap_or_default();
                self.insert(child.end_byte(), false, increment(slots[0]));
            } else {
                self.plain(*child, point);
            }
        }
    }
}
