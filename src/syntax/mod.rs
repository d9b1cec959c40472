//! C source: parse, statements, what may be removed, edits. The only user of
//! tree-sitter; it knows nothing of profilers and counts.
//!
//! One read-only [`Program`] is parsed once. Variants are sets of edits over it,
//! rendered on demand, and never move a line.

mod arguments;
mod boolean;
mod comments;
mod depth;
mod edits;
mod entries;
mod gnu;
mod instrument;
mod linkage;
mod macros;
mod memory;
mod nodes;
mod place;
mod points;
mod preprocessed;
mod probes;
mod reflow;
mod removable;
mod scope;
mod shrink;
mod statements;
mod values;
mod walk;
mod words;

pub use boolean::BooleanExpr;
pub use comments::without_comments;
pub use depth::DEEPEST;
pub use edits::{render, replaced};
pub use instrument::instrument;
pub use linkage::FileScope;
pub use memory::share_allocator;
pub use place::{Site, SiteKind};
pub use points::{
    Chain, Counter, Instrumented, InstrumentedFunction, Point, PointId, PointKind, PointToken, TokenKind,
};
pub use preprocessed::{Preprocessed, without_places};
pub use reflow::Break;
pub use scope::{Integer, Scopes};
pub use shrink::{EditSet, Pass, candidate_edits};
pub use statements::{Function, Group, Slot, Statement, StatementId, StatementKind};
pub use values::values;

/// What the input search needs, and nothing else uses: the functions and programs that can be run with numbers, and
/// probes that report the operands of conditions.
pub mod search {
    pub use super::entries::{Cell, Entry, MainProgram, Unsupported, entries, main_program};
    pub use super::probes::{
        Case, Comparison, Condition, Decision, ProbeOptions, Probes, Switch, prelude, probe,
    };
}

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};

use crate::model::Line;

/// A parsed C program.
#[derive(Debug)]
pub struct Program {
    /// The source.
    pub source: String,
    /// Every statement, in source order; an enclosing statement precedes those that it contains.
    pub statements: Vec<Statement>,
    /// Sequences of statements that can become empty.
    pub groups: Vec<Group>,
    /// Function definitions, in source order.
    pub functions: Vec<Function>,
    /// Nodes that tree-sitter could not parse.
    pub error_nodes: usize,
    /// Whether it is nested more than [`DEEPEST`] levels deep; it then has no statements.
    pub is_too_deep: bool,
    tree: tree_sitter::Tree,
    starts: Vec<usize>,
    by_line: BTreeMap<Line, Vec<StatementId>>,
    words: words::Words,
    macros: macros::Macros,
    labels: HashSet<String>,
}

impl Program {
    /// Parse `source`. Every text has a parse; `error_nodes` counts the parts that are not C.
    pub fn parse(source: String) -> Program {
        let masked = gnu::masked(&source);
        let (tree, is_too_deep) = match if_shallow(&masked) {
            Some(tree) => (tree, false),
            None => (parsed("", &[]), true),
        };
        let starts = line_starts(&source);
        let found = walk::collect(&source, &starts, tree.root_node());
        let mut by_line: BTreeMap<Line, Vec<StatementId>> = BTreeMap::new();
        for (id, statement) in found.statements.iter().enumerate() {
            by_line.entry(statement.lines.0).or_default().push(StatementId::new(id));
        }
        Program {
            words: words::Words::of(&source),
            macros: macros::Macros::of(&source),
            labels: found.statements.iter().flat_map(|found| found.labels.iter().cloned()).collect(),
            statements: found.statements,
            groups: found.groups,
            functions: found.functions,
            error_nodes: found.error_nodes,
            is_too_deep,
            tree,
            starts,
            by_line,
            source,
        }
    }

    /// The statement with this id.
    pub fn statement(&self, id: StatementId) -> &Statement {
        &self.statements[id.index()]
    }

    /// All ids, in source order.
    pub fn ids(&self) -> impl Iterator<Item = StatementId> + use<> {
        (0..self.statements.len()).map(StatementId::new)
    }

    /// Number of lines; a last line without a line feed counts.
    pub fn line_count(&self) -> Line {
        Line::try_from(self.starts.len()).unwrap_or(Line::MAX)
    }

    /// The line that byte `offset` is on.
    pub fn line_of(&self, offset: usize) -> Line {
        line_at(&self.starts, offset)
    }

    /// The text of a line, without its line feed; empty beyond the end.
    pub fn line_text(&self, line: Line) -> &str {
        let n = line as usize;
        let Some(&start) = n.checked_sub(1).and_then(|i| self.starts.get(i)) else { return "" };
        let end = self.starts.get(n).map_or(self.source.len(), |next| next - 1);
        self.source[start..end.max(start)].trim_end_matches(['\r', '\n'])
    }

    /// The offset at which `line` begins; none beyond the end.
    pub fn line_start(&self, line: Line) -> Option<usize> {
        self.starts.get((line as usize).checked_sub(1)?).copied()
    }

    /// The statements that begin on `line`, outermost first.
    pub fn starting_on(&self, line: Line) -> &[StatementId] {
        self.by_line.get(&line).map_or(&[], Vec::as_slice)
    }

    /// Whether `word` is anywhere in the source, comments included.
    pub fn mentions(&self, word: &str) -> bool {
        self.words.has(word)
    }

