//! The content of a coverage report, independent of its format, and readers of the formats of gcov and llvm-cov. Nothing
//! here depends on how a report was produced.

mod expansion;
pub mod gcov_json;
mod gcov_columns;
mod gcov_data;
mod gcov_notes;
mod gcov_records;
pub mod gcov_text;
pub mod lcov;
mod llvm_bytes;
pub mod llvm_covmap;
mod llvm_function;
pub mod llvm_json;
mod llvm_mapping;
mod llvm_profile;
pub mod llvm_show;
pub mod totals;

pub use expansion::Expansion;
pub use gcov_columns::{Columns, Share, columns};
pub use gcov_notes::{BlockNotes, Edge, FunctionGraph, GcovNotes, Location};
pub use gcov_records::NotesError;
pub use llvm_bytes::Malformed;
pub use llvm_mapping::{
    Counter, Expression, FunctionMapping, LlvmData, LlvmMapping, MappingRegion, RegionKind, at_root,
};
pub use llvm_profile::{LlvmCounts, Recorded};
pub use totals::Total;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::model::{Count, Line, Metric, is_same_path};

/// A report cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// It does not have the format of its producer's version.
    #[error("the report has an unexpected format: {0}")]
    Format(String),
    /// It does not contain our file.
    #[error("the report does not mention {0}")]
    FileMissing(String),
    /// It contains our file more than once, under several names.
    #[error("the report lists {0} under several names")]
    FileTwice(String),
}

/// More lines than any source file has. This limit prevents a broken report from filling the memory.
pub(crate) const MOST_LINES: usize = 1 << 22;

/// The one of `files` whose name is `name`: the same path, however it is written.
fn only_file<T>(
    files: impl Iterator<Item = T>,
    name_of: impl Fn(&T) -> &str,
    name: &str,
) -> Result<T, Unreadable> {
    let mut same = files.filter(|file| is_same_path(name_of(file), name));
    let found = same.next().ok_or_else(|| Unreadable::FileMissing(name.to_string()))?;
    if same.next().is_some() { Err(Unreadable::FileTwice(name.to_string())) } else { Ok(found) }
}

/// One report on one source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Count of each line; the index is the line number minus one.
    lines: Vec<Count>,
    pub functions: Vec<FunctionCount>,
    pub branches: Vec<BranchCount>,
    /// llvm-cov's branches, with their positions.
    pub tested: Vec<Tested>,
    /// Decisions and the coverage of their conditions, if conditions are counted.
    pub decisions: Vec<Conditions>,
    /// gcov's prime paths, if paths are counted.
    pub paths: Vec<FunctionPaths>,
    /// llvm-cov's code regions.
    pub regions: Vec<Region>,
    /// llvm-cov's segments, from which it derives line counts.
    pub segments: Vec<Segment>,
    /// gcov's basic blocks, from which it derives line counts.
    pub blocks: Vec<Block>,
    /// Line counts in other output formats of the profiler.
    pub views: Vec<View>,
    /// Totals over the file, and over the blocks of each function.
    pub totals: Vec<Total>,
    /// The graphs and counters that gcov derives everything from, or why they cannot be read; none if they were not
    /// asked for.
    pub graphs: Option<Result<Arc<GcovNotes>, NotesError>>,
    /// The data of the program from which llvm-cov derives everything, or why it cannot be read; none if it was not
    /// asked for.
    pub mapping: Option<Result<Arc<LlvmData>, Malformed>>,
    /// The crash of a tool that counted conditions too; the report is then one without them.
    pub crash: Option<Box<Crash>>,
}

/// A tool of the profiler crashed when it made the report on conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    /// The tool and the signal.
    pub reason: String,
    /// The mapping of the program that it read, with decisions; none if that cannot be read.
    pub mapping: Option<Arc<LlvmMapping>>,
}

/// Line counts of the same profile in another output format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The name of the format.
    pub name: &'static str,
    /// For each line with a count, the smallest and the largest count that it can represent.
    pub lines: Vec<(Line, (u64, u64))>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCount {
    /// As the tool prints it.
    pub name: String,
    /// The line of its definition.
    pub line: Line,
    pub count: u64,
}

/// The name of a function without the file that llvm-cov writes before that of a private one: `file.c:name`, in some versions
/// `file.c;name` (`getPGOFuncName` and `getIRPGOObjectName` in InstrProf.cpp).
pub fn without_file(name: &str) -> &str {
    name.rsplit([':', ';']).next().unwrap_or(name)
}

/// One outcome of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchCount {
    pub line: Line,
    /// How often this outcome was taken; none if the branch was never reached.
    pub taken: Count,
}

/// A branch of llvm-cov: a tested expression and its outcomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested {
    /// Line and column of its first character.
    pub start: (Line, u32),
    /// Line and column after its last character.
    pub end: (Line, u32),
    /// How often it was true.
    pub yes: u64,
    /// How often it was false. Both are 0 if the compiler evaluates the expression.
    pub no: u64,
    /// The expansion that it is in.
    pub expansion: Expansion,
}

/// The coverage of the conditions of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditions {
    pub line: Line,
    /// The column of its first character; none if the tool does not report it.
    pub column: Option<u32>,
    /// gcov: whether the true and the false outcome of each condition are covered. llvm-cov: whether each condition is.
    pub shown: Vec<bool>,
    /// How many of them the tool says are covered.
    pub covered: u64,
    /// llvm-cov: the vectors that it lists, the value of each condition and the outcome; none if it lists none.
    pub vectors: Option<Vec<(Vec<Option<bool>>, bool)>>,
}

