//! `level`: llvm-cov counts the same at every level of optimisation.
//!
//! clang's counters stand in the front end, before any optimisation ("Source-based Code Coverage" in
//! Clang's documentation: the mapping "is not affected by" it; table VI of the Cod paper agrees).
//! gcov's counts are defined at -O0 only, so it is not asked. Programs that can tell the level
//! (`__OPTIMIZE__`, `__builtin_constant_p`, inline assembly, the frame's address) may do something else at each, and so
//! may those that jump over frames: a local that changed since `setjmp` has no value that holds at every level (C11,
//! 7.13.2.1), and what a `__builtin_setjmp` buffer holds is the frame's. What is left of them is told apart by truth,
//! which is built at the same level.

use rand::rngs::ChaCha8Rng;

use super::{Grounds, Mutation, Rewrite};
use crate::model::{Family, RelationName};

/// Words by which a program may know its level, or does what differs by it.
const TELLING: [&str; 16] = [
    "__builtin_frame_address",
    "__builtin_return_address",
    "__OPTIMIZE__",
    "__OPTIMIZE_SIZE__",
    "__NO_INLINE__",
    "__builtin_constant_p",
    "asm",
    "__asm",
    "__asm__",
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__builtin_setjmp",
    "longjmp",
    "siglongjmp",
    "__builtin_longjmp",
];

/// The relation.
#[derive(Clone, Copy, Debug)]
pub struct Level;

impl Rewrite for Level {
    fn name(&self) -> RelationName {
        RelationName::Level
    }

    fn mutations(&self, grounds: &Grounds<'_>, _: &mut ChaCha8Rng) -> Vec<Mutation> {
        let is_llvm = grounds.profiler.is_some_and(|info| info.profiler == Family::LlvmCov);
        if !is_llvm || TELLING.iter().any(|word| grounds.program.mentions(word)) {
            return Vec::new();
        }
        ["-O1", "-O2", "-O3", "-Os"]
            .map(|level| Mutation {
                words: format!("compile it with {level}"),
                flags: vec![level.into()],
                ..Mutation::default()
            })
            .into()
    }
}
