//! A program, and how to read its text.

use anyhow::{Result, anyhow, bail};
use camino::{Utf8Path, Utf8PathBuf};

use super::csmith;
use super::sidecar::{Input, Sidecar};

/// A program whose text has not been read yet.
#[derive(Clone, Debug)]
pub struct Source {
    /// Unique in a campaign, and independent of where its folder is.
    pub id: String,
    /// The path as given, or `corpus/…` for an embedded program.
    pub file: String,
    /// The file or folder as given, `csmith`, or `corpus`.
    pub origin: String,
    pub sidecar: Sidecar,
    pub(super) text: Text,
}

#[derive(Clone, Debug)]
pub(super) enum Text {
    Embedded(&'static [u8]),
    File(Utf8PathBuf),
    Given(String),
    /// Generated from this seed.
    Csmith(u64),
}

/// The endings of C++ sources.
const CXX: [&str; 7] = ["cpp", "cc", "cxx", "C", "c++", "cp", "CPP"];

pub(super) fn is_cxx(file: &Utf8Path) -> bool {
    file.extension().is_some_and(|ending| CXX.contains(&ending))
}

impl Source {
    /// A program whose text is in memory.
    pub fn given(id: &str, text: &str) -> Source {
        Source {
            id: id.to_string(),
            file: format!("{id}.c"),
            origin: "given".into(),
            sidecar: Sidecar::default(),
            text: Text::Given(text.to_string()),
        }
    }

    /// A program derived from this one, with another text and other inputs.
    #[must_use]
    pub fn made(&self, id: &str, text: &str, inputs: Vec<Input>) -> Source {
        let mut sidecar = self.sidecar.clone();
        if let Some(folder) = self.folder() {
            sidecar.flags.push(format!("-I{folder}"));
        }
        sidecar.inputs = inputs;
        Source { sidecar, origin: self.origin.clone(), ..Source::given(id, text) }
    }

    /// The folder of the headers that belong to the program.
    pub fn folder(&self) -> Option<&Utf8Path> {
        self.path()?.parent()
    }

    /// Its file, if it has one of its own.
    pub(super) fn path(&self) -> Option<&Utf8Path> {
        match &self.text {
            Text::File(path) => Some(path),
            Text::Embedded(_) | Text::Given(_) | Text::Csmith(_) => None,
        }
    }

    /// Whether it is C++ by the ending of its file, and not C.
    pub fn is_cxx(&self) -> bool {
        self.path().is_some_and(is_cxx)
    }

    /// The program's text.
    ///
    /// # Errors
    /// The file cannot be read, is empty or binary, or is not UTF-8.
    pub fn read(&self) -> Result<String> {
        let bytes = match &self.text {
            Text::Embedded(bytes) => bytes.to_vec(),
            Text::File(path) => fs_err::read(path)?,
            Text::Given(text) => return Ok(text.clone()),
            Text::Csmith(seed) => return csmith::program(*seed),
        };
        if bytes.iter().all(u8::is_ascii_whitespace) {
            bail!("{}: the file is empty; a program needs a function main", self.file);
        }
        if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
            bail!("{}: a NUL byte at offset {offset}: this is a binary file, not C source", self.file);
        }
        String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let line = 1 + error.as_bytes()[..valid].iter().filter(|byte| **byte == b'\n').count();
            anyhow!("{}:{line}: not UTF-8; convert the file, as in `iconv -f latin1 -t utf8`", self.file)
        })
    }

    /// The program's inputs; without any in the sidecar, one empty input.
    pub fn inputs(&self) -> Vec<Input> {
        self.sidecar.inputs_or_empty()
    }
}
