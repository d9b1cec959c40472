//! Where the regions of llvm-cov end: `terminateRegion` and `popRegions` in CoverageMappingGen.cpp.
//!
//! The region of a part of an expression ends with that, and the region of a body with its brace. A region that begins with a
//! statement or a label continues through its sequence of statements, to the next jump or to the end of the body around it.

mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::model::Line;
use crate::syntax::{Leaving, PointId, PointKind, PointToken, StatementKind, TokenKind, TokenOrigin};
use crate::truth::Truth;

pub(super) use texts::TextPlace;

/// A line and a column.
pub(super) type Position = (Line, u32);

/// A version of clang in which a region follows a statement with an arm of `?:` that does not return. clang 14 has none.
const FIRST_WITH_ENDLESS_ARMS: u32 = 19;

const SWITCH: PointKind = PointKind::Statement(StatementKind::Switch);

/// Tokens with their positions.
type Placed<'a> = Vec<(Position, &'a PointToken)>;

/// The ends of regions in the code of a program, or in the text of one expansion.
#[derive(Debug)]
pub(super) struct Ends<'a> {
    truth: &'a Truth,
    /// The version of LLVM.
    version: Option<u32>,
    sequence: Rc<Sequence>,
    /// The names of the expansion.
    names: &'a [Position],
    /// Where the text of the expansion begins, and where its last token does. None for the code.
    pub extent: Option<(Position, Position)>,
    /// The tokens with columns, in the order of their positions; for the code, those in definitions of macros too.
    pub tokens: Placed<'a>,
    /// The indices of the tokens in the order of the preprocessed text, each with its byte there.
    by_byte: Vec<(usize, usize)>,
    /// The closing brace of each block.
    closing: BTreeMap<PointId, Position>,
    /// The last token of each point and of its parts, without the `;` of a statement.
    last: BTreeMap<PointId, Last>,
    /// The points before which the text has an operator.
    operators: BTreeSet<PointId>,
}

/// The order of the statements of a program.
#[derive(Debug)]
struct Sequence {
    /// The first statement in each block, label and `case`, and the one after each statement.
    first: BTreeMap<PointId, PointId>,
    next: BTreeMap<PointId, PointId>,
    /// The last statement directly inside each one.
    last_inside: BTreeMap<PointId, PointId>,
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
    /// With a call or a jump inside an expression of this statement.
    Inside(PointId),
    /// With the body of a function, a loop or an arm, or with the last statement of a `switch`.
    Body(PointId),
}

