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
mod integers;
mod joined;
mod labels;
mod leaving;
mod loops;
mod names;
mod operands;
mod refusal;
mod source;
mod statements;
mod typed;
mod values;

use super::cases::as_labels;
use super::plain::Plain;
use super::points::Instrumented;
use super::preprocessed::Preprocessed;
use instrumenter::Instrumenter;
pub use joined::joined;
use names::Names;
pub use source::{COUNTERS, FOOTER, Uncounted, block_words};

/// Instrument `program`; `with_vectors` counts the test vectors of its decisions too. None where it is [too deep](super::Program::is_too_deep).
pub fn instrument(program: &Preprocessed, with_vectors: bool) -> Option<Instrumented> {
    let plain = Plain::of(&program.text, &program.masked());
    let masked = as_labels(&plain.text);
    let tree = program.tree(&masked)?;
    let mut names = Names::of(tree.root_node(), &masked, &program.text);
    let last_labels = plain.last_labels.values().flatten();
    names
        .labels
        .extend(last_labels.map(|label| program.text[label.clone()].trim_end_matches(':').trim_end()));
    for head in plain.heads.values() {
        names.add_old_style(&program.text[head.name.clone()], &program.text[head.range.clone()]);
    }
    let mut instrumenter = Instrumenter {
        program,
        masked: &masked,
        plain: &plain,
        names,
        with_vectors,
        inserts: Vec::new(),
        points: Vec::new(),
        tokens: Vec::new(),
        begun_elsewhere: std::collections::BTreeSet::new(),
        functions: Vec::new(),
        chains: Vec::new(),
        evaluated_lines: std::collections::BTreeSet::new(),
        counters: 0,
        function: 0,
        refusal: None,
        is_in_chain: false,
        chain: None,
        chain_depth: 0,
        all_chains: 0,
        tested: None,
        exits: 0,
        switch: None,
        labels: 0,
    };
    instrumenter.file(tree.root_node());
    Some(instrumenter.finish())
}
