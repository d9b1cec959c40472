//! Compares ground truth with an independent count. An interpreter runs the syntax tree from which a random program was
//! printed, so all counts are known. A debugger or valgrind would not do, because they stop at lines and instructions,
//! not at operands.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use recount::config::{MakeSettings, Settings};
use recount::corpus::Input;
use recount::generate::{RandomProgram, random_program};
use recount::model::{Family, Termination};
use recount::syntax::{Instrumented, InstrumentedFunction, PointKind, Program, TokenKind};
use recount::toolchain::{Profiler, Request, Worker, select};
use recount::truth::{Truth, measure_changed};

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
                TokenKind::ClosingBrace | TokenKind::Closing | TokenKind::Punctuation => false,
            };
            // The operand of `sizeof` has no count for the interpreter.
            if let Some(count) = point.count.filter(|_| begins && !point.is_unevaluated()) {
                lines.entry(*line).or_default().insert(count);
            }
        }
    }
    lines
}

/// A random program with its ground truth.
struct Measured {
    expected: RandomProgram,
    truth: Truth,
}

impl Measured {
    /// The random program of `seed`, measured by `profiler`, with `change` made to its instrumented program.
    fn new(
        profiler: &dyn Profiler,
        worker: &mut Worker,
        seed: u64,
        change: &dyn Fn(&mut Instrumented),
    ) -> Measured {
        let mut settings = MakeSettings { implicit_int: 100, ..Settings::quick().make };
        if profiler.info().profiler == Family::LlvmCov {
            // clang prints what follows such a use of a macro on the row of its name; the lines of llvm-cov come from the
            // positions of tokens, which are not compared here.
            settings.broken_arguments = 0;
        }
        let expected = random_program(seed, &settings);
        let input = Input::default();
        // In C89 the exit status of a `main` without a `return` is undefined.
        let flags: &[String] = match profiler.info().profiler {
            Family::Gcov => &["-std=gnu17", "-fpermissive"].map(String::from),
            Family::LlvmCov => &[],
        };
        let request = Request { flags, ..Request::new(&expected.source, &input) };
        let truth = measure_changed(profiler, worker, &request, change).unwrap();
        let truth = truth.unwrap_or_else(|no_truth| panic!("seed {seed}: {no_truth}\n{}", expected.source));
        Measured { expected, truth }
    }

    fn is_left_out(&self, line: u32) -> bool {
        // A line of the preprocessed text that begins in a comment or an argument of a macro may match no line of the
        // source, and some code has no counters, as that in `_Generic`.
        let Some(tokens) = self.truth.lines.get(&line) else { return true };
        if tokens.iter().any(|token| self.truth.points[token.point].count.is_none()) {
            return true;
        }
        let holds = |function: &&InstrumentedFunction| (function.lines.0..=function.lines.1).contains(&line);
        !self.truth.functions.iter().any(|function| holds(&function) && function.is_counted())
    }

    /// The lines whose counts differ from those of the interpreter, with both.
    fn differing(&self) -> Vec<(u32, BTreeSet<u64>, BTreeSet<u64>)> {
        let mut ours = counts_of_beginnings(&self.truth);
        let compared = self.expected.counts.iter().filter(|(line, _)| !self.is_left_out(**line));
        let both = compared.map(|(line, counts)| {
            (*line, ours.remove(line).unwrap_or_default(), counts.iter().copied().collect::<BTreeSet<u64>>())
        });
        both.filter(|(_, ours, theirs)| ours != theirs).collect()
    }
}

fn worker(temp: &Temp) -> Worker {
    Worker::new(temp.at("w0"), BINARY.into(), Settings::quick().limits)
}

