//! The vocabulary of recount: what every other room talks about.
//!
//! It knows nothing of files and processes, and of C only how a number is written. A count is `Option<u64>`: `None`
//! is "no information" (the −1 of the Cod paper), never a magic number.

mod difference;
mod finding;
mod number;
mod outcome;

pub use difference::{Count, Difference, Kind, Line, Metric, Movement, Place, Shape};
pub use finding::{
    Cluster, Culprit, FORMAT, Finding, ProfilerInfo, Rewriting, SIGNATURE_VERSION, TextEdit, Verdict, major,
};
pub use number::Number;
pub use outcome::{Execution, Outcome, Termination};

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
    /// Statements are put where nothing ran (Athena).
    Insert,
    /// Live code gets blocks that never run, guards that always hold, and blocks that change nothing (Hermes).
    Guard,
    /// Scoped declarations come and go.
    Declare,
    /// Statements are joined on a line, or split over several.
    Layout,
    /// Macros and inlined functions against their bodies; flags that must not change a count.
    Expand,
    /// The same binary several times into one profile.
    Repeat,
    /// llvm-cov at every level of optimisation.
    Level,
    /// The other family's profiler (C2V, `DebCovDiff`).
    Peer,
}

impl RelationName {
    /// Every relation that this binary has.
    pub const ALL: [RelationName; 12] = [
        RelationName::Delete,
        RelationName::Truth,
        RelationName::Flow,
        RelationName::Views,
        RelationName::Insert,
        RelationName::Guard,
        RelationName::Declare,
        RelationName::Layout,
        RelationName::Expand,
        RelationName::Repeat,
        RelationName::Level,
        RelationName::Peer,
    ];

    /// The name used in flags, journals and reports.
    pub fn name(self) -> &'static str {
        match self {
            RelationName::Delete => "delete",
            RelationName::Truth => "truth",
            RelationName::Flow => "flow",
            RelationName::Views => "views",
            RelationName::Insert => "insert",
            RelationName::Guard => "guard",
            RelationName::Declare => "declare",
            RelationName::Layout => "layout",
            RelationName::Expand => "expand",
            RelationName::Repeat => "repeat",
            RelationName::Level => "level",
            RelationName::Peer => "peer",
        }
    }
}
