//! What a report says, in a model of our own, and the readers of the formats
//! that gcov and llvm-cov print. It does not know how a report was produced.

pub mod gcov_json;
mod gcov_columns;
pub mod gcov_text;
pub mod lcov;
pub mod llvm_json;
pub mod llvm_show;

pub use gcov_columns::{Columns, Share, columns};

use std::collections::BTreeMap;

use crate::model::{Count, Line, Metric};

/// A report cannot be read. Displayed as what is wrong with it.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// It is not in the format that its producer's version writes.
    #[error("the report is not as expected: {0}")]
    Format(String),
    /// It says nothing about our file.
    #[error("the report does not mention {0}")]
    FileMissing(String),
}

/// LLVM's number for an expansion region, [`Region::kind`].
pub const EXPANSION: u32 = 1;

/// More lines than any file that we are given has: a report must not make us fill the memory.
const MOST_LINES: usize = 1 << 22;

/// One report on one source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Count of each line; the index is the line less one.
    lines: Vec<Count>,
    /// Functions, as listed.
    pub functions: Vec<FunctionCount>,
    /// Outcomes of branches.
    pub branches: Vec<BranchCount>,
    /// llvm-cov's branches, with their places.
    pub tested: Vec<Tested>,
    /// Decisions and what was shown of their conditions, where conditions are counted.
    pub decisions: Vec<Conditions>,
    /// llvm-cov's code regions.
    pub regions: Vec<Region>,
    /// llvm-cov's segments, from which it derives line counts.
    pub segments: Vec<Segment>,
    /// gcov's basic blocks, from which it derives line counts.
    pub blocks: Vec<Block>,
    /// What other outputs of the profiler say of the lines.
    pub views: Vec<View>,
}

/// What another output of the same profiler says of the same profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Which output.
    pub name: &'static str,
    /// For each line with a count, the smallest and the largest that it may stand for.
    pub lines: Vec<(Line, (u64, u64))>,
}

/// Entries of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCount {
    /// Its name as the tool prints it.
    pub name: String,
    /// The line of its definition.
    pub line: Line,
    /// Entries.
    pub count: u64,
}

/// One outcome of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchCount {
    /// Line of the branch.
    pub line: Line,
    /// Column, where the tool says it.
    pub column: Option<u32>,
    /// How often this outcome was taken; none where the branch was never reached.
    pub taken: Count,
}

/// A branch of llvm-cov: something tested, and what came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested {
    /// Line and column of its first character.
    pub start: (Line, u32),
    /// Line and column behind its last character.
    pub end: (Line, u32),
    /// How often it was true.
    pub yes: u64,
    /// How often it was false. Where the compiler works the test out for itself, both are 0.
    pub no: u64,
}

/// What was shown of the conditions of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// The line.
    pub line: Line,
    /// The column of its first character, where the tool says it.
    pub column: Option<u32>,
    /// gcov: for each condition, whether its true and its false outcome are covered. llvm-cov: whether each is.
    pub shown: Vec<bool>,
}

/// A code region of llvm-cov (`CounterMappingRegion`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Line and column of its first character.
    pub start: (Line, u32),
    /// Line and column behind its last character.
    pub end: (Line, u32),
    /// Executions.
    pub count: u64,
    /// LLVM's number of the kind: 0 code, 1 expansion, 2 skipped, 3 gap, 4 branch.
    pub kind: u32,
}

/// A segment of llvm-cov: from here to the next one, this count holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Where it begins.
    pub line: Line,
    /// Column, from 1.
    pub column: u32,
    /// Its count.
    pub count: u64,
    /// False for text that has no count.
    pub has_count: bool,
    /// Whether a region begins here.
    pub is_entry: bool,
    /// Whether that region is a gap between statements.
    pub is_gap: bool,
}

/// A basic block that gcov lists under a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The line.
    pub line: Line,
    /// Its number in its function.
    pub id: u32,
    /// Executions, where the output says it.
    pub count: Count,
}

impl Coverage {
    /// The count of `line`; none beyond the end.
    pub fn line(&self, line: Line) -> Count {
        let index = (line as usize).checked_sub(1)?;
        self.lines.get(index).copied().flatten()
    }

