//! What can be typed. Help, completions and man pages come from here.

use std::time::Duration;

use camino::Utf8PathBuf;
use clap::{Args, Parser, Subcommand, ValueEnum};

use super::expected::Expected;
use super::import_flags::ImportCommand;
use super::inputs_flags::InputsFlags;
use super::setting_flags::SettingFlags;
use super::values::duration;
use crate::campaign::Shard;
use crate::model::Line;
use crate::report::Tracker;

/// Check code-coverage profilers against themselves.
///
/// recount profiles a C program with gcov or llvm-cov, rewrites it in ways that must not change
/// the counts, profiles it again, and explains every difference down to its cause.
#[derive(Debug, Parser)]
#[command(name = "recount", version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const INPUTS_EXAMPLES: &str = "Examples:
  recount inputs f.c --entry f
  recount inputs f.c --goal path=1T,2F -- -DNDEBUG other.o
  recount inputs f.c --format hex --seed 7";

const EXIT_CODES: &str = "Exit codes: 0 nothing new; 1 a cluster to look at that is not known yet; \
2 bad usage, settings or input; 3 no usable profiler; 4 recount's own failure; \
5 what was named is not there; 130 interrupted.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a campaign over programs and folders of programs.
    ///
    /// Every program is profiled, varied and profiled again under every chosen profiler. Differences
    /// are isolated to the smallest edit that causes them, run again, and clustered by cause. The
    /// journal in the run's folder grows with every finished job; --resume goes on after a kill.
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunFlags),
    /// Check one program and show P and P' side by side.
    ///
    /// For each cause that is found: the smallest variant that shows it beside the program, with
    /// the profiler's counts in front of each line. `!` marks lines whose count moved, `~` lines
    /// that the variant edits.
    Check(CheckFlags),
    /// Find inputs that cover a C function, or a program that reads numbers.
    ///
    /// The conditions report how far they are from each outcome, and the distances are minimised. Prints a small set
    /// of inputs, what gcov says of it, inputs that end badly, and the branches that are deemed infeasible.
    #[command(after_help = INPUTS_EXAMPLES)]
    Inputs(InputsFlags),
    /// Make a folder of programs from a compiler's testsuite, or from a package that is built.
    Import {
        /// What is imported.
        #[command(subcommand)]
        from: ImportCommand,
    },
    /// List the profilers on this machine, and what is missing.
    ///
    /// A profiler is a compiler and the coverage tools of its own version. For each one that cannot
    /// be used there is a sentence with the package to install.
    Profilers,
    /// Put the shards of a campaign together in a new folder, as if one machine had run it.
    ///
    /// The folders may be given in any order; what they make is the same byte for byte. Where jobs are
    /// missing, `run --resume` on the new folder does them.
    Merge {
        /// Folders of the shards.
        #[arg(required = true)]
        folders: Vec<Utf8PathBuf>,
        /// The folder to make.
        #[arg(long, value_name = "DIR")]
        out: Utf8PathBuf,
        /// What is known already.
        #[command(flatten)]
        known: KnownFlags,
    },
    /// Cluster the findings of one or more runs, write their examples, print the table.
    ///
    /// With --against, what is new since an earlier run instead, what is gone, and what moved between
    /// versions; the exit code is 1 only where a cluster with the verdict wrong is new.
    Triage {
        /// Folders of runs.
        #[arg(required = true)]
        folders: Vec<Utf8PathBuf>,
        /// The folder of an earlier run, as of last night (repeatable).
        #[arg(long, value_name = "DIR")]
        against: Vec<Utf8PathBuf>,
        /// What is known already.
        #[command(flatten)]
        known: KnownFlags,
    },
    /// The evaluating process of a search.
    #[command(hide = true)]
    Evaluate {
        /// What to do.
        errand: Utf8PathBuf,
    },
    /// Print everything that is known of a cluster.
    ///
    /// Verdict and cause, every program that shows it, and its example, the smallest under the newest
    /// version, with the counts beside the lines. It reads journals alone and runs no compiler.
    Explain {
        /// A cluster's id, as `recount report` lists it, the beginning of one, or a signature.
        #[arg(value_name = "CLUSTER")]
        cluster: String,
        /// Folders of runs [default: the newest in reports/runs].
        folders: Vec<Utf8PathBuf>,
    },
    /// Reduce findings to the smallest programs that show them.
    ///
    /// The program is made smaller as long as the same relation finds the same kind of difference
    /// with the same verdict, judged afresh, and no undefined behaviour comes in. The finding's folder
    /// then holds the reduced program, the program as it was found (original.c), and the nearest
    /// program on which the profiler is right (contrast.c).
    #[command(after_help = REDUCE_EXAMPLES)]
    Reduce(ReduceFlags),
    /// Hold a finding against every version of its profiler that is here.
    ///
    /// The finding's program is profiled and judged anew by each; the table says which show it. It
    /// is kept in the finding's folder.
    Versions(VersionsFlags),
    /// Check somebody's claim that a line is counted wrong.
    ///
    /// Every profiler here is asked, and our own counters say what really ran. Exit code 0: at least
    /// one is wrong, and the claim says what is right; 5: none is; 2: no profiler could be asked.
    Claim(ClaimFlags),
    /// Print the report of one or more runs, or of one finding for the profiler's makers.
    ///
    /// With --format bugzilla, github or markdown the one FINDING is the folder of a finding, or a
    /// cluster as in `recount explain`. Its program is profiled again, and the report has what the
    /// makers ask for: compiler, program, exact commands, the annotated report, what is wrong in one
    /// sentence, a program that is counted right, and the affected versions.
    Report {
        /// Folders of runs, or one finding.
        #[arg(required = true, value_name = "DIR|FINDING")]
        folders: Vec<Utf8PathBuf>,
        /// What to print, or to write.
        #[arg(long, value_enum, default_value = "text")]
        format: Format,
        /// The folder of the pages of `html` [default: html in the first run's folder].
        #[arg(long, value_name = "DIR")]
        out: Option<Utf8PathBuf>,
        /// What is known already.
        #[command(flatten)]
        known: KnownFlags,
        /// Of one finding.
        #[command(flatten)]
        filing: FilingFlags,
    },
    /// List the clusters that are understood already, and check that each still shows.
    ///
    /// An entry of configs/known.toml is a signature with its verdict, a note on the cause, and a
    /// small program that shows it. --check profiles each program again: a signature that moved,
    /// since signing has changed, is rewritten in the file; an entry that no longer shows its
    /// verdict is a failure. Profilers that are not here are skipped.
    Known {
        /// Derive every signature anew from its program.
        #[arg(long)]
        check: bool,
        /// The file of known clusters [default: the built-in configs/known.toml].
        #[arg(long, value_name = "FILE")]
        file: Option<Utf8PathBuf>,
    },
    /// Ask a running reduction whether a program is interesting (not for people).
    #[command(hide = true)]
    Ask {
        /// Where it listens.
        socket: Utf8PathBuf,
        /// The program.
        file: Utf8PathBuf,
    },
    /// Print shell completions.
    #[command(hide = true)]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write man pages.
    #[command(hide = true)]
    Man {
        /// The folder that they are written to.
        folder: Utf8PathBuf,
    },
    /// Run programs under test on behalf of a worker (not for people).
    #[command(hide = true)]
    Supervise {
        /// The limits and folders of programs, as JSON.
        confinement: String,
        /// The sandbox layers of the inner process, as JSON.
        layers: Option<String>,
    },
}

