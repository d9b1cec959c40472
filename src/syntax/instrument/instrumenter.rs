//! The state of the instrumenter: insertions, points and their tokens, and the text that they become.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use tree_sitter::{Node, Point as Position};

use super::super::chain::Chain;
use super::super::gnu::bare_operands;
use super::super::nodes::NodeExt;
use super::super::plain::Plain;
use super::super::points::{
    Counter, Instrumented, InstrumentedFunction, Point, PointId, PointKind, PointToken, TokenKind,
    TokenOrigin, ValueStart,
};
use super::super::preprocessed::Preprocessed;
use super::super::unevaluated::is_unevaluated;
use super::names::Names;
use super::source::COUNTERS;
use super::typed::Typed;
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
    /// Each with the line of its row.
    pub tokens: Vec<(Option<Line>, PointToken)>,
    /// The points that have a first token in another file.
    pub begun_elsewhere: BTreeSet<PointId>,
    pub functions: Vec<InstrumentedFunction>,
    pub chains: Vec<Chain>,
    pub counters: u32,
    /// [`Instrumented::evaluated_lines`].
    pub evaluated_lines: BTreeSet<Line>,
    /// The current function, as an index into `functions`.
    pub function: usize,
    /// Why the current function cannot be instrumented, if it cannot.
    pub refusal: Option<String>,
    /// Whether the operands of a chain are being instrumented.
    pub is_in_chain: bool,
    /// The number of that chain, if its vectors are counted.
    pub chain: Option<usize>,
    /// The number of chains around the current place, each in an operand of the next.
    pub chain_depth: usize,
    /// The number of chains so far.
    pub all_chains: usize,
    /// The node of the condition that is being instrumented.
    pub tested: Option<usize>,
    /// Calls and statement expressions so far: each is a reason for which an evaluation may not complete.
    pub exits: usize,
    /// The innermost `switch` around the current statement.
    pub switch: Option<PointId>,
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

    /// Insert an opening `text` before the insertions from the number `index` on.
    pub fn insert_at(&mut self, index: usize, offset: usize, text: impl Into<String>) {
        self.inserts.insert(index, Insert { offset, opens: true, text: text.into() });
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
        self.points[point].has_prefix = self.plain.start(node.start_byte()) < node.start_byte();
        self.mark_start(node, point, TokenKind::Code);
    }

    /// [`Instrumenter::begin`] for an expression, which begins at an `__extension__` before it, or at a parenthesis that the
    /// parser does not see.
    pub fn begin_expression(&mut self, node: Node<'_>, point: PointId) {
        let start = self.plain.start(node.start_byte());
        if start < node.start_byte() && self.program.text[start..].starts_with("__extension__") {
            self.mark_before(node, start, point, TokenKind::Code);
            self.points[point].has_prefix = true;
        } else if let Some(start) = self.masked_parenthesis(node) {
            self.mark_before(node, start, point, TokenKind::Code);
        } else {
            self.begin(node, point);
        }
    }

    /// The byte at which the expression `node` begins.
    pub(super) fn expression_start(&self, node: Node<'_>) -> usize {
        self.masked_parenthesis(node).unwrap_or_else(|| self.plain.start(node.start_byte()))
    }

    /// The parenthesis directly before `node` that [`gnu::masked`](super::super::gnu::masked) blanked, as in `(a) && b`.
    pub(super) fn masked_parenthesis(&self, node: Node<'_>) -> Option<usize> {
        let before = self.program.text[..node.start_byte()].trim_end();
        let start = before.strip_suffix('(')?.len();
        self.masked[start..].starts_with(' ').then_some(start)
    }

    /// Begin a statement, and count it.
    pub fn start(&mut self, node: Node<'_>, point: PointId) {
        self.begin(node, point);
        self.increment(point, self.plain.start(node.start_byte()), true);
    }

    /// The keyword that `node` begins with.
    pub fn mark_keyword(&mut self, node: Node<'_>, point: PointId) {
        if let Some(keyword) = node.child(0) {
            self.mark(keyword, point);
        }
    }

    pub fn mark(&mut self, token: Node<'_>, point: PointId) {
        match token.kind() {
            ")" | "]" => self.mark_start(token, point, TokenKind::Closing),
            ";" | "(" | "," | "{" | "}" | ":" | "?" => self.mark_start(token, point, TokenKind::Punctuation),
            _ => {
                self.mark_start(token, point, TokenKind::Code);
                for row in token.start_position().row + 1..=token.end_position().row {
                    self.mark_row(row, point);
                }
                if token.kind() == "number_literal" {
                    self.mark_digits(token, point);
                }
            }
        }
    }

    /// Mark the digits of `number` after its sign, which is a part of it to the parser only, if they are in a macro.
    fn mark_digits(&mut self, number: Node<'_>, point: PointId) {
        let text = number.text(self.masked);
        let sign = text.len() - text.trim_start_matches(['-', '+']).len();
        let (offset, at) = (number.start_byte() + sign, number.start_position());
        let level = self.program.origins().at(offset).and_then(|origin| origin.level);
        if sign > 0 && level.is_some() {
            let at = Position { row: at.row, column: at.column + sign };
            self.mark_at(offset, at, point, TokenKind::Code, ValueStart::Yes);
        }
    }

    /// Every token below `node`. The tokens of a statement expression there are no code, and belong to no point.
    pub fn mark_all(&mut self, node: Node<'_>, point: PointId) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if is_token(node) {
                self.mark(node, point);
            } else if node.kind() != "compound_statement" {
                stack.extend(children(node));
            }
        }
    }

    /// Mark the first character of `node`.
    pub fn mark_start(&mut self, node: Node<'_>, point: PointId, kind: TokenKind) {
        let level = self.program.origins().at(node.start_byte()).and_then(|origin| origin.level);
        // Nothing is asked of values outside of macros.
        let begins = level.is_some() && begins_value(node, self.masked);
        let value = if begins { ValueStart::Yes } else { ValueStart::No };
        self.mark_at(node.start_byte(), node.start_position(), point, kind, value);
    }

    /// Mark the code on `row`, which is a part of a larger token.
    pub fn mark_row(&mut self, row: usize, point: PointId) {
        let Some(text) = self.program.row(row) else { return };
        let column = text.len() - text.trim_start().len();
        if let Some(start) = self.program.row_start(row) {
            self.mark_in_row(row, start + column, point);
        }
    }

    /// Mark the code at `offset`, which is on `row`.
    pub fn mark_in_row(&mut self, row: usize, offset: usize, point: PointId) {
        let Some(column) = self.program.row_start(row).and_then(|start| offset.checked_sub(start)) else {
            return;
        };
        self.mark_at(offset, Position { row, column }, point, TokenKind::Code, ValueStart::No);
    }

    /// A token at `offset`, which is before `node`.
    pub fn mark_before(&mut self, node: Node<'_>, offset: usize, point: PointId, kind: TokenKind) {
        let row = node.start_position().row - self.masked[offset..node.start_byte()].matches('\n').count();
        let column = offset - self.masked[..offset].rfind('\n').map_or(0, |feed| feed + 1);
        self.mark_at(offset, Position { row, column }, point, kind, ValueStart::No);
    }

    fn mark_at(&mut self, offset: usize, at: Position, id: PointId, kind: TokenKind, value: ValueStart) {
        let line = self.program.line(at.row);
        let point = &mut self.points[id];
        let is_constant = match point.kind {
            PointKind::Operand => point.constant,
            PointKind::Init => point.folded,
            _ => false,
        };
        let is_folded = kind == TokenKind::Code && is_constant;
        let kind = if is_folded { TokenKind::Folded } else { kind };
        let is_part = matches!(kind, TokenKind::ClosingBrace | TokenKind::Closing | TokenKind::Punctuation);
        // What begins in another file begins in ours with its first token here.
        let is_open = !is_part && point.line.is_none();
        let begins = is_open && (line.is_some() || self.begun_elsewhere.insert(id));
        let column = self.program.column(at.row, at.column);
        if begins {
            point.line = line;
            point.inclusion = self.program.inclusion(at.row);
        }
        let origin = TokenOrigin::Code;
        self.tokens.push((
            line,
            PointToken { point: id, begins, kind, column, offset, origin, value, is_made: false },
        ));
    }

    /// A token on a row of another file, with the line of ours on which it was typed if it is from a macro of ours.
    fn typed_elsewhere(&self, token: PointToken) -> (Option<Line>, PointToken) {
        let at = self.program.origin(token.offset).and_then(|origin| origin.spelling);
        (at.map(|at| at.line), PointToken { column: at.map(|at| at.column), ..token })
    }

    pub fn finish(mut self) -> Instrumented {
        // The sort is stable, and inner ends and outer beginnings were inserted first.
        self.inserts.sort_by_key(|insert| (insert.offset, insert.opens));
        let mut lines = BTreeMap::<Line, Vec<PointToken>>::new();
        // The sort is stable, and an outer point is marked before those inside it.
        self.tokens.sort_by_key(|(_, token)| token.offset);
        // A statement and the name that it begins with are marked apart.
        self.tokens.dedup_by(|(_, next), (_, first)| {
            let is_same = (next.offset, next.point, next.kind) == (first.offset, first.point, first.kind);
            if is_same && next.value != ValueStart::No {
                first.value = next.value;
            }
            is_same
        });
        let ranges: Vec<Range<usize>> = self.functions.iter().map(|found| found.range.clone()).collect();
        let typed = Typed::of(self.program, &self.points, &self.tokens, &ranges);
        let mut elsewhere = Vec::new();
        for (line, token) in std::mem::take(&mut self.tokens) {
            match line {
                Some(line) => lines.entry(line).or_default().push(token),
                None => elsewhere.push(self.typed_elsewhere(token)),
            }
        }
        let bare = bare_operands(&self.program.text);
        Instrumented {
            bare_text: (bare != self.program.text).then(|| bare.into_owned()),
            text: self.program.text.clone(),
            inserts: self.inserts.into_iter().map(|insert| (insert.offset, insert.text)).collect(),
            counters: self.counters,
            points: self.points,
            lines,
            elsewhere,
            typed: typed.tokens,
            inner_points: typed.inner_points,
            expansions: typed.expansions,
            partial_definitions: typed.partial_definitions,
            evaluated_lines: self.evaluated_lines,
            inclusions: self.program.inclusions_in(&ranges),
            directives: self.program.directive_lines(),
            blank_lines: self.program.blank_lines(),
            compiler_names: self.program.compiler_names(),
            is_expanded_elsewhere: self.program.is_expanded_elsewhere(),
            functions: self.functions,
            chains: self.chains,
            has_vectors: self.with_vectors,
        }
    }
}

