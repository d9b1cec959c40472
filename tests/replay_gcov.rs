//! The replay of gcov equals gcov's own reports: every line, function, branch and block.
//!
//! Programs of the corpus are profiled with every gcc of this machine. `RECOUNT_PROGRAMS` lists other files and folders, as
//! `recount run` takes them, of which all programs are compared; `RECOUNT_PROFILERS` lists the compilers.

mod support;

use std::collections::BTreeMap;
use std::sync::Mutex;

use camino::{Utf8Path, Utf8PathBuf};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use recount::config::Settings;
use recount::corpus::{Input, Source, load};
use recount::coverage::{Coverage, GcovNotes, NotesError, View, gcov_json, gcov_text};
use recount::model::{Family, Outcome};
use recount::replay::gcov::{GcovReplay, GivesUp, differences, replay};
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
                    let Ok(text) = source.read() else {
                        tally.lock().unwrap().skip("not UTF-8");
                        continue;
                    };
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

/// The recorded files of one version of gcc: notes, data, and the report on `p.c`.
struct Recorded {
    version: String,
    notes: Vec<u8>,
    data: Vec<u8>,
    report: Coverage,
}

/// The recordings of `graphs.c` with gcc 9 to 17 (`tests/data/record.sh`).
fn recorded() -> Vec<Recorded> {
    let folder = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/graphs");
    let mut versions: Vec<Utf8PathBuf> =
        folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path()).collect();
    versions.sort();
    let read = |folder: Utf8PathBuf| {
        let [notes, data, json, text] = ["gcno", "gcda", "json", "txt"]
            .map(|ending| fs_err::read(folder.join(format!("p.{ending}"))).unwrap());
        let mut report = gcov_json::read(&json, "p.c").unwrap();
        let text = String::from_utf8(text).unwrap();
        let text = gcov_text::section(&text, "p.c");
        report.blocks = gcov_text::blocks(text);
        report.views.push(View { name: "text", lines: gcov_text::lines(text) });
        Recorded { version: folder.file_name().unwrap().to_string(), notes, data, report }
    };
    versions.into_iter().map(read).collect()
}

#[test]
fn the_replay_equals_the_recorded_report_of_every_version() {
    let all = recorded();
    let versions: Vec<&str> = all.iter().map(|recorded| recorded.version.as_str()).collect();
    assert_eq!(versions, ["10", "11", "12", "13", "14", "15", "16", "17", "9"]);
    for Recorded { version, notes, data, report } in &all {
        let graphs = GcovNotes::read(notes, data).unwrap();
        assert_eq!(graphs.major.to_string(), *version);
        let replay = replay(&graphs, "./p.c").unwrap();
        assert_eq!(differences(report, &replay), [], "gcc {version}");
        let [lines, functions, branches, blocks] = sizes(&replay);
        assert_eq!(functions, 9, "gcc {version}");
        assert!(lines >= 27, "gcc {version}: {lines} lines");
        assert!(branches >= 24 && blocks >= 40, "gcc {version}: {branches} branches, {blocks} blocks");
    }
}

#[test]
fn another_counter_is_a_difference() {
    for Recorded { version, notes, data, report } in recorded() {
        let mut graphs = GcovNotes::read(&notes, &data).unwrap();
        for function in 0..graphs.functions.len() {
            let counted = graphs.functions[function].edges.iter().position(|edge| edge.counter.is_some());
            let edge = counted.expect("every function has a counter");
            let changed = |graphs: &mut GcovNotes, by: i64| {
                let counter = graphs.functions[function].edges[edge].counter.as_mut().unwrap();
                *counter += by;
            };
            changed(&mut graphs, 1);
            let found = differences(&report, &replay(&graphs, "p.c").unwrap());
            assert!(!found.is_empty(), "gcc {version}, {}", graphs.functions[function].name);
            changed(&mut graphs, -1);
        }
    }
}

#[test]
fn the_report_on_an_included_file_and_on_several_runs_is_replayed() {
    let temp = Temp::new();
    let header = temp.write(
        "program/part.h",
        "#define TWICE(a, b) int a(int x) { return x + 1; } int b(int x) { while (x > 0) x--; return x; }\n\
         TWICE(one, two)\n",
    );
    let source = "#include \"part.h\"\nint main(void) { return two(one(2)); }\n";
    let input = Input::default();
    for profiler in profilers() {
        let mut worker = Worker::new(temp.at("w0"), BINARY.into(), Settings::quick().limits);
        let folder = temp.at("program");
        let request = Request {
            folder: Some(&folder),
            file: Some(&header),
            detail: Detail::Parts,
            runs: 3,
            ..Request::new(source, &input)
        };
        let report = profiler.profile(&mut worker, &request).unwrap().unwrap().coverage;
        let graphs = report.graphs.clone().unwrap().unwrap();
        let replay = replay(&graphs, header.as_str()).unwrap();
        assert_eq!(differences(&report, &replay), []);
        // Three runs enter both functions once, and the loop has three more steps in each.
        assert_eq!(replay.line(2), Some(3 + 3 + 9), "{}", profiler.info().compiler);
        let each = report.of_each(3).unwrap().graphs.unwrap().unwrap();
        assert_eq!(recount::replay::gcov::replay(&each, header.as_str()).unwrap().line(2), Some(5));
        let lines = Request { detail: Detail::Lines, ..request };
        let report = profiler.profile(&mut worker, &lines).unwrap().unwrap().coverage;
        assert_eq!(report.graphs, None);
        worker.finish();
    }
}

