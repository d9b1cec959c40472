//! The flags that change settings, which most commands have.

use camino::Utf8PathBuf;
use clap::Args;

use super::output::{Failure, bad_input};
use super::values::{number, relation};
use crate::config::{File, Lane, Limits, Settings};
use crate::model::RelationName;

/// Flags that change settings; each overrides the file of --config.
#[derive(Clone, Debug, Args)]
pub struct SettingFlags {
    /// Read settings from this file; configs/quick.toml in the source tree shows every key and its default.
    #[arg(long, value_name = "FILE")]
    pub config: Option<Utf8PathBuf>,
    /// Use this profiler: gcov, llvm-cov, all, a compiler such as gcc-12 or clang-22, or a path (repeatable).
    #[arg(long = "profiler", value_name = "NAME")]
    pub profilers: Vec<String>,
    /// Test this relation (repeatable).
    #[arg(long = "relation", value_name = "NAME", value_parser = relation())]
    pub relations: Vec<RelationName>,
    /// Seed for every random choice.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Number of parallel workers; 0 means one more than there are cores. The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub jobs: Option<usize>,
    /// fast keeps compilers and tools running between programs; plain starts them each time. The result does not
    /// depend on it.
    #[arg(long, value_enum)]
    pub lane: Option<Lane>,
    /// Also count conditions (MC/DC) and paths, if the profiler supports it.
    #[arg(long)]
    pub conditions: bool,
    /// Run programs without the sandbox: they may write files anywhere, use the network and send signals. Limits on
    /// time, memory and file size remain.
    #[arg(long)]
    pub unconfined: bool,
}

impl SettingFlags {
    /// These flags over the file of --config over the default.
    pub fn settings(&self) -> Result<Settings, Failure> {
        self.over_file(|typed| typed)
    }

    /// The same, with the flags of one command added by `with_more`.
    pub fn over_file(&self, with_more: impl FnOnce(File) -> File) -> Result<Settings, Failure> {
        let typed = File {
            seed: self.seed,
            profilers: (!self.profilers.is_empty()).then(|| self.profilers.clone()),
            relations: (!self.relations.is_empty()).then(|| self.relations.clone()),
            jobs: self.jobs,
            lane: self.lane,
            conditions: self.conditions.then_some(true),
            limits: Limits { unconfined: self.unconfined.then_some(true), ..Limits::default() },
            ..File::default()
        };
        Settings::merge(self.config.as_deref(), with_more(typed)).map_err(bad_input)
    }
}
