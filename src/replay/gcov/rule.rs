//! The count of a line (`accumulate_line_info` in gcov.c).
//!
//! A line that owns blocks ran as often as it was entered from blocks of other lines, and once more for each run of a cycle
//! within it. A line that owns none has the sum of the blocks that list it.

use std::collections::BTreeMap;

use super::cycles::{Cycle, Search, Steps, Unfinished};
use super::graph::{Solved, SolvedEdge};
use super::lines::{BlockRef, LineBlocks};

/// How the count of a line comes about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decided {
    pub count: i64,
    /// The edges into owned blocks from other blocks, with the index of their function. An edge is listed as often as it
    /// is counted.
    pub entering: Vec<(usize, SolvedEdge)>,
    /// The cycles of owned blocks.
    pub cycles: Vec<Cycle>,
}

/// The count of a line with these `blocks`.
pub fn decide(
    blocks: &LineBlocks,
    solved: &BTreeMap<usize, Solved>,
    steps: &mut Steps,
) -> Result<Decided, Unfinished> {
    if blocks.owned.is_empty() {
        let counts = blocks.listed.iter().map(|place| solved[&place.function].blocks[place.block]);
        return Ok(Decided { count: counts.fold(0, i64::wrapping_add), ..Decided::default() });
    }
    let search = Search::new(&blocks.owned, solved);
    let mut entering = Vec::new();
    for place in &blocks.owned {
        let edges = solved[&place.function].entering(place.block);
        let outside = edges.filter(|edge| !search.contains(BlockRef { block: edge.from, ..*place }));
        entering.extend(outside.map(|edge| (place.function, *edge)));
    }
    let cycles = search.run(&blocks.owned, steps)?;
    let counts = entering.iter().map(|(_, edge)| edge.count).chain(cycles.iter().map(|cycle| cycle.count));
    Ok(Decided { count: counts.fold(0, i64::wrapping_add), entering, cycles })
}
