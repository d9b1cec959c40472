//! The instrumenter: from a preprocessed program to one that counts its points.
//!
//! All edits are insertions: an increment before a statement (in braces where a
//! single statement has to stand), after a label, at the head of a block, before
//! the step of a `for`; and around what is tested, `C` becomes
//! `((C)?(t++,1):(f++,0))`. So every operand is evaluated once, in its order, and
//! nothing whose type or value is used is touched: the arms of `?:` are counted by
//! the outcomes of its condition, since `(n++,0)` is no null pointer. What has to
//! be constant (sizes, `case`s, `sizeof`, `__builtin_constant_p`) is left alone.

use std::collections::HashSet;

use tree_sitter::Node;

use super::points::{Instrumented, Mark, MarkKind, Point, PointId, PointKind, Slot, Traced};
use super::preprocessed::Preprocessed;
use super::walk::old_style_start;
use super::{StatementKind, parser};
use crate::model::Line;

/// The name of the counters.
const COUNTERS: &str = "recount_truth";

/// Deeper than this nothing is instrumented: compilers limit nesting too (clang: 256 brackets).
const DEEPEST: u32 = 200;

/// Instrument `program`, so that it writes its counters to `output` as it exits.
pub fn instrument(program: &Preprocessed, output: &str) -> Instrumented {
    let masked = program.masked();
    let tree = parser().parse(&masked, None).expect("a language is set and nothing cancels");
    let mut weaver = Weaver {
        program,
        masked: &masked,
        inserts: Vec::new(),
        points: Vec::new(),
        marks: Vec::new(),
        functions: Vec::new(),
        names: Names::of(tree.root_node(), &masked),
        slots: 0,
        function: 0,
        leaves: 0,
        failed: false,
    };
    weaver.file(tree.root_node());
    weaver.finish(output)
}

/// An insertion. At one offset what closes stands before what opens.
struct Insert {
    offset: usize,
    opens: bool,
    text: String,
}

struct Weaver<'a> {
    program: &'a Preprocessed,
    masked: &'a str,
    inserts: Vec<Insert>,
    points: Vec<Point>,
    marks: Vec<(Line, Mark)>,
    functions: Vec<Traced>,
    names: Names<'a>,
    slots: u32,
    function: usize,
    /// Calls and statement expressions seen so far: ways in which an evaluation may not complete.
    leaves: usize,
    /// Whether the function at hand cannot be instrumented.
    failed: bool,
}

/// How a statement stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// In a sequence, where another may stand before it.
    Item,
    /// The last of a statement expression, whose value it is.
    Value,
    /// Where there is room for one statement.
    Sole,
}

impl<'a> Weaver<'a> {
    fn file(&mut self, root: Node<'_>) {
        let mut cursor = root.walk();
        for node in root.children(&mut cursor) {
            match node.kind() {
                "function_definition" => {
                    if let Some(body) = node.child_by_field_name("body") {
                        self.function(node, node.start_byte(), body, 0);
                    }
                }
                "compound_statement" => self.function(node, old_style_start(node), node, 0),
                _ => {}
            }
        }
    }

    /// A function whose head begins at `start`. What cannot be instrumented is undone.
    fn function(&mut self, node: Node<'_>, start: usize, body: Node<'_>, depth: u32) {
        let head_rows = self.masked[start..body.start_byte()].matches('\n').count();
        let (first, last) = (body.start_position().row - head_rows, body.end_position().row);
        let outer = (self.function, self.failed);
        let (inserts, points, marks) = (self.inserts.len(), self.points.len(), self.marks.len());
        let lines = (first..=last).filter_map(|row| self.program.line(row));
        let lines: Vec<Line> = lines.collect();
        let (Some(&from), Some(&to)) = (lines.iter().min(), lines.iter().max()) else { return };
        self.function = self.functions.len();
        self.functions.push(Traced { lines: (from, to), counted: true });
        // A head with a body in it is one that the parser took for a type.
        let head = &self.masked[start..body.start_byte()];
        self.failed = node.has_error() || body.kind() != "compound_statement" || head.contains(['{', '}']);
        if !self.failed {
            let entry = self.counted(PointKind::Entry, None);
            for (row, text) in (first..).zip(self.masked[start..body.start_byte()].split('\n')) {
                if !text.trim().is_empty() {
                    self.mark_row(row, entry, MarkKind::Code);
                }
            }
            self.block(body, entry, false, depth);
        }
        if self.failed {
            self.inserts.truncate(inserts);
            self.points.truncate(points);
            self.marks.truncate(marks);
            for function in &mut self.functions[self.function..] {
                function.counted = false;
            }
        }
        (self.function, self.failed) = outer;
    }

