//! A token while macros are expanded.

use std::rc::Rc;

use super::LevelId;
use crate::model::Line;

/// A byte of one of the program's files. File 0 is ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: usize,
    pub offset: usize,
}

/// What a token is, as far as expansion needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Word,
    Other,
    /// A string made by `#`.
    AnyString,
    /// A token whose text is unknown: the value of a built-in macro, or something made of it.
    Any,
}

#[derive(Clone, Debug)]
pub struct Word {
    pub text: Rc<str>,
    pub form: Form,
    /// None if the text of the file is not known.
    pub typed: Option<Place>,
    /// For a token that `#` or `##` made: where the `#` or the left operand of `##` was typed in the body of the macro.
    pub made_at: Option<Place>,
    pub level: Option<LevelId>,
    /// The line of the token, or of the outermost macro's name.
    pub line: Line,
    pub is_never_expanded: bool,
    pub begins_line: bool,
}

pub type Words = Vec<Word>;
