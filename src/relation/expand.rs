//! `expand`: what is only another way of writing, or of asking, must not change a count.
//!
//! Flags that change how counters are kept, or what else is counted, leave line counts alone: atomic
//! counters count the same in one thread, and conditions and paths are counted beside the lines, not
//! in their place (the manuals of gcc and clang on each flag).

use rand::rngs::ChaCha8Rng;

use super::{Grounds, Mutation, Rewrite};
use crate::model::{Family, RelationName};

/// The flags, and the first and last major version of each family that has them.
const FLAGS: [(Family, &str, u32, u32); 9] = [
    (Family::Gcov, "-fprofile-update=atomic", 7, u32::MAX),
    (Family::Gcov, "-fcondition-coverage", 14, u32::MAX),
    (Family::Gcov, "-fpath-coverage", 15, u32::MAX),
    (Family::Gcov, "-g3", 0, u32::MAX),
    (Family::Gcov, "-fkeep-static-functions", 0, u32::MAX),
    (Family::LlvmCov, "-fprofile-update=atomic", 12, u32::MAX),
    (Family::LlvmCov, "-fcoverage-mcdc", 18, u32::MAX),
    (Family::LlvmCov, "-g3", 0, u32::MAX),
    (Family::LlvmCov, "-ffunction-sections", 0, u32::MAX),
];

/// The relation.
#[derive(Clone, Copy, Debug)]
pub struct Expand;

impl Rewrite for Expand {
    fn name(&self) -> RelationName {
        RelationName::Expand
    }

    fn mutations(&self, grounds: &Grounds<'_>, _: &mut ChaCha8Rng) -> Vec<Mutation> {
        let Some(info) = grounds.profiler else { return Vec::new() };
        let takes = |family: Family, first: u32, last: u32| {
            family == info.profiler && (first..=last).contains(&info.major())
        };
        let flags = FLAGS.iter().filter(|(family, _, first, last)| takes(*family, *first, *last));
        flags
            .map(|(_, flag, ..)| Mutation {
                words: format!("compile it with {flag}"),
                flags: vec![(*flag).into()],
                ..Mutation::default()
            })
            .collect()
    }
}
