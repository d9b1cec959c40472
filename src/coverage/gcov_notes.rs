//! The control flow graphs of a program that gcc compiled with `--coverage`, with the counters of its runs.
//!
//! gcc writes the graphs to the notes (`.gcno`; `coverage_begin_function` in coverage.c, `branch_prob` in profile.c), the
//! program writes the counters to the data (`.gcda`). gcov derives every number of its reports from these two files; its
//! own JSON lacks unconditional edges and the lines that a block lists, so it does not suffice to derive them again.

use std::collections::{BTreeSet, HashMap};

use super::gcov_data::{self, EdgeCounters};
use super::gcov_records::{FUNCTION, Header, NOTES, NotesError, Reader};
use crate::model::{Line, shortened};

/// `GCOV_TAG_BLOCKS`, `GCOV_TAG_ARCS` and `GCOV_TAG_LINES`, and the record of suppressed blocks since gcc 17.
const BLOCKS: u32 = 0x0141_0000;
const ARCS: u32 = 0x0143_0000;
const LINES: u32 = 0x0145_0000;
const SUPPRESSED: u32 = 0x0151_0000;
/// `GCOV_TAG_PATHS`, since gcc 15.
const PATHS: u32 = 0x0149_0000;

/// `GCOV_ARC_ON_TREE`, `GCOV_ARC_FAKE` and `GCOV_ARC_FALLTHROUGH`.
const ON_TREE: u32 = 1;
const FAKE: u32 = 2;
const FALLTHROUGH: u32 = 4;

/// The graphs of one object file, with its counters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GcovNotes {
    /// The major version of gcc.
    pub major: u32,
    /// The names of source files, without `.` and `..`, as `canonicalize_name` in gcov.c makes them. Each is listed once.
    pub files: Vec<String>,
    /// In the order of the notes.
    pub functions: Vec<FunctionGraph>,
}

/// The control flow graph of a function. Block 0 is the entry, block 1 the exit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionGraph {
    /// The number of the function in the data.
    pub ident: u32,
    /// The checksums of its lines and of its graph, which the data repeat.
    pub checksums: [u32; 2],
    pub name: String,
    /// Whether the compiler made it, so that gcov does not report it.
    pub is_artificial: bool,
    /// Index in [`GcovNotes::files`].
    pub file: usize,
    /// The first and the last line of its definition.
    pub lines: (Line, Line),
    /// The columns of its first and of its last character. The second is 0 if the notes lack it.
    pub columns: (u32, u32),
    pub blocks: Vec<BlockNotes>,
    /// By the block that they leave, and within a block in the order of the notes: the order of the counters.
    pub edges: Vec<Edge>,
    /// How many paths gcc counts; 0 if it does not count them.
    pub paths: u32,
}

/// The source code of a basic block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockNotes {
    pub locations: Vec<Location>,
    /// Whether the source asks gcov to leave it out: the attribute `suppress_coverage` or the pragma of that name, since gcc 17.
    pub is_suppressed: bool,
}

/// Lines of one file that a basic block lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Index in [`GcovNotes::files`].
    pub file: usize,
    /// In the order of the notes. Some lists are empty.
    pub lines: Vec<Line>,
}

/// An edge between two basic blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// Out of block 0: an entry that is not a call, as the second return of `setjmp`. Otherwise: a call may not return.
    pub is_fake: bool,
    /// Whether it leads to the next block without a jump.
    pub is_fallthrough: bool,
    /// Its counter, the sum of all runs (`gcov_type` is signed); none if the edge is on the spanning tree, where the counts
    /// of the other edges imply its own.
    pub counter: Option<i64>,
}

impl GcovNotes {
    /// The graphs in the contents of a `.gcno` file, with the counters in the contents of a `.gcda` file. Records of other
    /// kinds are skipped.
    ///
    /// # Errors
    /// For files that are not gcov's, are cut off or damaged, or do not belong together.
    pub fn read(notes: &[u8], data: &[u8]) -> Result<GcovNotes, NotesError> {
        let (mut found, header) = GcovNotes::graphs(notes)?;
        let (of_data, counters) = gcov_data::read(data)?;
        if (of_data.major, of_data.stamp) != (header.major, header.stamp) {
            return Err(NotesError::OtherCompilation);
        }
        found.add(&counters)?;
        Ok(found)
    }

