//! Blocks that control left before their end, and calls to which it came back. Only calls may leave a block by an arc of their
//! own, so if a handler of a signal jumps away, the arc out of the block is counted all the same; and no arc leads back to a call
//! that returns twice.

use super::Blocks;
use super::lines::WrongLine;
use super::paths::reaches;
use crate::diagnose::construct::times;
use crate::model::{Cause, Family, Layer};
use crate::replay::expected;
use crate::replay::gcov::{BlockRef, SolvedEdge};
use crate::truth::CountedPoint;

impl WrongLine<'_, '_> {
    /// A block of the line runs after one that control left.
    pub(super) fn after_left_block(&self) -> Option<Cause> {
        let is_high = self.right.iter().all(|right| *right < self.count);
        is_high.then(|| self.elements.blocks().find_map(|block| self.blocks.left_before(block.place)))?
    }

    /// A call in a block of the line returned again, which is no arrival: the fake arc of the call has a negative count.
    pub(super) fn second_return(&self) -> Option<Cause> {
        let is_low = self.right.iter().all(|right| *right > self.count) && self.blocks.has_second_return();
        let returned = |place: BlockRef| {
            let solved = &self.blocks.replay.solved[&place.function];
            let arc = solved
                .edges
                .iter()
                .find(|edge| edge.from == place.block && edge.is_fake && edge.count < 0)?;
            Some((place, arc.count))
        };
        let (place, count) =
            self.elements.blocks().find_map(|block| returned(block.place)).filter(|_| is_low)?;
        let name = self.blocks.name(place);
        let evidence = format!(
            "{name} ends with a call that returned again {}; no arc leads to the code after the call.",
            times(count.unsigned_abs())
        );
        Some(Cause::new(Layer::Mapping, "second-return", name, evidence))
    }
}

impl Blocks<'_> {
    /// The fault that control left a block before its end, and so did not continue to `place`. It came back by the second
    /// return of a call: the fake arc of that call has a negative count.
    pub(super) fn left_before(&self, place: BlockRef) -> Option<Cause> {
        if !self.has_second_return() {
            return None;
        }
        let solved = &self.replay.solved[&place.function];
        let is_returned = |edge: &&SolvedEdge| edge.is_fake && edge.count < 0;
        let returned: Vec<usize> = solved.edges.iter().filter(is_returned).map(|edge| edge.from).collect();
        if returned.is_empty() {
            return None;
        }
        let right = |block: usize| {
            let line = self.owner(BlockRef { block, ..place })?;
            expected(self.case.truth, Family::Gcov, line).ok().map(|right| right.counts)
        };
        let is_left = |block: &usize| {
            let ways: Vec<&SolvedEdge> = solved.leaving(*block).collect();
            let [way] = ways[..] else { return false };
            let count = |block: usize| solved.blocks[block].cast_unsigned();
            let is_run = way.count > 0 && right(*block).is_some_and(|right| right.contains(&count(*block)));
            let is_high =
                || right(way.to).is_some_and(|right| right.iter().all(|right| *right < count(way.to)));
            is_run && is_high() && reaches(solved, way.to, place.block, None)
        };
        let block = (2..solved.blocks.len()).find(is_left)?;
        returned.iter().find(|from| reaches(solved, **from, block, None))?;
        let name = self.name(BlockRef { block, ..place });
        let evidence =
            format!("{name} was left before its end, but the arc out of it has the count of its beginning.");
        Some(Cause::new(Layer::Counter, "left-in-block", name, evidence))
    }

    /// Whether something in the program returned more often than it was reached, as a call of `setjmp` may.
    fn has_second_return(&self) -> bool {
        self.case.truth.points.iter().any(CountedPoint::returned_again)
    }
}
