//! Where the regions of llvm-cov begin and end, as far as the syntax decides: `CounterCoverageMappingBuilder` in
//! CoverageMappingGen.cpp.
//!
//! `propagateCounts` makes a region from the first to the last token of a function's body, of a condition, an operand, an arm, a
//! step, and of the body of `if`, `while` and `for`; labels and cases begin one. Other regions continue after a construct that may
//! not complete: they begin with a statement, and whether there is one depends on counters.
//!
//! Of the code in macros, whose regions are in the definitions, the parts of expressions and labels are known.

mod admitted;
mod gaps;

use std::collections::{BTreeMap, BTreeSet};

use super::ends::{Ends, Position, TextPlace};
use super::outcomes::system_chains;

use crate::model::Line;
use crate::syntax::{
    Leaving, LevelId, PointId, PointKind, PointToken, StatementKind, TokenKind, TokenOrigin,
};
use crate::truth::Truth;

/// The places of regions in one program.
#[derive(Debug)]
pub struct Extents<'a> {
    truth: &'a Truth,
    /// The version of LLVM.
    version: Option<u32>,
    ends: Ends<'a>,
    /// The ends in the text of each expansion.
    texts: BTreeMap<TextPlace<'a>, Ends<'a>>,
    /// The bodies of `if`, `while` and `for` that follow a parenthesis, and of `else`.
    bodies: BTreeSet<PointId>,
    /// The bodies of `do`, which no gap is before.
    bodies_of_do: BTreeSet<PointId>,
    /// The points with code before the token that begins them: where a part is not evaluated, the parser may not see where it begins.
    torn: BTreeSet<PointId>,
    /// The lines with a token whose position is unknown.
    unplaced: BTreeSet<Line>,
    /// The byte of the last token of each point and of its parts, in the preprocessed text.
    last_bytes: BTreeMap<PointId, usize>,
    /// The same of the text of each expansion, without arguments.
    last_bytes_of_levels: BTreeMap<LevelId, usize>,
    /// The points that begin in the text of an expansion, with it.
    begun_in: BTreeSet<(PointId, LevelId)>,
    /// The left sides of `&&` and `||`, and the right sides that are chains too, by the bytes at which they begin.
    sides: BTreeMap<usize, Vec<Side>>,
    /// The operands of chains that are one condition, which have no regions.
    joined: BTreeSet<PointId>,
}

/// A side of `&&` or `||`, which has a region (`VisitBinLAnd`, `VisitBinLOr`).
#[derive(Clone, Copy, Debug)]
struct Side {
    /// The operand that it begins with.
    first: PointId,
    /// Its end in the preprocessed text.
    end: usize,
    is_right: bool,
}

/// The code with which regions begin at one place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Begun {
    /// A region each, but one for all of them if they are open.
    pub points: BTreeSet<PointId>,
    /// The first operands of those sides of `&&` and `||` that begin here and are not in `points`: a region each too.
    pub sides: Vec<PointId>,
    /// Whether all of them end after the expansion in which they begin: the part of a region in an expansion is added once
    /// (`isRegionAlreadyAdded`), and branches are at the macro's name (`popRegions`).
    pub is_open: bool,
    /// Where the next token is, if they begin with the name of a macro that ends before they do: a region begins between the
    /// two (`popRegions`).
    pub after_name: Option<Position>,
}

/// A version of clang that has a region of no length at the name of a macro of the system. clang 14 has none.
const FIRST_WITH_NAMES: u32 = 19;

