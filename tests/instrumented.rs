//! Every function that a compiler accepts is instrumented. `data/instrumented` has one program for each construct that
//! the parser once failed at; the comment at the end of a line is how often the parts that begin on it run.
//!
//! `RECOUNT_PROGRAMS` lists folders with programs of other people, `RECOUNT_PROFILERS` the compilers: each function
//! that is left out is printed with the reason, and too many of them are a failure.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use camino::Utf8PathBuf;
use recount::config::Settings;
use recount::corpus::{Input, Source, load};
use recount::model::{Line, Termination};
use recount::syntax::{InstrumentedFunction, Preprocessed, TokenKind, instrument, without_comments};
use recount::toolchain::{Assembly, Probed, Request, Worker, assemble, run_rewritten, select};
use recount::truth::{Truth, measure, prove};
use regex::Regex;
use support::{BINARY, Temp, skip};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/instrumented");

/// The compilers under test that are installed.
fn compilers() -> Vec<Probed> {
    let names = std::env::var("RECOUNT_PROFILERS").unwrap_or("gcov llvm-cov".into());
    let installed = |name: &str| match select(&[name.to_string()]) {
        Ok(profilers) => profilers,
        Err(error) => {
            skip(&format!("{name}: {error}"));
            Vec::new()
        }
    };
    names.split_whitespace().flat_map(installed).collect()
}

fn worker(temp: &Temp) -> Worker {
    Worker::new(temp.at("w0"), BINARY.into(), Settings::quick().limits)
}

fn request<'a>(source: &'a Source, text: &'a str, input: &'a Input) -> Request<'a> {
    Request { folder: source.folder(), flags: &source.sidecar.flags, ..Request::new(text, input) }
}

/// The functions of a program: all of those in the compiled code, and those that are left out.
struct Functions {
    all: usize,
    /// Each with the reason.
    left_out: Vec<(String, String)>,
}

/// None if the program does not compile. A function counts as left out if the compiled code has it and the instrumenter
/// does not know it at all.
fn functions(profiler: &Probed, worker: &mut Worker, source: &Source, text: &str) -> Option<Functions> {
    static COMPILED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^\s*\.type\s+([^\s,.]+)[^\s,]*,\s*[@%]function").expect("a constant")
    });
    static FILE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"(?m)^# \d+ "([^"<>]+)""#).expect("a constant"));
    let text = without_comments(text);
    let input = Input::default();
    let (mut known, mut left_out) = (0, Vec::new());
    let (mut names, mut preprocessed) = (BTreeSet::new(), String::new());
    let assembled = assemble(&**profiler, worker, &request(source, &text, &input), |text| {
        let program = Preprocessed::new(text.clone(), "p.c").of(&text);
        let functions = instrument(&program, false).expect("no program is too deep").functions;
        left_out = functions.iter().filter_map(InstrumentedFunction::refused).collect();
        known = functions.len();
        names = functions.into_iter().map(|function| function.name).collect();
        preprocessed.clone_from(&text);
        vec![Assembly { text, level: &["-O0"] }]
    });
    let assembled = assembled.unwrap().ok()?;
    let compiled: BTreeSet<String> =
        COMPILED.captures_iter(&assembled[0]).map(|found| found[1].to_string()).collect();
    if !compiled.is_subset(&names) {
        // Functions of included files are compiled too.
        let files: BTreeSet<&str> =
            FILE.captures_iter(&preprocessed).map(|found| found.get(1).unwrap().as_str()).collect();
        for file in files {
            let program = Preprocessed::new(preprocessed.clone(), file);
            let functions = instrument(&program, false).expect("no program is too deep").functions;
            names.extend(functions.into_iter().map(|function| function.name));
        }
    }
    let unknown =
        compiled.difference(&names).map(|name| (name.clone(), "not known to be a function".to_string()));
    left_out.extend(unknown);
    Some(Functions { all: known, left_out })
}

#[test]
fn functions_of_other_people_are_instrumented() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus");
    let folders = std::env::var("RECOUNT_PROGRAMS").unwrap_or(corpus.into());
    let folders: Vec<Utf8PathBuf> = folders.split_whitespace().map(Utf8PathBuf::from).collect();
    let temp = Temp::new();
    let mut worker = worker(&temp);
    for profiler in compilers() {
        let (mut programs, mut all, mut left_out) = (0, 0, 0);
        for source in load(&folders).unwrap() {
            let Ok(text) = source.read() else { continue };
            let Some(found) = functions(&profiler, &mut worker, &source, &text) else { continue };
            (programs, all, left_out) = (programs + 1, all + found.all, left_out + found.left_out.len());
            for (function, reason) in found.left_out {
                println!("{}: {function}: {reason}", source.file);
            }
        }
        let name = &profiler.info().compiler;
        println!("{name}: {left_out} of {all} functions in {programs} programs are not instrumented");
        assert!(left_out * 1000 <= all * 3, "{name}: {left_out} of {all} functions are not instrumented");
    }
}