/// Compare random programs from seed `first` on under the compiler `name`: `RECOUNT_SEEDS` of them, or `number`.
fn compare(name: &str, first: u64, number: u64) {
    let number = std::env::var("RECOUNT_SEEDS").map_or(number, |text| text.parse().expect("a number"));
    let profilers = match select(&[name.to_string()]) {
        Ok(profilers) => profilers,
        Err(error) => return skip(&format!("{name}: {error}")),
    };
    let temp = Temp::new();
    let mut worker = worker(&temp);
    let (mut compared, mut skipped) = (0, 0);
    for seed in first..first + number {
        let measured = Measured::new(&*profilers[0], &mut worker, seed, &|_| ());
        let Measured { expected, truth } = &measured;
        assert_eq!(String::from_utf8_lossy(&truth.execution.stdout), expected.stdout, "seed {seed}");
        assert_eq!(
            truth.execution.termination,
            Termination::Exited(expected.status),
            "seed {seed}\n{}",
            expected.source
        );
        if let Some((line, counted, interpreted)) = measured.differing().into_iter().next() {
            let text = Program::parse(expected.source.clone()).line_text(line).to_string();
            panic!(
                "seed {seed}, line {line}, counted {counted:?}, interpreted {interpreted:?}: {text}\n{}",
                expected.source
            );
        }
        let left_out = expected.counts.keys().filter(|line| measured.is_left_out(**line)).count();
        if left_out > 0 {
            println!("seed {seed}: {left_out} lines are not instrumented");
        }
        skipped += left_out;
        compared += expected.counts.len() - left_out;
    }
    println!(
        "{name}: {number} random programs, {compared} lines agree with the interpreter, {skipped} are not instrumented"
    );
    // About 6 %: operands in `_Generic` and array sizes have no counters, and rows that begin in an argument match no line.
    assert!(skipped * 12 <= compared, "{skipped} lines are not instrumented; {compared} compared");
}

#[test]
fn our_counters_agree_with_an_interpreter_under_gcc() {
    compare("gcov", 0, 80);
}

#[test]
fn our_counters_agree_with_an_interpreter_under_clang() {
    compare("llvm-cov", 2000, 40);
}

/// The insertions that are increments of statements, by index.
fn increments(found: &Instrumented) -> Vec<usize> {
    let is_increment =
        |(_, text): &&(usize, String)| text.starts_with("recount_truth[") && text.ends_with("]++;");
    let all = found.inserts.iter().enumerate();
    all.filter(|(_, insert)| is_increment(insert)).map(|(index, _)| index).collect()
}

type Mistake = (&'static str, fn(&mut Instrumented));

/// Mistakes that leave the program as it is, and count in the wrong place. Each is made in the middle of the program.
const MISTAKES: [Mistake; 5] = [
    ("a counter one statement too late", |found| {
        let all = increments(found);
        let at = all.len() / 2;
        let (late, text) = (found.inserts[all[at + 1]].0, found.inserts[all[at]].1.clone());
        found.inserts[all[at]].1.clear();
        found.inserts.insert(all[at + 1] + 1, (late, text));
    }),
    ("two counters change places", |found| {
        let all = increments(found);
        let (one, other) = (all[all.len() / 3], all[2 * all.len() / 3]);
        let text = std::mem::take(&mut found.inserts[one].1);
        found.inserts[one].1 = std::mem::replace(&mut found.inserts[other].1, text);
    }),
    ("a counter is forgotten", |found| {
        let all = increments(found);
        found.inserts[all[all.len() / 2]].1.clear();
    }),
    ("a counter is incremented twice", |found| {
        let all = increments(found);
        let insert = &mut found.inserts[all[all.len() / 2]].1;
        *insert = insert.repeat(2);
    }),
    ("the outcomes of every test are exchanged", |found| {
        for (_, text) in &mut found.inserts {
            if let Some((yes, no)) = text.strip_prefix(")?(").and_then(|rest| rest.split_once(",1):(")) {
                let no = no.trim_end_matches(",0))").to_string();
                *text = format!(")?({no},1):({yes},0))");
            }
        }
    }),
];

#[test]
fn every_counter_in_a_wrong_place_is_found_by_the_interpreter() {
    let profilers = match select(&["gcov".to_string()]) {
        Ok(profilers) => profilers,
        Err(error) => return skip(&format!("gcov: {error}")),
    };
    let temp = Temp::new();
    let mut worker = worker(&temp);
    for (name, mistake) in MISTAKES {
        // A mistake in code that never ran changes nothing.
        let caught = (0..100).find(|seed| {
            let measured = Measured::new(&*profilers[0], &mut worker, *seed, &mistake);
            !measured.differing().is_empty()
        });
        let seed = caught.unwrap_or_else(|| panic!("not found: {name}"));
        println!("caught by the interpreter, seed {seed}: {name}");
    }
}
