//! Where llvm-cov must have gaps, and what a `switch` must have: `findGapAreaBetween` and `VisitSwitchStmt` in
//! CoverageMappingGen.cpp.

use std::collections::{BTreeMap, BTreeSet};

use super::super::branches::has_default;
use super::super::ends::Position;
use super::{Extents, Side, begins, is_else};
use crate::syntax::{Leaving, PointId, PointKind, PointToken, StatementKind, TokenKind, TokenOrigin};

/// The first version of clang that makes a gap before the operands to the right of `&&` and `||` (LLVM PR 149085).
const FIRST_WITH_GAPS_IN_CHAINS: u32 = 22;

/// A gap that must be there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NeededGap {
    /// The points that begin at its end.
    pub points: BTreeSet<PointId>,
    /// Where it may begin: after the first of two positions and before the second, or at the third.
    starts: Vec<(Position, Position, Position)>,
}

impl NeededGap {
    /// Whether a gap from `start` is this one.
    pub fn may_begin(&self, start: Position) -> bool {
        self.starts.iter().any(|(after, before, at)| *after < start && start < *before || start == *at)
    }
}

/// The token that clang may skip before a gap (`findGapAreaBetween`): the gap begins after it, or for a token that is not
/// right after the code before it, between the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Skipped {
    /// A token of one character, after which the gap always begins.
    Always,
    /// A token of this length.
    Maybe(u32),
    /// It is not known which token.
    Unknown,
}

impl Skipped {
    fn length(self) -> u32 {
        match self {
            Skipped::Always => 1,
            Skipped::Maybe(length) => length,
            Skipped::Unknown => 0,
        }
    }
}