    /// The graphs of a unit of which nothing ran, so that there are no data: gcov reports zeros.
    ///
    /// # Errors
    /// As for [`GcovNotes::read`].
    pub fn read_unused(notes: &[u8]) -> Result<GcovNotes, NotesError> {
        Ok(GcovNotes::graphs(notes)?.0)
    }

    fn graphs(notes: &[u8]) -> Result<(GcovNotes, Header), NotesError> {
        let (header, mut reader) = Reader::open(notes, NOTES)?;
        // The folder of the compilation, and whether gcov may mark lines with blocks that never ran.
        reader.string()?;
        reader.word()?;
        let mut found = GcovNotes { major: header.major, ..GcovNotes::default() };
        let mut files = HashMap::new();
        let mut with_edges = BTreeSet::new();
        while let Some(record) = reader.record()? {
            let mut body = record.body;
            if record.tag == FUNCTION {
                let function = found.function(&mut body, &mut files)?;
                found.functions.push(function);
                with_edges.clear();
                continue;
            }
            let Some(mut function) = found.functions.pop() else { continue };
            match record.tag {
                BLOCKS => function.read_blocks(&mut body, notes.len())?,
                ARCS => function.read_edges(&mut body, &mut with_edges)?,
                SUPPRESSED => function.read_suppressed(&mut body)?,
                PATHS => function.paths = body.word()?,
                LINES => found.read_lines(&mut function, &mut body, &mut files)?,
                _ => {}
            }
            found.functions.push(function);
        }
        for function in &mut found.functions {
            function.edges.sort_by_key(|edge| edge.from);
        }
        Ok((found, header))
    }

    /// Add the counters of the data.
    fn add(&mut self, counters: &[EdgeCounters]) -> Result<(), NotesError> {
        let idents = self.functions.iter().enumerate().map(|(index, function)| (function.ident, index));
        let by_ident: HashMap<u32, usize> = idents.collect();
        for added in counters {
            let Some(index) = by_ident.get(&added.ident) else { continue };
            let function = &mut self.functions[*index];
            let own: Vec<&mut i64> =
                function.edges.iter_mut().filter_map(|edge| edge.counter.as_mut()).collect();
            if function.checksums != added.checksums || own.len() != added.size {
                return Err(NotesError::OtherCompilation);
            }
            for (counter, value) in own.into_iter().zip(&added.values) {
                *counter = counter.wrapping_add(*value);
            }
        }
        Ok(())
    }

    /// The counters of a single run, if these are the sum of `runs` equal runs; none if they are not.
    pub(super) fn of_each(&self, runs: u64) -> Option<GcovNotes> {
        let runs = i64::try_from(runs).ok().filter(|runs| *runs > 0)?;
        let mut each = self.clone();
        let edges = each.functions.iter_mut().flat_map(|function| &mut function.edges);
        for counter in edges.filter_map(|edge| edge.counter.as_mut()) {
            if *counter % runs != 0 {
                return None;
            }
            *counter /= runs;
        }
        Some(each)
    }

    /// The lines with code that the source asks gcov to leave out, and those with a test that leads to it: gcov leaves out
    /// the outcome too.
    pub fn suppressed_lines(&self) -> BTreeSet<Line> {
        let of_function = |function: &FunctionGraph| {
            let is_left_out = |id: usize| function.blocks[id].is_suppressed;
            let tests = function.edges.iter().filter(|edge| !edge.is_fake && is_left_out(edge.to));
            let mut blocks: BTreeSet<usize> = tests.map(|edge| edge.from).collect();
            blocks.extend((0..function.blocks.len()).filter(|id| is_left_out(*id)));
            let locations = blocks.into_iter().flat_map(|id| &function.blocks[id].locations);
            locations.flat_map(|at| at.lines.iter().copied()).collect::<Vec<Line>>()
        };
        self.functions.iter().flat_map(of_function).collect()
    }

