//! `repeat`: runs the same binary several times, with one profile for all runs.
//!
//! The variant is the same program, run k times. Every count must be k times the count of one run because counters are
//! linear and each run does the same: gcov's `.gcda` accumulates ("Invoking Gcov": "the counts are added to"), and
//! llvm-profdata adds up raw profiles.
//!
//! A program whose runs differ is not compared.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::mutation::{Grounds, Mutation};

pub(super) fn mutations(grounds: &Grounds<'_>, rng: &mut ChaCha8Rng) -> Vec<Mutation> {
    if grounds.ran.is_none() {
        return Vec::new();
    }
    let mutation = |runs| Mutation {
        words: format!("run the program {runs} times with one profile"),
        runs: Some(runs),
        ..Mutation::default()
    };
    [2, 3, rng.random_range(4..8)].map(mutation).into()
}
