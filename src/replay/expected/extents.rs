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
use crate::syntax::{Leaving, PointId, PointKind, PointToken, StatementKind, TokenKind, TokenOrigin};
use crate::truth::Truth;

type Position = (Line, u32);

/// LLVM's number of code regions.
const CODE: u32 = 0;

const SWITCH: PointKind = PointKind::Statement(StatementKind::Switch);

/// The first version of clang that makes a gap before the operands to the right of `&&` and `||` (LLVM PR 149085).
const FIRST_WITH_GAPS_IN_CHAINS: u32 = 22;

/// The places of regions in one program.
#[derive(Debug)]
pub struct Extents<'a> {
    truth: &'a Truth,
    /// The tokens with columns, in the order of their positions.
    tokens: Vec<(Position, &'a PointToken)>,
    /// The closing brace of each block.
    closing: BTreeMap<PointId, Position>,
    /// The bodies of `if`, `while` and `for` that follow a parenthesis, and of `else`.
    bodies: BTreeSet<PointId>,
    /// The last token of each point and of its parts, without the `;` of a statement.
    last: BTreeMap<PointId, Last>,
    /// The points with a token of a macro, or with one whose position is unknown.
    in_macro: BTreeSet<PointId>,
    /// The lines with a token whose position is unknown.
    unplaced: BTreeSet<Line>,
    /// The first statement in each block, label and `case`, and the one after each statement.
    first: BTreeMap<PointId, PointId>,
    next: BTreeMap<PointId, PointId>,
}

/// The last token of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    /// It is code, or the name of a macro, at this position.
    At(Position),
    /// It is an argument of a macro, or its position is unknown.
    Unknown,
    /// Nothing but a `;` was found.
    Semicolon,
}

/// Where a region ends that continues through a sequence of statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// With this statement.
    Statement(PointId),
    /// With the body of a function, a loop or an arm, or with the last statement of a `switch`.
    Body(PointId),
}