    /// The offsets of `word` outside of comments and literals, in bytes.
    pub fn in_code(&self, word: &str) -> Vec<usize> {
        if !self.mentions(word) {
            return Vec::new();
        }
        let code = comments::blanked(&self.source);
        words::identifiers(&code)
            .filter(|range| &code[range.clone()] == word)
            .map(|range| range.start)
            .collect()
    }

    /// Whether `word` is anywhere in `range`, comments included.
    pub fn mentions_within(&self, word: &str, range: &std::ops::Range<usize>) -> bool {
        self.words.elsewhere(word, range, &(0..0))
    }

    /// Whether a word of the text in `range` may lead to a jump: a macro that the source
    /// defines, or a label, whose address may be taken.
    pub fn may_lead_elsewhere(&self, range: &std::ops::Range<usize>) -> bool {
        let mut words = self.source[range.clone()].split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| self.macros.names.contains(word) || self.labels.contains(word))
    }

    /// Whether `outer` is `inner` or contains it.
    pub fn holds(&self, outer: StatementId, inner: StatementId) -> bool {
        let (outer, inner) = (&self.statement(outer).range, &self.statement(inner).range);
        outer.start <= inner.start && inner.end <= outer.end
    }

    /// The statements inside `outer`, in source order.
    pub fn inside(&self, outer: StatementId) -> impl Iterator<Item = StatementId> {
        self.ids().skip_while(move |id| *id <= outer).take_while(move |id| self.holds(outer, *id))
    }

    /// The kind of the statement right before `id`: in its sequence, or, for the first of a
    /// block, before the block. A label counts as the statement that it labels.
    pub fn before(&self, id: StatementId) -> Option<StatementKind> {
        let mut id = id;
        loop {
            let statement = self.statement(id);
            let items = &self.groups[statement.group?].items;
            match items.iter().position(|item| *item == id)? {
                0 => id = statement.parent.filter(|id| self.statement(*id).kind == StatementKind::Block)?,
                at => {
                    let mut previous = items[at - 1];
                    while self
                        .statements
                        .get(previous.index())
                        .is_some_and(|found| found.kind == StatementKind::Labeled)
                    {
                        // What a label labels follows it in source order.
                        previous = StatementId::new(previous.index() + 1);
                    }
                    return self.statements.get(previous.index()).map(|found| found.kind);
                }
            }
        }
    }

    /// The function whose definition contains byte `offset`.
    pub fn function_at(&self, offset: usize) -> Option<&Function> {
        let behind = self.functions.partition_point(|function| function.range.start <= offset);
        self.functions[..behind].iter().rev().find(|function| offset < function.range.end)
    }

    /// The outermost of `ids`, in source order.
    pub fn outermost(&self, ids: &[StatementId]) -> Vec<StatementId> {
        let mut sorted = ids.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let mut kept: Vec<StatementId> = Vec::with_capacity(sorted.len());
        for id in sorted {
            // Source order puts the enclosing statement first, and kept ones do not overlap.
            if kept.last().is_none_or(|&last| !self.holds(last, id)) {
                kept.push(id);
            }
        }
        kept
    }
}

/// The tree of `source`, whose offsets are those of the source.
fn tree(source: &str) -> tree_sitter::Tree {
    if_shallow(&gnu::masked(source)).unwrap_or_else(empty_tree)
}

/// The tree that replaces that of a text that is [too deep](Program::is_too_deep).
fn empty_tree() -> tree_sitter::Tree {
    parsed("", &[])
}

/// The tree of `text`; none where it would be [too deep](Program::is_too_deep).
fn if_shallow(text: &str) -> Option<tree_sitter::Tree> {
    if_shallow_within(text, &[])
}

/// The same of what is in `ranges` of `text`, in order; all of it where there are none.
fn if_shallow_within(text: &str, ranges: &[tree_sitter::Range]) -> Option<tree_sitter::Tree> {
    Some(parsed(text, ranges)).filter(|tree| !depth::is_deep(tree))
}

fn parsed(text: &str, ranges: &[tree_sitter::Range]) -> tree_sitter::Tree {
    thread_local! {
        /// One per thread, since it keeps the memory in which it parses.
        static PARSER: RefCell<tree_sitter::Parser> = RefCell::new(parser());
    }
    PARSER.with_borrow_mut(|parser| {
        parser.set_included_ranges(ranges).expect("the ranges are in order");
        parser.parse(text, None).expect("a language is set and nothing cancels")
    })
}

/// A parser of C.
fn parser() -> tree_sitter::Parser {
    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(&tree_sitter_c::LANGUAGE.into())
        .expect("tree-sitter and tree-sitter-c are built for each other");
    parser
}

/// Byte offsets at which lines begin.
fn line_starts(source: &str) -> Vec<usize> {
    let after_feeds = source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(i, _)| i + 1);
    let mut starts: Vec<usize> = std::iter::once(0).chain(after_feeds).collect();
    if source.is_empty() || source.ends_with('\n') {
        starts.pop();
    }
    starts
}

fn line_at(starts: &[usize], offset: usize) -> Line {
    Line::try_from(starts.partition_point(|&start| start <= offset)).unwrap_or(Line::MAX)
}
