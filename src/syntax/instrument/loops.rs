//! Loops: their parts, each of which has an execution count of its own.

use tree_sitter::Node;

use super::super::StatementKind;
use super::super::nodes::NodeExt;
use super::super::points::{PointId, PointKind, TokenKind};
use super::constants::plain_value;
use super::instrumenter::{Instrumenter, children};

impl Instrumenter<'_> {
    pub(super) fn repeated(&mut self, node: Node<'_>, kind: StatementKind, depth: u32) {
        let point = self.counted_point(PointKind::Statement(kind), None);
        self.start(node, point);
        self.repeat_labels(node);
        self.mark_keyword(node, point);
        let field = |name| node.field(name);
        if let Some(first) = field("initializer") {
            let counters = self.points[point].counters.clone();
            let init = self.point(PointKind::Init, counters, Some(point));
            self.points[init].has_code = self.names.has_effect(first, self.masked);
            self.points[init].folded = self.is_folded(first);
            self.points[init].may_repeat =
                first.kind() == "declaration" && first.text(&self.program.text).contains("cleanup");
            self.begin(first, init);
            self.expression(first, init, depth + 1);
        }
        let condition = field("condition");
        for child in children(node).iter().filter(|child| matches!(child.kind(), "(" | ")" | ";")) {
            self.mark(*child, point);
        }
        if kind == StatementKind::Do {
            if let Some(body) = field("body") {
                self.arm(body, point, depth);
            }
            if let Some(condition) = condition {
                self.condition_of_do(condition, point, depth);
            }
            return;
        }
        let tested = condition.map(|condition| match kind {
            StatementKind::For => self.condition(condition, Some(point), depth),
            _ => self.parenthesised(condition, point, true, depth),
        });
        if let Some(step) = field("update") {
            let counter = self.counter();
            let counted = self.point(PointKind::Step, Some(vec![counter]), Some(point));
            self.points[counted].has_code = self.names.has_effect(step, self.masked);
            self.begin(step, counted);
            self.count_evaluations(step, counter, |this| this.expression(step, counted, depth + 1));
        }
        let labels = self.labels;
        let entered = field("body").and_then(|body| self.arm(body, point, depth));
        // Where control may enter the body by a jump, the branch may be on another line.
        if let Some(tested) = tested {
            self.points[tested].decides = labels == self.labels;
        }
        let Some(tested) = tested.filter(|tested| self.points[*tested].constant) else { return };
        match condition.map_or(Some(true), |test| plain_value(test, self.masked)) {
            // It is tested as often as the body is entered, since control leaves in other ways.
            Some(true) => {
                // A label is also reached by jumps.
                let entered = entered.map(|entered| &self.points[entered]);
                let entered =
                    entered.filter(|point| !matches!(point.kind, PointKind::Label | PointKind::Case));
                self.points[tested].counters = entered.and_then(|point| point.counters.clone());
            }
            // Nothing enters the body, unless by a jump, so it is tested once.
            Some(false) if labels == self.labels => {
                self.points[tested].counters = self.points[point].counters.clone();
            }
            _ => {}
        }
    }

    fn condition_of_do(&mut self, condition: Node<'_>, point: PointId, depth: u32) {
        let tested = self.parenthesised(condition, point, true, depth);
        if let Some(keyword) = condition.prev_sibling().filter(|keyword| keyword.kind() == "while") {
            self.mark_start(keyword, tested, TokenKind::Punctuation);
        }
        if self.points[tested].constant
            && let Some(inner) = children(condition).into_iter().find(Node::is_named)
        {
            let counter = self.counter();
            self.points[tested].counters = Some(vec![counter]);
            self.count_evaluations(inner, counter, |_| ());
        }
    }
}
