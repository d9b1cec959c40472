//! Which condition of the source each block with a branch tests. gcc emits the tests of one statement in the order of the
//! source, so if there are as many blocks as conditions, and the outcomes agree, each block is that of its condition.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnose::diagnosis::Case;
use crate::model::Line;
use crate::replay::gcov::{BlockRef, GcovReplay};
use crate::syntax::{PointId, PointKind, TokenKind};
use crate::truth::Truth;

/// A block that tests a condition of the source.
#[derive(Clone, Debug)]
pub(super) struct LocatedTest {
    pub(super) block: BlockRef,
    /// The line that owns the block.
    pub(super) at: Line,
    pub(super) condition: PointId,
    /// The lines on which the condition has code.
    pub(super) lines: BTreeSet<Line>,
    /// Whether `?`, `:`, `&&` or `||` of the statement is on the line that owns the block.
    pub(super) has_operator: bool,
    /// The line of the code that runs after the test, if it is on the same line for both outcomes, and no arm is there.
    pub(super) arms_at: Option<Line>,
}

impl LocatedTest {
    /// Whether the block is on a line where the condition is not.
    pub(super) fn is_misplaced(&self) -> bool {
        !self.lines.contains(&self.at)
    }
}

/// The tests of a statement, or of several that share lines.
#[derive(Default)]
struct Tested {
    conditions: Vec<PointId>,
    lines: BTreeSet<Line>,
}

/// The graphs of a program.
struct Graphs<'b, 'a> {
    case: &'b Case<'a>,
    replay: &'b GcovReplay<'a>,
}

/// All blocks whose condition is known.
pub(super) fn located(case: &Case<'_>, replay: &GcovReplay<'_>) -> Vec<LocatedTest> {
    let blocks = &Graphs { case, replay };
    let truth = blocks.case.truth;
    let lines = lines_of_points(truth);
    let mut found = Vec::new();
    for tested in tested(truth) {
        let is_near =
            |place: &BlockRef| owner(blocks, *place).is_some_and(|line| tested.lines.contains(&line));
        for (function, solved) in &blocks.replay.solved {
            let places = (2..solved.blocks.len()).map(|block| BlockRef { function: *function, block });
            let is_test = |place: &BlockRef| outcomes(blocks, *place).is_some();
            let tests: Vec<BlockRef> = places.filter(is_test).filter(is_near).collect();
            let Some(conditions) = in_order(blocks, &tests, &tested.conditions, &lines) else { continue };
            found.extend(tests.into_iter().zip(conditions).map(|(block, condition)| {
                let at = owner(blocks, block).unwrap_or_default();
                let lines = lines.get(&condition).cloned().unwrap_or_default();
                let arms_at = misplaced_arms(blocks, block, condition);
                LocatedTest { block, at, condition, lines, has_operator: has_operator(truth, at), arms_at }
            }));
        }
    }
    found
}

/// The line of both blocks that follow the test of the condition of `?:`, if no arm is on it.
fn misplaced_arms(blocks: &Graphs<'_, '_>, test: BlockRef, condition: PointId) -> Option<Line> {
    let truth = blocks.case.truth;
    let whole = truth.point(condition).within;
    let is_arm = |point: PointId| {
        let found = truth.point(point);
        found.kind == PointKind::Arm && found.within == whole && found.line.is_some()
    };
    let arms: Vec<PointId> = (condition..truth.points.len()).filter(|id| is_arm(*id)).take(2).collect();
    let solved = &blocks.replay.solved[&test.function];
    let after: Vec<Option<Line>> = solved
        .leaving(test.block)
        .filter(|edge| !edge.is_fake)
        .map(|edge| owner(blocks, BlockRef { block: edge.to, ..test }))
        .collect();
    let [Some(one), Some(other)] = after[..] else { return None };
    let has_arm = arms.iter().any(|arm| truth.point(*arm).line == Some(one));
    (one == other && arms.len() == 2 && !has_arm).then_some(one)
}

