//! The folder that an import writes.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};

use super::{Fates, Skipped};
use crate::corpus::Sidecar;

/// The name of the list of all C files, with the reason why each was taken or skipped.
pub const LIST: &str = "import.tsv";

/// A folder that an import writes.
#[derive(Debug)]
pub struct Folder {
    /// An absolute path.
    pub root: Utf8PathBuf,
}

impl Folder {
    /// # Errors
    /// The folder is not empty.
    pub fn new(path: &Utf8Path) -> Result<Folder> {
        fs_err::create_dir_all(path)?;
        if path.read_dir_utf8()?.next().is_some() {
            bail!("{path}: the folder is not empty; remove it, or name another one with --out");
        }
        Ok(Folder { root: path.canonicalize_utf8().with_context(|| format!("failed to find {path}"))? })
    }

    /// Write the program `file` and its sidecar.
    pub fn program(&self, file: &Utf8Path, text: &[u8], sidecar: &Sidecar) -> Result<()> {
        self.write(file, text)?;
        if *sidecar != Sidecar::default() {
            let text = toml::to_string(&sidecar.relative_to(file, &self.root))
                .with_context(|| format!("failed to write the sidecar of {file}"))?;
            self.write(&file.with_extension("toml"), text.as_bytes())?;
        }
        Ok(())
    }

    pub fn write(&self, file: &Utf8Path, bytes: &[u8]) -> Result<()> {
        let path = self.root.join(file);
        fs_err::create_dir_all(path.parent().unwrap_or(&self.root))?;
        Ok(fs_err::write(path, bytes)?)
    }

    /// Remove the program `file` and its sidecar.
    pub fn remove(&self, file: &Utf8Path) -> Result<()> {
        for path in [file.to_path_buf(), file.with_extension("toml")] {
            match fs_err::remove_file(self.root.join(path)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Remove the headers in `written` that are not `needed`, and folders that become empty.
    pub fn tidy(&self, written: &BTreeSet<Utf8PathBuf>, needed: &BTreeSet<Utf8PathBuf>) -> Result<()> {
        for header in written.difference(needed) {
            fs_err::remove_file(self.root.join(header))?;
            for folder in header.ancestors().skip(1).filter(|folder| !folder.as_str().is_empty()) {
                if std::fs::remove_dir(self.root.join(folder)).is_err() {
                    break; // it is not empty
                }
            }
        }
        Ok(())
    }

    /// Write the list of all C files and the reason why each was taken or skipped.
    pub fn list(&self, fates: &Fates) -> Result<()> {
        let rows = fates.iter().map(|(file, fate)| {
            let (fate, reason, detail) = match fate {
                Ok(taken) => ("taken", "", taken.notes.join("; ")),
                Err(Skipped { reason, detail }) => ("skipped", *reason, detail.clone()),
            };
            format!("{file}\t{fate}\t{reason}\t{}\n", detail.replace(['\t', '\n', '\r'], " "))
        });
        let text = "file\tfate\treason\tdetail\n".to_string() + &rows.collect::<String>();
        self.write(Utf8Path::new(LIST), text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Taken, skip, tally};
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
            ("a/p.c".into(), Err(skip("needs several files", "x\ty"))),
            ("a/q.c".into(), Ok(Taken::default())),
        ]);
        folder.list(&fates).unwrap();
        let list = fs_err::read_to_string(root.join(LIST)).unwrap();
        assert_eq!(list.lines().nth(1), Some("a/p.c\tskipped\tneeds several files\tx y"));
        assert_eq!(tally(&fates), [("taken".into(), 1), ("skipped: needs several files".into(), 1)]);
        assert!(Folder::new(&root).unwrap_err().to_string().contains("not empty"));
    }
}
