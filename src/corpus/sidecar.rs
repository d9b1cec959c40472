//! The TOML file next to a program: compiler flags and inputs.
//!
//! Two kinds of paths in it are relative to its folder, so that the folder can be moved: paths in flags such as `-I`
//! that exist there, and arguments that name a file in `NAME.inputs/`, where `NAME` is the program's stem.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::config::parse_toml;
use crate::model::normal;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sidecar {
    /// Flags added to the commands that compile and link the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// Time limit of a run in seconds, if it is lower than that of the settings.
    pub seconds: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// A name for reports; by default its number.
    #[serde(default)]
    pub name: String,
    /// Arguments after the program's name.
    #[serde(default)]
    pub args: Vec<String>,
    /// Standard input.
    #[serde(default)]
    pub stdin: String,
}

/// Flags whose value, in the same word or the next, is a file or folder.
pub(super) const PATH_FLAGS: [&str; 7] =
    ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I", "-L"];

impl Sidecar {
    /// Parse `text`, the contents of `path`.
    pub fn parse(text: &str, path: &Utf8Path) -> Result<Sidecar> {
        let sidecar: Sidecar = parse_toml(text, path, "the keys of a sidecar are flags, seconds and inputs")?;
        let mut names = BTreeSet::new();
        for input in sidecar.inputs_or_empty() {
            if !names.insert(input.name.clone()) {
                bail!("{path}: two inputs have the name {:?}; give each its own", input.name);
            }
        }
        Ok(sidecar)
    }

    /// The sidecar of `program`, with absolute paths; empty if there is none.
    pub(super) fn of(program: &Utf8Path) -> Result<Sidecar> {
        let path = program.with_extension("toml");
        if !path.is_file() {
            return Ok(Sidecar::default());
        }
        let mut sidecar = Sidecar::parse(&fs_err::read_to_string(&path)?, &path)?;
        let absolute = path.canonicalize_utf8()?;
        let folder = absolute.parent().unwrap_or(Utf8Path::new("/"));
        sidecar.replace_paths(&format!("{}.inputs/", program.file_stem().unwrap_or_default()), |path| {
            let path = normal(&folder.join(path)).filter(|_| path.is_relative())?;
            path.exists().then_some(path)
        });
        Ok(sidecar)
    }

    /// The sidecar of `program`, a path below `root`, with relative paths for files and folders below `root`.
    pub(super) fn relative_to(&self, program: &Utf8Path, root: &Utf8Path) -> Sidecar {
        let mut sidecar = self.clone();
        let folder = root.join(program.parent().unwrap_or(Utf8Path::new("")));
        let inputs = root.join(program).with_extension("inputs");
        sidecar.replace_paths(&format!("{inputs}/"), |path| {
            path.starts_with(root).then(|| from_folder(&folder, path))
        });
        sidecar
    }

    /// Replace each path in a flag, and each argument that begins with `inputs`, if there is a `replacement`.
    fn replace_paths(&mut self, inputs: &str, replacement: impl Fn(&Utf8Path) -> Option<Utf8PathBuf>) {
        let replace = |word: &mut String, start: usize| {
            if let Some(path) = replacement(Utf8Path::new(&word[start..])) {
                word.replace_range(start.., path.as_str());
            }
        };
        let mut is_value = false;
        for flag in &mut self.flags {
            let start = PATH_FLAGS.iter().find(|name| flag.starts_with(**name)).map(|name| name.len());
            if std::mem::take(&mut is_value) {
                replace(flag, 0);
            } else if let Some(start) = start {
                is_value = start == flag.len();
                if !is_value {
                    replace(flag, start);
                }
            }
        }
        for arg in self.inputs.iter_mut().flat_map(|input| &mut input.args) {
            if arg.starts_with(inputs) {
                replace(arg, 0);
            }
        }
    }

    /// The inputs, numbered if they have no name; without any, one empty input.
    pub(super) fn inputs_or_empty(&self) -> Vec<Input> {
        if self.inputs.is_empty() {
            return vec![Input { name: "default".into(), ..Input::default() }];
        }
        let named = (1..).zip(&self.inputs).map(|(number, input)| {
            let name = if input.name.is_empty() { number.to_string() } else { input.name.clone() };
            Input { name, ..input.clone() }
        });
        named.collect()
    }
}

/// `path` as seen from `folder`; both are absolute.
pub(super) fn from_folder(folder: &Utf8Path, path: &Utf8Path) -> Utf8PathBuf {
    let (folder, path): (Vec<_>, Vec<_>) = (folder.components().collect(), path.components().collect());
    let common = folder.iter().zip(&path).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n(Utf8Component::ParentDir, folder.len() - common);
    let relative: Utf8PathBuf = up.chain(path[common..].iter().copied()).collect();
    if relative.as_str().is_empty() { ".".into() } else { relative }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_sidecars_can_be_moved() {
        let temp = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(temp.path().canonicalize().unwrap()).unwrap();
        let (first, second) = (root.join("first"), root.join("second"));
        for folder in ["lib", "inc", "lib/p.inputs"] {
            fs_err::create_dir_all(first.join(folder)).unwrap();
        }
        for file in ["lib/p.c", "inc/a.h", "lib/p.inputs/1.1"] {
            fs_err::write(first.join(file), "").unwrap();
        }
        let of = |root: &Utf8Path| {
            let words =
                ["-I", "ROOT/inc", "-iquote", "ROOT/lib", "-IROOT", "-include", "ROOT/inc/a.h", "-DX=inc"];
            let more = ["-include", "stdio.h", "-isystem", "/usr/include"];
            let words = words.iter().chain(&more).map(|word| word.replace("ROOT", root.as_str()));
            let args = vec![root.join("lib/p.inputs/1.1").into_string(), "inc".into()];
            Sidecar {
                flags: words.collect(),
                inputs: vec![Input { args, ..Input::default() }],
                ..Sidecar::default()
            }
        };
        let written = of(&first).relative_to(Utf8Path::new("lib/p.c"), &first);
        let text = toml::to_string(&written).unwrap();
        assert!(!text.contains(root.as_str()), "{text}");
        assert_eq!(&written.flags[..7], ["-I", "../inc", "-iquote", ".", "-I..", "-include", "../inc/a.h"]);
        fs_err::write(first.join("lib/p.toml"), text).unwrap();
        assert_eq!(Sidecar::of(&first.join("lib/p.c")).unwrap(), of(&first));
        fs_err::rename(&first, &second).unwrap();
        assert_eq!(Sidecar::of(&second.join("lib/p.c")).unwrap(), of(&second));
    }
}