impl<'a> Extents<'a> {
    pub fn of(truth: &'a Truth, version: Option<u32>) -> Extents<'a> {
        let typed =
            || truth.typed.iter().flat_map(|(line, tokens)| tokens.iter().map(|token| (*line, token)));
        let (mut last_bytes, mut last_bytes_of_levels) = (BTreeMap::new(), BTreeMap::new());
        // A part of a point may be in a macro of another file, or in its code.
        let elsewhere = truth.elsewhere.iter().map(|(_, token)| token);
        for token in truth.lines.values().flatten().chain(elsewhere) {
            for id in truth.part_of(token.point) {
                let last = last_bytes.entry(id).or_insert(token.offset);
                *last = token.offset.max(*last);
            }
        }
        for (_, token) in typed() {
            if let Some(level) = token.origin.body() {
                let last = last_bytes_of_levels.entry(level).or_insert(token.offset);
                *last = token.offset.max(*last);
            }
        }
        // The origins of a row may be unknown. The last token of a point may then be on it.
        let unplaced: BTreeSet<Line> =
            typed().filter(|(_, token)| token.column.is_none()).map(|(line, _)| line).collect();
        let (mut bodies, mut bodies_of_do) = (BTreeSet::new(), BTreeSet::new());
        // In the order of the program, in which a definition of a macro is not before the next line.
        let mut in_order: Vec<&PointToken> = truth.typed.values().flatten().collect();
        in_order.sort_by_key(|token| token.offset);
        for (before, token) in in_order.iter().zip(in_order.iter().skip(1)) {
            let point = truth.point(token.point);
            // The body may be in a file of its own.
            let is_after = point.place.and_then(|place| place.before) == Some(before.point);
            let is_body = closes_head(truth, before, token) && !is_after || is_else(truth, before, token);
            if before.offset == token.offset || !begins(token) || point.has_prefix {
                continue;
            }
            if is_body {
                bodies.insert(token.point);
            } else if is_do(truth, before, token) {
                bodies_of_do.insert(token.point);
            }
        }
        in_order.sort_by_key(|token| (token.offset, !token.begins));
        let (mut begun, mut torn) = (BTreeSet::new(), BTreeSet::new());
        for token in in_order {
            if token.begins {
                begun.insert(token.point);
            } else if token.kind == TokenKind::Code && !begun.contains(&token.point) {
                torn.insert(token.point);
            }
        }
        let ends = Ends::of(truth, version);
        let mut sides: BTreeMap<usize, Vec<Side>> = BTreeMap::new();
        for (id, point) in truth.points.iter().enumerate() {
            let left = point.left.zip(point.left_side.as_ref()).map(|(first, side)| (first, side, false));
            let right = point.right_side.as_ref().map(|side| (id, side, true));
            for (first, bytes, is_right) in left.into_iter().chain(right) {
                let point = truth.point(first);
                if !point.is_unevaluated() && !point.has_prefix {
                    sides.entry(bytes.start).or_default().push(Side { first, end: bytes.end, is_right });
                }
            }
        }
        let begun = ends.tokens.iter().filter(|(_, token)| token.begins);
        let begun_in = begun.filter_map(|(_, token)| Some((token.point, token.origin.body()?))).collect();
        let texts = ends.of_texts();
        let joined = system_chains(truth, version).flat_map(|chain| chain.points.clone());
        let joined = joined.filter(|id| truth.point(*id).kind == PointKind::Operand).collect();
        Extents {
            truth,
            version,
            ends,
            texts,
            bodies,
            bodies_of_do,
            torn,
            unplaced,
            last_bytes,
            last_bytes_of_levels,
            begun_in,
            sides,
            joined,
        }
    }

    /// The names of macros that must have an expansion, each with the points whose code it makes: the macros of the file in whose
    /// text an expression begins. If the text begins with another macro, it may consist of that, and then clang makes none; nor
    /// is it known of a macro in an argument of another one, which may use it several times.
    pub fn expansions(&self) -> BTreeMap<&'a [Position], BTreeSet<PointId>> {
        let truth: &'a Truth = self.truth;
        let texts = || truth.expansions.values();
        let macros: BTreeSet<&[Position]> =
            texts().filter(|text| !text.is_argument).map(|text| &text.names[..]).collect();
        let mut found: BTreeMap<&[Position], BTreeSet<PointId>> = BTreeMap::new();
        for (level, points) in self.visited() {
            let Some(text) = truth.expansions.get(&level).filter(|text| !text.is_in_argument) else {
                continue;
            };
            let begins_with_another = |(first, _): &(Position, Position)| {
                macros.contains(&[&text.names[..], &[*first]].concat()[..])
            };
            if text.extent.is_some_and(|extent| !begins_with_another(&extent)) {
                found.entry(&text.names).or_default().extend(points);
            }
        }
        found
    }

    /// The points of the expressions that begin in the text of each expansion, outside of arguments of other macros there.
    fn visited(&self) -> BTreeMap<LevelId, BTreeSet<PointId>> {
        let mut found: BTreeMap<LevelId, BTreeSet<PointId>> = BTreeMap::new();
        for (_, token) in &self.ends.tokens {
            match token.origin {
                TokenOrigin::Body(level) if self.truth.is_value(token) => {
                    found.entry(level).or_default().insert(token.point);
                }
                _ => {}
            }
        }
        found
    }