/// The condition of each of `tests`. gcc evaluates operands in the order of the source, but arguments from the last to the
/// first, so of the two orders the one counts that has fewer tests on other lines.
fn in_order(
    blocks: &Graphs<'_, '_>,
    tests: &[BlockRef],
    conditions: &[PointId],
    lines: &BTreeMap<PointId, BTreeSet<Line>>,
) -> Option<Vec<PointId>> {
    let truth = blocks.case.truth;
    let agrees = |(place, id): (&BlockRef, &PointId)| {
        let right = truth.point(*id).outcomes.map(|(yes, no)| (yes.min(no), yes.max(no)));
        outcomes(blocks, *place) == right
    };
    let is_elsewhere = |(place, id): &(&BlockRef, &PointId)| {
        owner(blocks, **place).is_some_and(|line| lines.get(id).is_none_or(|lines| !lines.contains(&line)))
    };
    let reversed: Vec<PointId> = conditions.iter().rev().copied().collect();
    [conditions.to_vec(), reversed]
        .into_iter()
        .filter(|order| order.len() == tests.len() && tests.iter().zip(order).all(agrees))
        .min_by_key(|order| tests.iter().zip(order).filter(is_elsewhere).count())
}

/// The line that owns a block: the last one of its last location.
fn owner(blocks: &Graphs<'_, '_>, place: BlockRef) -> Option<Line> {
    let graph = &blocks.replay.notes.functions[place.function];
    let last =
        graph.blocks[place.block].locations.iter().rev().find(|location| !location.lines.is_empty())?;
    let is_ours = crate::model::is_same_path(&blocks.replay.notes.files[last.file], blocks.case.file);
    last.lines.iter().max().copied().filter(|_| is_ours)
}

/// The counts of the two ways out of a block, the smaller one first; none if there are not two.
fn outcomes(blocks: &Graphs<'_, '_>, place: BlockRef) -> Option<(u64, u64)> {
    let solved = blocks.replay.solved.get(&place.function)?;
    let counts: Vec<u64> = solved
        .leaving(place.block)
        .filter(|edge| !edge.is_fake)
        .map(|edge| edge.count.cast_unsigned())
        .collect();
    let [one, other] = counts[..] else { return None };
    Some((one.min(other), one.max(other)))
}

fn has_operator(truth: &Truth, line: Line) -> bool {
    truth.tokens(line).iter().any(|token| {
        let kind = truth.point(token.point).kind;
        token.kind == TokenKind::Punctuation && matches!(kind, PointKind::Operand | PointKind::Arm)
    })
}

/// The lines on which each point has code of its own.
fn lines_of_points(truth: &Truth) -> BTreeMap<PointId, BTreeSet<Line>> {
    let mut lines: BTreeMap<PointId, BTreeSet<Line>> = BTreeMap::new();
    for (line, tokens) in &truth.lines {
        let has_code = |kind| matches!(kind, TokenKind::Code | TokenKind::Folded);
        for token in tokens.iter().filter(|token| has_code(token.kind)) {
            lines.entry(token.point).or_default().insert(*line);
        }
    }
    lines
}

/// The conditions that are tested, by the statements that they are in; statements that share a line are together.
fn tested(truth: &Truth) -> Vec<Tested> {
    let mut lines_of: BTreeMap<PointId, BTreeSet<Line>> = BTreeMap::new();
    for (line, tokens) in &truth.lines {
        for token in tokens {
            lines_of.entry(statement(truth, token.point)).or_default().insert(*line);
        }
    }
    let mut all: Vec<Tested> = Vec::new();
    for (id, point) in truth.points.iter().enumerate() {
        let is_tested = point.outcomes.is_some() && !point.is_chain && !point.constant && !point.folded;
        if !is_tested {
            continue;
        }
        let lines = lines_of.get(&statement(truth, id)).cloned().unwrap_or_default();
        let (shared, mut rest): (Vec<Tested>, Vec<Tested>) =
            all.into_iter().partition(|other| !other.lines.is_disjoint(&lines));
        let mut joined = Tested { conditions: vec![id], lines };
        for other in shared {
            joined.conditions.extend(other.conditions);
            joined.lines.extend(other.lines);
        }
        joined.conditions.sort_unstable();
        rest.push(joined);
        all = rest;
    }
    all
}

/// The statement that `id` is a part of.
fn statement(truth: &Truth, id: PointId) -> PointId {
    std::iter::successors(Some(id), |id| truth.point(*id).within).last().unwrap_or(id)
}
