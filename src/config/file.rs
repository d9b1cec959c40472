//! Settings as typed: a TOML file in which every key is optional and unknown keys are refused.

use anyhow::{Context, Result, anyhow};
use camino::Utf8Path;
use serde::{Deserialize, Serialize};

use super::section::{Delete, Inputs, Limits, Peer, Rewrite, Triage};
use crate::model::RelationName;

/// How the commands of a profile are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Lane {
    /// Keep compilers and tools running between programs, where that works.
    Fast,
    /// Start every command as a person would type it.
    #[default]
    Plain,
}

/// One settings file, or the flags of one command line. `configs/quick.toml` documents every key.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct File {
    pub seed: Option<u64>,
    pub profilers: Option<Vec<String>>,
    pub relations: Option<Vec<RelationName>>,
    pub jobs: Option<usize>,
    pub lane: Option<Lane>,
    pub lanes_compared: Option<u64>,
    pub flags: Option<Vec<String>>,
    pub conditions: Option<bool>,
    pub limits: Limits,
    pub delete: Delete,
    pub rewrite: Rewrite,
    pub inputs: Inputs,
    pub peer: Peer,
    pub triage: Triage,
}

impl File {
    pub fn read(path: &Utf8Path) -> Result<File> {
        let text = fs_err::read_to_string(path).context("failed to read the settings")?;
        File::parse(&text, path)
    }

    /// Parse `text`, the contents of `path`.
    pub fn parse(text: &str, path: &Utf8Path) -> Result<File> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            anyhow!("{path}:{line}: {} (configs/quick.toml lists every key)", error.message())
        })
    }

    /// This file with programs normalised, if the user `asked` for it.
    #[must_use]
    pub fn normalised(mut self, asked: bool) -> File {
        self.rewrite.normalise = asked.then_some(true).or(self.rewrite.normalise);
        self
    }
}
