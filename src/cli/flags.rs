//! The command line's definition. Help, completions and man pages are generated from it.

use std::time::Duration;

use camino::Utf8PathBuf;
use clap::{Args, Parser, Subcommand, ValueEnum};

use super::audit_flags::{AuditFlags, EXAMPLES as AUDIT_EXAMPLES};
use super::claim_flags::ClaimFlags;
use super::import_flags::ImportCommand;
use super::inputs_flags::InputsFlags;
use super::known_flags::KnownFlags;
use super::reduce_flags::{ReduceFlags, VersionsFlags};
use super::require_flags::RequireFlags;
use super::setting_flags::SettingFlags;
use super::values::{duration, number};
use crate::campaign::Shard;
use crate::model::Line;
use crate::report::Tracker;

/// Folder of the runs that have no --out.
pub const RUNS: &str = "reports/runs";

/// Find wrong counts in gcov and llvm-cov.
///
/// recount profiles a C program, rewrites it in ways that must not change how often each line runs, profiles it
/// again, and explains every difference. Counters that it inserts into the source itself show which count is right.
#[derive(Debug, Parser)]
#[command(name = "recount", version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 nothing new; 1 a cluster needs attention and is not known yet; \
2 bad usage, settings or input; 3 no usable profiler; 4 an internal failure of recount; \
5 the named finding or cluster does not exist, or does not reproduce; \
6 less was checked than --require-checked asks for; 130 interrupted.

Start with `recount check FILE.c` for one program, or `recount run` for the built-in ones.";

const CHECK_EXAMPLES: &str = "Examples:
  recount check loop.c                         the newest gcov and llvm-cov
  recount check loop.c --profiler gcc-12       one profiler
  recount check loop.c --relation truth        only compare with ground truth
  recount check loop.c --whole                 the whole report next to the expected one
  recount check loop.c --line 7                what decides the count of line 7";

const RUN_EXAMPLES: &str = "Examples:
  recount run                                  the built-in corpus, newest gcov and llvm-cov
  recount run tests/ --profiler gcc-12         a folder under one profiler
  recount run tests/ --profiler all --for 8h   every installed version, for 8 hours
  recount run make:1-100                       100 random programs
  recount run tests/ --out nightly --resume    continue an interrupted run";

const REDUCE_EXAMPLES: &str = "Examples:
  recount reduce reports/runs/0001/examples/c0a1b2c3   one finding
  recount reduce reports/runs/0001                     every open cluster of a run
  recount reduce c0a1b2c3                              a cluster of the newest run
  recount reduce FILE.c --line 12 --profiler gcc-12    the wrong count on a line of a file";

const CLAIM_EXAMPLES: &str = "Examples:
  recount claim loop.c --line 7 --expect 4                      every installed profiler
  recount claim loop.c --line 7 --expect 4 --profiler gcc-12    one profiler
  recount claim loop.c --line 9 --expect -                      the line should have no count
  recount claim loop.c --line 9 --expect 3 --metric branch      one of the line's branches";

const INPUTS_EXAMPLES: &str = "Examples:
  recount inputs f.c --entry f
  recount inputs f.c --goal path=1T,2F -- -DNDEBUG other.o
  recount inputs f.c --format hex --seed 7";

