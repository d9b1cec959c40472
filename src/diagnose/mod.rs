//! Which element of a profiler's data makes a number wrong, and by which mechanism.
//!
//! A profiler turns counters into a report in three layers, and the replay of each layer ([`crate::replay`]) is compared with
//! the true counts of source positions: the fault is in the first layer whose input is right and whose output is wrong.
//! What is odd about the faulty element there, and the construct responsible, name the mechanism. Wrong numbers with
//! the same faulty element are its symptoms.

mod construct;
mod decision;
mod diagnosis;
mod gcov;
mod llvm_cov;
mod mechanism;

pub use diagnosis::Case;
pub use gcov::line_of_exec;
pub use mechanism::{KnownMechanism, known_mechanism, mechanism_in_words};

use crate::model::{Cause, Family, Symptom};

/// The diagnosis of each of `symptoms`, which are all wrong numbers of one report.
///
/// # Errors
/// The layers of the report cannot be replayed, for the reason that the error gives.
pub fn diagnose(case: &Case<'_>, symptoms: &[Symptom]) -> Result<Vec<Cause>, String> {
    let causes = match case.family {
        Family::Gcov => gcov::diagnose(case, symptoms),
        Family::LlvmCov => llvm_cov::diagnose(case, symptoms),
    }?;
    let is_in_table = |cause: &Cause| {
        known_mechanism(case.family, &cause.mechanism)
            .map_or(!cause.is_understood(), |known| known.layer == cause.layer)
    };
    debug_assert!(causes.iter().all(is_in_table), "not in the table of mechanisms: {causes:?}");
    Ok(causes)
}
