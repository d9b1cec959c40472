//! Compares the reports on real programs with the counts that they should show.
//!
//! `RECOUNT_PROGRAMS` lists folders of programs, `RECOUNT_DRAWN` the number of programs drawn from them, and
//! `RECOUNT_PROFILERS` the profilers. Every difference is printed.

mod support;

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use recount::config::Settings;
use recount::corpus::Input;
use recount::model::Family;
use recount::replay::{
    Unknown, admits_tests, branch_groups, expected, expected_region, misplaced, needs_count, tests_at,
};
use recount::toolchain::{Detail, Probed, Request, Worker, select};
use recount::truth::{measure, require_execution};
use support::{BINARY, Temp};

/// What is known of the lines with a count.
#[derive(Default)]
struct Tally {
    programs: usize,
    without_truth: usize,
    lines: usize,
    one: usize,
    two: usize,
    differing: usize,
    missing: usize,
    regions: usize,
    unknown_regions: usize,
    wrong_regions: usize,
    misplaced: usize,
    branches: usize,
    unknown_branches: usize,
    wrong_branches: usize,
    unknown: BTreeMap<Unknown, usize>,
}

fn programs() -> Vec<Utf8PathBuf> {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/control").to_string();
    let folders = std::env::var("RECOUNT_PROGRAMS").unwrap_or(corpus);
    let mut all: Vec<Utf8PathBuf> = Vec::new();
    for folder in folders.split_whitespace() {
        let files = Utf8Path::new(folder).read_dir_utf8().unwrap_or_else(|error| panic!("{folder}: {error}"));
        all.extend(files.map(|file| file.unwrap().into_path()).filter(|path| path.extension() == Some("c")));
    }
    all.sort();
    if let Ok(drawn) = std::env::var("RECOUNT_DRAWN") {
        all.shuffle(&mut ChaCha8Rng::seed_from_u64(31));
        all.truncate(drawn.parse().expect("a number"));
        all.sort();
    }
    all
}

