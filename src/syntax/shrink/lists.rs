//! Deleting elements of comma-separated lists: parameters, arguments, declarators, initialisers.

use tree_sitter::Node;

use super::text::Text;
use crate::model::TextEdit;
use crate::syntax::nodes::NodeExt;

/// Deletes one of several elements together with a comma. The edits of the last two elements overlap, so that a list
/// never becomes empty.
pub(super) fn delete_element(list: &[Node<'_>], index: usize) -> TextEdit {
    let node = list[index];
    TextEdit::delete(match (list.get(index + 1), index.checked_sub(1)) {
        (Some(next), _) => node.start_byte()..next.start_byte(),
        (None, Some(previous)) => list[previous].end_byte()..node.end_byte(),
        (None, None) => node.byte_range(),
    })
}

/// Keeps the first `number` elements, of which there is at least one.
pub(super) fn truncate(list: &[Node<'_>], number: usize) -> TextEdit {
    TextEdit::delete(list[number - 1].end_byte()..list[list.len() - 1].end_byte())
}

/// Deletes the elements at `indices`; `empty` replaces a list that loses all of them.
pub(super) fn delete_elements(list: &[Node<'_>], indices: &[usize], empty: &str) -> Vec<TextEdit> {
    let is_deleted = |index: &usize| indices.contains(index);
    // Elements at the end are deleted with the comma before them.
    let kept = (0..list.len()).rev().find(|index| !is_deleted(index));
    let Some(last_kept) = kept else {
        let (Some(first), Some(last)) = (list.first(), list.last()) else { return Vec::new() };
        return vec![TextEdit::replace(first.start_byte()..last.end_byte(), empty)];
    };
    let before = (0..last_kept).filter(is_deleted).map(|index| delete_element(list, index));
    let tail = (last_kept + 1 < list.len()).then(|| truncate(list, last_kept + 1));
    before.chain(tail).collect()
}

/// Deletes a declarator, or its whole declaration if it is the only one.
pub(super) fn delete_declarator(text: &Text<'_>, declaration: Node<'_>, index: usize) -> TextEdit {
    let all = declaration.fields("declarator");
    if all.len() == 1 { text.delete_with_line(declaration.byte_range()) } else { delete_element(&all, index) }
}
