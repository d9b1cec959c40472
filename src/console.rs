//! The terminal: bars where there is one, a plain line every few seconds where not.
//!
//! The only room that draws. It reads the same events as the journal.

use std::collections::{BTreeSet, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::campaign::{Event, EventListener, Summary};
use crate::journal::JobRecord;
use crate::model::Outcome;
use crate::reduce::Progress;
use crate::report::visible;
use crate::sys::lock;
use crate::triage::{Known, cluster_id};

/// Time between two plain lines.
const PLAIN_EVERY: Duration = Duration::from_secs(5);

/// The console of a campaign. What it draws goes to standard error.
pub struct Console {
    bar: Option<ProgressBar>,
    state: Mutex<State>,
}

struct State {
    total: usize,
    done: usize,
    at_start: usize,
    variants: usize,
    differences: usize,
    /// Hashes of their names, which of a hundred thousand mutated copies would be megabytes.
    programs: HashSet<u64>,
    hasher: RandomState,
    clusters: BTreeSet<String>,
    /// Those to look at that are not known.
    new: BTreeSet<String>,
    known: Known,
    started: Instant,
    shown: Instant,
}

impl Console {
    /// A console; `quiet` shows nothing at all. What is `known` is not called new.
    pub fn new(quiet: bool, known: &Known) -> Console {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template(
                "{elapsed_precise} [{bar:32}] {pos}/{len} jobs, {per_sec}, {eta} left  {msg}",
            );
            let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(8));
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        let now = Instant::now();
        let shown = if quiet { now + Duration::from_secs(u32::MAX.into()) } else { now };
        let state = State {
            total: 0,
            done: 0,
            at_start: 0,
            variants: 0,
            differences: 0,
            programs: HashSet::new(),
            hasher: RandomState::new(),
            clusters: BTreeSet::new(),
            new: BTreeSet::new(),
            known: known.clone(),
            started: now,
            shown,
        };
        Console { bar, state: Mutex::new(state) }
    }

    fn planned(&self, jobs: usize, done: &[JobRecord]) {
        let mut state = self.lock();
        state.total = jobs;
        for record in done {
            state.add(record);
        }
        state.at_start = state.done;
        if let Some(bar) = &self.bar {
            bar.set_length(jobs as u64);
            bar.set_position(state.done as u64);
            bar.reset_eta();
        }
    }

    fn finished(&self, record: &JobRecord) {
        let mut state = self.lock();
        state.add(record);
        if let Some(bar) = &self.bar {
            bar.set_message(state.counts());
            bar.set_position(state.done as u64);
        } else if state.shown.elapsed() >= PLAIN_EVERY {
            state.shown = Instant::now();
            // A closed standard error must not end a campaign.
            let _ = writeln!(std::io::stderr(), "{}", state.line());
        }
    }

    fn say(&self, sentence: &str) {
        let sentence = visible(sentence);
        match &self.bar {
            Some(bar) => bar.println(&*sentence),
            // A closed standard error must not end a campaign.
            None => _ = writeln!(std::io::stderr(), "{sentence}"),
        }
    }

    fn ended(&self, _: &Summary) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        lock(&self.state)
    }
}

impl EventListener for Console {
    fn see(&self, event: &Event<'_>) {
        match event {
            Event::Planned { jobs, done } => self.planned(*jobs, done),
            Event::Finished { record } => self.finished(record),
            Event::ToolsDisagree { reason } | Event::Paused { reason } => self.say(reason),
            Event::GoesOn => self.say("there is room again, and the campaign goes on"),
            Event::Ended { summary } => self.ended(summary),
        }
    }
}

impl State {
    fn add(&mut self, record: &JobRecord) {
        self.done += 1;
        self.variants += record.tally.variants;
        self.differences += record.findings.len();
        if record.outcome == Outcome::Profiled {
            self.programs.insert(self.hasher.hash_one(&record.program));
        }
        for finding in &record.findings {
            self.clusters.insert(finding.cluster.clone());
        }
        let news = self.known.news(&record.findings);
        self.new.extend(news.iter().map(|cluster| cluster_id(&cluster.signature)));
    }

    fn counts(&self) -> String {
        format!(
            "{} programs, {} variants, {} differences, {} clusters ({} new)",
            self.programs.len(),
            self.variants,
            self.differences,
            self.clusters.len(),
            self.new.len(),
        )
    }

