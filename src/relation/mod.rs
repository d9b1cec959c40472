//! Metamorphic relations: variants of a program, the lines that program and variant share, and the counts that these
//! lines must have. One file a relation.
//!
//! There are three kinds. [`Delete`] removes statements that, by the report, did not run, and expects the same report.
//! The relations in [`mutations`] make a separate program, by [`Mutation`]s of the text, the flags or the number of
//! runs; its report is then compared with its own ground truth. The others have no variant: they compare one report
//! with something else and return [`Contradiction`]s. Relations do not depend on how a difference is explained.

mod constructs;
mod contradiction;
mod declare;
mod delete;
mod expand;
mod flow;
mod guard;
mod insert;
mod insertion;
mod layout;
mod level;
mod line_map;
mod mutation;
mod peer;
mod repeat;
mod truth;
mod variants;
mod views;

pub use contradiction::Contradiction;
pub use delete::{Delete, DeletionVariants, StatementSet};
pub use flow::against_flow;
pub use line_map::{LineMap, touched};
pub use mutation::{Grounds, Mutation};
pub use peer::against_peer;
pub use truth::{against_truth, against_truth_of, beyond_lines, wrong_among};
pub use variants::{draw, mutant, mutations};
pub use views::{against_replay, against_views};

pub use crate::syntax::StatementId;
