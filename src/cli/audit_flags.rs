//! The flags of `recount audit`.

use std::time::Duration;

use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};

use super::values::duration;

#[derive(Clone, Debug, Args)]
pub struct AuditFlags {
    /// Audit this profiler: gcov, llvm-cov, a compiler such as gcc-12 or clang-22, or a path (repeatable).
    #[arg(long = "profiler", value_name = "NAME")]
    pub profilers: Vec<String>,
    /// The command that builds the package, for a shell in its folder.
    #[arg(long, value_name = "COMMAND")]
    pub build: Option<String>,
    /// The command that runs the tests, instead of the one after `--`.
    #[arg(long, value_name = "COMMAND", conflicts_with = "command")]
    pub test: Option<String>,
    /// The folder of the package [default: the current one].
    #[arg(long, value_name = "FOLDER")]
    pub package: Option<Utf8PathBuf>,
    /// The folder for the results, and for the copies of the package.
    #[arg(long, value_name = "FOLDER", default_value = "recount-audit")]
    pub out: Utf8PathBuf,
    /// The longest time that the build, and each run of the tests, may take, as in 90s or 30m.
    #[arg(long, value_name = "DURATION", default_value = "30m", value_parser = duration)]
    pub limit: Duration,
    /// Let the commands use the network.
    #[arg(long)]
    pub network: bool,
    /// Use what an earlier audit with the same commands built and tested in the folder of --out.
    #[arg(long)]
    pub resume: bool,
    /// Report only what is not in this result of an earlier audit, a file such as gcc-12.json.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<Utf8PathBuf>,
    /// Format of what is printed. The folder gets all formats.
    #[arg(long, value_enum, default_value = "text")]
    pub format: AuditFormat,
    /// File of known clusters, which are not reported as new [default: the built-in list].
    #[arg(long, value_name = "FILE")]
    pub known: Option<Utf8PathBuf>,
    /// Show no progress.
    #[arg(long, short)]
    pub quiet: bool,
    /// The command that runs the tests, and builds the package first if there is no --build.
    #[arg(last = true, value_name = "COMMAND", required_unless_present = "test")]
    pub command: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AuditFormat {
    Text,
    Json,
}

pub const EXAMPLES: &str = "Examples:
  recount audit --build 'make' -- make check
  recount audit --profiler gcc-12 --build 'cmake -B b && cmake --build b' -- ctest --test-dir b
  recount audit -- sh -c './configure && make && make check'";
