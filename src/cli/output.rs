//! What a command prints, and the exit code that it returns.

use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::LazyLock;

use anyhow::Result;
use regex::Regex;

use crate::report::visible;

/// Print `text`. A closed pipe is not an error. On a terminal, control characters are made visible; a file or a pipe
/// gets every byte.
pub fn print(text: &str) -> Result<()> {
    let text = if std::io::stdout().is_terminal() { visible(text) } else { text.into() };
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Print a message to standard error.
pub fn complain(text: &str) {
    // The system's number of an error says nothing to a user.
    static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r" \(os error \d+\)").expect("a constant"));
    // If standard error is closed, there is nowhere to report that.
    let _ = writeln!(std::io::stderr(), "recount: {}", visible(&NUMBER.replace_all(text, "")));
}

/// How a command ended, in order of severity. If several results apply, the last one in this list decides the exit
/// code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    NothingNew,
    /// There is a cluster, wrong or unexplained, that is not in the list of known clusters.
    News,
    /// Less was checked than --require-checked asks for.
    TooLittleChecked,
    /// A named finding or cluster does not exist, or does not reproduce.
    NotThere,
    /// Bad usage, settings or input, as when no program could be profiled.
    BadInput,
    NoProfiler,
    /// A failure of recount itself, or of the machine.
    Ours,
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
            Exit::TooLittleChecked => 6,
            Exit::Interrupted => 130,
        })
    }
}

/// An error with the exit code that it leads to.
#[derive(Debug)]
pub struct Failure {
    pub error: anyhow::Error,
    pub exit: Exit,
}

/// An error that the user can correct.
pub fn bad_input(error: impl Into<anyhow::Error>) -> Failure {
    Failure { error: error.into(), exit: Exit::BadInput }
}

pub fn no_profiler(error: anyhow::Error) -> Failure {
    Failure { error, exit: Exit::NoProfiler }
}

pub fn not_there(error: anyhow::Error) -> Failure {
    Failure { error, exit: Exit::NotThere }
}

/// Other errors are failures of recount itself, or of the machine.
impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        let exit = if crate::sys::requested() { Exit::Interrupted } else { Exit::Ours };
        Failure { error: error.into(), exit }
    }
}
