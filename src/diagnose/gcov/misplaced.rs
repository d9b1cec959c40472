//! Tests of conditions that are located at another line than their condition: at an operator, at the keyword of the statement, or at
//! the call whose argument they are.

use super::Blocks;
use super::conditions::{LocatedTest, has_operator_near};
use super::lines::WrongLine;
use crate::diagnose::Case;
use crate::model::{Cause, Family, Layer, Line};
use crate::replay::expected;
use crate::replay::gcov::{BlockRef, LineCopy, ListedBlock};
use crate::syntax::{PointId, PointKind, StatementKind};

impl Blocks<'_> {
    /// The fault that the test of a condition on `line` is located at another line.
    pub(super) fn lost_test(&self, line: Line) -> Option<Cause> {
        let is_lost = |test: &&LocatedTest| test.is_misplaced() && test.lines.contains(&line);
        self.tests().iter().find(is_lost).map(|test| self.misplaced(test))
    }

    pub(super) fn misplaced(&self, test: &LocatedTest) -> Cause {
        if let Some(found) = self.arms_at_call(test).filter(|_| !test.has_operator) {
            return found;
        }
        let condition = test.lines.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let evidence = format!(
            "{} tests the condition on line {condition}, but it is located at line {}.",
            self.name(test.block),
            test.at
        );
        let mechanism = match test.has_operator {
            true => "test-at-operator",
            false if self.has_arms_at(test) => "conversion-into-arms",
            false if self.is_at_keyword(test) => "test-at-keyword",
            false if self.is_at_negation(test) => "test-at-operator",
            false => "mapping/test-on-other-line/condition",
        };
        Cause::new(Layer::Mapping, mechanism, self.name(test.block), evidence)
    }

    /// Whether the statement that `test` decides begins on the line of its block, before the condition, or only its parenthesis is there.
    fn is_at_keyword(&self, test: &LocatedTest) -> bool {
        let truth = self.case.truth;
        let statement = truth.point(truth.root(test.condition));
        let is_decided = matches!(
            statement.kind,
            PointKind::Statement(StatementKind::If | StatementKind::While | StatementKind::For)
        );
        let is_parenthesis = || statement.line < Some(test.at) && truth.begun(test.at).is_empty();
        let is_here = statement.line == Some(test.at) || is_parenthesis();
        is_decided && is_here && test.lines.iter().all(|line| *line > test.at)
    }

    /// Whether the line of the block of `test` ends with the `!` before the condition.
    fn is_at_negation(&self, test: &LocatedTest) -> bool {
        let text = self.case.program.source.lines().nth(test.at as usize - 1);
        let is_negation = text.is_some_and(|text| text.trim_end().ends_with('!'));
        is_negation && test.lines.iter().all(|line| *line > test.at)
    }

    /// Whether `test` is that of `?:`, or of an operand of its condition, and both blocks after it have code on a line of the block
    /// of the test, or test another operand.
    fn has_arms_at(&self, test: &LocatedTest) -> bool {
        let solved = &self.replay.solved[&test.block.function];
        let choice = self.choice_of(test.condition);
        let tests_operand = |block: BlockRef| {
            let mut tests = self.tests().iter().filter(|other| other.block == block);
            tests.any(|other| self.choice_of(other.condition) == choice)
        };
        let are_at = |line: Line| {
            let mut ways =
                solved.leaving(test.block.block).map(|way| BlockRef { block: way.to, ..test.block });
            ways.all(|way| tests_operand(way) || self.lines_of(way).any(|at| at == line))
        };
        choice.is_some() && self.lines_of(test.block).any(|line| !test.lines.contains(&line) && are_at(line))
    }

    /// The condition of `?:` that `condition` is or is an operand of.
    pub(super) fn choice_of(&self, condition: PointId) -> Option<PointId> {
        let within = |id: &PointId| self.case.truth.point(*id).within;
        let is_test = |id: &PointId| {
            matches!(self.case.truth.point(*id).kind, PointKind::Condition | PointKind::Operand)
        };
        let mut around = std::iter::successors(Some(condition), within).take_while(is_test);
        around.find(|id| self.is_choice(*id))
    }

    /// The fault that `test`, or the arms after it, are located at the call of which they are an argument.
    fn arms_at_call(&self, test: &LocatedTest) -> Option<Cause> {
        let is_at_call = test.is_misplaced() && !test.has_operator;
        let at = test.arms_at.or(is_at_call.then_some(test.at))?;
        let mut calls = self.case.program.long_calls();
        calls.find(|(first, last)| {
            *first == at && test.lines.iter().all(|line| (first..=last).contains(&line))
        })?;
        let evidence = format!(
            "{} tests a condition in an argument, which is located at the call on line {at}.",
            self.name(test.block)
        );
        // All arguments of a call have one wrong location.
        let element = format!("call on line {at}");
        Some(Cause::new(Layer::Mapping, "argument-at-call", element, evidence))
    }
}

impl WrongLine<'_, '_> {
    pub(super) fn misplaced(&self) -> impl Iterator<Item = &LocatedTest> {
        self.blocks.tests().iter().filter(|test| test.is_misplaced())
    }

    /// The arms of a conditional argument are located at the call, which is this line or gets control from it.
    pub(super) fn argument_at_call(&self) -> Option<Cause> {
        let is_at_operator = |test: &LocatedTest| test.is_misplaced() && test.has_operator;
        let is_about = |test: &&LocatedTest| {
            test.arms_at == Some(self.line) || test.at == self.line && !is_at_operator(test)
        };
        let mut found = self.blocks.tests().iter().filter(is_about);
        found.find_map(|test| self.blocks.arms_at_call(test))
    }

