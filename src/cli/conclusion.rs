//! From the journal of a run to its clusters, their examples, the report and the exit code.

use anyhow::Result;

use super::exit::Exit;
use super::flags::KnownFlags;
use crate::journal::{self, JobRecord, RunFolder};
use crate::model::Cluster;
use crate::report::{inconsistent, overview, visible, write_examples};
use crate::triage::{Known, clusters};

pub struct Conclusion {
    /// The text of report.txt.
    pub report: String,
    pub exit: Exit,
}

/// Write the examples and the report of the run in `folder`.
pub fn conclude(folder: &RunFolder, known: &Known, flags: &KnownFlags) -> Result<Conclusion> {
    let journal = journal::read(folder)?;
    let findings = journal.findings();
    let mut clusters = clusters(&findings);
    known.mark(&mut clusters, &findings);
    write_examples(folder, &journal, &mut clusters)?;
    let records = &journal.records;
    let exit = if clusters.iter().any(Cluster::is_news) {
        Exit::News
    } else if !records.is_empty() && !records.iter().any(JobRecord::is_profiled) {
        Exit::BadInput
    } else {
        Exit::NothingNew
    };
    let journals = [journal];
    let report = overview(&journals, &clusters, flags.listed(known))
        + &inconsistent(std::slice::from_ref(folder), &journals)?;
    journal::write_atomically(&folder.report(), visible(&report).as_bytes())?;
    Ok(Conclusion { report, exit })
}
