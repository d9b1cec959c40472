//! The queue from which the workers take their jobs.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::schedule::{NextJob, Schedule};
use super::{Job, Plan};
use crate::journal::JobRecord;
use crate::sys::lock;

/// How long a worker waits for the jobs of others before it checks again whether the run is to end.
const WAIT: Duration = Duration::from_millis(200);

pub(super) struct Queue<'a> {
    plan: &'a Plan,
    worker_count: usize,
    schedule: Mutex<Schedule>,
    job_finished: Condvar,
}

impl<'a> Queue<'a> {
    pub fn new(plan: &'a Plan, worker_count: usize, schedule: Schedule) -> Queue<'a> {
        Queue { plan, worker_count, schedule: Mutex::new(schedule), job_finished: Condvar::new() }
    }

    /// The next job of a worker; none if no job is left or `is_over` returns true. Each worker prefers certain
    /// profilers, so that it keeps few tools running.
    pub fn next(&self, worker: usize, is_over: impl Fn() -> bool) -> Option<&'a Job> {
        let jobs = &self.plan.jobs;
        let is_preferred = |index: usize| jobs[index].profiler % self.worker_count == worker;
        let mut schedule = lock(&self.schedule);
        while !is_over() {
            match schedule.next(is_preferred) {
                NextJob::Start(index) => return jobs.get(index),
                NextJob::NoneLeft => return None,
                NextJob::WaitForResults => {
                    let waited = self.job_finished.wait_timeout(schedule, WAIT);
                    schedule = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
        None
    }

    pub fn finished(&self, record: &JobRecord) {
        lock(&self.schedule).finished(record);
        self.job_finished.notify_all();
    }

    /// Wake all workers, because they may wait for the job of a worker that has stopped.
    pub fn wake_all(&self) {
        self.job_finished.notify_all();
    }
}
