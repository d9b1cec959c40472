//! The report as JSON. Its keys are a contract with scripts.

use serde::Serialize;

use crate::journal::Journal;
use crate::model::{Cluster, FORMAT, Finding, ProfilerInfo};

/// What `recount report --format json` prints.
#[derive(Debug, Serialize)]
pub struct Document {
    /// [`FORMAT`].
    pub format: u32,
    /// The profilers.
    pub profilers: Vec<ProfilerInfo>,
    /// Every finding, all verdicts, sorted by job.
    pub findings: Vec<Finding>,
    /// Every cluster.
    pub clusters: Vec<Cluster>,
}

/// The document of some journals.
pub fn document(journals: &[Journal], clusters: Vec<Cluster>) -> Document {
    let mut profilers: Vec<ProfilerInfo> =
        journals.iter().flat_map(|journal| journal.header.profilers.clone()).collect();
    profilers.sort();
    profilers.dedup();
    let findings = journals.iter().flat_map(Journal::findings).collect();
    Document { format: FORMAT, profilers, findings, clusters }
}