    /// `GCOV_TAG_FUNCTION` in `read_graph_file`.
    fn function(
        &mut self,
        body: &mut Reader<'_>,
        files: &mut HashMap<String, usize>,
    ) -> Result<FunctionGraph, NotesError> {
        let ident = body.word()?;
        let checksums = [body.word()?, body.word()?];
        let name = body.string()?.unwrap_or_default();
        let is_artificial = body.word()? != 0;
        let file = self.file(body.string()?, files);
        let (start, column, end) = (body.word()?, body.word()?, body.word()?);
        // gcc 9.1 does not write it.
        let end_column = if body.left() >= 4 { body.word()? } else { 0 };
        let (lines, columns) = ((start, end), (column, end_column));
        Ok(FunctionGraph {
            ident,
            checksums,
            name,
            is_artificial,
            file,
            lines,
            columns,
            ..FunctionGraph::default()
        })
    }

    /// `find_source`. A file without a name is `<unknown>` there.
    fn file(&mut self, name: Option<String>, known: &mut HashMap<String, usize>) -> usize {
        let name = name.unwrap_or_else(|| "<unknown>".to_string());
        if let Some(index) = known.get(&name) {
            return *index;
        }
        let plain = shortened(name.as_str().into()).into_string();
        let index = self.files.iter().position(|file| *file == plain).unwrap_or_else(|| {
            self.files.push(plain);
            self.files.len() - 1
        });
        known.insert(name, index);
        index
    }

    /// `GCOV_TAG_LINES`: a block, then lines and, after a zero, names of files; the end is a file without a name.
    fn read_lines(
        &mut self,
        function: &mut FunctionGraph,
        body: &mut Reader<'_>,
        files: &mut HashMap<String, usize>,
    ) -> Result<(), NotesError> {
        let id = body.index()?;
        let Some(block) = function.blocks.get_mut(id) else {
            return Err(body.damaged(format!("{} has no block {id}", function.name)));
        };
        loop {
            let line = body.word()?;
            if line == 0 {
                let Some(name) = body.string()? else { return Ok(()) };
                block.locations.push(Location { file: self.file(Some(name), files), lines: Vec::new() });
            } else if let Some(location) = block.locations.last_mut() {
                location.lines.push(line);
            } else {
                return Err(body.damaged(format!("a line of {} has no file", function.name)));
            }
        }
    }
}

impl FunctionGraph {
    /// `GCOV_TAG_BLOCKS`: the number of blocks. `limit` is the size of the file, which is larger than any right number.
    fn read_blocks(&mut self, body: &mut Reader<'_>, limit: usize) -> Result<(), NotesError> {
        let count = body.index()?;
        if count > limit || !self.blocks.is_empty() {
            return Err(body.damaged(format!("{} cannot have {count} blocks", self.name)));
        }
        self.blocks = vec![BlockNotes::default(); count];
        Ok(())
    }

    /// The blocks that gcov leaves out; all of them if the entry is among them.
    fn read_suppressed(&mut self, body: &mut Reader<'_>) -> Result<(), NotesError> {
        while body.left() >= 4 {
            let id = body.index()?;
            let size = self.blocks.len();
            let blocks = if id == 0 { 0..size } else { id.min(size)..(id + 1).min(size) };
            self.blocks[blocks].iter_mut().for_each(|block| block.is_suppressed = true);
        }
        Ok(())
    }

    /// `GCOV_TAG_ARCS`: the edges out of a block, as pairs of a block and flags.
    fn read_edges(
        &mut self,
        body: &mut Reader<'_>,
        with_edges: &mut BTreeSet<usize>,
    ) -> Result<(), NotesError> {
        let from = body.index()?;
        if from >= self.blocks.len() || !with_edges.insert(from) {
            return Err(body.damaged(format!("{} cannot have edges out of block {from}", self.name)));
        }
        while body.left() >= 8 {
            let (to, flags) = (body.index()?, body.word()?);
            if to >= self.blocks.len() {
                return Err(body.damaged(format!("{} has no block {to}", self.name)));
            }
            self.edges.push(Edge {
                from,
                to,
                is_fake: flags & FAKE != 0,
                is_fallthrough: flags & FALLTHROUGH != 0,
                counter: (flags & ON_TREE == 0).then_some(0),
            });
        }
        Ok(())
    }
}