    /// `{ … }`, whose entries are those of `point`; a statement expression's has a value.
    fn block(&mut self, node: Node<'_>, point: PointId, value: bool, depth: u32) {
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
                "{" => self.mark_row(child.start_position().row, point, MarkKind::Opens),
                "}" => {
                    self.mark_row(child.start_position().row, point, MarkKind::Closes);
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

    fn statement(&mut self, node: Node<'_>, stand: Stand, depth: u32) {
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
                self.mark_row(node.start_position().row, point, MarkKind::Opens);
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
    fn odd(&mut self, node: Node<'_>, stand: Stand, depth: u32) {
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
    fn simple(&mut self, node: Node<'_>, kind: StatementKind, stand: Stand, depth: u32) {
        let silent = kind == StatementKind::Declaration && !has_initialiser(node);
        let kind_of_point = if silent { PointKind::Silent } else { PointKind::Statement(kind) };
        let point = self.counted(kind_of_point, None);
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
    fn branch(&mut self, node: Node<'_>, chained: Option<PointId>, depth: u32) {
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
    fn arm(&mut self, node: Node<'_>, depth: u32) -> Option<PointId> {
        let next = self.points.len();
        self.statement(node, Stand::Sole, depth + 1);
        (self.points.len() > next).then_some(next)
    }

    fn repeated(&mut self, node: Node<'_>, kind: StatementKind, depth: u32) {
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
        let entered = body(self);
        // A constant is tested as often as the body is entered: control leaves by other ways.
        if let Some(tested) = tested.filter(|tested| self.points[*tested].constant) {
            self.points[tested].slots = entered.and_then(|entered| self.points[entered].slots.clone());
        }
    }

    fn switch(&mut self, node: Node<'_>, depth: u32) {
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
        for child in body.named_children(&mut cursor) {
            self.statement(child, Stand::Item, depth + 1);
        }
    }

    /// A label or `case`, and what follows it.
    fn labelled(&mut self, node: Node<'_>, kind: StatementKind, stand: Stand, depth: u32) {
        let kind = if kind == StatementKind::Case { PointKind::Case } else { PointKind::Label };
        let point = self.counted(kind, None);
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

    /// `(C)` of a statement.
    fn parenthesised(&mut self, node: Node<'_>, outer: PointId, folds: bool, depth: u32) -> PointId {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).filter(|child| !child.is_extra()).collect();
        let mut tested = None;
        for child in children {
            if child.is_named() {
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
    fn condition(&mut self, node: Node<'_>, within: Option<PointId>, depth: u32) -> PointId {
        if is_number(node) {
            let point = self.point(PointKind::Condition, None, within);
            self.begin(node, point);
            self.points[point].constant = true;
            self.plain(node, point);
            return point;
        }
        self.decision(node, within, depth)
    }

    /// The same, where a number is counted like anything else.
    fn decision(&mut self, node: Node<'_>, within: Option<PointId>, depth: u32) -> PointId {
        let point = self.point(PointKind::Condition, None, within);
        self.begin(node, point);
        self.test(node, point, |weaver| {
            if logical(node).is_some() {
                weaver.logical(node, Some(point), depth + 1);
            } else {
                weaver.tokens(node, point, depth + 1);
            }
        });
        point
    }

    /// Wrap `node`, so that its outcomes are counted, around what `inner` does to it.
    fn test(&mut self, node: Node<'_>, point: PointId, inner: impl FnOnce(&mut Self)) {
        let (yes, no) = (self.slot(), self.slot());
        self.points[point].outcomes = Some((yes, no));
        let (opening, leaves) = (self.inserts.len(), self.leaves);
        self.insert(node.start_byte(), true, "((".into());
        inner(self);
        self.insert(node.end_byte(), false, format!(")?({COUNTERS}[{yes}]++,1):({COUNTERS}[{no}]++,0))"));
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
    fn logical(&mut self, node: Node<'_>, within: Option<PointId>, depth: u32) -> Option<PointId> {
        self.failed |= depth > DEEPEST;
        if self.failed {
            return None;
        }
        let Some(inner) = logical(node) else {
            let point = self.point(PointKind::Operand, None, within);
            self.points[point].constant = self.is_folded(node);
            self.begin(node, point);
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
        first
    }

    /// The tokens of an expression, or of a whole simple statement.
    fn tokens(&mut self, node: Node<'_>, point: PointId, depth: u32) {
        self.failed |= depth > DEEPEST;
        if self.failed {
            return;
        }
        match node.kind() {
            "conditional_expression" => self.choice(node, point, depth),
            "binary_expression" if logical(node).is_some() => {
                self.logical(node, Some(point), depth + 1);
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
    fn choice(&mut self, node: Node<'_>, point: PointId, depth: u32) {
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

    /// Whether a compiler works out an operand for itself: it names nothing but constants.
    fn is_folded(&self, node: Node<'_>) -> bool {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            match node.kind() {
                "sizeof_expression" | "alignof_expression" | "offsetof_expression" | "type_descriptor" => {}
                "identifier" if !self.names.constants.contains(self.text(node)) => return false,
                "call_expression" if self.is_constant(node) => {}
                "call_expression" | "string_literal" | "compound_statement" | "assignment_expression" => {
                    return false;
                }
                _ => {
                    let mut cursor = node.walk();
                    stack.extend(node.named_children(&mut cursor));
                }
            }
        }
        true
    }

    /// What has to stay a constant, or is never evaluated.
    fn is_constant(&self, node: Node<'_>) -> bool {
        match node.kind() {
            "sizeof_expression"
            | "alignof_expression"
            | "offsetof_expression"
            | "generic_expression"
            | "gnu_asm_expression"
            | "type_descriptor"
            | "struct_specifier"
            | "union_specifier"
            | "enum_specifier"
            | "attribute_specifier"
            | "bitfield_clause"
            | "subscript_designator"
            | "subscript_range_designator"
            | "static_assert_declaration"
            | "macro_type_specifier" => true,
            "call_expression" => {
                let name = node.child_by_field_name("function").map(|function| self.text(function));
                matches!(
                    name,
                    Some(
                        "__builtin_constant_p"
                            | "__builtin_choose_expr"
                            | "__builtin_types_compatible_p"
                            | "__builtin_offsetof"
                            | "__typeof__"
                            | "typeof"
                            | "__typeof"
                            | "__alignof__"
                            | "_Alignof"
                    )
                )
            }
            _ => false,
        }
    }

    /// Marks for every token below `node`, and nothing else.
    fn plain(&mut self, node: Node<'_>, point: PointId) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if node.child_count() == 0 {
                self.mark(node, point);
            } else {
                let mut cursor = node.walk();
                stack.extend(node.children(&mut cursor).filter(|child| !child.is_extra()));
            }
        }
    }

    /// The mark of the keyword that `node` begins with. Its parentheses and semicolons belong
    /// to nobody, nor does `else`.
    fn keyword(&mut self, node: Node<'_>, point: PointId) {
        if let Some(keyword) = node.child(0) {
            self.mark(keyword, point);
        }
    }

    fn mark(&mut self, token: Node<'_>, point: PointId) {
        if matches!(token.kind(), ";" | "(" | ")" | "," | "{" | "}" | ":" | "?" | "]") {
            return;
        }
        for row in token.start_position().row..=token.end_position().row {
            self.mark_row(row, point, MarkKind::Code);
        }
    }

    fn mark_row(&mut self, row: usize, point: PointId, kind: MarkKind) {
        let Some(line) = self.program.line(row) else { return };
        let kind = match kind {
            MarkKind::Code
                if self.points[point].constant && self.points[point].kind == PointKind::Operand =>
            {
                MarkKind::Folded
            }
            other => other,
        };
        let begins = kind != MarkKind::Closes && self.points[point].line.is_none();
        if begins {
            self.points[point].line = Some(line);
        }
        self.marks.push((line, Mark { point, begins, kind }));
    }

    /// A piece begins where its first token stands, be that punctuation.
    fn begin(&mut self, node: Node<'_>, point: PointId) {
        self.mark_row(node.start_position().row, point, MarkKind::Code);
    }

    /// The increment before a statement.
    fn start(&mut self, node: Node<'_>, point: PointId) {
        self.begin(node, point);
        let slots = self.points[point].slots.clone().unwrap_or_default();
        self.insert(node.start_byte(), true, increment(slots[0]));
    }

    fn insert(&mut self, offset: usize, opens: bool, text: String) {
        self.inserts.push(Insert { offset, opens, text });
    }

    fn slot(&mut self) -> Slot {
        self.slots += 1;
        self.slots - 1
    }

    /// A point with a counter of its own.
    fn counted(&mut self, kind: PointKind, within: Option<PointId>) -> PointId {
        let slot = self.slot();
        self.point(kind, Some(vec![slot]), within)
    }

    fn point(&mut self, kind: PointKind, slots: Option<Vec<Slot>>, within: Option<PointId>) -> PointId {
        self.points.push(Point {
            kind,
            slots,
            outcomes: None,
            completed: None,
            holds_block: false,
            constant: false,
            function: self.function,
            within,
            line: None,
        });
        self.points.len() - 1
    }

    fn text(&self, node: Node<'_>) -> &'a str {
        &self.masked[node.byte_range()]
    }

    fn finish(mut self, output: &str) -> Instrumented {
        // The sort is stable: inner ends and outer beginnings come first, as they were made.
        self.inserts.sort_by_key(|insert| (insert.offset, insert.opens));
        let mut source = format!("static unsigned long long {COUNTERS}[{}];\n", self.slots.max(1));
        let mut at = 0;
        for insert in &self.inserts {
            source.push_str(&self.program.text[at..insert.offset]);
            source.push_str(&insert.text);
            at = insert.offset;
        }
        source.push_str(&self.program.text[at..]);
        source.push_str(&epilogue(output));
        let mut lines = std::collections::BTreeMap::<Line, Vec<Mark>>::new();
        for (line, mark) in self.marks {
            let marks = lines.entry(line).or_default();
            if marks.last() != Some(&mark) {
                marks.push(mark);
            }
        }
        Instrumented { source, slots: self.slots, points: self.points, lines, functions: self.functions }
    }
}

fn increment(slot: Slot) -> String {
    format!("{COUNTERS}[{slot}]++;")
}

/// Writes the counters after everything that the program registered for its exit has run. The
/// names are glibc's own, which a program does not define.
fn epilogue(output: &str) -> String {
    format!(
        "\nextern int __open(const char *, int, ...);\nextern long __write(int, const void *, unsigned long);\n\
         extern int __close(int);\n\
         __attribute__((destructor(0))) static void recount_write(void) {{\n\
         int file = __open(\"{output}\", 01101, 0600);\n\
         if (file >= 0) {{ __write(file, {COUNTERS}, sizeof {COUNTERS}); __close(file); }}\n}}\n"
    )
}

/// Whether a declaration stands for no code that runs where it stands.
fn needs_no_code(text: &str) -> bool {
    let first = text.split(|c: char| !c.is_alphanumeric() && c != '_').find(|word| !word.is_empty());
    matches!(first, Some("static" | "extern" | "typedef" | "__label__" | "_Static_assert" | "static_assert"))
        || text.split_once('=').map_or(text, |(head, _)| head).split_whitespace().any(|word| word == "static")
}

fn has_initialiser(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).any(|child| child.kind() == "init_declarator")
}

/// A number, perhaps in parentheses or with a sign: compilers fold what it decides.
fn is_number(node: Node<'_>) -> bool {
    match node.kind() {
        "number_literal" | "char_literal" | "true" | "false" => true,
        "parenthesized_expression" | "unary_expression" => node.named_child(0).is_some_and(is_number),
        _ => false,
    }
}

/// Names that change what a piece of text means.
struct Names<'a> {
    /// The constants of every `enum`.
    constants: HashSet<&'a str>,
    /// The labels of every function.
    labels: HashSet<&'a str>,
}

impl<'a> Names<'a> {
    fn of(root: Node<'_>, text: &'a str) -> Names<'a> {
        let mut names = Names { constants: HashSet::new(), labels: HashSet::new() };
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            let set = match node.kind() {
                "enumerator" => Some((&mut names.constants, "name")),
                "labeled_statement" => Some((&mut names.labels, "label")),
                _ => None,
            };
            if let Some((set, field)) = set
                && let Some(name) = node.child_by_field_name(field)
            {
                set.insert(&text[name.byte_range()]);
            }
            let mut cursor = node.walk();
            stack.extend(node.named_children(&mut cursor));
        }
        names
    }
}

/// The `&&` or `||` that `node` is, parentheses apart.
fn logical(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    while node.kind() == "parenthesized_expression" {
        let mut cursor = node.walk();
        node = node.named_children(&mut cursor).find(|child| !child.is_extra())?;
    }
    let operator = node.child_by_field_name("operator")?;
    (node.kind() == "binary_expression" && matches!(operator.kind(), "&&" | "||")).then_some(node)
}
