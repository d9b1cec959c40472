//! Compares ground truth with an independent count. An interpreter runs the syntax tree from which a random program was
//! printed, so all counts are known. A debugger or valgrind would not do, because they stop at lines and instructions,
//! not at operands.

#[path = "support/random_c/mod.rs"]
mod random_c;
mod support;

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8PathBuf;
use recount::config::Settings;
use recount::corpus::Input;
use recount::model::Termination;
use recount::syntax::{InstrumentedFunction, PointKind, Program, TokenKind};
use recount::toolchain::{Request, Worker, select};
use recount::truth::{Truth, measure};

use random_c::random_program;
use support::{BINARY, Temp, skip};

/// The distinct counts of the points that begin on each line, by our counters.
fn counts_of_beginnings(truth: &Truth) -> BTreeMap<u32, BTreeSet<u64>> {
    let mut lines: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
    for (line, tokens) in &truth.lines {
        for token in tokens {
            let point = &truth.points[token.point];
            let begins = match token.kind {
                TokenKind::Code if point.kind == PointKind::Entry => true,
                TokenKind::Code | TokenKind::Folded => token.begins && point.kind != PointKind::Silent,
                TokenKind::OpeningBrace => point.kind == PointKind::Entry,
                TokenKind::ClosingBrace | TokenKind::Closing => false,
            };
            if let Some(count) = point.count.filter(|_| begins) {
                lines.entry(*line).or_default().insert(count);
            }
        }
    }
    lines
}

/// Compare random programs from seed `first` on under the compiler `name`: `RECOUNT_SEEDS` of them, or `number`.
fn compare(name: &str, first: u64, number: u64) {
    let number = std::env::var("RECOUNT_SEEDS").map_or(number, |text| text.parse().expect("a number"));
    let profilers = match select(&[name.to_string()]) {
        Ok(profilers) => profilers,
        Err(error) => return skip(&format!("{name}: {error}")),
    };
    let temp = Temp::new();
    let folder: Utf8PathBuf = temp.at("w0");
    let mut worker = Worker::new(folder, BINARY.into(), Settings::quick().limits);
    let input = Input::default();
    let (mut compared, mut skipped) = (0, 0);
    for seed in first..first + number {
        let expected = random_program(seed);
        let program = Program::parse(expected.source.clone());
        let request = Request { flags: &[], ..Request::new(&expected.source, &input) };
        let truth = measure(&*profilers[0], &mut worker, &request).unwrap();
        let truth = truth.unwrap_or_else(|no_truth| panic!("seed {seed}: {no_truth}\n{}", expected.source));
        assert_eq!(String::from_utf8_lossy(&truth.execution.stdout), expected.stdout, "seed {seed}");
        assert_eq!(truth.execution.termination, Termination::Exited(expected.status), "seed {seed}");
        let ours = counts_of_beginnings(&truth);
        let is_left_out = |line: u32| {
            let holds =
                |function: &&InstrumentedFunction| (function.lines.0..=function.lines.1).contains(&line);
            !truth.functions.iter().any(|function| holds(&function) && function.is_counted)
        };
        for (line, counts) in &expected.counts {
            if is_left_out(*line) {
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
    println!(
        "{name}: {number} random programs, {compared} lines agree with the interpreter, {skipped} are not instrumented"
    );
    assert_eq!(skipped, 0, "lines that are not instrumented; {compared} compared");
}

#[test]
fn our_counters_agree_with_an_interpreter_under_gcc() {
    compare("gcov", 0, 80);
}

#[test]
fn our_counters_agree_with_an_interpreter_under_clang() {
    compare("llvm-cov", 2000, 40);
}
