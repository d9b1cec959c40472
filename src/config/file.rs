//! What may be typed: a TOML file, every key optional, unknown keys refused.

use anyhow::{Context, Result, anyhow};
use camino::Utf8Path;
use serde::{Deserialize, Serialize};

use crate::model::RelationName;

/// What stands in for the statements of an arm that would become empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Filler {
    /// An empty assembly statement, which no compiler folds.
    Opaque,
    /// `;`, which gcc folds together with the condition above it.
    Empty,
}

/// How the commands of a profile are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Lane {
    /// Compilers and tools that have started already, where that works.
    Fast,
    /// The commands that a person would type.
    Plain,
}

/// Which unexecuted statements may be deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// What RELATIONS allows: nothing that shares a line with code that ran.
    Careful,
    /// Every statement that has a line with the count 0 (Cod, Algorithm 1, line 15).
    Published,
}

/// One settings file, or the flags of one command line.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the keys are documented in configs/quick.toml and in Settings")]
pub struct File {
    pub seed: Option<u64>,
    pub profilers: Option<Vec<String>>,
    pub relations: Option<Vec<RelationName>>,
    pub jobs: Option<usize>,
    pub lane: Option<Lane>,
    pub lanes_compared: Option<u64>,
    pub flags: Option<Vec<String>>,
    pub conditions: Option<bool>,
    #[serde(default)]
    pub limits: Limits,
    #[serde(default)]
    pub delete: Delete,
    #[serde(default)]
    pub rewrite: Rewrite,
    #[serde(default)]
    pub inputs: Inputs,
    #[serde(default)]
    pub peer: Peer,
    #[serde(default)]
    pub triage: Triage,
}

/// The table `[limits]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the keys are documented in configs/quick.toml and in Settings")]
pub struct Limits {
    pub compile_seconds: Option<u64>,
    pub run_seconds: Option<u64>,
    pub memory_mib: Option<u64>,
    pub output_kib: Option<u64>,
    pub unconfined: Option<bool>,
}

/// The table `[delete]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Delete {
    pub variants: Option<usize>,
    pub filler: Option<Filler>,
    pub choice: Option<Choice>,
}

/// The table `[rewrite]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rewrite {
    pub variants: Option<usize>,
    pub mutants: Option<usize>,
    pub normalise: Option<bool>,
}

/// The table `[inputs]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inputs {
    pub most: Option<usize>,
}

/// The table `[peer]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Peer {
    pub weak: Option<bool>,
}

/// The table `[triage]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Triage {
    pub isolate: Option<bool>,
    pub rules: Option<bool>,
    pub tests: Option<usize>,
}

impl File {
    /// Read and parse `path`.
    pub fn read(path: &Utf8Path) -> Result<File> {
        let text = fs_err::read_to_string(path).context("failed to read the settings")?;
        File::parse(&text, path)
    }

    /// Parse `text`, which stands in `path`.
    pub fn parse(text: &str, path: &Utf8Path) -> Result<File> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            anyhow!("{path}:{line}: {} (configs/quick.toml lists every key)", error.message())
        })
    }

    /// This file with the programs brought into their normal form, if that is `asked` for.
    #[must_use]
    pub fn normalised(mut self, asked: bool) -> File {
        self.rewrite.normalise = asked.then_some(true).or(self.rewrite.normalise);
        self
    }

    /// This file's values, and `under`'s where this one is silent.
    #[must_use]
    pub fn over(self, under: File) -> File {
        File {
            seed: self.seed.or(under.seed),
            profilers: self.profilers.or(under.profilers),
            relations: self.relations.or(under.relations),
            jobs: self.jobs.or(under.jobs),
            lane: self.lane.or(under.lane),
            lanes_compared: self.lanes_compared.or(under.lanes_compared),
            flags: self.flags.or(under.flags),
            conditions: self.conditions.or(under.conditions),
            limits: Limits {
                compile_seconds: self.limits.compile_seconds.or(under.limits.compile_seconds),
                run_seconds: self.limits.run_seconds.or(under.limits.run_seconds),
                memory_mib: self.limits.memory_mib.or(under.limits.memory_mib),
                output_kib: self.limits.output_kib.or(under.limits.output_kib),
                unconfined: self.limits.unconfined.or(under.limits.unconfined),
            },
            delete: Delete {
                variants: self.delete.variants.or(under.delete.variants),
                filler: self.delete.filler.or(under.delete.filler),
                choice: self.delete.choice.or(under.delete.choice),
            },
            rewrite: Rewrite {
                variants: self.rewrite.variants.or(under.rewrite.variants),
                mutants: self.rewrite.mutants.or(under.rewrite.mutants),
                normalise: self.rewrite.normalise.or(under.rewrite.normalise),
            },
            inputs: Inputs { most: self.inputs.most.or(under.inputs.most) },
            peer: Peer { weak: self.peer.weak.or(under.peer.weak) },
            triage: Triage {
                isolate: self.triage.isolate.or(under.triage.isolate),
                rules: self.triage.rules.or(under.triage.rules),
                tests: self.triage.tests.or(under.triage.tests),
            },
        }
    }
}
