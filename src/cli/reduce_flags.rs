//! The flags of `recount reduce` and `recount versions`.

use std::time::Duration;

use camino::Utf8PathBuf;
use clap::Args;

use super::known_flags::KnownFlags;
use super::setting_flags::SettingFlags;
use super::values::{LinePlace, duration, line_place, number};
use crate::reduce::ExternalReducer;

#[derive(Clone, Debug, Args)]
pub struct ReduceFlags {
    /// Folders of findings, folders of runs (meaning their open clusters), ids of clusters, or with --line a .c file or the
    /// result of an audit, such as recount-audit/gcc-12.json.
    #[arg(required = true)]
    pub findings: Vec<Utf8PathBuf>,
    /// Look for clusters in this run (repeatable) [default: the newest run in reports/runs].
    #[arg(long = "run", value_name = "DIR")]
    pub runs: Vec<Utf8PathBuf>,
    #[command(flatten)]
    pub known: KnownFlags,
    /// The line whose count is wrong: N in the .c file, or `FILE:N` in the package of the audit.
    #[arg(long, value_name = "LINE", allow_negative_numbers = true, value_parser = line_place)]
    pub line: Option<LinePlace>,
    #[command(flatten)]
    pub settings: SettingFlags,
    /// Folder for the reduced finding [default: the finding's own folder].
    #[arg(long, value_name = "DIR")]
    pub out: Option<Utf8PathBuf>,
    /// Reduce N open findings of each run, drawn by the seed over relations and profilers, instead of one per cluster.
    /// The results go to RUN/drawn.
    #[arg(long, value_name = "N", conflicts_with = "out", value_parser = number, allow_negative_numbers = true)]
    pub draw: Option<usize>,
    /// Use another reducer, which must be installed, with the same test.
    #[arg(long, value_enum, value_name = "TOOL")]
    pub with: Option<ExternalReducer>,
    /// Reduce findings again that are already reduced, from the original program.
    #[arg(long)]
    pub again: bool,
    /// Reduce findings further that are already reduced.
    #[arg(long, conflicts_with_all = ["again", "with"])]
    pub further: bool,
    /// Stop reducing a finding after this time, as in 30s or 5m, and keep the smallest program so far.
    #[arg(long = "for", value_name = "DURATION", value_parser = duration, conflicts_with = "with")]
    pub time: Option<Duration>,
    /// Show no progress.
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Clone, Debug, Args)]
pub struct VersionsFlags {
    /// Folders of findings, folders of runs (meaning their open clusters), or ids of clusters.
    #[arg(required = true)]
    pub findings: Vec<Utf8PathBuf>,
    /// Also bisect the snapshots in this folder, which has one subfolder for each date, as in 2026-03-01/bin/gcc.
    #[arg(long, value_name = "DIR")]
    pub snapshots: Option<Utf8PathBuf>,
    /// Look for clusters in this run (repeatable) [default: the newest run in reports/runs].
    #[arg(long = "run", value_name = "DIR")]
    pub runs: Vec<Utf8PathBuf>,
    #[command(flatten)]
    pub known: KnownFlags,
    #[command(flatten)]
    pub settings: SettingFlags,
}
