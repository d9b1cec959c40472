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

/// A relation, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RelationName {
    Delete,
    Truth,
    Flow,
    Views,
    Insert,
    Guard,
    Declare,
    Layout,
    Expand,
    Repeat,
    Level,
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

    /// One line for `--help`.
    pub fn summary(self) -> &'static str {
        match self {
            RelationName::Delete => "deleting code that did not run changes no count (Orion, Cod)",
            RelationName::Truth => "every count is one that counters in the source show (Decov's idea)",
            RelationName::Flow => "counts agree with the program's control flow (C2V, DOG)",
            RelationName::Views => "all outputs of the profiler agree",
            RelationName::Insert => "inserting code where nothing ran changes no count (Athena)",
            RelationName::Guard => "always-true guards and blocks without effect change no count (Hermes)",
            RelationName::Declare => "adding or removing an unused declaration changes no count",
            RelationName::Layout => "splitting and joining lines keeps counts right",
            RelationName::Expand => "macros, inlining and counter flags change no count (DebCovDiff)",
            RelationName::Repeat => "running k times multiplies every count by k",
            RelationName::Level => "llvm-cov counts the same at every optimisation level",
            RelationName::Peer => "gcov and llvm-cov agree on lines that both count (C2V, DebCovDiff)",
        }
    }

    /// Whether its variants are programs of their own, each compared with its own ground truth.
    pub fn rewrites(self) -> bool {
        use RelationName::{Declare, Expand, Guard, Insert, Layout, Level, Repeat};
        matches!(self, Insert | Guard | Declare | Layout | Expand | Repeat | Level)
    }
}
