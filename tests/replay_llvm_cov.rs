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
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use recount::config::Settings;
use recount::corpus::{Input, Source, load};
use recount::coverage::{Coverage, LlvmCounts, LlvmMapping, RegionKind, lcov, llvm_covmap, llvm_json};
use recount::model::Family;
use recount::replay::llvm_cov::{CountedRegion, LlvmReplay, differences, lines, replay, replay_data};
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
    let data = coverage.mapping.as_ref()?.as_ref().unwrap_or_else(|error| panic!("{}: {error}", source.id));
    let replay = replay_data(data);
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

/// The data of two runs that was recorded with one version, in tests/data/llvm-data.
struct Recorded {
    version: u32,
    program: Vec<u8>,
    profiles: [Vec<u8>; 2],
    json: Vec<u8>,
    lcov: String,
}

fn recorded() -> Vec<Recorded> {
    let root = Utf8PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/llvm-data"));
    let mut all = Vec::new();
    for entry in root.read_dir_utf8().unwrap() {
        let entry = entry.unwrap();
        let Some(version) = entry.file_name().strip_prefix("clang-") else { continue };
        let read = |name: &str| fs_err::read(entry.path().join(name)).unwrap();
        all.push(Recorded {
            version: version.parse().unwrap(),
            program: read("program"),
            profiles: [read("1.profraw"), read("2.profraw")],
            json: read("report.json"),
            lcov: String::from_utf8(read("report.lcov")).unwrap(),
        });
    }
    all.sort_by_key(|recorded| recorded.version);
    all
}

impl Recorded {
    fn mapping(&self) -> LlvmMapping {
        llvm_covmap::read(&self.program).unwrap()
    }

    /// The counters of both runs.
    fn counts(&self) -> LlvmCounts {
        let mut counts = LlvmCounts::default();
        self.profiles.iter().for_each(|profile| counts.add(profile).unwrap());
        counts
    }

    /// What llvm-cov reports about `file`.
    fn report(&self, file: &str) -> Coverage {
        let parts = llvm_json::read(&self.json, file).unwrap();
        let mut coverage = lcov::read(&self.lcov, file).unwrap();
        (coverage.segments, coverage.regions, coverage.tested) =
            (parts.segments, parts.regions, parts.tested);
        coverage
    }

    fn replay(&self, file: &str) -> LlvmReplay {
        replay(&self.mapping(), &self.counts(), file, self.version)
    }
}

#[test]
fn the_replay_of_every_recorded_version_equals_the_report() {
    let all = recorded();
    assert_eq!(all.len(), 12);
    for recorded in all {
        for name in ["p.c", "q.c", "shared.h"] {
            let file = format!("/tmp/sample/{name}");
            let replay = recorded.replay(&file).coverage;
            assert!(replay.counted().count() >= 3);
            assert_eq!(
                differences(&recorded.report(&file), &replay),
                [],
                "clang-{}: {name}",
                recorded.version
            );
        }
    }
}

#[test]
fn the_recorded_counts_are_those_of_the_program() {
    for recorded in recorded() {
        let version = recorded.version;
        let replay = recorded.replay("/tmp/sample/p.c");
        let coverage = &replay.coverage;
        let names = coverage.functions.iter().map(|function| function.name.as_str());
        let mut calls: Vec<_> = names.zip(coverage.functions.iter().map(|function| function.count)).collect();
        calls.sort_unstable();
        assert_eq!(calls, [("main", 2), ("p.c:returns", 2), ("p.c:unused", 0)], "clang-{version}");
        // The loop runs with 0 and 1, and with 0, 1 and 2; what follows `continue` runs with 0, and with 0 and 2.
        let found = [31, 32, 33].map(|line| coverage.line(line));
        assert_eq!(found, [Some(5), Some(2), Some(3)], "clang-{version}");
        // Text that the preprocessor removes is a region without a count.
        let is_removed = |region: &CountedRegion| {
            region.kind == RegionKind::Skipped && region.start.0 <= 35 && region.end.0 >= 35
        };
        assert!(replay.regions.iter().any(is_removed), "clang-{version}");
        // `twice` is only mentioned in q.c.
        let shared = recorded.replay("/tmp/sample/shared.h").coverage;
        assert_eq!(shared.functions.iter().map(|function| function.count).collect::<Vec<_>>(), [1]);
        assert_eq!(shared.line(3), Some(1), "clang-{version}");
    }
}