impl Extents<'_> {
    /// The positions before which there must be a gap: those of the bodies of `if`, `while`, `for` and `else`, of the
    /// statements and labels that follow a statement which a jump may leave, of the first arm of `?:`, and in newer versions
    /// of the operands to the right of `&&` and `||`. No gap is empty, nor in a macro.
    pub fn gaps(&self) -> BTreeMap<Position, NeededGap> {
        let mut found: BTreeMap<Position, NeededGap> = BTreeMap::new();
        for (index, (position, token)) in self.ends.tokens.iter().enumerate() {
            let mut earlier = self.ends.tokens[..index].iter().rev().skip_while(|(at, _)| at == position);
            let Some((at, before)) = earlier.next() else { continue };
            let point = self.truth.point(token.point);
            let is_operator =
                |token: &PointToken, of: PointId| token.point == of && token.kind == TokenKind::Punctuation;
            // The parenthesis of a chain is a token of its first operand.
            let is_only = index < 2 || !is_operator(self.ends.tokens[index - 2].1, token.point);
            let is_after_operator = token.begins && is_operator(before, token.point) && is_only;
            // A chain on the right may begin with a parenthesis.
            let is_right = |side: &Side| side.is_right && side.first == token.point;
            let is_right_side = !token.begins
                && is_operator(before, token.point)
                && self.sides_at(token).iter().any(is_right);
            let is_after_jump = || {
                self.follows(token.point).is_some_and(|before| {
                    let is_left = matches!(self.ends.leaving(before), Leaving::Divided | Leaving::Jump);
                    is_left || self.is_switch_with_jump(before)
                })
            };
            let skipped = match point.kind {
                PointKind::Operand
                    if (is_after_operator || is_right_side)
                        && point.left.is_some()
                        && self.version >= Some(FIRST_WITH_GAPS_IN_CHAINS) =>
                {
                    Skipped::Maybe(2)
                }
                PointKind::Arm if is_after_operator && self.ends.is_first_arm(token.point) => Skipped::Always,
                _ if begins(token) && self.bodies.contains(&token.point) => {
                    if is_else(self.truth, before, token) { Skipped::Maybe(4) } else { Skipped::Always }
                }
                _ if (self.continues(token) || self.is_next_label(token)) && is_after_jump() => {
                    match before.kind {
                        TokenKind::ClosingBrace => Skipped::Always,
                        TokenKind::Punctuation => Skipped::Maybe(1),
                        _ => Skipped::Unknown,
                    }
                }
                _ => continue,
            };
            let mut earlier = earlier.skip_while(|(outer, _)| outer == at).peekable();
            let is_code = |token: &PointToken| token.origin == TokenOrigin::Code;
            let outer = earlier.next();
            // After a macro no token is skipped.
            let is_after_macro = !outer.is_some_and(|(_, token)| is_code(token))
                || earlier.peek().is_some_and(|(_, token)| !is_code(token));
            let end = (at.0, at.1 + skipped.length());
            // The name of a macro may be what begins at the end.
            let begins = is_code(token) || token.origin == TokenOrigin::Expansion;
            if !begins || !is_code(before) || end == *position {
                continue;
            }
            let start = match (skipped, outer) {
                (Skipped::Always, _) => (*at, *at, end),
                // Before `else`, the `;` is another token after the macro.
                (Skipped::Maybe(_), Some((outer, token))) if is_after_macro => {
                    let after = (outer.0, outer.1 - u32::from(is_code(token)));
                    (after, (at.0, at.1 + 1), end)
                }
                (Skipped::Maybe(_), Some((outer, _))) => (*outer, *at, end),
                (Skipped::Maybe(_), None) => continue,
                (Skipped::Unknown, _) => (*at, *position, *position),
            };
            let gap = found.entry(*position).or_default();
            gap.points.insert(token.point);
            gap.starts.push(start);
        }
        found
    }

    /// Whether `id` is a `switch` with a jump among the statements of its body.
    fn is_switch_with_jump(&self, id: PointId) -> bool {
        let is_statement = |id: PointId, is_one: fn(StatementKind) -> bool| matches!(self.truth.point(id).kind, PointKind::Statement(kind) if is_one(kind));
        let is_inside = |inner: PointId| {
            let outer = |id: &PointId| Some(self.truth.point(*id).place?.outer);
            let mut around = std::iter::successors(outer(&inner), outer);
            let is_label = |id: &PointId| self.truth.point(*id).kind.is_label();
            around.find(|id| !is_label(id)) == Some(id)
        };
        let points = id + 1..self.truth.points.len();
        is_statement(id, |kind| kind == StatementKind::Switch)
            && points.into_iter().any(|inner| is_statement(inner, StatementKind::is_jump) && is_inside(inner))
    }

    /// The bodies of `switch` statements: the positions at which their gap may begin, from the brace to the last statement.
    pub fn switches(&self) -> BTreeMap<PointId, Vec<Position>> {
        let mut found: BTreeMap<PointId, Vec<Position>> = BTreeMap::new();
        let mut unplaced = BTreeSet::new();
        for (position, token) in &self.ends.tokens {
            let point = self.truth.point(token.point);
            let is_switch = point.kind == PointKind::Statement(StatementKind::Switch);
            if is_switch && token.kind == TokenKind::Closing && point.last.is_some() {
                found.entry(token.point).or_default().push(*position);
                unplaced.extend((token.origin != TokenOrigin::Code).then_some(token.point));
            }
        }
        found.retain(|id, _| !unplaced.contains(id) && self.ends.has_brace(*id));
        found
    }

    /// The values of the `switch` statements without `default`, each with the place of its first token. The operands of a chain of
    /// `&&` and `||` have branches of their own, and the value none (`createBranchRegion`).
    pub fn switched_values(&self) -> Vec<(PointId, Position)> {
        let is_switch =
            |id: PointId| self.truth.point(id).kind == PointKind::Statement(StatementKind::Switch);
        let is_code = |token: &PointToken| token.origin == TokenOrigin::Code;
        // The parenthesis is between them.
        let heads = self.ends.tokens.windows(3).filter_map(|tokens| <&[_; 3]>::try_from(tokens).ok());
        let values = heads.filter_map(|[(_, keyword), (_, opening), (at, value)]| {
            let is_head = keyword.begins && is_switch(keyword.point) && is_code(keyword);
            let is_value = is_code(value) && value.point == keyword.point;
            (is_head && is_value && opening.kind == TokenKind::Punctuation).then_some((keyword.point, *at))
        });
        let is_chain = |id: PointId| {
            let point = self.truth.point(id);
            point.is_chain || point.may_be_chain
        };
        values.filter(|(id, _)| !has_default(self.truth, *id) && !is_chain(*id)).collect()
    }

    /// Whether the gap of the body of the `switch` may end at `end`.
    pub fn may_end_switch(&self, switch: PointId, end: Position) -> bool {
        self.ends.may_end_body(switch, end)
    }

    /// Whether a label begins with `token`.
    fn is_next_label(&self, token: &PointToken) -> bool {
        let point = self.truth.point(token.point);
        token.begins && point.kind.is_label() && !point.has_prefix
    }
}
