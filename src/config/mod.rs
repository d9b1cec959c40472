//! Settings: TOML files and flags, merged once into one validated [`Settings`].
//!
//! What was typed ([`File`], and the flags of the command line, which arrive as
//! a [`File`] too) and what is meant ([`Settings`]) are two types. The default
//! is `configs/quick.toml`, which is compiled in, so that file is the reference.

mod file;

use anyhow::{Context, Result, bail};
use camino::Utf8Path;
use serde::{Deserialize, Serialize};

pub use file::{Choice, File, Filler, Lane, Limits};

use crate::model::RelationName;

/// The default settings, as text.
pub const QUICK: &str = include_str!("../../configs/quick.toml");

/// How unexecuted statements are chosen and deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeleteSettings {
    /// Variants a program, isolation's own not counted.
    pub variants: usize,
    /// What an arm gets that would become empty.
    pub filler: Filler,
    /// Which statements may go.
    pub choice: Choice,
}

/// How programs are rewritten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RewriteSettings {
    /// Variants a program and relation, isolation's own not counted.
    pub variants: usize,
    /// Mutated copies of each program, which are profiled beside it.
    pub mutants: usize,
    /// Whether each program is first brought into the form "one statement a line".
    #[serde(default)]
    pub normalise: bool,
}

impl Default for RewriteSettings {
    /// What a journal means that does not say.
    fn default() -> RewriteSettings {
        RewriteSettings { variants: 3, mutants: 0, normalise: false }
    }
}

/// Inputs that are searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputSettings {
    /// Inputs a program or function at most; 0 searches for none.
    pub most: usize,
}

/// How two profilers are held against each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeerSettings {
    /// Whether a line that only one of them counts is a difference.
    pub weak: bool,
}

/// How differences are explained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TriageSettings {
    /// Whether each difference is isolated and confirmed.
    pub isolate: bool,
    /// Whether artefacts are told apart.
    pub rules: bool,
    /// Profiles that isolation may spend on one job.
    pub tests: usize,
}

/// Limits on compilers, tools and programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitSettings {
    /// Wall-clock seconds of one call of a compiler or tool.
    pub compile_seconds: u64,
    /// Wall-clock seconds of one run of a program.
    pub run_seconds: u64,
    /// Address space of a program, in MiB.
    pub memory_mib: u64,
    /// Largest file of a program, in KiB.
    pub output_kib: u64,
    /// Whether programs get limits only, and nothing keeps them in. Not part of the result.
    #[serde(skip)]
    pub unconfined: bool,
}

/// Everything that a campaign's result depends on, but for sources and tools.
/// It stands in the journal's header, and a resumed campaign must have the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The seed.
    pub seed: u64,
    /// Which profilers, as typed; `toolchain` resolves them.
    pub profilers: Vec<String>,
    /// Which relations.
    pub relations: Vec<RelationName>,
    /// Workers, at least 1. Not part of the result, hence not in the journal.
    #[serde(skip, default = "one")]
    pub jobs: usize,
    /// How commands are run. Not part of the result either.
    #[serde(skip, default = "plain")]
    pub lane: Lane,
    /// One of so many profiles is made in both lanes.
    #[serde(skip)]
    pub lanes_compared: u64,
    /// Flags of the compiler for every program, behind its own.
    #[serde(default)]
    pub flags: Vec<String>,
    /// Whether conditions are counted where the profiler can.
    #[serde(default)]
    pub conditions: bool,
    /// Limits.
    pub limits: LimitSettings,
    /// The relation `delete`.
    pub delete: DeleteSettings,
    /// The relations that rewrite.
    #[serde(default)]
    pub rewrite: RewriteSettings,
    /// Inputs that are searched for.
    #[serde(default)]
    pub inputs: InputSettings,
    /// The relation `peer`.
    #[serde(default)]
    pub peer: PeerSettings,
    /// Triage.
    pub triage: TriageSettings,
}

fn plain() -> Lane {
    Lane::Plain
}

fn one() -> usize {
    1
}

impl Settings {
    /// Flags over the file over the default.
    pub fn merge(config: Option<&Utf8Path>, flags: File) -> Result<Settings> {
        let default = File::parse(QUICK, Utf8Path::new("configs/quick.toml"))?;
        let given = match config {
            Some(path) => File::read(path)?,
            None => File::default(),
        };
        flags.over(given).over(default).settings()
    }

    /// These settings for a program whose lines somebody speaks of, so that they must stay.
    #[must_use]
    pub fn keeping_lines(mut self) -> Settings {
        self.rewrite.normalise = false;
        self
    }

    /// These settings with what is not stored, since the result does not depend on it, as `other` has it.
    #[must_use]
    pub fn run_like(self, other: &Settings) -> Settings {
        let unconfined = other.limits.unconfined;
        let limits = LimitSettings { unconfined, ..self.limits };
        Settings { jobs: other.jobs, lane: other.lane, lanes_compared: other.lanes_compared, limits, ..self }
    }

