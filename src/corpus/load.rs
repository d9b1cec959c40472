//! Loads the programs that the paths on the command line name.

use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use include_dir::{Dir, include_dir};

use super::csmith::Csmith;
use super::sidecar::Sidecar;
use super::source::{Source, Text, is_cxx};
use crate::config::{MakeSettings, Settings};
use crate::model::JOURNAL;

/// The flags of the programs of our own generator, some of which use C of before 1999.
const MADE: [&str; 2] = ["-std=gnu17", "-w"];

static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/corpus");

/// The programs in `paths`, which are files and folders, sorted by id; without paths the embedded corpus.
///
/// # Errors
/// A path does not exist, a folder has no C file, a file named directly cannot be read as C, or a sidecar is invalid.
pub fn load(paths: &[Utf8PathBuf]) -> Result<Vec<Source>> {
    load_with(paths, &Settings::quick())
}

/// The same, each program with the flags of `settings` after its own, and generated programs as `settings` say.
///
/// # Errors
/// As [`load`].
pub fn load_with(paths: &[Utf8PathBuf], settings: &Settings) -> Result<Vec<Source>> {
    let mut sources = if paths.is_empty() { embedded()? } else { Vec::new() };
    for path in paths {
        if let Some(seeds) = seeds(path, "csmith")? {
            sources.extend(by_csmith(seeds)?);
        } else if let Some(seeds) = seeds(path, "make")? {
            sources.extend(made(seeds, &settings.make));
        } else if path.is_dir() {
            for file in sources_in(path)? {
                sources.push(from_file(&path.join(file), path)?);
            }
        } else if path.exists() {
            let source = from_file(path, path.parent().unwrap_or(Utf8Path::new("")))?;
            source.read()?;
            sources.push(source);
        } else {
            bail!("{path}: there is no such program or folder");
        }
    }
    make_ids_unique(&mut sources);
    sources.sort_by(|a, b| a.id.cmp(&b.id));
    sources.dedup_by(|a, b| a.id == b.id);
    for source in &mut sources {
        source.sidecar.flags.extend_from_slice(&settings.flags);
    }
    Ok(sources)
}

/// The program in `file`, for a command about single programs; `make:FROM-TO` may denote several.
///
/// # Errors
/// As [`load`], and for a folder.
pub(crate) fn load_programs(file: &Utf8Path, settings: &Settings) -> Result<Vec<Source>> {
    if file.is_dir() {
        bail!("{file}: a folder; name one .c file (`recount run {file}` checks every program in the folder)");
    }
    load_with(&[file.to_path_buf()], settings)
}

/// Programs of the same name in two folders get their whole path as id.
fn make_ids_unique(sources: &mut [Source]) {
    let mut files: HashMap<String, BTreeSet<String>> = HashMap::new();
    for source in sources.iter() {
        files.entry(source.id.clone()).or_default().insert(source.file.clone());
    }
    for source in sources.iter_mut().filter(|source| files[&source.id].len() > 1) {
        source.id.clone_from(&source.file);
    }
}

/// The seeds in `csmith:FROM-TO` or `make:FROM-TO`, where `name` is that of the generator; none for any other path.
/// `csmith:N` means the seeds 1 to N, and `make:N` the seed N.
///
/// # Errors
/// The numbers are missing or invalid.
fn seeds(path: &Utf8Path, name: &str) -> Result<Option<RangeInclusive<u64>>> {
    let Some(seeds) = path.as_str().strip_prefix(name).and_then(|rest| rest.strip_prefix(':')) else {
        return Ok(None);
    };
    let parsed = match seeds.split_once('-') {
        Some((from, to)) => from.parse::<u64>().ok().zip(to.parse::<u64>().ok()),
        None => seeds.parse().ok().map(|to| (if name == "make" { to } else { 1 }, to)),
    };
    let Some((from, to)) = parsed.filter(|(from, to)| from <= to) else {
        let meaning = if name == "make" { "the seed N" } else { "the seeds 1 to N" };
        bail!("{path}: expected {name}:N for {meaning}, or {name}:FROM-TO");
    };
    Ok(Some(from..=to))
}

/// The programs of our own generator.
fn made(seeds: RangeInclusive<u64>, settings: &MakeSettings) -> Vec<Source> {
    let settings = Arc::new(settings.clone());
    let source = |seed: u64| Source {
        id: format!("make-{seed}"),
        file: format!("make:{seed}"),
        origin: "make".into(),
        sidecar: Sidecar { flags: MADE.map(String::from).to_vec(), ..Sidecar::default() },
        text: Text::Made(seed, settings.clone()),
    };
    seeds.map(source).collect()
}

