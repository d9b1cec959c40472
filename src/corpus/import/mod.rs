//! Programs of others: compilers' testsuites and packages, as folders that a campaign takes.
//!
//! What is imported is copied, with the headers that it includes by quotes, below one folder and with the
//! paths that it had, and gets a sidecar. `import.tsv` says of every C file what became of it: a program
//! that silently is not there would be taken for one without findings. Nothing of a testsuite stands
//! here; the parsers are shown to work on text of our own.

pub mod build;
pub mod calls;
pub mod clang;
mod directive;
pub mod gcc;
mod includes;
pub mod joining;
mod options;
mod selector;
mod target;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};

use super::Sidecar;

pub use includes::included;
pub(super) use includes::normal;

/// The list of what became of every file, in the folder of an import.
pub const LIST: &str = "import.tsv";

/// What becomes of a C file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is a program.
    Taken(Taken),
    /// It is not, for a reason.
    Skipped(Skipped),
}

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Flags and inputs.
    pub sidecar: Sidecar,
    /// What is worth knowing of it.
    pub notes: Vec<String>,
    /// The exit code that it should have.
    pub exit: i32,
}

/// Why a file is no program here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// One of a few, to be counted.
    pub reason: &'static str,
    /// What exactly.
    pub detail: String,
}

/// A file that is skipped.
pub fn skip(reason: &'static str, detail: impl Into<String>) -> Fate {
    Fate::Skipped(Skipped { reason, detail: detail.into() })
}

/// Every C file of an import, by its path below the imported folder.
pub type Fates = BTreeMap<Utf8PathBuf, Fate>;

/// A folder that an import writes.
#[derive(Debug)]
pub struct Folder {
    /// Where it is, absolute.
    pub root: Utf8PathBuf,
}

impl Folder {
    /// A new or empty folder.
    ///
    /// # Errors
    /// When there is something in it already.
    pub fn new(path: &Utf8Path) -> Result<Folder> {
        fs_err::create_dir_all(path)?;
        if path.read_dir_utf8()?.next().is_some() {
            bail!("{path}: the folder is not empty; remove it, or give another one with --out");
        }
        Ok(Folder { root: path.canonicalize_utf8().with_context(|| format!("find {path}"))? })
    }

    /// Write the program `file` with its sidecar.
    pub fn program(&self, file: &Utf8Path, text: &[u8], sidecar: &Sidecar) -> Result<()> {
        self.write(file, text)?;
        if *sidecar != Sidecar::default() {
            let text = toml::to_string(&sidecar.relative_to(file, &self.root))
                .with_context(|| format!("write the sidecar of {file}"))?;
            self.write(&file.with_extension("toml"), text.as_bytes())?;
        }
        Ok(())
    }

    /// Write any file.
    pub fn write(&self, file: &Utf8Path, bytes: &[u8]) -> Result<()> {
        let path = self.root.join(file);
        fs_err::create_dir_all(path.parent().unwrap_or(&self.root))?;
        Ok(fs_err::write(path, bytes)?)
    }

    /// Take away the program `file`.
    pub fn remove(&self, file: &Utf8Path) -> Result<()> {
        for path in [file.to_path_buf(), file.with_extension("toml")] {
            match fs_err::remove_file(self.root.join(path)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Take away those of the headers `written` that no taken program `needs`, and folders without files.
    pub fn tidy(&self, written: &BTreeSet<Utf8PathBuf>, needed: &BTreeSet<Utf8PathBuf>) -> Result<()> {
        for header in written.difference(needed) {
            self.remove_file_and_empty_folders(header)?;
        }
        Ok(())
    }

    fn remove_file_and_empty_folders(&self, file: &Utf8Path) -> Result<()> {
        fs_err::remove_file(self.root.join(file))?;
        for folder in file.ancestors().skip(1).filter(|folder| !folder.as_str().is_empty()) {
            if std::fs::remove_dir(self.root.join(folder)).is_err() {
                break; // something is left in it
            }
        }
        Ok(())
    }

    /// Write the list of what became of every file.
    pub fn list(&self, fates: &Fates) -> Result<()> {
        let plain = |text: &str| text.replace(['\t', '\n', '\r'], " ");
        let rows = fates.iter().map(|(file, fate)| match fate {
            Fate::Taken(taken) => format!("{file}\ttaken\t\t{}\n", plain(&taken.notes.join("; "))),
            Fate::Skipped(skipped) => {
                format!("{file}\tskipped\t{}\t{}\n", skipped.reason, plain(&skipped.detail))
            }
        });
        let text = "file\tfate\treason\tdetail\n".to_string() + &rows.collect::<String>();
        self.write(Utf8Path::new(LIST), text.as_bytes())
    }
}

/// How many files were taken, and how many skipped for each reason, most first.
pub fn tally(fates: &Fates) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for fate in fates.values() {
        let key = match fate {
            Fate::Taken(_) => "taken",
            Fate::Skipped(skipped) => skipped.reason,
        };
        *counts.entry(key).or_default() += 1;
    }
    let taken = counts.remove("taken").unwrap_or(0);
    let mut rows: Vec<(String, usize)> =
        counts.into_iter().map(|(reason, count)| (format!("skipped: {reason}"), count)).collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    rows.insert(0, ("taken".into(), taken));
    rows
}

/// The text of a C file, or why it is no program.
pub fn text_of(path: &Utf8Path) -> Result<std::result::Result<String, Fate>> {
    Ok(match String::from_utf8(fs_err::read(path)?) {
        Ok(text) if text.contains('\0') => Err(skip("is no text", "a NUL byte")),
        Ok(text) => Ok(text),
        Err(_) => Err(skip("is no text", "not UTF-8")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_holds_programs_sidecars_and_the_list() {
        let temp = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(temp.path().join("out")).unwrap();
        let folder = Folder::new(&root).unwrap();
        let flags = Sidecar { flags: vec!["-DX=\"a b\"".into()], ..Sidecar::default() };
        folder.program(Utf8Path::new("a/p.c"), b"int main;", &flags).unwrap();
        folder.program(Utf8Path::new("a/q.c"), b"int main;", &Sidecar::default()).unwrap();
        folder.write(Utf8Path::new("h/x.h"), b"").unwrap();
        let [p, q] = &crate::corpus::load(std::slice::from_ref(&root)).unwrap()[..] else { panic!() };
        assert_eq!((p.id.as_str(), &p.sidecar), ("a/p", &flags));
        assert_eq!((q.id.as_str(), &q.sidecar), ("a/q", &Sidecar::default()));
        folder.remove(Utf8Path::new("a/p.c")).unwrap();
        folder.tidy(&BTreeSet::from(["h/x.h".into()]), &BTreeSet::new()).unwrap();
        assert!(!root.join("a/p.toml").exists() && !root.join("h").exists() && root.join("a/q.c").exists());
        let fates = Fates::from([
            ("a/p.c".into(), skip("several files", "x\ty")),
            ("a/q.c".into(), Fate::Taken(Taken::default())),
        ]);
        folder.list(&fates).unwrap();
        let list = fs_err::read_to_string(root.join(LIST)).unwrap();
        assert_eq!(list.lines().nth(1), Some("a/p.c\tskipped\tseveral files\tx y"));
        assert_eq!(tally(&fates), [("taken".into(), 1), ("skipped: several files".into(), 1)]);
        assert!(Folder::new(&root).unwrap_err().to_string().contains("not empty"));
    }
}
