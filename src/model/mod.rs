//! The vocabulary of recount: what every other room talks about.
//!
//! It knows nothing of files, processes or C. A count is `Option<u64>`: `None`
//! is "no information" (the −1 of the Cod paper), never a magic number.

mod difference;
mod finding;
mod outcome;

pub use difference::{Count, Difference, Kind, Line, Metric, Movement, Place, Shape};
pub use finding::{Cluster, Culprit, FORMAT, Finding, ProfilerInfo, SIGNATURE_VERSION, TextEdit, Verdict};
pub use outcome::{Ending, Execution, Outcome};

use serde::{Deserialize, Serialize};

/// The two families of profilers: a compiler and the tools that belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// `gcc --coverage` and `gcov`.
    Gcov,
    /// `clang -fprofile-instr-generate -fcoverage-mapping`, `llvm-profdata`, `llvm-cov`.
    LlvmCov,
}

impl Family {
    /// The name used in flags, journals and reports.
    pub fn name(self) -> &'static str {
        match self {
            Family::Gcov => "gcov",
            Family::LlvmCov => "llvm-cov",
        }
    }

    /// The compiler's command name without a version.
    pub fn compiler(self) -> &'static str {
        match self {
            Family::Gcov => "gcc",
            Family::LlvmCov => "clang",
        }
    }
}

/// A relation, by name: what a report is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RelationName {
    /// Unexecuted statements are deleted (Orion, Cod).
    Delete,
    /// Our own counters (Decov's idea, with counters in place of a debugger).
    Truth,
    /// The report's own control flow (C2V's inspection rules, DOG).
    Flow,
    /// The profiler's outputs against each other.
    Views,
}

impl RelationName {
    /// Every relation that this binary has.
    pub const ALL: [RelationName; 4] =
        [RelationName::Delete, RelationName::Truth, RelationName::Flow, RelationName::Views];

    /// The name used in flags, journals and reports.
    pub fn name(self) -> &'static str {
        match self {
            RelationName::Delete => "delete",
            RelationName::Truth => "truth",
            RelationName::Flow => "flow",
            RelationName::Views => "views",
        }
    }
}
