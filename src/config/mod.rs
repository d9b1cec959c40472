//! Settings: TOML files and flags, merged once into one validated [`Settings`].
//!
//! Settings as typed ([`File`], also for the flags of the command line) and the result ([`Settings`]) are two types.
//! The default is `configs/quick.toml`, which is compiled in, so that file is the reference.

mod file;

use anyhow::{Context, Result, bail};
use camino::Utf8Path;
use serde_json::Value;

pub(crate) use file::parse_toml;
pub use file::{
    Choice, DeleteSettings, File, Filler, InputSettings, Lane, LimitSettings, Limits, MakeSettings,
    PeerSettings, Reduce, ReduceSettings, RewriteSettings, Settings, TriageSettings,
};

use crate::model::RelationName;

/// The default settings, as text.
pub const QUICK: &str = include_str!("../../configs/quick.toml");

impl Settings {
    /// The settings of `flags`, else those of the file `config`, else the default.
    pub fn merge(config: Option<&Utf8Path>, flags: File) -> Result<Settings> {
        let mut merged = serde_json::to_value(File::parse(QUICK, Utf8Path::new("configs/quick.toml"))?)?;
        if let Some(path) = config {
            overlay(&mut merged, serde_json::to_value(File::read(path)?)?);
        }
        overlay(&mut merged, serde_json::to_value(flags)?);
        let mut settings: Settings =
            serde_json::from_value(merged).context("configs/quick.toml is not complete")?;
        if settings.jobs == 0 {
            // While one worker waits for a child process, another one can use its core.
            settings.jobs = cores() + 1;
        }
        settings.validated()
    }

    /// These settings without normalisation, for a program whose line numbers must stay.
    #[must_use]
    pub fn keeping_lines(mut self) -> Settings {
        self.rewrite.normalise = false;
        self
    }

    /// These settings, with those that are not in the journal taken from `other`.
    #[must_use]
    pub(crate) fn with_unstored_of(self, other: &Settings) -> Settings {
        let unconfined = other.limits.unconfined;
        let limits = LimitSettings { unconfined, ..self.limits };
        let Settings { jobs, lane, lanes_compared, ref reduce, .. } = *other;
        Settings { jobs, lane, lanes_compared, limits, reduce: reduce.clone(), ..self }
    }

    /// Whether any relation or rule needs ground truth.
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

/// The cores that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Put the values of `over` into `under`. A key that is null, since it was not typed, changes nothing.
fn overlay(under: &mut Value, over: Value) {
    match (under, over) {
        (Value::Object(under), Value::Object(over)) => {
            for (key, value) in over {
                overlay(under.entry(key).or_insert(Value::Null), value);
            }
        }
        (_, Value::Null) => {}
        (under, over) => *under = over,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_complete_and_a_file_overrides_it() {
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
    fn zero_and_empty_values_are_refused_where_they_make_no_sense() {
        let flags = File::parse("profilers = []", Utf8Path::new("x")).unwrap();
        let error = Settings::merge(None, flags).unwrap_err().to_string();
        assert!(error.contains("profilers"), "{error}");
    }
}
