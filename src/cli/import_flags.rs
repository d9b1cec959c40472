//! The flags of `recount import`.

use camino::Utf8PathBuf;
use clap::{Args, Subcommand};

use super::values::number;

#[derive(Clone, Debug, Subcommand)]
pub enum ImportCommand {
    /// Import GCC's testsuite: the tests that run on `x86_64` Linux, with the flags in their directives.
    Gcc(SuiteFlags),
    /// Import llvm-test-suite, or tests with RUN lines such as compiler-rt/test/profile.
    Clang(SuiteFlags),
    /// Build a package and import its programs, each as one C file, with its tests as inputs.
    ///
    /// The command runs in the current folder. Recorders take the place of the compilers on PATH and in CC, so earlier
    /// builds must be cleaned first. Libraries that the build does not make itself stay linked.
    #[command(after_help = BUILD_EXAMPLES)]
    Build(BuildFlags),
}

const BUILD_EXAMPLES: &str = "Examples:
  recount import build --out programs/grep -- make
  recount import build --out programs/grep --test 'make check' -- make
  recount import build --out programs/grep --compile-commands build/compile_commands.json";

#[derive(Clone, Debug, Args)]
pub struct SuiteFlags {
    /// The testsuite, or a folder in it.
    pub folder: Utf8PathBuf,
    #[command(flatten)]
    pub common: CommonFlags,
}

#[derive(Clone, Debug, Args)]
pub struct BuildFlags {
    #[command(flatten)]
    pub common: CommonFlags,
    /// Read the compiler calls from a compilation database, instead of running a command.
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    pub compile_commands: Option<Utf8PathBuf>,
    /// Run the package's tests; each call of a built program becomes an input, up to 16 per program.
    #[arg(long, value_name = "COMMAND", requires = "command")]
    pub test: Option<String>,
    /// The command that builds the package.
    #[arg(last = true, required_unless_present = "compile_commands")]
    pub command: Vec<String>,
}

#[derive(Clone, Debug, Args)]
pub struct CommonFlags {
    /// The new folder for programs, headers, sidecars and import.tsv.
    #[arg(long, value_name = "FOLDER")]
    pub out: Utf8PathBuf,
    /// Keep all programs; by default only those are kept that the newest gcc compiles and that run as expected.
    #[arg(long)]
    pub no_check: bool,
    /// Number of programs to try in parallel; 0 means one more than there are cores.
    #[arg(long, value_name = "N", default_value = "0", value_parser = number, allow_negative_numbers = true)]
    pub jobs: usize,
    /// Show no progress.
    #[arg(long, short)]
    pub quiet: bool,
}
