//! The state of the instrumenter: insertions, points and their tokens, and the text that they become.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::super::nodes::NodeExt;
use super::super::plain::Plain;
use super::super::points::{
    Chain, Counter, Instrumented, InstrumentedFunction, Point, PointId, PointKind, PointToken, TokenKind,
};
use super::super::preprocessed::Preprocessed;
use super::names::Names;
use super::refusal::Refusal;
use super::source::COUNTERS;
use crate::model::Line;

/// The deepest nesting that is instrumented: compilers have limits too (clang: 256 brackets).
pub(super) const DEEPEST: u32 = 200;

/// At one offset, text that closes something precedes text that opens something.
#[derive(Debug)]
pub(super) struct Insert {
    pub offset: usize,
    pub opens: bool,
    pub text: String,
}

pub(super) struct Instrumenter<'a> {
    pub program: &'a Preprocessed,
    pub masked: &'a str,
    pub plain: &'a Plain,
    pub names: Names<'a>,
    /// Whether the test vectors of decisions are counted.
    pub with_vectors: bool,
    pub inserts: Vec<Insert>,
    pub points: Vec<Point>,
    pub tokens: Vec<(Line, PointToken)>,
    pub functions: Vec<InstrumentedFunction>,
    pub chains: Vec<Chain>,
    pub counters: u32,
    /// The current function, as an index into `functions`.
    pub function: usize,
    /// Why the current function cannot be instrumented, if it cannot.
    pub refusal: Option<String>,
    /// The functions that cannot be instrumented.
    pub refusals: Vec<Refusal>,
    /// The chain whose operands are being instrumented.
    pub chain: Option<usize>,
    /// Calls and statement expressions so far: each is a reason for which an evaluation may not complete.
    pub exits: usize,
    /// Labels and `case`s so far: each is an entry into the enclosing statements.
    pub labels: usize,
}

