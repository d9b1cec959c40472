//! A program built without coverage: for our own counters, and for sanitizers.

use anyhow::Result;
use camino::Utf8Path;

use super::worker::{EXTRA, SOURCE, Worker, is_installed};
use super::{Profiler, Request, Step, flags};
use crate::config::Lane;
use crate::model::{Execution, Family, Outcome};

/// A run of a program that was built without coverage.
#[derive(Clone, Debug)]
pub struct PlainRun {
    /// What the program did.
    pub execution: Execution,
    /// What it wrote to [`Worker::extra`].
    pub written: Vec<u8>,
}

/// A run, or why there is none.
pub type Plain = std::result::Result<PlainRun, Outcome>;

/// Preprocess the program, let `rewrite` change the text, compile that with the compiler of
/// `profiler`, and run it.
pub fn run_rewritten(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
    mut rewrite: impl FnMut(String) -> String,
) -> Result<Plain> {
    let mut build = |worker: &mut Worker, compiler: &Utf8Path, flags: Vec<String>| {
        let mut args = vec!["-E".to_string()];
        args.extend(flags.iter().cloned());
        args.extend([SOURCE, "-o", "p.i"].map(String::from));
        if let Err(outcome) = worker.compile(&compiler.to_path_buf(), args)? {
            return Ok(Err(outcome));
        }
        // What is no UTF-8 can only stand in strings and comments; P itself is UTF-8.
        let text = String::from_utf8_lossy(&fs_err::read(worker.scratch.at("p.i"))?).into_owned();
        fs_err::write(worker.scratch.at("t.i"), rewrite(text))?;
        let mut args: Vec<String> = ["-O0", "-w"].map(String::from).into();
        args.extend(flags);
        args.extend(["-x", "cpp-output", "t.i", "-x", "none", "-o", "p", "-lm"].map(String::from));
        worker.compile(&compiler.to_path_buf(), args)
    };
    let ran = worker.hurrying(request.lane == Lane::Fast, |worker| {
        build_and_run(profiler, worker, request, &mut build, |worker| {
            worker.scratch.expect(EXTRA)?;
            let environment = profiler.environment(worker, 0)?;
            worker.program(request, environment)
        })
    })?;
    Ok(match ran {
        Ok((Some(execution), _)) => {
            let is_there = worker.scratch.take(EXTRA)?;
            let written = if is_there { fs_err::read(worker.scratch.at(EXTRA))? } else { Vec::new() };
            Ok(PlainRun { execution, written })
        }
        Ok((None, _)) => Err(Outcome::NoProfile { reason: "it died".into() }),
        Err(outcome) => Err(outcome),
    })
}

/// Whether anybody who watches the program, built by the compiler of `profiler`, complains: of bad memory and
/// arithmetic the compiler's sanitizers, of uninitialised reads clang's, or valgrind under gcc.
pub fn is_undefined(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
    checks: UbChecks,
) -> Result<bool> {
    let asked = match checks {
        UbChecks::Quick => 1,
        UbChecks::Full => usize::MAX,
    };
    for watcher in watchers(profiler.info().profiler).into_iter().take(asked) {
        if watched(profiler, worker, request, &watcher)?.is_ok_and(|(_, stderr)| complains(&stderr)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The same for somebody who wants to be told: the watchers under which the program did what it
/// `did` without them, and which had nothing to say, or the first one that complains. A program that
/// does something else under a watcher, or nothing, since it is not installed, was not watched; a
/// complaint counts whatever else it did.
pub fn watch(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
    did: &Execution,
) -> Result<std::result::Result<Vec<&'static str>, &'static str>> {
    let mut silent = Vec::new();
    for watcher in watchers(profiler.info().profiler) {
        match watched(profiler, worker, request, &watcher)? {
            Ok((_, stderr)) if complains(&stderr) => return Ok(Err(watcher.name)),
            Ok((Some(execution), _)) if execution == *did => silent.push(watcher.name),
            _ => {}
        }
    }
    Ok(Ok(silent))
}

/// How closely undefined behaviour is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UbChecks {
    /// Bad memory and arithmetic.
    Quick,
    /// Uninitialised reads too.
    Full,
}

/// Somebody who looks for undefined behaviour.
struct Watcher {
    name: &'static str,
    /// What the program is built with.
    flags: &'static [&'static str],
    /// What it is run by.
    command: &'static [&'static str],
}

