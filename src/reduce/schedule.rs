//! The order of the passes: data, so that it can be read and measured.

use crate::syntax::Pass;

/// How the candidates of a pass are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// As many as possible at once, then halves: for passes most of whose candidates are accepted.
    Halves,
    /// One after the other: for passes most of whose candidates are rejected, or exclude each other.
    Singles,
    /// The first, which is all others together; if it is not accepted, the others one by one.
    Whole,
}

pub type Step = (Pass, Grouping);

/// A sequence of passes.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    pub steps: &'static [Step],
    /// Whether they are repeated until none changes the program.
    pub repeated: bool,
}

use Grouping::{Halves, Singles, Whole};

/// Large and cheap deletions first: a few tests show what is not needed. A test of a long program takes several times as
/// long as one of a short program.
const OPENING: &[Step] = &[
    (Pass::Comments, Whole),
    (Pass::OldStyle, Whole),
    (Pass::Layout, Whole),
    (Pass::Expand, Singles),
    (Pass::Unreferenced, Halves),
    (Pass::Bodies, Halves),
    (Pass::Unreferenced, Halves),
    (Pass::Directives, Halves),
    (Pass::Statements, Halves),
    (Pass::Expressions, Halves),
    (Pass::Unreferenced, Halves),
    (Pass::Declarators, Halves),
    (Pass::Unreferenced, Halves),
    (Pass::Inline, Halves),
    (Pass::Blanks, Whole),
];

/// All passes, until none of them changes anything.
const ROUND: &[Step] = &[
    (Pass::Directives, Singles),
    (Pass::Statements, Singles),
    (Pass::Unwrap, Singles),
    (Pass::Returns, Singles),
    (Pass::Parameters, Singles),
    (Pass::Promote, Singles),
    (Pass::Inline, Singles),
    (Pass::Unreferenced, Halves),
    (Pass::Declarators, Singles),
    (Pass::Settle, Singles),
    (Pass::Expand, Singles),
    (Pass::Expressions, Singles),
    (Pass::Types, Singles),
    (Pass::Constants, Singles),
    (Pass::Names, Whole),
    (Pass::Layout, Whole),
    (Pass::Blanks, Whole),
];

/// The schedule of `recount reduce`.
pub const SCHEDULE: &[Stage] =
    &[Stage { steps: OPENING, repeated: false }, Stage { steps: ROUND, repeated: true }];
