//! Builds of one profiler, oldest first: the versions that are installed, or the dated snapshots in a folder.

use anyhow::{Result, anyhow, ensure};
use camino::{Utf8Path, Utf8PathBuf};

use super::profiler::Probed;
use super::select::select;
use crate::model::Family;

pub trait Archive {
    fn number_of_builds(&self) -> usize;

    /// The date of the build with this index; none for a release.
    fn date(&self, build: usize) -> Option<&str>;

    /// The profiler of the build with this index.
    ///
    /// # Errors
    /// The build cannot be used here.
    fn profiler(&self, build: usize) -> Result<Probed>;
}

/// Installed versions, oldest first.
impl Archive for Vec<Probed> {
    fn number_of_builds(&self) -> usize {
        self.len()
    }

    fn date(&self, _: usize) -> Option<&str> {
        None
    }

    fn profiler(&self, build: usize) -> Result<Probed> {
        Ok(Probed::clone(&self[build]))
    }
}

/// A folder with one subfolder for each snapshot, whose name is a date such as `2026-03-01`. The compiler is in its folder
/// `bin`, next to its tools.
#[derive(Clone, Debug)]
pub struct Snapshots {
    /// Dates and compilers, oldest first.
    builds: Vec<(String, Utf8PathBuf)>,
}

impl Snapshots {
    /// The snapshots of `family` in `folder`: at least one.
    pub fn read(folder: &Utf8Path, family: Family) -> Result<Snapshots> {
        let mut builds = Vec::new();
        for entry in folder.read_dir_utf8().map_err(|error| anyhow!("{folder}: {error}"))? {
            let entry = entry?;
            let compiler = entry.path().join("bin").join(family.compiler());
            if is_date(entry.file_name()) && compiler.is_file() {
                builds.push((entry.file_name().to_string(), compiler));
            }
        }
        builds.sort();
        let compiler = family.compiler();
        ensure!(!builds.is_empty(), "{folder}: no snapshot of {compiler}, such as 2026-03-01/bin/{compiler}");
        Ok(Snapshots { builds })
    }
}

impl Archive for Snapshots {
    fn number_of_builds(&self) -> usize {
        self.builds.len()
    }

    fn date(&self, build: usize) -> Option<&str> {
        Some(&self.builds[build].0)
    }

    fn profiler(&self, build: usize) -> Result<Probed> {
        let (_, compiler) = &self.builds[build];
        select(&[compiler.to_string()])?.pop().ok_or_else(|| anyhow!("{compiler}: not usable"))
    }
}

/// Whether `name` has the form of `2026-03-01`. The order of such names is that of the dates.
fn is_date(name: &str) -> bool {
    let lengths =
        name.split('-').map(|part| part.bytes().all(|byte| byte.is_ascii_digit()).then_some(part.len()));
    lengths.eq([Some(4), Some(2), Some(2)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshots_are_in_the_order_of_their_dates() {
        let temp = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(temp.path()).unwrap();
        for file in ["2026-03-01/bin/gcc", "2025-12-31/bin/gcc", "2026-01-01/bin/clang", "latest/bin/gcc"] {
            fs_err::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs_err::write(root.join(file), "").unwrap();
        }
        let found = Snapshots::read(root, Family::Gcov).unwrap();
        let dates: Vec<_> = (0..found.number_of_builds()).map(|build| found.date(build).unwrap()).collect();
        assert_eq!(dates, ["2025-12-31", "2026-03-01"]);
        assert_eq!(Snapshots::read(root, Family::LlvmCov).unwrap().number_of_builds(), 1);
        assert!(Snapshots::read(&root.join("latest"), Family::Gcov).is_err());
    }
}
