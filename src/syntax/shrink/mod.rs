//! Candidate edits that make a program smaller, pass by pass.
//!
//! A pass proposes edit sets over one parsed text. It does not know why the program is reduced: the caller tries the
//! candidates and keeps those that it wants. Unlike the edits of relations, these move lines, and a candidate need not
//! compile, since a compiler rejects it cheaply.

mod blanks;
mod bodies;
mod branches;
mod declarators;
mod directives;
mod expressions;
mod inline;
mod layout;
mod lists;
mod macros;
mod names;
mod old_style;
mod outline;
mod parameters;
mod pass;
mod promote;
mod returns;
mod statements;
mod text;
mod types;
mod unreferenced;

pub use branches::{inactive_branches, with_branch_marks};
pub use pass::{Pass, candidate_edits};
pub use text::EditSet;
