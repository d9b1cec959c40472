//! `repeat`: the same binary several times into one profile.
//!
//! Counters are linear: what a program counts in k runs is k times what it counts in one, since each
//! run starts from the same state and does the same. gcov's `.gcda` accumulates ("Invoking Gcov":
//! "the counts are added to"); llvm-profdata adds up raw profiles. A program that does something
//! else each time is not compared.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::{Grounds, Mutation, Rewrite};
use crate::model::RelationName;

/// The relation.
#[derive(Clone, Copy, Debug)]
pub struct Repeat;

impl Rewrite for Repeat {
    fn name(&self) -> RelationName {
        RelationName::Repeat
    }

    fn mutations(&self, grounds: &Grounds<'_>, rng: &mut ChaCha8Rng) -> Vec<Mutation> {
        if grounds.ran.is_none() {
            return Vec::new();
        }
        [2, 3, rng.random_range(4..8)]
            .map(|runs| Mutation {
                words: format!("run {runs} times into one profile"),
                runs,
                ..Mutation::default()
            })
            .into()
    }
}
