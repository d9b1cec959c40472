//! How many faults of a profiler recount notices: reports that are correct are made wrong on purpose, in each layer of
//! the profiler, and compared with ground truth.
//!
//! Faults in counters, graphs and mappings reach the report by its replay. `RECOUNT_PROGRAMS` lists folders of programs, as
//! `recount run` takes them; `RECOUNT_DRAWN` is the number of programs drawn from each of them; `RECOUNT_PROFILERS`
//! lists the profilers; with `RECOUNT_CONDITIONS`, decisions and paths are counted too; `RECOUNT_FAULTS` is the number of faults of
//! each kind in each program; with `RECOUNT_PROVE`, programs whose ground truth is not proved count as unchecked.
//! `scripts/prove-oracle` makes reports/oracle.md of the output.

#[path = "oracle/fault.rs"]
mod fault;
#[path = "oracle/gcno.rs"]
mod gcno;
#[path = "oracle/gcov_faults.rs"]
mod gcov_faults;
#[path = "oracle/judge.rs"]
mod judge;
#[path = "oracle/llvm_faults.rs"]
mod llvm_faults;
#[path = "oracle/numbers.rs"]
mod numbers;
#[path = "oracle/real_tool.rs"]
mod real_tool;
mod support;
#[path = "oracle/tally.rs"]
mod tally;

use std::sync::Mutex;

use camino::{Utf8Path, Utf8PathBuf};
use fault::{Fault, Layer};
use judge::{Judged, Oracle, Verdict};
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use real_tool::Files;
use recount::config::Settings;
use recount::corpus::{Source, load};
use recount::coverage::Coverage;
use recount::model::{Family, Metric};
use recount::replay::{branch_groups, expected};
use recount::toolchain::{Detail, Probed, Request, Worker, condition_flags, select};
use recount::truth::{TruthResult, measure, measure_without, prove, require_execution};
use support::{BINARY, Temp};
use tally::Tally;

const SEED: u64 = 31;

/// The share of the faults in counters and in the lines of blocks that the real tool repeats, at most one in a program.
const REPEATED: f64 = 0.1;

fn words(variable: &str, default: &str) -> Vec<String> {
    let text = std::env::var(variable).unwrap_or_else(|_| default.to_string());
    text.split_whitespace().map(String::from).collect()
}

fn number(variable: &str) -> Option<usize> {
    Some(std::env::var(variable).ok()?.parse().expect("a number"))
}

/// The programs with the names of their suites.
fn programs() -> Vec<(String, Source)> {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/statements");
    let mut all = Vec::new();
    for folder in words("RECOUNT_PROGRAMS", corpus) {
        let path = Utf8Path::new(&folder);
        // The folders of our own programs are one suite.
        let own = path.parent().filter(|parent| parent.file_name() == Some("corpus"));
        let suite = own.unwrap_or(path).file_name().unwrap_or(&folder).to_string();
        let mut sources = load(&[Utf8PathBuf::from(&folder)]).unwrap();
        sources.shuffle(&mut ChaCha8Rng::seed_from_u64(SEED));
        sources.truncate(number("RECOUNT_DRAWN").unwrap_or(usize::MAX));
        all.extend(sources.into_iter().map(|source| (suite.clone(), source)));
    }
    all
}

/// The ground truth of a program, proved if that is asked for.
fn truth(profiler: &Probed, worker: &mut Worker, request: &Request<'_>) -> Result<TruthResult, String> {
    if std::env::var_os("RECOUNT_PROVE").is_none() {
        return Ok(measure(&**profiler, worker, request).unwrap());
    }
    match prove(&**profiler, worker, request).unwrap() {
        Ok(differing) => Ok(measure_without(&**profiler, worker, request, &differing).unwrap()),
        Err(_) => Err("ground truth is not proved".into()),
    }
}

/// The faults in all layers, and whether the replay was exact.
fn faults(
    family: Family,
    report: &Coverage,
    text: &str,
    most: usize,
    random: &mut ChaCha8Rng,
) -> (Vec<Fault>, bool) {
    let mut faults = fault::in_numbers(report, family, most, random);
    let is_exact = |replayed: &Coverage| numbers::changes(report, replayed, family).is_empty();
    let deep = match (&report.graphs, &report.mapping) {
        (Some(Ok(notes)), _) => gcov_faults::replayed(notes, report)
            .filter(is_exact)
            .map(|_| gcov_faults::in_graphs(notes, report, most, random)),
        (_, Some(Ok(data))) => Some(llvm_faults::replayed(data, report))
            .filter(is_exact)
            .map(|_| llvm_faults::in_mapping(data, (report, text), most, random)),
        _ => None,
    };
    let is_replayed = deep.is_some();
    faults.extend(deep.unwrap_or_default());
    (faults, is_replayed)
}

