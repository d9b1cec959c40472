//! The count that llvm-cov should give a line: `LineCoverageStats` in CoverageMapping.cpp, applied to true counts of
//! positions instead of regions.
//!
//! A line's count is the largest of the count at its first token and the counts of the points that begin on it. The points
//! are those of the syntax, not the regions of the report: a region that is missing must be noticed. Tokens are on the lines
//! where they were typed. An argument that a macro uses twice, and the definition of a macro, have the sum over all copies:
//! their regions have equal extents (`SegmentBuilder::combineRegions`).

use std::collections::{BTreeMap, BTreeSet};

use super::{Expected, Unknown, root};
use crate::model::Line;
use crate::syntax::{LevelId, PointId, PointKind, PointToken, TokenKind, TokenOrigin};
use crate::truth::Truth;

/// The number of different sums over expansions that a line of a definition may have.
const MOST_SUMS: usize = 64;

pub(super) fn expected(truth: &Truth, line: Line) -> Result<Expected, Unknown> {
    let tokens = truth.typed_on(line);
    let is_body = |token: &&PointToken| matches!(token.origin, TokenOrigin::Body(_));
    let code: Vec<PointToken> = tokens.iter().filter(|token| !is_body(token)).copied().collect();
    match (code.is_empty(), tokens.is_empty()) {
        (_, true) => {
            let counts = truth.reached_between(line).ok_or(Unknown::NoCode)?;
            Ok(Expected { counts, points: BTreeSet::new() })
        }
        (true, _) => of_definition(truth, tokens),
        _ => of_code(truth, &code),
    }
}

/// Whether llvm-cov must give `line` a count: a token of a function's body was typed on it.
pub(super) fn needs_count(truth: &Truth, line: Line) -> bool {
    let is_body = |token: &PointToken| {
        token.column.is_some()
            && matches!(token.origin, TokenOrigin::Code | TokenOrigin::Expansion)
            && truth.point(token.point).kind != PointKind::Entry
    };
    truth.typed_on(line).iter().any(is_body) && expected(truth, line).is_ok()
}

fn of_code(truth: &Truth, tokens: &[PointToken]) -> Result<Expected, Unknown> {
    // The regions of a file that is included several times have equal extents, and are added up.
    let inclusions: BTreeSet<u32> = tokens.iter().map(|token| truth.point(token.point).inclusion).collect();
    let mut sums = Expected { counts: BTreeSet::from([0]), points: BTreeSet::new() };
    for inclusion in inclusions {
        let is_of = |token: &&PointToken| truth.point(token.point).inclusion == inclusion;
        let here: Vec<PointToken> = tokens.iter().filter(is_of).copied().collect();
        let one = of_inclusion(truth, &here)?;
        sums.counts =
            sums.counts.iter().flat_map(|sum| one.counts.iter().map(move |count| sum + count)).collect();
        sums.points.extend(one.points);
    }
    Ok(sums)
}

/// The count by the tokens of one inclusion of the file on a line.
fn of_inclusion(truth: &Truth, tokens: &[PointToken]) -> Result<Expected, Unknown> {
    let is_head = |id: PointId| truth.point(id).kind == PointKind::Entry;
    // A function's region begins at its brace.
    let first = tokens.iter().find(|token| token.kind != TokenKind::Code || !is_head(token.point));
    let first = first.ok_or(Unknown::NoCode)?;
    let mut starts = truth.reached(first).ok_or(Unknown::NotCounted)?;
    // The name of a macro that makes a whole function.
    if tokens.iter().any(|token| token.origin == TokenOrigin::Expansion && is_head(token.point)) {
        return Err(Unknown::MacroDefinition);
    }
    let begins =
        |token: &&PointToken| token.kind == TokenKind::OpeningBrace || token.begins && !is_head(token.point);
    let begun: Vec<PointToken> = tokens.iter().filter(begins).copied().collect();
    let sums = sums(truth, &begun)?;
    if first.origin == TokenOrigin::Argument {
        // The line may begin inside the code that contains the macro.
        starts.extend(truth.point(root(truth, first.point)).count);
        starts.insert(0);
    }
    // A separator at the beginning of a line says nothing about execution if code follows it.
    if first.kind == TokenKind::Punctuation && begun.iter().any(|token| token.point != first.point) {
        starts.insert(0);
    }
    let most = sums.values().copied().max().unwrap_or(0);
    let counts = starts.into_iter().map(|start| start.max(most)).collect();
    let points = begun.iter().map(|token| token.point).chain([first.point]).collect();
    Ok(Expected { counts, points })
}

/// How often each point that begins with one of `tokens` ran, by its column and kind; the copies of a macro are added up.
fn sums(truth: &Truth, tokens: &[PointToken]) -> Result<BTreeMap<(Option<u32>, PointKind), u64>, Unknown> {
    let mut sums = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for token in tokens.iter().filter(|token| seen.insert((token.column, token.point))) {
        let point = truth.point(token.point);
        let count = point.count.ok_or(Unknown::NotCounted)?;
        let sum = sums.entry((token.column, point.kind)).or_insert(0);
        let is_copy = !matches!(token.origin, TokenOrigin::Code | TokenOrigin::Expansion);
        *sum = if is_copy { *sum + count } else { count.max(*sum) };
    }
    Ok(sums)
}

/// A line in the definition of a macro. An expansion in which nothing begins on the line has a region there only if
/// a region around it begins or ends in the expansion, so it may count or not.
fn of_definition(truth: &Truth, tokens: &[PointToken]) -> Result<Expected, Unknown> {
    let begun: Vec<PointToken> = tokens.iter().filter(|token| token.begins).copied().collect();
    let most = sums(truth, &begun)?.into_values().max().unwrap_or(0);
    let mut copies: BTreeMap<LevelId, (&PointToken, bool)> = BTreeMap::new();
    let mut offsets: BTreeSet<(Option<u32>, LevelId, usize)> = BTreeSet::new();
    for token in tokens {
        if let TokenOrigin::Body(level) = token.origin {
            copies.entry(level).or_insert((token, false)).1 |= token.begins;
            offsets.insert((token.column, level, token.offset));
        }
    }
    // An expansion in an argument that is used several times is several copies with one region.
    let places: BTreeSet<_> = offsets.iter().map(|(column, level, _)| (*column, *level)).collect();
    if places.len() < offsets.len() {
        return Err(Unknown::MacroDefinition);
    }
    let mut counts = BTreeSet::from([0]);
    for (first, is_certain) in copies.into_values() {
        let count = truth.point(first.point).count.ok_or(Unknown::NotCounted)?;
        let with: BTreeSet<u64> = counts.iter().map(|sum| sum + count).collect();
        counts = if is_certain { with } else { &counts | &with };
        if counts.len() > MOST_SUMS {
            return Err(Unknown::MacroDefinition);
        }
    }
    let counts = counts.into_iter().map(|count| count.max(most)).collect();
    Ok(Expected { counts, points: tokens.iter().map(|token| token.point).collect() })
}