/// The commands, in the order that a new user needs them.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check one program, and show each finding in its source.
    ///
    /// For each cause that is found, check prints one sentence per wrong count, and the program next to the smallest
    /// variant that shows the difference. The numbers before each line are the profiler's counts. `!` marks lines
    /// with a finding, `~` lines that the variant edits. The last lines say what was not checked, and why.
    ///
    /// Exit code 0: nothing new; 1: a count is wrong or unexplained, and not known yet; 2: the program does not
    /// compile or run, or is not supported; 6: less was checked than --require-checked asks for.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckFlags),
    /// List the installed profilers, and what is missing.
    ///
    /// A profiler is a compiler together with the coverage tools of the same version. If one cannot be used, the list
    /// says which package to install. A second table shows how programs under test are sandboxed on this machine.
    ///
    /// Exit code 0: at least one profiler is usable; 3: none is.
    Profilers,
    /// Run a campaign over many programs.
    ///
    /// Every program is profiled, varied and profiled again under every selected profiler. Each difference is
    /// isolated to the smallest edit that causes it, confirmed, and put into a cluster with others of the same
    /// cause. run prints the table of clusters and what was not checked, and writes them, with an example of each
    /// cluster, to the run's folder. Interrupted runs continue with --resume.
    ///
    /// Exit code 0: nothing new; 1: there is a new cluster; 2: bad input, or no program could be profiled; 6: less was
    /// checked than --require-checked asks for.
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunFlags),
    /// Cluster the findings of runs, or compare runs.
    ///
    /// Prints the table of clusters and writes an example of each to the run's folder. With --against it prints the
    /// clusters that are new, the ones that no longer reproduce, and the ones that affect other versions now.
    ///
    /// Exit code 0: nothing new; 1: there is a new cluster; with --against, only if its verdict is `wrong`; 6: less was
    /// checked than --require-checked asks for.
    Triage {
        /// Folders of runs.
        #[arg(required = true)]
        folders: Vec<Utf8PathBuf>,
        /// Compare with this earlier run (repeatable).
        #[arg(long, value_name = "DIR")]
        against: Vec<Utf8PathBuf>,
        #[command(flatten)]
        known: KnownFlags,
        #[command(flatten)]
        required: RequireFlags,
    },
    /// Explain a cluster: verdict, cause, programs and an example.
    ///
    /// The example is the smallest program under the newest version, with the counts of each line. explain reads
    /// only the journals of the runs; it runs no compiler.
    ///
    /// Exit code 5: no such cluster.
    Explain {
        /// A cluster's id (or the beginning of one) as in the table of clusters, or a signature.
        #[arg(value_name = "CLUSTER")]
        cluster: String,
        /// Folders of runs [default: the newest run in reports/runs].
        folders: Vec<Utf8PathBuf>,
    },
    /// Print a report of runs, or a bug report for one finding.
    ///
    /// With --format bugzilla, github or markdown, the argument is one finding: its folder, or a cluster as for
    /// `recount explain`. recount runs its program again first. The bug report has what maintainers ask for: the
    /// compiler, the program, the exact commands, the annotated report, the wrong count in one sentence, a similar
    /// program with correct counts, and the affected versions.
    ///
    /// Exit code 5: the finding no longer reproduces.
    Report {
        /// Folders of runs, or one finding.
        #[arg(required = true, value_name = "DIR|FINDING")]
        folders: Vec<Utf8PathBuf>,
        /// Format of the report.
        #[arg(long, value_enum, default_value = "text")]
        format: Format,
        /// Folder for the HTML pages [default: html in the first run's folder].
        #[arg(long, value_name = "DIR")]
        out: Option<Utf8PathBuf>,
        #[command(flatten)]
        known: KnownFlags,
        #[command(flatten)]
        filing: FilingFlags,
    },
    /// Reduce findings to the smallest programs that show them.
    ///
    /// The program shrinks as long as the same relation finds the same kind of difference with the same verdict, and
    /// the program keeps defined behaviour. The finding's folder then holds the reduced program, the original
    /// (original.c), and the nearest program whose count is right (contrast.c).
    ///
    /// Exit code 5: a finding no longer reproduces.
    #[command(after_help = REDUCE_EXAMPLES)]
    Reduce(ReduceFlags),
    /// Find out which versions of a profiler are affected by a finding.
    ///
    /// Runs the finding's program with each version and prints a table and the range of affected versions. The
    /// result is also saved in the finding's folder, for bug reports.
    ///
    /// Exit code 5: no version is affected.
    Versions(VersionsFlags),
    /// Check whether a reported count is wrong.
    ///
    /// You say which count a line should have, for example from a bug report. recount compares it with the report of
    /// every selected profiler and with ground truth.
    ///
    /// Exit code 0: at least one profiler is wrong, and the claimed count is right; 5: none is, or it is not known; 2: the
    /// program could not be profiled. That a program which ends by a signal or `_exit` has no profile is intended behaviour,
    /// and so are gcov's counts of an optimised one.
    #[command(after_help = CLAIM_EXAMPLES)]
    Claim(ClaimFlags),
    /// List the known root causes, or check that they still reproduce.
    ///
    /// A known root cause is a mechanism with a status, its public reports, and small programs that show it. --check
    /// profiles each program again. Programs whose profilers are not installed are skipped.
    ///
    /// Exit code 5: a program no longer shows its root cause.
    Known {
        /// Profile each program again and compare the result with the entry.
        #[arg(long)]
        check: bool,
        /// File of known root causes [default: the built-in list].
        #[arg(long, value_name = "FILE")]
        file: Option<Utf8PathBuf>,
    },
    /// Find inputs that cover a C function, or a program that reads numbers.
    ///
    /// A search minimises the distance of each condition to its other outcome. It prints a small set of inputs, their
    /// coverage by gcov, inputs that crash or time out, and the branches that are considered infeasible.
    #[command(after_help = INPUTS_EXAMPLES)]
    Inputs(InputsFlags),
    /// Turn a compiler's testsuite or a package into programs for `recount run`.
    ///
    /// The new folder holds the programs, the headers that they include, their flags and inputs, and import.tsv,
    /// which says for every C file whether it was taken or why not.
    ///
    /// Exit code 0: at least one program was taken; 5: none was.
    Import {
        #[command(subcommand)]
        from: ImportCommand,
    },
    /// Merge the shards of a campaign into one run.
    ///
    /// The result is the same as if one machine had run the whole campaign, in whatever order the folders are named. If
    /// jobs are missing, `recount run --resume` on the new folder runs them.
    Merge {
        /// Folders of the shards.
        #[arg(required = true)]
        folders: Vec<Utf8PathBuf>,
        /// The new folder.
        #[arg(long, value_name = "DIR")]
        out: Utf8PathBuf,
        #[command(flatten)]
        known: KnownFlags,
    },
    /// Check the coverage report of a package: which of its numbers are wrong.
    ///
    /// The package is built and tested by its own commands in copies of its folder: once with coverage, and once with
    /// counters of our own. Compilers are replaced by scripts on PATH and in CC. Every number of the profiler's report is
    /// compared with what really ran. What varies from run to run is not judged, and everything that is not checked is
    /// listed.
    ///
    /// Exit code 0: nothing new; 1: a count is wrong, and its cause is not known yet; 2: the package cannot be built, or its
    /// tests do not end.
    #[command(after_help = AUDIT_EXAMPLES)]
    Audit(AuditFlags),
    /// What takes the place of a compiler in an audit (internal).
    #[command(hide = true)]
    Compiler {
        /// The session of the audit.
        session: Utf8PathBuf,
        /// The tool that was called.
        real: String,
        #[arg(last = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Run a command of a package in its sandbox (internal).
    #[command(hide = true)]
    Confined {
        /// What the command may use, as JSON.
        sandbox: String,
        #[arg(last = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// The evaluating process of an input search (internal).
    #[command(hide = true)]
    Evaluate { errand: Utf8PathBuf },
    /// Ask a running reduction whether a program is interesting (internal).
    #[command(hide = true)]
    Ask { socket: Utf8PathBuf, file: Utf8PathBuf },
    /// Print shell completions, as in `recount completions bash`.
    #[command(hide = true)]
    Completions { shell: clap_complete::Shell },
    /// Write man pages to a folder.
    #[command(hide = true)]
    Man { folder: Utf8PathBuf },
    /// Run programs under test on behalf of a worker (internal).
    #[command(hide = true)]
    Supervise {
        /// The limits and folders of programs, as JSON.
        confinement: String,
        /// The sandbox layers of the inner process, as JSON.
        layers: Option<String>,
    },
}

/// The format of `recount report`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables in plain text.
    Text,
    /// One JSON object with all findings and clusters.
    Json,
    /// HTML pages that need no server; prints the path of the first page.
    Html,
    #[value(help = "JUnit XML for CI: a program fails if it shows an open cluster that is not known")]
    Junit,
    /// One finding, as a bug report for GCC's Bugzilla.
    Bugzilla,
    /// One finding, as a bug report for LLVM's issues on GitHub.
    Github,
    /// One finding, in Markdown.
    Markdown,
}

