//! The count that gcov should give a line: how often control arrives at it from another line, and again by a jump within
//! it (`accumulate_line_info` in gcov.cc). The definition is over true counts, never over gcov's blocks: with correct arcs
//! the rule of gcov reproduces each mistake in the lines of blocks.

use std::collections::BTreeSet;

use super::branches;
use super::count::{Expected, Unknown, by_copy, sums_of};
use super::passes::Passes;
use crate::model::Line;
use crate::syntax::{Leaving, PointId, PointKind, PointToken, StatementKind, TokenKind};
use crate::truth::{CountedPoint, Truth};

const SWITCH: PointKind = PointKind::Statement(StatementKind::Switch);
pub(super) const DO: PointKind = PointKind::Statement(StatementKind::Do);
const RETURN: PointKind = PointKind::Statement(StatementKind::Return);

/// The number of alternatives for sums over several functions.
const MOST_SUMS: usize = 64;

pub(super) fn expected(truth: &Truth, line: Line) -> Result<Expected, Unknown> {
    let tokens = truth.tokens(line);
    if tokens.is_empty() {
        return Err(Unknown::NoCode);
    }
    if tokens.iter().any(|token| branches::is_optimised(truth, truth.point(token.point))) {
        return Err(Unknown::Optimised);
    }
    if tokens.iter().any(|token| truth.point(token.point).may_repeat) {
        return Err(Unknown::NotCounted);
    }
    let mut sums = BTreeSet::from([0]);
    let mut points = BTreeSet::new();
    let mut ids: Vec<PointId> = Vec::new();
    for token in tokens {
        if !ids.contains(&token.point) {
            ids.push(token.point);
        }
    }
    // The head of a function is on the line of its name.
    let is_type = |id: &PointId| {
        let point = truth.point(*id);
        point.kind == PointKind::Entry && truth.functions[point.function].name_line > Some(line)
    };
    if !ids.iter().all(is_type) {
        ids.retain(|id| !is_type(id));
    }
    let copies = by_copy(truth, ids);
    for copy in &copies {
        let here: Vec<PointToken> =
            tokens.iter().filter(|token| copy.contains(&token.point)).copied().collect();
        let (mut counts, deciding) = Arrivals { truth, line }.of(&here)?;
        // The end of a function has a count only if control reaches it without `return`, and a head that continues on the next line
        // may have its code there.
        let is_head = |token: &PointToken| {
            truth.point(token.point).kind == PointKind::Entry && token.kind != TokenKind::OpeningBrace
        };
        let is_without_code = here.iter().all(|token| token.kind != TokenKind::Code);
        if copies.len() > 1 && (is_without_code || here.iter().all(is_head)) {
            counts.insert(0);
        }
        points.extend(deciding);
        sums = sums_of(&sums, &counts);
        if sums.len() > MOST_SUMS {
            return Err(Unknown::ManyFunctions);
        }
    }
    Ok(Expected { counts: sums, points })
}

/// The arrivals at one line of one function.
pub(super) struct Arrivals<'a> {
    pub(super) truth: &'a Truth,
    pub(super) line: Line,
}