    fn line(&self) -> String {
        let rate = (self.done - self.at_start) as f64 / self.started.elapsed().as_secs_f64().max(1e-9);
        let left = (self.total - self.done) as f64 / rate.max(1e-9);
        format!("{}/{} jobs, {rate:.1}/s, {left:.0} s left  {}", self.done, self.total, self.counts())
    }
}

/// One line that says what is being worked on, for work on a few things.
pub struct Spinner {
    bar: Option<ProgressBar>,
    shown: Mutex<Instant>,
    quiet: bool,
}

impl Spinner {
    /// A spinner; `quiet` shows nothing.
    pub fn new(quiet: bool) -> Spinner {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(8));
            let style = ProgressStyle::with_template("{elapsed_precise} {spinner} {wide_msg}");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        });
        Spinner { bar, shown: Mutex::new(Instant::now()), quiet }
    }

    /// How far the reduction of `what` has come.
    pub fn see(&self, what: &camino::Utf8Path, progress: Progress) {
        let Progress { lines, tests, doing } = progress;
        let line = format!(
            "{}: {lines} lines, {tests} programs tried, {doing}",
            what.file_name().unwrap_or_default()
        );
        if let Some(bar) = &self.bar {
            bar.set_message(line);
            bar.tick();
        } else if !self.quiet {
            let mut shown = lock(&self.shown);
            if shown.elapsed() >= PLAIN_EVERY {
                *shown = Instant::now();
                let _ = writeln!(std::io::stderr(), "{line}");
            }
        }
    }

    /// Say `text` on standard output, past the line.
    pub fn say(&self, text: &str) {
        // A closed standard output must not end the work.
        self.past(|| drop(std::io::stdout().lock().write_all(visible(text).as_bytes())));
    }

    /// Say `text` on standard error, past the line: what is wrong is no result.
    pub fn complain(&self, text: &str) {
        self.past(|| drop(std::io::stderr().lock().write_all(visible(text).as_bytes())));
    }

    fn past(&self, write: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

/// A number of equal steps.
pub struct Steps {
    bar: Option<ProgressBar>,
    what: &'static str,
    total: usize,
    done: std::sync::atomic::AtomicUsize,
    shown: Mutex<Instant>,
    quiet: bool,
}

impl Steps {
    /// `total` of `what` are to come; `quiet` shows nothing at all.
    pub fn new(quiet: bool, what: &'static str, total: usize) -> Steps {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let style =
                ProgressStyle::with_template("{elapsed_precise} [{bar:32}] {pos}/{len} {msg}, {eta} left");
            let length = u64::try_from(total).ok();
            let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr_with_hz(8));
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())).with_message(what)
        });
        Steps { bar, what, total, done: 0.into(), shown: Mutex::new(Instant::now()), quiet }
    }

    /// One is done.
    pub fn step(&self) {
        let done = 1 + self.done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if let Some(bar) = &self.bar {
            bar.inc(1);
        } else if !self.quiet {
            let mut shown = lock(&self.shown);
            if shown.elapsed() >= PLAIN_EVERY {
                *shown = Instant::now();
                let _ = writeln!(std::io::stderr(), "{done}/{} {}", self.total, self.what);
            }
        }
    }

    /// All are.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The bars of searches for inputs, one a search that runs.
pub struct Searches {
    bars: Option<indicatif::MultiProgress>,
}

/// One of them.
pub struct Search {
    bar: Option<ProgressBar>,
}

impl Searches {
    /// Nothing runs yet; `quiet` shows nothing at all.
    pub fn new(quiet: bool) -> Searches {
        let bars = (!quiet && std::io::stderr().is_terminal())
            .then(|| indicatif::MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(8)));
        Searches { bars }
    }

    /// The search in `name` begins.
    pub fn begin(&self, name: &str) -> Search {
        let bar = self.bars.as_ref().map(|bars| {
            let style = ProgressStyle::with_template("{elapsed_precise} {spinner} {prefix}: {msg}");
            let bar = bars.add(ProgressBar::new_spinner());
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.set_prefix(name.to_string());
            bar
        });
        Search { bar }
    }

    /// All are over.
    pub fn finish(&self) {
        if let Some(bars) = &self.bars {
            let _ = bars.clear();
        }
    }
}

impl Search {
    /// So many evaluations, so many targets met.
    pub fn tell(&self, evaluations: u64, met: u64) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{met} met, {evaluations} evaluations"));
        }
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
