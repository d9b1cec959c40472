//! Functions that do not end cleanly: the input is recorded with its end, and the search continues.

use std::time::{Duration, Instant};

use camino::Utf8Path;

use crate::answer::{Answer, answer, answers, int};

const SIGABRT: u64 = 6;
const SIGFPE: u64 = 8;
const SIGKILL: u64 = 9;
const SIGSEGV: u64 = 11;

/// In every recorded fault x is 7 and the end is `how`. The fault does not hide the branch after it.
#[track_caller]
fn ends(found: &Answer, how: (&str, Option<u64>)) {
    let faults = found.faults();
    assert!(!faults.is_empty(), "{}", found.entry());
    for (is, with, input) in faults {
        assert_eq!(((is, with), int(input[0])), (how, 7), "{}", found.entry());
    }
    continues(found);
}

/// Inputs with x > 1000 and with other values than that are found.
#[track_caller]
fn continues(found: &Answer) {
    let inputs = found.inputs();
    assert!(inputs.iter().any(|input| int(input[0]) > 1000), "{}: {inputs:?}", found.entry());
    assert!(inputs.iter().any(|input| int(input[0]) <= 1000), "{}: {inputs:?}", found.entry());
}

#[test]
fn crashes_are_recorded_and_the_search_continues() {
    let signals = [
        ("null", SIGSEGV),
        ("zero", SIGFPE),
        ("deep", SIGSEGV),
        ("aborts", SIGABRT),
        ("raises", SIGSEGV),
        ("traps", 4),
        ("jumps", SIGSEGV),
    ];
    let entries: Vec<&str> = signals.iter().flat_map(|(entry, _)| ["--entry", entry]).collect();
    let all = answers("ends.c", &entries);
    for (entry, signal) in signals {
        ends(all.iter().find(|answer| answer.entry() == entry).unwrap(), ("signalled", Some(signal)));
    }
}

#[test]
fn a_quotient_that_overflows_is_a_fault() {
    let found = answer("ends.c", "quotient", &[]);
    assert_eq!(found.met(), (8, 8));
    assert!(!found.faults().is_empty());
    for (is, with, input) in found.faults() {
        assert_eq!((is, with), ("signalled", Some(SIGFPE)));
        assert_eq!((int(input[0]), int(input[1])), (i32::MIN, -1));
    }
}

#[test]
fn an_exit_is_a_clean_end() {
    let found = answer("ends.c", "leaves", &[]);
    assert_eq!(found.met(), (4, 4));
    assert_eq!(found.faults(), []);
    let exits: Vec<_> = found.0["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|input| input["ends"]["is"] == "exited")
        .collect();
    assert_eq!(exits.len(), 1);
    assert_eq!(exits[0]["ends"]["with"], 3);
    assert_eq!(exits[0]["cells"][0]["value"], "7");
}

#[test]
fn corrupt_memory_of_the_library_ends_a_run() {
    let all = answers("heap.c", &[]);
    assert_eq!(all.len(), 2);
    for found in all {
        let faults = found.faults();
        assert!(!faults.is_empty(), "{}", found.entry());
        let broken = |with: Option<u64>| with == Some(SIGABRT) || with == Some(SIGSEGV);
        assert!(
            faults.iter().all(|(is, with, input)| *is == "signalled" && broken(*with) && int(input[0]) == 7)
        );
        continues(&found);
    }
}

#[test]
fn a_loop_without_a_condition_ends_within_its_time() {
    let begun = Instant::now();
    let found = answer("spins.c", "spins", &["--for", "4s"]);
    assert!(begun.elapsed() < Duration::from_secs(12), "{:?}", begun.elapsed());
    ends(&found, ("endless", None));
}

#[test]
fn a_stack_that_is_overwritten_ends_a_run() {
    let begun = Instant::now();
    let found = answer("ends.c", "smashes", &["--for", "4s"]);
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    ends(&found, ("signalled", Some(SIGSEGV)));
}

#[test]
fn a_kill_is_a_fault() {
    ends(&answer("ends.c", "killed", &[]), ("signalled", Some(SIGKILL)));
}

#[test]
fn a_run_that_sleeps_is_endless() {
    let begun = Instant::now();
    let found = answer("sleeps.c", "sleeps", &["--for", "4s"]);
    assert!(begun.elapsed() < Duration::from_secs(12), "{:?}", begun.elapsed());
    ends(&found, ("endless", None));
}

#[test]
fn a_faulty_input_is_listed_once() {
    let faults = answer("ends.c", "null", &[]).faults().len();
    assert_eq!(faults, 1);
}

#[test]
fn a_process_that_outlives_a_run_is_killed() {
    let found = answer("forks.c", "forks", &[]);
    continues(&found);
    let is_left = |process: &Utf8Path| {
        let words = fs_err::read(process.join("cmdline")).unwrap_or_default();
        words == b"sleep\x003217\0"
    };
    let left = Utf8Path::new("/proc")
        .read_dir_utf8()
        .unwrap()
        .filter(|entry| is_left(entry.as_ref().unwrap().path()));
    assert_eq!(left.count(), 0);
}