    /// Whether anything asks how often the lines of a program really ran.
    pub fn wants_truth(&self) -> bool {
        let without = [RelationName::Delete, RelationName::Flow, RelationName::Views, RelationName::Peer];
        self.triage.rules || self.relations.iter().any(|relation| !without.contains(relation))
    }

    /// The default settings with one worker.
    pub fn quick() -> Settings {
        let mut settings =
            Settings::merge(None, File::default()).expect("configs/quick.toml is complete; a test says so");
        settings.jobs = 1;
        settings
    }
}

/// The cores that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl File {
    /// What is meant; every key must be there.
    fn settings(self) -> Result<Settings> {
        let settings = Settings {
            seed: need(self.seed, "seed")?,
            profilers: need(self.profilers, "profilers")?,
            relations: need(self.relations, "relations")?,
            jobs: match need(self.jobs, "jobs")? {
                // While one waits for a child to start or to be gone, another has a core's use.
                0 => cores() + 1,
                jobs => jobs,
            },
            lane: need(self.lane, "lane")?,
            lanes_compared: need(self.lanes_compared, "lanes_compared")?,
            flags: need(self.flags, "flags")?,
            conditions: need(self.conditions, "conditions")?,
            limits: LimitSettings {
                compile_seconds: need(self.limits.compile_seconds, "limits.compile_seconds")?,
                run_seconds: need(self.limits.run_seconds, "limits.run_seconds")?,
                memory_mib: need(self.limits.memory_mib, "limits.memory_mib")?,
                output_kib: need(self.limits.output_kib, "limits.output_kib")?,
                unconfined: need(self.limits.unconfined, "limits.unconfined")?,
            },
            delete: DeleteSettings {
                variants: need(self.delete.variants, "delete.variants")?,
                filler: need(self.delete.filler, "delete.filler")?,
                choice: need(self.delete.choice, "delete.choice")?,
            },
            rewrite: RewriteSettings {
                variants: need(self.rewrite.variants, "rewrite.variants")?,
                mutants: need(self.rewrite.mutants, "rewrite.mutants")?,
                normalise: need(self.rewrite.normalise, "rewrite.normalise")?,
            },
            inputs: InputSettings { most: need(self.inputs.most, "inputs.most")? },
            peer: PeerSettings { weak: need(self.peer.weak, "peer.weak")? },
            triage: TriageSettings {
                isolate: need(self.triage.isolate, "triage.isolate")?,
                rules: need(self.triage.rules, "triage.rules")?,
                tests: need(self.triage.tests, "triage.tests")?,
            },
        };
        settings.validated()
    }
}

impl Settings {
    fn validated(self) -> Result<Settings> {
        let positive = [
            ("delete.variants", self.delete.variants as u64),
            ("rewrite.variants", self.rewrite.variants as u64),
            ("limits.compile_seconds", self.limits.compile_seconds),
            ("limits.run_seconds", self.limits.run_seconds),
            ("limits.memory_mib", self.limits.memory_mib),
            ("limits.output_kib", self.limits.output_kib),
            ("lanes_compared", self.lanes_compared),
            ("profilers", self.profilers.len() as u64),
            ("relations", self.relations.len() as u64),
        ];
        if let Some((key, _)) = positive.iter().find(|(_, value)| *value == 0) {
            bail!("the setting {key} must not be 0 or empty");
        }
        Ok(self)
    }
}

fn need<T>(value: Option<T>, key: &str) -> Result<T> {
    value.with_context(|| format!("the setting {key} is missing"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_complete_and_the_baseline_overrides_it() {
        let quick = Settings::quick();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/cod.toml");
        let cod = Settings::merge(Some(Utf8Path::new(path)), File::default()).unwrap();
        assert_eq!((cod.seed, &cod.limits), (quick.seed, &quick.limits));
        assert_eq!((cod.delete.variants, cod.triage.isolate), (1, false));
        assert_ne!(cod.delete, quick.delete);
        assert_eq!((quick.peer.weak, cod.peer.weak), (false, true));
    }

    #[test]
    fn an_unknown_key_names_file_and_key() {
        let error = File::parse("[delete]\nvariant = 3\n", Utf8Path::new("my.toml")).unwrap_err();
        let text = format!("{error:#}");
        assert!(text.contains("my.toml") && text.contains("variant"), "{text}");
    }

    #[test]
    fn a_zero_that_makes_no_sense_is_refused() {
        let flags = File::parse("profilers = []", Utf8Path::new("x")).unwrap();
        let error = Settings::merge(None, flags).unwrap_err().to_string();
        assert!(error.contains("profilers"), "{error}");
    }
}
