//! The flags of `recount claim`.

use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};

use super::setting_flags::SettingFlags;
use super::values::expected_count;
use crate::model::{Count, Line};

/// The metrics of claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ClaimMetric {
    /// How often the line runs.
    Line,
    /// An outcome of a branch.
    Branch,
    /// How often the function that begins on the line is called.
    Function,
    /// A region of llvm-cov.
    Region,
    /// A decision: how many outcomes of its conditions gcov reports as covered, or how many conditions llvm-cov does; or one
    /// of them, 1 if it is covered. The same as mcdc.
    Condition,
    /// The same as condition.
    Mcdc,
    /// The prime paths of the function that begins on the line: how many gcov reports as covered.
    Path,
}

#[derive(Clone, Debug, Args)]
pub struct ClaimFlags {
    /// The program.
    pub file: Utf8PathBuf,
    /// The line whose reported count is said to be wrong.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub line: Line,
    /// Which of the line's counts is said to be wrong. A line may have several branches and regions; those that begin on
    /// it are compared.
    #[arg(long, value_enum, default_value = "line")]
    pub metric: ClaimMetric,
    /// The count that the line should have, or - if it should have none. For decisions and paths, 3/4 is 3 of 4: those with
    /// as many outcomes, conditions or paths are compared.
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = expected_count)]
    pub expect: (Count, Option<usize>),
    #[command(flatten)]
    pub settings: SettingFlags,
}
