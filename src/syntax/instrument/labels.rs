//! `switch` and labels: a label counts how often it was reached, and how often control fell into it.

use tree_sitter::Node;

use super::super::StatementKind;
use super::super::cases::is_case;
use super::super::nodes::NodeExt;
use super::super::points::{Point, PointId, PointKind, StatementPlace, TokenKind};
use super::constants::{is_chain, may_be_chain};
use super::instrumenter::{Instrumenter, children};
use super::source::{COUNTERS, LABEL, on_value};
use super::statements::Context;

impl Instrumenter<'_> {
    pub(super) fn switch(&mut self, node: Node<'_>, depth: u32) {
        let point = self.counted_point(PointKind::Statement(StatementKind::Switch), None);
        self.start(node, point);
        self.repeat_labels(node);
        self.mark_keyword(node, point);
        if let Some(selected) = node.field("condition") {
            self.points[point].is_evaluable = self.is_evaluable(selected);
            self.points[point].is_chain = is_chain(selected);
            self.points[point].may_be_chain = may_be_chain(selected, self.masked);
            let (opening, exits) = (self.inserts.len(), self.exits);
            self.expression(selected, point, depth + 1);
            if self.exits > exits {
                let counter = self.counter();
                self.points[point].completed = Some(vec![counter]);
                self.points[point].has_several_exits = self.exits > exits + 1;
                let [before, after] = on_value(counter);
                self.insert_at(opening, selected.start_byte(), before);
                self.insert(selected.end_byte(), false, after);
            }
        }
        let Some(body) = node.field("body") else { return };
        // The parser does not see the cases of a system header.
        self.points[point].is_open_jump = self.program.includes(&body.byte_range(), "case");
        let outer = self.switch.replace(point);
        self.selected(body, point, depth);
        self.switch = outer;
    }

    /// The body of the `switch` that `point` counts.
    fn selected(&mut self, body: Node<'_>, point: PointId, depth: u32) {
        // The parser gives a `case` without braces the statements after the switch too.
        if body.kind() != "compound_statement" {
            _ = self.arm(body, point, depth);
            return;
        }
        for child in children(body) {
            match child.kind() {
                "{" => self.mark_start(child, point, TokenKind::Closing),
                "}" => {
                    self.last_labels(child, point);
                    self.mark_start(child, point, TokenKind::ClosingBrace);
                }
                _ if child.is_named() => self.item(child, point, Context::Sequence, depth),
                _ => {}
            }
        }
    }

    /// The labels before the closing brace `brace` of `outer`.
    pub(super) fn last_labels(&mut self, brace: Node<'_>, outer: PointId) {
        for label in self.plain.last_labels.get(&brace.start_byte()).into_iter().flatten() {
            let point = self.counted_point(PointKind::Label, None);
            self.labels += 1;
            let counter = self.counter();
            self.points[point].fallen = Some(vec![counter]);
            self.insert(label.start, false, format!("{COUNTERS}[{counter}]++;"));
            self.mark_before(brace, label.start, point, TokenKind::Code);
            self.increment(point, self.plain.label_end(label.end), false);
            let before = self.points[outer].last.replace(point);
            self.points[point].place = Some(StatementPlace { outer, before, is_next: before.is_some() });
        }
    }

    /// The statement `node` gets its labels again where jumps name it by them: its counters come between (C2y, 6.8.7).
    pub(super) fn repeat_labels(&mut self, node: Node<'_>) {
        let labels = std::iter::successors(node.parent(), Node::parent);
        for label in labels.take_while(|outer| outer.kind() == "labeled_statement") {
            let name = label.field("label").map(|name| name.text(self.masked));
            if let Some(name) = name.filter(|name| self.names.jumped.contains(name)) {
                self.insert(node.start_byte(), true, format!("{LABEL}{name}:"));
            }
        }
    }

    /// A label or `case`, and the statements after it.
    pub(super) fn labelled(&mut self, node: Node<'_>, kind: StatementKind, context: Context, depth: u32) {
        let is_case = kind == StatementKind::Case || is_case(&self.program.text[node.start_byte()..]);
        let kind = if is_case { PointKind::Case } else { PointKind::Label };
        let point = self.counted_point(kind, None);
        self.labels += 1;
        self.points[point].switch = self.switch.filter(|_| is_case);
        self.points[point].is_default = self.program.text[node.start_byte()..].starts_with("default");
        let is_nested =
            node.parent().is_some_and(|outer| StatementKind::of(outer) == StatementKind::of(node));
        // No statement may separate a label from the attribute that announces it.
        let before = self.masked[..node.start_byte()].trim_end();
        let is_announced = before.len() - before.rfind("fallthrough").unwrap_or(0) < 20;
        if !is_nested && !is_announced {
            let counter = self.counter();
            self.points[point].fallen = Some(vec![counter]);
            self.insert(node.start_byte(), true, format!("{COUNTERS}[{counter}]++;"));
        }
        self.begin(node, point);
        let children = children(node);
        let colon = children.iter().position(|child| child.kind() == ":").unwrap_or(children.len());
        for (index, child) in children.iter().enumerate() {
            let is_last = index + 1 == children.len();
            if index < colon {
                self.mark_all(*child, point);
            } else if index == colon {
                self.mark(*child, point);
                self.increment(point, self.plain.label_end(child.end_byte()), false);
            } else if is_last && context == Context::Value {
                self.item(*child, point, Context::Value, depth);
            } else {
                let next = self.points.len();
                self.item(*child, point, Context::Sequence, depth);
                // Control falls from one label into the next.
                let is_label = |inner: &Point| inner.kind.is_label() && inner.fallen.is_none();
                if self.points.get(next).is_some_and(is_label) {
                    let counters = self.points[point].counters.clone();
                    self.points[next].fallen = counters;
                }
            }
        }
    }
}