    /// The count of `metric` on `line`. Of functions that is the one of the only function that begins there;
    /// of what may stand on a line several times there is none.
    pub fn count(&self, metric: Metric, line: Line) -> Count {
        match metric {
            Metric::Line => self.line(line),
            Metric::Function => {
                let mut here = self.functions.iter().filter(|function| function.line == line);
                here.next().filter(|_| here.next().is_none()).map(|function| function.count)
            }
            Metric::Branch | Metric::Region | Metric::Condition | Metric::Mcdc => None,
        }
    }

    /// Add `count` to `line`: gcov lists a line once for each function on it. Line 0, and lines that
    /// no file has but `#line` can name, are nobody's.
    pub fn add_line(&mut self, line: Line, count: u64) {
        let Some(index) = (line as usize).checked_sub(1).filter(|index| *index < MOST_LINES) else { return };
        if self.lines.len() <= index {
            self.lines.resize(index + 1, None);
        }
        let sum = self.lines[index].unwrap_or(0).wrapping_add(count);
        self.lines[index] = Some(sum);
    }

    /// The sums of the regions of each extent of which several cover `line`: llvm-cov adds those up.
    pub fn summed_regions(&self, line: Line) -> Vec<u64> {
        let mut extents: BTreeMap<_, Vec<u64>> = BTreeMap::new();
        let covers =
            |region: &&Region| region.kind <= EXPANSION && (region.start.0..=region.end.0).contains(&line);
        for region in self.regions.iter().filter(covers) {
            extents.entry((region.start, region.end, region.kind)).or_default().push(region.count);
        }
        let several = extents.into_values().filter(|counts| counts.len() > 1);
        several.map(|counts| counts.into_iter().fold(0, u64::saturating_add)).collect()
    }

    /// Every line that has a count.
    pub fn counted(&self) -> impl Iterator<Item = (Line, u64)> + '_ {
        (1..).zip(&self.lines).filter_map(|(line, count)| Some((line, (*count)?)))
    }

    /// The count of each line; line `n` is at `n - 1`.
    pub fn lines(&self) -> Vec<Count> {
        self.lines.clone()
    }

    /// The last line that has a count.
    pub fn last_line(&self) -> Line {
        Line::try_from(self.lines.len()).unwrap_or(Line::MAX)
    }

    /// What each of so many `runs`, at least one, left, if all left the same in the report on them; views are not kept.
    /// None where not every count is so many times another one, so that they did not.
    pub fn of_each(mut self, runs: u64) -> Option<Coverage> {
        self.views.clear();
        let lines = self.lines.iter_mut().flatten();
        let functions = self.functions.iter_mut().map(|function| &mut function.count);
        let branches = self.branches.iter_mut().filter_map(|branch| branch.taken.as_mut());
        let tested = self.tested.iter_mut().flat_map(|tested| [&mut tested.yes, &mut tested.no]);
        let regions = self.regions.iter_mut().map(|region| &mut region.count);
        let segments = self.segments.iter_mut().map(|segment| &mut segment.count);
        let blocks = self.blocks.iter_mut().filter_map(|block| block.count.as_mut());
        let counts =
            lines.chain(functions).chain(branches).chain(tested).chain(regions).chain(segments).chain(blocks);
        for count in counts {
            if !count.is_multiple_of(runs) {
                return None;
            }
            *count /= runs;
        }
        Some(self)
    }

    /// Whether two reports give every line the same count.
    pub fn same_lines(&self, other: &Coverage) -> bool {
        self.counted().eq(other.counted())
    }
}

impl FromIterator<(Line, u64)> for Coverage {
    fn from_iter<I: IntoIterator<Item = (Line, u64)>>(counts: I) -> Coverage {
        let mut coverage = Coverage::default();
        counts.into_iter().for_each(|(line, count)| coverage.add_line(line, count));
        coverage
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_runs_that_were_alike_is_what_each_left_and_another_is_nothing() {
        let of = |counts: [u64; 3], calls: u64| {
            let lines = (1..).zip(counts).filter(|(line, _)| *line != 2);
            let function = FunctionCount { name: "f".into(), line: 1, count: calls };
            Coverage { functions: vec![function], ..lines.collect() }
        };
        assert_eq!(of([8, 1, 0], 12).of_each(4), Some(of([2, 1, 0], 3)));
        assert_eq!(of([8, 1, 0], 12).of_each(1), Some(of([8, 1, 0], 12)));
        assert_eq!(of([8, 1, 2], 12).of_each(4), None, "a line");
        assert_eq!(of([8, 1, 0], 13).of_each(4), None, "a function");
    }
}