impl Instrumenter<'_> {
    /// Whether `depth` is below the limit; a function that is nested deeper is refused.
    pub fn is_shallow(&mut self, depth: u32) -> bool {
        if depth > DEEPEST {
            self.refuse(|| "nested too deeply".into());
        }
        self.refusal.is_none()
    }

    /// Do not instrument the current function, for `reason`.
    pub fn refuse(&mut self, reason: impl FnOnce() -> String) {
        self.refusal.get_or_insert_with(reason);
    }

    pub fn insert(&mut self, offset: usize, opens: bool, text: impl Into<String>) {
        self.inserts.push(Insert { offset, opens, text: text.into() });
    }

    pub fn counter(&mut self) -> Counter {
        self.counters += 1;
        self.counters - 1
    }

    pub fn point(
        &mut self,
        kind: PointKind,
        counters: Option<Vec<Counter>>,
        within: Option<PointId>,
    ) -> PointId {
        self.points.push(Point { kind, counters, function: self.function, within, ..Point::default() });
        self.points.len() - 1
    }

    /// A point with a counter of its own.
    pub fn counted_point(&mut self, kind: PointKind, within: Option<PointId>) -> PointId {
        let counter = self.counter();
        self.point(kind, Some(vec![counter]), within)
    }

    /// Insert increments of the counters of `point` at `offset`.
    pub fn increment(&mut self, point: PointId, offset: usize, opens: bool) {
        for counter in self.points[point].counters.clone().unwrap_or_default() {
            self.insert(offset, opens, format!("{COUNTERS}[{counter}]++;"));
        }
    }

    /// Count at `offset` how often `point` completes.
    pub fn count_completion(&mut self, point: PointId, offset: usize) {
        let counter = self.counter();
        self.points[point].completed = Some(vec![counter]);
        self.insert(offset, false, format!("{COUNTERS}[{counter}]++;"));
    }

    /// Count the evaluations of `node` by `counter`, and let `inner` instrument it.
    pub fn count_evaluations(&mut self, node: Node<'_>, counter: Counter, inner: impl FnOnce(&mut Self)) {
        self.insert(node.start_byte(), true, format!("({COUNTERS}[{counter}]++,("));
        inner(self);
        self.insert(node.end_byte(), false, "))");
    }

    /// A point begins with its first token, even if that is punctuation.
    pub fn begin(&mut self, node: Node<'_>, point: PointId) {
        self.mark_first_row(node, point, TokenKind::Code);
    }

    /// Begin a statement, and count it.
    pub fn start(&mut self, node: Node<'_>, point: PointId) {
        self.begin(node, point);
        self.increment(point, self.plain.start(node.start_byte()), true);
    }

    /// The keyword that `node` begins with. Its parentheses and semicolons belong to no point, nor does `else`.
    pub fn mark_keyword(&mut self, node: Node<'_>, point: PointId) {
        if let Some(keyword) = node.child(0) {
            self.mark(keyword, point);
        }
    }

    pub fn mark(&mut self, token: Node<'_>, point: PointId) {
        match token.kind() {
            ")" | "]" => self.mark_row(token.start_position().row, point, TokenKind::Closing),
            ";" | "(" | "," | "{" | "}" | ":" | "?" => {}
            _ => {
                self.mark_first_row(token, point, TokenKind::Code);
                for row in token.start_position().row + 1..=token.end_position().row {
                    self.mark_row(row, point, TokenKind::Code);
                }
            }
        }
    }

    /// Every token below `node`. The tokens of a statement expression there are no code, and belong to no point.
    pub fn mark_all(&mut self, node: Node<'_>, point: PointId) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if node.child_count() == 0 {
                self.mark(node, point);
            } else if node.kind() != "compound_statement" {
                stack.extend(children(node));
            }
        }
    }

    pub fn mark_first_row(&mut self, node: Node<'_>, point: PointId, kind: TokenKind) {
        let start = node.start_position();
        self.mark_at(start.row, Some(start.column), point, kind);
    }

    /// A token at `offset`, which is before `node`.
    pub fn mark_before(&mut self, node: Node<'_>, offset: usize, point: PointId, kind: TokenKind) {
        let row = node.start_position().row - self.masked[offset..node.start_byte()].matches('\n').count();
        let column = offset - self.masked[..offset].rfind('\n').map_or(0, |feed| feed + 1);
        self.mark_at(row, Some(column), point, kind);
    }

    pub fn mark_row(&mut self, row: usize, point: PointId, kind: TokenKind) {
        self.mark_at(row, None, point, kind);
    }

    fn mark_at(&mut self, row: usize, column: Option<usize>, id: PointId, kind: TokenKind) {
        let Some(line) = self.program.line(row) else { return };
        let point = &mut self.points[id];
        let is_folded = kind == TokenKind::Code && point.constant && point.kind == PointKind::Operand;
        let kind = if is_folded { TokenKind::Folded } else { kind };
        let is_end = matches!(kind, TokenKind::ClosingBrace | TokenKind::Closing);
        let begins = !is_end && point.line.is_none();
        if begins {
            point.line = Some(line);
            point.inclusion = self.program.inclusion(row);
            point.column = column.and_then(|column| self.program.column(row, column));
        }
        self.tokens.push((line, PointToken { point: id, begins, kind }));
    }

    pub fn finish(mut self) -> Instrumented {
        // The sort is stable, and inner ends and outer beginnings were inserted first.
        self.inserts.sort_by_key(|insert| (insert.offset, insert.opens));
        let mut lines = BTreeMap::<Line, Vec<PointToken>>::new();
        for (line, token) in self.tokens {
            let tokens = lines.entry(line).or_default();
            if tokens.last() != Some(&token) {
                tokens.push(token);
            }
        }
        Instrumented {
            text: self.program.text.clone(),
            inserts: self.inserts.into_iter().map(|insert| (insert.offset, insert.text)).collect(),
            counters: self.counters,
            points: self.points,
            lines,
            arguments: self.program.arguments(),
            functions: self.functions,
            chains: self.chains,
        }
    }
}

/// The children of `node`, comments excluded.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    node.all_children().into_iter().filter(|child| !child.is_extra()).collect()
}
