//! Counts of lines: gcov's rule is applied again with one thing changed, and the change that gives the right count shows the
//! fault. A change of the rule is tried where the blocks are on lines of their code; otherwise the location is at fault
//! (`locations.rs`), or the counts of the blocks (`left.rs`).

use std::collections::BTreeSet;

use super::Blocks;
use super::conditions::{LocatedTest, has_operator_near};
use super::paths::is_back;
use crate::coverage::Location;
use crate::diagnose::construct::times;
use crate::model::{Cause, Layer, Line, Symptom};
use crate::replay::break_of_chain;
use crate::replay::gcov::{BlockRef, LineBlocks, LineCopy, LineElements, ListedBlock, SolvedEdge};
use crate::syntax::{PointId, PointKind, StatementKind};

/// A line whose count is wrong.
pub(super) struct WrongLine<'b, 'a> {
    pub(super) blocks: &'b Blocks<'a>,
    pub(super) line: Line,
    pub(super) elements: LineElements,
    pub(super) count: i64,
    pub(super) right: BTreeSet<i64>,
}

impl Blocks<'_> {
    pub(super) fn line(&self, symptom: &Symptom) -> Cause {
        let (line, element) = (symptom.line, format!("line {}", symptom.line));
        let Ok(elements) = self.replay.elements(line) else {
            return Cause::new(Layer::Report, "report/no-replay", element, String::new());
        };
        let replayed = self.replay.line(line);
        if replayed != symptom.reported {
            let evidence = format!("By gcov's own rules the count is {replayed:?}.");
            return Cause::new(Layer::Report, "report/differs-from-replay", element, evidence);
        }
        let Some(count) = elements.count else { return self.uncounted(line) };
        if symptom.expected.is_empty() {
            return self.unknown(Layer::Mapping, "mapping/no-code", line, "The line has no code.".into());
        }
        let right = symptom.expected.iter().map(|right| right.cast_signed()).collect();
        WrongLine { blocks: self, line, elements, count, right }.diagnose()
    }

    /// `line` is in an arm of `if` that changes nothing.
    pub(super) fn idle_arm(&self, line: Line) -> Option<Cause> {
        let first = self.case.program.idle_arm(line)?;
        let evidence = format!("The arm on line {first} changes nothing.");
        let element = format!("arm on line {first}");
        Some(Cause::new(Layer::Mapping, "arm-without-effect", element, evidence))
    }

    /// The fault that `line` has no count.
    fn uncounted(&self, line: Line) -> Cause {
        let lost = self.lost_break(line).or_else(|| self.lost_test(line));
        if let Some(found) = lost.or_else(|| self.located_in_header(line)) {
            return found;
        }
        self.unknown(Layer::Missing, "missing/line", line, "No block lists the line.".into())
    }

    /// The fault that the `break` on `line` has no code of its own.
    fn lost_break(&self, line: Line) -> Option<Cause> {
        let truth = self.case.truth;
        let ran = truth.point(break_of_chain(truth, line)?).count?;
        let evidence = format!(
            "No block has the `break` on line {line}, which ran {}; the tests of the condition before it jump to its target.",
            times(ran)
        );
        Some(Cause::new(Layer::Mapping, "break-of-chain", format!("break on line {line}"), evidence))
    }

    pub(super) fn unknown(&self, layer: Layer, oddness: &str, line: Line, evidence: String) -> Cause {
        let mechanism = format!("{oddness}/{}", self.construct(line));
        Cause::new(layer, &mechanism, format!("line {line}"), evidence)
    }

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
            false => "mapping/test-on-other-line/condition",
        };
        Cause::new(Layer::Mapping, mechanism, self.name(test.block), evidence)
    }

    /// Whether the statement that `test` decides begins on the line of its block, before the condition.
    fn is_at_keyword(&self, test: &LocatedTest) -> bool {
        let truth = self.case.truth;
        let statement = truth.point(truth.root(test.condition));
        let is_decided = matches!(
            statement.kind,
            PointKind::Statement(StatementKind::If | StatementKind::While | StatementKind::For)
        );
        is_decided && statement.line == Some(test.at) && test.lines.iter().all(|line| *line > test.at)
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

    /// The fault that a block belongs only to the last line that it lists. Lines that lose the same block share it.
    pub(super) fn on_last_line(&self, block: BlockRef) -> Cause {
        // gcov sorts the lines of an entry (`process_all_functions` in gcov.cc).
        let lines: BTreeSet<Line> = self.lines_of(block).collect();
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        let owner = self.owner(block).map_or_else(|| "another line".into(), |line| format!("line {line}"));
        let evidence =
            format!("{} lists the lines {} and belongs to {owner} only.", self.name(block), lines.join(", "));
        Cause::new(Layer::LineRule, "block-on-last-line", self.name(block), evidence)
    }
}

