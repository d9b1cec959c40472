//! Why a function is left out: tests list the reasons, so that none of them goes unnoticed.

use tree_sitter::Node;

use super::super::nodes::NodeExt;
use super::super::words::one_line;

/// A function that cannot be instrumented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Its name, which may be empty.
    pub function: String,
    /// What is not understood, and the text around it.
    pub reason: String,
}

/// The first text below `node` that the parser did not understand.
pub(super) fn unparsed(node: Node<'_>, text: &str) -> String {
    let wrong = node.subtree().into_iter().find(|node| node.is_error() || node.is_missing());
    let Some(wrong) = wrong else { return "not parsed".into() };
    let lines = |at: usize, number: usize, forward: bool| {
        let ends = text.char_indices().filter(|(_, c)| *c == '\n').map(|(offset, _)| offset);
        if forward {
            ends.filter(|end| *end >= at).nth(number).unwrap_or(text.len())
        } else {
            ends.filter(|end| *end < at).last().map_or(0, |end| end + 1)
        }
    };
    let (from, to) = (lines(wrong.start_byte(), 0, false), lines(wrong.end_byte(), 0, true));
    let around = one_line(&text[from..to]).chars().take(160).collect::<String>();
    let what = one_line(wrong.text(text)).chars().take(80).collect::<String>();
    format!("not parsed: `{what}` in `{around}`")
}
