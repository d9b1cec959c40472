//! `level`: compiles with another level of optimisation; llvm-cov must report the same counts at every level.
//!
//! The variant is the same program, compiled at another level. Counts must not change because clang places its counters
//! in the front end, before any optimisation ("Source-based Code Coverage" in Clang's documentation: the mapping "is not
//! affected by" it; table VI of the Cod paper agrees).
//!
//! gcov is not tested: its counts are defined at -O0 only. Programs that may behave differently at each level are left
//! out: those that can detect it (`__OPTIMIZE__`, `__builtin_constant_p`, inline assembly, the frame's address), and
//! those that jump over frames, since a local that changed after `setjmp` has no defined value (C11, 7.13.2.1) and a
//! `__builtin_setjmp` buffer holds the frame's. For all others ground truth is built at the same level.

use super::mutation::{Grounds, Mutation};
use crate::model::Family;

/// Words of programs that may behave differently at each level.
const LEVEL_DEPENDENT: [&str; 16] = [
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

pub(super) fn mutations(grounds: &Grounds<'_>) -> Vec<Mutation> {
    let is_llvm = grounds.profiler.is_some_and(|info| info.profiler == Family::LlvmCov);
    if !is_llvm || LEVEL_DEPENDENT.iter().any(|word| grounds.program.mentions(word)) {
        return Vec::new();
    }
    ["-O1", "-O2", "-O3", "-Os"].map(Mutation::of_flag).into()
}
