//! Truth against an independent count: random programs whose every count an interpreter of ours
//! knows, because it ran the tree that the text was printed from. An interpreter rather than a
//! debugger or valgrind, since these stop at lines and instructions, not at operands.

#[path = "support/random_c/mod.rs"]
mod random_c;
mod support;

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8PathBuf;
use recount::config::Settings;
use recount::corpus::Input;
use recount::model::Termination;
use recount::syntax::{MarkKind, PointKind, Program, Traced};
use recount::toolchain::{Request, Worker, select};
use recount::truth::{Truth, tell};

use random_c::random_program;
use support::{BINARY, Temp};

/// What begins on each line, by our counters: the distinct counts.
fn counted(truth: &Truth) -> BTreeMap<u32, BTreeSet<u64>> {
    let mut lines: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
    for (line, marks) in &truth.lines {
        for mark in marks {
            let point = &truth.points[mark.point];
            let begins = match mark.kind {
                MarkKind::Code if point.kind == PointKind::Entry => true,
                MarkKind::Code | MarkKind::Folded => mark.begins && point.kind != PointKind::Silent,
                MarkKind::Opens => point.kind == PointKind::Entry,
                MarkKind::Closes | MarkKind::Ends => false,
            };
            if let Some(count) = point.count.filter(|_| begins) {
                lines.entry(*line).or_default().insert(count);
            }
        }
    }
    lines
}

/// Compare `seeds` under the compiler `name`.
fn compare(name: &str, seeds: std::ops::Range<u64>) {
    let Ok(profilers) = select(&[name.to_string()]) else { return };
    let temp = Temp::new();
    let folder: Utf8PathBuf = temp.at("w0");
    let mut worker = Worker::new(folder, BINARY.into(), Settings::quick().limits);
    let input = Input::default();
    let (mut compared, mut skipped) = (0, 0);
    for seed in seeds {
        let expected = random_program(seed);
        let program = Program::parse(expected.source.clone());
        let request = Request { flags: &[], ..Request::new(&expected.source, &input) };
        let truth = tell(&*profilers[0], &mut worker, &program, &request).unwrap();
        let truth = truth.unwrap_or_else(|no_truth| panic!("seed {seed}: {no_truth}\n{}", expected.source));
        assert_eq!(String::from_utf8_lossy(&truth.execution.stdout), expected.stdout, "seed {seed}");
        assert_eq!(truth.execution.termination, Termination::Exited(expected.status), "seed {seed}");
        let ours = counted(&truth);
        let left_out = |line: u32| {
            let holds = |function: &&Traced| (function.lines.0..=function.lines.1).contains(&line);
            !truth.functions.iter().any(|function| holds(&function) && function.counted)
        };
        for (line, counts) in &expected.counts {
            if left_out(*line) {
                skipped += 1;
                continue;
            }
            compared += 1;
            let theirs: BTreeSet<u64> = counts.iter().copied().collect();
            let found = ours.get(line).cloned().unwrap_or_default();
            assert_eq!(
                found,
                theirs,
                "seed {seed}, line {line}, counted and interpreted: {}\n{}",
                program.line_text(*line),
                expected.source
            );
        }
    }
    // The parser gives a `switch` without braces what stands behind it too, so its function is left out.
    assert!(skipped * 6 < compared, "{skipped} lines left out, {compared} compared");
}

#[test]
fn our_counters_agree_with_an_interpreter_under_gcc() {
    compare("gcov", 0..80);
}

#[test]
fn our_counters_agree_with_an_interpreter_under_clang() {
    compare("llvm-cov", 2000..2040);
}
