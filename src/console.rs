//! Progress on standard error: bars on a terminal, otherwise a plain line every few seconds.
//!
//! No other module draws. A closed standard error or output must not end the work, so errors of writing are ignored.

use std::collections::{BTreeSet, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::campaign::{Event, EventListener};
use crate::journal::JobRecord;
use crate::model::{Outcome, number_of};
use crate::reduce::Progress;
use crate::report::visible;
use crate::sys::lock;
use crate::triage::{Known, cluster_id};

/// Time between two plain lines.
const PLAIN_EVERY: Duration = Duration::from_secs(5);

/// A bar on a terminal, otherwise plain lines. Both are written to standard error.
struct Display {
    /// Hidden where there is no terminal.
    bar: ProgressBar,
    /// The time of the last plain line; none if there are no lines.
    last_line: Option<Mutex<Instant>>,
}

impl Display {
    fn new(quiet: bool, length: Option<u64>, template: &str) -> Display {
        let has_lines = !quiet && !std::io::stderr().is_terminal();
        Display {
            bar: ProgressBar::with_draw_target(length, target(quiet)).with_style(style(template)),
            last_line: has_lines.then(|| Mutex::new(Instant::now())),
        }
    }

    /// Print `line` if there are plain lines and the last one is some seconds old.
    fn print(&self, line: impl FnOnce() -> String) {
        let Some(last) = &self.last_line else { return };
        let mut last = lock(last);
        if last.elapsed() >= PLAIN_EVERY {
            *last = Instant::now();
            let _ = writeln!(std::io::stderr(), "{}", line());
        }
    }
}

/// Where bars are drawn: nowhere without a terminal.
fn target(quiet: bool) -> ProgressDrawTarget {
    if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(8) }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// The console of a campaign.
pub struct Console {
    display: Display,
    state: Mutex<State>,
    known: Known,
    started: Instant,
}

#[derive(Default)]
struct State {
    total: usize,
    done: usize,
    /// Jobs that were done before this part of the run.
    done_before: usize,
    variants: usize,
    findings: usize,
    /// Hashes of ids: those of a hundred thousand mutated copies would take megabytes.
    programs: HashSet<u64>,
    hasher: RandomState,
    clusters: BTreeSet<String>,
    /// Open clusters that are not known.
    new_clusters: BTreeSet<String>,
}

impl Console {
    /// A console; `quiet` shows no progress. Clusters that are `known` are not counted as new.
    pub fn new(quiet: bool, known: &Known) -> Console {
        let template = "{elapsed_precise} [{bar:32}] {pos}/{len} jobs, {per_sec}, {eta} left  {msg}";
        Console {
            display: Display::new(quiet, Some(0), template),
            state: Mutex::default(),
            known: known.clone(),
            started: Instant::now(),
        }
    }

    /// Print a sentence, even in quiet mode.
    fn say(&self, sentence: &str) {
        let sentence = visible(sentence);
        self.display.bar.suspend(|| _ = writeln!(std::io::stderr(), "{sentence}"));
    }
}

impl EventListener for Console {
    fn on_event(&self, event: &Event<'_>) {
        match event {
            Event::Planned { jobs, done } => {
                let mut state = lock(&self.state);
                state.total = *jobs;
                for record in *done {
                    state.add(record, &self.known);
                }
                state.done_before = state.done;
                let bar = &self.display.bar;
                bar.set_length(*jobs as u64);
                bar.set_position(state.done as u64);
                bar.reset_eta();
            }
            Event::JobFinished { record } => {
                let mut state = lock(&self.state);
                state.add(record, &self.known);
                self.display.bar.set_message(state.counts());
                self.display.bar.set_position(state.done as u64);
                self.display.print(|| state.line(self.started.elapsed()));
            }
            Event::ToolsDisagree { reason } | Event::Paused { reason } => self.say(reason),
            Event::Resumed => self.say("there is free space again; the campaign continues"),
            Event::Ended { .. } => self.display.bar.finish_and_clear(),
        }
    }
}

impl State {
    fn add(&mut self, record: &JobRecord, known: &Known) {
        self.done += 1;
        self.variants += record.tally.variants;
        self.findings += record.findings.len();
        if record.outcome == Outcome::Profiled {
            self.programs.insert(self.hasher.hash_one(&record.program));
        }
        self.clusters.extend(record.findings.iter().map(|finding| finding.cluster.clone()));
        let new = known.news(&record.findings);
        self.new_clusters.extend(new.iter().map(|cluster| cluster_id(&cluster.signature)));
    }

    fn counts(&self) -> String {
        format!(
            "{}, {}, {}, {} ({} new)",
            number_of(self.programs.len(), "program"),
            number_of(self.variants, "variant"),
            number_of(self.findings, "finding"),
            number_of(self.clusters.len(), "cluster"),
            self.new_clusters.len(),
        )
    }

    fn line(&self, elapsed: Duration) -> String {
        let rate = (self.done - self.done_before) as f64 / elapsed.as_secs_f64().max(1e-9);
        let left = (self.total - self.done) as f64 / rate.max(1e-9);
        format!("{}/{} jobs, {rate:.1}/s, {left:.0} s left  {}", self.done, self.total, self.counts())
    }
}

/// One line that names the current work, for work on a few files.
pub struct Spinner(Display);

impl Spinner {
    /// A spinner; `quiet` shows no progress.
    pub fn new(quiet: bool) -> Spinner {
        Spinner(Display::new(quiet, None, "{elapsed_precise} {spinner} {wide_msg}"))
    }

    /// Show the progress of reducing `file`.
    pub fn show(&self, file: &camino::Utf8Path, progress: Progress) {
        let Progress { lines, tests, pass, left } = progress;
        let (lines, tests) = (number_of(lines, "line"), number_of(tests, "program"));
        let left = left.map_or(String::new(), |left| format!("; {} left in this round", about(left)));
        let line = format!("{}: {lines}, {tests} tried, {pass}{left}", file.file_name().unwrap_or_default());
        self.0.bar.set_message(line.clone());
        self.0.bar.tick();
        self.0.print(|| line);
    }

    /// Print `text` on standard output.
    pub fn say(&self, text: &str) {
        self.0.bar.suspend(|| drop(std::io::stdout().lock().write_all(visible(text).as_bytes())));
    }

    /// Print `text` on standard error: a complaint is not a result.
    pub fn complain(&self, text: &str) {
        self.0.bar.suspend(|| drop(std::io::stderr().lock().write_all(visible(text).as_bytes())));
    }
}

/// A duration that is only known roughly.
fn about(duration: Duration) -> String {
    match duration.as_secs() {
        0..10 => "a few seconds".into(),
        seconds @ 10..90 => format!("about {} s", seconds.div_ceil(10) * 10),
        seconds => format!("about {} min", (seconds + 30) / 60),
    }
}

/// A number of equal steps. The bar disappears when it is dropped.
pub struct Steps {
    display: Display,
    noun: &'static str,
}

impl Steps {
    /// `total` steps, counted in units that the plural `noun` names; `quiet` shows nothing.
    pub fn new(quiet: bool, noun: &'static str, total: usize) -> Steps {
        let template = format!("{{elapsed_precise}} [{{bar:32}}] {{pos}}/{{len}} {noun}, {{eta}} left");
        Steps { display: Display::new(quiet, Some(total as u64), &template), noun }
    }

    pub fn step(&self) {
        let bar = &self.display.bar;
        bar.inc(1);
        let total = bar.length().unwrap_or_default();
        self.display.print(|| format!("{}/{total} {}", bar.position(), self.noun));
    }
}

/// The bars of searches for inputs, one for each running search.
pub struct Searches(MultiProgress);

/// A bar, which disappears when it is dropped.
pub struct Search(ProgressBar);

impl Searches {
    /// No search runs yet. Nothing is shown if `quiet` is set or standard error is not a terminal.
    pub fn new(quiet: bool) -> Searches {
        Searches(MultiProgress::with_draw_target(target(quiet)))
    }

    /// Begin a search for inputs of the function `name`.
    pub fn begin(&self, name: &str) -> Search {
        let bar = self.0.add(ProgressBar::new_spinner());
        bar.set_style(style("{elapsed_precise} {spinner} {prefix}: {msg}"));
        bar.set_prefix(name.to_string());
        Search(bar)
    }

    pub fn finish(&self) {
        let _ = self.0.clear();
    }
}

impl Search {
    pub fn update(&self, evaluations: u64, targets_reached: u64) {
        self.0.set_message(format!("{targets_reached} targets reached, {evaluations} evaluations"));
    }
}
