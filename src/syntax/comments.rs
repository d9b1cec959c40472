//! Removes comments from a source line for line, and blanks literals.
//!
//! The preprocessor joins the text before and after a comment of several lines into one row, which then matches no line
//! of the source. The line feeds of the comment keep the rows apart; in a directive they need a backslash.

use std::ops::Range;

use super::edits::replaced;
use super::tokens::{Kind, Token, tokens, tokens_of_directive};
use super::words::is_word;
use crate::model::TextEdit;

/// Whether the assembly statement with this `text` may jump to labels of C: `asm goto`.
pub fn is_asm_goto(text: &str) -> bool {
    let text = without_comments(text);
    let head = text.split('(').next().unwrap_or_default();
    head.split_whitespace().any(|word| word == "goto" || word == "__goto__")
}

/// `source` with each comment replaced by a space and the line feeds of the comment.
pub fn without_comments(source: &str) -> String {
    let edits = comments(source).map(|(range, is_in_directive)| {
        let feeds = source[range.clone()].matches('\n').count();
        let with = if is_in_directive { "\\\n" } else { "\n" }.repeat(feeds);
        TextEdit::replace(range, format!(" {with}"))
    });
    replaced(source, &edits.collect::<Vec<_>>())
}

/// `source` with comments in directives blanked, equally long: for the parser, the text of a macro ends with its first
/// comment.
pub(super) fn without_comments_in_directives(source: &str) -> String {
    let mut bytes = source.as_bytes().to_vec();
    for (range, _) in comments(source).filter(|(_, is_in_directive)| *is_in_directive) {
        for at in range.clone() {
            bytes[at] = match bytes[at] {
                b'\n' => b'\n',
                _ if at + 1 < range.end && bytes[at + 1] == b'\n' => b'\\',
                _ => b' ',
            };
        }
    }
    String::from_utf8(bytes).expect("whole comments are blanked")
}

/// `source` with comments and literals blanked; offsets stay.
pub(super) fn blanked(source: &str) -> String {
    let mut bytes = source.as_bytes().to_vec();
    for (token, _) in all_tokens(source) {
        // The prefix of a literal stays, and one without an end is a literal too.
        let prefix = source[token.range()].find(|c| !is_word(c)).unwrap_or(token.range().len());
        let start = token.start + prefix;
        if !token.is_comment() && !source[start..].starts_with(['"', '\'']) {
            continue;
        }
        bytes[start..token.end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    String::from_utf8(bytes).expect("whole literals are blanked")
}

/// The comments of `source`, each with whether it is in a directive.
fn comments(source: &str) -> impl Iterator<Item = (Range<usize>, bool)> {
    let comments = all_tokens(source).filter(|(token, _)| token.is_comment());
    comments.map(|(token, is_in_directive)| (token.range(), is_in_directive))
}

/// The tokens of `source`, those of its directives included, each with whether it is in a directive.
fn all_tokens(source: &str) -> impl Iterator<Item = (Token, bool)> {
    tokens(source).into_iter().flat_map(|token| match token.kind {
        Kind::Directive => {
            let inside = tokens_of_directive(source, token).into_iter();
            inside.map(|token| (token, true)).collect()
        }
        _ => vec![(token, false)],
    })
}

#[cfg(test)]
mod tests {
    use super::{blanked, is_asm_goto, without_comments, without_comments_in_directives};

    #[test]
    fn a_comment_hides_no_jump_of_assembly_and_is_none() {
        assert!(is_asm_goto("asm /* ( */ goto (\"\" : : : : end);"));
        assert!(!is_asm_goto("asm /* goto */ (\"goto\");"));
    }

    #[test]
    fn comments_are_removed_and_line_feeds_stay() {
        assert_eq!(without_comments("a /* b\n c */ d // e\nf"), "a  \n d  \nf");
        assert_eq!(without_comments("#define A 1 /* x\n y */ 2\nb"), "#define A 1  \\\n 2\nb");
        assert_eq!(without_comments("// a \\\n b\nc"), " \n\nc");
        assert_eq!(without_comments("int ä; // ä\nb"), "int ä;  \nb");
    }

    #[test]
    fn a_directive_continues_after_its_comment() {
        assert_eq!(
            without_comments_in_directives("a /* b */ \n# define A /* x\n y */ 2 // ä\nb"),
            "a /* b */ \n# define A    \\\n      2      \nb"
        );
        assert_eq!(
            without_comments_in_directives("#define A { \\\n /* x */ \\\n f(); }\n"),
            "#define A { \\\n         \\\n f(); }\n"
        );
    }

    #[test]
    fn words_in_comments_and_literals_are_blanked() {
        let source = "f(\"a /* \\\" b\", 'c', L'\\''); // d 'e\n/* \" */ g; // h \\\n i\nj";
        let expected = "f(           ,    , L    );        \n        g;       \n  \nj";
        assert_eq!(blanked(source), expected);
    }

    #[test]
    fn text_in_a_string_that_looks_like_a_comment_stays() {
        let source = "char *a = \"/* \\\" */\"; int b = '\"'; /* x */ c = a /b; '\\''; \"//\"";
        assert_eq!(without_comments(source), source.replace("/* x */", " "));
    }
}
