//! Programs and their inputs: which there are, and what a sidecar says of them.
//!
//! A program is a `.c` file with `main`. An optional TOML file of the same stem
//! beside it gives flags and inputs. `csmith:N` stands for programs that Csmith makes. Without
//! sources, the corpus is the one that is compiled into the binary.

mod csmith;
pub mod import;
mod sidecar;

use std::collections::HashMap;

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use include_dir::{Dir, include_dir};

pub use sidecar::{Input, Sidecar};

static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/corpus");

/// A program that has not been read yet.
#[derive(Clone, Debug)]
pub struct Source {
    /// Unique in a campaign, and the same wherever its folder lies.
    pub id: String,
    /// The path as given, or `corpus/…` for an embedded one.
    pub file: String,
    /// What it was found by: the file or folder as given, a generator, or `corpus`.
    pub origin: String,
    /// Flags and inputs.
    pub sidecar: Sidecar,
    text: Text,
}

#[derive(Clone, Debug)]
enum Text {
    Embedded(&'static [u8]),
    File(Utf8PathBuf),
    Given(String),
    Csmith(u64),
}

impl Source {
    /// A program from memory, as tests have it.
    pub fn given(id: &str, text: &str) -> Source {
        Source {
            id: id.to_string(),
            file: format!("{id}.c"),
            origin: "given".into(),
            sidecar: Sidecar::default(),
            text: Text::Given(text.to_string()),
        }
    }

    /// The same program with another text, flags and inputs, as what is made of it has them.
    #[must_use]
    pub fn made(&self, id: &str, text: &str, inputs: Vec<Input>) -> Source {
        let mut sidecar = self.sidecar.clone();
        if let Some(folder) = self.folder() {
            sidecar.flags.push(format!("-I{folder}"));
        }
        sidecar.inputs = inputs;
        Source { sidecar, origin: self.origin.clone(), ..Source::given(id, text) }
    }

    /// The folder in which its own headers lie.
    pub fn folder(&self) -> Option<&Utf8Path> {
        match &self.text {
            Text::File(path) => path.parent(),
            Text::Embedded(_) | Text::Given(_) | Text::Csmith(_) => None,
        }
    }

    /// Its text.
    ///
    /// # Errors
    /// One sentence, for a file that cannot be read, is binary, or is not UTF-8.
    pub fn read(&self) -> Result<String> {
        let bytes = match &self.text {
            Text::Embedded(bytes) => bytes.to_vec(),
            Text::File(path) => fs_err::read(path)?,
            Text::Given(text) => return Ok(text.clone()),
            Text::Csmith(seed) => return csmith::program(*seed),
        };
        if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
            bail!("{}: a NUL byte at offset {offset}: this is a binary file, not C source", self.file);
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(text),
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let line = 1 + error.as_bytes()[..valid].iter().filter(|byte| **byte == b'\n').count();
                bail!("{}:{line}: not UTF-8; convert it, as in `iconv -f latin1 -t utf8`", self.file)
            }
        }
    }

    /// Its inputs; without a sidecar the one that is empty.
    pub fn inputs(&self) -> Vec<Input> {
        self.sidecar.inputs_or_empty()
    }
}

/// The programs under `paths`, files and folders, sorted by id; without paths
/// the embedded corpus.
///
/// # Errors
/// A path that is not there, a folder without C, a file named on its own that
/// cannot be read as C, a sidecar that cannot be understood.
pub fn load(paths: &[Utf8PathBuf]) -> Result<Vec<Source>> {
    let mut sources = if paths.is_empty() { embedded()? } else { Vec::new() };
    for path in paths {
        if let Some(programs) = csmith::programs(path)? {
            sources.extend(programs);
            continue;
        }
        let metadata = match fs_err::metadata(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                bail!("{path}: there is no such program or folder")
            }
            found => found?,
        };
        if metadata.is_dir() {
            let found = folder(path)?;
            if found.is_empty() {
                bail!("{path}: no .c file in this folder or below it");
            }
            sources.extend(found);
        } else {
            let source = file(path, path.parent().unwrap_or(Utf8Path::new("")))?;
            source.read()?;
            sources.push(source);
        }
    }
    tell_apart(&mut sources);
    sources.sort_by(|a, b| a.id.cmp(&b.id));
    sources.dedup_by(|a, b| a.id == b.id);
    Ok(sources)
}