impl Arrivals<'_> {
    /// The number of arrivals, or several where control may have come in several ways, and the points that decide.
    fn of(&self, tokens: &[PointToken]) -> Result<(BTreeSet<u64>, Vec<PointId>), Unknown> {
        let mut points: Vec<PointId> = Vec::new();
        // What is never evaluated has no code.
        let is_code =
            |token: &&PointToken| token.kind == TokenKind::Code && !self.point(token.point).is_unevaluated();
        for token in tokens.iter().filter(is_code) {
            if !points.contains(&token.point) {
                points.push(token.point);
            }
        }
        if points.is_empty() {
            return self.without_code(tokens);
        }
        let (begun, continued): (Vec<PointId>, Vec<PointId>) =
            points.iter().partition(|id| self.point(**id).line == Some(self.line));
        let (largest, mut counts) = self.continued(&continued)?;
        if begun.is_empty() {
            counts.insert(largest);
        } else {
            counts.extend(self.of_begun(&begun, &continued, largest)?);
        }
        self.add_braces(tokens, begun.is_empty(), &mut counts)?;
        Ok((counts, points))
    }

    /// The largest count of the points that begin on an earlier line, and how often they were completed if that differs.
    fn continued(&self, continued: &[PointId]) -> Result<(u64, BTreeSet<u64>), Unknown> {
        let (mut largest, mut counts) = (0, BTreeSet::new());
        for id in continued {
            let point = self.point(*id);
            // A jump in the value of a `return` may leave it before what is on this line.
            if point.holds_block && point.kind == RETURN {
                return Err(Unknown::NotCounted);
            }
            largest = largest.max(self.count(*id)?);
            let is_block = matches!(point.kind, PointKind::Entry | PointKind::Block);
            counts.extend(point.completed.filter(|completed| !is_block && Some(*completed) != point.count));
            counts.extend(point.counts_between_calls().take(MOST_SUMS));
        }
        Ok((largest, counts))
    }

    /// The arrivals at the points that begin on the line, whose `continued` points ran at most `largest` times. The alternatives are
    /// those of code that gcc may not generate, or may place elsewhere.
    fn of_begun(
        &self,
        begun: &[PointId],
        continued: &[PointId],
        largest: u64,
    ) -> Result<BTreeSet<u64>, Unknown> {
        let mut counts = BTreeSet::new();
        let kept: Vec<PointId> = begun.iter().copied().filter(|id| !self.may_lack_code(*id)).collect();
        if !kept.is_empty() && kept.len() < begun.len() {
            counts.extend(self.begun(&kept)?);
        }
        counts.extend(Some(largest).filter(|_| kept.is_empty() && !continued.is_empty()));
        // The code of a statement may be only after the statement expressions in it, on other lines.
        let inner: Vec<PointId> = begun.iter().copied().filter(|id| !self.point(*id).holds_block).collect();
        if !inner.is_empty() && inner.len() < begun.len() {
            counts.extend(self.begun(&inner)?);
        }
        let arrivals = self.begun(begun)?;
        let most = arrivals.last().copied().unwrap_or(0);
        counts.extend(self.with_other_ways(begun, continued, largest, &arrivals)?);
        counts.extend(arrivals);
        if largest > most {
            counts.insert(largest);
        }
        for id in begun {
            let point = self.point(*id);
            // A call that returns twice may be counted twice (gcov-pr85372.c of GCC's tests).
            let returns_again = point.returned_again();
            // The code on its first line may follow a call on a later one that did not return: `return -`.
            let is_left_later = point.is_long && point.lost() > 0;
            // The code of a statement that begins with a statement expression is where that ends.
            counts.extend(point.completed.filter(|_| point.holds_block || returns_again || is_left_later));
            if is_left_later {
                counts.extend(point.counts_between_calls().take(MOST_SUMS));
            }
            if point.holds_block {
                counts.extend(self.truth.counts_between_blocks(*id));
            }
        }
        Ok(counts)
    }

    /// Add to `counts` what the braces among `tokens` may add: gcc places the value of a statement expression at its closing brace, and
    /// saves the stack for arrays of variable length at the opening one, where the head of the block has no code only after `do`
    /// (`gimplify_bind_expr`).
    fn add_braces(
        &self,
        tokens: &[PointToken],
        is_continued: bool,
        counts: &mut BTreeSet<u64>,
    ) -> Result<(), Unknown> {
        for token in tokens.iter().filter(|token| token.kind == TokenKind::OpeningBrace) {
            let block = self.point(token.point);
            let outer = block.place.map(|place| self.point(place.outer).kind);
            if outer == Some(DO) && block.saves_stack {
                counts.extend(block.count);
            }
        }
        for token in tokens.iter().filter(|token| token.kind == TokenKind::ClosingBrace) {
            let function = self.point(token.point).function;
            if self.point(token.point).kind == PointKind::Entry {
                if !self.truth.functions[function].is_inlined {
                    // gcc may remove code that never runs, and what continues may have its code on earlier lines; what is left on
                    // the line is the end of the function.
                    let is_removed = counts.iter().all(|count| *count == 0) && !self.returns_value(function);
                    if is_continued || is_removed {
                        counts.extend(self.ends(token.point)?);
                    }
                    continue;
                }
                // In a copy that is inlined, the end of the function has code, which control also reaches from other lines.
                let left = self.truth.left(function).ok_or(Unknown::NotCounted)?;
                let sums: Vec<u64> =
                    counts.iter().flat_map(|count| [left.max(*count), left.saturating_add(*count)]).collect();
                counts.extend(sums);
            } else if self.point(token.point).within.is_some() {
                counts.extend(self.truth.reached(token).into_iter().flatten());
            }
        }
        Ok(())
    }

    pub(super) fn point(&self, id: PointId) -> &CountedPoint {
        self.truth.point(id)
    }

    pub(super) fn count(&self, id: PointId) -> Result<u64, Unknown> {
        self.point(id).count.ok_or(Unknown::NotCounted)
    }

    /// A line of braces, folded operands or punctuation.
    fn without_code(&self, tokens: &[PointToken]) -> Result<(BTreeSet<u64>, Vec<PointId>), Unknown> {
        let mut counts = BTreeSet::new();
        for token in tokens {
            let is_end =
                token.kind == TokenKind::ClosingBrace && self.point(token.point).kind == PointKind::Entry;
            if is_end {
                return Ok((self.ends(token.point)?, vec![token.point]));
            }
            counts.extend(self.truth.reached(token).ok_or(Unknown::NotCounted)?);
            counts.extend(self.truth.of_operator(self.line, tokens, token));
        }
        Ok((counts, tokens.iter().map(|token| token.point).collect()))
    }

    /// How often control comes to the `}` of the function with the entry `id`.
    fn ends(&self, id: PointId) -> Result<BTreeSet<u64>, Unknown> {
        let entry = self.point(id);
        let left = self.truth.left(entry.function).ok_or(Unknown::NotCounted)?;
        let without_value = entry.completed.filter(|_| self.returns_value(entry.function));
        Ok(std::iter::once(left).chain(without_value).collect())
    }

    /// The arrivals at the points that begin on the line: the larger of the largest count, and the ways to the line with the jumps
    /// back within it.
    /// Two where control may jump to a label from the same line, which is no arrival.
    fn begun(&self, begun: &[PointId]) -> Result<BTreeSet<u64>, Unknown> {
        let mut largest = 0;
        let is_head = |id: PointId| {
            matches!(self.point(id).kind, PointKind::Statement(StatementKind::For) | PointKind::Init)
        };
        for id in begun {
            let root = self.truth.root(*id);
            let has_other_part =
                || begun.iter().any(|other| !is_head(*other) && self.truth.root(*other) == root);
            if !is_head(*id) || !has_other_part() {
                largest = largest.max(self.count(*id)?);
            }
        }
        let (mut back, mut to_labels) = (0, 0);
        for (index, id) in begun.iter().enumerate() {
            let jumps = self.jumps(*id, &begun[..index])?;
            let is_label = self.point(*id).kind == PointKind::Label;
            *(if is_label { &mut to_labels } else { &mut back }) += jumps;
            to_labels -= self.selected_in_loop(*id, &begun[..index])?;
        }
        let later = self.later(begun)?;
        let entries = i128::from(Passes { truth: self.truth, line: self.line }.of(begun)?) + back;
        let sums = later.iter().map(|later| entries + later).chain([entries + to_labels]);
        Ok(sums.map(|sum| largest.max(u64::try_from(sum.max(0)).unwrap_or(u64::MAX))).collect())
    }

    /// How often a `switch` of the line jumps to the label `id` in a loop of the line, which that does not enter at its head: the first
    /// jump back is then no repetition. `before` are the points before it on the line.
    fn selected_in_loop(&self, id: PointId, before: &[PointId]) -> Result<i128, Unknown> {
        let label = self.point(id);
        let is_here = |kind: fn(PointKind) -> bool| {
            move |outer: PointId| before.contains(&outer) && kind(self.point(outer).kind)
        };
        let is_in_loop = || self.truth.around(id).any(is_here(PointKind::is_loop));
        if label.kind != PointKind::Case
            || !self.truth.around(id).any(is_here(|kind| kind == SWITCH))
            || !is_in_loop()
        {
            return Ok(0);
        }
        let fallen = label.fallen.ok_or(Unknown::NotCounted)?;
        Ok(i128::from(self.count(id)?) - i128::from(fallen))
    }

    /// The arrivals at statements past the first one of the line: control may come to the next one from a body, a jump or a label
    /// on another line. The counts do not say from where, so each sum of them is possible.
    fn later(&self, begun: &[PointId]) -> Result<BTreeSet<i128>, Unknown> {
        // The test of a `do` loop follows its body.
        let mut seen = BTreeSet::new();
        let mut statements: Vec<PointId> = begun.iter().map(|id| self.truth.root(*id)).collect();
        statements.retain(|id| matches!(self.point(*id).kind, PointKind::Statement(_)) && seen.insert(*id));
        let mut sums = BTreeSet::from([0]);
        // A body is reached from the head, and the ways there are known; a statement expression is a part of its statement.
        let is_body = |pair: &&[PointId]| self.truth.around(pair[1]).any(|outer| outer == pair[0]);
        for pair in statements.windows(2).filter(|pair| !is_body(pair)) {
            let before = self.point(pair[0]);
            let count = self.count(pair[1])?;
            let is_left = before.leaving != Leaving::AtEnd;
            if is_compound(before) || is_left || before.count > Some(count) {
                // Some come from the test of the loop before it, which is on the line too.
                let test = self.truth.part(pair[0], PointKind::Condition);
                let test = test.filter(|test| test.line == Some(self.line)).and_then(|test| test.outcomes);
                let others = test.map(|(_, no)| count.saturating_sub(no));
                let amounts: Vec<u64> = std::iter::once(count).chain(others).collect();
                let with = |sum: i128| {
                    amounts.iter().map(move |amount| sum + i128::from(*amount)).collect::<Vec<_>>()
                };
                sums.extend(sums.clone().into_iter().flat_map(with).collect::<Vec<_>>());
            }
            if sums.len() > MOST_SUMS {
                return Err(Unknown::ManyWays);
            }
        }
        Ok(sums)
    }

    /// Whether a `return` of `function` has a value: each of them is then a statement of its own for gcc, and the end of the
    /// function is only reached without one.
    fn returns_value(&self, function: usize) -> bool {
        let is_return = |id: PointId| {
            let point = self.point(id);
            point.function == function && point.kind == PointKind::Statement(StatementKind::Return)
        };
        let is_value = |token: &PointToken| {
            let is_inside = self.point(token.point).within.is_some_and(is_return);
            is_inside || is_return(token.point) && token.kind == TokenKind::Code && !token.begins
        };
        let (first, last) = self.truth.functions[function].lines;
        self.truth.lines.range(first..=last).any(|(_, tokens)| tokens.iter().any(is_value))
    }

    /// Whether the statement `id` begins on the line.
    fn is_begun(&self, id: Option<PointId>) -> bool {
        id.is_some_and(|id| self.point(id).line == Some(self.line))
    }

    /// The body of the loop `id`, if its code begins on the line.
    fn body(&self, id: PointId) -> Option<&CountedPoint> {
        let points = &self.truth.points;
        let body = self.truth.first_in(id)?;
        let code = points[body..].iter().find(|point| point.kind != PointKind::Block)?;
        (code.line == Some(self.line)).then_some(&points[body])
    }

    /// The jumps back within the line that lead to the point `id`, which those in `before` precede on the line.
    fn jumps(&self, id: PointId, before: &[PointId]) -> Result<i128, Unknown> {
        let count = i128::from(self.count(id)?);
        let of_count = |count: Option<u64>| count.map(i128::from).ok_or(Unknown::NotCounted);
        let of = |part: &CountedPoint| of_count(part.count);
        let part = |kind| self.truth.part(id, kind);
        let on_line = |part: &&CountedPoint| part.line == Some(self.line);
        Ok(match self.point(id).kind {
            PointKind::Statement(StatementKind::For | StatementKind::While) => {
                match (part(PointKind::Condition), part(PointKind::Step)) {
                    // A call in the first part may not return to the test.
                    (Some(test), Some(step)) if on_line(&test) && on_line(&step) => of(step)?,
                    (Some(test), _) if on_line(&test) => of(test)? - count,
                    (None, Some(step)) if on_line(&step) => {
                        let has_init = part(PointKind::Init).is_some_and(|init| !init.folded);
                        of(step)? - if before.is_empty() && !has_init { count } else { 0 }
                    }
                    (None, None) => self.body(id).map_or(Ok(count), of)? - count,
                    _ => 0,
                }
            }
            PointKind::Statement(StatementKind::Do) => {
                let test = part(PointKind::Condition).filter(on_line);
                match test.and_then(|test| test.outcomes) {
                    Some((yes, _)) => i128::from(yes),
                    None if test.is_some_and(|test| test.constant) => {
                        self.body(id).map_or(Ok(count), of)? - count
                    }
                    None => 0,
                }
            }
            // The keyword of the loop is on an earlier line than its parts.
            PointKind::Condition => {
                let inits =
                    || before.iter().map(|id| self.point(*id)).filter(|part| part.kind == PointKind::Init);
                match inits().find(|init| init.within == self.point(id).within && !self.is_begun(init.within))
                {
                    Some(init) => count - of(init)?,
                    None => 0,
                }
            }
            PointKind::Case if before.iter().any(|id| self.point(*id).kind == SWITCH) => 0,
            PointKind::Label | PointKind::Case if before.is_empty() => 0,
            PointKind::Label | PointKind::Case => count - of_count(self.point(id).fallen)?,
            _ => 0,
        })
    }
}

/// Whether `point` is a statement that contains others.
pub(super) fn is_compound(point: &CountedPoint) -> bool {
    matches!(point.kind, PointKind::Statement(kind) if kind.is_compound())
}
