//! The count that llvm-cov should give a line: `LineCoverageStats` in CoverageMapping.cpp, applied to true counts of
//! positions instead of regions.
//!
//! A line's count is the largest of the count at its first token and the counts of the points that begin on it. The points
//! are those of the syntax, not the regions of the report: a region that is missing must be noticed.

use std::collections::BTreeSet;

use super::{Expected, Unknown};
use crate::model::Line;
use crate::syntax::{PointId, PointKind, PointToken, TokenKind};
use crate::truth::Truth;

pub(super) fn expected(truth: &Truth, line: Line) -> Result<Expected, Unknown> {
    let tokens = truth.tokens(line);
    if tokens.is_empty() {
        return between(truth, line);
    }
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
    let begins =
        |token: &&PointToken| token.kind == TokenKind::OpeningBrace || token.begins && !is_head(token.point);
    let begun: BTreeSet<PointId> = tokens.iter().filter(begins).map(|token| token.point).collect();
    let mut most = 0;
    for id in &begun {
        most = most.max(truth.point(*id).count.ok_or(Unknown::NotCounted)?);
    }
    // A separator at the beginning of a line says nothing about execution if code follows it.
    if first.kind == TokenKind::Punctuation && !begun.is_empty() && !begun.contains(&first.point) {
        starts.insert(0);
    }
    let counts = starts.into_iter().map(|start| start.max(most)).collect();
    let points = begun.into_iter().chain([first.point]).collect();
    Ok(Expected { counts, points })
}

/// A line without code, which shows the count of the code around it.
fn between(truth: &Truth, line: Line) -> Result<Expected, Unknown> {
    if let Some(on) = truth.arguments.get(&line) {
        return arguments(truth, *on);
    }
    let counts = truth.reached_between(line).ok_or(Unknown::NoCode)?;
    Ok(Expected { counts, points: BTreeSet::new() })
}

/// A line of a macro's arguments: the count of any point on the line `on` of the macro's name.
fn arguments(truth: &Truth, on: Line) -> Result<Expected, Unknown> {
    let points: BTreeSet<PointId> = truth.tokens(on).iter().map(|token| token.point).collect();
    if points.iter().any(|id| truth.point(*id).kind == PointKind::Entry) {
        return Err(Unknown::NoCode);
    }
    let mut counts = BTreeSet::new();
    for id in &points {
        counts.insert(truth.point(*id).count.ok_or(Unknown::NotCounted)?);
        counts.extend(truth.point(*id).completed);
    }
    Ok(Expected { counts, points })
}

/// Whether llvm-cov must give `line` a count: a token of a function's body is on it.
pub(super) fn needs_count(truth: &Truth, line: Line) -> bool {
    let is_body =
        |token: &PointToken| token.column.is_some() && truth.point(token.point).kind != PointKind::Entry;
    truth.tokens(line).iter().any(is_body) && expected(truth, line).is_ok()
}