/// The same, each to be compiled with `flags` behind its own.
///
/// # Errors
/// As [`load`].
pub fn load_with(paths: &[Utf8PathBuf], flags: &[String]) -> Result<Vec<Source>> {
    let mut sources = load(paths)?;
    for source in &mut sources {
        source.sidecar.flags.extend_from_slice(flags);
    }
    Ok(sources)
}

/// Two programs of the same name in two folders get their whole path as id.
fn tell_apart(sources: &mut [Source]) {
    let mut files: HashMap<String, String> = HashMap::new();
    let mut shared: Vec<String> = Vec::new();
    for source in sources.iter() {
        let first = files.entry(source.id.clone()).or_insert_with(|| source.file.clone());
        if *first != source.file {
            shared.push(source.id.clone());
        }
    }
    for source in sources.iter_mut().filter(|source| shared.contains(&source.id)) {
        source.id.clone_from(&source.file);
    }
}

fn embedded() -> Result<Vec<Source>> {
    let mut files = Vec::new();
    let mut folders = vec![&EMBEDDED];
    while let Some(folder) = folders.pop() {
        folders.extend(folder.dirs());
        files.extend(folder.files());
    }
    let programs = files.into_iter().filter(|file| file.path().extension().is_some_and(|end| end == "c"));
    let sources = programs.map(|file| {
        let path = Utf8Path::from_path(file.path()).context("a corpus path that is not UTF-8")?;
        let beside = EMBEDDED.get_file(path.with_extension("toml"));
        let shown = Utf8Path::new("corpus").join(path);
        let sidecar = match beside.and_then(|file| file.contents_utf8()) {
            Some(text) => Sidecar::parse(text, &shown.with_extension("toml"))?,
            None => Sidecar::default(),
        };
        let id = path.with_extension("").into_string();
        Ok(Source {
            id,
            file: shown.into_string(),
            origin: "corpus".into(),
            sidecar,
            text: Text::Embedded(file.contents()),
        })
    });
    sources.collect()
}

fn folder(root: &Utf8Path) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs_err::read_dir(&folder)? {
            let path = entry?.path();
            let Ok(path) = Utf8PathBuf::try_from(path.clone()) else {
                bail!("{}: a file name that is not UTF-8", path.display());
            };
            // A link to a folder may lead round in a circle.
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if path.extension() == Some("c") && path.is_file() {
                sources.push(file(&path, root)?);
            }
        }
    }
    Ok(sources)
}

fn file(path: &Utf8Path, root: &Utf8Path) -> Result<Source> {
    let beside = path.with_extension("toml");
    let sidecar = if beside.is_file() {
        Sidecar::parse(&fs_err::read_to_string(&beside)?, &beside)?
    } else {
        Sidecar::default()
    };
    let id = path.strip_prefix(root).unwrap_or(path).with_extension("").into_string();
    let absolute = path.canonicalize_utf8().unwrap_or_else(|_| path.to_path_buf());
    let origin = root.to_string();
    Ok(Source { id, file: path.to_string(), origin, sidecar, text: Text::File(absolute) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_corpus_is_there_and_reads() {
        let sources = load(&[]).unwrap();
        assert!(sources.len() >= 60, "{}", sources.len());
        for source in sources {
            source.read().unwrap();
            assert!(!source.inputs().is_empty());
        }
    }

    #[test]
    fn programs_of_one_name_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(folder.path().to_path_buf()).unwrap();
        let paths = ["a", "b"].map(|name| root.join(name));
        for path in &paths {
            fs_err::create_dir(path).unwrap();
            fs_err::write(path.join("p.c"), "int main(void) { return 0; }").unwrap();
        }
        let sources = load_with(&paths, &["-O2".into()]).unwrap();
        assert_eq!(sources.len(), 2);
        assert_eq!(sources[0].sidecar.flags, ["-O2"]);
        assert_ne!(sources[0].id, sources[1].id);
    }
}
