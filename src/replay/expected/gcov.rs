//! The count that gcov should give a line: how often control arrives at it from another line, and again by a jump within
//! it (`accumulate_line_info` in gcov.cc). The definition is over true counts, never over gcov's blocks: with correct arcs
//! the rule of gcov reproduces each mistake in the lines of blocks.

use std::collections::BTreeSet;

use super::{Expected, Unknown, by_copy};
use crate::model::Line;
use crate::syntax::{PointId, PointKind, PointToken, StatementKind, TokenKind};
use crate::truth::{CountedPoint, Truth};

/// The number of alternatives for sums over several functions.
const MOST_SUMS: usize = 64;

pub(super) fn expected(truth: &Truth, line: Line) -> Result<Expected, Unknown> {
    let tokens = truth.tokens(line);
    if tokens.is_empty() {
        return Err(Unknown::NoCode);
    }
    let mut sums = BTreeSet::from([0]);
    let mut points = BTreeSet::new();
    let mut ids: Vec<PointId> = Vec::new();
    for token in tokens {
        if !ids.contains(&token.point) {
            ids.push(token.point);
        }
    }
    for copy in by_copy(truth, ids) {
        let here: Vec<PointToken> =
            tokens.iter().filter(|token| copy.contains(&token.point)).copied().collect();
        let (counts, deciding) = Arrivals { truth, line }.of(&here)?;
        points.extend(deciding);
        sums = sums.iter().flat_map(|sum| counts.iter().map(move |count| sum + count)).collect();
        if sums.len() > MOST_SUMS {
            return Err(Unknown::ManyFunctions);
        }
    }
    Ok(Expected { counts: sums, points })
}

/// The arrivals at one line of one function.
struct Arrivals<'a> {
    truth: &'a Truth,
    line: Line,
}

impl Arrivals<'_> {
    /// The number of arrivals, or two, and the points that decide.
    fn of(&self, tokens: &[PointToken]) -> Result<(BTreeSet<u64>, Vec<PointId>), Unknown> {
        let mut points: Vec<PointId> = Vec::new();
        for token in tokens.iter().filter(|token| token.kind == TokenKind::Code) {
            if !points.contains(&token.point) {
                points.push(token.point);
            }
        }
        if points.is_empty() {
            return self.without_code(tokens);
        }
        let (begun, continued): (Vec<PointId>, Vec<PointId>) =
            points.iter().partition(|id| self.point(**id).line == Some(self.line));
        let mut counts = BTreeSet::new();
        let mut largest = 0;
        for id in &continued {
            let point = self.point(*id);
            largest = largest.max(self.count(*id)?);
            let is_block = matches!(point.kind, PointKind::Entry | PointKind::Block);
            counts.extend(point.completed.filter(|completed| !is_block && Some(*completed) != point.count));
        }
        if begun.is_empty() {
            counts.insert(largest);
        } else {
            let arrivals = self.begun(&begun)?;
            counts.insert(arrivals);
            if largest > arrivals {
                counts.insert(largest);
            }
        }
        // gcc places the value of a statement expression at its closing brace.
        for token in tokens.iter().filter(|token| token.kind == TokenKind::ClosingBrace) {
            if self.point(token.point).within.is_some() {
                counts.extend(self.truth.reached(token).into_iter().flatten());
            }
        }
        Ok((counts, points))
    }

    fn point(&self, id: PointId) -> &CountedPoint {
        self.truth.point(id)
    }

    fn count(&self, id: PointId) -> Result<u64, Unknown> {
        self.point(id).count.ok_or(Unknown::NotCounted)
    }

    /// A line of braces, folded operands or punctuation.
    fn without_code(&self, tokens: &[PointToken]) -> Result<(BTreeSet<u64>, Vec<PointId>), Unknown> {
        let mut counts = BTreeSet::new();
        for token in tokens {
            let is_end =
                token.kind == TokenKind::ClosingBrace && self.point(token.point).kind == PointKind::Entry;
            if is_end {
                let left = self.truth.left(self.point(token.point).function).ok_or(Unknown::NotCounted)?;
                return Ok((BTreeSet::from([left]), vec![token.point]));
            }
            counts.extend(self.truth.reached(token).ok_or(Unknown::NotCounted)?);
        }
        Ok((counts, tokens.iter().map(|token| token.point).collect()))
    }

    /// The arrivals at the points that begin on the line: the larger of the largest count, and the entries at the first
    /// point with the jumps back within the line.
    fn begun(&self, begun: &[PointId]) -> Result<u64, Unknown> {
        let mut largest = 0;
        for id in begun {
            let is_head =
                matches!(self.point(*id).kind, PointKind::Statement(StatementKind::For) | PointKind::Init);
            if !is_head || begun.len() == 1 {
                largest = largest.max(self.count(*id)?);
            }
        }
        let is_arm = |id: &&PointId| self.point(**id).kind == PointKind::Arm;
        let arms: Vec<&PointId> = begun.iter().filter(is_arm).collect();
        if let [one, other] = arms[..]
            && begun[0] == *one
            && self.point(*one).within == self.point(*other).within
        {
            largest = largest.max(self.count(*one)? + self.count(*other)?);
        }
        let mut entries = i128::from(self.count(begun[0])?);
        for (index, id) in begun.iter().enumerate() {
            let before = index.checked_sub(1).map(|before| self.point(begun[before]));
            entries += self.jumps(*id, before)?;
        }
        Ok(largest.max(u64::try_from(entries.max(0)).unwrap_or(u64::MAX)))
    }

    /// The jumps back within the line that lead to the point `id`, which `before` precedes on the line.
    fn jumps(&self, id: PointId, before: Option<&CountedPoint>) -> Result<i128, Unknown> {
        let count = i128::from(self.count(id)?);
        let of = |part: &CountedPoint| part.count.map(i128::from).ok_or(Unknown::NotCounted);
        let part = |kind| self.truth.part(id, kind);
        let on_line = |part: &&CountedPoint| part.line == Some(self.line);
        Ok(match self.point(id).kind {
            PointKind::Statement(StatementKind::For | StatementKind::While) => {
                match (part(PointKind::Condition), part(PointKind::Step)) {
                    (Some(test), _) if on_line(&test) => of(test)? - count,
                    (None, Some(step)) if on_line(&step) => {
                        let has_init = part(PointKind::Init).is_some_and(|init| !init.folded);
                        of(step)? - if before.is_none() && !has_init { count } else { 0 }
                    }
                    _ => 0,
                }
            }
            PointKind::Statement(StatementKind::Do) => {
                let test = part(PointKind::Condition).filter(on_line);
                test.and_then(|test| test.outcomes).map_or(0, |(yes, _)| i128::from(yes))
            }
            PointKind::Label | PointKind::Case => match before {
                None => 0,
                Some(before) if matches!(before.kind, PointKind::Label | PointKind::Case) => 0,
                Some(before) if matches!(before.kind, PointKind::Statement(kind) if kind.is_jump()) => count,
                Some(before) => (count - i128::from(before.completed.or(before.count).unwrap_or(0))).max(0),
            },
            _ => 0,
        })
    }
}

/// Whether gcov must give `line` a count: a statement that no compiler drops ran on it. gcc drops code that it folds, and code
/// that no path leads to.
pub(super) fn needs_count(truth: &Truth, line: Line) -> bool {
    truth.begun(line).into_iter().any(|id| {
        let point = truth.point(id);
        point.has_code && point.count > Some(0)
    })
}
