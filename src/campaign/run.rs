//! Runs the jobs of a campaign on several workers and journals each result.

use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};

use super::queue::Queue;
use super::stop::{NewClusterLimit, StopConditions};
use super::{Batch, DiskPause, Event, EventListener, Job, Order, Plan, Schedule, Summary};
use crate::config::{Settings, cores};
use crate::corpus::Source;
use crate::journal::{JobRecord, Writer};
use crate::sys::{
    CpuTime, ScratchRoot, is_disk_full, lock, own_and_children, requested, restrict_tool_writes,
    run_with_ticks,
};
use crate::toolchain::{Probed, ToolRunners, Worker};

/// The parts of a campaign: its programs, profilers and settings, and when it ends.
pub struct Campaign<'a> {
    pub sources: &'a [Source],
    pub profilers: &'a [Probed],
    /// Its jobs are indices into `sources` and `profilers`.
    pub plan: &'a Plan,
    pub settings: &'a Settings,
    /// Our own binary, which supervises programs.
    pub binary: Utf8PathBuf,
    /// The time after which no job is started.
    pub time: Option<Duration>,
    pub order: Order,
    pub new_cluster_limit: Option<NewClusterLimit<'a>>,
}

/// How often the journal is forced to the disk.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// A campaign while it runs.
struct Run<'a> {
    campaign: &'a Campaign<'a>,
    /// The scratch folder.
    root: Utf8PathBuf,
    runners: Arc<ToolRunners>,
    batch: Batch<'a>,
    queue: Queue<'a>,
    stop: StopConditions<'a>,
    journal: &'a Writer,
    listener: &'a dyn EventListener,
    disk_pause: DiskPause,
    /// The figures that the workers add up; `cpu` is that of their supervisors.
    totals: Mutex<Summary>,
}

