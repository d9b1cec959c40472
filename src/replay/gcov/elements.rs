//! What decides the count of one line, to be shown to people and to be changed in thought.

use super::cycles::Cycle;
use super::graph::SolvedEdge;
use super::lines::BlockRef;
use super::report::{GcovReplay, GivesUp};
use crate::model::Line;

/// Everything that decides the count of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineElements {
    pub line: Line,
    /// The sum of the copies; none if the line has no block.
    pub count: Option<i64>,
    /// One for each function of a group, and one for all other functions.
    pub copies: Vec<LineCopy>,
}

impl LineElements {
    /// The blocks that have the line, of all copies.
    pub fn blocks(&self) -> impl Iterator<Item = &ListedBlock> {
        self.copies.iter().flat_map(|copy| copy.owned.iter().chain(&copy.listed))
    }
}

/// One of the lines that gcov adds up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineCopy {
    /// The function of a group that it belongs to; none for the line of all functions outside of groups.
    pub function: Option<usize>,
    pub count: i64,
    /// The blocks whose last line it is, which decide its count. A block is there as often as it is counted.
    pub owned: Vec<ListedBlock>,
    /// The blocks that list it, but are not owned. If none is owned, their sum is the count.
    pub listed: Vec<ListedBlock>,
    /// The edges into owned blocks from other blocks, with the index of their function.
    pub entering: Vec<(usize, SolvedEdge)>,
    /// The cycles of owned blocks.
    pub cycles: Vec<Cycle>,
}

/// A block of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedBlock {
    pub place: BlockRef,
    /// The name of its function.
    pub function: String,
    pub count: i64,
    /// The lines that the block lists in all files, in the order of the notes, each with the index of its file.
    pub lines: Vec<(usize, Line)>,
}

impl GcovReplay<'_> {
    /// What decides the count of `line`.
    ///
    /// # Errors
    /// As [`GcovReplay::decide`]; never, unless the line was counted with other lines just within the limit.
    pub fn elements(&self, line: Line) -> Result<LineElements, GivesUp> {
        let copies = self.blocks_of.with_number(line).map(|(function, blocks)| {
            let decided = self.decide(line, blocks)?;
            let unowned = blocks.listed.iter().filter(|place| !blocks.owned.contains(place));
            Ok(LineCopy {
                function,
                count: decided.count,
                owned: blocks.owned.iter().map(|place| self.block(*place)).collect(),
                listed: unowned.map(|place| self.block(*place)).collect(),
                entering: decided.entering,
                cycles: decided.cycles,
            })
        });
        let copies = copies.collect::<Result<Vec<LineCopy>, GivesUp>>()?;
        Ok(LineElements { line, count: self.lines.get(&line).copied(), copies })
    }

    fn block(&self, place: BlockRef) -> ListedBlock {
        let graph = &self.notes.functions[place.function];
        let locations = graph.blocks[place.block].locations.iter();
        ListedBlock {
            place,
            function: graph.name.clone(),
            count: self.solved[&place.function].blocks[place.block],
            lines: locations
                .flat_map(|location| location.lines.iter().map(|line| (location.file, *line)))
                .collect(),
        }
    }
}
