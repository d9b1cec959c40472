//! What no compiler sees: comments, empty statements, and blank lines.

use super::statements::is_statement;
use super::{EditSet, Text, put};
use crate::model::TextEdit;

/// All comments at once, then each.
pub(super) fn comments(text: &Text<'_>) -> Vec<EditSet> {
    let comments = text.nodes().into_iter().filter(|node| node.kind() == "comment");
    // A comment parts two tokens.
    let each: Vec<EditSet> = comments.map(|node| vec![put(node, " ")]).collect();
    let all: EditSet = each.iter().flatten().cloned().collect();
    std::iter::once(all).chain(each).filter(|shrink| !shrink.is_empty()).collect()
}

/// Blank lines and the spaces at the ends of lines: all at once, then each.
pub(super) fn blanks(text: &Text<'_>) -> Vec<EditSet> {
    let mut each: Vec<EditSet> = Vec::new();
    let mut at = 0;
    for line in text.source.split_inclusive('\n') {
        let kept = line.trim_end();
        let (start, end) = if kept.is_empty() {
            (at, at + line.len())
        } else {
            (at + kept.len(), at + line.trim_end_matches(['\n', '\r']).len())
        };
        // A backslash at the end of a line joins the next one to it.
        let joined = text.source[..at].trim_end_matches(['\n', '\r']).ends_with('\\');
        if start < end && !joined {
            each.push(vec![TextEdit { start, end, with: String::new() }]);
        }
        at += line.len();
    }
    let all: EditSet = each.iter().flatten().cloned().collect();
    std::iter::once(all).chain(each).filter(|shrink| !shrink.is_empty()).collect()
}

/// A line break before each statement, and before each arm of an operator, that does not begin a line.
pub(super) fn breaks(text: &Text<'_>) -> Vec<EditSet> {
    let nodes = text.nodes().into_iter().filter(|node| {
        let in_sequence = node.parent().is_some_and(|parent| parent.kind() != "function_definition");
        is_statement(*node) && in_sequence && node.kind() != "else_clause"
    });
    let begins_line =
        |at: usize| text.source[..at].rsplit('\n').next().is_some_and(|front| front.trim().is_empty());
    let starts = nodes.map(|node| node.start_byte()).filter(|at| !begins_line(*at));
    starts.map(|at| vec![TextEdit { start: at, end: at, with: "\n".into() }]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, candidate_edits, replaced};

    #[test]
    fn comments_and_blank_lines_go_all_at_once() {
        let source = "int a; // one\n\n  \nint b; /* two\n */ int c;\n";
        let shrink = &candidate_edits(source, Pass::Comments)[0];
        assert_eq!(replaced(source, shrink), "int a;  \n\n  \nint b;   int c;\n");
        let shrink = &candidate_edits(source, Pass::Blanks)[0];
        assert_eq!(replaced(source, shrink), "int a; // one\nint b; /* two\n */ int c;\n");
    }
}
