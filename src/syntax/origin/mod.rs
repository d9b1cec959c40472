//! Where each token of a preprocessed program was typed in our file, and which macros it went through.
//!
//! llvm-cov counts at the position where a token was typed, gcov at the name of the outermost macro. Both are known only
//! to the preprocessor, so the file is expanded here once more. The result is compared with the compiler's output token by
//! token: a row of which a token differs has no origins, so an origin is never a guess.

mod check;
mod definition;
mod expander;
mod reader;
mod substitute;
#[cfg(test)]
mod tests;
mod typed;
mod word;

use std::ops::RangeInclusive;

pub use check::Rows;

use crate::model::Line;

/// A position in our file; the column is a byte of the line, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: Line,
    pub column: u32,
}

/// Where a macro is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefinedIn {
    /// In our file, by the directive that begins on this line.
    Ours(Line),
    Header,
    SystemHeader,
    /// By the compiler or its command line.
    Compiler,
}

/// A `#define` or `#undef` of the preprocessor's output.
#[derive(Clone, Debug)]
pub struct MacroDirective {
    /// The row of the output.
    pub row: usize,
    pub text: String,
    pub defined: DefinedIn,
    /// The number of the file of the user that it is in, and its first line there.
    pub place: Option<(usize, Line)>,
}

/// `text` with empty rows instead of definitions of macros, and these.
pub fn without_directives(text: String) -> (String, Vec<MacroDirective>) {
    let is_directive = |row: &str| row.starts_with("#define ") || row.starts_with("#undef ");
    let mut directives = Vec::new();
    if !text.lines().any(is_directive) {
        return (text, directives);
    }
    let mut kept = String::with_capacity(text.len());
    for (number, row) in text.split_inclusive('\n').enumerate() {
        if is_directive(row) {
            let text = row.trim_end().into();
            directives.push(MacroDirective { row: number, text, defined: DefinedIn::Header, place: None });
            kept.push_str(if row.ends_with('\n') { "\n" } else { "" });
        } else {
            kept.push_str(row);
        }
    }
    (kept, directives)
}

/// The index of a [`Level`].
pub type LevelId = usize;

/// A text that takes the place of another: the body of a macro that of its name, or an argument that of a parameter.
/// clang has an entry of its source manager for each, and llvm-cov a file for each expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    pub kind: LevelKind,
    /// Where in our file the macro's name or the parameter was typed. None if that is another file, or if `##` made the name.
    pub position: Option<Position>,
    /// The same in any file of the user whose text is known.
    pub named_at: Option<Position>,
    /// The text that contains the name or the parameter; none for the code of our file.
    pub inside: Option<LevelId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LevelKind {
    Expansion {
        name: String,
        defined: DefinedIn,
    },
    Argument {
        /// The text in which the argument was typed; none for the code of our file.
        typed_in: Option<LevelId>,
    },
}

/// Where a token comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The token's first byte in the preprocessed text.
    pub offset: usize,
    /// Where it was typed. None if that is another file, or if `#`, `##` or a built-in macro made the token.
    pub spelling: Option<Position>,
    /// For a token that `#` or `##` made: where the `#` or the left operand of `##` was typed in the body of the macro, which is
    /// where clang places it there (`StringifyArgument` in TokenLexer.cpp, `TokenLexer::pasteTokens`).
    pub made_at: Option<Position>,
    /// The text to which it belongs; none for the code of our file.
    pub level: Option<LevelId>,
}

/// The origins of a preprocessed program.
#[derive(Debug, Default)]
pub struct Origins {
    /// In the order of the text.
    pub tokens: Vec<Origin>,
    pub levels: Vec<Level>,
    /// The macros that our file defines: the name, and the lines of the directive.
    pub definitions: Vec<(String, RangeInclusive<Line>)>,
    /// The number of tokens of our file that have no origin, and of those of other files of the user.
    pub unknown: usize,
    pub unknown_elsewhere: usize,
}

