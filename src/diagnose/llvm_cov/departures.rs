//! Finds the departures of a program in ground truth.

use super::departure::{Departure, Kind, Span};
use super::facts::{Facts, Position};
use crate::model::{Cause, Layer, Line};
use crate::syntax::{Leaving, PointId, PointKind, PointToken, StatementKind, is_asm_goto};
use crate::truth::CountedPoint;

/// The mechanism of a count that assumes that a call returns which is not declared not to.
pub(super) const CALL_DOES_NOT_RETURN: &str = "call-does-not-return";

/// The first version of clang in which `?:` sets the count of the code after it (`VisitAbstractConditionalOperator`).
const CHOICE_HAS_COUNT: u32 = 17;

/// The mechanism of an arm of `?:` that control leaves in earlier versions.
const EXIT_IN_ARM: &str = "exit-in-arm";

/// All departures, in the order of the points.
pub(super) fn departures(facts: &Facts<'_>) -> Vec<Departure> {
    let truth = facts.truth;
    let mut found: Vec<Departure> = Vec::new();
    for (id, point) in truth.points.iter().enumerate() {
        let (Some(span), Some(count)) = (facts.span(id), point.count) else { continue };
        let mut add = |kind, around, times| {
            found.push(Departure { kind, point: id, around, function: point.function, span, times });
        };
        match point.kind {
            PointKind::Statement(StatementKind::Goto) if count > 0 && is_computed(facts, id) => {
                add(Kind::ComputedGoto, id, Some(count));
            }
            PointKind::Statement(StatementKind::Asm)
                if count > 0 && facts.text_of(id).is_some_and(is_asm_goto) =>
            {
                add(Kind::AsmGoto, id, None);
            }
            _ => {}
        }
        if is_jump(point) && count > 0 {
            if let Some(around) = left_expression(facts, id) {
                add(Kind::JumpOut, around, Some(count));
            } else if is_to_outer(facts, id) {
                add(Kind::NamedJump, id, Some(count));
            }
            continue;
        }
        let (Some(completed), false) = (point.completed, point.kind == PointKind::Block) else { continue };
        if completed > count {
            add(Kind::SecondReturn, id, Some(completed - count));
        } else if completed < count && !point.holds_block && point.kind != PointKind::Entry {
            // A call that clang knows not to return leaves a statement expression as a jump does.
            let is_jump = point.leaving == Leaving::Jump;
            let around = left_expression(facts, id).filter(|_| is_jump).unwrap_or(id);
            add(Kind::NoReturn, around, Some(count - completed));
        }
    }
    // What contains a call also returns with it: the innermost one is meant. Points follow those that contain them.
    let contains = |outer: &Departure, inner: &Departure| {
        outer.kind == inner.kind
            && outer.point < inner.point
            && outer.function == inner.function
            && outer.span.first <= inner.span.first
            && inner.span.last <= outer.span.last
            && matches!(outer.kind, Kind::SecondReturn | Kind::NoReturn)
    };
    let is_innermost = |of: &Departure| !found.iter().any(|inner| contains(of, inner));
    found.iter().filter(|of| is_innermost(of)).copied().collect()
}

fn is_jump(point: &CountedPoint) -> bool {
    matches!(point.kind, PointKind::Statement(kind) if kind.is_jump())
}

/// The expression with the statement expression that the jump `id` leaves.
fn left_expression(facts: &Facts<'_>, id: PointId) -> Option<PointId> {
    let truth = facts.truth;
    let (jump, kind) = (facts.span(id)?, truth.point(id).kind);
    let is_around = |other: &PointId| {
        let of = |span: Span| span.first < jump.first && jump.last < span.last;
        truth.point(*other).function == truth.point(id).function && facts.span(*other).is_some_and(of)
    };
    let holds = |other: &PointId| truth.point(*other).holds_block;
    // The innermost one: points follow those that contain them.
    let around = (0..id).rev().filter(holds).find(is_around)?;
    // `break` and `continue` may stay inside.
    let stays = |loop_kind: PointKind| match kind {
        PointKind::Statement(StatementKind::Continue) => loop_kind.is_loop(),
        PointKind::Statement(StatementKind::Break) => {
            loop_kind.is_loop() || loop_kind == PointKind::Statement(StatementKind::Switch)
        }
        _ => false,
    };
    // The label of a `goto` is inside if the expression always completed.
    let of = truth.point(around);
    let has_left = of.completed.is_none_or(|completed| Some(completed) < of.count);
    if matches!(kind, PointKind::Statement(StatementKind::Goto | StatementKind::NamedJump)) && !has_left {
        return None;
    }
    let mut between = around + 1..id;
    let is_target = |other: usize| stays(truth.point(other).kind) && facts.contains(other, id);
    (!between.any(is_target)).then_some(around)
}