    /// The operation that ends an argument on this line is located at the call, which ran more often than what is left here.
    pub(super) fn rest_of_argument(&self) -> Option<Cause> {
        if self.right.iter().any(|right| *right <= self.count) {
            return None;
        }
        let mut calls = self.blocks.case.program.long_calls();
        let (first, _) = calls.find(|(first, last)| *first < self.line && self.line <= *last)?;
        let elements = self.blocks.replay.elements(first).ok()?;
        let call = elements.blocks().find(|block| self.right.contains(&block.count))?;
        let evidence = format!(
            "{} has the code of an argument that ends on line {}, which is located at the call on line {first}.",
            self.blocks.name(call.place),
            self.line
        );
        Some(Cause::new(Layer::Mapping, "argument-at-call", format!("call on line {first}"), evidence))
    }

    /// The line owns the test of a condition on another line, which is the first thing that happens there.
    pub(super) fn foreign_test(&self) -> Option<Cause> {
        for copy in &self.elements.copies {
            // A block may list other code of its function after a call that was inlined.
            let is_here =
                |test: &&LocatedTest| test.at == self.line && test.last.is_none_or(|last| last == self.line);
            for test in self.misplaced().filter(is_here) {
                let owned = Self::owned(copy);
                let is_returned_to = self
                    .returning(copy)
                    .iter()
                    .any(|(function, edge)| BlockRef { function: *function, block: edge.to } == test.block);
                // With its own location, nothing would return. gcc means the location of the operator before it.
                let is_elsewhere = test.has_operator && !test.is_at_left_operator;
                let is_decisive = is_elsewhere || self.blocks.has_arms_at(test) || !is_returned_to;
                if owned.contains(&test.block) && is_decisive {
                    return Some(self.blocks.misplaced(test));
                }
            }
        }
        None
    }

    /// The test of a condition that begins on this line is located at another line; with its block, the count is right.
    pub(super) fn lost_own_test(&self) -> Option<Cause> {
        self.lost_own_test_to(&|_| true)
    }

    /// The same where the other line is wrong too, which has the test, so that the location is at fault and not the lines of a block.
    pub(super) fn own_test_on_wrong_line(&self) -> Option<Cause> {
        let Case { truth, report, .. } = self.blocks.case;
        self.lost_own_test_to(&|line| {
            let shown = report.line(line);
            expected(truth, Family::Gcov, line)
                .is_ok_and(|right| shown.is_some_and(|shown| !right.counts.contains(&shown)))
        })
    }

    fn lost_own_test_to(&self, is_meant: &dyn Fn(Line) -> bool) -> Option<Cause> {
        // A test on a later line of its condition is at its operator, a comparison.
        let is_lost = |test: &&LocatedTest| {
            let of_function = |copy: &&LineCopy| copy.function.is_none_or(|at| at == test.block.function);
            let is_at_operator = if test.is_misplaced() { test.has_operator } else { test.at > self.line };
            is_at_operator
                && is_meant(test.at)
                && self.blocks.case.truth.point(test.condition).line == Some(self.line)
                && self.elements.copies.iter().filter(of_function).any(|copy| {
                    let owned = Self::owned(copy).into_iter().chain([test.block]).collect();
                    self.is_right(self.with_owned(copy, owned))
                })
        };
        let test = self.blocks.tests().iter().find(is_lost)?;
        if test.is_misplaced() {
            return Some(self.blocks.misplaced(test));
        }
        let name = self.blocks.name(test.block);
        let evidence = format!(
            "{name} tests the condition that begins on line {}, but it is located at line {}.",
            self.line, test.at
        );
        Some(Cause::new(Layer::Mapping, "test-at-operator", name, evidence))
    }

    /// The line has the test of another line, or has lost its own.
    pub(super) fn other_misplaced_test(&self) -> Option<Cause> {
        let mut all = self.misplaced();
        let found = all.find(|test| test.at == self.line || test.lines.contains(&self.line));
        found.map(|test| self.blocks.misplaced(test))
    }

    /// Whether the block is a test whose condition is on other lines, and listed because the operator is on this one.
    pub(super) fn tests_next_line(&self, block: &ListedBlock) -> bool {
        let mut tests = self.blocks.tests().iter();
        tests.any(|test| {
            test.block == block.place
                && !test.lines.contains(&self.line)
                && has_operator_near(self.blocks.case.truth, self.line, test.condition)
        })
    }

    /// Whether the block is a test that is located at its operator, not at its condition.
    pub(super) fn is_at_operator(&self, block: &ListedBlock) -> bool {
        let mut at_operator = self.misplaced().filter(|test| test.has_operator);
        at_operator.any(|test| test.block == block.place) || self.tests_next_line(block)
    }

    /// The line only lists such a block.
    pub(super) fn test_of_next_line(&self) -> Option<Cause> {
        let mut listed = self.elements.copies.iter().flat_map(|copy| &copy.listed);
        let block = listed.find(|block| self.tests_next_line(block))?;
        let name = self.blocks.name(block.place);
        let evidence = format!(
            "{name} tests a condition on another line, but it is also located at line {}.",
            self.line
        );
        Some(Cause::new(Layer::Mapping, "test-at-operator", name, evidence))
    }
}