const RUN_EXAMPLES: &str = "Examples:
  recount run                                  the built-in corpus, newest gcov and llvm-cov
  recount run tests/ --profiler gcc-12         a folder under one profiler
  recount run tests/ --profiler all --for 8h   every installed version, for a night
  recount run tests/ --out night --resume      go on where a run was stopped";

const REDUCE_EXAMPLES: &str = "Examples:
  recount reduce reports/runs/0001/examples/c0a1b2c3   one finding
  recount reduce reports/runs/0001                     every open cluster of a run
  recount reduce c0a1b2c3                              a cluster of the newest run
  recount reduce FILE.c --line 12 --profiler gcc-12    what is wrong on a line of a file";

/// How a report is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables, for people.
    Text,
    /// One JSON object with all findings and clusters, for scripts.
    Json,
    /// Pages that need no server, written to a folder; prints the first one.
    Html,
    /// `JUnit`'s XML.
    #[value(help = "JUnit XML for CI: a program fails that shows a cluster which is open and not known")]
    Junit,
    /// One finding for GCC's Bugzilla.
    Bugzilla,
    /// One finding for LLVM's issues.
    Github,
    /// One finding for mails and README files.
    Markdown,
}

impl Format {
    /// Where a report of one finding goes; none for reports of runs.
    pub fn tracker(self) -> Option<Tracker> {
        match self {
            Format::Bugzilla => Some(Tracker::Bugzilla),
            Format::Github => Some(Tracker::GitHub),
            Format::Markdown => Some(Tracker::Markdown),
            _ => None,
        }
    }
}

/// Flags of a report of one finding.
#[derive(Clone, Debug, Args)]
pub struct FilingFlags {
    /// A run in which the cluster is looked for (repeatable) [default: the newest in reports/runs].
    #[arg(long = "run", value_name = "DIR")]
    pub runs: Vec<Utf8PathBuf>,
    /// Report what is known, meant so, or explained by nobody.
    #[arg(long)]
    pub force: bool,
}

/// How a check is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// P and P' side by side.
    Text,
    /// What each profiler says of P, as a tracefile of lcov; nothing is checked.
    Lcov,
}

/// Flags that say which clusters are understood already.
#[derive(Clone, Debug, Args)]
pub struct KnownFlags {
    /// Clusters that are understood already [default: the built-in configs/known.toml].
    #[arg(long, value_name = "FILE")]
    pub known: Option<Utf8PathBuf>,
    /// Show, or take, the known clusters too.
    #[arg(long)]
    pub show_known: bool,
}

