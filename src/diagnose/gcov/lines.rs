//! Counts of lines: gcov's rule is applied again with one thing changed, and the change that gives the right count shows the
//! fault. A change of the rule is tried where the blocks are on lines of their code; otherwise the location is at fault
//! (`locations.rs`), or the counts of the blocks (`left.rs`).

use std::collections::BTreeSet;

use super::Blocks;
use super::paths::is_back;
use crate::diagnose::construct::times;
use crate::model::{Cause, Layer, Line, Symptom};
use crate::replay::break_of_chain;
use crate::replay::gcov::{BlockRef, LineBlocks, LineCopy, LineElements, ListedBlock, SolvedEdge};

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
        let candidates: [fn(&Self) -> Option<Cause>; 31] = [
            Self::last_block,
            Self::break_of_chain,
            Self::head_of_uncalled_copy,
            Self::argument_at_call,
            Self::foreign_test,
            Self::return_to_line,
            Self::own_test_on_wrong_line,
            Self::block_of_every_line,
            Self::lost_own_test,
            Self::label_of_removed_block,
            Self::label_on_join_block,
            Self::label_before_loop,
            Self::jump_back_at_body,
            Self::chosen_at_operator,
            Self::folded_conditional,
            Self::result_at_operator,
            Self::continue_predictor,
            Self::block_on_last_line,
            Self::folded_in_copy,
            Self::assignment_in_arms,
            Self::other_misplaced_test,
            Self::test_of_next_line,
            Self::jump_back_at_label,
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

    pub(super) fn owned(copy: &LineCopy) -> Vec<BlockRef> {
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
        self.is_line_of(place, |lines| lines.iter().max())
    }

    /// Whether the line is the one that `chosen` takes of the lines of a location of the block.
    fn is_line_of(&self, place: BlockRef, chosen: fn(&[Line]) -> Option<&Line>) -> bool {
        let graph = &self.blocks.replay.notes.functions[place.function];
        graph.blocks[place.block].locations.iter().any(|at| chosen(&at.lines) == Some(&self.line))
    }

    fn head_of_uncalled_copy(&self) -> Option<Cause> {
        let is_low = self.right.iter().any(|right| *right > self.count);
        self.blocks.head_of_uncalled_copy(self.line).filter(|_| is_low)
    }

    /// The count is right if the line also owns the blocks that list it last, or all blocks that list it. gcov sorts the lines of
    /// a block, and gives it to the one with the highest number.
    fn block_of_every_line(&self) -> Option<Cause> {
        self.elements.copies.iter().find_map(|copy| {
            let (tests, code): (Vec<_>, Vec<_>) =
                copy.listed.iter().partition(|block| self.is_at_operator(block));
            let all: Vec<BlockRef> = code.iter().map(|block| block.place).collect();
            let is_listed_last = |place: &BlockRef| self.is_line_of(*place, <[Line]>::last);
            let before_sorting = all.iter().copied().filter(is_listed_last).collect();
            let lists_all = tests.is_empty() && !copy.owned.is_empty();
            [Some(before_sorting), lists_all.then_some(all)].into_iter().flatten().find_map(|lost| {
                let first = *lost.iter().find(|place| !self.is_last_line(**place))?;
                let owned = Self::owned(copy).into_iter().chain(lost).collect();
                self.is_right(self.with_owned(copy, owned)).then(|| self.blocks.on_last_line(first))
            })
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
                // A jump that never ran is in no block that ran.
                let never_ran = self.right.iter().all(|right| *right == 0);
                let has_foreign = || copy.listed.iter().any(|block| self.is_merged(block.place));
                if is_less
                    || never_ran && has_foreign()
                    || copy.listed.iter().all(|block| self.tests_next_line(block))
                {
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
