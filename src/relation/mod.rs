//! Metamorphic relations: variants of P, the lines that P and P' share, and what
//! is expected of their counts. One file a relation.
//!
//! A relation does not know how a difference is explained. There are three sorts: `delete`, which
//! P' is made by to test P's report, and which speaks of its edits as [`Atom`]s; those that
//! [`Rewrite`] P into programs of their own right, by [`Mutation`]s; and those that hold one report
//! against something else, and find [`Contradiction`]s. Isolation takes atoms and mutations apart.

mod constructs;
mod declare;
mod delete;
mod expand;
mod flow;
mod guard;
mod insert;
mod layout;
mod level;
mod peer;
mod place;
mod repeat;
mod rewrite;
mod truth;
mod views;

use std::collections::BTreeSet;

use rand::rngs::ChaCha8Rng;

pub use delete::Delete;
pub use flow::against_flow;
pub use peer::against_peer;
pub use rewrite::{Grounds, LineMap, Mutation, Rewrite, draw, mutant};
pub use truth::{against_truth, beyond_lines};
pub use views::against_views;

use crate::config::Settings;
use crate::coverage::Coverage;
use crate::model::{Difference, Line, Metric, RelationName, TextEdit};
use crate::syntax::{Program, StatementId};

/// The smallest edit that a relation knows: for `delete`, one statement.
pub type Atom = StatementId;

/// A set of atoms, sorted; rendered by its relation.
pub type Atoms = Vec<Atom>;

/// What one report says that contradicts something, without a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// What it contradicts.
    pub what: &'static str,
    /// Which of the report's numbers.
    pub metric: Metric,
    /// Where and how.
    pub difference: Difference,
    /// The right count, where it is not the line's.
    pub right: Option<u64>,
}

/// What a relation proposes for one program and one report.
#[derive(Clone, Debug, Default)]
pub struct Proposal {
    /// Distinct variants, the most thorough first.
    pub variants: Vec<Atoms>,
    /// Simple statements that did not run, by the report.
    pub unexecuted: Vec<StatementId>,
}

/// A metamorphic relation.
pub trait Relation: Send + Sync {
    /// Its name.
    fn name(&self) -> RelationName;

    /// Variants of `program`, given the report on it.
    fn propose(&self, program: &Program, report: &Coverage, rng: &mut ChaCha8Rng) -> Proposal;

    /// Whether `atom` may be edited, given the report on `program`.
    fn admits(&self, program: &Program, report: &Coverage, atom: Atom) -> bool;

    /// The edits that `atoms` mean together.
    fn render(&self, program: &Program, atoms: &[Atom]) -> Vec<TextEdit>;

    /// Smaller atoms whose edits together are part of what `atom` does; none if it is the smallest.
    fn refine(&self, program: &Program, atom: Atom) -> Atoms;

    /// Edits that make P die by SIGILL or SIGTRAP if what `atoms` edit runs, which the report denies.
    fn trap(&self, program: &Program, atoms: &[Atom]) -> Vec<TextEdit>;

    /// `atoms` in words.
    fn describe(&self, program: &Program, atoms: &[Atom]) -> String;
}

/// The relation of this name, if its variants test the report of P.
pub fn relation(name: RelationName, settings: &Settings) -> Option<Box<dyn Relation>> {
    match name {
        RelationName::Delete => Some(Box::new(Delete::new(settings.delete.clone()))),
        _ => None,
    }
}

/// The relation of this name, if it rewrites.
pub fn rewrite(name: RelationName) -> Option<&'static dyn Rewrite> {
    match name {
        RelationName::Insert => Some(&insert::Insert),
        RelationName::Guard => Some(&guard::Guard),
        RelationName::Declare => Some(&declare::Declare),
        RelationName::Expand => Some(&expand::Expand),
        RelationName::Repeat => Some(&repeat::Repeat),
        RelationName::Level => Some(&level::Level),
        RelationName::Layout => Some(&layout::Layout),
        RelationName::Delete
        | RelationName::Truth
        | RelationName::Flow
        | RelationName::Views
        | RelationName::Peer => None,
    }
}

/// The relations whose mutations need not know what ran.
pub const MUTATING: [RelationName; 3] = [RelationName::Layout, RelationName::Expand, RelationName::Declare];

/// The lines that `edits` touch. All others P and P' share.
pub fn touched(program: &Program, edits: &[TextEdit]) -> BTreeSet<Line> {
    let last = |edit: &TextEdit| edit.end.max(edit.start + 1) - 1;
    let lines = |edit: &TextEdit| program.line_of(edit.start)..=program.line_of(last(edit));
    edits.iter().flat_map(lines).collect()
}
