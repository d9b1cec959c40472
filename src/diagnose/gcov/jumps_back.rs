//! Jumps back of loops: they have the location of a label or of code that they only lead to, or the label of a loop has a block that
//! they pass over.

use super::lines::WrongLine;
use super::paths::{is_back, reaches};
use crate::diagnose::construct::times;
use crate::model::{Cause, Layer};
use crate::replay::gcov::{BlockRef, SolvedEdge};
use crate::syntax::PointId;

impl WrongLine<'_, '_> {
    /// The label of a loop that is entered at several places is on a block before the loop, and jumps back to the label do not
    /// lead to that block.
    pub(super) fn label_before_loop(&self) -> Option<Cause> {
        self.begins().find(|kind| kind.is_label())?;
        let copies = || self.elements.copies.iter();
        copies().flat_map(|copy| &copy.owned).find_map(|block| {
            let solved = &self.blocks.replay.solved[&block.place.function];
            let ways: Vec<&SolvedEdge> = solved.leaving(block.place.block).collect();
            let [way] = ways[..] else { return None };
            let back: Vec<&SolvedEdge> = solved
                .entering(way.to)
                .filter(|edge| edge.from != block.place.block && is_back(solved, edge))
                .collect();
            let loops: i64 = back.iter().map(|edge| edge.count).sum();
            let head = BlockRef { block: way.to, ..block.place };
            let has_label = self.blocks.lines_of(head).any(|line| line == self.line);
            if back.is_empty() || has_label || !self.is_right(Some(self.count + loops)) {
                return None;
            }
            let evidence = format!(
                "{} has the label; {loops} jumps back to it lead to {}, after it.",
                self.blocks.name(block.place),
                self.blocks.name(head)
            );
            let element = self.blocks.name(block.place);
            Some(Cause::new(Layer::Mapping, "label-before-loop", element, evidence))
        })
    }

    /// A block on the jump back of a loop has the location of the label before the loop, to which it leads.
    pub(super) fn jump_back_at_label(&self) -> Option<Cause> {
        self.begins().find(|kind| kind.is_label())?;
        let owned = self.elements.copies.iter().flat_map(|copy| &copy.owned);
        owned.map(|block| block.place).find_map(|block| {
            let solved = &self.blocks.replay.solved[&block.function];
            let mut ways = solved.leaving(block.block);
            let (way, None) = (ways.next()?, ways.next()) else { return None };
            let head = BlockRef { block: way.to, ..block };
            let has_label = self.blocks.lines_of(head).any(|line| line == self.line);
            let first: i64 =
                solved.entering(way.to).filter(|edge| !is_back(solved, edge)).map(|edge| edge.count).sum();
            if !is_back(solved, way) || !has_label || !self.is_right(Some(first)) {
                return None;
            }
            let evidence = format!(
                "{} is on the jump back to {}, and has the location of the label there, which was reached {} before.",
                self.blocks.name(block),
                self.blocks.name(head),
                times(first.cast_unsigned())
            );
            Some(Cause::new(Layer::Mapping, "jump-back-at-label", self.blocks.name(block), evidence))
        })
    }

    /// The jump back of a loop without a condition has the location of the first code of its body, and the line has no other block.
    pub(super) fn jump_back_at_body(&self) -> Option<Cause> {
        let truth = self.blocks.case.truth;
        let is_here = |id: PointId| truth.point(id).line == Some(self.line);
        let begins_here = |head: &PointId| {
            let body = truth.first_in(*head);
            body.is_some_and(|body| is_here(body) || truth.first_in(body).is_some_and(is_here))
        };
        let head = (0..truth.points.len()).filter(|id| truth.is_endless(*id)).find(begins_here)?;
        // A line that owns no block has the count of those that list it.
        let copies = || self.elements.copies.iter();
        let owned: Vec<BlockRef> = copies().flat_map(|copy| &copy.owned).map(|block| block.place).collect();
        let listed = copies().flat_map(|copy| &copy.listed).map(|block| block.place);
        let blocks = if owned.is_empty() { listed.collect() } else { owned };
        let is_jump_back = |place: &BlockRef| {
            let solved = &self.blocks.replay.solved[&place.function];
            let mut ways = solved.leaving(place.block);
            // Another entry than the head may be in the loop.
            ways.next().is_some_and(|way| reaches(solved, way.to, place.block, None)) && ways.next().is_none()
        };
        let block = blocks.first().filter(|_| blocks.iter().all(is_jump_back))?;
        let evidence = format!(
            "{} is the jump back of the loop on line {}, and has the location of the beginning of its body.",
            self.blocks.name(*block),
            truth.point(head).line?
        );
        Some(Cause::new(Layer::Mapping, "jump-back-at-body", self.blocks.name(*block), evidence))
    }
}
