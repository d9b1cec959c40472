//! Where the regions of llvm-cov begin and end, as far as the syntax decides: `CounterCoverageMappingBuilder` in
//! CoverageMappingGen.cpp.
//!
//! `propagateCounts` makes a region from the first to the last token of a function's body, of a condition, an operand, an arm, a
//! step, and of the body of `if`, `while` and `for`; labels and cases begin one. Other regions continue after a construct that may
//! not complete: they begin with a statement, and whether there is one depends on counters.
//!
//! Code in macros is left out: its regions are in the definitions.

use std::collections::{BTreeMap, BTreeSet};

use crate::coverage::Region;
use crate::model::Line;
use crate::syntax::{PointId, PointKind, PointToken, StatementKind, TokenKind, TokenOrigin};
use crate::truth::Truth;

type Position = (Line, u32);

/// LLVM's number of code regions.
const CODE: u32 = 0;

/// The places of regions in one program.
#[derive(Debug)]
pub struct Extents<'a> {
    truth: &'a Truth,
    /// The tokens with columns, in the order of their positions.
    tokens: Vec<(Position, &'a PointToken)>,
    /// The closing brace of each block.
    closing: BTreeMap<PointId, Position>,
    /// The positions after closing braces and after the `;` of bodies without a statement.
    after_bodies: BTreeSet<Position>,
    /// The bodies of `if`, `while` and `for` that follow a parenthesis, and of `else`.
    bodies: BTreeSet<PointId>,
    /// The last token of each point and of its parts, as an index.
    last: BTreeMap<PointId, usize>,
    /// The points with a token of a macro, or with one whose position is unknown.
    in_macro: BTreeSet<PointId>,
    /// The lines with a token whose position is unknown.
    unplaced: BTreeSet<Line>,
}

