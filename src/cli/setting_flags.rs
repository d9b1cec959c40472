//! The flags that change settings, which most commands have.

use camino::Utf8PathBuf;
use clap::Args;

use super::values::{lane, relation};
use crate::config::{File, Lane, Limits};
use crate::model::RelationName;

/// Flags that change settings; each overrides the file of --config.
#[derive(Clone, Debug, Args)]
pub struct SettingFlags {
    /// Settings file; configs/quick.toml lists every key.
    #[arg(long, value_name = "FILE")]
    pub config: Option<Utf8PathBuf>,
    /// gcov, llvm-cov, all, a compiler as in gcc-12 or clang-22, or a path (repeatable).
    #[arg(long = "profiler", value_name = "NAME")]
    pub profilers: Vec<String>,
    /// A metamorphic relation (repeatable).
    #[arg(long = "relation", value_name = "NAME", value_parser = relation())]
    pub relations: Vec<RelationName>,
    /// Everything random comes from this number.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Workers; 0 means one more than there are cores. The result does not depend on it.
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// fast keeps compilers and tools started, plain runs the plain commands. The result does not depend on it.
    #[arg(long, value_name = "fast|plain", value_parser = lane)]
    pub lane: Option<Lane>,
    /// Count conditions too, where the profiler can (MC/DC).
    #[arg(long)]
    pub conditions: bool,
    /// Let programs do what you can do: write anywhere, use the network, signal and outlive. Limits on time, memory
    /// and file size stay.
    #[arg(long)]
    pub unconfined: bool,
}

impl SettingFlags {
    /// The flags as a settings file that overrides others.
    pub fn file(&self) -> File {
        File {
            seed: self.seed,
            profilers: (!self.profilers.is_empty()).then(|| self.profilers.clone()),
            relations: (!self.relations.is_empty()).then(|| self.relations.clone()),
            jobs: self.jobs,
            lane: self.lane,
            conditions: self.conditions.then_some(true),
            limits: Limits { unconfined: self.unconfined.then_some(true), ..Limits::default() },
            ..File::default()
        }
    }
}
