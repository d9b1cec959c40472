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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub pass: Pass,
    pub grouping: Grouping,
}

/// A sequence of passes.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    pub steps: &'static [Step],
    /// Whether they are repeated until none changes the program.
    pub repeated: bool,
}

const fn step(pass: Pass, grouping: Grouping) -> Step {
    Step { pass, grouping }
}

use Grouping::{Halves, Singles, Whole};

/// Large and cheap deletions first: a few tests show what is not needed.
const OPENING: &[Step] = &[
    step(Pass::Comments, Whole),
    step(Pass::OldStyle, Whole),
    step(Pass::Layout, Whole),
    step(Pass::Unreferenced, Whole),
    step(Pass::Directives, Halves),
    step(Pass::Statements, Halves),
    step(Pass::Unreferenced, Whole),
    step(Pass::Blanks, Whole),
];

/// All passes, until none of them changes anything.
const ROUND: &[Step] = &[
    step(Pass::Directives, Singles),
    step(Pass::Statements, Singles),
    step(Pass::Unwrap, Singles),
    step(Pass::Returns, Singles),
    step(Pass::Parameters, Singles),
    step(Pass::Promote, Singles),
    step(Pass::Inline, Singles),
    step(Pass::Unreferenced, Whole),
    step(Pass::Declarators, Singles),
    step(Pass::Settle, Singles),
    step(Pass::Expand, Singles),
    step(Pass::Expressions, Singles),
    step(Pass::Types, Singles),
    step(Pass::Constants, Singles),
    step(Pass::Names, Whole),
    step(Pass::Layout, Whole),
    step(Pass::Blanks, Whole),
];

/// The schedule of `recount reduce`.
pub const SCHEDULE: &[Stage] =
    &[Stage { steps: OPENING, repeated: false }, Stage { steps: ROUND, repeated: true }];
