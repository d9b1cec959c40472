//! The report as JSON. Its keys are a contract with scripts.

use serde::Serialize;

use super::unchecked::Unchecked;
use crate::journal::Journal;
use crate::model::{Cluster, FORMAT, Finding, ProfilerInfo};

/// What `recount report --format json` prints.
#[derive(Debug, Serialize)]
pub struct Document {
    pub format: u32,
    pub profilers: Vec<ProfilerInfo>,
    /// All findings with any verdict, sorted by job.
    pub findings: Vec<Finding>,
    pub clusters: Vec<Cluster>,
    /// What was not checked, with reasons and numbers.
    pub unchecked: Unchecked,
}

pub fn document(journals: &[Journal], clusters: Vec<Cluster>) -> Document {
    let mut profilers: Vec<ProfilerInfo> =
        journals.iter().flat_map(|journal| journal.header.profilers.clone()).collect();
    profilers.sort();
    profilers.dedup();
    let findings = journals.iter().flat_map(Journal::findings).collect();
    Document { format: FORMAT, profilers, findings, clusters, unchecked: Unchecked::of_journals(journals) }
}
