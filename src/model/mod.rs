//! The types that all other modules share.
//!
//! This module does not depend on files or processes, nor on C except for the notation of numbers. A count is
//! `Option<u64>`: `None` is "no information" (the −1 of the Cod paper), never a magic number.

mod details;
mod difference;
mod finding;
mod mechanism;
mod named;
mod number;
mod outcome;
mod path;
mod rule;

pub use details::{CoveredParts, DecidingElement, ReportDetails, ReportNumber};
pub use difference::{Count, CountChange, Difference, Kind, Line, Metric, Place, Shape, nearest};
pub use finding::{
    Cluster, Culprit, FORMAT, Finding, ProfilerInfo, Rewriting, SIGNATURE_VERSION, TextEdit, major,
};
pub use mechanism::{Cause, Layer, Symptom};
pub use number::Number;
pub use outcome::{
    ENDS_EARLY, Execution, OF_SEVERAL_FILES, OPTIMISED, Outcome, Termination, signal_in_words,
};
pub use path::{JOURNAL, SOURCE, is_same_path, normal, shortened};
pub use rule::{Artefact, Convention, Instability, LARGEST_COUNT, Rule, Verdict, WrongKind};

pub(crate) use named::named_enum;

named_enum! {
    /// The two families of profilers: a compiler and the tools that belong to it.
    pub enum Family {
        /// `gcc --coverage` and `gcov`.
        Gcov = "gcov",
        /// `clang -fprofile-instr-generate -fcoverage-mapping`, `llvm-profdata`, `llvm-cov`.
        LlvmCov = "llvm-cov",
    }
}

impl Family {
    /// The compiler's command name without a version.
    pub fn compiler(self) -> &'static str {
        match self {
            Family::Gcov => "gcc",
            Family::LlvmCov => "clang",
        }
    }
}

named_enum! {
    /// The name of a relation. A relation defines what a report is compared with.
    pub enum RelationName {
        /// Unexecuted statements are deleted (Orion, Cod).
        Delete = "delete",
        /// Counters that recount adds to the source (Decov's idea, with counters in place of a debugger).
        Truth = "truth",
        /// The program's control flow (C2V's inspection rules, DOG).
        Flow = "flow",
        /// The profiler's outputs are compared with each other.
        Views = "views",
        /// Statements are inserted where nothing ran (Athena).
        Insert = "insert",
        /// Blocks that never run, guards that are always true, and blocks without effect are added to live code
        /// (Hermes).
        Guard = "guard",
        /// Scoped declarations are added and removed.
        Declare = "declare",
        /// Statements are joined on one line, or split over several.
        Layout = "layout",
        /// Macros and inlined functions are compared with their bodies; flags that must not change a count are added.
        Expand = "expand",
        /// The same binary runs several times, with one profile for all runs.
        Repeat = "repeat",
        /// llvm-cov at every optimisation level.
        Level = "level",
        /// The other family's profiler (C2V, `DebCovDiff`).
        Peer = "peer",
    }
}

impl RelationName {
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

    /// Whether it compares the program with variants of it.
    pub fn makes_variants(self) -> bool {
        self == RelationName::Delete || self.rewrites()
    }

    /// Whether its variants are separate programs, each compared with its own ground truth.
    pub fn rewrites(self) -> bool {
        use RelationName::{Declare, Expand, Guard, Insert, Layout, Level, Repeat};
        matches!(self, Insert | Guard | Declare | Layout | Expand | Repeat | Level)
    }
}

/// `1 program`, `2 programs`: a number with its noun.
pub fn number_of(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