impl Conditions {
    /// How many of the `shown` are covered.
    pub fn covered_of(shown: &[bool]) -> u64 {
        shown.iter().map(|flag| u64::from(*flag)).sum()
    }
}

/// The prime paths of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionPaths {
    /// As the tool prints it.
    pub name: String,
    /// The line of its definition.
    pub line: Line,
    pub total: usize,
    pub covered: u64,
    /// The paths that are not covered, each as its blocks.
    pub uncovered: Vec<Vec<usize>>,
}

/// A code region of llvm-cov (`CounterMappingRegion`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Line and column of its first character.
    pub start: (Line, u32),
    /// Line and column after its last character.
    pub end: (Line, u32),
    pub count: u64,
    pub kind: RegionKind,
    /// The expansion that it is in.
    pub expansion: Expansion,
    /// The name of its function, as the tool prints it.
    pub function: Arc<str>,
}

/// A segment of llvm-cov: its count holds up to the next segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub line: Line,
    /// The column, from 1.
    pub column: u32,
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
    pub line: Line,
    /// Its number in its function.
    pub id: u32,
    /// None if the output does not contain it.
    pub count: Count,
}

impl Coverage {
    /// The graphs from which gcov derives the report.
    ///
    /// # Errors
    /// A sentence that says why there are none.
    pub fn notes(&self) -> Result<&GcovNotes, String> {
        match &self.graphs {
            Some(Ok(notes)) => Ok(notes),
            Some(Err(error)) => Err(error.to_string()),
            None => Err("the blocks of the program were not read".into()),
        }
    }

    /// The lines that the source asks gcov to leave out; none if the graphs were not read.
    pub fn suppressed_lines(&self) -> BTreeSet<Line> {
        self.notes().map(GcovNotes::suppressed_lines).unwrap_or_default()
    }

    /// The data from which llvm-cov derives the report.
    ///
    /// # Errors
    /// A sentence that says why there is none.
    pub fn mapping_data(&self) -> Result<&LlvmData, String> {
        match &self.mapping {
            Some(Ok(data)) => Ok(data),
            Some(Err(error)) => Err(error.to_string()),
            None => Err("the coverage mapping was not read".into()),
        }
    }

    /// How many code regions begin on `lines`, those in the text of macros not counted. A function that nothing refers to has only
    /// the region of its body (`emitEmptyMapping` in CoverageMappingGen.cpp).
    pub fn code_regions_on(&self, lines: RangeInclusive<Line>) -> usize {
        let is_it = |region: &&Region| {
            region.kind == RegionKind::Code && region.expansion.is_empty() && lines.contains(&region.start.0)
        };
        self.regions.iter().filter(is_it).count()
    }

    /// The version of LLVM that made the report, if its mapping was read.
    pub fn llvm_version(&self) -> Option<u32> {
        Some(self.mapping_data().ok()?.version)
    }

    /// The count of `line`; none after the last line.
    pub fn line(&self, line: Line) -> Count {
        let index = (line as usize).checked_sub(1)?;
        self.lines.get(index).copied().flatten()
    }

    /// The count of `metric` on `line`. For functions it is that of the only function that begins there; metrics that may
    /// have several counts on a line have none.
    pub fn count(&self, metric: Metric, line: Line) -> Count {
        match metric {
            Metric::Line => self.line(line),
            Metric::Function => {
                let mut here = self.functions.iter().filter(|function| function.line == line);
                here.next().filter(|_| here.next().is_none()).map(|function| function.count)
            }
            Metric::Branch | Metric::Region | Metric::Condition | Metric::Mcdc | Metric::Path => None,
        }
    }

    /// Add `count` to `line`: gcov lists a line once for each function on it. Line 0 is ignored, and so are numbers that
    /// only `#line` can produce.
    pub fn add_line(&mut self, line: Line, count: u64) {
        let Some(index) = (line as usize).checked_sub(1).filter(|index| *index < MOST_LINES) else { return };
        if self.lines.len() <= index {
            self.lines.resize(index + 1, None);
        }
        let sum = self.lines[index].unwrap_or(0).wrapping_add(count);
        self.lines[index] = Some(sum);
    }

    /// The sums of those of the regions for which `is_one` holds that have the same extent, if there are several: llvm-cov adds
    /// them up.
    pub fn summed_regions(&self, is_one: impl Fn(&Region) -> bool) -> Vec<u64> {
        let mut extents: BTreeMap<_, Vec<u64>> = BTreeMap::new();
        for region in self.regions.iter().filter(|region| is_one(region)) {
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

    /// The report on a single run, if this report is the sum of `runs` equal runs; views are dropped. None if a count
    /// is not a multiple of `runs`, because then the runs were not equal.
    pub fn of_each(mut self, runs: u64) -> Option<Coverage> {
        self.views.clear();
        self.totals.clear();
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
        if let Some(Ok(graphs)) = &mut self.graphs {
            *graphs = Arc::new(graphs.of_each(runs)?);
        }
        if let Some(Ok(data)) = self.mapping {
            let data = Arc::unwrap_or_clone(data);
            self.mapping = Some(Ok(Arc::new(LlvmData { counts: data.counts.of_each(runs)?, ..data })));
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
    fn a_sum_of_equal_runs_is_divided_and_another_one_is_rejected() {
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
