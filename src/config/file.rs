//! Settings as typed: a TOML file in which every key is optional and unknown keys are refused.

use anyhow::{Context, Result, anyhow};
use camino::Utf8Path;
use serde::{Deserialize, Serialize};

use crate::model::RelationName;

/// The statement that is inserted where deletion would leave a branch empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Filler {
    /// An empty assembly statement, which no compiler folds.
    Opaque,
    /// `;`, which gcc merges with the condition above it.
    Empty,
}

/// How the commands of a profile are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Lane {
    /// Keep compilers and tools running between programs, where that works.
    Fast,
    /// Start every command as a person would type it.
    Plain,
}

/// Which unexecuted statements may be deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// Only statements that share no line with code that ran.
    Careful,
    /// Every statement that has a line with the count 0 (Cod, Algorithm 1, line 15).
    Published,
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

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    pub compile_seconds: Option<u64>,
    pub run_seconds: Option<u64>,
    pub memory_mib: Option<u64>,
    pub output_kib: Option<u64>,
    pub unconfined: Option<bool>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Delete {
    pub variants: Option<usize>,
    pub filler: Option<Filler>,
    pub choice: Option<Choice>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rewrite {
    pub variants: Option<usize>,
    pub mutants: Option<usize>,
    pub normalise: Option<bool>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inputs {
    pub most: Option<usize>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Peer {
    pub weak: Option<bool>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Triage {
    pub isolate: Option<bool>,
    pub rules: Option<bool>,
    pub tests: Option<usize>,
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
