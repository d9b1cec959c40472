//! llvm-cov's report is computed again from its own data: the replay must equal the report, number by number.
//!
//! By default a part of the corpus is replayed with every clang that is installed. `RECOUNT_PROGRAMS` lists other
//! programs, folders or `csmith:FROM-TO`, `RECOUNT_DRAWN` how many of them are drawn, and `RECOUNT_PROFILERS` the compilers:
//!
//! ```text
//! RECOUNT_PROGRAMS=target/torture RECOUNT_PROFILERS='clang-14 clang-22' \
//!     cargo test --test replay_llvm_cov -- --nocapture the_replay
//! ```

mod support;

use camino::Utf8PathBuf;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use recount::config::Settings;
use recount::corpus::{Source, load};
use recount::coverage::Coverage;
use recount::model::Family;
use recount::replay::llvm_cov::{LlvmReplay, differences, replay_data};
use recount::toolchain::{Detail, Probed, Request, Worker, select};
use support::{BINARY, Temp, skip};

/// Programs of the corpus for each compiler; a profile takes some 0.15 s.
const PROGRAMS: usize = 30;

/// Deviations that are printed for each compiler.
const SHOWN: usize = 40;

fn words(variable: &str) -> Option<Vec<String>> {
    Some(std::env::var(variable).ok()?.split_whitespace().map(String::from).collect())
}

/// The clangs to test.
fn profilers() -> Vec<Probed> {
    let names = words("RECOUNT_PROFILERS").unwrap_or_else(|| vec!["all".into()]);
    let mut all = select(&names).unwrap();
    all.retain(|profiler| profiler.info().profiler == Family::LlvmCov);
    all
}

/// The programs to test, in an order that the seed decides.
fn programs() -> Vec<Source> {
    let paths: Option<Vec<Utf8PathBuf>> =
        words("RECOUNT_PROGRAMS").map(|words| words.into_iter().map(Utf8PathBuf::from).collect());
    let mut all = load(paths.as_deref().unwrap_or_default()).unwrap();
    all.shuffle(&mut ChaCha8Rng::seed_from_u64(31));
    let drawn = words("RECOUNT_DRAWN").map(|words| words[0].parse::<usize>().expect("a number"));
    all.truncate(drawn.unwrap_or(if paths.is_some() { all.len() } else { PROGRAMS }));
    all
}

/// How many numbers were compared.
fn size(coverage: &Coverage) -> usize {
    let lists = [
        coverage.functions.len(),
        coverage.branches.len(),
        2 * coverage.tested.len(),
        coverage.regions.len(),
        coverage.segments.len(),
    ];
    coverage.counted().count() + lists.iter().sum::<usize>()
}

/// The report on `source` and its replay; none if the program cannot be profiled.
fn replayed(profiler: &Probed, worker: &mut Worker, source: &Source) -> Option<(Coverage, LlvmReplay)> {
    let text = source.read().ok()?;
    let inputs = source.inputs();
    let request = Request {
        folder: source.folder(),
        flags: &source.sidecar.flags,
        detail: Detail::Parts,
        ..Request::new(&text, &inputs[0])
    };
    let report = profiler.profile(worker, &request).unwrap().ok()?;
    let coverage = report.coverage;
    assert_eq!(coverage.mapping_error, None, "{}", source.id);
    let replay = replay_data(coverage.mapping.as_deref()?);
    Some((coverage, replay))
}

#[test]
fn the_replay_of_every_program_equals_the_report() {
    let profilers = profilers();
    if profilers.is_empty() {
        return skip("no clang is installed");
    }
    let temp = Temp::new();
    let programs = programs();
    let mut deviating = Vec::new();
    for profiler in profilers {
        let compiler = &profiler.info().compiler;
        let mut worker = Worker::new(temp.at("w0"), BINARY.into(), Settings::quick().limits);
        let (mut compared, mut numbers, mut shown) = (0, 0, 0);
        let before = deviating.len();
        for source in &programs {
            let Some((report, replay)) = replayed(&profiler, &mut worker, source) else { continue };
            (compared, numbers) = (compared + 1, numbers + size(&report));
            let found = differences(&report, &replay.coverage);
            for deviation in found.iter().take(SHOWN - shown.min(SHOWN)) {
                shown += 1;
                println!("{compiler}: {}: {deviation:?}", source.id);
            }
            if !found.is_empty() {
                deviating.push(format!("{compiler}: {}: {} numbers", source.id, found.len()));
            }
        }
        worker.finish();
        let different = deviating.len() - before;
        println!("{compiler}: {numbers} numbers of {compared} programs, {different} programs deviate");
        assert!(2 * compared > programs.len(), "{compiler}: only {compared} of {}", programs.len());
    }
    assert!(deviating.is_empty(), "{}", deviating.join("\n"));
}
