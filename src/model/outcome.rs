//! The result of a process, and the result of profiling a program.
//!
//! These are two of three layers of results; the third, the comparison of two
//! reports, is [`super::Difference`] and [`super::Verdict`].

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// The exit status.
    Exited(i32),
    /// The signal that killed the process.
    Signalled(i32),
    /// The process exceeded its time limit or its CPU time limit.
    TimedOut,
    /// The process wrote more than the output limit.
    OutputCap,
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Termination::Exited(status) => write!(f, "exit status {status}"),
            Termination::Signalled(signal) => f.write_str(&signal_in_words(*signal)),
            Termination::TimedOut => f.write_str("timed out"),
            Termination::OutputCap => f.write_str("too much output"),
        }
    }
}

/// `signal 11 (SIGSEGV)`.
pub fn signal_in_words(signal: i32) -> String {
    let name = match signal {
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal} ({name})")
}

/// The visible behaviour of a program under test.
#[derive(Clone, Debug)]
pub struct Execution {
    pub termination: Termination,
    /// The complete standard output; if it exceeds the limit, the termination is [`Termination::OutputCap`].
    pub stdout: Vec<u8>,
    /// Whether its numbers and the order of its lines may differ from run to run, because the program prints times, process ids or
    /// addresses, or has several processes or threads. They are not compared then.
    pub may_vary: bool,
}

impl PartialEq for Execution {
    fn eq(&self, other: &Execution) -> bool {
        let is_alike = || {
            let may_vary = self.may_vary || other.may_vary;
            may_vary && lines_without_numbers(&self.stdout) == lines_without_numbers(&other.stdout)
        };
        self.termination == other.termination && (self.stdout == other.stdout || is_alike())
    }
}

/// The lines of `text` in the order of their bytes, with one digit in place of each number, decimal or hexadecimal.
fn lines_without_numbers(text: &[u8]) -> Vec<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> = text.split(|byte| *byte == b'\n').map(without_numbers).collect();
    lines.sort_unstable();
    lines
}

fn without_numbers(line: &[u8]) -> Vec<u8> {
    let mut is_in_number = false;
    let shown = line.iter().filter_map(move |byte| {
        let was_in_number = is_in_number;
        let continues = byte.is_ascii_hexdigit() || *byte == b'x';
        is_in_number = if was_in_number { continues } else { byte.is_ascii_digit() };
        match (was_in_number, is_in_number) {
            (true, true) => None,
            (false, true) => Some(b'0'),
            _ => Some(*byte),
        }
    });
    shown.collect()
}

/// The result of profiling a program or variant. A program that does not compile is a result, not an error.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Outcome {
    /// The program ended and wrote a readable profile.
    #[default]
    Profiled,
    /// The file is not readable C source: binary, or not UTF-8.
    Unreadable { reason: String },
    /// recount does not check such programs, or programs with such flags, under this profiler.
    Unsupported {
        /// What is not supported, and what to do.
        reason: String,
    },
    /// The compiler or the linker rejected the program.
    DoesNotCompile {
        /// The first error that the compiler printed.
        reason: String,
    },
    /// The compiler exceeded its time limit or crashed.
    CompilerFailed { reason: String },
    /// The program exceeded its time limit.
    TimedOut {
        /// The time limit, and the setting that changes it.
        #[serde(default)]
        reason: String,
    },
    /// The program printed more than the output limit.
    OutputCap,
    /// A signal ended the program. Its profile may contain zeros for code that ran.
    Died { signal: i32 },
    /// The program ended without a profile that the tools can read.
    NoProfile { reason: String },
    /// A tool of the profiler crashed on the profile of the program: a fault of its own.
    ToolCrashed { reason: String },
}

/// Why a program has no profile although nothing failed: both profilers write it when the program exits (GCC's manual on
/// `__gcov_dump`; "Running the instrumented program" in Clang's documentation of source-based coverage).
pub const ENDS_EARLY: &str = "a program that ends by a signal, _exit, quick_exit or exec does not write it";

/// What to do with a file that needs others.
pub const OF_SEVERAL_FILES: &str = "`recount audit` checks a project of several files";

/// Why gcov's counts of an optimised program are not checked.
pub const OPTIMISED: &str = "optimisation changes gcov's counts, as GCC's manual says";