impl WrongLine<'_, '_> {
    fn diagnose(&self) -> Cause {
        // The first that applies: those that the right count confirms are before those that only the place suggests.
        let candidates: [fn(&Self) -> Option<Cause>; 28] = [
            Self::last_block,
            Self::break_of_chain,
            Self::head_of_uncalled_copy,
            Self::block_of_every_line,
            Self::argument_at_call,
            Self::foreign_test,
            Self::return_to_line,
            Self::lost_own_test,
            Self::label_of_removed_block,
            Self::label_on_join_block,
            Self::label_before_loop,
            Self::chosen_at_operator,
            Self::folded_conditional,
            Self::result_at_operator,
            Self::continue_predictor,
            Self::block_on_last_line,
            Self::folded_in_copy,
            Self::assignment_in_arms,
            Self::other_misplaced_test,
            Self::test_of_next_line,
            Self::merged_jump,
            Self::scope_exit,
            Self::after_left_block,
            Self::second_return,
            Self::arm_without_effect,
            Self::return_at_value,
            Self::return_from_some,
            Self::rest_of_argument,
        ];
        candidates.iter().find_map(|candidate| candidate(self)).unwrap_or_else(|| self.unknown())
    }

    /// The line has a `break` without code, and fewer executions than that and what is before it on the line.
    fn break_of_chain(&self) -> Option<Cause> {
        let is_less = self.right.iter().all(|right| *right > self.count);
        self.blocks.lost_break(self.line).filter(|_| is_less)
    }

    /// The count of the line if `copy` had these owned blocks.
    pub(super) fn with_owned(&self, copy: &LineCopy, owned: Vec<BlockRef>) -> Option<i64> {
        let listed = copy.owned.iter().chain(&copy.listed).map(|block| block.place).collect();
        let decided = self.blocks.replay.decide(self.line, &LineBlocks { listed, owned }).ok()?;
        Some(self.count - copy.count + decided.count)
    }

    pub(super) fn is_right(&self, count: Option<i64>) -> bool {
        count.is_some_and(|count| self.right.contains(&count))
    }

    fn owned(copy: &LineCopy) -> Vec<BlockRef> {
        copy.owned.iter().map(|block| block.place).collect()
    }

    /// The block with the highest number is taken for the exit and is not attached to its line.
    fn last_block(&self) -> Option<Cause> {
        for copy in &self.elements.copies {
            let is_last = |place: &BlockRef| {
                let size = self.blocks.replay.notes.functions[place.function].blocks.len();
                place.block + 1 == size && place.block > 1 && self.is_last_line(*place)
            };
            let Some(last) = copy.listed.iter().map(|block| block.place).find(is_last) else { continue };
            let mut owned = Self::owned(copy);
            owned.push(last);
            // Without it, the line may own no block, and shows a sum.
            let is_only = copy.owned.is_empty() && copy.listed.len() == 1;
            let is_counted_right = copy.listed.iter().any(|block| self.right.contains(&block.count));
            if is_only && is_counted_right || self.is_right(self.with_owned(copy, owned)) {
                let evidence = format!(
                    "{} has the highest number and is not attached to line {}.",
                    self.blocks.name(last),
                    self.line
                );
                return Some(Cause::new(Layer::LineRule, "last-block", self.blocks.name(last), evidence));
            }
        }
        None
    }

    /// Whether the line is the last one of a location of the block, and so should own it.
    pub(super) fn is_last_line(&self, place: BlockRef) -> bool {
        let graph = &self.blocks.replay.notes.functions[place.function];
        let last = |location: &Location| location.lines.iter().max() == Some(&self.line);
        graph.blocks[place.block].locations.iter().any(last)
    }

    fn head_of_uncalled_copy(&self) -> Option<Cause> {
        let is_low = self.right.iter().any(|right| *right > self.count);
        self.blocks.head_of_uncalled_copy(self.line).filter(|_| is_low)
    }

    pub(super) fn misplaced(&self) -> impl Iterator<Item = &LocatedTest> {
        self.blocks.tests().iter().filter(|test| test.is_misplaced())
    }

    /// The arms of a conditional argument are located at the call, which is this line or gets control from it.
    fn argument_at_call(&self) -> Option<Cause> {
        let is_at_operator = |test: &LocatedTest| test.is_misplaced() && test.has_operator;
        let is_about = |test: &&LocatedTest| {
            test.arms_at == Some(self.line) || test.at == self.line && !is_at_operator(test)
        };
        let mut found = self.blocks.tests().iter().filter(is_about);
        found.find_map(|test| self.blocks.arms_at_call(test))
    }