impl Origins {
    /// The origin of the token that begins at byte `offset` of the preprocessed text.
    pub fn at(&self, offset: usize) -> Option<&Origin> {
        let found = self.tokens.binary_search_by_key(&offset, |origin| origin.offset);
        found.ok().map(|index| &self.tokens[index])
    }

    /// The texts that contain `level`, from itself to the outermost one.
    pub fn chain(&self, level: Option<LevelId>) -> impl Iterator<Item = (LevelId, &Level)> {
        std::iter::successors(level, |id| self.levels[*id].inside).map(|id| (id, &self.levels[id]))
    }

    /// The outermost expansion: two expansions of one macro differ in their ids.
    pub fn expansion(&self, origin: &Origin) -> Option<(LevelId, &Level)> {
        self.chain(origin.level).last()
    }

    /// Where the compiler places the token: at the name of the outermost macro, or where it was typed.
    pub fn position(&self, origin: &Origin) -> Option<Position> {
        self.expansion(origin).map_or(origin.spelling, |(_, level)| level.position)
    }

    /// The text in which the token was typed: the body of the macro of this expansion. None for the code of our file.
    pub fn typed_in(&self, origin: &Origin) -> Option<LevelId> {
        self.outside_arguments(origin.level)
    }

    /// The text in which the tokens of `level` were typed.
    pub fn outside_arguments(&self, mut level: Option<LevelId>) -> Option<LevelId> {
        while let Some(LevelKind::Argument { typed_in }) = level.map(|id| &self.levels[id].kind) {
            level = *typed_in;
        }
        level
    }

    /// Where clang places what begins with a token of an argument: at the parameter, in the body of the macro that replaces
    /// it (`CounterCoverageMappingBuilder::getStart` in CoverageMappingGen.cpp). None for other tokens, and if the macro
    /// is in another file.
    pub fn parameter(&self, origin: &Origin) -> Option<(Position, LevelId)> {
        self.parameter_of(origin.level)
    }

    /// The same for the name of a macro that was expanded in the text `level`: an argument may be the name of a macro whose
    /// arguments are in the body.
    pub fn parameter_of(&self, level: Option<LevelId>) -> Option<(Position, LevelId)> {
        let mut level = level?;
        let mut position = None;
        while matches!(self.levels[level].kind, LevelKind::Argument { .. }) {
            position = self.levels[level].position;
            level = self.levels[level].inside?;
        }
        Some((position?, level))
    }

    /// Whether the token is part of an argument of a macro, or was made of one. The text of a macro whose name was an argument
    /// is none.
    pub fn is_argument(&self, origin: &Origin) -> bool {
        origin.level.is_some_and(|level| matches!(self.levels[level].kind, LevelKind::Argument { .. }))
    }

    /// Whether tokens of `level` were typed among the arguments of a macro that is named in the same text, or of what is replaced by
    /// its name there: a parameter, or another macro.
    pub fn is_among_arguments(&self, level: Option<LevelId>) -> bool {
        let text = self.outside_arguments(level);
        let arguments = std::iter::successors(level, |id| match self.levels[*id].kind {
            LevelKind::Argument { typed_in } => typed_in,
            LevelKind::Expansion { .. } => None,
        });
        arguments.map(|id| &self.levels[id]).any(|level| {
            let is_argument = matches!(level.kind, LevelKind::Argument { .. });
            let name_in = level.inside.and_then(|expansion| self.levels[expansion].inside);
            let outer = self.chain(name_in).map(|(_, outer)| outer.inside);
            let mut texts = std::iter::once(name_in).chain(outer).map(|level| self.outside_arguments(level));
            is_argument && texts.any(|of_name| of_name == text)
        })
    }

    /// The expansions of the macro whose definition in our file begins on `line`.
    pub fn expansions(&self, line: Line) -> impl Iterator<Item = LevelId> {
        let is_of = move |level: &Level| matches!(level.kind, LevelKind::Expansion { defined, .. } if defined == DefinedIn::Ours(line));
        (0..).zip(&self.levels).filter(move |(_, level)| is_of(level)).map(|(id, _)| id)
    }
}
