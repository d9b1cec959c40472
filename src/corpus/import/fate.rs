//! The result of an import for each C file: taken, or skipped for a reason.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};

use crate::corpus::Sidecar;

/// The result of an import for one C file.
pub type Fate = Result<Taken, Skipped>;

/// A file that becomes a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    pub sidecar: Sidecar,
    pub notes: Vec<String>,
    /// The expected exit code; none if every exit code is right.
    pub exit: Option<i32>,
}

/// Why a file does not become a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}: {detail}")]
pub struct Skipped {
    /// One of a few reasons, which are counted.
    pub reason: &'static str,
    pub detail: String,
}

pub const UNKNOWN: &str = "needs a feature that recount does not know";
pub const OTHER_TARGET: &str = "not for x86_64 Linux";
pub const FAILS: &str = "known to fail";

/// The reason of a program that the compiler rejects.
pub const DOES_NOT_COMPILE: &str = "does not compile";

pub fn skip(reason: &'static str, detail: impl Into<String>) -> Skipped {
    Skipped { reason, detail: detail.into() }
}

/// The result for every C file, by its path relative to the imported folder.
pub type Fates = BTreeMap<Utf8PathBuf, Fate>;

/// The number of taken files, then the numbers of skipped files by reason, largest first.
pub fn tally(fates: &Fates) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for skipped in fates.values().filter_map(|fate| fate.as_ref().err()) {
        *counts.entry(skipped.reason).or_default() += 1;
    }
    let taken = fates.len() - counts.values().sum::<usize>();
    let mut rows: Vec<(String, usize)> =
        counts.into_iter().map(|(reason, count)| (format!("skipped: {reason}"), count)).collect();
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    rows.insert(0, ("taken".into(), taken));
    rows
}

/// The text of a C file, or why it cannot become a program.
pub fn text_of(path: &Utf8Path) -> anyhow::Result<Result<String, Skipped>> {
    Ok(match String::from_utf8(fs_err::read(path)?) {
        Ok(text) if text.contains('\0') => Err(skip("is not UTF-8 text", "a NUL byte")),
        text => text.map_err(|_| skip("is not UTF-8 text", "")),
    })
}
