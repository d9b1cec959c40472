//! Decides when a campaign starts no further job.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::Error;

use crate::journal::JobRecord;
use crate::sys::{lock, requested};
use crate::triage::Known;

/// The number of new clusters (open and not known) after which no job is started.
#[derive(Clone, Copy)]
pub struct NewClusterLimit<'a> {
    pub most: usize,
    pub known: &'a Known,
}

pub(super) struct StopConditions<'a> {
    pub deadline: Option<Instant>,
    pub limit: Option<NewClusterLimit<'a>>,
    new_clusters: Mutex<BTreeSet<String>>,
    /// The first error that concerns the whole run: the journal cannot be written.
    failure: Mutex<Option<Error>>,
}

impl<'a> StopConditions<'a> {
    pub fn new(deadline: Option<Instant>, limit: Option<NewClusterLimit<'a>>) -> StopConditions<'a> {
        StopConditions { deadline, limit, new_clusters: Mutex::default(), failure: Mutex::default() }
    }

    /// Whether the time is over, the user interrupted the run, or it has failed.
    pub fn must_end(&self) -> bool {
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        is_late || requested() || lock(&self.failure).is_some()
    }

    /// Whether no further job may be started.
    pub fn is_met(&self) -> bool {
        let has_enough = |limit: &NewClusterLimit<'_>| lock(&self.new_clusters).len() >= limit.most;
        self.limit.as_ref().is_some_and(has_enough) || self.must_end()
    }

    /// Count the new clusters of a finished job.
    pub fn count(&self, record: &JobRecord) {
        let Some(limit) = &self.limit else { return };
        let new = limit.known.news(&record.findings);
        lock(&self.new_clusters).extend(new.into_iter().map(|cluster| cluster.signature));
    }

    pub fn fail(&self, error: Error) {
        lock(&self.failure).get_or_insert(error);
    }

    pub fn take_failure(&self) -> Option<Error> {
        lock(&self.failure).take()
    }
}
