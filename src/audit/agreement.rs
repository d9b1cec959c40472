//! Whether the two builds do the same: how their processes end, how much each of them writes, and what the tests print. Order and
//! paths of the copies may differ, and so may what differs between the two runs of one build, such as times and addresses.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use anyhow::Result;
use regex::Regex;

use super::processes::Process;
use super::session::Phase;
use super::test_run::TestRun;

/// The programs whose processes ended differently in the two builds, or wrote another number of bytes, each with what differs.
pub fn differing_programs(coverage: &[TestRun], counters: &[TestRun]) -> BTreeMap<String, String> {
    let [theirs, ours] = [coverage, counters].map(|runs| runs.iter().map(by_program).collect::<Vec<_>>());
    let programs: BTreeSet<&String> = theirs.iter().chain(&ours).flat_map(BTreeMap::keys).copied().collect();
    let differences = programs.into_iter().filter_map(|program| {
        let [theirs, ours] = [&theirs, &ours].map(|runs| {
            runs.iter().map(|run| run.get(program).map_or(&[][..], Vec::as_slice)).collect::<Vec<_>>()
        });
        let difference = other_end(theirs[0], ours[0]).or_else(|| other_output(&theirs, &ours))?;
        Some((program.clone(), difference))
    });
    differences.collect()
}

fn by_program(run: &TestRun) -> BTreeMap<&String, Vec<&Process>> {
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for process in &run.run.processes {
        found.entry(&process.program).or_default().push(process);
    }
    found
}

fn other_end(theirs: &[&Process], ours: &[&Process]) -> Option<String> {
    let ends = |processes: &[&Process]| {
        let mut ends: Vec<_> =
            processes.iter().map(|process| (process.status, process.has_ended, process.is_forked)).collect();
        ends.sort_unstable();
        ends
    };
    let (with, without) = (theirs.len(), ours.len());
    if with != without {
        Some(format!("{with} processes with coverage, {without} with counters"))
    } else if ends(theirs) != ends(ours) {
        Some(format!("some of its {with} processes ended differently"))
    } else {
        None
    }
}

/// A number of bytes that more processes write in each run of one build than in any run of the other. `theirs` and `ours` are the
/// processes of one program in each run.
fn other_output(theirs: &[&[&Process]], ours: &[&[&Process]]) -> Option<String> {
    let (process, build) = only(theirs, ours)
        .map(|process| (process, "coverage"))
        .or_else(|| only(ours, theirs).map(|process| (process, "counters")))?;
    let bytes = process.written?;
    let command = process.command.join(" ");
    Some(format!("a process writes {bytes} bytes only in the build with {build}: {command}"))
}

/// A process of the runs in `one` that writes a number of bytes that fewer do in `other`.
fn only<'a>(one: &[&[&'a Process]], other: &[&[&'a Process]]) -> Option<&'a Process> {
    let number =
        |run: &[&Process], bytes| run.iter().filter(|process| process.written == Some(bytes)).count();
    if other.iter().all(|run| run.iter().all(|process| process.written.is_none())) {
        return None;
    }
    one[0].iter().copied().find(|process| {
        process.written.is_some_and(|bytes| {
            let always = one.iter().map(|run| number(run, bytes)).min();
            other.iter().map(|run| number(run, bytes)).max() < always
        })
    })
}

/// A sentence about each program with processes that left no profile, or only a part of one.
pub fn lost_processes(coverage: &[TestRun]) -> Vec<String> {
    let of_program = by_program(&coverage[0]);
    let lost = of_program.into_iter().filter_map(|(program, processes)| {
        let lost = processes.iter().filter(|process| !process.has_ended).count();
        (lost > 0).then(|| {
            format!(
                "{program}: {lost} of {} processes ended by `_exit`, a signal or the start of another program, so what they ran may not be in the profile",
                processes.len()
            )
        })
    });
    lost.collect()
}

/// A sentence about a line that the tests print in every run of one build and in no run of the other. None if the tests compile
/// something, since compilers print something else in the two builds.
pub fn differing_output(coverage: &[TestRun], counters: &[TestRun]) -> Result<Option<String>> {
    let mut sides = Vec::new();
    for runs in [coverage, counters] {
        let mut printed = Vec::new();
        for run in runs {
            let phase = Phase::Test(run.number).to_string();
            if !run.session.units_of(&phase)?.is_empty() || !run.session.links_of(&phase)?.is_empty() {
                return Ok(None);
            }
            printed.push(lines(run, &phase)?);
        }
        if printed.windows(2).any(|two| two[0] != two[1]) {
            return Ok(None);
        }
        sides.extend(printed.into_iter().next());
    }
    let [with_coverage, with_counters] = &sides[..] else { return Ok(None) };
    let only = |one: &[String], other: &[String]| one.iter().find(|line| !other.contains(line)).cloned();
    let found = only(with_coverage, with_counters)
        .map(|line| (line, "coverage"))
        .or_else(|| only(with_counters, with_coverage).map(|line| (line, "counters")));
    Ok(found.map(|(line, build)| format!("the tests print this only in the build with {build}: {line}")))
}

/// What the run printed, line by line and sorted, without the paths of its copy and without times.
fn lines(run: &TestRun, phase: &str) -> Result<Vec<String>> {
    static TIME: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b\d+(\.\d+)? ?(s|ms|us|secs?|seconds?|minutes?)\b").expect("a constant")
    });
    let text = fs_err::read(run.session.data.join("logs").join(format!("{phase}.log")))?;
    let text = String::from_utf8_lossy(&text).replace(run.session.tree.as_str(), "");
    let mut lines: Vec<String> =
        text.lines().map(|line| TIME.replace_all(line, "0 s").into_owned()).collect();
    lines.sort_unstable();
    Ok(lines)
}