impl<'a> Ends<'a> {
    /// The ends in the code.
    pub fn of(truth: &'a Truth, version: Option<u32>) -> Ends<'a> {
        let tokens: Vec<(Position, &PointToken)> = truth.placed().collect();
        let is_code = |(_, token): &&(Position, &PointToken)| token.origin == TokenOrigin::Code;
        let closing = closing(tokens.iter().filter(is_code));
        // The text of a macro is in its definition.
        let last = last_tokens(truth, |token| token.origin.body().is_none());
        let last = last.into_iter().map(|(id, (_, place))| (id, place)).collect();
        let mut by_byte: Vec<(usize, usize)> =
            tokens.iter().enumerate().map(|(index, (_, token))| (token.offset, index)).collect();
        by_byte.sort_unstable();
        let sequence = Rc::new(Sequence::of(truth));
        Ends {
            truth,
            version,
            sequence,
            names: &[],
            extent: None,
            tokens,
            by_byte,
            closing,
            last,
            operators: BTreeSet::new(),
        }
    }

    /// Whether the region of the point `id` may end at `end`. None if that does not follow from the syntax, or if a macro is
    /// there: the region of an operand may end at its name.
    pub fn admit(&self, id: PointId, end: Position) -> Option<bool> {
        let after = self.tokens.partition_point(|(position, _)| *position < end);
        let near = after.saturating_sub(1)..(after + 1).min(self.tokens.len());
        let is_part = |token: &PointToken| {
            use PointKind::{Arm, Condition, Operand, Step};
            let is_expression = matches!(self.truth.point(id).kind, Arm | Condition | Operand | Step);
            !is_expression || self.truth.part_of(token.point).any(|outer| outer == id)
        };
        let near = &self.tokens[near];
        let has_macro =
            near.iter().any(|(position, token)| self.is_macro(*position, token) && is_part(token));
        self.ends_at(id, end).filter(|is_end| *is_end || !has_macro)
    }

    /// Whether a region that ends with the token before the byte `bound` of the preprocessed text may end at `end`. None in a macro.
    pub fn admit_byte(&self, bound: usize, end: Position) -> Option<bool> {
        let after = self.by_byte.partition_point(|(offset, _)| *offset < bound);
        let (_, index) = self.by_byte.get(after.checked_sub(1)?)?;
        let (last, token) = self.tokens[*index];
        (token.origin == TokenOrigin::Code).then(|| self.ends_near(last, end))
    }

    /// Whether `token` is an argument, or the name of a macro.
    pub fn is_macro(&self, position: Position, token: &PointToken) -> bool {
        if self.extent.is_none() {
            return token.origin != TokenOrigin::Code;
        }
        !matches!(token.origin, TokenOrigin::Body(_)) || self.truth.is_name_in(self.names, position)
    }

    /// Whether the point `id`, which begins with the macro that is named at `position`, continues after that macro.
    pub fn ends_after(&self, id: PointId, position: Position) -> bool {
        let after = self.tokens.partition_point(|(at, _)| *at <= position);
        // What follows a name may be arguments, also names of other macros.
        let next = self.tokens[after..].iter().find(|(_, token)| token.origin == TokenOrigin::Code);
        next.is_some_and(|(_, token)| token.point == id && token.kind == TokenKind::Code && !token.begins)
    }

    /// Whether the `switch` has a brace in the code.
    pub fn has_brace(&self, switch: PointId) -> bool {
        self.closing.contains_key(&switch)
    }

    /// Whether the body `id` may end at `end`, as far as the syntax decides.
    pub fn may_end_body(&self, id: PointId, end: Position) -> bool {
        self.ends_with(End::Body(id), end) != Some(false)
    }

    /// How control leaves the statement `id`, for this version of clang.
    pub fn leaving(&self, id: PointId) -> Leaving {
        match self.truth.point(id).leaving {
            Leaving::Chosen if self.version >= Some(FIRST_WITH_ENDLESS_ARMS) => Leaving::Divided,
            leaving => leaving,
        }
    }

    fn ends_at(&self, id: PointId, end: Position) -> Option<bool> {
        use PointKind::{Arm, Block, Condition, Entry, Operand, Step};
        let point = self.truth.point(id);
        match point.kind {
            Entry => self.ends_with(End::Body(id), end),
            Block if self.is_arm(id) => self.ends_with(End::Body(id), end),
            Block if point.place.is_none() => None,
            // The first operand of `a ?: b` has a region too, but may be no point.
            Condition | Operand | Arm | Step if self.has_short_choice(id) || self.lacks_operator(id) => None,
            _ if self.ends_before_operator(id, end) => Some(true),
            Condition | Operand | Arm | Step => self.ends_with(End::Statement(id), end),
            _ => one_of(self.ends(id)?.into_iter().map(|one| self.ends_with(one, end))),
        }
    }

    /// Whether an operator of a chain in `id` is right after `end`: the region of a chain, or of a part of it, may end before any
    /// operand to the right.
    fn ends_before_operator(&self, id: PointId, end: Position) -> bool {
        let after = self.tokens.partition_point(|(position, _)| *position < end);
        self.tokens.get(after).is_some_and(|(_, token)| {
            let mut around = self.truth.part_of(token.point).skip(1);
            let is_operator = self.truth.point(token.point).left.is_some() && !token.begins;
            is_operator && token.kind == TokenKind::Punctuation && around.any(|outer| outer == id)
        })
    }

    /// The points inside the expression `id`.
    fn parts(&self, id: PointId) -> impl Iterator<Item = PointId> {
        let is_inside = move |part: &PointId| self.truth.part_of(*part).any(|outer| outer == id);
        (id + 1..self.truth.points.len()).take_while(is_inside)
    }

    /// Whether the expression `id` is or contains `a ?: b`, an arm without a condition.
    fn has_short_choice(&self, id: PointId) -> bool {
        self.parts(id).any(|part| {
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
            match self.leaving(at) {
                // A label begins a region of its own.
                _ if point.kind.is_label() && at != id => return Some([ends, vec![body()?]].concat()),
                _ if is_sequence => {}
                Leaving::AtEnd => {}
                Leaving::Unclear | Leaving::Chosen => ends.extend([End::Inside(at), body()?]),
                Leaving::Joined | Leaving::Divided => return Some([ends, vec![body()?]].concat()),
                // A label in a statement expression begins a region, which ends in its place.
                Leaving::Jump if point.holds_block => ends.extend([End::Statement(at), body()?]),
                Leaving::Jump => return Some([ends, vec![End::Statement(at)]].concat()),
            }
            let inner = self.sequence.first.get(&at).filter(|_| is_sequence);
            let after = std::iter::successors(Some(at), |at| Some(self.truth.point(*at).place?.outer));
            let mut after = after.take_while(|at| !self.is_arm(*at));
            let next = inner.or_else(|| after.find_map(|at| self.sequence.next.get(&at)));
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
                return self.end(inner);
            }
            if matches!(self.truth.point(outer).kind, SWITCH | PointKind::Entry) {
                return Some(End::Body(outer));
            }
            inner = outer;
        }
    }

    /// The end of the statement `id`, which is that of the last statement in it. None for a `switch`, and where that has no code.
    fn end(&self, id: PointId) -> Option<End> {
        use StatementKind::{Do, For, If, Switch, While};
        match self.truth.point(id).kind {
            PointKind::Block => Some(End::Body(id)),
            PointKind::Statement(Switch) => None,
            PointKind::Statement(If | For | While) => self.end(*self.sequence.last_inside.get(&id)?),
            PointKind::Statement(kind) => (kind.is_simple() || kind == Do).then_some(End::Statement(id)),
            _ => None,
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
            // Where a line of the definition was continued before a token, its place is that of the `\`.
            End::Body(id) if self.extent.is_some() => Some(self.ends_near(*self.closing.get(&id)?, end)),
            End::Body(id) => match self.closing.get(&id) {
                Some((line, column)) => Some(end == (*line, column + 1)),
                // A body that is `;`.
                None if self.truth.point(id).last.is_none() => self.ends_with(End::Statement(id), end),
                None => None,
            },
            End::Statement(id) | End::Inside(id) => {
                let Last::At(last) = self.last.get(&id)? else { return None };
                let is_start = |(_, token): &&(Position, &PointToken)| token.point == id && token.begins;
                let least = match of {
                    End::Inside(_) => &self.tokens.iter().find(is_start)?.0,
                    _ => last,
                };
                Some(self.ends_near(*last, end) || *least < end && end <= *last)
            }
        }
    }

    /// Whether `end` is after the token at `last`, and not after the next one.
    fn ends_near(&self, last: Position, end: Position) -> bool {
        let after = self.tokens.partition_point(|(position, _)| *position <= last);
        let next = self.tokens.get(after).map(|(position, _)| *position);
        last < end && next.is_none_or(|next| end <= next)
    }

    /// Whether `id` is the arm of `?:` for a condition that holds: the one that begins after the `?`.
    pub fn is_first_arm(&self, id: PointId) -> bool {
        let is_condition = |before: PointId| self.truth.point(before).kind == PointKind::Condition;
        !self.truth.point(id).is_alternative && self.sibling(id).is_some_and(is_condition)
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
}

impl Sequence {
    fn of(truth: &Truth) -> Sequence {
        let (mut first, mut next, mut last_inside) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for (id, place) in truth.points.iter().enumerate().filter_map(|(id, point)| Some((id, point.place?)))
        {
            last_inside.insert(place.outer, id);
            match place.before {
                Some(before) => _ = next.insert(before, id),
                None => _ = first.entry(place.outer).or_insert(id),
            }
        }
        Sequence { first, next, last_inside }
    }
}

/// The closing braces among `tokens`, by their blocks.
fn closing<'a>(tokens: impl Iterator<Item = &'a (Position, &'a PointToken)>) -> BTreeMap<PointId, Position> {
    let braces = tokens.filter(|(_, token)| token.kind == TokenKind::ClosingBrace);
    braces.map(|(position, token)| (token.point, *position)).collect()
}

/// The last of the tokens of each point and of its parts, by its byte, without the `;` of a statement.
fn last_tokens(truth: &Truth, is_one: fn(&PointToken) -> bool) -> BTreeMap<PointId, (usize, Last)> {
    let typed = truth.typed.iter().flat_map(|(line, tokens)| tokens.iter().map(|token| (*line, token)));
    let mut in_order: Vec<(Line, &PointToken)> = typed.filter(|(_, token)| is_one(token)).collect();
    in_order.sort_by_key(|(_, token)| token.offset);
    let mut found: BTreeMap<PointId, (usize, Last)> = BTreeMap::new();
    for (line, token) in in_order.into_iter().rev() {
        let is_end = token.kind == TokenKind::Punctuation && token.origin != TokenOrigin::Expansion;
        let place = match (token.origin, token.column) {
            (TokenOrigin::Code | TokenOrigin::Expansion, Some(column)) => Last::At((line, column)),
            _ => Last::Unknown,
        };
        for id in truth.part_of(token.point) {
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
    found
}

/// Whether one of the candidates for the end of a region is admitted. None if there is no candidate, or if only those are left about
/// which the syntax says nothing.
pub(super) fn one_of(candidates: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let candidates: Vec<Option<bool>> = candidates.collect();
    if candidates.contains(&Some(true)) {
        return Some(true);
    }
    (!candidates.is_empty() && !candidates.contains(&None)).then_some(false)
}