    /// The positions in the texts of expansions where `##` or `#` makes a value, each with its points: newer versions have a region for
    /// each (`getNonScratchExpansionLoc`).
    pub fn made(&self) -> BTreeMap<(Position, &'a [Position]), Vec<PointId>> {
        let truth: &'a Truth = self.truth;
        let mut found: BTreeMap<(Position, &[Position]), Vec<PointId>> = BTreeMap::new();
        let made = self.ends.tokens.iter().filter(|(_, token)| token.is_made && truth.is_value(token));
        for (position, token) in made.filter(|_| self.version >= Some(FIRST_WITH_NAMES)) {
            let TokenOrigin::Body(level) = token.origin else { continue };
            if let Some(text) = truth.expansions.get(&level) {
                found.entry((*position, &text.names)).or_default().push(token.point);
            }
        }
        found
    }

    /// The names of macros of the system at which newer versions have a region: those whose text begins with an operand of an
    /// expression. Macros that the compiler or its command line defines have none.
    pub fn names(&self) -> BTreeMap<Position, BTreeSet<PointId>> {
        if self.version < Some(FIRST_WITH_NAMES) {
            return BTreeMap::new();
        }
        let of_text = self.ends.tokens.iter().filter(|(_, token)| token.origin.body().is_some());
        let ours: BTreeSet<usize> = of_text.map(|(_, token)| token.offset).collect();
        let mut found: BTreeMap<Position, BTreeSet<PointId>> = BTreeMap::new();
        let is_argument = |token: &PointToken| token.origin == TokenOrigin::Argument(None) && token.leads();
        let is_name = |token: &PointToken| {
            (token.origin == TokenOrigin::Expansion || is_argument(token)) && self.truth.is_value(token)
        };
        for (position, token) in self.ends.tokens.iter().filter(|(_, token)| is_name(token)) {
            // The name of a type is no operand.
            let is_ours = ours.contains(&token.offset) || !token.leads();
            if !is_ours && !self.truth.compiler_names.contains(position) {
                found.entry(*position).or_default().insert(token.point);
            }
        }
        found
    }

    /// The statement before `id` in its sequence, if clang begins a region with `id` because control may leave that.
    fn follows(&self, id: PointId) -> Option<PointId> {
        let place = self.truth.point(id).place.filter(|place| place.is_next)?;
        place.before.filter(|before| {
            matches!(self.ends.leaving(*before), Leaving::Joined | Leaving::Divided | Leaving::Jump)
        })
    }

    /// The places at which regions must begin: positions in the text of an expansion.
    pub fn starts(&self) -> BTreeMap<(Position, &'a [Position]), Begun> {
        let truth: &'a Truth = self.truth;
        let mut found: BTreeMap<(Position, &[Position]), Begun> = BTreeMap::new();
        for (position, token) in self.ends.tokens.iter().filter(|(_, of)| !self.joined.contains(&of.point)) {
            let id = token.point;
            let is_body = || begins(token) && (self.bodies.contains(&id) || self.bodies_of_do.contains(&id));
            let sides = self.sides_at(token);
            let mut is_start = true;
            let is_plain = self.is_plain(*position, token);
            let (expansion, is_open) = match token.origin {
                _ if is_plain && (self.always_begins(token) || is_body() || self.continues(token)) => {
                    (&[][..], false)
                }
                _ if is_plain && !sides.is_empty() => {
                    is_start = false;
                    (&[][..], false)
                }
                _ if is_plain => continue,
                TokenOrigin::Body(level)
                    if self.always_begins(token) || is_body() || self.continues_in(level, token) =>
                {
                    let names = truth.expansions.get(&level).map(|text| &text.names[..]);
                    // A region that begins with another macro is in the text of that.
                    let is_name = |names: &&[Position]| truth.is_name_in(names, *position);
                    let Some(names) = names.filter(|names| !is_name(names)) else { continue };
                    (names, self.last_bytes.get(&id) > self.last_bytes_of_levels.get(&level))
                }
                TokenOrigin::Expansion if self.is_part(token) && self.ends.ends_after(id, *position) => {
                    (&[][..], false)
                }
                // The region continues to the end of the body.
                TokenOrigin::Expansion
                    if self.continues(token) && truth.point(id).leaving != Leaving::Jump =>
                {
                    (&[][..], false)
                }
                _ => continue,
            };
            let begun = found.entry((*position, expansion)).or_default();
            if begun.is_open && !is_open || begun.points.is_empty() {
                *begun = Begun { is_open, ..Begun::default() };
            }
            if is_open == begun.is_open {
                begun.points.extend(is_start.then_some(id));
                // In a macro, the side may end after it.
                let is_known = |first: &PointId| is_plain || *first == id;
                begun.sides = sides.iter().map(|side| side.first).filter(is_known).collect();
            }
            // A macro of the compiler has no text.
            if token.origin == TokenOrigin::Expansion && !truth.compiler_names.contains(position) {
                let after = self.ends.tokens.partition_point(|(other, _)| other <= position);
                begun.after_name = self.ends.tokens.get(after).map(|(next, _)| *next);
            }
        }
        for Begun { points, sides, .. } in found.values_mut() {
            for id in points.iter() {
                if let Some(same) = sides.iter().position(|first| first == id) {
                    sides.remove(same);
                }
            }
        }
        found
    }