/// Add the faults of one program to the sums.
fn examine(
    profiler: &Probed,
    worker: &mut Worker,
    (suite, source): &(String, Source),
    (most, seed): (usize, u64),
    folder: &Utf8Path,
    tally: &Mutex<Tally>,
) {
    let skip = |reason: &str| *tally.lock().unwrap().skipped.entry(reason.to_string()).or_default() += 1;
    let Ok(text) = source.read() else { return skip("not UTF-8") };
    let (inputs, family) = (source.inputs(), profiler.info().profiler);
    let mut flags = source.sidecar.flags.clone();
    if std::env::var_os("RECOUNT_CONDITIONS").is_some() {
        flags.extend(condition_flags(family, profiler.info().major()).map(String::from));
    }
    let request = Request {
        folder: source.folder(),
        flags: &flags,
        detail: Detail::Parts,
        ..Request::new(&text, &inputs[0])
    };
    let report = match profiler.profile(worker, &request).unwrap() {
        Ok(report) => report,
        Err(outcome) => return skip(outcome.name()),
    };
    // The next program of the worker removes them.
    let files = Files::keep(folder, family);
    let request = Request { dialect: Some(report.dialect), ..request };
    let truth = truth(profiler, worker, &request)
        .and_then(|truth| require_execution(truth, &report.execution).map_err(|why| why.to_string()));
    let report = &report.coverage;
    let all = numbers::numbers(report, family);
    let truth = match truth {
        Ok(truth) => truth,
        Err(why) => {
            let why = format!("no ground truth: {}", why.split([',', ':']).next().unwrap_or(&why));
            let mut tally = tally.lock().unwrap();
            for number in all {
                let checked = tally.numbers.entry((suite.clone(), number.place.metric)).or_default();
                checked.all += 1;
                *checked.unchecked.entry(why.clone()).or_default() += 1;
            }
            *tally.skipped.entry(why).or_default() += 1;
            return;
        }
    };
    let oracle = Oracle::new(report, &truth, family);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (faults, is_replayed) = faults(family, report, &text, most, &mut random);
    let judged: Vec<(Layer, &str, Judged)> = faults
        .iter()
        .flat_map(|fault| {
            oracle.judge(&fault.report).into_iter().map(|judged| (fault.layer, fault.kind, judged))
        })
        .collect();
    let mut repeated = Vec::new();
    for fault in faults.iter().filter(|fault| fault.altered.is_some()) {
        if let Some(altered) = fault.altered.as_ref().filter(|_| random.random_bool(REPEATED)) {
            let otherwise = match files.report(profiler, altered) {
                Ok(real) => {
                    let changes = numbers::changes(&real_tool::printed(&fault.report), &real, family);
                    // The tool is not asked for decisions and paths again.
                    let is_read = |change: &&numbers::Change| {
                        !matches!(change.place.metric, Metric::Condition | Metric::Mcdc | Metric::Path)
                    };
                    changes
                        .iter()
                        .find(is_read)
                        .map(|change| format!("{}: {altered:?}: {change:?}", source.id))
                }
                Err(why) => Some(format!("{}: {altered:?}: {why}", source.id)),
            };
            repeated.push(otherwise);
            break;
        }
    }
    let mut tally = tally.lock().unwrap();
    tally.repeated += repeated.len();
    tally.repeated_otherwise.extend(repeated.into_iter().flatten());
    tally.programs += 1;
    let wrong = oracle.wrong.iter().map(|(metric, line, place, count, right)| {
        format!("{}: {}, line {line}, {place}: {count:?}, not {right:?}", source.id, metric.name())
    });
    tally.wrong.extend(wrong);
    tally.not_replayed += usize::from(!is_replayed);
    for number in all {
        let checked = tally.numbers.entry((suite.clone(), number.place.metric)).or_default();
        checked.all += 1;
        if let Some(why) = oracle.unchecked.get(&number.place) {
            *checked.unchecked.entry(why.clone()).or_default() += 1;
            let place = &number.place;
            let what = format!("{}, line {}, {}", place.metric.name(), place.line, place.detail);
            tally.unchecked.push(format!("{}: {what}: {why}", source.id));
        }
    }
    for (layer, kind, judged) in judged {
        if judged.verdict == Verdict::Missed {
            let (class, missed) = describe(&oracle, &judged, &text);
            let missed = format!("{kind}: {}: {missed}", source.id);
            tally.missed.entry((judged.metric, layer, class)).or_default().push(missed);
        }
        let cell = tally.faults.entry((suite.clone(), judged.metric, layer, kind)).or_default();
        *cell.entry(judged.verdict).or_default() += 1;
    }
}

