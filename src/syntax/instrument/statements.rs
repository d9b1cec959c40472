//! Statements: inserts their counters.

use tree_sitter::Node;

use super::super::StatementKind;
use super::super::comments::is_asm_goto;
use super::super::idle::is_idle;
use super::super::nodes::NodeExt;
use super::super::points::{PointId, PointKind, StatementPlace, TokenKind};
use super::constants::{has_initialiser, is_chain, may_have_computed_size, needs_no_code};
use super::instrumenter::{Instrumenter, children};
use super::names::is_computed_goto;
use super::source::{LABEL, on_return};
use super::values::is_idle_test;

/// The position of a statement, which decides what may be inserted around it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// It is in a sequence: another statement may precede it.
    Sequence,
    /// It is the value of a statement expression: no statement may follow it.
    Value,
    /// There is room for one statement only.
    Single,
}

impl Instrumenter<'_> {
    /// `{ … }`, whose entries are those of `point`; a statement expression's has a value.
    pub(super) fn block(&mut self, node: Node<'_>, point: PointId, has_value: bool, depth: u32) {
        let children = children(node);
        let items = || children.iter().filter(|child| child.is_named());
        // Local labels must be declared before everything else.
        let labels = items().take_while(|child| child.text(self.masked).starts_with("__label__")).last();
        let after = labels.or(children.first()).map_or(node.start_byte() + 1, Node::end_byte);
        self.increment(point, after, true);
        let value = items().next_back().copied().filter(|_| has_value);
        for child in children {
            match child.kind() {
                "{" => self.mark_start(child, point, TokenKind::OpeningBrace),
                "}" => {
                    self.last_labels(child, point);
                    self.mark_start(child, point, TokenKind::ClosingBrace);
                    if !has_value {
                        self.count_completion(point, child.start_byte());
                    }
                }
                _ if Some(child) == value => self.item(child, point, Context::Value, depth),
                _ => self.item(child, point, Context::Sequence, depth),
            }
        }
    }

    /// A statement directly inside `outer`.
    pub(super) fn item(&mut self, node: Node<'_>, outer: PointId, context: Context, depth: u32) {
        let next = self.points.len();
        self.statement(node, context, depth + 1);
        if self.points.len() > next {
            let before = self.points[outer].last.replace(next);
            self.points[next].place = Some(StatementPlace { outer, before, is_next: self.is_next(node) });
            self.points[next].leaving = self.leaving(node);
        }
        self.points[outer].saves_stack |= node.kind() == "declaration" && self.may_have_computed_array(node);
    }

    /// Whether the size of an array that the declaration `node` declares may be computed.
    fn may_have_computed_array(&self, node: Node<'_>) -> bool {
        let of_type = |kind: Node<'_>| self.names.may_be_sized(kind.text(self.masked));
        may_have_computed_size(node.text(&self.program.text)) || node.field("type").is_some_and(of_type)
    }

    /// Mark the lines of the tests and statement expressions in the declaration `node`, for which no code runs at its place.
    fn mark_evaluated(&mut self, node: Node<'_>) {
        let is_divided = |node: &Node<'_>| {
            matches!(node.kind(), "conditional_expression" | "compound_statement") || is_chain(*node)
        };
        for part in node.subtree().into_iter().filter(is_divided) {
            let rows = part.start_position().row..=part.end_position().row;
            self.evaluated_lines.extend(rows.filter_map(|row| self.program.line(row)));
        }
    }

    /// A declaration without code, with which a region of clang may begin (`VisitStmt` in CoverageMappingGen.cpp).
    fn codeless(&mut self, node: Node<'_>, context: Context) {
        // Local labels must be declared before everything else.
        if context == Context::Single || node.text(self.masked).starts_with("__label__") {
            return;
        }
        let point = self.counted_point(PointKind::Silent, None);
        self.start(node, point);
    }

    /// Whether what is before `node` has a point.
    fn is_next(&self, node: Node<'_>) -> bool {
        let Some(before) = node.prev_named_sibling().filter(|before| !before.is_extra()) else {
            return false;
        };
        let between = &self.program.text[before.end_byte()..node.start_byte()];
        let has_point = before.kind() == "enum_specifier" || StatementKind::of(before).is_some();
        has_point && !before.text(self.masked).starts_with("__label__") && !between.contains("_assert")
    }

    pub(super) fn statement(&mut self, node: Node<'_>, context: Context, depth: u32) {
        if !self.is_shallow(depth) || node.is_extra() {
            return;
        }
        let Some(kind) = self.kind(node) else { return self.other(node, context, depth) };
        let is_single = context == Context::Single;
        match kind {
            StatementKind::Declaration if needs_no_code(node.text(&self.program.text)) => {
                self.mark_evaluated(node);
                return self.codeless(node, context);
            }
            StatementKind::Block => {
                let point = self.counted_point(PointKind::Block, None);
                return self.block(node, point, false, depth);
            }
            _ if is_single => self.insert(self.plain.start(node.start_byte()), true, "{"),
            _ => {}
        }
        let next = self.points.len();
        match kind {
            StatementKind::Empty if !is_single => {
                // It has no code, but a region of clang may begin with it.
                let point = self.counted_point(PointKind::Silent, None);
                self.increment(point, self.plain.start(node.start_byte()), true);
                self.mark_start(node, point, TokenKind::Punctuation);
                let row = node.start_position().row;
                self.points[point].line = self.program.line(row);
                self.points[point].inclusion = self.program.inclusion(row);
            }
            StatementKind::Empty => {
                let point = self.counted_point(PointKind::Block, None);
                self.increment(point, self.plain.start(node.start_byte()), true);
                self.mark_start(node, point, TokenKind::OpeningBrace);
            }
            StatementKind::If => self.branch(node, depth),
            StatementKind::While | StatementKind::Do | StatementKind::For => self.repeated(node, kind, depth),
            StatementKind::Switch => self.switch(node, depth),
            StatementKind::Case | StatementKind::Labeled => self.labelled(node, kind, context, depth),
            _ => self.simple(node, kind, context, depth),
        }
        if is_idle_test(node, self.masked) {
            self.points[next..].iter_mut().for_each(|part| part.is_idle = true);
        }
        if is_single {
            self.insert(node.end_byte(), false, "}");
        }
    }

    /// A node that is no statement to the parser, but may contain one.
    fn other(&mut self, node: Node<'_>, context: Context, depth: u32) {
        match node.kind() {
            "function_definition" => {
                if let Some(body) = node.field("body") {
                    self.function(node, node.start_byte(), body, body.end_byte(), depth);
                }
            }
            "enum_specifier" => self.codeless(node, context),
            // A type whose members have a size that is computed.
            "struct_specifier" | "union_specifier"
                if may_have_computed_size(node.text(&self.program.text)) && context != Context::Single =>
            {
                self.simple(node, StatementKind::Declaration, context, depth);
            }
            "attributed_statement" => {
                // An increment between an attribute and its statement would get the attribute.
                if context == Context::Single {
                    self.refuse(|| "an attribute before the only statement of an arm".into());
                }
                let inner = children(node).into_iter().rfind(Node::is_named);
                if let Some(inner) = inner.filter(|inner| inner.kind() == "compound_statement") {
                    self.statement(inner, context, depth + 1);
                }
            }
            _ => {}
        }
    }

    /// A statement that contains no other, except in statement expressions.
    fn simple(&mut self, node: Node<'_>, kind: StatementKind, context: Context, depth: u32) {
        let is_silent = kind == StatementKind::Declaration && !has_initialiser(node);
        let kind_of_point = if is_silent { PointKind::Silent } else { PointKind::Statement(kind) };
        let point = self.counted_point(kind_of_point, None);
        self.points[point].has_code = self.names.has_code(node, self.masked);
        self.points[point].is_said_to_end = kind == StatementKind::Call && self.is_said_to_end(node);
        self.points[point].is_open_jump = is_open_jump(kind, &self.program.text[node.byte_range()]);
        if kind == StatementKind::Goto && self.points[point].is_open_jump {
            // The parser does not see the expression after `goto *`, which ends on the last of these lines.
            let rows = node.start_position().row + 1..=node.end_position().row;
            self.evaluated_lines.extend(rows.filter_map(|row| self.program.line(row)));
        }
        self.start(node, point);
        if let Some(label) = node.field("label").filter(|_| kind == StatementKind::NamedJump) {
            self.insert(label.start_byte(), true, LABEL);
        }
        let exits = self.exits;
        let opening = self.inserts.len();
        self.expression(node, point, depth + 1);
        if kind == StatementKind::Expression && is_idle(node) {
            self.points[point..].iter_mut().for_each(|part| part.is_idle = true);
        }
        if self.exits == exits {
            return;
        }
        self.points[point].has_several_exits = self.exits > exits + 1;
        if !kind.is_jump() && context != Context::Value {
            self.count_completion(point, node.end_byte());
        }
        // A jump out of a statement expression in the value would leave the scope of the variable too, and nothing may follow a call
        // that takes the place of the function.
        let start = self.plain.start(node.start_byte());
        let is_tail = || self.program.text[start..node.end_byte()].contains("musttail");
        if kind == StatementKind::Return && !self.points[point].holds_block && !is_tail() {
            let counter = self.counter();
            self.points[point].completed = Some(vec![counter]);
            self.insert_at(opening, self.plain.start(node.start_byte()), on_return(counter));
            self.insert(node.end_byte(), false, "}");
        }
    }

    /// `if`, and those that follow `else`, which are counted by their conditions: a chain of them may be long.
    fn branch(&mut self, node: Node<'_>, depth: u32) {
        let mut point = self.counted_point(PointKind::Statement(StatementKind::If), None);
        self.start(node, point);
        let mut clause = self.clause(node, point, false, depth);
        while let Some(next) = clause {
            // `else` belongs to what follows it.
            let keyword = next.prev_sibling().filter(|keyword| keyword.kind() == "else");
            if next.kind() != "if_statement" {
                if let (Some(arm), Some(keyword)) = (self.arm(next, point, depth), keyword) {
                    self.mark_start(keyword, arm, TokenKind::Punctuation);
                }
                return;
            }
            let outer = point;
            point = self.point(PointKind::Statement(StatementKind::If), None, None);
            self.points[point].place = Some(StatementPlace { outer, before: None, is_next: false });
            self.begin(next, point);
            if let Some(keyword) = keyword {
                self.mark_start(keyword, point, TokenKind::Punctuation);
            }
            clause = self.clause(next, point, true, depth);
        }
    }

    /// The condition and the first arm of the `if` that is `point`; returns the statement after its `else`.
    fn clause<'t>(
        &mut self,
        node: Node<'t>,
        point: PointId,
        is_after_else: bool,
        depth: u32,
    ) -> Option<Node<'t>> {
        self.mark_keyword(node, point);
        let tested = self.parenthesised(node.field("condition")?, point, !is_after_else, depth);
        if is_after_else {
            self.points[point].counters = self.points[tested].counters.clone();
        } else if self.points[tested].constant {
            self.points[tested].counters = self.points[point].counters.clone();
        }
        if let Some(arm) = node.field("consequence") {
            self.points[tested].decides = self.acts(arm);
            self.arm(arm, point, depth);
        }
        children(node.field("alternative")?).into_iter().find(Node::is_named)
    }

    /// Whether the arm `node` of an `if` certainly has code. A jump may lead to where control goes without it.
    fn acts(&self, node: Node<'_>) -> bool {
        let is_jump = node.kind() == "return_statement" && node.named_child_count() == 0;
        match node.kind() {
            "compound_statement" => node
                .elements()
                .into_iter()
                .any(|inner| inner.kind() != "compound_statement" && self.acts(inner)),
            _ => !is_jump && self.names.has_code(node, self.masked),
        }
    }

    /// The body of the loop, or an arm of the `if`, that is `outer`; returns the point of its entries, if it has one.
    pub(super) fn arm(&mut self, node: Node<'_>, outer: PointId, depth: u32) -> Option<PointId> {
        let next = self.points.len();
        self.statement(node, Context::Single, depth + 1);
        let leaving = self.leaving(node);
        let arm = self.points.get_mut(next)?;
        (arm.place, arm.leaving) = (Some(StatementPlace { outer, before: None, is_next: false }), leaving);
        Some(next)
    }
}

/// Whether the statement with this `text` leads to one of several labels.
fn is_open_jump(kind: StatementKind, text: &str) -> bool {
    match kind {
        StatementKind::Goto => is_computed_goto(text),
        StatementKind::Asm => is_asm_goto(text),
        _ => false,
    }
}
