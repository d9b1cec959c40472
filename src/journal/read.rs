//! Reads a journal, and drops the lines at its end that were not written completely.

use std::collections::HashSet;

use anyhow::{Context, Result, bail};
use camino::Utf8Path;

use super::record::{Entry, Header, JobRecord};
use super::run_folder::RunFolder;
use crate::model::{FORMAT, Finding};

/// A journal as read.
#[derive(Clone, Debug)]
pub struct Journal {
    pub folder: RunFolder,
    pub header: Header,
    /// Its jobs, in the order in which they finished; of one that ran several times the last record.
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
    let complete = text.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
    let lines: Vec<&[u8]> = complete.collect();
    let entries: Vec<_> = lines.iter().map(|line| serde_json::from_slice(line)).collect();
    let valid = entries.iter().position(Result::is_err).unwrap_or(entries.len());
    let whole = lines[..valid].iter().map(|line| line.len() as u64).sum();
    // After a power failure the end may contain anything.
    let is_end = valid > 0 && entries[valid..].iter().all(Result::is_err);
    let (mut header, mut records) = (None, Vec::new());
    for entry in entries {
        match entry {
            Ok(Entry::Header(found)) => header = Some(*found),
            Ok(Entry::Job(record)) => records.push(*record),
            Err(_) if is_end => break,
            Err(error) => bail!(
                "{path}:{}: not a line of a journal of format {FORMAT} (from byte {whole}): {error}",
                valid + 1
            ),
        }
    }
    // A job that failed runs again when the run is resumed.
    let mut seen = HashSet::new();
    let mut is_last: Vec<bool> =
        records.iter().rev().map(|record: &JobRecord| seen.insert(record.job.clone())).collect();
    records.retain(|_| is_last.pop() == Some(true));
    let header: Header = header.with_context(|| format!("{path}: the journal has no header"))?;
    let folder = RunFolder(path.parent().unwrap_or(path).to_path_buf());
    Ok(Journal { folder, header, records, whole })
}

/// Refuse a journal whose header names another format, before its lines are parsed.
fn check_format(text: &[u8], path: &Utf8Path) -> Result<()> {
    let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let header: serde_json::Value = serde_json::from_slice(first).unwrap_or_default();
    if let Some(format) = header["header"]["format"].as_u64().filter(|format| *format != u64::from(FORMAT)) {
        bail!("{path} is a journal of format {format}; this version of recount reads only format {FORMAT}");
    }
    Ok(())
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
