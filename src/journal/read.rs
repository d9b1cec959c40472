//! Reads a journal, and drops the lines at its end that were not written completely.

use anyhow::{Context, Result, bail};
use camino::Utf8Path;

use super::record::{Entry, Header, JobRecord};
use super::run_folder::RunFolder;
use crate::model::{FORMAT, Finding};

/// A journal as read.
#[derive(Clone, Debug)]
pub struct Journal {
    pub header: Header,
    /// Its jobs, in the order in which they finished.
    pub records: Vec<JobRecord>,
    /// Length in bytes of the complete lines.
    pub(super) whole: u64,
}

/// Read the journal in `folder`.
///
/// # Errors
/// If there is no journal, if it has another format, or if a line before the last valid one is damaged.
pub fn read(folder: &RunFolder) -> Result<Journal> {
    let path = folder.journal();
    if !folder.0.exists() {
        bail!("{}: no such folder; name the folder of a run", folder.0);
    }
    if !path.exists() {
        bail!("{}: not the folder of a run: it contains no journal.jsonl", folder.0);
    }
    parse(&fs_err::read(&path)?, &path)
}

/// Parse the bytes `text` of a journal; errors name `path`.
///
/// # Errors
/// As [`read`].
pub fn parse(text: &[u8], path: &Utf8Path) -> Result<Journal> {
    check_format(text, path)?;
    let mut header = None;
    let mut records = Vec::new();
    let (mut whole, mut at) = (0, 0);
    let mut broken = None;
    for (number, line) in (1..).zip(text.split_inclusive(|byte| *byte == b'\n')) {
        let start = at;
        at += line.len() as u64;
        if !line.ends_with(b"\n") {
            break;
        }
        match (serde_json::from_slice(line), &broken) {
            (Ok(_), Some((number, start, error))) => bail!(
                "{path}:{number}: not a line of a journal of format {FORMAT} (from byte {start}): {error}"
            ),
            (Ok(Entry::Header(found)), None) => header = Some(*found),
            (Ok(Entry::Job(record)), None) => records.push(*record),
            // After a power failure the end may contain anything.
            (Err(error), None) => broken = Some((number, start, error)),
            (Err(_), Some(_)) => {}
        }
        if broken.is_none() {
            whole = at;
        }
    }
    if let (None, Some((number, start, error))) = (&header, broken) {
        bail!("{path}:{number}: not a line of a journal of format {FORMAT} (from byte {start}): {error}");
    }
    let header: Header = header.with_context(|| format!("{path}: the journal has no header"))?;
    Ok(Journal { header, records, whole })
}

/// Refuse a journal whose header names another format, before its lines are parsed.
fn check_format(text: &[u8], path: &Utf8Path) -> Result<()> {
    let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let header: serde_json::Value = serde_json::from_slice(first).unwrap_or_default();
    match header["header"]["format"].as_u64() {
        Some(format) if format != u64::from(FORMAT) => {
            bail!(
                "{path} is a journal of format {format}; this version of recount reads only format {FORMAT}"
            )
        }
        _ => Ok(()),
    }
}

impl Journal {
    /// Every finding, sorted by job.
    pub fn findings(&self) -> Vec<Finding> {
        self.sorted().into_iter().flat_map(|record| record.findings.clone()).collect()
    }

    /// The records, sorted by job.
    pub fn sorted(&self) -> Vec<&JobRecord> {
        let mut sorted: Vec<&JobRecord> = self.records.iter().collect();
        sorted.sort_by(|a, b| a.job.cmp(&b.job));
        sorted
    }
}
