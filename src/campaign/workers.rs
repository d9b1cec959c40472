//! The worker_count of a campaign and what they share.

use std::collections::{BTreeSet, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use camino::Utf8PathBuf;

use super::job::{failed, inspect};
use super::{Event, EventListener, Job, Order, Plan, ProgramCache, Schedule, Summary, Turn};
use crate::config::{Settings, cores};
use crate::corpus::Source;
use crate::journal::{JobRecord, Writer};
use crate::sys::{
    CpuTime, DiskWait, ScratchRoot, is_disk_full, lock, own_and_children, requested, restrict_tool_writes,
    retry_while_disk_full, run_with_ticks,
};
use crate::toolchain::{Probed, ToolRunners, Worker};
use crate::triage::Known;

/// Everything that a campaign needs.
pub struct Campaign<'a> {
    /// The programs that the plan speaks of.
    pub sources: &'a [Source],
    /// The profilers that the plan speaks of.
    pub profilers: &'a [Probed],
    /// The plan.
    pub plan: &'a Plan,
    /// The settings.
    pub settings: &'a Settings,
    /// Our own binary, which supervises programs.
    pub binary: Utf8PathBuf,
    /// Start no new job after so long.
    pub time: Option<Duration>,
    /// The order of the jobs.
    pub order: Order,
    /// Start no new job after so many clusters that are open and not known.
    pub news: Option<(usize, &'a Known)>,
}

/// How long a worker_index waits for others before it looks again whether the run is to end.
const PATIENCE: Duration = Duration::from_millis(200);

/// How long a finished job may be in the kernel's memory only.
const UNSAFE: Duration = Duration::from_secs(1);

/// What the worker_count share.
struct Shared<'a> {
    campaign: &'a Campaign<'a>,
    worker_count: usize,
    schedule: Mutex<Schedule>,
    /// A job has ended, so that a worker_index who waits may go on.
    ended: Condvar,
    queued: usize,
    news: Mutex<BTreeSet<String>>,
    deadline: Option<Instant>,
    runners: Arc<ToolRunners>,
    /// Whether it was said that a disk is full.
    is_paused: AtomicBool,
    memory: ProgramCache,
    journal: &'a Writer,
    observer: &'a dyn EventListener,
    /// The first failure that is not one job's: the journal cannot be written.
    broken: Mutex<Option<anyhow::Error>>,
    failures: AtomicUsize,
    done: AtomicUsize,
    supervisors: Mutex<CpuTime>,
    profiles: AtomicUsize,
    served: AtomicUsize,
    variants: AtomicUsize,
}