impl Format {
    /// The tracker for which a report of one finding is; none for reports of runs.
    pub fn tracker(self) -> Option<Tracker> {
        match self {
            Format::Bugzilla => Some(Tracker::Bugzilla),
            Format::Github => Some(Tracker::GitHub),
            Format::Markdown => Some(Tracker::Markdown),
            _ => None,
        }
    }
}

/// Flags for a report of one finding.
#[derive(Clone, Debug, Args)]
pub struct FilingFlags {
    /// Look for the cluster in this run (repeatable) [default: the newest run in reports/runs].
    #[arg(long = "run", value_name = "DIR")]
    pub runs: Vec<Utf8PathBuf>,
    /// Write the report even if the finding is already known, intended behaviour, or unexplained.
    #[arg(long)]
    pub force: bool,
}

/// The format of `recount check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// Findings, with the program and its variant side by side.
    Text,
    /// The profiler's report as an lcov tracefile; nothing is checked.
    Lcov,
}

#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub struct RunFlags {
    /// .c files with main, folders of them, make:SEED, make:FROM-TO or csmith:N [default: the built-in corpus].
    pub sources: Vec<Utf8PathBuf>,
    #[command(flatten)]
    pub settings: SettingFlags,
    /// Also check N mutated copies of each program, with different layout, macros and declarations.
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub mutants: Option<usize>,
    /// Search for up to N inputs of each program that reads numbers, and of each function in files without main.
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub inputs: Option<usize>,
    /// Compiler flag for every program, after its own flags, as in --flag -O2 (repeatable).
    #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
    pub flags: Vec<String>,
    /// Folder of the run [default: reports/runs/N with the next free number].
    #[arg(long, value_name = "DIR")]
    pub out: Option<Utf8PathBuf>,
    /// Continue the run in --out.
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Check only N of the programs, drawn by the seed.
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub programs: Option<usize>,
    /// Start no new job after this time, as in 90s, 30m or 8h.
    #[arg(long = "for", value_name = "DURATION", value_parser = duration)]
    pub time: Option<Duration>,
    /// Then reduce the clusters that are not known, for this time at most.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub reduce_for: Option<Duration>,
    /// Start no new job after N clusters that are open and not known.
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub stop_after_new: Option<usize>,
    /// First reformat every program to one statement per line.
    #[arg(long)]
    pub normalise: bool,
    /// Check only part i of n of the programs.
    #[arg(long, value_name = "i/n")]
    pub shard: Option<Shard>,
    /// Print the jobs, and run none.
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub known: KnownFlags,
    #[command(flatten)]
    pub required: RequireFlags,
    /// Show no progress.
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Clone, Debug, Args)]
pub struct CheckFlags {
    /// The program.
    pub file: Utf8PathBuf,
    #[command(flatten)]
    pub settings: SettingFlags,
    /// First reformat the program to one statement per line.
    #[arg(long)]
    pub normalise: bool,
    /// Show the whole report, not only the lines near a difference.
    #[arg(long)]
    pub whole: bool,
    /// Also show what decides the count of this line: blocks and arcs of gcov, segments and regions of llvm-cov.
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with = "normalise")]
    pub line: Option<Line>,
    /// Format of the output.
    #[arg(long, value_enum, default_value = "text")]
    pub format: CheckFormat,
    #[command(flatten)]
    pub required: RequireFlags,
    /// File of known clusters, which are not reported as new [default: the built-in list].
    #[arg(long, value_name = "FILE")]
    pub known: Option<Utf8PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }
}