/// The class of a missed fault; and line, counts before and after, expected counts and source of the first checked number
/// that it changes.
fn describe(oracle: &Oracle<'_>, judged: &Judged, text: &str) -> (&'static str, String) {
    let is_checked = |change: &&numbers::Change| {
        !change.before.is_empty()
            && !oracle.unchecked.contains_key(&change.place)
            && !oracle.truth.is_bare(change.place.line)
    };
    let change = judged.changes.iter().find(is_checked).unwrap_or(&judged.changes[0]);
    let line = change.place.line;
    let class = match (&change.before[..], &change.after[..]) {
        ([], _) => "a number that should not be there",
        (_, []) if change.before.iter().all(|count| *count == 0) => "a zero is missing",
        (_, []) => "a count above zero is missing",
        _ if change.before.len() != change.after.len() => "one of several numbers is missing or added",
        _ if judged.metric == Metric::Line => "several counts are expected",
        _ => "another count is admitted",
    };
    let right = match judged.metric {
        Metric::Line => expected(oracle.truth, oracle.family, line)
            .map_or_else(|why| why.to_string(), |found| format!("{:?}", found.counts)),
        Metric::Branch if oracle.family == Family::Gcov => {
            let groups = branch_groups(oracle.truth);
            let group = groups.iter().find(|group| group.lines.contains(&line));
            format!("{:?}", group.and_then(|group| group.outcomes.clone()))
        }
        _ => {
            let all = numbers::numbers(oracle.report, oracle.family);
            let number = all.into_iter().find(|number| number.place == change.place);
            format!("{:?}", number.map(|number| oracle.right(number.slot, &number.place)))
        }
    };
    let source = text.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default().trim();
    let (before, after) = (&change.before, &change.after);
    let detail = &change.place.detail;
    (class, format!("line {line} {detail}: {before:?} became {after:?}, expected {right}: {source}"))
}

/// Examine all programs with one profiler, on two workers.
fn prove_oracle(profiler: &Probed, sources: &[(String, Source)], most: usize) -> Tally {
    let (tally, temp) = (Mutex::new(Tally::default()), Temp::new());
    let queue = Mutex::new((0..).zip(sources));
    std::thread::scope(|scope| {
        for worker in 0..2 {
            let folder = temp.at(&format!("w{worker}"));
            let (tally, queue) = (&tally, &queue);
            scope.spawn(move || {
                let mut worker = Worker::new(folder.clone(), BINARY.into(), Settings::quick().limits);
                loop {
                    let Some((index, source)) = queue.lock().unwrap().next() else { break };
                    examine(profiler, &mut worker, source, (most, SEED + index), &folder, tally);
                }
                worker.finish();
            });
        }
    });
    tally.into_inner().unwrap()
}

fn family(name: &str) -> Family {
    if name.starts_with("gcc") { Family::Gcov } else { Family::LlvmCov }
}

#[test]
fn faults_of_a_profiler_are_noticed() {
    let sources = programs();
    let most = number("RECOUNT_FAULTS").unwrap_or(2);
    for name in words("RECOUNT_PROFILERS", "gcc-12 clang-14") {
        let Ok(mut profilers) = select(std::slice::from_ref(&name)) else {
            panic!("{name} is not installed")
        };
        let tally = prove_oracle(&profilers.remove(0), &sources, most);
        tally.print(&name);
        if std::env::var_os("RECOUNT_PROGRAMS").is_none() {
            for metric in [Metric::Line, Metric::Function, Metric::Branch] {
                for layer in [Layer::Report, Layer::Counter, Layer::Mapping, Layer::Removed] {
                    // gcov's mapping has no functions.
                    let Some(noticed) = tally.noticed(metric, layer) else { continue };
                    let is_deep = matches!(layer, Layer::Mapping | Layer::Removed);
                    // The false outcome of a `case` depends on the version of LLVM, so either number is admitted. clang's
                    // branches in macros are not required.
                    let least = match metric {
                        Metric::Branch if is_deep && family(&name) == Family::LlvmCov => 0.85,
                        Metric::Branch => 0.9,
                        _ if is_deep => 0.93,
                        _ => 0.97,
                    };
                    assert!(noticed >= least, "{name}, {}, {}: {noticed}", metric.name(), layer.name());
                }
            }
        }
    }
}
