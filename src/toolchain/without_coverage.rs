//! Builds and runs a program without coverage: instrumented with recount's own counters, or under detectors of
//! undefined behaviour.

use anyhow::Result;
use camino::Utf8Path;

use super::attempt::{Attempt, StepResult, Stop, no_compiler, outcome_as_result};
use super::complaint::Complaint;
use super::flags;
use super::profiler::Profiler;
use super::request::Request;
use super::select::usual;
use super::worker::{EXTRA, Worker, is_installed};
use crate::corpus::Input;
use crate::model::SOURCE;
use crate::model::{Execution, Family, Outcome};

/// A run of a program that was built without coverage.
#[derive(Clone, Debug)]
pub struct UncoveredRun {
    pub execution: Execution,
    /// What it wrote to [`Worker::extra`].
    pub written: Vec<u8>,
}

/// Preprocess the program, let `rewrite` change the text and remove the definitions of macros, compile that with the
/// compiler of `profiler`, and run it.
pub fn run_rewritten(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
    mut rewrite: impl FnMut(String) -> String,
) -> StepResult<UncoveredRun> {
    let mut build = |worker: &mut Worker, compiler: &Utf8Path, flags: Vec<String>| {
        let text = preprocess(worker, compiler, &flags)?;
        fs_err::write(worker.scratch.at("t.i"), rewrite(text))?;
        let text = ["-x", "cpp-output", "t.i", "-x", "none", "-o", "p"];
        worker.compile(compiler, flags::linking(&["-O0", "-w"], flags, &text))
    };
    let mut run = || {
        let environment = build_uncovered(profiler, worker, request, &mut build)?;
        worker.scratch.expect(EXTRA)?;
        let execution = worker.run_program(request, environment)?;
        let has_written = worker.scratch.take(EXTRA)?;
        let written = if has_written { fs_err::read(worker.scratch.at(EXTRA))? } else { Vec::new() };
        Ok(UncoveredRun { execution, written })
    };
    outcome_as_result(run())
}

/// A text to compile to assembly, and the flags of a level of optimisation.
pub struct Assembly {
    pub text: String,
    pub level: Level,
}

pub type Level = &'static [&'static str];

/// Preprocess the program, let `rewrite` make texts of it, and compile each of them to assembly with the compiler of
/// `profiler`.
pub fn assemble(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
    mut rewrite: impl FnMut(String) -> Vec<Assembly>,
) -> StepResult<Vec<String>> {
    let mut assembled = Vec::new();
    let build = |worker: &mut Worker, compiler: &Utf8Path, flags: Vec<String>| {
        let texts = rewrite(preprocess(worker, compiler, &flags)?);
        assembled = compile_texts(worker, compiler, &flags, &texts)?;
        Ok(())
    };
    outcome_as_result(build_uncovered(profiler, worker, request, build).map(|_| ()))
        .map(|done| done.map(|()| assembled))
}

/// The assembly of the program with the places of its code, and the intermediate language of gcc with those of its tests.
pub fn compile_with_places(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
) -> StepResult<(String, String)> {
    let mut places = None;
    let build = |worker: &mut Worker, compiler: &Utf8Path, flags: Vec<String>| {
        let flags = [vec!["-O0".to_string()], flags].concat();
        places = Some(with_places(worker, compiler, &flags, &[SOURCE])?);
        Ok(())
    };
    outcome_as_result(build_uncovered(profiler, worker, request, build).map(|_| ()))
        .map(|done| done.map(|()| places.unwrap_or_default()))
}

/// The same of a preprocessed text, compiled with these flags.
pub fn compile_text_with_places(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    flags: &[String],
    text: &str,
) -> StepResult<(String, String)> {
    let mut compiled = || {
        let compiler = profiler.compiler().ok_or_else(no_compiler)?;
        worker.prepare(&Request::new("", &Input::default()))?;
        fs_err::write(worker.scratch.at("t.i"), text)?;
        with_places(worker, compiler, flags, &["-x", "cpp-output", "t.i"])
    };
    outcome_as_result(compiled())
}

