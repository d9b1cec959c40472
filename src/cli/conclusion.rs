//! Derives the clusters, their examples, the report and the exit code from the journal of a run.

use anyhow::Result;

use super::exit::Exit;
use super::flags::KnownFlags;
use crate::journal::{self, JobRecord, RunFolder};
use crate::model::Cluster;
use crate::report::{inconsistent, overview, visible, write_examples};
use crate::triage::Known;

/// Write the examples and the report of the run in `folder`; returns the report's text.
pub fn conclude(folder: &RunFolder, known: &Known, flags: &KnownFlags) -> Result<(String, Exit)> {
    let journal = journal::read(folder)?;
    let mut clusters = known.clusters(&journal.findings());
    write_examples(&journal, &mut clusters)?;
    let records = &journal.records;
    let exit = if clusters.iter().any(Cluster::is_news) {
        Exit::News
    } else if !records.is_empty() && !records.iter().any(JobRecord::is_profiled) {
        Exit::BadInput
    } else {
        Exit::NothingNew
    };
    let journals = [journal];
    let report = overview(&journals, &clusters, flags.listed(known)) + &inconsistent(&journals)?;
    journal::write_atomically(&folder.report(), visible(&report).as_bytes())?;
    Ok((report, exit))
}