impl Outcome {
    /// Whether the profiler's documentation says that such a program has no counts, or others.
    pub fn is_documented(&self) -> bool {
        match self {
            Outcome::Died { .. } => true,
            Outcome::NoProfile { reason } => reason.ends_with(ENDS_EARLY),
            Outcome::Unsupported { reason } => reason.starts_with(OPTIMISED),
            _ => false,
        }
    }

    /// A short name for tables, without the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Profiled => "profiled",
            Outcome::Unreadable { .. } => "unreadable",
            Outcome::Unsupported { .. } => "not supported",
            Outcome::DoesNotCompile { .. } => "does not compile",
            Outcome::CompilerFailed { .. } => "compiler failed",
            Outcome::TimedOut { .. } => "timed out",
            Outcome::OutputCap => "too much output",
            Outcome::Died { .. } => "died by a signal",
            Outcome::NoProfile { .. } => "left no profile",
            Outcome::ToolCrashed { .. } => "profiler crashed",
        }
    }

    pub fn reason(&self) -> Option<String> {
        match self {
            Outcome::Unreadable { reason }
            | Outcome::Unsupported { reason }
            | Outcome::DoesNotCompile { reason }
            | Outcome::CompilerFailed { reason }
            | Outcome::NoProfile { reason }
            | Outcome::ToolCrashed { reason }
            | Outcome::TimedOut { reason } => Some(reason.clone()).filter(|reason| !reason.is_empty()),
            Outcome::Died { signal } => Some(signal_in_words(*signal)),
            Outcome::Profiled | Outcome::OutputCap => None,
        }
    }

    /// Whether the compiler produced no program, perhaps because of its flags.
    pub fn is_without_program(&self) -> bool {
        matches!(self, Outcome::DoesNotCompile { .. } | Outcome::CompilerFailed { .. })
    }

    /// Name and reason, with the program's name `file` in place of `p.c`, under which it was compiled.
    pub fn in_words(&self, file: &str) -> String {
        let separator = if matches!(self, Outcome::TimedOut { .. }) { " " } else { ": " };
        let reason = self.reason().map(|reason| format!("{separator}{}", renamed(&reason, file)));
        format!("{}{}", self.name(), reason.unwrap_or_default())
    }
}

/// `message` with `file` in place of `p.c`, where `p.c` is a whole name: not in `loop.c:3`.
fn renamed(message: &str, file: &str) -> String {
    const OWN: &str = "p.c:";
    let mut out = String::new();
    let mut last = 0;
    for (at, own) in message.match_indices(OWN) {
        let before = message[..at].chars().next_back();
        let is_whole = !before.is_some_and(|c| c.is_alphanumeric() || "_.-/".contains(c));
        out.push_str(&message[last..at]);
        out.push_str(if is_whole { file } else { &own[..own.len() - 1] });
        out.push(':');
        last = at + own.len();
    }
    out + &message[last..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_of_programs_that_print_what_varies_may_differ() {
        let execution = |text: &str, may_vary| Execution {
            termination: Termination::Exited(0),
            stdout: text.into(),
            may_vary,
        };
        assert_eq!(
            execution("pid 99 at 0x7ffe10, x1\n", true),
            execution("pid 100 at 0x7ffe2c, x2\n", false)
        );
        assert_eq!(execution("child 1\nparent 2\n", true), execution("parent 1\nchild 2\n", true));
        assert_ne!(execution("pid 99\n", true), execution("pod 99\n", true));
        assert_ne!(execution("1 2\n", true), execution("12\n", true));
        assert_ne!(execution("sum 1\n", false), execution("sum 2\n", false));
    }

    #[test]
    fn a_reason_names_the_file_that_the_user_knows() {
        let described = |reason: &str| Outcome::DoesNotCompile { reason: reason.into() }.in_words("a/b.c");
        assert_eq!(described("p.c:4:1: error: x"), "does not compile: a/b.c:4:1: error: x");
        assert_eq!(described("in p.c:4, from loop.c:3"), "does not compile: in a/b.c:4, from loop.c:3");
        let timed_out = Outcome::TimedOut { reason: "after 10 s; limits.run_seconds sets this limit".into() };
        assert_eq!(timed_out.in_words("a.c"), "timed out after 10 s; limits.run_seconds sets this limit");
    }
}
