//! The blocks that gcov's text lists under each line (`output_lines` and `output_line_details` in gcov.c).

use std::collections::{BTreeMap, BTreeSet};

use super::graph::Solved;
use super::lines::{BlockRef, Lines};
use crate::coverage::GcovNotes;
use crate::model::Line;

/// A block that `gcov --all-blocks` lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextBlock {
    pub line: Line,
    /// The number that the text shows: since gcc 14 that of the block in its function, before its position on the line.
    pub id: u32,
    pub place: BlockRef,
    pub count: i64,
}

/// The blocks in the order of the text. `functions` are those of the file, by position.
pub fn blocks(
    notes: &GcovNotes,
    lines: &Lines,
    functions: &[usize],
    solved: &BTreeMap<usize, Solved>,
) -> Vec<TextBlock> {
    let mut found = Vec::new();
    let last = lines.size.checked_sub(1).map(|last| Line::try_from(last).unwrap_or(Line::MAX));
    let mut list = |line: Line, owned: &[BlockRef]| {
        let is_shown = |place: &&BlockRef| {
            let is_suppressed = notes.functions[place.function].blocks[place.block].is_suppressed;
            !is_suppressed && !solved[&place.function].is_call_return(place.block)
        };
        let shown = owned.iter().filter(is_shown);
        let block = |(id, place): (u32, &BlockRef)| {
            let count = solved[&place.function].blocks[place.block];
            let own = u32::try_from(place.block).unwrap_or(u32::MAX);
            TextBlock { line, id: if notes.major >= 14 { own } else { id }, place: *place, count }
        };
        found.extend((0..).zip(shown).map(block));
    };
    let mut starting: BTreeMap<Line, Vec<usize>> = BTreeMap::new();
    for index in functions {
        starting.entry(notes.functions[*index].lines.0).or_default().push(*index);
    }
    let mut numbers: BTreeSet<Line> = lines.shared.keys().chain(starting.keys()).copied().collect();
    // Copies are listed after the last line of their group, and groups within a group not at all.
    let mut group: Option<(Line, &[usize])> = None;
    while let Some(line) = numbers.pop_first() {
        if u64::from(line) >= lines.size {
            break;
        }
        if let Some(begun) = starting.get(&line).filter(|begun| group.is_none() && begun.len() > 1) {
            let end = begun.iter().map(|index| notes.functions[*index].lines.1).max().unwrap_or(line);
            let end = if notes.major >= 15 { last.map_or(end, |last| end.min(last)) } else { end };
            group = Some((end, begun));
            numbers.extend([end].into_iter().filter(|end| *end > line));
        }
        if let Some(blocks) = lines.shared.get(&line) {
            list(line, &blocks.owned);
        }
        if let Some((_, members)) = group.filter(|(end, _)| *end == line) {
            for (line, blocks) in members.iter().filter_map(|index| lines.copies.get(index)).flatten() {
                list(*line, &blocks.owned);
            }
            group = None;
        }
    }
    found
}
