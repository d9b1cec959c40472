//! The lines that gcov must give a count.

use std::collections::BTreeSet;

use super::jumps::break_of_chain;
use super::{branches, functions};
use crate::coverage::Coverage;
use crate::model::Line;
use crate::syntax::{PointId, PointKind, PointToken, StatementKind, TokenKind};
use crate::truth::{CountedPoint, Truth};

/// Whether gcov must give `line` a count: gcc generates code for it, or a function that it generates has its name there
/// (`branch_prob` in profile.cc gives the first block of a function the line of its declaration). Where it is not known what
/// gcc generates, code that no compiler drops ran on the line. gcc drops code that it folds, and code that no path leads to.
pub(super) fn needs_count(report: &Coverage, truth: &Truth, line: Line) -> bool {
    // A jump has code of its own, but for this fault.
    let lacks_break =
        || break_of_chain(truth, line).is_some_and(|id| !branches::is_optimised(truth, truth.point(id)));
    if functions::is_on_line(truth, line) || lacks_break() {
        return true;
    }
    // gcc drops the labels of a `switch` that it folds in an inlined copy.
    let is_counted = |point: &CountedPoint| {
        let function = truth.functions.get(point.function);
        function
            .is_none_or(|function| !function.is_optimised && (!function.is_inlined || !point.kind.is_label()))
    };
    let is_code = |token: &PointToken| {
        let point = truth.point(token.point);
        token.kind == TokenKind::Code
            && !matches!(point.kind, PointKind::Entry | PointKind::Silent)
            && is_counted(point)
    };
    if let Some(code) = &truth.generated {
        // The braces of a function have code too.
        let is_brace = |token: &PointToken| {
            matches!(token.kind, TokenKind::OpeningBrace | TokenKind::ClosingBrace)
                && truth.point(token.point).kind == PointKind::Entry
        };
        let tokens = truth.tokens(line);
        let has_code =
            code.lines.contains(&line) && tokens.iter().any(is_code) && !tokens.iter().any(is_brace);
        return has_code || has_test(report, truth, line);
    }
    truth.begun(line).into_iter().any(|id| {
        let point = truth.point(id);
        let has_code = point.has_code || point.kind == PointKind::Label || branches::is_tested(truth, point);
        let is_kept = point.count > Some(0) || point.count == Some(0) && is_first_of_arm(truth, id);
        has_code && !point.is_long && is_kept && !is_value(truth, id) && is_counted(point)
    })
}

/// Whether the statement that begins on `line` has a condition there that gcc tests, as its branches show: if the line has no code,
/// the test is on another line of the statement. Lines that only continue a statement need no count.
fn has_test(report: &Coverage, truth: &Truth, line: Line) -> bool {
    let is_tested = |id: PointId| {
        let (point, root) = (truth.point(id), truth.root(id));
        let is_first = truth.point(root).line == Some(line) && !point.is_long;
        let is_test = branches::is_condition(point) && !branches::is_optimised(truth, point);
        is_first && is_test && point.count > Some(0) && has_all_tests(report, truth, root)
    };
    truth.begun(line).into_iter().any(is_tested)
}

/// Whether the lines of the statement `root` have two branches for each of its conditions, and nothing else may have some.
fn has_all_tests(report: &Coverage, truth: &Truth, root: PointId) -> bool {
    let Some(first) = truth.point(root).line else { return false };
    let is_part = |token: &PointToken| truth.root(token.point) == root;
    let of_statement = || truth.lines.range(first..).take_while(|(_, tokens)| tokens.iter().any(is_part));
    let last = of_statement().map(|(line, _)| *line).last().unwrap_or(first);
    let points: BTreeSet<PointId> =
        of_statement().flat_map(|(_, tokens)| tokens).map(|token| token.point).collect();
    let tests = || points.iter().filter(|id| branches::is_condition(truth.point(**id)));
    let is_switch = |id: &PointId| truth.point(*id).kind == PointKind::Statement(StatementKind::Switch);
    let is_alone = tests().all(|id| truth.root(*id) == root) && !points.iter().any(is_switch);
    let reported = report.branches.iter().filter(|branch| (first..=last).contains(&branch.line)).count();
    is_alone && !truth.point(root).holds_block && reported == 2 * tests().count()
}

/// Whether the statement `id` is the first one of an `if` whose condition every gcc tests: gcc keeps it although it never
/// ran.
fn is_first_of_arm(truth: &Truth, id: PointId) -> bool {
    let is_statement =
        |point: &CountedPoint| matches!(point.kind, PointKind::Statement(_)) && point.within.is_none();
    let before = truth.points[..id].iter().enumerate().rev();
    // The parts of the `if` are before its arm, which may be a block.
    let mut before = before
        .skip_while(|(at, point)| point.within.is_some() || *at + 1 == id && point.kind == PointKind::Block);
    let Some((outer, point)) = before.next() else { return false };
    is_statement(&truth.points[id])
        && point.kind == PointKind::Statement(StatementKind::If)
        && truth.part(outer, PointKind::Condition).is_some_and(|test| branches::is_tested(truth, test))
}

/// Whether the statement `id` is the value of a statement expression, which gcc places at its closing brace.
fn is_value(truth: &Truth, id: PointId) -> bool {
    truth.points[..id].iter().any(|point| point.last == Some(id) && point.within.is_some())
}
