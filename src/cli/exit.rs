//! Exit codes, a contract with scripts, and which errors lead to which.

use std::process::ExitCode;

/// How a command ended. Of several things the worst counts, which is the last here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// 0: done, nothing new.
    NothingNew,
    /// 1: there is a cluster, wrong or unexplained, that is not known yet.
    News,
    /// 5: a named finding or cluster is not there, or a known one does not show any more.
    NotThere,
    /// 2: bad usage, settings or input, as when no program could be profiled.
    BadInput,
    /// 3: no usable profiler.
    NoProfiler,
    /// 4: our own failure.
    Ours,
    /// 130: the user stopped it.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::NothingNew => 0,
            Exit::News => 1,
            Exit::BadInput => 2,
            Exit::NoProfiler => 3,
            Exit::Ours => 4,
            Exit::NotThere => 5,
            Exit::Interrupted => 130,
        })
    }
}

/// An error with the exit code that it leads to.
#[derive(Debug)]
pub struct Failure {
    /// What is wrong.
    pub error: anyhow::Error,
    /// The exit code.
    pub exit: Exit,
}

/// The user's to mend.
pub fn bad_input(error: impl Into<anyhow::Error>) -> Failure {
    Failure { error: error.into(), exit: Exit::BadInput }
}

/// Ours to mend, or the machine's.
pub fn ours(error: impl Into<anyhow::Error>) -> Failure {
    let exit = if crate::sys::requested() { Exit::Interrupted } else { Exit::Ours };
    Failure { error: error.into(), exit }
}
