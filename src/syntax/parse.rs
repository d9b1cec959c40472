//! The parser: from a text to its tree, unless the tree is too deep.

use std::cell::RefCell;

use tree_sitter::{Parser, Range, Tree};

use super::{depth, gnu};

/// The tree of `source`, whose offsets are those of the source.
pub(super) fn tree(source: &str) -> Tree {
    if_shallow(&gnu::masked(source), &[]).unwrap_or_else(empty_tree)
}

/// The tree that replaces that of a text that is [too deep](super::Program::is_too_deep).
pub(super) fn empty_tree() -> Tree {
    parsed("", &[])
}

/// The tree of what is in `ranges` of `text`, in order, or of all of it where there are none; none if it would be
/// [too deep](super::Program::is_too_deep).
pub(super) fn if_shallow(text: &str, ranges: &[Range]) -> Option<Tree> {
    Some(parsed(text, ranges)).filter(|tree| !depth::is_deep(tree))
}

fn parsed(text: &str, ranges: &[Range]) -> Tree {
    thread_local! {
        /// One per thread, since it keeps the memory in which it parses.
        static PARSER: RefCell<Parser> = RefCell::new(parser());
    }
    PARSER.with_borrow_mut(|parser| {
        parser.set_included_ranges(ranges).expect("the ranges are in order");
        parser.parse(text, None).expect("a language is set, and parsing is never cancelled")
    })
}

/// A parser of C.
fn parser() -> Parser {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_c::LANGUAGE.into())
        .expect("tree-sitter and tree-sitter-c are built for each other");
    parser
}
