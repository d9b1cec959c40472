//! Departures: places where control leaves or comes back, although the counts that clang derives assume that it does not.
//!
//! clang derives most counts from others: what enters a statement also leaves it at its end, unless a jump that it visits
//! or a call of a function that never returns ends the region. Ground truth says where that is false.

use crate::model::Line;
use crate::syntax::PointId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A call that returned more often than it was made.
    SecondReturn,
    /// A computed `goto`.
    ComputedGoto,
    /// An `asm goto`.
    AsmGoto,
    /// A jump out of a statement expression.
    JumpOut,
    /// A `break` or `continue` that names another statement than the innermost one.
    NamedJump,
    /// A call that did not return.
    NoReturn,
}

/// A place where control left or came back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Departure {
    pub kind: Kind,
    /// The call or the jump, or the part of the program that it is in.
    pub point: PointId,
    /// For a jump out of a statement expression, or a call in one that clang knows not to return: what that is in.
    pub around: PointId,
    pub function: usize,
    pub span: Span,
    /// How often it happened; none if that is unknown.
    pub times: Option<u64>,
}

impl Departure {
    /// Whether it can make counts too low.
    pub fn adds(&self) -> bool {
        matches!(self.kind, Kind::SecondReturn | Kind::NamedJump)
    }

    /// Whether it can make counts too high.
    pub fn removes(&self) -> bool {
        self.kind != Kind::SecondReturn
    }

    /// It in words.
    pub fn words(&self) -> &'static str {
        match self.kind {
            Kind::SecondReturn => "call that returns twice",
            Kind::ComputedGoto => "computed goto",
            Kind::AsmGoto => "asm goto",
            Kind::JumpOut => "jump out of a statement expression",
            Kind::NamedJump => "jump with a name",
            Kind::NoReturn => "call that does not return",
        }
    }
}

/// Where a point is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// The offset of its first token in the preprocessed text.
    pub first: usize,
    /// The offset of its last token.
    pub last: usize,
    pub line: Line,
    pub column: Option<u32>,
}