fn with_places(
    worker: &mut Worker,
    compiler: &Utf8Path,
    flags: &[String],
    source: &[&str],
) -> Attempt<(String, String)> {
    let options = ["-w", "-g1", "-S", "-fdump-tree-cfg-lineno=t.cfg", "-o", "t.s"];
    let back: Vec<String> = options.iter().chain(source).map(ToString::to_string).collect();
    worker.compile(compiler, [flags, &back].concat())?;
    let text = |name: &str| {
        let read = fs_err::read(worker.scratch.at(name))?;
        Ok::<_, Stop>(String::from_utf8_lossy(&read).into_owned())
    };
    // gcc writes no dump of a unit in which it compiles no function.
    let tests = if worker.scratch.at("t.cfg").exists() { text("t.cfg")? } else { String::new() };
    Ok((text("t.s")?, tests))
}

/// Compile each of `texts`, which are preprocessed, with these flags to assembly.
pub fn assemble_texts(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    flags: &[String],
    texts: &[Assembly],
) -> StepResult<Vec<String>> {
    let mut assembled = || {
        let compiler = profiler.compiler().ok_or_else(no_compiler)?;
        worker.prepare(&Request::new("", &Input::default()))?;
        compile_texts(worker, compiler, flags, texts)
    };
    outcome_as_result(assembled())
}

fn compile_texts(
    worker: &mut Worker,
    compiler: &Utf8Path,
    flags: &[String],
    texts: &[Assembly],
) -> Attempt<Vec<String>> {
    let mut assembled: Vec<String> = Vec::new();
    for (at, Assembly { text, level }) in texts.iter().enumerate() {
        let is_same = |other: &Assembly| (&other.text, other.level) == (text, *level);
        if let Some(same) = texts[..at].iter().position(is_same) {
            assembled.push(assembled[same].clone());
            continue;
        }
        fs_err::write(worker.scratch.at("t.i"), text)?;
        let back = ["-g0", "-w", "-S", "-x", "cpp-output", "t.i", "-o", "t.s"].map(String::from);
        let level: Vec<String> = level.iter().map(ToString::to_string).collect();
        worker.compile(compiler, [flags, &level, &back].concat())?;
        let code = fs_err::read(worker.scratch.at("t.s"))?;
        assembled.push(String::from_utf8_lossy(&code).into_owned());
    }
    Ok(assembled)
}

/// The preprocessed text of the program in the scratch folder, with the definitions of its macros.
fn preprocess(worker: &mut Worker, compiler: &Utf8Path, flags: &[String]) -> Attempt<String> {
    let (front, back) = (["-E", "-dD"].map(String::from), [SOURCE, "-o", "p.i"].map(String::from));
    worker.compile(compiler, [&front[..], flags, &back].concat())?;
    // Only strings and comments can contain bytes that are not UTF-8; the program itself is UTF-8.
    Ok(String::from_utf8_lossy(&fs_err::read(worker.scratch.at("p.i"))?).into_owned())
}

/// Compile a program without coverage; the environment variables of its run.
fn build_uncovered(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
    mut build: impl FnMut(&mut Worker, &Utf8Path, Vec<String>) -> Attempt<()>,
) -> Attempt<Vec<(String, String)>> {
    let compiler = profiler.compiler().ok_or_else(no_compiler)?;
    worker.prepare(request)?;
    flags::build(profiler.info().profiler, request, |flags| {
        let without_coverage = flags.into_iter().filter(|flag| !flags::is_condition_flag(flag));
        build(worker, compiler, without_coverage.collect())
    })?;
    Ok(profiler.environment(worker, 0)?)
}

/// Which kinds of undefined behaviour are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UbChecks {
    /// Bad memory accesses and arithmetic.
    Quick,
    /// Reads of uninitialised values too.
    Full,
}

/// Whether a detector reports undefined behaviour of the program, built by the compiler of `profiler`. The
/// compiler's sanitizers detect bad memory accesses and arithmetic; clang's, or valgrind with gcc, detects
/// uninitialised reads. For these it is also built by the compiler that comes with the machine: valgrind knows no other C library.
pub fn is_undefined(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
    checks: UbChecks,
) -> Result<bool> {
    let family = profiler.info().profiler;
    let mut reports = |profiler: &dyn Profiler, detector: &Detector| -> Result<bool> {
        Ok(run_under(profiler, worker, request, detector)?.is_ok_and(|seen| seen.complaint.is_some()))
    };
    let number = if checks == UbChecks::Quick { 1 } else { usize::MAX };
    let all = detectors(family, request.flags);
    for detector in all.iter().take(number) {
        if reports(profiler, detector)? {
            return Ok(true);
        }
    }
    let usual = usual(family).filter(|usual| usual.info() != profiler.info());
    match (usual, all.last()) {
        (Some(usual), Some(last)) if checks == UbChecks::Full => reports(&**usual, last),
        _ => Ok(false),
    }
}