impl<'a> Extents<'a> {
    pub fn of(truth: &'a Truth) -> Extents<'a> {
        let tokens: Vec<(Position, &PointToken)> = truth.placed().collect();
        let mut closing = BTreeMap::new();
        for (position, token) in &tokens {
            if token.kind == TokenKind::ClosingBrace && token.origin == TokenOrigin::Code {
                closing.insert(token.point, *position);
            }
        }
        let around = |id: PointId| std::iter::successors(Some(id), |id| truth.point(*id).within);
        let typed =
            || truth.typed.iter().flat_map(|(line, tokens)| tokens.iter().map(|token| (*line, token)));
        let mut in_macro = BTreeSet::new();
        for (_, token) in
            typed().filter(|(_, token)| token.origin != TokenOrigin::Code || token.column.is_none())
        {
            in_macro.extend(around(token.point));
        }
        // The origins of a row may be unknown. The last token of a point may then be on it.
        let unplaced: BTreeSet<Line> =
            typed().filter(|(_, token)| token.column.is_none()).map(|(line, _)| line).collect();
        let mut bodies = BTreeSet::new();
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
        let (mut first, mut next) = (BTreeMap::new(), BTreeMap::new());
        for (id, place) in truth.points.iter().enumerate().filter_map(|(id, point)| Some((id, point.place?)))
        {
            match place.before {
                Some(before) => _ = next.insert(before, id),
                None => _ = first.entry(place.outer).or_insert(id),
            }
        }
        let last = last_tokens(truth);
        Extents { truth, tokens, closing, bodies, last, in_macro, unplaced, first, next }
    }

    /// The positions before which there must be a gap: those of the bodies of `if`, `while`, `for` and `else`, of the
    /// statements that follow one which a jump may leave, of the first arm of `?:`, and for a `version` that has them of the
    /// operands to the right of `&&` and `||`. Each with the points that begin there. No gap is empty, nor in a macro.
    pub fn gaps(&self, version: Option<u32>) -> BTreeMap<Position, BTreeSet<PointId>> {
        let mut found: BTreeMap<Position, BTreeSet<PointId>> = BTreeMap::new();
        for (index, (position, token)) in self.tokens.iter().enumerate() {
            let Some((at, before)) = self.tokens[..index].iter().rfind(|(at, _)| at < position) else {
                continue;
            };
            let point = self.truth.point(token.point);
            let is_operator =
                |token: &PointToken, of: PointId| token.point == of && token.kind == TokenKind::Punctuation;
            // The parenthesis of a chain is a token of its first operand.
            let is_only = index < 2 || !is_operator(self.tokens[index - 2].1, token.point);
            let is_after_operator = token.begins && is_operator(before, token.point) && is_only;
            let is_after_jump = self.follows(token.point).is_some_and(|before| {
                matches!(self.truth.point(before).leaving, Leaving::Divided | Leaving::Jump)
            });
            let length = match point.kind {
                PointKind::Operand
                    if is_after_operator
                        && point.left.is_some()
                        && version >= Some(FIRST_WITH_GAPS_IN_CHAINS) =>
                {
                    Some(2)
                }
                PointKind::Arm if is_after_operator && self.is_first_arm(token.point) => Some(1),
                _ if begins(token) && self.bodies.contains(&token.point) => {
                    Some(if is_else(self.truth, before, token) { 4 } else { 1 })
                }
                _ if self.continues(token) && is_after_jump => Some(1),
                _ => None,
            };
            let is_apart = length.is_some_and(|length| (at.0, at.1 + length) != *position);
            if token.origin == TokenOrigin::Code && before.origin == TokenOrigin::Code && is_apart {
                found.entry(*position).or_default().insert(token.point);
            }
        }
        found
    }

    /// The names of macros that must have an expansion, each with the points whose code it makes: the macros of the file whose
    /// text begins with an operand of an expression.
    pub fn expansions(&self) -> BTreeMap<Position, BTreeSet<PointId>> {
        let begun: BTreeSet<usize> = self
            .tokens
            .iter()
            .filter(|((line, _), token)| token.leads && self.truth.directives.contains(line))
            .filter(|(_, token)| token.kind == TokenKind::Code)
            .map(|(_, token)| token.offset)
            .collect();
        let mut found: BTreeMap<Position, BTreeSet<PointId>> = BTreeMap::new();
        for (position, token) in &self.tokens {
            let point = self.truth.point(token.point);
            let is_value = point.within.is_some()
                || matches!(point.kind, PointKind::Statement(kind) if kind.is_simple());
            let is_one = token.origin == TokenOrigin::Expansion && token.kind == TokenKind::Code && is_value;
            if is_one && begun.contains(&token.offset) {
                found.entry(*position).or_default().insert(token.point);
            }
        }
        found
    }

    /// Whether `id` is the arm of `?:` for a condition that holds: the one that begins after the `?`.
    fn is_first_arm(&self, id: PointId) -> bool {
        self.sibling(id).is_some_and(|before| self.truth.point(before).kind == PointKind::Condition)
    }

    /// Whether `id` is the arm of `?:` for a condition that does not hold.
    fn is_second_arm(&self, id: PointId) -> bool {
        self.sibling(id).is_some_and(|before| self.is_first_arm(before))
    }

    /// The condition or arm before the arm `id`, in the same code.
    fn sibling(&self, id: PointId) -> Option<PointId> {
        let within = self.truth.point(id).within;
        let first = within.unwrap_or(0);
        let before = self.truth.points[first..id].iter().rposition(|point| {
            point.within == within && matches!(point.kind, PointKind::Condition | PointKind::Arm)
        });
        before.map(|before| first + before)
    }

    /// The statement before `id` in its sequence, if clang begins a region with `id` because control may leave that.
    fn follows(&self, id: PointId) -> Option<PointId> {
        let place = self.truth.point(id).place.filter(|place| place.is_next)?;
        place.before.filter(|before| self.truth.point(*before).leaving.begins_region())
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
        let is_one = begins(token) && !point.kind.is_label() && !point.has_prefix;
        let follows = self.follows(token.point).filter(|_| is_one);
        follows.is_some_and(|before| (before..token.point).all(|id| !self.in_macro.contains(&id)))
    }

    /// Whether a region may begin or end where `region` does. None where the syntax does not decide.
    pub fn admits(&self, region: &Region) -> Option<bool> {
        let first = self.tokens.partition_point(|(position, _)| *position < region.start);
        let is_defined = self.truth.directives.contains(&region.start.0);
        if region.kind != CODE || is_defined || self.unplaced.contains(&region.start.0) {
            return None;
        }
        let here = self.tokens[first..].iter().take_while(|(position, _)| *position == region.start);
        if here.clone().any(|(_, token)| token.origin != TokenOrigin::Code) {
            return None;
        }
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
        if self.unplaced.contains(&end.0) {
            return None;
        }
        let point = self.truth.point(id);
        match point.kind {
            Entry => self.ends_with(End::Body(id), end),
            Block if self.is_arm(id) => self.ends_with(End::Body(id), end),
            Block if point.place.is_none() => None,
            // The first operand of `a ?: b` has a region too, but is no point.
            Condition | Operand | Arm | Step if self.has_short_choice(id) => None,
            Condition | Operand | Arm | Step => {
                let after = self.tokens.partition_point(|(position, _)| *position < end);
                // The region of a chain, or of a part of it, may end before any operand to the right.
                let is_operator = |(_, token): &(Position, &PointToken)| {
                    let within = |id: &PointId| self.truth.point(*id).within;
                    let mut around = std::iter::successors(within(&token.point), within);
                    self.truth.point(token.point).kind == Operand
                        && token.kind == TokenKind::Punctuation
                        && around.any(|outer| outer == id)
                };
                let is_inside = self.tokens.get(after).is_some_and(is_operator);
                if is_inside { Some(true) } else { self.ends_with(End::Statement(id), end) }
            }
            _ => {
                let ends: Option<Vec<bool>> =
                    self.ends(id)?.into_iter().map(|one| self.ends_with(one, end)).collect();
                Some(ends?.contains(&true))
            }
        }
    }

    /// Whether the expression `id` is or contains `a ?: b`, an arm without a condition.
    fn has_short_choice(&self, id: PointId) -> bool {
        let around = |id: PointId| std::iter::successors(Some(id), |id| self.truth.point(*id).within);
        let mut parts =
            (id + 1..self.truth.points.len()).take_while(|part| around(*part).any(|outer| outer == id));
        parts.any(|part| {
            let is_arm = self.truth.point(part).kind == PointKind::Arm;
            is_arm && !self.is_first_arm(part) && !self.is_second_arm(part)
        })
    }

    /// Where a region may end that begins with the statement or label `id` (`terminateRegion` and `popRegions`). None if that
    /// does not follow from the syntax.
    fn ends(&self, id: PointId) -> Option<Vec<End>> {
        let (mut ends, mut at) = (Vec::new(), id);
        loop {
            let point = self.truth.point(at);
            let is_sequence = point.kind == PointKind::Block || point.kind.is_label();
            let body = || self.body(at);
            match point.leaving {
                // A label begins a region of its own.
                _ if point.kind.is_label() && at != id => return Some([ends, vec![body()?]].concat()),
                _ if is_sequence => {}
                Leaving::AtEnd => {}
                Leaving::Unclear => ends.extend([End::Statement(at), body()?]),
                Leaving::Joined | Leaving::Divided => return Some([ends, vec![body()?]].concat()),
                Leaving::Jump => return Some([ends, vec![End::Statement(at)]].concat()),
            }
            let inner = self.first.get(&at).filter(|_| is_sequence);
            let after = std::iter::successors(Some(at), |at| Some(self.truth.point(*at).place?.outer));
            let next = inner.or_else(|| after.into_iter().find_map(|at| self.next.get(&at)));
            match next.filter(|next| self.body(**next) == self.body(id)) {
                Some(next) => at = *next,
                None => return Some([ends, vec![body()?]].concat()),
            }
        }
    }

    /// The end of the body that the statement `id` is in: of its own region, and of those that begin inside it and do not end
    /// with a jump. None in a statement expression, and in a loop or an `if` without a block around it.
    fn body(&self, id: PointId) -> Option<End> {
        let mut inner = id;
        loop {
            let outer = self.truth.point(inner).place?.outer;
            if self.is_arm(inner) {
                return match self.truth.point(inner).kind {
                    PointKind::Block => Some(End::Body(inner)),
                    PointKind::Statement(kind) => kind.is_simple().then_some(End::Statement(inner)),
                    _ => None,
                };
            }
            if matches!(self.truth.point(outer).kind, SWITCH | PointKind::Entry) {
                return Some(End::Body(outer));
            }
            inner = outer;
        }
    }

    /// Whether the statement `id` is the body of a loop or an arm of an `if`, which has a region of its own.
    fn is_arm(&self, id: PointId) -> bool {
        let outer = self.truth.point(id).place.map(|place| self.truth.point(place.outer).kind);
        outer != Some(SWITCH) && matches!(outer, Some(PointKind::Statement(_)))
    }

    /// Whether `end` is that of `of`. None if a macro is there.
    fn ends_with(&self, of: End, end: Position) -> Option<bool> {
        match of {
            End::Body(id) if self.truth.point(id).kind == SWITCH => {
                // The last statement may have no code, and its `;` may belong to it.
                let (closing, last) = (*self.closing.get(&id)?, self.truth.point(id).last?);
                let Last::At(last) = self.last.get(&last)? else { return None };
                Some(*last < end && end <= closing)
            }
            End::Body(id) => match self.closing.get(&id) {
                Some((line, column)) => Some(end == (*line, column + 1)),
                // A body that is `;`.
                None if self.truth.point(id).last.is_none() => self.ends_with(End::Statement(id), end),
                None => None,
            },
            End::Statement(id) => {
                let Last::At(last) = self.last.get(&id)? else { return None };
                let after = self.tokens.partition_point(|(position, _)| position <= last);
                let next = self.tokens.get(after).map(|(position, _)| *position);
                Some(*last < end && next.is_none_or(|next| end <= next))
            }
        }
    }
}

/// The last token of each point and of its parts, without the `;` of a statement.
fn last_tokens(truth: &Truth) -> BTreeMap<PointId, Last> {
    let typed = truth.typed.iter().flat_map(|(line, tokens)| tokens.iter().map(|token| (*line, token)));
    // The text of a macro is in its definition.
    let mut in_order: Vec<(Line, &PointToken)> =
        typed.filter(|(_, token)| token.origin.body().is_none()).collect();
    in_order.sort_by_key(|(_, token)| token.offset);
    let mut found: BTreeMap<PointId, (usize, Last)> = BTreeMap::new();
    for (line, token) in in_order.into_iter().rev() {
        let is_end = token.kind == TokenKind::Punctuation && token.origin == TokenOrigin::Code;
        let place = match (token.origin, token.column) {
            (TokenOrigin::Code | TokenOrigin::Expansion, Some(column)) => Last::At((line, column)),
            _ => Last::Unknown,
        };
        for id in std::iter::successors(Some(token.point), |id| truth.point(*id).within) {
            let is_statement = matches!(truth.point(id).kind, PointKind::Statement(_)) && token.point == id;
            match found.get_mut(&id) {
                None => {
                    let place = if is_statement && is_end { Last::Semicolon } else { place };
                    found.insert(id, (token.offset, place));
                }
                Some((offset, last))
                    if *last == Last::Semicolon || *offset == token.offset && place == Last::Unknown =>
                {
                    (*offset, *last) = (token.offset, place);
                }
                Some(_) => {}
            }
        }
    }
    found.into_iter().map(|(id, (_, place))| (id, place)).collect()
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
