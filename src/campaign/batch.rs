//! What a set of jobs needs: programs, profilers, settings, and what is known of the programs so far.

use super::{Job, Plan, ProgramCache};
use crate::config::Settings;
use crate::corpus::Source;
use crate::toolchain::{Probed, Profiler};

pub struct Batch<'a> {
    sources: &'a [Source],
    profilers: &'a [Probed],
    pub(super) settings: &'a Settings,
    pub(super) cache: ProgramCache,
}

impl<'a> Batch<'a> {
    pub(super) fn of<'b>(
        sources: &'a [Source],
        profilers: &'a [Probed],
        settings: &'a Settings,
        jobs: impl IntoIterator<Item = &'b Job>,
    ) -> Batch<'a> {
        Batch {
            sources,
            profilers,
            settings,
            cache: ProgramCache::new(profilers, jobs, settings.triage.prove_all),
        }
    }

    /// Every program with every input under each of the `profilers`, for a command that does these jobs itself.
    pub fn new(
        sources: &'a [Source],
        profilers: &'a [Probed],
        settings: &'a Settings,
    ) -> (Batch<'a>, Vec<Job>) {
        let infos: Vec<_> = profilers.iter().map(|profiler| profiler.info().clone()).collect();
        let jobs = Plan::new(sources, &infos, 0).jobs;
        (Batch::of(sources, profilers, settings, &jobs), jobs)
    }

    pub fn source(&self, job: &Job) -> &'a Source {
        &self.sources[job.source]
    }

    pub fn profiler(&self, job: &Job) -> &'a dyn Profiler {
        &*self.profilers[job.profiler]
    }
}
