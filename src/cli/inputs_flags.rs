//! The flags of `recount inputs`.

use std::str::FromStr;
use std::time::Duration;

use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};

use super::values::duration;
use crate::inputs::{GoalName, Method};

#[derive(Clone, Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a separate switch of the command line")]
pub struct InputsFlags {
    /// The C file: functions with numeric parameters, or a program that reads numbers.
    pub file: Utf8PathBuf,
    /// The function; may be repeated [default: main if there is one, else every function that takes numbers].
    #[arg(long, value_name = "F")]
    pub entry: Vec<String>,
    /// What to cover: branches, lines, boundary, true, or a path as in path=1T,2F.
    #[arg(long, default_value = "branches", value_parser = GoalName::from_str)]
    pub goal: GoalName,
    /// The method that chooses the next input.
    #[arg(long, value_enum, default_value = "recount")]
    pub method: Method,
    /// Run the functions without a sandbox: they may write anywhere, use the network, and leave processes running.
    #[arg(long)]
    pub unconfined: bool,
    /// The maximum number of evaluations per function.
    #[arg(long, value_name = "N")]
    pub budget: Option<u64>,
    /// The time for one function, as in 30s.
    #[arg(long = "for", value_name = "DURATION", default_value = "60s", value_parser = duration)]
    pub time: Duration,
    /// The seed of all random choices.
    #[arg(long, default_value = "1")]
    pub seed: u64,
    /// Cover the conditions of the functions that it calls in this file too.
    #[arg(long)]
    pub callees: bool,
    /// Print the functions and their conditions, numbered as in a path, and search nothing.
    #[arg(long)]
    pub list: bool,
    /// The output format.
    #[arg(long, value_enum, default_value = "text")]
    pub format: InputsFormat,
    /// Write F.json, F.hex, F.replay.c (runs the inputs again) and F.svg (plots the search) for each function F to this folder.
    #[arg(long, value_name = "DIR")]
    pub out: Option<Utf8PathBuf>,
    /// The gcc that builds, and whose gcov measures the coverage.
    #[arg(long, default_value = "gcc")]
    pub profiler: String,
    /// The number of functions to search in parallel [default: the number of cores].
    #[arg(long, short)]
    pub jobs: Option<usize>,
    /// Show no progress.
    #[arg(long, short)]
    pub quiet: bool,
    /// Flags for the compiler, and objects, archives and sources to link with the function.
    #[arg(last = true, value_name = "CFLAGS OBJECTS")]
    pub compiler: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InputsFormat {
    /// For people.
    Text,
    /// With exact values.
    Json,
    /// One input per line, its values in hexadecimal bits.
    Hex,
}
