//! In which order a program is made smaller: data, so that it can be read and measured.

use crate::syntax::Pass;

/// How the candidates of a pass are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// As many as can go together at once, then halves: where most will go.
    Halves,
    /// One after the other: where most will stay, or exclude each other.
    Singles,
    /// The first, which is all others together; where it is not accepted, the others one by one.
    Whole,
}

/// One pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is tried.
    pub pass: Pass,
    /// How.
    pub grouping: Grouping,
}

/// Passes that follow each other.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// The passes.
    pub steps: &'static [Step],
    /// Whether they are repeated until none changes the program.
    pub repeated: bool,
}

const fn step(pass: Pass, grouping: Grouping) -> Step {
    Step { pass, grouping }
}

use Grouping::{Halves, Singles, Whole};

/// The cheap and large first: what a few tests show not to be needed.
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

/// Everything, until nothing more goes.
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

/// The schedule that `recount reduce` works by.
pub const SCHEDULE: &[Stage] =
    &[Stage { steps: OPENING, repeated: false }, Stage { steps: ROUND, repeated: true }];
