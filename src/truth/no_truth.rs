//! The reasons why a program has no ground truth.

/// Why a program has no ground truth.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum NoTruth {
    /// Verdicts are disabled.
    #[error("verdicts are disabled")]
    NotAsked,
    /// The instrumented program does not compile, run or end normally.
    #[error("the instrumented program failed: {0}")]
    Failed(String),
    /// The instrumented program behaves differently from the program.
    #[error("the instrumented program behaves differently")]
    Differs,
    /// The same instrumented program behaves differently when it runs again.
    #[error("the program behaves differently from run to run")]
    Unsteady,
    /// The instrumented program is not proved to be the program.
    #[error("the instrumented program is not proved to be the program: {0}")]
    NotProved(String),
    /// It wrote no counters, or too few.
    #[error("the instrumented program wrote no counters")]
    Silent,
    /// The preprocessed text is nested too deeply to be parsed.
    #[error("the program is nested too deeply")]
    Deep,
    /// llvm-cov counts the lines of the file, and `#line` in an included file gives them other numbers.
    #[error("the included file changes its line numbers by #line")]
    Renumbered,
    /// Macros of the system made some of its rows. Nothing on them has a region in clang, and what else is in their code is unknown.
    #[error("another compiler preprocessed the program; preprocess it with this one, or give the original")]
    Expanded,
    /// A function of the program is called once for each stack frame.
    #[error(
        "`{0}` calls a function once for each stack frame, and their number depends on how the program is compiled"
    )]
    Frames(&'static str),
    /// An included file cannot be read.
    #[error("the included file cannot be read: {0}")]
    NotReadable(String),
}
