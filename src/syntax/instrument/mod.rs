//! The instrumenter: turns a preprocessed program into one that counts its points.
//!
//! All edits are insertions: an increment before a statement (in braces where there is room for one statement only), after
//! a label, at the head of a block, and before the step of a `for`; and around a condition, where `C` becomes
//! `(!!(C)?(t++,1):(f++,0))`. So every operand is evaluated once, in its order, and no expression changes whose type or
//! value is used: the arms of `?:` are counted by the outcomes of its condition, since `(n++,0)` is no null pointer.
//! Constant expressions (sizes, `case`s, `sizeof`, `__builtin_constant_p`) are not edited.

mod constants;
mod decisions;
mod expressions;
mod functions;
mod instrumenter;
mod names;
mod source;
mod statements;

use super::cases::as_labels;
use super::points::Instrumented;
use super::preprocessed::Preprocessed;
use instrumenter::Instrumenter;
use names::Names;
pub use source::{FOOTER, Uncounted, block_words};

/// Instrument `program`; `with_vectors` counts the test vectors of its decisions too. None where it is [too deep](super::Program::is_too_deep).
pub fn instrument(program: &Preprocessed, with_vectors: bool) -> Option<Instrumented> {
    let masked = as_labels(&program.masked());
    let tree = program.tree(&masked)?;
    let mut instrumenter = Instrumenter {
        program,
        masked: &masked,
        names: Names::of(tree.root_node(), &masked),
        with_vectors,
        inserts: Vec::new(),
        points: Vec::new(),
        tokens: Vec::new(),
        functions: Vec::new(),
        chains: Vec::new(),
        counters: 0,
        function: 0,
        has_failed: false,
        chain: None,
        exits: 0,
        switch: None,
        labels: 0,
    };
    instrumenter.file(tree.root_node());
    Some(instrumenter.finish())
}
