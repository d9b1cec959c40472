//! `--require-checked`: how much of the counts must have been checked against ground truth.

use clap::Args;

use super::output::{Exit, complain};
use super::values::share;
use crate::report::Unchecked;

#[derive(Clone, Debug, Args)]
pub struct RequireFlags {
    /// Exit with 6 if less than this share of the counts was checked against ground truth, as in 0.98 or 98%.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub require_checked: Option<f64>,
}

impl RequireFlags {
    /// The exit code of a command that would end with `exit`.
    pub fn exit(&self, unchecked: &Unchecked, exit: Exit) -> Exit {
        let Some(required) = self.require_checked.filter(|share| unchecked.checked_share() < *share) else {
            return exit;
        };
        complain(&format!(
            "{} of {} counts were checked against ground truth; --require-checked asks for {} %",
            unchecked.checked,
            unchecked.counts,
            100.0 * required
        ));
        exit.max(Exit::TooLittleChecked)
    }
}