impl Facts<'_> {
    /// The diagnosis of a count that ignores the departure `found`; `at` is the code whose count is derived.
    pub(super) fn departed(&self, found: &Departure, at: Option<Position>, evidence: &str) -> Cause {
        let element = self.element(found.words(), found.point);
        let mechanism = match found.kind {
            Kind::SecondReturn => "second-return",
            Kind::ComputedGoto | Kind::AsmGoto => "no-region-after-goto",
            Kind::JumpOut if at.is_some_and(|at| self.is_break_of_outer(found, at)) => "break-in-test",
            Kind::JumpOut | Kind::NoReturn if self.is_in_arm(found) => EXIT_IN_ARM,
            Kind::JumpOut => "exit-in-test",
            Kind::NoReturn if found.around != found.point => "exit-in-test",
            Kind::NamedJump => "named-jump",
            Kind::NoReturn if self.truth.point(found.point).is_said_to_end => "noreturn-specifier",
            Kind::NoReturn => CALL_DOES_NOT_RETURN,
        };
        let line = self.span(found.point).map_or(0, |span| span.line);
        let evidence = format!("{evidence} It ignores the {} on line {line}.", found.words());
        Cause::new(Layer::Mapping, mechanism, element, evidence)
    }

    /// Whether `found` is in an arm of `?:` that leaves no count for the code after it.
    pub(super) fn is_in_arm(&self, found: &Departure) -> bool {
        let chooses = |id: PointId| self.truth.point(id).leaving == Leaving::Chosen;
        let is_arm = |id: PointId| self.truth.point(id).kind == PointKind::Arm;
        self.data.version < CHOICE_HAS_COUNT
            && match found.kind {
                Kind::JumpOut => is_arm(found.around),
                Kind::NoReturn => is_arm(found.around) || chooses(self.truth.root(found.point)),
                _ => false,
            }
    }

    /// The fault that the code after `statement` has no count, because an arm of `?:` in that does not complete.
    pub(super) fn after_arm(&self, statement: PointId, evidence: &str) -> Option<Cause> {
        // Whether it ran or not, a jump or a call that does not return may be in a statement expression in the arm.
        let is_left = |id: PointId| {
            let around = left_expression(self, id).filter(|_| self.truth.point(id).leaving == Leaving::Jump);
            around.is_some_and(|arm| {
                self.truth.point(arm).kind == PointKind::Arm && self.truth.root(arm) == statement
            })
        };
        let chooses = || self.truth.point(statement).leaving == Leaving::Chosen;
        let element = self.element("arm", statement);
        let is_of_version = self.data.version < CHOICE_HAS_COUNT;
        (is_of_version && (chooses() || (statement..self.truth.points.len()).any(is_left)))
            .then(|| Cause::new(Layer::Mapping, EXIT_IN_ARM, element, evidence.into()))
    }

    /// A second return before `line` in its function, which makes what is subtracted larger than what it is subtracted from.
    pub(super) fn second_return_below_zero(&self, line: Line, reported: u64) -> Option<Cause> {
        let name = &self.truth.functions_around(line).last().filter(|_| reported.cast_signed() < 0)?.name;
        let is_before = |found: &&Departure| {
            let function = &self.truth.functions[self.truth.point(found.point).function];
            let begins = self.truth.point(found.point).line;
            found.kind == Kind::SecondReturn && function.name == *name && begins < Some(line)
        };
        let found = self.departures.iter().rfind(is_before)?;
        Some(self.departed(found, None, "The count is below zero."))
    }

    /// Whether `found` is a `break` out of the test of a loop, and `at` is after the loop around that: the count of the
    /// `break` is added there.
    fn is_break_of_outer(&self, found: &Departure, at: Position) -> bool {
        let point = self.truth.point(found.point);
        let test = self.truth.point(found.around);
        if point.kind != PointKind::Statement(StatementKind::Break) || test.kind != PointKind::Condition {
            return false;
        }
        let of_loop = test.within.filter(|id| self.truth.point(*id).kind.is_loop());
        let Some((inner, offset)) = of_loop.zip(self.offset(at)) else { return false };
        let mut around =
            (0..inner).rev().filter(|id| self.truth.point(*id).kind.is_loop() && self.contains(*id, inner));
        let outer = around.next().and_then(|outer| self.extent(outer));
        outer.is_some_and(|(_, end)| offset > end)
    }

    /// Whether the statement `outer` contains the point `inner`.
    pub(super) fn contains(&self, outer: PointId, inner: PointId) -> bool {
        let Some((around, inside)) = self.extent(outer).zip(self.span(inner)) else { return false };
        around.0 <= inside.first && inside.last <= around.1
    }

    /// The first and the last byte of a point with the statements in it.
    pub(super) fn extent(&self, id: PointId) -> Option<(usize, usize)> {
        let span = self.span(id)?;
        let mut end = span.last;
        // The body of a loop follows its head.
        if self.truth.point(id).kind.is_loop() {
            let mut last = self.body(id);
            while let Some(body) = last {
                end = end.max(self.span(body).map_or(0, |span| span.last));
                last = self.truth.point(body).last.or_else(|| self.body(body));
            }
        }
        Some((span.first, end))
    }

    /// The body of the loop `id`: the first point after its parts.
    fn body(&self, id: PointId) -> Option<PointId> {
        if !self.truth.point(id).kind.is_loop() {
            return None;
        }
        let is_part = |other: &PointId| {
            let chain = std::iter::successors(Some(*other), |part| self.truth.point(*part).within);
            chain.skip(1).any(|part| part == id)
        };
        let mut after = id + 1..self.truth.points.len();
        if self.truth.point(id).kind == PointKind::Statement(StatementKind::Do) {
            return Some(id + 1).filter(|next| *next < self.truth.points.len());
        }
        let span = self.span(id)?;
        after.find(|other| !is_part(other) && self.span(*other).is_some_and(|of| of.first > span.last))
    }

    /// The text from `position` to the end of the file.
    pub(super) fn text_from(&self, position: Position) -> &str {
        let start = self.program.line_start(position.0).map(|start| start + position.1 as usize - 1);
        start.and_then(|start| self.program.source.get(start..)).unwrap_or_default()
    }

    /// The text from one position to another.
    pub(super) fn text_between(&self, start: Position, end: Position) -> &str {
        let (text, rest) = (self.text_from(start), self.text_from(end));
        text.strip_suffix(rest).unwrap_or_default()
    }

    /// The text that the point `id` begins with, where it was typed.
    fn text_of(&self, id: PointId) -> Option<&str> {
        let is_first = |token: &PointToken| token.point == id && token.begins;
        // The name of a macro is not the text.
        let typed = self.tokens.iter().filter(|(_, token)| is_first(token));
        let at = typed.filter(|(_, token)| token.origin != crate::syntax::TokenOrigin::Expansion);
        at.map(|(position, _)| self.text_from(*position)).next()
    }
}