/// The names of the detectors under which the program behaved as in `execution` and which reported nothing, or the first
/// complaint. A program that behaves differently under a detector, or cannot
/// run there, was not checked by it. A report counts in any case.
pub fn detect_undefined(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
    execution: &Execution,
) -> Result<std::result::Result<Vec<&'static str>, Complaint>> {
    let mut silent = Vec::new();
    for detector in detectors(profiler.info().profiler, request.flags) {
        match run_under(profiler, worker, request, &detector)? {
            Ok(Checked { complaint: Some(complaint), .. }) => return Ok(Err(complaint)),
            Ok(seen) if seen.execution.as_ref() == Some(execution) => silent.push(detector.name),
            _ => {}
        }
    }
    Ok(Ok(silent))
}

/// A tool that reports undefined behaviour of a program that it runs.
struct Detector {
    name: &'static str,
    /// Flags of the compiler.
    flags: &'static [&'static str],
    /// The command that runs the program, if it does not check itself.
    command: &'static [&'static str],
}

/// How many detectors are installed for programs of `family` with these `flags`.
pub fn detector_count(family: Family, flags: &[String]) -> usize {
    detectors(family, flags).len()
}

/// The installed detectors for programs with these `flags`, the quickest first.
fn detectors(family: Family, flags: &[String]) -> Vec<Detector> {
    let sanitizers =
        Detector { name: "AddressSanitizer, UndefinedBehaviorSanitizer", flags: SANITIZERS, command: &[] };
    let uninitialised = if family == Family::LlvmCov && !flags::links_other_code(flags) {
        // It takes what code that is compiled already writes for uninitialised. A function that returns nothing is defined as long as its result is not used (C11 6.9.1, paragraph 12).
        Detector {
            name: "MemorySanitizer",
            // The program continues, so that a complaint about the compiler's own variables hides none about the program's.
            flags: &[
                "-fsanitize=memory",
                "-fsanitize-memory-track-origins",
                "-fsanitize-recover=memory",
                "-mllvm",
                "-msan-eager-checks=0",
            ],
            command: &[],
        }
    } else {
        Detector {
            name: "valgrind",
            flags: &[],
            command: &["valgrind", "-q", "--error-exitcode=0", "--leak-check=no", "--vgdb=no"],
        }
    };
    let mut found = vec![sanitizers, uninitialised];
    found.retain(|detector| detector.command.first().is_none_or(|program| is_installed(program)));
    found
}

/// x86 reads and writes memory at any address, so a misaligned access, which programs with packed structs make, changes
/// no count there without optimisation.
const SANITIZERS: &[&str] = if cfg!(target_arch = "x86_64") {
    &["-fsanitize=address,undefined", "-fno-sanitize=alignment"]
} else {
    &["-fsanitize=address,undefined"]
};

/// A run under a detector.
struct Checked {
    /// None if a signal ended the program: a detector ends a program after its report.
    execution: Option<Execution>,
    complaint: Option<Complaint>,
}

fn run_under(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
    detector: &Detector,
) -> StepResult<Checked> {
    let build = |worker: &mut Worker, compiler: &Utf8Path, flags: Vec<String>| {
        let more = detector.flags.iter().map(ToString::to_string);
        let flags = flags.into_iter().chain(more).collect();
        worker.compile(compiler, flags::linking(&["-O0", "-g", "-w"], flags, &[SOURCE, "-o", "p"]))
    };
    let mut run = || {
        let mut environment = build_uncovered(profiler, worker, request, build)?;
        environment.push(("ASAN_OPTIONS".into(), "detect_leaks=0".into()));
        environment.push(("MSAN_OPTIONS".into(), "exitcode=0".into()));
        let ran = worker.run_checked(request, environment, detector.command);
        let stderr = fs_err::read(worker.scratch.at("stderr")).unwrap_or_default();
        let complaint = Complaint::first(&String::from_utf8_lossy(&stderr));
        match ran {
            Ok(execution) => Ok(Checked { execution: Some(execution), complaint }),
            Err(Stop::Outcome(Outcome::Died { .. })) => Ok(Checked { execution: None, complaint }),
            Err(stop) => Err(stop),
        }
    };
    outcome_as_result(run())
}
