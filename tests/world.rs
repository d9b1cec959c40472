//! Programs with unusual behaviour, which their names describe. A real campaign runs them with the newest gcov and
//! llvm-cov, and `world/expected.toml` lists what the record of each must contain. Daemons and files that a program
//! leaves must be removed when the campaign ends.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use camino::Utf8Path;
use recount::journal::{JobRecord, RunFolder, read};
use recount::toolchain::select;
use serde::Deserialize;
use support::{BINARY, Said, Temp, processes};

const WORLD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/world");

const SETTINGS: &str = "jobs = 2\n[limits]\nrun_seconds = 1\nmemory_mib = 256\noutput_kib = 64\n";

/// The file that the daemon of `daemonizes.c` creates a second after its start.
const SURVIVED: &str = "a_daemon_survived";

/// One entry of `expected.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Program {
    gcov: Expected,
    llvm_cov: Expected,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    outcome: String,
    /// A part of the expected reason.
    reason: Option<String>,
    /// `verdict rule` of findings that must exist.
    #[serde(default)]
    must: BTreeSet<String>,
    /// `verdict rule` of findings that may exist.
    #[serde(default)]
    may: BTreeSet<String>,
}

fn expected() -> BTreeMap<String, Program> {
    let path = Utf8Path::new(WORLD).join("expected.toml");
    toml::from_str(&fs_err::read_to_string(path).unwrap()).unwrap()
}

/// How `record` differs from `expected`.
fn complaints(record: &JobRecord, expected: &Expected) -> Vec<String> {
    let mut wrong = Vec::new();
    if let Some(failed) = &record.failed {
        wrong.push(format!("failed: {failed}"));
    }
    if record.outcome.name() != expected.outcome {
        wrong.push(format!("{:?} instead of {}", record.outcome, expected.outcome));
    }
    let reason = record.outcome.reason().unwrap_or_default();
    if let Some(part) = expected.reason.as_ref().filter(|part| !reason.contains(*part)) {
        wrong.push(format!("reason {reason:?} without {part:?}"));
    }
    let told = |finding: &recount::model::Finding| {
        let rule = finding.rule.map(recount::model::Rule::name).unwrap_or_default();
        format!("{} {rule}", finding.verdict.name()).trim().to_string()
    };
    let found: BTreeSet<String> = record.findings.iter().map(told).collect();
    wrong.extend(expected.must.difference(&found).map(|missing| format!("no finding {missing}")));
    let more = found.iter().filter(|one| !expected.must.contains(*one) && !expected.may.contains(*one));
    wrong.extend(more.map(|one| format!("an unexpected finding {one}")));
    wrong.into_iter().map(|what| format!("{}: {what}", record.job)).collect()
}