    /// The operation that ends an argument on this line is located at the call, which ran more often than what is left here.
    fn rest_of_argument(&self) -> Option<Cause> {
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
    fn foreign_test(&self) -> Option<Cause> {
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
                // With its own location, nothing would return.
                let is_decisive = test.has_operator || self.blocks.has_arms_at(test) || !is_returned_to;
                if owned.contains(&test.block) && is_decisive {
                    return Some(self.blocks.misplaced(test));
                }
            }
        }
        None
    }

    /// The test of a condition that begins on this line is located at another line; with its block, the count is right.
    fn lost_own_test(&self) -> Option<Cause> {
        // A test on a later line of its condition is at its operator, a comparison.
        let is_lost = |test: &&LocatedTest| {
            let of_function = |copy: &&LineCopy| copy.function.is_none_or(|at| at == test.block.function);
            let is_at_operator = if test.is_misplaced() { test.has_operator } else { test.at > self.line };
            is_at_operator
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

    /// The count is right if the blocks belong to every line that they list.
    fn block_of_every_line(&self) -> Option<Cause> {
        let is_test = |block: &ListedBlock| {
            let mut at_operator = self.misplaced().filter(|test| test.has_operator);
            at_operator.any(|test| test.block == block.place) || self.tests_next_line(block)
        };
        self.elements.copies.iter().filter(|copy| !copy.owned.is_empty()).find_map(|copy| {
            let first = copy.listed.iter().find(|block| !self.is_last_line(block.place))?;
            let all = copy.owned.iter().chain(&copy.listed).map(|block| block.place).collect();
            let is_fault = self.is_right(self.with_owned(copy, all)) && !copy.listed.iter().any(is_test);
            is_fault.then(|| self.blocks.on_last_line(first.place))
        })
    }

    /// A block that lists the line belongs to another line, and one of its counts is right.
    fn block_on_last_line(&self) -> Option<Cause> {
        for copy in &self.elements.copies {
            let is_lost = |block: &&ListedBlock| !self.is_last_line(block.place);
            let Some(first) = copy.listed.iter().find(is_lost) else { continue };
            let fault = || Some(self.blocks.on_last_line(first.place));
            // Without owned blocks, the counts of all blocks are added up, which may only be too much.
            if copy.owned.is_empty() {
                let is_less = self.right.iter().all(|right| *right > self.count);
                if is_less || copy.listed.iter().all(|block| self.tests_next_line(block)) {
                    continue;
                }
                return fault();
            }
            let all: Vec<BlockRef> = copy.owned.iter().chain(&copy.listed).map(|block| block.place).collect();
            let without_loops = || self.count - copy.count + self.entries(&all);
            let is_listed_alone = || copy.listed.iter().any(|block| self.right.contains(&block.count));
            let sum: i64 = copy.owned.iter().chain(&copy.listed).map(|block| block.count).sum();
            if self.is_right(self.with_owned(copy, all.clone()))
                || self.is_right(Some(without_loops()))
                || self.is_right(Some(self.count - copy.count + sum))
                || is_listed_alone()
            {
                return fault();
            }
        }
        None
    }

    /// How often control entered `blocks` from others, without closing a loop.
    fn entries(&self, blocks: &[BlockRef]) -> i64 {
        let set: BTreeSet<BlockRef> = blocks.iter().copied().collect();
        let entering = set.iter().flat_map(|place| {
            let solved = &self.blocks.replay.solved[&place.function];
            let is_outside = |edge: &&SolvedEdge| {
                !set.contains(&BlockRef { block: edge.from, ..*place }) && !is_back(solved, edge)
            };
            solved.entering(place.block).filter(is_outside)
        });
        entering.map(|edge| edge.count).sum()
    }

    /// The line has the test of another line, or has lost its own.
    fn other_misplaced_test(&self) -> Option<Cause> {
        let mut all = self.misplaced();
        let found = all.find(|test| test.at == self.line || test.lines.contains(&self.line));
        found.map(|test| self.blocks.misplaced(test))
    }

    /// Whether the block is a test whose condition is on other lines, and listed because the operator is on this one.
    fn tests_next_line(&self, block: &ListedBlock) -> bool {
        let mut tests = self.blocks.tests().iter();
        tests.any(|test| {
            test.block == block.place
                && !test.lines.contains(&self.line)
                && has_operator_near(self.blocks.case.truth, self.line, test.condition)
        })
    }

    /// The line only lists such a block.
    fn test_of_next_line(&self) -> Option<Cause> {
        let mut listed = self.elements.copies.iter().flat_map(|copy| &copy.listed);
        let block = listed.find(|block| self.tests_next_line(block))?;
        let name = self.blocks.name(block.place);
        let evidence = format!(
            "{name} tests a condition on another line, but it is also located at line {}.",
            self.line
        );
        Some(Cause::new(Layer::Mapping, "test-at-operator", name, evidence))
    }

    fn unknown(&self) -> Cause {
        let has_right_block = self.elements.blocks().any(|block| self.right.contains(&block.count));
        let has_cycles = self.elements.copies.iter().any(|copy| !copy.cycles.is_empty());
        let (layer, oddness, evidence) = match (has_right_block, has_cycles) {
            (true, true) => (Layer::LineRule, "line-rule/cycles", "A block of the line has the right count."),
            (true, false) => (Layer::LineRule, "line-rule/sum", "A block of the line has the right count."),
            (false, _) => (Layer::Mapping, "mapping/location", "No block of the line has the right count."),
        };
        self.blocks.unknown(layer, oddness, self.line, evidence.into())
    }
}