/// Whether `node` is one token: the parser divides literals.
pub(super) fn is_token(node: Node<'_>) -> bool {
    node.child_count() == 0 || matches!(node.kind(), "string_literal" | "char_literal")
}

/// The children of `node`, comments excluded.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    node.all_children().into_iter().filter(|child| !child.is_extra()).collect()
}

/// Whether clang sees an expression begin with the token `node`: it is no operator, no later one of the literals of
/// a string, and no part of a type, of a designator, of a label or of what is not evaluated.
fn begins_value(node: Node<'_>, text: &str) -> bool {
    const OTHERS: [&str; 6] = [
        "field_designator",
        "primitive_type",
        "sized_type_specifier",
        "statement_identifier",
        "type_descriptor",
        "type_identifier",
    ];
    const IN_PARENTHESES: [&str; 3] =
        ["parenthesized_expression", "cast_expression", "compound_literal_expression"];
    // Each step to a parent begins at the root of the tree.
    const STEPS: usize = 24;
    let is_operand = match node.kind() {
        "(" => node.parent().is_some_and(|outer| IN_PARENTHESES.contains(&outer.kind())),
        _ => node.is_named(),
    };
    if !is_operand {
        return false;
    }
    let mut around = std::iter::successors(Some(node), Node::parent).take(STEPS).peekable();
    while let Some(inner) = around.next() {
        // A string begins with the first of its literals.
        let is_later = inner.kind() == "concatenated_string" && inner.start_byte() < node.start_byte();
        if is_later || OTHERS.contains(&inner.kind()) || is_unevaluated(inner, text) {
            return false;
        }
        match around.peek() {
            // A part of a declaration is a value in an initialiser only.
            Some(outer) if outer.kind() == "init_declarator" => {
                return outer.child_by_field_name("value") == Some(inner);
            }
            Some(outer) if outer.kind() == "declaration" => return false,
            Some(outer) if outer.kind().ends_with("_statement") => return true,
            _ => {}
        }
    }
    false
}