/// Flags of `run`.
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub struct RunFlags {
    /// Programs (.c files with main) and folders of them; none means the built-in corpus.
    pub sources: Vec<Utf8PathBuf>,
    #[command(flatten)]
    pub settings: SettingFlags,
    /// Mutated copies of each program, beside it: other layout, macros, declarations.
    #[arg(long, value_name = "N")]
    pub mutants: Option<usize>,
    /// Search for inputs of programs that read numbers, and of functions in files without main: so many each.
    #[arg(long, value_name = "N")]
    pub inputs: Option<usize>,
    /// A flag of the compiler for every program, behind its own, as in --flag -O2 (repeatable).
    #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
    pub flags: Vec<String>,
    /// The run's folder [default: reports/runs/N, the next free number].
    #[arg(long, value_name = "DIR")]
    pub out: Option<Utf8PathBuf>,
    /// Go on with the run in --out.
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Take so many of the programs, drawn by the seed.
    #[arg(long, value_name = "N")]
    pub programs: Option<usize>,
    /// Start no new job after so long, as in 90s, 30m or 8h.
    #[arg(long = "for", value_name = "DURATION", value_parser = duration)]
    pub time: Option<Duration>,
    /// Start no new job after so many clusters that are open and not known.
    #[arg(long, value_name = "N")]
    pub stop_after_new: Option<usize>,
    /// Lay every program out first, one statement a line.
    #[arg(long)]
    pub normalise: bool,
    /// Take only part i of n.
    #[arg(long, value_name = "i/n")]
    pub shard: Option<Shard>,
    /// Print the jobs and run none.
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub known: KnownFlags,
    /// Show no progress.
    #[arg(long, short)]
    pub quiet: bool,
}

/// Flags of `check`.
#[derive(Clone, Debug, Args)]
pub struct CheckFlags {
    /// The program.
    pub file: Utf8PathBuf,
    #[command(flatten)]
    pub settings: SettingFlags,
    /// Lay the program out first, one statement a line.
    #[arg(long)]
    pub normalise: bool,
    /// Show every line of the program, not only those near a difference.
    #[arg(long)]
    pub whole: bool,
    /// What to print.
    #[arg(long, value_enum, default_value = "text")]
    pub format: CheckFormat,
    /// Clusters that are understood already [default: the built-in configs/known.toml].
    #[arg(long, value_name = "FILE")]
    pub known: Option<Utf8PathBuf>,
}

/// Flags of `reduce`.
#[derive(Clone, Debug, Args)]
pub struct ReduceFlags {
    /// Folders of findings, folders of runs (their open clusters, without the known), clusters of the newest run,
    /// or a file.
    #[arg(required = true)]
    pub findings: Vec<Utf8PathBuf>,
    #[command(flatten)]
    pub known: KnownFlags,
    /// The line of the file that is counted wrong.
    #[arg(long, value_name = "N")]
    pub line: Option<Line>,
    #[command(flatten)]
    pub settings: SettingFlags,
    /// Where the reduced finding goes [default: the finding's own folder].
    #[arg(long, value_name = "DIR")]
    pub out: Option<Utf8PathBuf>,
    /// Of each run take so many open findings, drawn by the seed over relations and profilers,
    /// instead of one a cluster; they go to RUN/drawn.
    #[arg(long, value_name = "N", conflicts_with = "out")]
    pub draw: Option<usize>,
    /// Reduce by another tool that is installed, with the same test.
    #[arg(long, value_enum, value_name = "TOOL")]
    pub with: Option<With>,
    /// Reduce again what has been reduced, from the program as it was found.
    #[arg(long)]
    pub again: bool,
    /// Go on with what has been reduced, from where it stands.
    #[arg(long, conflicts_with_all = ["again", "with"])]
    pub further: bool,
    /// Show no progress.
    #[arg(long, short)]
    pub quiet: bool,
}

/// Another reducer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum With {
    /// C-Vise.
    Cvise,
    /// treereduce-c.
    Treereduce,
}

/// Flags of `versions`.
#[derive(Clone, Debug, Args)]
pub struct VersionsFlags {
    /// Folders of findings, folders of runs (their open clusters, without the known), or clusters of the newest run.
    #[arg(required = true)]
    pub findings: Vec<Utf8PathBuf>,
    #[command(flatten)]
    pub known: KnownFlags,
    #[command(flatten)]
    pub settings: SettingFlags,
}

/// Flags of `claim`.
#[derive(Clone, Debug, Args)]
pub struct ClaimFlags {
    /// The program.
    pub file: Utf8PathBuf,
    /// The line that is said to be counted wrong.
    #[arg(long, value_name = "N")]
    pub line: Line,
    /// The count that is said to be right; - for none.
    #[arg(long, value_name = "K", allow_hyphen_values = true)]
    pub expect: Expected,
    #[command(flatten)]
    pub settings: SettingFlags,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }
}
