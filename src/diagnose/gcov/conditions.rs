//! Which condition of the source each block with a branch tests. gcc emits the tests of one statement in the order of the
//! source, so if there are as many blocks as conditions, and the outcomes agree, each block is that of its condition.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::diagnose::diagnosis::Case;
use crate::model::{Line, is_same_path};
use crate::replay::branch_groups;
use crate::replay::gcov::{BlockRef, GcovReplay};
use crate::syntax::{PointId, PointKind, TokenKind};
use crate::truth::Truth;

/// A block that tests a condition of the source.
#[derive(Clone, Debug)]
pub(super) struct LocatedTest {
    pub(super) block: BlockRef,
    /// The line that owns the block.
    pub(super) at: Line,
    /// The last line that the block lists, which may be lower than `at`: that of the test.
    pub(super) last: Option<Line>,
    pub(super) condition: PointId,
    /// The lines on which the condition has code.
    pub(super) lines: BTreeSet<Line>,
    /// Whether `?`, `:`, `&&` or `||` of the statement is on the line that owns the block.
    pub(super) has_operator: bool,
    /// Whether the operator whose right operand the condition is, or is in, is on that line: gcc gives the test this location on
    /// purpose (`shortcut_cond_r` in gimplify.cc).
    pub(super) is_at_left_operator: bool,
    /// The line of the code that runs after the test, if it is on the same line for both outcomes, and no arm is there.
    pub(super) arms_at: Option<Line>,
}

impl LocatedTest {
    /// Whether the test is on a line where the condition is not.
    pub(super) fn is_misplaced(&self) -> bool {
        !self.lines.contains(&self.at) && self.last.is_none_or(|last| !self.lines.contains(&last))
    }
}

/// A block with two ways out.
#[derive(Clone, Copy)]
struct Test {
    block: BlockRef,
    /// The line that owns the block.
    at: Line,
    /// The counts of the ways out, the smaller one first.
    outcomes: (u64, u64),
    /// The count of the way without a jump.
    falls: u64,
}

/// The blocks that test the conditions of a group, with the condition of each.
type Pairs = Vec<(Test, PointId)>;

/// The graphs of a program.
struct Graphs<'b, 'a> {
    case: &'b Case<'a>,
    replay: &'b GcovReplay<'a>,
}

/// The line of our file that owns a block: the largest one of its last location.
pub(super) fn owner(case: &Case<'_>, replay: &GcovReplay<'_>, place: BlockRef) -> Option<Line> {
    last_lines(case, replay, place)?.iter().max().copied()
}

/// The lines of the last location of a block, if they are in our file.
fn last_lines<'b>(case: &Case<'_>, replay: &'b GcovReplay<'_>, place: BlockRef) -> Option<&'b [Line]> {
    let graph = &replay.notes.functions[place.function];
    let last = graph.blocks[place.block].locations.iter().rfind(|location| !location.lines.is_empty())?;
    is_same_path(&replay.notes.files[last.file], case.file).then_some(&last.lines)
}

/// All blocks whose condition is known.
pub(super) fn located(case: &Case<'_>, replay: &GcovReplay<'_>) -> Vec<LocatedTest> {
    let (graphs, truth) = (Graphs { case, replay }, case.truth);
    let lines = lines_of_points(truth);
    let by_function: Vec<Vec<Test>> = replay.solved.keys().map(|function| graphs.tests(*function)).collect();
    let mut found = Vec::new();
    for group in branch_groups(truth) {
        let last_of = |test: &Test| last_lines(case, replay, test.block).and_then(<[Line]>::last).copied();
        let tests = |all: &Vec<Test>| -> Vec<Test> {
            let is_its = |test: &&Test| group.lines.contains(&last_of(test).unwrap_or(test.at));
            all.iter().filter(is_its).copied().collect()
        };
        let by_function: Vec<Vec<Test>> = by_function.iter().map(tests).collect();
        let conditions = evaluated(truth, &group.conditions);
        // gcc may fold a condition that always has one outcome.
        let varies = |id: &&PointId| truth.point(**id).outcomes.is_some_and(|(yes, no)| yes > 0 && no > 0);
        let varying: Vec<PointId> = conditions.iter().filter(varies).copied().collect();
        let pairs = in_copies(truth, &by_function, &conditions).unwrap_or_else(|| {
            let of_function = |tests: &Vec<Test>| {
                let mut orders = [&conditions, &varying].into_iter();
                let found = orders.find_map(|order| in_order(truth, tests, order, &lines));
                found.unwrap_or_else(|| by_outcomes(truth, tests, &conditions, &lines))
            };
            by_function.iter().flat_map(of_function).collect()
        });
        found.extend(pairs.into_iter().map(|(test, condition)| {
            let Test { block, at, .. } = test;
            let lines = lines.get(&condition).cloned().unwrap_or_default();
            let arms_at = graphs.misplaced_arms(block, condition);
            LocatedTest {
                block,
                at,
                last: last_of(&test),
                lines,
                has_operator: has_operator_of(truth, at, condition),
                is_at_left_operator: has_operator_where(truth, at, |part| {
                    truth.part_of(condition).any(|outer| outer == part)
                }),
                arms_at,
                condition,
            }
        }));
    }
    found
}

