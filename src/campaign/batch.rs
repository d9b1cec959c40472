//! A few jobs that a command runs itself: one after another, without a journal.

use anyhow::Result;

use super::{Job, JobResult, Plan, ProgramCache, inspect};
use crate::config::Settings;
use crate::corpus::Source;
use crate::toolchain::{Probed, Profiler, Worker};

pub struct Batch<'a> {
    sources: &'a [Source],
    profilers: &'a [Probed],
    settings: &'a Settings,
    pub jobs: Vec<Job>,
    cache: ProgramCache,
}

impl<'a> Batch<'a> {
    /// Every program with every input under each of the `profilers`.
    pub fn new(sources: &'a [Source], profilers: &'a [Probed], settings: &'a Settings) -> Batch<'a> {
        let infos: Vec<_> = profilers.iter().map(|profiler| profiler.info().clone()).collect();
        let jobs = Plan::new(sources, &infos, 0).jobs;
        let cache = ProgramCache::new(profilers, &jobs);
        Batch { sources, profilers, settings, jobs, cache }
    }

    pub fn source(&self, job: &Job) -> &'a Source {
        &self.sources[job.source]
    }

    pub fn profiler(&self, job: &Job) -> &'a dyn Profiler {
        &*self.profilers[job.profiler]
    }

    pub fn inspect(&self, job: &Job, worker: &mut Worker) -> Result<JobResult> {
        inspect(job, self.source(job), self.profiler(job), worker, &self.cache, self.settings)
    }
}
