//! What a process did, and what that means for a program under a profiler.
//!
//! Two of the three layers of outcomes; the third, what a pair of reports
//! means, is [`super::Difference`] and [`super::Verdict`].

use serde::{Deserialize, Serialize};

/// How a process ended, without a judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// It exited with this status.
    Exited(i32),
    /// It was killed by this signal.
    Signalled(i32),
    /// It was still running at its deadline, or used up its CPU time.
    TimedOut,
    /// It wrote more than its output cap.
    OutputCap,
}

/// The visible behaviour of a program under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    pub termination: Termination,
    /// Its complete standard output; if it exceeds the cap, the termination is [`Termination::OutputCap`].
    pub stdout: Vec<u8>,
}

/// The result of profiling a program or variant. A program that does not compile is a result, not an error.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Outcome {
    /// It ran to its end and left a readable profile.
    #[default]
    Profiled,
    /// It is not C source that can be read: binary, or not UTF-8.
    Unreadable {
        /// One sentence.
        reason: String,
    },
    /// The compiler or the linker refused it.
    DoesNotCompile {
        /// The first error that the compiler printed.
        reason: String,
    },
    /// The compiler did not finish in time or died.
    CompilerFailed {
        /// How it ended.
        reason: String,
    },
    /// It was still running at its deadline.
    TimedOut {
        /// The time limit, and the setting that changes it.
        #[serde(default)]
        reason: String,
    },
    /// It printed more than the output cap.
    OutputCap,
    /// A signal or abort ended it; its profile is zeros that mean nothing.
    Died {
        /// The signal's number.
        signal: i32,
    },
    /// It ended, but there is no profile, or the tools could not read it.
    NoProfile {
        /// What is missing.
        reason: String,
    },
}

impl Outcome {
    /// A short name for tables; reasons are counted beside it.
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Profiled => "profiled",
            Outcome::Unreadable { .. } => "unreadable",
            Outcome::DoesNotCompile { .. } => "does not compile",
            Outcome::CompilerFailed { .. } => "compiler failed",
            Outcome::TimedOut { .. } => "timed out",
            Outcome::OutputCap => "too much output",
            Outcome::Died { .. } => "died by a signal",
            Outcome::NoProfile { .. } => "left no profile",
        }
    }

    /// The reason, where there is one to tell.
    pub fn reason(&self) -> Option<String> {
        match self {
            Outcome::Unreadable { reason }
            | Outcome::DoesNotCompile { reason }
            | Outcome::CompilerFailed { reason }
            | Outcome::NoProfile { reason }
            | Outcome::TimedOut { reason } => Some(reason.clone()).filter(|reason| !reason.is_empty()),
            Outcome::Died { signal } => Some(format!("signal {signal}")),
            Outcome::Profiled | Outcome::OutputCap => None,
        }
    }

    /// Whether the compiler gave no program, which may be for its flags.
    pub fn is_without_program(&self) -> bool {
        matches!(self, Outcome::DoesNotCompile { .. } | Outcome::CompilerFailed { .. })
    }

    /// Name and reason, for whoever knows the program as `file`; to its compiler it was `p.c`.
    pub fn told(&self, file: &str) -> String {
        let separator = if matches!(self, Outcome::TimedOut { .. }) { " " } else { ": " };
        let reason = self.reason().map(|reason| format!("{separator}{}", renamed(&reason, file)));
        format!("{}{}", self.name(), reason.unwrap_or_default())
    }
}

/// `said` with `file` for `p.c`, where that is all of a name: not in `loop.c:3`.
fn renamed(said: &str, file: &str) -> String {
    const OWN: &str = "p.c:";
    let mut out = String::new();
    let mut last = 0;
    for (at, own) in said.match_indices(OWN) {
        let before = said[..at].chars().next_back();
        let is_whole = !before.is_some_and(|c| c.is_alphanumeric() || "_.-/".contains(c));
        out.push_str(&said[last..at]);
        out.push_str(if is_whole { file } else { &own[..own.len() - 1] });
        out.push(':');
        last = at + own.len();
    }
    out + &said[last..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_names_the_file_that_the_user_knows() {
        let told = |reason: &str| Outcome::DoesNotCompile { reason: reason.into() }.told("a/b.c");
        assert_eq!(told("p.c:4:1: error: x"), "does not compile: a/b.c:4:1: error: x");
        assert_eq!(told("in p.c:4, from loop.c:3"), "does not compile: in a/b.c:4, from loop.c:3");
        let timed_out = Outcome::TimedOut { reason: "after 10 s; limits.run_seconds sets this limit".into() };
        assert_eq!(timed_out.told("a.c"), "timed out after 10 s; limits.run_seconds sets this limit");
    }
}
