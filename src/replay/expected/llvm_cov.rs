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
    let is_head = |id: PointId| truth.point(id).kind == PointKind::Entry;
    // A function's region begins at its brace.
    let Some(first) = tokens.iter().find(|token| token.kind != TokenKind::Code || !is_head(token.point))
    else {
        return if tokens.is_empty() { between(truth, line) } else { Err(Unknown::NoCode) };
    };
    let mut points = BTreeSet::from([first.point]);
    let mut starts = truth.reached(first).ok_or(Unknown::NotCounted)?;
    let begun = truth.begun(line).into_iter();
    let begun: Vec<PointId> = begun
        .filter(|id| {
            let opens =
                || tokens.iter().any(|token| token.point == *id && token.kind == TokenKind::OpeningBrace);
            !is_head(*id) || opens()
        })
        .collect();
    let mut most = 0;
    for id in &begun {
        most = most.max(truth.point(*id).count.ok_or(Unknown::NotCounted)?);
    }
    points.extend(&begun);
    // A separator at the beginning of a line says nothing about execution if code follows it.
    if first.kind == TokenKind::Punctuation && !begun.is_empty() && !begun.contains(&first.point) {
        starts.insert(0);
    }
    let counts = starts.into_iter().map(|start| start.max(most)).collect();
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
    let is_body = |token: &PointToken| token.column.is_some() && truth.point(token.point).kind != PointKind::Entry;
    truth.tokens(line).iter().any(is_body) && expected(truth, line).is_ok()
}