/// Run every job of the plan that is not among `done`, and journal it.
///
/// # Errors
/// When the machine is broken: no scratch folder, no threads, no journal.
pub fn run(
    campaign: &Campaign<'_>,
    journal: &Writer,
    done: &[JobRecord],
    listener: &dyn EventListener,
) -> Result<Summary> {
    let started = Instant::now();
    let cpu_before = own_and_children("self");
    let done_ids: HashSet<&str> = done.iter().map(|record| record.job.as_str()).collect();
    let jobs: Vec<&Job> =
        campaign.plan.jobs.iter().filter(|job| !done_ids.contains(job.id.as_str())).collect();
    let job_count = jobs.len();
    let worker_count = campaign.settings.jobs.min(job_count).max(1);
    let scratch = ScratchRoot::new().context("failed to make a scratch folder")?;
    let root = scratch.path().canonicalize_utf8()?;
    listener.on_event(&Event::Planned { jobs: campaign.plan.jobs.len(), done });
    let compilers = campaign.profilers.iter().filter_map(|profiler| profiler.compiler());
    let schedule = Schedule::new(campaign.plan, campaign.sources, campaign.order, done);
    let run = Run {
        campaign,
        runners: ToolRunners::new(campaign.settings, &root, &journal.folder.0, compilers)?,
        root,
        batch: Batch::of(campaign.sources, campaign.profilers, campaign.settings, jobs),
        queue: Queue::new(campaign.plan, worker_count, schedule),
        stop: StopConditions::new(campaign.time.map(|time| started + time), campaign.new_cluster_limit),
        journal,
        listener,
        disk_pause: DiskPause::default(),
        totals: Mutex::default(),
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(worker_count)
        .build()
        .context("failed to start the workers")?;
    let sync = || match journal.sync() {
        // Lines that a full disk did not take are written again by the next writer, which waits for free space.
        Err(error) if !is_disk_full(&error) => run.stop.fail(error),
        _ => {}
    };
    run_with_ticks(SYNC_EVERY, sync, || pool.broadcast(|context| run.work(context.index())));
    let synced = run.wait_for_disk(|| journal.sync());
    run.stop.take_failure().map_or(synced, Err)?;
    let totals = *lock(&run.totals);
    // The kernel reports the supervisors' own time as that of our children, but it is part of the driver's.
    let (cpu_after, supervisors) = (own_and_children("self"), totals.cpu.own);
    let summary = Summary {
        left: job_count - totals.jobs,
        wall_seconds: started.elapsed().as_secs_f64(),
        cpu: CpuTime {
            own: cpu_after.own - cpu_before.own + supervisors,
            children: cpu_after.children - cpu_before.children - supervisors,
        },
        cores: worker_count.min(cores()),
        interrupted: requested(),
        ..totals
    };
    listener.on_event(&Event::Ended { summary: &summary });
    Ok(summary)
}

/// The files of programs that have changed since the results `done` were written; each is read once.
pub fn changed_programs(campaign: &Campaign<'_>, done: &[JobRecord]) -> Vec<String> {
    let sources: HashMap<&str, &str> =
        done.iter().map(|record| (record.job.as_str(), record.source.as_str())).collect();
    let Campaign { sources: programs, profilers, settings, plan, .. } = campaign;
    let batch = Batch::of(programs, profilers, settings, &[]);
    let mut seen = HashSet::new();
    let is_changed = |job: &&Job| {
        let Some(source) = sources.get(job.id.as_str()) else { return false };
        // What a seed makes cannot change.
        let is_file = || Utf8Path::new(&programs[job.source].file).is_file();
        let is_read = !source.is_empty() && job.mutant == 0 && is_file() && seen.insert(job.source);
        is_read && batch.source_hash(job).as_deref() != Some(*source)
    };
    plan.jobs.iter().filter(is_changed).map(|job| programs[job.source].file.clone()).collect()
}

impl Run<'_> {
    /// The loop of one worker. It must not leave others waiting for its job.
    fn work(&self, index: usize) {
        if !self.campaign.settings.limits.unconfined {
            restrict_tool_writes(&self.writable_folders());
        }
        let mut worker = self.new_worker(index);
        while let Some(job) = self.queue.next(index, || self.stop.is_met()) {
            let Some((record, texts)) = self.result(job, index, &mut worker) else { break };
            if let Err(error) = self.wait_for_disk(|| self.journal.append(&record, &texts)) {
                if !is_disk_full(&error) {
                    self.stop.fail(error);
                }
                break;
            }
            self.finish(job, &record);
        }
        self.queue.wake_all();
        self.retire(&mut worker);
    }

    /// The record of `job` and the texts of its files; none if an interrupt or a full disk cut the job off. The job then has no
    /// result and is repeated when the run is resumed.
    fn result(&self, job: &Job, index: usize, worker: &mut Worker) -> Option<(JobRecord, Vec<String>)> {
        let inspected =
            catch_unwind(AssertUnwindSafe(|| self.wait_for_disk(|| self.batch.inspect(job, worker))));
        let reason = match inspected {
            Ok(Ok(result)) => return Some(result.into_record()),
            Ok(Err(error)) if is_disk_full(&error) || requested() => return None,
            Ok(Err(error)) => format!("{error:#}"),
            Err(panic) => {
                self.retire(worker);
                *worker = self.new_worker(index);
                format!("panic: {}", panic_message(&*panic))
            }
        };
        Some((self.batch.failed(job, reason), Vec::new()))
    }

    /// Account for a job whose record is in the journal.
    fn finish(&self, job: &Job, record: &JobRecord) {
        self.batch.cache.finished(job);
        {
            let mut totals = lock(&self.totals);
            totals.jobs += 1;
            totals.variants += record.tally.variants;
            totals.failed += usize::from(record.failed.is_some());
        }
        self.stop.count(record);
        self.queue.finished(record);
        self.listener.on_event(&Event::JobFinished { record });
        if let Some(reason) = self.runners.take_message() {
            self.listener.on_event(&Event::ToolsDisagree { reason: &reason });
        }
    }

    fn new_worker(&self, index: usize) -> Worker {
        let folder = self.root.join(format!("w{index}"));
        let limits = self.campaign.settings.limits.clone();
        Worker::new(folder, self.campaign.binary.clone(), limits).with_runners(&self.runners)
    }

    /// Add the figures of a worker that does no more work to the totals.
    fn retire(&self, worker: &mut Worker) {
        let spent = worker.finish();
        let mut totals = lock(&self.totals);
        totals.profiles += worker.profiles;
        totals.served += worker.served();
        totals.cpu = totals.cpu + spent;
    }

    fn writable_folders(&self) -> Vec<Utf8PathBuf> {
        // Sources may be in a scratch folder of their own, next to ours.
        let scratch = self.root.parent().unwrap_or(&self.root).to_path_buf();
        let usual = [std::env::temp_dir(), "/tmp".into()].into_iter().flat_map(Utf8PathBuf::try_from);
        [scratch, self.journal.folder.0.clone()].into_iter().chain(usual).collect()
    }

    fn wait_for_disk<T>(&self, work: impl FnMut() -> Result<T>) -> Result<T> {
        self.disk_pause.retry(self.listener, || self.stop.must_end(), work)
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default()
}
