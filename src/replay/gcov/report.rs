//! The report that follows from the notes and counters of a program, for one of its source files.

use std::collections::{BTreeMap, BTreeSet};

use super::cycles::{Steps, Unfinished};
use super::graph::{Solved, SolvedEdge, solve};
use super::lines::{BlockRef, LineBlocks, Lines, Reported};
use super::rule::{Decided, decide};
use super::text::{self, TextBlock};
use crate::coverage::GcovNotes;
use crate::model::{Count, Line, is_same_path};

/// The steps that the search for cycles may take for one file: about a second.
const MOST_STEPS: u64 = 50_000_000;

/// There is no replay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GivesUp {
    #[error("the notes do not mention {0}")]
    FileMissing(String),
    #[error("the notes mention {0} under several names")]
    FileTwice(String),
    #[error("line {0} has too many cycles; gcov takes exponential time to find them")]
    TooManyCycles(Line),
    #[error("gcov's search for cycles on line {0} fails with an assertion")]
    Assertion(Line),
}

/// What gcov reports about a file. Counts are signed as in gcov (`gcov_type`), which prints negative ones.
pub struct GcovReplay<'a> {
    pub notes: &'a GcovNotes,
    /// The graphs of all functions that are reported, by their index in [`GcovNotes::functions`].
    pub solved: BTreeMap<usize, Solved>,
    pub(super) blocks_of: Lines,
    /// The count of each line: the sum over its copies.
    pub lines: BTreeMap<Line, i64>,
    /// By their positions.
    pub functions: Vec<Function>,
    /// In the order of the JSON.
    pub branches: Vec<Branch>,
    /// In the order of the text.
    pub blocks: Vec<TextBlock>,
    /// The counts of all lines in copies, which functions of a group have.
    pub(super) copied: Vec<i64>,
}

/// A function of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Index in [`GcovNotes::functions`].
    pub index: usize,
    pub name: String,
    /// The line of its definition.
    pub line: Line,
    /// How often it was entered.
    pub count: i64,
}

/// An outcome of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    pub line: Line,
    pub from: BlockRef,
    /// The block that it leads to.
    pub to: usize,
    /// How often it was taken; none if the line never ran.
    pub taken: Option<i64>,
}

/// The report about `file`, as the notes name it.
///
/// # Errors
/// For a file that the notes do not name once, and for graphs that are too much for gcov's own search of cycles.
pub fn replay<'a>(notes: &'a GcovNotes, file: &str) -> Result<GcovReplay<'a>, GivesUp> {
    let mut same = (0..notes.files.len()).filter(|index| is_same_path(&notes.files[*index], file));
    let source = same.next().ok_or_else(|| GivesUp::FileMissing(file.to_string()))?;
    if same.next().is_some() {
        return Err(GivesUp::FileTwice(file.to_string()));
    }
    let reported = Reported::of(notes);
    let of_file = reported.of_file(notes, source);
    let graphs = reported.functions.iter().map(|index| (*index, solve(&notes.functions[*index])));
    let mut replay = GcovReplay {
        notes,
        solved: graphs.collect(),
        blocks_of: Lines::of(notes, &reported, source),
        lines: BTreeMap::new(),
        functions: Vec::new(),
        branches: Vec::new(),
        blocks: Vec::new(),
        copied: Vec::new(),
    };
    replay.add_lines(&of_file)?;
    replay.blocks = text::blocks(notes, &replay.blocks_of, &of_file, &replay.solved);
    let solved = &replay.solved;
    replay.functions = of_file
        .into_iter()
        .map(|index| {
            let graph = &notes.functions[index];
            let count = solved[&index].blocks.first().copied().unwrap_or(0);
            Function { index, name: graph.name.clone(), line: graph.lines.0, count }
        })
        .collect();
    Ok(replay)
}

impl GcovReplay<'_> {
    /// The count of a line, as gcov's JSON and our reader of it show it.
    pub fn line(&self, line: Line) -> Count {
        self.lines.get(&line).and_then(|count| u64::try_from(*count).ok())
    }

    /// The lines whose branches and blocks have no defined order: more functions begin at one position than libstdc++ sorts
    /// in a stable way (`_S_threshold` in `bits/stl_algo.h`).
    pub fn lines_in_any_order(&self) -> BTreeSet<Line> {
        let mut copies: BTreeMap<Line, usize> = BTreeMap::new();
        for line in self.blocks_of.copies.values().flat_map(BTreeMap::keys) {
            *copies.entry(*line).or_default() += 1;
        }
        copies.into_iter().filter(|(_, count)| *count > 16).map(|(line, _)| line).collect()
    }

    /// How the count of a line with these blocks comes about, by gcov's rule: also for blocks that gcov does not give to
    /// the line, to see which count would follow. They must be blocks of functions in [`GcovReplay::solved`].
    ///
    /// # Errors
    /// [`GivesUp::TooManyCycles`] and [`GivesUp::Assertion`], which name `line`.
    pub fn decide(&self, line: Line, blocks: &LineBlocks) -> Result<Decided, GivesUp> {
        decided(line, decide(blocks, &self.solved, &mut Steps(MOST_STEPS)))
    }

    /// Count lines and list their branches, in the order of `output_json_intermediate_file`: the copies of all functions
    /// that begin on a line, then the line itself.
    fn add_lines(&mut self, of_file: &[usize]) -> Result<(), GivesUp> {
        let mut starting: BTreeMap<Line, Vec<usize>> = BTreeMap::new();
        for index in of_file {
            starting.entry(self.notes.functions[*index].lines.0).or_default().push(*index);
        }
        let Lines { shared, copies, .. } = &self.blocks_of;
        let numbers: BTreeSet<Line> = shared.keys().chain(starting.keys()).copied().collect();
        let ordered = numbers.iter().flat_map(|line| {
            let begun = starting.get(line).into_iter().flatten().filter_map(|index| copies.get(index));
            let copied = begun.flatten().map(|listed| (listed, true));
            copied.chain(shared.get_key_value(line).map(|listed| (listed, false)))
        });
        let mut steps = Steps(MOST_STEPS);
        for ((line, blocks), is_copy) in ordered {
            let count = decided(*line, decide(blocks, &self.solved, &mut steps))?.count;
            self.copied.extend(is_copy.then_some(count));
            let sum = self.lines.entry(*line).or_default();
            *sum = sum.wrapping_add(count);
            let is_listed =
                |function: usize, block: usize| !self.notes.functions[function].blocks[block].is_suppressed;
            for place in blocks.owned.iter().filter(|place| is_listed(place.function, place.block)) {
                let graph = &self.solved[&place.function];
                let is_branch = |edge: &&SolvedEdge| {
                    !edge.is_fake && !graph.is_unconditional(edge) && is_listed(place.function, edge.to)
                };
                self.branches.extend(graph.leaving(place.block).filter(is_branch).map(|edge| Branch {
                    line: *line,
                    from: *place,
                    to: edge.to,
                    taken: (count > 0).then_some(edge.count),
                }));
            }
        }
        Ok(())
    }
}

/// The reason why a line has no count, as a reason why there is no replay.
fn decided(line: Line, result: Result<Decided, Unfinished>) -> Result<Decided, GivesUp> {
    result.map_err(|unfinished| match unfinished {
        Unfinished::TooLong => GivesUp::TooManyCycles(line),
        Unfinished::Assertion => GivesUp::Assertion(line),
    })
}
