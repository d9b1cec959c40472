//! A parsed program: its statements, functions, lines and words.

use std::collections::{BTreeMap, HashSet};

use super::lines::{line_at, line_starts};
use super::macros::Macros;
use super::parse::{empty_tree, if_shallow};
use super::statements::{Function, Group, Statement, StatementId, StatementKind};
use super::words::{Words, identifiers, words};
use super::{comments, gnu, walk};
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
    /// Whether it is nested more than [`super::DEEPEST`] levels deep; it then has no statements.
    pub is_too_deep: bool,
    pub(super) tree: tree_sitter::Tree,
    starts: Vec<usize>,
    by_line: BTreeMap<Line, Vec<StatementId>>,
    pub(super) words: Words,
    pub(super) macros: Macros,
    labels: HashSet<String>,
}

impl Program {
    /// Parse `source`. Every text has a parse; `error_nodes` counts the parts that are not C.
    pub fn parse(source: String) -> Program {
        let shallow = if_shallow(&gnu::masked(&source), &[]);
        let is_too_deep = shallow.is_none();
        let tree = shallow.unwrap_or_else(empty_tree);
        let starts = line_starts(&source);
        let found = walk::collect(&source, &starts, tree.root_node());
        let mut by_line: BTreeMap<Line, Vec<StatementId>> = BTreeMap::new();
        for (id, statement) in found.statements.iter().enumerate() {
            by_line.entry(statement.lines.0).or_default().push(StatementId::new(id));
        }
        Program {
            words: Words::of(&source),
            macros: Macros::of(&source),
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
        identifiers(&code).filter(|range| &code[range.clone()] == word).map(|range| range.start).collect()
    }

    /// Whether `word` is anywhere in `range`, comments included.
    pub fn mentions_within(&self, word: &str, range: &std::ops::Range<usize>) -> bool {
        self.words.elsewhere(word, range, &(0..0))
    }

    /// Whether a word of the text in `range` may lead to a jump: a macro that the source
    /// defines, or a label, whose address may be taken.
    pub fn may_lead_elsewhere(&self, range: &std::ops::Range<usize>) -> bool {
        words(&self.source[range.clone()])
            .any(|word| self.macros.names.contains(word) || self.labels.contains(word))
    }

    /// Whether the text in `range` uses a macro that begins or ends a block.
    pub fn has_divided_blocks(&self, range: &std::ops::Range<usize>) -> bool {
        self.macros.divide(&self.source[range.clone()])
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
                    // What a label labels follows it in source order.
                    let mut kinds = self.statements[items[at - 1].index()..].iter().map(|found| found.kind);
                    return kinds.find(|kind| *kind != StatementKind::Labeled);
                }
            }
        }
    }

    /// The function whose definition contains byte `offset`.
    pub fn function_at(&self, offset: usize) -> Option<&Function> {
        let started = self.functions.partition_point(|function| function.range.start <= offset);
        self.functions[..started].iter().rev().find(|function| offset < function.range.end)
    }

    /// The outermost of `ids`, in source order.
    pub fn outermost(&self, ids: &[StatementId]) -> Vec<StatementId> {
        let mut kept = ids.to_vec();
        kept.sort_unstable();
        // Source order puts the enclosing statement first, and kept ones do not overlap.
        kept.dedup_by(|id, last| self.holds(*last, *id));
        kept
    }

    /// Whether `line` uses a macro of this source that branches, loops or jumps, or is part of the
    /// definition of one.
    pub fn branches_by_macro(&self, line: Line) -> bool {
        self.macros.branches(line, self.line_text(line))
    }

    /// Whether the statement begins with a macro of this source.
    pub fn begins_with_macro(&self, id: StatementId) -> bool {
        let text = &self.source[self.statement(id).range.clone()];
        words(text).next().is_some_and(|word| self.macros.names.contains(word))
    }
}