    /// The sides of `&&` and `||` that begin with `token`.
    fn sides_at(&self, token: &PointToken) -> &[Side] {
        self.sides.get(&token.offset).map_or(&[], Vec::as_slice)
    }

    /// Whether `token` is code, or the name of a macro that the compiler or its command line defines, which has no text.
    fn is_plain(&self, position: Position, token: &PointToken) -> bool {
        let is_name = token.origin == TokenOrigin::Expansion;
        token.origin == TokenOrigin::Code || is_name && self.truth.compiler_names.contains(&position)
    }

    /// Whether a part of an expression that has a region begins with `token`.
    fn is_part(&self, token: &PointToken) -> bool {
        use PointKind::{Arm, Condition, Operand, Step};
        let point = self.truth.point(token.point);
        token.begins && matches!(point.kind, Arm | Condition | Operand | Step) && !point.is_unevaluated()
    }

    fn always_begins(&self, token: &PointToken) -> bool {
        use PointKind::{Arm, Case, Condition, Entry, Label, Operand, Step};
        let point = self.truth.point(token.point);
        match point.kind {
            _ if point.is_unevaluated() => false,
            Condition | Operand => token.begins && !point.has_prefix,
            Arm | Step | Label | Case => token.begins,
            Entry => token.kind == TokenKind::OpeningBrace,
            _ => false,
        }
    }

    /// Whether a region begins with the statement that begins with `token`, because a jump may leave the one before it.
    fn continues(&self, token: &PointToken) -> bool {
        let point = self.truth.point(token.point);
        let is_one = begins(token) && !point.kind.is_label() && !point.has_prefix;
        is_one && self.follows(token.point).is_some()
    }

    /// The same in the text `level` of a macro, which has the statement before it too.
    fn continues_in(&self, level: LevelId, token: &PointToken) -> bool {
        let is_there = |before: PointId| self.begun_in.contains(&(before, level));
        self.continues(token) && self.follows(token.point).is_some_and(is_there)
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
    is_statement
        && is_typed_with(before, token)
        && before.point == token.point
        && before.kind == TokenKind::Punctuation
}

/// Whether `before` is the parenthesis before the body of `if`, `while` or `for`, which begins with `token`.
fn closes_head(truth: &Truth, before: &PointToken, token: &PointToken) -> bool {
    use StatementKind::{For, If, While};
    let kind = truth.point(before.point).kind;
    let is_head = matches!(kind, PointKind::Statement(If | While | For));
    is_typed_with(before, token) && before.kind == TokenKind::Closing && is_head
}

/// Whether `before` is the `do` of the body that begins with `token`.
fn is_do(truth: &Truth, before: &PointToken, token: &PointToken) -> bool {
    let is_keyword = truth.point(before.point).kind == PointKind::Statement(StatementKind::Do);
    let outer = truth.point(token.point).place.map(|place| place.outer);
    is_keyword && outer == Some(before.point) && is_typed_with(before, token)
}

/// Whether `before` is code outside of macros, or in the same text of a macro as `token`.
fn is_typed_with(before: &PointToken, token: &PointToken) -> bool {
    before.origin == TokenOrigin::Code || before.origin.body().is_some() && before.origin == token.origin
}
