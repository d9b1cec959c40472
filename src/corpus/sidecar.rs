//! The TOML file beside a program: compiler flags and inputs.

use anyhow::{Result, anyhow};
use camino::Utf8Path;
use serde::{Deserialize, Serialize};

/// What a sidecar says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sidecar {
    /// Flags added to the commands that compile and link the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// Longest run in seconds, where the settings give it more.
    pub seconds: Option<u64>,
    /// The inputs to run it with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
}

/// One input of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// A name for reports; numbered where there is none.
    #[serde(default)]
    pub name: String,
    /// Arguments after the program's name.
    #[serde(default)]
    pub args: Vec<String>,
    /// Standard input.
    #[serde(default)]
    pub stdin: String,
}

impl Sidecar {
    /// Parse `text`, which stands in `path`.
    pub fn parse(text: &str, path: &Utf8Path) -> Result<Sidecar> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            anyhow!("{path}:{line}: {} (a sidecar has flags, seconds and inputs)", error.message())
        })
    }

    /// The inputs, numbered where they have no name; without any, the empty one.
    pub(super) fn inputs_or_empty(&self) -> Vec<Input> {
        if self.inputs.is_empty() {
            return vec![Input { name: "default".into(), ..Input::default() }];
        }
        let named = self.inputs.iter().enumerate().map(|(n, input)| {
            let mut input = input.clone();
            if input.name.is_empty() {
                input.name = (n + 1).to_string();
            }
            input
        });
        named.collect()
    }
}