/// The number at the end of a line, in a comment: how often the parts that begin on it run.
static EXPECTED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"// ([\d ]+)$").expect("a constant"));

/// The distinct counts of the points that begin on each line.
fn counts(truth: &Truth) -> BTreeMap<Line, BTreeSet<u64>> {
    let mut lines: BTreeMap<Line, BTreeSet<u64>> = BTreeMap::new();
    for (line, tokens) in &truth.lines {
        let begins = |kind| matches!(kind, TokenKind::Code | TokenKind::Folded | TokenKind::OpeningBrace);
        for token in tokens.iter().filter(|token| token.begins && begins(token.kind)) {
            lines.entry(*line).or_default().extend(truth.points[token.point].count);
        }
    }
    lines
}

/// Complaints about one program under one compiler.
fn complaints(profiler: &Probed, worker: &mut Worker, source: &Source) -> Vec<String> {
    let text = source.read().unwrap();
    let input = Input::default();
    let Some(found) = functions(profiler, worker, source, &text) else {
        return vec!["it does not compile".into()];
    };
    let mut complaints: Vec<String> = found
        .left_out
        .into_iter()
        .map(|(function, reason)| format!("{function} is left out: {reason}"))
        .collect();
    let request = request(source, &text, &input);
    let plain = run_rewritten(&**profiler, worker, &request, |text| text).unwrap().expect("it runs");
    let truth = match measure(&**profiler, worker, &request).unwrap() {
        Ok(truth) => truth,
        Err(why) => return vec![why.to_string()],
    };
    if truth.execution != plain.execution || truth.execution.termination != Termination::Exited(0) {
        complaints.push(format!("{:?} instead of {:?}", truth.execution, plain.execution));
    }
    let proof = prove(&**profiler, worker, &request).unwrap();
    if proof != Ok(BTreeSet::new()) {
        complaints.push(format!("{proof:?}"));
    }
    let counts = counts(&truth);
    for (line, text) in (1..).zip(text.lines()) {
        let counted = counts.get(&line).cloned().unwrap_or_default();
        let expected = EXPECTED.captures(text).map(|found| {
            found[1].split_whitespace().map(|number| number.parse().unwrap()).collect::<BTreeSet<u64>>()
        });
        if counted != expected.unwrap_or_default() {
            complaints.push(format!("line {line} counted {counted:?}: {text}"));
        }
    }
    complaints
}

#[test]
fn constructs_that_once_were_left_out_are_counted() {
    let temp = Temp::new();
    let mut worker = worker(&temp);
    let mut all = Vec::new();
    for profiler in compilers() {
        let name = profiler.info().compiler.clone();
        for source in load(&[DATA.into()]).unwrap() {
            // Only gcc has nested functions, and a label before a closing brace is C23.
            let is_newer = source.id == "last_label" && profiler.info().major() < 18;
            if (source.id.starts_with("gcc_") || is_newer) && name.starts_with("clang") {
                continue;
            }
            let found = complaints(&profiler, &mut worker, &source);
            all.extend(found.into_iter().map(|complaint| format!("{} {name}: {complaint}", source.id)));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}
