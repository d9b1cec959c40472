//! Comments, blank lines and line breaks: changes that the compiler does not see.

use super::statements::is_statement;
use super::text::{EditSet, Text, all_then_each, replace};
use crate::model::TextEdit;

pub(super) fn comments(text: &Text<'_>) -> Vec<EditSet> {
    let comments = text.nodes().into_iter().filter(|node| node.kind() == "comment");
    // A comment separates two tokens.
    all_then_each(comments.map(|node| vec![replace(node, " ")]).collect())
}

/// Blank lines, and spaces at the ends of lines.
pub(super) fn blanks(text: &Text<'_>) -> Vec<EditSet> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.source.split_inclusive('\n') {
        let kept = line.trim_end();
        let end = if kept.is_empty() { line.len() } else { line.trim_end_matches(['\n', '\r']).len() };
        // A backslash at the end of a line joins the next line to it.
        let is_joined = text.source[..at].trim_end_matches(['\n', '\r']).ends_with('\\');
        if kept.len() < end && !is_joined {
            found.push(vec![TextEdit::delete(at + kept.len()..at + end)]);
        }
        at += line.len();
    }
    all_then_each(found)
}

/// A line break before each statement, that does not begin a line.
pub(super) fn breaks(text: &Text<'_>) -> Vec<EditSet> {
    let statements = text.nodes().into_iter().filter(|node| {
        let is_body = node.parent().is_none_or(|parent| parent.kind() == "function_definition");
        is_statement(*node) && !is_body && node.kind() != "else_clause"
    });
    let begins_line =
        |at: usize| text.source[..at].rsplit('\n').next().is_some_and(|before| before.trim().is_empty());
    let starts = statements.map(|node| node.start_byte()).filter(|at| !begins_line(*at));
    starts.map(|at| vec![TextEdit::insert(at, "\n")]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Pass;
    use super::super::pass::tests::texts;

    #[test]
    fn all_comments_and_all_blank_lines_can_be_deleted_at_once() {
        let source = "int a; // one\n\n  \nint b; /* two\n */ int c;\n";
        assert_eq!(texts(source, Pass::Comments)[0], "int a;  \n\n  \nint b;   int c;\n");
        assert_eq!(texts(source, Pass::Blanks)[0], "int a; // one\nint b; /* two\n */ int c;\n");
    }
}
