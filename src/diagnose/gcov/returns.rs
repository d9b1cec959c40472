//! Arcs that lead back to a line which began before: gcov counts each as another execution of it.

use std::collections::BTreeSet;

use super::conditions::LocatedTest;
use super::lines::WrongLine;
use super::paths::{may_return, returns};
use crate::model::{Cause, Layer};
use crate::replay::gcov::{BlockRef, LineCopy, SolvedEdge};

impl WrongLine<'_, '_> {
    /// The arcs into owned blocks that only return to the line.
    pub(super) fn returning(&self, copy: &LineCopy) -> Vec<(usize, SolvedEdge)> {
        let is_return = |(function, edge): &&(usize, SolvedEdge)| {
            let owned =
                copy.owned.iter().map(|block| block.place).filter(|place| place.function == *function);
            returns(&self.blocks.replay.solved[function], edge, &owned.map(|place| place.block).collect())
        };
        copy.entering.iter().filter(is_return).copied().collect()
    }

    /// Arcs that return to the line are counted as further executions.
    pub(super) fn return_to_line(&self) -> Option<Cause> {
        for copy in &self.elements.copies {
            let returning = self.returning(copy);
            let sum = |edges: &[&(usize, SolvedEdge)]| edges.iter().map(|(_, edge)| edge.count).sum::<i64>();
            let all: Vec<&(usize, SolvedEdge)> =
                returning.iter().filter(|(_, edge)| edge.count > 0).collect();
            // The steps of a loop return to its line too, and are executions.
            let by_target = all.iter().map(|(_, edge)| edge.to).collect::<BTreeSet<usize>>();
            let groups =
                by_target.iter().map(|to| all.iter().copied().filter(|(_, edge)| edge.to == *to).collect());
            let but_one =
                by_target.iter().map(|to| all.iter().copied().filter(|(_, edge)| edge.to != *to).collect());
            let sets: Vec<Vec<_>> = std::iter::once(all.clone()).chain(groups).chain(but_one).collect();
            // In a loop, only the arc back may show another iteration; then the first entry is counted twice.
            let first_entries: i64 = copy
                .entering
                .iter()
                .filter(|entering| !returning.contains(entering))
                .map(|(_, edge)| edge.count)
                .sum();
            let is_excess = |set: &&Vec<&(usize, SolvedEdge)>| {
                [sum(set), first_entries].iter().any(|excess| self.is_right(Some(self.count - excess)))
            };
            let Some(edges) = sets.iter().filter(|set| !set.is_empty()).find(is_excess) else { continue };
            let (function, first) = edges[0];
            // Control left the line for a test that belongs to it.
            let is_from = |test: &&LocatedTest| {
                test.has_operator
                    && !test.is_at_left_operator
                    && test.lines.contains(&self.line)
                    && test.block.function == *function
                    && edges.iter().all(|(_, edge)| edge.from == test.block.block)
            };
            if let Some(test) = self.misplaced().find(is_from) {
                return Some(self.blocks.misplaced(test));
            }
            let target = BlockRef { function: *function, block: first.to };
            let is_one = edges.iter().all(|(_, edge)| edge.to == first.to);
            if let Some(found) = self.shared_jump(target).filter(|_| is_one) {
                return Some(found);
            }
            if let Some(found) = self.block_without_line(copy, edges, true) {
                return Some(found);
            }
            let name = &self.blocks.replay.notes.functions[*function].name;
            let arcs: Vec<String> =
                edges.iter().map(|(_, edge)| format!("{} → {}", edge.from, edge.to)).collect();
            let evidence = format!(
                "The arcs {} of {name} return to line {}, which began before, and are counted as executions of it.",
                arcs.join(", "),
                self.line
            );
            let element = format!("arc {} → {} of {name}", first.from, first.to);
            return Some(Cause::new(Layer::LineRule, "return-to-line", element, evidence));
        }
        None
    }

    /// The fault that some of the arcs `edges` come from blocks without a line, where ways join that come from this line, all
    /// (`is_inside`) or some of them: if the line owned them, its count would be right. At the end of an inlined body such a block
    /// follows another one, and control returns.
    fn block_without_line(
        &self,
        copy: &LineCopy,
        edges: &[&(usize, SolvedEdge)],
        is_inside: bool,
    ) -> Option<Cause> {
        let owned: Vec<BlockRef> = copy.owned.iter().map(|block| block.place).collect();
        let is_between = |place: &BlockRef| {
            let entering = || self.blocks.replay.solved[&place.function].entering(place.block);
            let is_of_line = |edge: &SolvedEdge| owned.contains(&BlockRef { block: edge.from, ..*place });
            let is_join = entering().nth(1).is_some();
            let comes_from_line = if is_inside {
                entering().all(is_of_line)
            } else {
                entering().any(|edge| edge.count > 0 && is_of_line(edge))
            };
            self.blocks.lines_of(*place).next().is_none() && is_join && comes_from_line
        };
        let sources = edges.iter().map(|(function, edge)| BlockRef { function: *function, block: edge.from });
        let between: BTreeSet<BlockRef> = sources.filter(is_between).collect();
        let with_line = owned.iter().chain(&between).copied().collect();
        if !self.is_right(self.with_owned(copy, with_line)) {
            return None;
        }
        let first = self.blocks.name(*between.first()?);
        let evidence = format!(
            "{first} has no line. Control comes to it from line {} and continues there, which counts as another execution.",
            self.line
        );
        Some(Cause::new(Layer::Mapping, "block-without-line", first, evidence))
    }

    /// Some executions of the line return to it: control came from another block of it, but not always.
    pub(super) fn return_from_some(&self) -> Option<Cause> {
        let excess = self.right.iter().map(|right| self.count - right).filter(|excess| *excess > 0).min()?;
        for copy in &self.elements.copies {
            if let Some(found) =
                self.block_without_line(copy, &copy.entering.iter().collect::<Vec<_>>(), false)
            {
                return Some(found);
            }
            // How many of the executions by an entering arc may be returns from a block of the line.
            let returns = |(function, edge): &(usize, SolvedEdge)| {
                let solved = &self.blocks.replay.solved[function];
                let is_before =
                    |place: BlockRef| place.function == *function && may_return(solved, edge, place.block);
                let before = copy.owned.iter().filter(|block| is_before(block.place));
                before.map(|block| block.count.min(edge.count)).max().filter(|count| *count > 0)
            };
            let found: Vec<(&(usize, SolvedEdge), i64)> =
                copy.entering.iter().filter_map(|entering| Some((entering, returns(entering)?))).collect();
            // One arc is enough, or all of them are needed.
            let enough: Vec<_> = match found.iter().find(|(_, count)| *count >= excess) {
                Some(one) => vec![*one],
                None => found,
            };
            if enough.iter().map(|(_, count)| count).sum::<i64>() < excess {
                continue;
            }
            let ((function, first), _) = enough[0];
            let name = &self.blocks.replay.notes.functions[*function].name;
            let arcs: Vec<String> =
                enough.iter().map(|((_, edge), _)| format!("{} → {}", edge.from, edge.to)).collect();
            let evidence = format!(
                "The arcs {} of {name} lead to line {}, perhaps from other blocks of it, and are counted as other executions of it.",
                arcs.join(", "),
                self.line
            );
            let element = format!("arc {} → {} of {name}", first.from, first.to);
            return Some(Cause::new(Layer::LineRule, "return-to-line", element, evidence));
        }
        None
    }
}
