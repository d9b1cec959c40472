//! Why the parser did not understand a function.

use tree_sitter::Node;

use super::super::nodes::NodeExt;
use super::super::words::one_line;

/// The first text below `node` that the parser did not understand.
pub(super) fn unparsed(node: Node<'_>, text: &str) -> String {
    let wrong = node.subtree().into_iter().find(|node| node.is_error() || node.is_missing());
    let Some(wrong) = wrong else { return "not parsed".into() };
    let from = text[..wrong.start_byte()].rfind('\n').map_or(0, |feed| feed + 1);
    let to = text[wrong.end_byte()..].find('\n').map_or(text.len(), |feed| wrong.end_byte() + feed);
    let around = one_line(&text[from..to]).chars().take(160).collect::<String>();
    let what = one_line(wrong.text(text)).chars().take(80).collect::<String>();
    if what.is_empty() {
        format!("not parsed: `{around}`")
    } else {
        format!("not parsed: `{what}` in `{around}`")
    }
}
