//! The replay of gcov equals gcov's own reports: every line, function, branch and block.
//!
//! Programs of the corpus are profiled with every gcc of this machine. `RECOUNT_PROGRAMS` lists other files and folders, as
//! `recount run` takes them, of which all programs are compared; `RECOUNT_PROFILERS` lists the compilers.

mod support;

use std::collections::BTreeMap;
use std::sync::Mutex;

use camino::Utf8PathBuf;
use recount::config::Settings;
use recount::corpus::{Source, load};
use recount::coverage::Coverage;
use recount::model::{Family, Outcome};
use recount::replay::gcov::{GcovReplay, differences, replay};
use recount::toolchain::{Detail, Probed, Request, Worker, select};
use support::{BINARY, Temp};

fn words(variable: &str) -> Option<Vec<String>> {
    let text = std::env::var(variable).ok()?;
    Some(text.split_whitespace().map(String::from).collect())
}

/// Every gcc of this machine, or those that were asked for.
fn profilers() -> Vec<Probed> {
    let names = words("RECOUNT_PROFILERS").unwrap_or_else(|| vec!["all".into()]);
    let mut found = select(&names).expect("installed compilers");
    found.retain(|profiler| profiler.info().profiler == Family::Gcov);
    assert!(!found.is_empty(), "there is no gcc");
    found
}

/// What became of the programs, and the differences.
#[derive(Default)]
struct Tally {
    compared: usize,
    /// Lines, functions, branches and blocks.
    numbers: [usize; 4],
    /// Programs without a report, by the reason.
    without: BTreeMap<String, usize>,
    different: Vec<String>,
}

impl Tally {
    fn add(&mut self, name: &str, report: &Coverage) {
        let graphs = match report.graphs.as_ref() {
            Some(Ok(graphs)) => graphs,
            Some(Err(error)) => return self.different.push(format!("{name}: {error}")),
            // The file has no code.
            None => return self.skip("no code"),
        };
        match replay(graphs, "p.c") {
            Err(error) => self.different.push(format!("{name}: {error}")),
            Ok(replay) => {
                self.compared += 1;
                let sizes = sizes(&replay);
                self.numbers.iter_mut().zip(sizes).for_each(|(sum, size)| *sum += size);
                let found = differences(report, &replay);
                self.different.extend(found.iter().take(5).map(|difference| format!("{name}: {difference}")));
            }
        }
    }

    fn skip(&mut self, reason: &str) {
        *self.without.entry(reason.to_string()).or_default() += 1;
    }
}

fn sizes(replay: &GcovReplay<'_>) -> [usize; 4] {
    [replay.lines.len(), replay.functions.len(), replay.branches.len(), replay.blocks.len()]
}

/// Profile `sources` with one compiler on two workers, and compare each report with its replay.
fn compare(profiler: &Probed, sources: &[Source]) -> Tally {
    let tally = Mutex::new(Tally::default());
    let queue = Mutex::new(sources.iter());
    let temp = Temp::new();
    std::thread::scope(|scope| {
        for number in 0..2 {
            let folder = temp.at(&format!("w{number}"));
            let (tally, queue) = (&tally, &queue);
            scope.spawn(move || {
                let mut worker = Worker::new(folder, BINARY.into(), Settings::quick().limits);
                loop {
                    let Some(source) = queue.lock().unwrap().next() else { break };
                    let text = source.read().unwrap();
                    let inputs = source.inputs();
                    let request = Request {
                        folder: source.folder(),
                        flags: &source.sidecar.flags,
                        detail: Detail::Full,
                        ..Request::new(&text, &inputs[0])
                    };
                    let profile = profiler.profile(&mut worker, &request).unwrap();
                    let mut tally = tally.lock().unwrap();
                    match profile {
                        Ok(report) => tally
                            .add(&format!("{}, {}", profiler.info().compiler, source.id), &report.coverage),
                        Err(outcome) => tally.skip(short(&outcome)),
                    }
                }
                worker.finish();
            });
        }
    });
    tally.into_inner().unwrap()
}

/// The kind of an outcome.
fn short(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::DoesNotCompile { .. } => "does not compile",
        Outcome::NoProfile { .. } => "no profile",
        _ => "other",
    }
}

#[test]
fn the_replay_equals_the_report() {
    let paths: Option<Vec<Utf8PathBuf>> =
        words("RECOUNT_PROGRAMS").map(|words| words.into_iter().map(Into::into).collect());
    let all = load(paths.as_deref().unwrap_or_default()).unwrap();
    let profilers = profilers();
    // Another part of the corpus for each compiler, so that the test takes the time of one.
    let step = if paths.is_some() { 1 } else { profilers.len().max(3) };
    let mut different = Vec::new();
    for (index, profiler) in profilers.iter().enumerate() {
        let sources: Vec<Source> = all.iter().skip(index % step).step_by(step).cloned().collect();
        let tally = compare(profiler, &sources);
        let [lines, functions, branches, blocks] = tally.numbers;
        println!(
            "{}: {} programs, {lines} lines, {functions} functions, {branches} branches, {blocks} blocks; without: {:?}",
            profiler.info().compiler,
            tally.compared,
            tally.without
        );
        assert!(paths.is_some() || 2 * tally.compared > sources.len(), "only {}", tally.compared);
        different.extend(tally.different);
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}