/// `conditions`, which are in the order of the text, in the order of their evaluation: what is inside one is tested before it.
fn evaluated(truth: &Truth, conditions: &[PointId]) -> Vec<PointId> {
    let last_inside = |id: PointId| {
        let mut later = conditions.iter().rev().take_while(|other| **other > id);
        later.find(|other| truth.is_inside(**other, id)).copied().unwrap_or(id)
    };
    let mut ordered = conditions.to_vec();
    ordered.sort_by_key(|id| (last_inside(*id), Reverse(*id)));
    ordered
}

impl Graphs<'_, '_> {
    /// The tests in a function, in the order of the blocks.
    fn tests(&self, function: usize) -> Vec<Test> {
        let solved = &self.replay.solved[&function];
        let test = |block: usize| {
            let block = BlockRef { function, block };
            let ways = solved.leaving(block.block).filter(|edge| !edge.is_fake);
            let ways: Vec<(bool, u64)> =
                ways.map(|edge| (edge.is_fallthrough, edge.count.cast_unsigned())).collect();
            let [(_, one), (falls, other)] = ways[..] else { return None };
            Some(Test {
                block,
                at: owner(self.case, self.replay, block)?,
                outcomes: (one.min(other), one.max(other)),
                falls: if falls { other } else { one },
            })
        };
        (2..solved.blocks.len()).filter_map(test).collect()
    }

    /// The line of both blocks that follow the test of the condition of `?:`, if no arm is on it.
    fn misplaced_arms(&self, test: BlockRef, condition: PointId) -> Option<Line> {
        let truth = self.case.truth;
        let whole = truth.point(condition).within;
        // After its arms, the statement may have another `?:`.
        let siblings = (condition + 1..truth.points.len()).filter(|id| truth.point(*id).within == whole);
        let arms = siblings.take_while(|id| truth.point(*id).kind == PointKind::Arm);
        let arms: Vec<PointId> = arms.filter(|id| truth.point(*id).line.is_some()).take(2).collect();
        let ways = self.replay.solved[&test.function].leaving(test.block).filter(|edge| !edge.is_fake);
        let after: Vec<Option<Line>> =
            ways.map(|edge| owner(self.case, self.replay, BlockRef { block: edge.to, ..test })).collect();
        let [Some(one), Some(other)] = after[..] else { return None };
        let has_arm = arms.iter().any(|arm| truth.point(*arm).line == Some(one));
        (one == other && arms.len() == 2 && !has_arm).then_some(one)
    }
}

/// The tests of a function that is inlined at several places: each copy has all of them, and their outcomes add up.
fn in_copies(truth: &Truth, by_function: &[Vec<Test>], conditions: &[PointId]) -> Option<Pairs> {
    let is_whole = |tests: &Vec<Test>| tests.len().is_multiple_of(conditions.len());
    if conditions.is_empty() || !by_function.iter().all(is_whole) {
        return None;
    }
    let copies: Vec<&[Test]> = by_function.iter().flat_map(|tests| tests.chunks(conditions.len())).collect();
    let agrees = |(at, id): (usize, &PointId)| {
        let Some((yes, no)) = truth.point(*id).outcomes else { return false };
        let outcomes = || copies.iter().map(move |copy| copy[at].outcomes);
        let total = outcomes().fold(0_u64, |sum, (less, more)| sum.wrapping_add(less).wrapping_add(more));
        if total != yes.wrapping_add(no) {
            return false;
        }
        // The code of all copies is alike, so the way without a jump has one outcome.
        let falls = copies.iter().fold(0_u64, |sum, copy| sum.wrapping_add(copy[at].falls));
        if falls == yes || falls == no {
            return true;
        }
        // Where they end, it may have the other one.
        let mut sums = BTreeSet::from([0]);
        for (less, more) in outcomes().take(MOST_COPIES) {
            sums =
                sums.iter().flat_map(|sum: &u64| [sum.wrapping_add(less), sum.wrapping_add(more)]).collect();
        }
        copies.len() <= MOST_COPIES && sums.contains(&yes)
    };
    if copies.len() < 2 || !conditions.iter().enumerate().all(agrees) {
        return None;
    }
    Some(copies.iter().flat_map(|copy| copy.iter().copied().zip(conditions.iter().copied())).collect())
}

/// With more copies, too many sums of outcomes are possible.
const MOST_COPIES: usize = 10;

