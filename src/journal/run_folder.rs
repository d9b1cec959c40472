//! The names of the files of a run.

use camino::Utf8PathBuf;

use super::bundle::FindingFolder;
use crate::model::JOURNAL;

/// The folder of a run.
#[derive(Clone, Debug)]
pub struct RunFolder(pub Utf8PathBuf);

impl RunFolder {
    pub fn journal(&self) -> Utf8PathBuf {
        self.0.join(JOURNAL)
    }

    /// The source with this hash.
    pub fn blob(&self, hash: &str) -> Utf8PathBuf {
        self.0.join("blobs").join(format!("{hash}.c"))
    }

    pub fn report(&self) -> Utf8PathBuf {
        self.0.join("report.txt")
    }

    /// The folder of the only example whose cluster id begins with `id`.
    pub fn example_beginning(&self, id: &str) -> Option<FindingFolder> {
        let entries = self.0.join("examples").read_dir_utf8().ok()?.flatten();
        let mut found = entries.filter(|entry| !id.is_empty() && entry.file_name().starts_with(id));
        let first = found.next()?;
        found.next().is_none().then(|| FindingFolder(first.path().to_path_buf()))
    }

    /// The folder of a cluster's example.
    pub fn example(&self, cluster: &str) -> FindingFolder {
        FindingFolder(self.0.join("examples").join(cluster))
    }
}