fn within(seconds: u64, holds: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    while !holds() {
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

/// The names in `folder`.
fn names(folder: &Utf8Path) -> Vec<String> {
    folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_string()).collect()
}

#[test]
fn every_program_is_recorded_with_its_behaviour_and_leaves_nothing() {
    let temp = Temp::new();
    temp.write("settings.toml", SETTINGS);
    let said = Said::from(temp.recount(&["run", WORLD, "--out", "run", "--config", "settings.toml", "-q"]));
    assert_eq!(said.code, 1, "jumps_back has a new finding\n{}{}", said.out, said.err);
    assert_eq!(said.err, "", "--quiet");
    let records = read(&RunFolder(temp.at("run"))).unwrap().records;
    let expected = expected();
    let recorded: BTreeSet<&String> = records.iter().map(|record| &record.program).collect();
    assert_eq!(recorded, expected.keys().collect(), "expected.toml lists the programs in the folder");
    let mut wrong = Vec::new();
    for record in &records {
        let program = &expected[&record.program];
        let of_family = if record.compiler.starts_with("gcc") { &program.gcov } else { &program.llvm_cov };
        wrong.extend(complaints(record, of_family));
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
    let inputs = records.iter().filter(|record| record.program == "reads_stdin").count();
    assert_eq!(inputs, 4, "two inputs under two profilers");
    assert_eq!(processes(temp.root()), [""; 0]);
    // No daemon is running that could still write its file.
    assert_eq!(names(&temp.at("tmp")), [""; 0], "scratch folders, or files of a daemon");
}

#[test]
fn the_daemon_survives_without_a_sandbox() {
    let profiler = select(&["gcov".to_string()]).expect("gcc and gcov").remove(0);
    let compiler = profiler.compiler().expect("a real one");
    let temp = Temp::new();
    let folder = temp.at("scratch/worker/run");
    fs_err::create_dir_all(&folder).unwrap();
    let source = Utf8Path::new(WORLD).join("daemonizes.c");
    let binary = temp.at("scratch/p");
    let built = Command::new(compiler).args([source.as_str(), "-o", binary.as_str()]).status();
    assert!(built.unwrap().success());
    assert!(Command::new(&binary).current_dir(&folder).status().unwrap().success());
    assert_eq!(processes(temp.root()).len(), 1, "`processes` must find the daemon");
    assert!(within(4, || temp.at(SURVIVED).exists()), "{:?}", names(temp.root()));
}

/// A campaign that is running the two programs that never end.
fn busy(temp: &Temp) -> Child {
    temp.write("settings.toml", SETTINGS.replace("run_seconds = 1", "run_seconds = 60"));
    let scratch = temp.at("tmp");
    fs_err::create_dir_all(&scratch).unwrap();
    let programs = ["hangs.c", "ignores_sigterm.c"].map(|name| Utf8Path::new(WORLD).join(name));
    let mut command = Command::new(BINARY);
    command.current_dir(temp.root()).env("TMPDIR", scratch).stdout(Stdio::null()).stderr(Stdio::null());
    command.arg("run").args(programs).args([
        "--profiler",
        "gcov",
        "--out",
        "run",
        "--config",
        "settings.toml",
    ]);
    let child = command.spawn().unwrap();
    let programs = || processes(temp.root()).iter().filter(|line| line.contains(": ../p ")).count();
    assert!(within(20, || programs() == 2), "{:?}", processes(temp.root()));
    child
}

fn kill(child: &Child, signal: &str) {
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
}

/// No process of the campaign in `temp` is running, and its scratch folders are removed.
fn is_over(temp: &Temp) -> bool {
    processes(temp.root()).is_empty() && names(&temp.at("tmp")).is_empty()
}

#[test]
fn an_interrupted_campaign_leaves_nothing_but_its_journal() {
    let temp = Temp::new();
    let mut child = busy(&temp);
    kill(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    // Killed processes may take a moment to end.
    assert!(within(1, || is_over(&temp)), "{:?} {:?}", processes(temp.root()), names(&temp.at("tmp")));
    let journal = read(&RunFolder(temp.at("run"))).unwrap();
    assert_eq!((journal.header.jobs, journal.records.len()), (2, 0), "interrupted jobs have no result");
}

#[test]
fn a_campaign_that_is_killed_takes_its_programs_with_it() {
    let temp = Temp::new();
    let mut child = busy(&temp);
    kill(&child, "-KILL");
    child.wait().unwrap();
    assert!(within(5, || is_over(&temp)), "{:?} {:?}", processes(temp.root()), names(&temp.at("tmp")));
}

#[test]
fn an_expectation_that_is_not_met_is_reported() {
    let expect = |text: &str| toml::from_str::<Expected>(text).unwrap();
    let record: JobRecord = serde_json::from_value(serde_json::json!({
        "job": "p|default|gcc-0", "program": "p", "file": "p.c", "input": "default", "compiler": "gcc-0",
        "outcome": {"is": "died", "signal": 6}, "source": "", "dialect": 0,
        "tally": recount::journal::Tally::default(), "relations": {}, "refused": [], "incomparable": {}, "commands": [],
        "findings": [], "failed": null,
    }))
    .unwrap();
    let told = |text: &str| complaints(&record, &expect(text)).len();
    assert_eq!(told("outcome = 'died by a signal'\nreason = 'signal 6 (SIGABRT)'"), 0);
    assert_eq!(told("outcome = 'died by a signal'\nreason = 'signal 11 (SIGSEGV)'"), 1);
    assert_eq!(told("outcome = 'profiled'\nmust = ['wrong x']\nmay = ['wrong y']"), 2);
}
