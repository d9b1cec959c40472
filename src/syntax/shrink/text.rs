//! The parsed text that a pass works on, and edits of its nodes.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use crate::model::TextEdit;
use crate::syntax::nodes::NodeExt;
use crate::syntax::parse::tree;

/// Edits that are made together; they do not overlap.
pub type EditSet = Vec<TextEdit>;

pub(super) struct Text<'a> {
    pub(super) source: &'a str,
    pub(super) tree: Tree,
}

impl<'a> Text<'a> {
    pub(super) fn parse(source: &'a str) -> Text<'a> {
        Text { source, tree: tree(source) }
    }

    /// Every node, each before its children, in source order.
    pub(super) fn nodes(&self) -> Vec<Node<'_>> {
        self.tree.root_node().subtree()
    }

    pub(super) fn of(&self, node: Node<'_>) -> &'a str {
        &self.source[node.byte_range()]
    }

    /// Deletes `range`, and its whole line if nothing else is on it.
    pub(super) fn delete_with_line(&self, range: Range<usize>) -> TextEdit {
        let (before, after) = (&self.source[..range.start], &self.source[range.end..]);
        let code = before.trim_end_matches([' ', '\t']);
        let rest = after.trim_start_matches([' ', '\t']);
        let opens_line = code.is_empty() || code.ends_with('\n');
        let line_start = if opens_line { code.len() } else { range.start };
        let end = range.end + after.len() - rest.len();
        if self.source[range.clone()].ends_with('\n') {
            TextEdit::delete(line_start..range.end)
        } else if opens_line && (rest.is_empty() || rest.starts_with('\n')) {
            TextEdit::delete(line_start..end + usize::from(!rest.is_empty()))
        } else {
            TextEdit::delete(range.start..end)
        }
    }
}

pub(super) fn replace(node: Node<'_>, with: impl Into<String>) -> TextEdit {
    TextEdit::replace(node.byte_range(), with)
}

pub(super) fn delete(node: Node<'_>) -> TextEdit {
    TextEdit::delete(node.byte_range())
}

/// Reduces `node` to `part`, which is inside it.
pub(super) fn keep_only(node: Node<'_>, part: Node<'_>) -> EditSet {
    let edits = [node.start_byte()..part.start_byte(), part.end_byte()..node.end_byte()];
    edits.into_iter().filter(|range| !range.is_empty()).map(TextEdit::delete).collect()
}

/// All edits in `each` together, if there are several, and then each alone.
pub(super) fn all_then_each(each: Vec<EditSet>) -> Vec<EditSet> {
    let all = (each.len() > 1).then(|| each.concat());
    all.into_iter().chain(each).collect()
}

/// `edits` without those that are inside a deletion; none if others overlap.
pub(super) fn without_overlap(mut edits: Vec<TextEdit>) -> Option<EditSet> {
    edits.sort_unstable_by_key(|edit| (edit.start, std::cmp::Reverse(edit.end)));
    let mut kept: EditSet = Vec::new();
    for edit in edits {
        match kept.last() {
            Some(last) if edit.start < last.end && edit.end <= last.end && last.with.is_empty() => {}
            Some(last) if edit.start < last.end => return None,
            _ => kept.push(edit),
        }
    }
    (!kept.is_empty()).then_some(kept)
}

/// Whether no two of `edits` overlap.
pub(super) fn are_disjoint(edits: &[TextEdit]) -> bool {
    let mut sorted: Vec<&TextEdit> = edits.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0].end <= pair[1].start)
}

/// Whether `outer` contains `inner`.
pub(super) fn contains(outer: Node<'_>, inner: Node<'_>) -> bool {
    outer.start_byte() <= inner.start_byte() && inner.end_byte() <= outer.end_byte()
}