/// Run every job of the plan that is not among `done`, and journal it.
///
/// # Errors
/// When the machine is broken: no scratch folder, no threads, no journal.
pub fn run(
    campaign: &Campaign<'_>,
    journal: &Writer,
    done: &[JobRecord],
    observer: &dyn EventListener,
) -> Result<Summary> {
    let started = Instant::now();
    let before = own_and_children("self");
    let known: HashSet<&str> = done.iter().map(|record| record.job.as_str()).collect();
    let queue: Vec<&Job> = campaign.plan.jobs.iter().filter(|job| !known.contains(job.id.as_str())).collect();
    let queued = queue.len();
    let schedule = Schedule::new(campaign.plan, campaign.sources, campaign.order, done);
    let scratch = ScratchRoot::new().context("failed to make a scratch folder")?;
    let root = scratch.path().canonicalize_utf8()?;
    observer.see(&Event::Planned { jobs: campaign.plan.jobs.len(), done });
    let compilers = campaign.profilers.iter().filter_map(|profiler| profiler.compiler());
    let runners = ToolRunners::new(campaign.settings, &root, journal.folder(), compilers)?;
    let worker_count = campaign.settings.jobs.min(queued).max(1);
    let shared = Shared {
        campaign,
        worker_count,
        runners,
        is_paused: AtomicBool::new(false),
        memory: ProgramCache::new(campaign.profilers, queue),
        schedule: Mutex::new(schedule),
        ended: Condvar::new(),
        queued,
        news: Mutex::default(),
        deadline: campaign.time.map(|time| started + time),
        journal,
        observer,
        broken: Mutex::new(None),
        failures: AtomicUsize::new(0),
        done: AtomicUsize::new(0),
        supervisors: Mutex::new(CpuTime::default()),
        profiles: AtomicUsize::new(0),
        served: AtomicUsize::new(0),
        variants: AtomicUsize::new(0),
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(worker_count)
        .build()
        .context("failed to start worker_count")?;
    let force = || match journal.sync() {
        // What could not be forced is written again, by whoever writes next, and he waits for room.
        Err(error) if !is_disk_full(&error) => _ = lock(&shared.broken).get_or_insert(error),
        _ => {}
    };
    run_with_ticks(UNSAFE, force, || {
        pool.broadcast(|worker_index| work(&shared, worker_index.index(), &root))
    });
    let safe = patiently(&shared, || journal.sync());
    if let Some(error) = lock(&shared.broken).take() {
        return Err(error);
    }
    safe?;
    // The supervisors' own time came to us as a child's; it is part of the driver's.
    let supervisors = *lock(&shared.supervisors);
    let spent = own_and_children("self") - before;
    let jobs = shared.done.load(Ordering::SeqCst);
    let summary = Summary {
        jobs,
        left: shared.queued - jobs,
        failed: shared.failures.load(Ordering::SeqCst),
        wall_seconds: started.elapsed().as_secs_f64(),
        cpu: CpuTime { own: spent.own + supervisors.own, children: spent.children - supervisors.own },
        cores: worker_count.min(cores()),
        profiles: shared.profiles.load(Ordering::SeqCst),
        served: shared.served.load(Ordering::SeqCst),
        variants: shared.variants.load(Ordering::SeqCst),
        interrupted: requested(),
    };
    observer.see(&Event::Ended { summary: &summary });
    Ok(summary)
}

fn work(shared: &Shared<'_>, worker_index: usize, root: &Utf8PathBuf) {
    let campaign = shared.campaign;
    if !campaign.settings.limits.unconfined {
        // Sources may be made in a scratch folder of their own, beside ours.
        let scratch = root.parent().unwrap_or(root).to_path_buf();
        let usual = [std::env::temp_dir(), "/tmp".into()].into_iter().flat_map(Utf8PathBuf::try_from);
        let own = [scratch, shared.journal.folder().to_path_buf()];
        restrict_tool_writes(&own.into_iter().chain(usual).collect::<Vec<_>>());
    }
    let new_worker = || {
        let folder = root.join(format!("w{worker_index}"));
        let worker = Worker::new(folder, campaign.binary.clone(), campaign.settings.limits.clone());
        worker.with_runners(&shared.runners)
    };
    let mut worker = new_worker();
    while let Some(job) = next(shared, worker_index) {
        let source = &campaign.sources[job.source];
        let profiler = &*campaign.profilers[job.profiler];
        let result = catch_unwind(AssertUnwindSafe(|| {
            patiently(shared, || {
                inspect(job, source, profiler, &mut worker, &shared.memory, campaign.settings)
            })
        }));
        let (record, text) = match result {
            Ok(Err(error)) if is_disk_full(&error) => break,
            // What an interrupt cut off is not a result; the job is done when the run is resumed.
            Ok(Err(_)) if requested() => break,
            Ok(Ok(done)) => (done.record, done.source),
            Ok(Err(error)) => (failed(job, source, profiler, format!("{error:#}")), String::new()),
            Err(panic) => {
                retire(shared, &mut worker);
                worker = new_worker();
                let said = panic.downcast_ref::<String>().cloned();
                let said = said.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
                (failed(job, source, profiler, format!("panic: {}", said.unwrap_or_default())), String::new())
            }
        };
        shared.variants.fetch_add(record.tally.variants, Ordering::SeqCst);
        shared.failures.fetch_add(usize::from(record.failed.is_some()), Ordering::SeqCst);
        if let Err(error) = patiently(shared, || shared.journal.append(&record, &text)) {
            if !is_disk_full(&error) {
                lock(&shared.broken).get_or_insert(error);
            }
            break;
        }
        shared.memory.ended(job);
        shared.done.fetch_add(1, Ordering::SeqCst);
        note_news(shared, &record);
        lock(&shared.schedule).finished(&record);
        shared.ended.notify_all();
        shared.observer.see(&Event::Finished { record: &record });
        if let Some(reason) = shared.runners.take_message() {
            shared.observer.see(&Event::ToolsDisagree { reason: &reason });
        }
    }
    // Whoever waits for this worker_index's job must not wait for ever.
    shared.ended.notify_all();
    retire(shared, &mut worker);
}

/// Do `work`, and wait where a disk is full; all worker_count find it full, and one of them says so. What was given
/// up is done when the campaign is resumed.
fn patiently<T>(shared: &Shared<'_>, work: impl FnMut() -> Result<T>) -> Result<T> {
    let say = |what: DiskWait<'_>| match what {
        DiskWait::Started(error) if !shared.is_paused.swap(true, Ordering::SeqCst) => {
            shared.observer.see(&Event::Paused { reason: &full(error) });
        }
        DiskWait::Ended if shared.is_paused.swap(false, Ordering::SeqCst) => {
            shared.observer.see(&Event::GoesOn);
        }
        DiskWait::Started(_) | DiskWait::Ended => {}
    };
    retry_while_disk_full(work, || is_over(shared), say)
}

/// A sentence on a full disk.
pub fn full(error: &anyhow::Error) -> String {
    format!("a disk is full, and the campaign pauses until there is room: {error:#}")
}

/// Whether somebody wants the campaign to end, or its time is over.
fn is_over(shared: &Shared<'_>) -> bool {
    let late = shared.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    late || requested() || lock(&shared.broken).is_some()
}

/// Count the clusters that somebody wants to be told of.
fn note_news(shared: &Shared<'_>, record: &JobRecord) {
    let Some((_, known)) = shared.campaign.news else { return };
    let new = known.news(&record.findings);
    lock(&shared.news).extend(new.into_iter().map(|cluster| cluster.signature));
}

/// A worker has done its work: its share goes to the sums.
fn retire(shared: &Shared<'_>, worker: &mut Worker) {
    let spent = worker.finish();
    shared.profiles.fetch_add(worker.profiles(), Ordering::SeqCst);
    shared.served.fetch_add(worker.served(), Ordering::SeqCst);
    let mut sum = lock(&shared.supervisors);
    *sum = *sum + spent;
}

/// The next job of `worker_index`. It keeps to its own profilers where it can, so that it has few tools at hand
/// and these are the right ones.
fn next<'a>(shared: &Shared<'a>, worker_index: usize) -> Option<&'a Job> {
    let jobs = &shared.campaign.plan.jobs;
    let is_own = |index: usize| jobs[index].profiler % shared.worker_count == worker_index;
    let mut schedule = lock(&shared.schedule);
    loop {
        let enough = shared.campaign.news.is_some_and(|(most, _)| lock(&shared.news).len() >= most);
        if enough || is_over(shared) {
            return None;
        }
        match schedule.turn(is_own) {
            Turn::Job(index) => return jobs.get(index),
            Turn::Over => return None,
            Turn::Wait => {
                let waited = shared.ended.wait_timeout(schedule, PATIENCE);
                schedule = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
            }
        }
    }
}
