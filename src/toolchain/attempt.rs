//! The two reasons for which a step of a profile ends early, as one error type for `?`.

use anyhow::Result;

use crate::model::{ENDS_EARLY, Outcome};

/// The reason why a step has no result.
#[derive(Debug)]
pub enum Stop {
    /// The profile of the program ends with this outcome.
    Outcome(Outcome),
    /// recount or the machine failed, or the user interrupted.
    Error(anyhow::Error),
}

/// The result of a step.
pub type Attempt<T> = std::result::Result<T, Stop>;

impl From<Outcome> for Stop {
    fn from(outcome: Outcome) -> Stop {
        Stop::Outcome(outcome)
    }
}

impl<E: Into<anyhow::Error>> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop::Error(error.into())
    }
}

/// The result of a step for other modules: a value, or the outcome with which the profile ended. An error means that
/// recount or the machine failed, or that the user interrupted.
pub type StepResult<T> = Result<std::result::Result<T, Outcome>>;

/// Separates outcomes of the program, which are results, from errors.
pub fn outcome_as_result<T>(attempt: Attempt<T>) -> StepResult<T> {
    match attempt {
        Ok(value) => Ok(Ok(value)),
        Err(Stop::Outcome(outcome)) => Ok(Err(outcome)),
        Err(Stop::Error(error)) => Err(error),
    }
}

/// The stop for a step after which there is no profile to read.
pub fn no_profile(reason: impl Into<String>) -> Stop {
    Stop::Outcome(Outcome::NoProfile { reason: reason.into() })
}

/// The stop if the program left no file with the ending `kind`.
pub fn not_written(kind: &str) -> Stop {
    no_profile(format!("no {kind} file; {ENDS_EARLY}"))
}

/// The outcome under a fake profiler, which has no compiler.
pub fn no_compiler() -> Stop {
    Stop::Outcome(Outcome::CompilerFailed { reason: "the profiler has no compiler".into() })
}