impl<'a> Extents<'a> {
    pub fn of(truth: &'a Truth) -> Extents<'a> {
        let tokens: Vec<(Position, &PointToken)> = truth.placed().collect();
        let (mut closing, mut last, mut in_macro) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        let (mut after_bodies, mut bodies) = (BTreeSet::new(), BTreeSet::new());
        for (index, (position, token)) in tokens.iter().enumerate() {
            if token.kind == TokenKind::ClosingBrace {
                closing.insert(token.point, *position);
            }
            // A brace of a `switch` has the kind of a parenthesis.
            if matches!(token.kind, TokenKind::ClosingBrace | TokenKind::Closing) {
                after_bodies.insert((position.0, position.1 + 1));
            }
            for id in std::iter::successors(Some(token.point), |id| truth.point(*id).within) {
                last.insert(id, index);
                if token.origin != TokenOrigin::Code {
                    in_macro.insert(id);
                }
            }
        }
        // The origins of a row may be unknown. The last token of a point may then be on it.
        let unplaced: BTreeSet<Line> = truth
            .typed
            .iter()
            .filter(|(_, tokens)| tokens.iter().any(|token| token.column.is_none()))
            .map(|(line, _)| *line)
            .collect();
        for token in truth.typed.values().flatten().filter(|token| token.column.is_none()) {
            in_macro.extend(std::iter::successors(Some(token.point), |id| truth.point(*id).within));
        }
        // In the order of the program, in which a definition of a macro is not before the next line.
        let mut in_order: Vec<&PointToken> = truth.typed.values().flatten().collect();
        in_order.sort_by_key(|token| token.offset);
        for (before, token) in in_order.iter().zip(in_order.iter().skip(1)) {
            let has_prefix = truth.point(token.point).has_prefix;
            let is_body = closes_head(truth, before) || is_else(truth, before, token);
            if before.offset != token.offset && is_body && begins(token) && !has_prefix {
                bodies.insert(token.point);
            }
        }
        // A body that is `;` has no closing brace.
        let opening = tokens.iter().filter(|(_, token)| token.kind == TokenKind::OpeningBrace);
        let empty = opening.filter(|(_, token)| !closing.contains_key(&token.point));
        after_bodies.extend(empty.map(|((line, column), _)| (*line, column + 1)));
        Extents { truth, tokens, closing, after_bodies, bodies, last, in_macro, unplaced }
    }

    /// The positions before which there must be a gap: those of the bodies of `if`, `while`, `for` and `else`, and of the
    /// statements that follow one which a jump may leave. Each with the points that begin there. No gap is empty, nor in a macro.
    pub fn gaps(&self) -> BTreeMap<Position, BTreeSet<PointId>> {
        let mut found: BTreeMap<Position, BTreeSet<PointId>> = BTreeMap::new();
        for (index, (position, token)) in self.tokens.iter().enumerate() {
            // After a `switch` there is none if it has no jump.
            let is_after_switch = self.truth.point(token.point).follows.is_some_and(|before| {
                self.truth.point(before).kind == PointKind::Statement(StatementKind::Switch)
            });
            let is_one = begins(token) && self.bodies.contains(&token.point)
                || self.continues(token) && !is_after_switch;
            let before = self.tokens[..index].iter().rfind(|(at, _)| at < position);
            let is_apart = before.is_some_and(|((line, column), before)| {
                let length = if before.kind == TokenKind::Punctuation && is_else(self.truth, before, token) {
                    4
                } else {
                    1
                };
                before.origin == TokenOrigin::Code && (*line, column + length) != *position
            });
            if token.origin == TokenOrigin::Code && is_one && is_apart {
                found.entry(*position).or_default().insert(token.point);
            }
        }
        found
    }

    /// The positions at which regions must begin, each with the points that begin there: a region each.
    pub fn starts(&self) -> BTreeMap<Position, BTreeSet<PointId>> {
        let mut found: BTreeMap<Position, BTreeSet<PointId>> = BTreeMap::new();
        for (position, token) in &self.tokens {
            let is_body = begins(token) && self.bodies.contains(&token.point);
            let is_one = self.always_begins(token) || is_body || self.continues(token);
            if token.origin == TokenOrigin::Code && is_one {
                found.entry(*position).or_default().insert(token.point);
            }
        }
        found
    }

    fn always_begins(&self, token: &PointToken) -> bool {
        use PointKind::{Arm, Case, Condition, Entry, Label, Operand, Step};
        match self.truth.point(token.point).kind {
            Condition | Operand | Arm | Step | Label | Case => token.begins,
            Entry => token.kind == TokenKind::OpeningBrace,
            _ => false,
        }
    }

    /// Whether a region begins with the statement that begins with `token`, because a jump may leave the one before it.
    fn continues(&self, token: &PointToken) -> bool {
        let point = self.truth.point(token.point);
        let follows = point.follows.filter(|_| begins(token) && !point.kind.is_label() && !point.has_prefix);
        follows.is_some_and(|before| (before..token.point).all(|id| !self.in_macro.contains(&id)))
    }

    /// Whether a region may begin or end where `region` does. None where the syntax does not decide.
    pub fn admits(&self, region: &Region) -> Option<bool> {
        let first = self.tokens.partition_point(|(position, _)| *position < region.start);
        let on_line = self.truth.typed_on(region.start.0);
        let is_defined = self.truth.directives.contains(&region.start.0);
        let is_expanded = on_line.iter().any(|token| token.origin != TokenOrigin::Code);
        if region.kind != CODE || is_defined || is_expanded || self.unplaced.contains(&region.start.0) {
            return None;
        }
        let here = self.tokens[first..].iter().take_while(|(position, _)| *position == region.start);
        let points: BTreeSet<PointId> =
            here.filter(|(_, token)| begins(token)).map(|(_, token)| token.point).collect();
        // `a ?: b` and code that is not evaluated have regions where no point begins.
        if points.is_empty() {
            return None;
        }
        let ends: Option<Vec<bool>> = points.into_iter().map(|id| self.ends_at(id, region.end)).collect();
        Some(ends?.contains(&true))
    }

    /// Whether the region of the point `id` may end at `end`. None if that does not follow from the syntax.
    fn ends_at(&self, id: PointId, end: Position) -> Option<bool> {
        use PointKind::{Arm, Block, Condition, Entry, Operand, Step};
        if self.in_macro.contains(&id) {
            return None;
        }
        match self.truth.point(id).kind {
            Block | Entry => {
                let (line, column) = *self.closing.get(&id)?;
                let may_continue = !self.bodies.contains(&id) && self.truth.point(id).kind == Block;
                Some(end == (line, column + 1) || may_continue && self.may_end_at(end))
            }
            Condition | Operand | Arm | Step => {
                let last = *self.last.get(&id)?;
                let after = self.tokens.partition_point(|(position, _)| *position < end);
                // The operands to the right are parts of the first one: the region of a chain may end before any of them.
                let is_operator = |(_, token): &(Position, &PointToken)| token.kind == TokenKind::Punctuation;
                let ends_inside = after <= last && self.tokens.get(after).is_some_and(is_operator);
                let begins_before =
                    after.checked_sub(1).is_some_and(|before| self.tokens[before].1.point >= id);
                Some(begins_before && (after == last + 1 || ends_inside))
            }
            PointKind::Statement(_) => Some(self.may_end_at(end)),
            // The `;` of an empty statement is a part of its region.
            PointKind::Label | PointKind::Case => self.may_end_at(end).then_some(true),
            _ => None,
        }
    }

    /// Whether the region of a statement may end at `end`: after a body, or before the `;` of its last statement or of a jump.
    fn may_end_at(&self, end: Position) -> bool {
        let after = self.tokens.partition_point(|(position, _)| *position < end);
        let has_macro = self.truth.typed_on(end.0).iter().any(|token| token.origin != TokenOrigin::Code);
        let is_end = |(_, token): &(Position, &PointToken)| token.kind == TokenKind::Punctuation;
        has_macro
            || self.unplaced.contains(&end.0)
            || self.after_bodies.contains(&end)
            || self.tokens.get(after).is_some_and(is_end)
    }
}

/// Whether a point begins with `token`.
fn begins(token: &PointToken) -> bool {
    token.begins || token.kind == TokenKind::OpeningBrace
}

/// Whether `before` is the `else` of the statement that begins with `token`.
fn is_else(truth: &Truth, before: &PointToken, token: &PointToken) -> bool {
    let is_statement = matches!(
        truth.point(token.point).kind,
        PointKind::Statement(_) | PointKind::Block | PointKind::Silent
    );
    let is_typed = before.origin == TokenOrigin::Code;
    is_statement && is_typed && before.point == token.point && before.kind == TokenKind::Punctuation
}

/// Whether `token` is the parenthesis before the body of `if`, `while` or `for`.
fn closes_head(truth: &Truth, token: &PointToken) -> bool {
    use StatementKind::{For, If, While};
    let kind = truth.point(token.point).kind;
    let is_typed = token.origin == TokenOrigin::Code;
    is_typed && token.kind == TokenKind::Closing && matches!(kind, PointKind::Statement(If | While | For))
}