#[test]
fn the_elements_of_a_line_explain_its_count() {
    for recorded in recorded() {
        let (mapping, replay) = (recorded.mapping(), recorded.replay("/tmp/sample/p.c"));
        // Each run enters the function once and leaves it twice by `longjmp`. clang takes the number of times that the
        // statement after it ran to be the difference.
        let elements = replay.elements(&mapping, 24);
        assert_eq!(elements.count, Some(u64::MAX - 1));
        let wrapped = elements.wrapped.expect("a gap reaches the line");
        let [region] = &wrapped.regions[..] else { panic!("{wrapped:#?}") };
        let found =
            (wrapped.decides, region.kind, region.start.0, region.formula.as_str(), region.below_zero);
        assert_eq!(found, (true, RegionKind::Gap, 23, "(#0 - #2)", Some(-2)), "clang-{}", recorded.version);
        assert!(elements.begins.iter().any(|element| element.decides && element.segment.column == 5));
        // The text of `COUNT` runs with 0, 0 and 2 in the loop, and once after it in each run. clang 11 gives it a second
        // region in the loop, which begins after `continue`, and llvm-cov adds up all regions of equal extent.
        let [text] = &replay.elements(&mapping, 7).begins[..1] else { panic!("clang-{}", recorded.version) };
        let mut counts: Vec<_> = text.regions.iter().map(|region| region.count).collect();
        counts.sort_unstable();
        let expected = if recorded.version == 11 { (8, vec![2, 3, 3]) } else { (5, vec![2, 3]) };
        assert_eq!((text.segment.count, counts), expected, "clang-{}", recorded.version);
    }
}

#[test]
fn the_line_rule_takes_other_counts() {
    for recorded in recorded() {
        let replay = recorded.replay("/tmp/sample/p.c");
        assert!(lines(&replay.regions, recorded.version).same_lines(&replay.coverage));
        let tenfold: Vec<CountedRegion> = replay
            .regions
            .iter()
            .map(|region| CountedRegion { count: region.count.wrapping_mul(10), ..region.clone() })
            .collect();
        let expected: Vec<_> =
            replay.coverage.counted().map(|(line, count)| (line, count.wrapping_mul(10))).collect();
        assert_eq!(lines(&tenfold, recorded.version).counted().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn damaged_data_is_an_error_or_another_report() {
    let mut generator = ChaCha8Rng::seed_from_u64(31);
    let (mut read, mut rejected) = (0, 0);
    for recorded in recorded() {
        let (mapping, counts) = (recorded.mapping(), recorded.counts());
        for _ in 0..150 {
            let mut program = recorded.program.clone();
            damage(&mut program, &mut generator);
            match llvm_covmap::read(&program) {
                Ok(mapping) => {
                    read += 1;
                    let replay = replay(&mapping, &counts, "/tmp/sample/p.c", recorded.version);
                    replay.elements(&mapping, 24);
                }
                Err(_) => rejected += 1,
            }
            let mut profile = recorded.profiles[0].clone();
            damage(&mut profile, &mut generator);
            let mut counts = LlvmCounts::default();
            match counts.add(&profile) {
                Ok(()) => {
                    read += 1;
                    replay(&mapping, &counts, "/tmp/sample/p.c", recorded.version);
                }
                Err(_) => rejected += 1,
            }
        }
    }
    assert!(read > 500 && rejected > 500, "{read} {rejected}");
}

/// Change up to four bytes, or cut the end off.
fn damage(bytes: &mut Vec<u8>, generator: &mut ChaCha8Rng) {
    for _ in 0..generator.random_range(1..5) {
        let place = generator.random_range(0..bytes.len());
        bytes[place] =
            *[0, 1, 0x7f, 0x80, 0xff, bytes[place] ^ 1, bytes[place] ^ 0x10].choose(generator).unwrap();
    }
    if generator.random_bool(0.1) {
        bytes.truncate(generator.random_range(0..bytes.len()));
    }
}

#[test]
fn an_included_file_and_a_profile_of_several_runs_are_replayed() {
    let Some(profiler) = profilers().pop() else { return skip("no clang is installed") };
    let temp = Temp::new();
    let header = temp.write("own/half.h", "static int half(int n)\n{\n    return n > 1 ? n / 2 : 0;\n}\n");
    let source = "#include \"half.h\"\nint main(void)\n{\n    return half(2) + half(1) - 1;\n}\n";
    let input = Input::default();
    let folder = header.parent();
    let request = Request { folder, runs: 3, detail: Detail::Parts, ..Request::new(source, &input) };
    let mut worker = Worker::new(temp.at("w0"), BINARY.into(), Settings::quick().limits);
    for (file, calls) in [(None, 1), (Some(&*header), 2)] {
        let report = profiler.profile(&mut worker, &Request { file, ..request }).unwrap().unwrap();
        let each = report.coverage.of_each(3).expect("all runs are equal");
        let replay = replay_data(each.mapping.as_ref().unwrap().as_ref().unwrap());
        assert_eq!(differences(&each, &replay.coverage), []);
        let found: Vec<_> = replay.coverage.functions.iter().map(|function| function.count).collect();
        assert_eq!(found, [calls]);
    }
    worker.finish();
}
