//! Outcomes in words, for commands that run one program.

use crate::config::LimitSettings;
use crate::corpus::Source;
use crate::model::Outcome;
use crate::report::number_of;

/// What became of `source`; a timeout comes with the limit and the way to change it.
pub fn outcome_in_words(outcome: &Outcome, source: &Source, limits: &LimitSettings) -> String {
    if *outcome != Outcome::TimedOut {
        return outcome.told(&source.file);
    }
    let own = source.sidecar.seconds.filter(|seconds| *seconds < limits.run_seconds);
    let remedy = match own {
        None => "raise limits.run_seconds in a settings file, given with --config",
        Some(_) if source.origin == "csmith" => "the limit for programs by Csmith is fixed",
        Some(_) => "raise `seconds` in the program's sidecar",
    };
    format!("timed out after {}; {remedy}", number_of(own.unwrap_or(limits.run_seconds) as usize, "second"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;

    #[test]
    fn a_timeout_names_its_limit_and_how_to_change_it() {
        let limits = Settings::quick().limits;
        let mut source = Source::given("p", "");
        let say = |source: &Source| outcome_in_words(&Outcome::TimedOut, source, &limits);
        let default = format!("timed out after {} seconds; raise limits.run_seconds", limits.run_seconds);
        assert!(say(&source).starts_with(&default), "{}", say(&source));
        source.sidecar.seconds = Some(1);
        assert_eq!(say(&source), "timed out after 1 second; raise `seconds` in the program's sidecar");
    }
}
