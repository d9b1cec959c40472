//! Which blocks a line lists, and which of them it owns (`process_all_functions` and `add_line_counts` in gcov.c).
//!
//! A block is listed by all of its lines, but the last line of each of its locations owns it: only owned blocks decide the
//! count of a line. Functions that begin on one line are a group, such as those that a macro defines: each of them has a
//! copy of its own lines, and the report shows the sums.

use std::collections::{BTreeMap, BTreeSet};

use crate::coverage::{FunctionGraph, GcovNotes};
use crate::model::Line;

/// A basic block of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockRef {
    /// Index in [`GcovNotes::functions`].
    pub function: usize,
    pub block: usize,
}

/// The blocks of a line. A block with several locations may be there more than once, and then counts as often.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineBlocks {
    pub listed: Vec<BlockRef>,
    pub owned: Vec<BlockRef>,
}

/// The functions that gcov reports.
#[derive(Clone, Debug, Default)]
pub struct Reported {
    /// In the order of the notes.
    pub functions: Vec<usize>,
    /// Those of them that begin on the line of another one.
    pub grouped: BTreeSet<usize>,
}

/// The lines of one file.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// Lines outside of groups.
    pub shared: BTreeMap<Line, LineBlocks>,
    /// The lines of each function of a group.
    pub copies: BTreeMap<usize, BTreeMap<Line, LineBlocks>>,
    /// The number of lines that gcov allocates, and that its text shows: the last one with a block, and one more for
    /// line 0. Since gcc 15 they include the last line of each function.
    pub size: u64,
}

impl Reported {
    pub fn of(notes: &GcovNotes) -> Reported {
        let all = || notes.functions.iter().enumerate().filter(|(_, function)| !function.is_artificial);
        let mut starts: BTreeMap<(usize, Line), Vec<usize>> = BTreeMap::new();
        for (index, function) in all() {
            starts.entry((function.file, function.lines.0)).or_default().push(index);
        }
        // A function without counters is taken to be absent from the program.
        let has_counters = |(_, function): &(usize, &FunctionGraph)| {
            function.edges.iter().any(|edge| edge.counter.is_some())
        };
        Reported {
            functions: all().filter(has_counters).map(|(index, _)| index).collect(),
            grouped: starts.into_values().filter(|group| group.len() > 1).flatten().collect(),
        }
    }

    /// The functions of `file`, sorted by the positions at which they begin (`function_line_start_cmp`).
    pub fn of_file(&self, notes: &GcovNotes, file: usize) -> Vec<usize> {
        let of_file = self.functions.iter().copied().filter(|index| notes.functions[*index].file == file);
        let mut found: Vec<usize> = of_file.collect();
        found.sort_by_key(|index| (notes.functions[*index].lines.0, notes.functions[*index].columns.0));
        found
    }
}

impl Lines {
    /// The lines of `file`, an index in [`GcovNotes::files`].
    pub fn of(notes: &GcovNotes, reported: &Reported, file: usize) -> Lines {
        let mut all = Lines::default();
        for index in &reported.functions {
            let function = &notes.functions[*index];
            let is_grouped = reported.grouped.contains(index) && function.file == file;
            // `process_all_functions` since gcc 15.
            if notes.major >= 15 && function.file == file {
                all.size = all.size.max(u64::from(function.lines.1) + 1);
            }
            let own = is_grouped.then_some(function.lines.0..=function.lines.1);
            for (number, block) in function.blocks.iter().enumerate() {
                let place = BlockRef { function: *index, block: number };
                // The test for the exit is from before gcc 4.8, when the exit was the last block.
                let may_be_owned = number != 0 && number + 1 != function.blocks.len();
                // The last line so far: a location without lines counts for it again.
                let mut last = None;
                for location in &block.locations {
                    let mut lines = location.lines.clone();
                    lines.sort_unstable();
                    let is_here = location.file == file;
                    for line in lines {
                        last = is_here.then_some(line);
                        if is_here {
                            all.size = all.size.max(u64::from(line) + 1);
                            all.line(*index, own.as_ref(), line).listed.push(place);
                        }
                    }
                    if let Some(line) = last.filter(|_| may_be_owned) {
                        all.line(*index, own.as_ref(), line).owned.push(place);
                    }
                }
            }
        }
        all
    }

    /// `line` of the function's copy, if it is one of its `own` lines, or of the file.
    fn line(
        &mut self,
        function: usize,
        own: Option<&std::ops::RangeInclusive<Line>>,
        line: Line,
    ) -> &mut LineBlocks {
        let table = if own.is_some_and(|own| own.contains(&line)) {
            self.copies.entry(function).or_default()
        } else {
            &mut self.shared
        };
        table.entry(line).or_default()
    }

    /// The lines with this number: the copies of functions first, then the one outside of groups.
    pub fn with_number(&self, line: Line) -> impl Iterator<Item = (Option<usize>, &LineBlocks)> {
        let copies = self.copies.iter().map(|(function, lines)| (Some(*function), lines));
        let tables = copies.chain([(None, &self.shared)]);
        tables.filter_map(move |(function, lines)| Some((function, lines.get(&line)?)))
    }
}