/// How many look at a program of `family` on this machine.
pub fn detector_count(family: Family) -> usize {
    watchers(family).len()
}

/// Those who are installed; the first is the quickest.
fn watchers(family: Family) -> Vec<Watcher> {
    let sanitizers = Watcher {
        name: "AddressSanitizer, UndefinedBehaviorSanitizer",
        flags: &["-fsanitize=address,undefined"],
        command: &[],
    };
    let uninitialised = match family {
        Family::Gcov => Watcher {
            name: "valgrind",
            flags: &[],
            command: &["valgrind", "-q", "--error-exitcode=0", "--leak-check=no", "--vgdb=no"],
        },
        Family::LlvmCov => Watcher { name: "MemorySanitizer", flags: &["-fsanitize=memory"], command: &[] },
    };
    let mut found = vec![sanitizers, uninitialised];
    found.retain(|watcher| watcher.command.first().is_none_or(|program| is_installed(program)));
    found
}

fn complains(stderr: &str) -> bool {
    COMPLAINTS.iter().any(|words| stderr.contains(words))
}

fn watched(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
    watcher: &Watcher,
) -> Result<Ran> {
    let own = ("ASAN_OPTIONS".to_string(), "detect_leaks=0".to_string());
    let build = |worker: &mut Worker, compiler: &Utf8Path, flags: Vec<String>| {
        let mut args: Vec<String> = ["-O0", "-g", "-w"].map(String::from).into();
        args.extend(flags);
        args.extend(watcher.flags.iter().map(ToString::to_string));
        args.extend([SOURCE, "-o", "p", "-lm"].map(String::from));
        worker.compile(&compiler.to_path_buf(), args)
    };
    let hurries = request.lane == Lane::Fast && worker.is_rough();
    worker.hurrying(hurries, |worker| {
        build_and_run(profiler, worker, request, &build, |worker| {
            let environment = profiler.environment(worker, 0)?.into_iter().chain([own.clone()]).collect();
            worker.watched(request, environment, watcher.command)
        })
    })
}

/// How sanitizers and valgrind begin what they have to say.
const COMPLAINTS: [&str; 11] = [
    "runtime error:",
    "ERROR: AddressSanitizer: heap",
    "ERROR: AddressSanitizer: stack",
    "ERROR: AddressSanitizer: global",
    "ERROR: AddressSanitizer: dynamic-stack",
    "ERROR: AddressSanitizer: attempting",
    "ERROR: AddressSanitizer: negative-size-param",
    "-param-overlap:",
    "WARNING: MemorySanitizer: use-of-uninitialized-value",
    "depends on uninitialised value",
    "Use of uninitialised value",
];

type Ran = std::result::Result<(Option<Execution>, String), Outcome>;

/// Build and run; the execution, if the program ended by itself, with what it said.
fn build_and_run(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
    mut build: impl FnMut(&mut Worker, &Utf8Path, Vec<String>) -> Step,
    run: impl FnOnce(&mut Worker) -> Result<std::result::Result<Execution, Outcome>>,
) -> Result<Ran> {
    let Some(compiler) = profiler.compiler() else {
        return Ok(Err(Outcome::CompilerFailed { reason: "the profiler has no compiler".into() }));
    };
    worker.prepare(request)?;
    let family = profiler.info().profiler;
    if let Err(outcome) =
        flags::build(family, request, |flags| build(worker, compiler, flags::without_conditions(flags)))?
    {
        return Ok(Err(outcome));
    }
    let ran = run(worker)?;
    let stderr = fs_err::read(worker.scratch.at("stderr")).unwrap_or_default();
    let stderr = String::from_utf8_lossy(&stderr).into_owned();
    // A watcher ends a program with a signal of its own, after it has said why.
    match ran {
        Ok(execution) => Ok(Ok((Some(execution), stderr))),
        Err(Outcome::Died { .. }) if !stderr.is_empty() => Ok(Ok((None, stderr))),
        Err(outcome) => Ok(Err(outcome)),
    }
}