fn compare(profiler: &Probed, paths: &[Utf8PathBuf]) -> Tally {
    let temp = Temp::new();
    let mut worker = Worker::new(temp.at("w0"), BINARY.into(), Settings::quick().limits);
    let (input, family) = (Input::default(), profiler.info().profiler);
    let mut tally = Tally::default();
    let flags = ["-w".to_string(), "-I/usr/include/csmith".to_string()];
    let is_verbose = std::env::var_os("RECOUNT_VERBOSE").is_some();
    for path in paths {
        let Ok(source) = fs_err::read_to_string(path) else { continue };
        let request = Request {
            folder: path.parent(),
            flags: &flags,
            detail: Detail::Parts,
            ..Request::new(&source, &input)
        };
        let Ok(report) = profiler.profile(&mut worker, &request).unwrap() else { continue };
        tally.programs += 1;
        let truth =
            require_execution(measure(&**profiler, &mut worker, &request).unwrap(), &report.execution);
        let Ok(truth) = truth else {
            tally.without_truth += 1;
            continue;
        };
        let text = |line: u32| source.lines().nth(line as usize - 1).unwrap_or_default().trim();
        if family == Family::LlvmCov {
            for region in &report.coverage.regions {
                tally.regions += 1;
                let (line, column) = region.start;
                match expected_region(&truth, region) {
                    Ok(counts) if counts.contains(&region.count) => {}
                    Ok(counts) => {
                        tally.wrong_regions += 1;
                        println!(
                            "{path}:{line}:{column}: region of kind {} to {:?}: {}, expected {counts:?}: {}",
                            region.kind,
                            region.end,
                            region.count,
                            text(line)
                        );
                    }
                    Err(_) if region.kind == 2 => {}
                    Err(reason) => {
                        tally.unknown_regions += 1;
                        if is_verbose {
                            println!(
                                "{path}:{line}:{column}: region of kind {} to {:?}: {}, unknown, {reason}: {}",
                                region.kind,
                                region.end,
                                region.count,
                                text(line)
                            );
                        }
                    }
                }
            }
            let mut tested: BTreeMap<(u32, u32), Vec<(u64, u64)>> = BTreeMap::new();
            for found in &report.coverage.tested {
                tested.entry(found.start).or_default().push((found.yes, found.no));
            }
            for (at, shown) in tested {
                tally.branches += 2 * shown.len();
                let real = tests_at(&truth, at);
                match real.as_ref().and_then(|real| admits_tests(&shown, real)) {
                    Some(true) => {}
                    Some(false) => {
                        tally.wrong_branches += 2 * shown.len();
                        println!("{path}:{at:?}: branches {shown:?}, expected {real:?}: {}", text(at.0));
                    }
                    None => {
                        tally.unknown_branches += 2 * shown.len();
                        if is_verbose {
                            println!("{path}:{at:?}: branches {shown:?}, unknown, {real:?}: {}", text(at.0));
                        }
                    }
                }
            }
            for found in misplaced(&truth, &report.coverage.segments) {
                tally.misplaced += 1;
                println!(
                    "{path}:{}:{}: segment {}, expected [{}]: {}",
                    found.line,
                    found.column,
                    found.shown,
                    found.right,
                    text(found.line)
                );
            }
        }
        if family == Family::Gcov {
            for group in branch_groups(&truth) {
                let here =
                    report.coverage.branches.iter().filter(|branch| group.lines.contains(&branch.line));
                let mut shown: Vec<u64> = here.map(|branch| branch.taken.unwrap_or(0)).collect();
                shown.sort_unstable();
                tally.branches += shown.len();
                let first = *group.lines.first().unwrap();
                let other = &group.outcomes;
                match group.admits(&shown) {
                    Some(true) => {}
                    Some(false) => {
                        tally.wrong_branches += shown.len();
                        println!("{path}:{first}: branches {shown:?}, expected {other:?}: {}", text(first));
                    }
                    None => {
                        tally.unknown_branches += shown.len();
                        if is_verbose && !shown.is_empty() {
                            println!(
                                "{path}:{first}: branches {shown:?}, unknown, {other:?}: {}",
                                text(first)
                            );
                        }
                    }
                }
            }
        }
        for line in 1..=source.lines().count() as u32 {
            if report.coverage.line(line).is_none() && needs_count(&truth, family, line) {
                tally.missing += 1;
                println!("{path}:{line}: no count: {}", text(line));
            }
        }
        for (line, count) in report.coverage.counted() {
            tally.lines += 1;
            match expected(&truth, family, line) {
                Ok(found) => {
                    *(if found.counts.len() == 1 { &mut tally.one } else { &mut tally.two }) += 1;
                    if is_verbose && found.counts.len() > 1 {
                        println!("{path}:{line}: {count}, several {:?}: {}", found.counts, text(line));
                    }
                    if !found.counts.contains(&count) {
                        tally.differing += 1;
                        println!("{path}:{line}: {count}, expected {:?}: {}", found.counts, text(line));
                    }
                }
                Err(reason) => {
                    *tally.unknown.entry(reason).or_default() += 1;
                    if is_verbose {
                        println!("{path}:{line}: {count}, unknown, {reason}: {}", text(line));
                    }
                }
            }
        }
    }
    tally
}

#[test]
fn a_report_on_a_program_that_is_counted_correctly_is_the_expected_one() {
    let names = std::env::var("RECOUNT_PROFILERS").unwrap_or("gcc-12 clang-14".into());
    let paths = programs();
    for name in names.split_whitespace() {
        let Ok(mut profilers) = select(&[name.to_string()]) else { panic!("{name} is not installed") };
        let tally = compare(&profilers.remove(0), &paths);
        println!(
            "{name}: {} programs, {} without truth; {} lines with a count: {} with one expected count, {} with several, {:?} without; {} differ, {} are missing; {} branches, {} unknown, {} wrong",
            tally.programs,
            tally.without_truth,
            tally.lines,
            tally.one,
            tally.two,
            tally.unknown,
            tally.differing,
            tally.missing,
            tally.branches,
            tally.unknown_branches,
            tally.wrong_branches
        );
        println!(
            "{name}: {} regions, {} unknown, {} wrong; {} tokens in segments with another count",
            tally.regions, tally.unknown_regions, tally.wrong_regions, tally.misplaced
        );
        if std::env::var_os("RECOUNT_PROGRAMS").is_none() {
            assert_eq!(tally.differing, 0);
        }
    }
}