#[test]
fn the_elements_of_a_line_add_up_to_its_count() {
    for Recorded { version, notes, data, report } in recorded() {
        let graphs = GcovNotes::read(&notes, &data).unwrap();
        let replay = replay(&graphs, "p.c").unwrap();
        for (line, count) in report.counted() {
            let elements = replay.elements(line).unwrap();
            assert_eq!(elements.count, i64::try_from(count).ok());
            assert_eq!(elements.copies.iter().map(|copy| copy.count).sum::<i64>(), elements.count.unwrap());
            for copy in &elements.copies {
                let parts = if copy.owned.is_empty() {
                    copy.listed.iter().map(|block| block.count).sum::<i64>()
                } else {
                    let entering = copy.entering.iter().map(|(_, edge)| edge.count);
                    entering.chain(copy.cycles.iter().map(|cycle| cycle.count)).sum()
                };
                assert_eq!(parts, copy.count, "gcc {version}, line {line}");
            }
        }
        // The line is entered once and jumps to itself three times.
        let elements = replay.elements(9).unwrap();
        let [copy] = &elements.copies[..] else { panic!("{elements:?}") };
        assert_eq!(graphs.functions[copy.function.unwrap()].name, "l");
        assert_eq!(copy.entering.iter().map(|(_, edge)| edge.count).collect::<Vec<_>>(), [1]);
        assert_eq!(copy.cycles.iter().map(|cycle| cycle.count).collect::<Vec<_>>(), [3]);
        assert!(replay.elements(1000).unwrap().copies.is_empty());
    }
}

#[test]
fn files_that_do_not_belong_together_are_rejected() {
    let all = recorded();
    let read = |notes: usize, data: usize| GcovNotes::read(&all[notes].notes, &all[data].data);
    assert_eq!(read(0, 1), Err(NotesError::OtherCompilation));
    assert_eq!(GcovNotes::read(b"", &all[0].data), Err(NotesError::Missing("notes")));
    assert_eq!(GcovNotes::read(&all[0].notes, &all[0].notes), Err(NotesError::Foreign("data")));
    // What clang writes for `--coverage`.
    assert_eq!(GcovNotes::read(b"oncg*804....", b""), Err(NotesError::Foreign("notes")));
    let graphs = read(0, 0).unwrap();
    assert_eq!(replay(&graphs, "q.c").err(), Some(GivesUp::FileMissing("q.c".into())));
}

#[test]
fn damaged_files_are_read_or_rejected() {
    let mut generator = ChaCha8Rng::seed_from_u64(31);
    for Recorded { notes, data, .. } in recorded() {
        for length in (0..notes.len()).step_by(5) {
            let _ = GcovNotes::read(&notes[..length], &data);
        }
        for length in (0..data.len()).step_by(3) {
            let _ = GcovNotes::read(&notes, &data[..length]);
        }
        for _ in 0..200 {
            let [mut notes, mut data] = [notes.clone(), data.clone()];
            for bytes in [&mut notes, &mut data] {
                for _ in 0..generator.random_range(0..4) {
                    let at = generator.random_range(0..bytes.len());
                    bytes[at] = generator.random();
                }
            }
            let Ok(graphs) = GcovNotes::read(&notes, &data) else { continue };
            let Ok(replay) = replay(&graphs, "p.c") else { continue };
            (0..50).for_each(|line| drop(replay.elements(line)));
        }
    }
}

#[test]
fn the_sum_of_equal_runs_has_graphs_of_a_single_run() {
    let Recorded { notes, data, .. } = recorded().remove(0);
    let graphs = GcovNotes::read(&notes, &data).unwrap();
    let mut tripled = graphs.clone();
    let edges = tripled.functions.iter_mut().flat_map(|function| &mut function.edges);
    edges.filter_map(|edge| edge.counter.as_mut()).for_each(|counter| *counter *= 3);
    let mut report = Coverage::default();
    report.graphs = Some(Ok(tripled.into()));
    assert_eq!(report.clone().of_each(3).unwrap().graphs, Some(Ok(graphs.into())));
    assert_eq!(report.of_each(2), None);
}
