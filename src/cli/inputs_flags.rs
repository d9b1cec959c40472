//! What can be typed behind `recount inputs`.

use std::str::FromStr;
use std::time::Duration;

use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};

use super::values::duration;
use crate::inputs::{GoalName, Method};

/// Flags of `inputs`.
#[derive(Clone, Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch that somebody types")]
pub struct InputsFlags {
    /// The C file: functions with numeric parameters, or a program that reads numbers.
    pub file: Utf8PathBuf,
    /// The function, or several [default: main if there is one, else every function with numbers].
    #[arg(long, value_name = "F")]
    pub entry: Vec<String>,
    /// What is wanted: branches, lines, boundary, true, or a path as in path=1T,2F.
    #[arg(long, default_value = "branches", value_parser = GoalName::from_str)]
    pub goal: GoalName,
    /// How the next input is chosen.
    #[arg(long, value_enum, default_value = "recount")]
    pub method: Method,
    /// Let the functions do what you can do: write anywhere, use the network, signal and outlive.
    #[arg(long)]
    pub unconfined: bool,
    /// Evaluations at most.
    #[arg(long, value_name = "N")]
    pub budget: Option<u64>,
    /// Time for the search of one function, as in 30s.
    #[arg(long = "for", value_name = "DURATION", default_value = "60s", value_parser = duration)]
    pub time: Duration,
    /// The seed of all chance.
    #[arg(long, default_value = "1")]
    pub seed: u64,
    /// Cover the conditions of the file's other functions too.
    #[arg(long)]
    pub callees: bool,
    /// Print the functions, and their conditions with the numbers that a path takes; search nothing.
    #[arg(long)]
    pub list: bool,
    /// What to print.
    #[arg(long, value_enum, default_value = "text")]
    pub format: InputsFormat,
    /// A folder for F.json, F.hex, F.replay.c (runs the inputs again) and F.svg (the search).
    #[arg(long, value_name = "DIR")]
    pub out: Option<Utf8PathBuf>,
    /// The gcc to build with, and whose gcov measures.
    #[arg(long, default_value = "gcc")]
    pub profiler: String,
    /// Functions searched at a time [default: as many as there are cores].
    #[arg(long, short)]
    pub jobs: Option<usize>,
    /// Show no progress.
    #[arg(long, short)]
    pub quiet: bool,
    /// Flags for the compiler, and what is linked with the function.
    #[arg(last = true, value_name = "CFLAGS OBJECTS")]
    pub compiler: Vec<String>,
}

/// How inputs are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InputsFormat {
    /// For people.
    Text,
    /// With exact values.
    Json,
    /// One test a line, its values in hexadecimal bits.
    Hex,
}