fn by_csmith(seeds: RangeInclusive<u64>) -> Result<Vec<Source>> {
    let csmith = Csmith::installed()?;
    let source = |seed: u64| Source {
        id: format!("csmith-{seed}"),
        file: csmith.command(seed),
        origin: "csmith".into(),
        sidecar: csmith.sidecar(),
        text: Text::Csmith(seed),
    };
    Ok(seeds.map(source).collect())
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
        let path = Utf8Path::from_path(file.path()).context("a path in the built-in corpus is not UTF-8")?;
        let shown = Utf8Path::new("corpus").join(path);
        let sidecar = EMBEDDED.get_file(path.with_extension("toml")).and_then(|file| file.contents_utf8());
        Ok(Source {
            id: path.with_extension("").into_string(),
            sidecar: Sidecar::parse(sidecar.unwrap_or_default(), &shown.with_extension("toml"))?,
            file: shown.into_string(),
            origin: "corpus".into(),
            text: Text::Embedded(file.contents()),
        })
    });
    sources.collect()
}

/// The C files in `root` and the folders below it, as sorted paths relative to `root`.
///
/// # Errors
/// A folder cannot be read, a file name is not UTF-8, or there is no C file.
pub(crate) fn c_files(root: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    files(root, is_c)
}

/// The C files, and the C++ files, which recount does not check and reports.
fn sources_in(root: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    files(root, |path| is_c(path) || is_cxx(path))
}

fn is_c(path: &Utf8Path) -> bool {
    path.extension() == Some("c")
}

fn files(root: &Utf8Path, is_wanted: impl Fn(&Utf8Path) -> bool) -> Result<Vec<Utf8PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        // The programs that an earlier run copied are those of that run.
        if folder != root && folder.join(JOURNAL).exists() {
            continue;
        }
        for entry in fs_err::read_dir(&folder)? {
            let path = entry?.path();
            let Ok(path) = Utf8PathBuf::try_from(path.clone()) else {
                bail!("{}: the file name is not UTF-8; rename the file", path.display());
            };
            // A link to a folder may lead back to the same folder.
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if is_wanted(&path) && path.is_file() {
                files.push(path.strip_prefix(root).unwrap_or(&path).to_path_buf());
            }
        }
    }
    if files.is_empty() {
        bail!("{root}: no .c file in this folder or below it");
    }
    files.sort();
    Ok(files)
}

fn from_file(path: &Utf8Path, root: &Utf8Path) -> Result<Source> {
    let absolute = path.canonicalize_utf8().unwrap_or_else(|_| path.to_path_buf());
    let below = path.strip_prefix(root).unwrap_or(path);
    // A C program of the same name may be next to a C++ source.
    let id = if is_cxx(path) { below.to_path_buf() } else { below.with_extension("") };
    Ok(Source {
        id: id.into_string(),
        file: path.to_string(),
        origin: root.to_string(),
        sidecar: Sidecar::of(path)?,
        text: Text::File(absolute),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_program_can_be_read() {
        let sources = load(&[]).unwrap();
        assert!(sources.len() >= 60, "{}", sources.len());
        for source in sources {
            source.read().unwrap();
            assert!(!source.inputs().is_empty());
        }
    }

    #[test]
    fn programs_of_the_same_name_get_different_ids() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(folder.path().to_path_buf()).unwrap();
        let paths = ["a", "b"].map(|name| root.join(name));
        for path in &paths {
            fs_err::create_dir(path).unwrap();
            fs_err::write(path.join("p.c"), "int main(void) { return 0; }").unwrap();
        }
        let sources =
            load_with(&paths, &Settings { flags: vec!["-O2".into()], ..Settings::quick() }).unwrap();
        assert_eq!(sources.len(), 2);
        assert_eq!(sources[0].sidecar.flags, ["-O2"]);
        assert_ne!(sources[0].id, sources[1].id);
    }

    #[test]
    fn the_cxx_files_of_a_folder_are_listed_with_its_programs() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(folder.path().to_path_buf()).unwrap();
        for name in ["p.c", "p.cpp", "q.C", "r.h", "s.cc.txt"] {
            fs_err::write(root.join(name), "int x;").unwrap();
        }
        let sources = load(&[root]).unwrap();
        let found: Vec<(&str, bool)> =
            sources.iter().map(|source| (source.id.as_str(), source.is_cxx())).collect();
        assert_eq!(found, [("p", false), ("p.cpp", true), ("q.C", true)]);
    }

    #[test]
    fn an_empty_file_is_refused_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::try_from(folder.path().join("e.c")).unwrap();
        fs_err::write(&path, " \n").unwrap();
        let error = load(std::slice::from_ref(&path)).unwrap_err().to_string();
        assert!(error.contains("e.c: the file is empty"), "{error}");
    }
}