/// Whether the `goto` that is `id` has no label.
pub(super) fn is_computed(facts: &Facts<'_>, id: PointId) -> bool {
    let Some(after) = facts.text_of(id).and_then(|text| text.strip_prefix("goto")) else { return false };
    // The line of a definition may continue.
    after.trim_start_matches(|c: char| c.is_whitespace() || c == '\\').starts_with('*')
}

/// Whether the jump `id` names another statement than the innermost one that it could be about.
fn is_to_outer(facts: &Facts<'_>, id: PointId) -> bool {
    let truth = facts.truth;
    let jump = truth.point(id);
    if jump.kind != PointKind::Statement(StatementKind::NamedJump) {
        return false;
    }
    let words = |text| str::split(text, |c: char| !c.is_alphanumeric() && c != '_');
    let mut own = facts.text_of(id).into_iter().flat_map(words).filter(|word| !word.is_empty());
    let (Some(word), Some(name)) = (own.next(), own.next()) else { return false };
    let is_target = |other: &PointId| {
        let kind = truth.point(*other).kind;
        kind.is_loop() || word == "break" && kind == PointKind::Statement(StatementKind::Switch)
    };
    // The innermost one, and the label before that.
    let around =
        |other: &PointId| truth.point(*other).function == jump.function && facts.contains(*other, id);
    let Some(innermost) = (0..id).rev().filter(is_target).find(around) else { return false };
    let is_its = |label: PointId| {
        truth.point(label).kind == PointKind::Label
            && facts.text_of(label).is_some_and(|text| words(text).next() == Some(name))
    };
    let labels = (0..innermost).rev().take_while(|before| truth.point(*before).kind == PointKind::Label);
    !labels.into_iter().any(is_its)
}