/// The condition of each of `tests`. gcc evaluates operands in the order of the source, but arguments from the last to the
/// first, so of the two orders the one counts that has fewer tests on other lines.
fn in_order(
    truth: &Truth,
    tests: &[Test],
    conditions: &[PointId],
    lines: &BTreeMap<PointId, BTreeSet<Line>>,
) -> Option<Pairs> {
    let agrees = |(test, id): (&Test, &PointId)| {
        truth.point(*id).outcomes.map(|(yes, no)| (yes.min(no), yes.max(no))) == Some(test.outcomes)
    };
    let is_elsewhere =
        |(test, id): &(&Test, &PointId)| lines.get(id).is_none_or(|lines| !lines.contains(&test.at));
    let reversed: Vec<PointId> = conditions.iter().rev().copied().collect();
    // Nothing is evaluated before what is inside it, nor before the operands to its left.
    let is_possible = |order: &Vec<PointId>| {
        order.iter().enumerate().all(|(at, id)| {
            let is_left =
                |other: &PointId| truth.point(*id).left.is_some_and(|left| (left..*id).contains(other));
            !order[at + 1..].iter().any(|later| truth.is_inside(*later, *id) || is_left(later))
        })
    };
    [conditions.to_vec(), reversed]
        .into_iter()
        .filter(|order| {
            order.len() == tests.len() && tests.iter().zip(order).all(agrees) && is_possible(order)
        })
        .min_by_key(|order| tests.iter().zip(order).filter(is_elsewhere).count())
        .map(|order| tests.iter().copied().zip(order).collect())
}

/// The tests with their conditions, as far as the outcomes show them, if gcc made more or fewer tests than there are
/// conditions. A test that is on the line of a condition with its outcomes is that of the condition. One that is not, on a
/// line with an operator, is that of the nearest condition which has no test on its own lines.
fn by_outcomes(
    truth: &Truth,
    tests: &[Test],
    conditions: &[PointId],
    lines: &BTreeMap<PointId, BTreeSet<Line>>,
) -> Pairs {
    let mut pairs: Vec<(Line, usize, PointId)> = Vec::new();
    for (number, test) in tests.iter().enumerate() {
        for id in conditions {
            let outcomes = truth.point(*id).outcomes.map(|(yes, no)| (yes.min(no), yes.max(no)));
            let Some(lines) = lines.get(id) else { continue };
            // An operator is next to its operands, which may be around others.
            let ends = [lines.first(), lines.last()].into_iter().flatten();
            let distance =
                ends.map(|line| line.abs_diff(test.at)).min().filter(|_| !lines.contains(&test.at));
            let distance = distance.unwrap_or_default();
            // Code that never ran has the outcomes of all other code that never ran.
            let may_be_elsewhere = || test.outcomes.1 > 0 && has_operator(truth, test.at);
            if outcomes == Some(test.outcomes) && (distance == 0 || may_be_elsewhere()) {
                pairs.push((distance, number, *id));
            }
        }
    }
    pairs.sort_unstable();
    let (mut found, mut placed, mut tested) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for (_, number, id) in pairs {
        if !placed.contains(&number) && !tested.contains(&id) {
            placed.insert(number);
            tested.insert(id);
            found.push((tests[number], id));
        }
    }
    found
}

/// Whether `:`, `?:`, `&&` or `||` is on `line`: gcc gives tests and results their places.
pub(super) fn has_operator(truth: &Truth, line: Line) -> bool {
    has_operator_where(truth, line, |_| true)
}

/// The same of the statement with `condition`.
pub(super) fn has_operator_near(truth: &Truth, line: Line, condition: PointId) -> bool {
    has_operator_where(truth, line, |part| truth.root(part) == truth.root(condition))
}

/// The same of a statement with `condition`: a `:` must be that of its own `?:`.
fn has_operator_of(truth: &Truth, line: Line, condition: PointId) -> bool {
    has_operator_where(truth, line, |part| {
        let within = truth.point(part).within;
        let mut before = (0..part).rev().filter(|id| truth.point(*id).within == within);
        let choice = before.find(|id| truth.point(*id).kind == PointKind::Condition);
        truth.point(part).kind == PointKind::Operand
            || choice.is_some_and(|choice| truth.part_of(condition).any(|outer| outer == choice))
    })
}

/// The same, of the operators before the operands and arms that `admits` accepts.
fn has_operator_where(truth: &Truth, line: Line, admits: impl Fn(PointId) -> bool) -> bool {
    let tokens = truth.tokens(line);
    tokens.iter().filter(|token| token.kind == TokenKind::Punctuation).any(|token| {
        let is_operator = match truth.point(token.point).kind {
            PointKind::Operand => truth.precedes_point(line, tokens, token),
            PointKind::Arm => truth.point(token.point).is_alternative,
            _ => false,
        };
        is_operator && admits(token.point)
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
