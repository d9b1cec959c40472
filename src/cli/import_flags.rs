//! What can be typed behind `recount import`.

use camino::Utf8PathBuf;
use clap::{Args, Subcommand};

/// Where programs come from.
#[derive(Clone, Debug, Subcommand)]
pub enum ImportCommand {
    /// GCC's testsuite: the tests that it runs on `x86_64` Linux, with the flags of their directives.
    Gcc(SuiteFlags),
    /// llvm-test-suite, or tests with RUN lines as in compiler-rt/test/profile.
    Clang(SuiteFlags),
    /// A package: the programs that a build links, each as one C file, with its own tests as inputs.
    ///
    /// The command runs in the current folder with recorders in front of the compilers on PATH and in CC, so
    /// whatever is built already has to be cleaned first. Libraries from elsewhere stay linked.
    #[command(after_help = BUILD_EXAMPLES)]
    Build(BuildFlags),
}

const BUILD_EXAMPLES: &str = "Examples:
  recount import build --out night/grep -- make
  recount import build --out night/grep --test 'make check' -- make
  recount import build --out night/grep --compile-commands build/compile_commands.json";

/// Flags of an import of a testsuite.
#[derive(Clone, Debug, Args)]
pub struct SuiteFlags {
    /// The testsuite, or a folder of it.
    pub folder: Utf8PathBuf,
    #[command(flatten)]
    pub common: CommonFlags,
}

/// Flags of an import of a package.
#[derive(Clone, Debug, Args)]
pub struct BuildFlags {
    #[command(flatten)]
    pub common: CommonFlags,
    /// What was compiled, as `CMake` and bear write it, in place of a command.
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    pub compile_commands: Option<Utf8PathBuf>,
    /// The package's tests; each call of a program that was built becomes an input, up to 16 a program.
    #[arg(long, value_name = "COMMAND", requires = "command")]
    pub test: Option<String>,
    /// What builds the package.
    #[arg(last = true, required_unless_present = "compile_commands")]
    pub command: Vec<String>,
}

/// Flags of every import.
#[derive(Clone, Debug, Args)]
pub struct CommonFlags {
    /// The new folder: programs, headers and sidecars for `recount run`, and import.tsv.
    #[arg(long, value_name = "FOLDER")]
    pub out: Utf8PathBuf,
    /// Take programs without trying them; else only those stay that the newest gcc builds and that run well.
    #[arg(long)]
    pub no_check: bool,
    /// Programs tried at a time; 0 means one more than there are cores.
    #[arg(long, value_name = "N", default_value = "0")]
    pub jobs: usize,
    /// Show no progress.
    #[arg(long, short)]
    pub quiet: bool,
}
