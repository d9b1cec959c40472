//! A program built without coverage: for our own counters, and for sanitizers.

use anyhow::Result;
use camino::Utf8Path;

use super::bench::{Bench, SOURCE};
use super::{Profiler, Request, Step, flags};
use crate::model::{Execution, Outcome};

/// A run of a program that was built without coverage.
#[derive(Clone, Debug)]
pub struct PlainRun {
    /// What the program did.
    pub execution: Execution,
    /// What it printed on standard error.
    pub stderr: String,
    /// What it wrote to [`Bench::extra`].
    pub written: Vec<u8>,
    /// The dialect that it compiled in.
    pub dialect: usize,
}

/// A run, or why there is none.
pub type Plain = std::result::Result<PlainRun, Outcome>;

/// Preprocess the program, let `rewrite` change the text, compile that with the compiler of
/// `profiler`, and run it.
pub fn run_rewritten(
    profiler: &dyn Profiler,
    bench: &mut Bench,
    request: &Request<'_>,
    mut rewrite: impl FnMut(String) -> String,
) -> Result<Plain> {
    build_and_run(profiler, bench, request, |bench, compiler, flags| {
        let mut args = vec!["-E".to_string()];
        args.extend(flags.iter().cloned());
        args.extend([SOURCE, "-o", "p.i"].map(String::from));
        if let Err(outcome) = bench.compile(&compiler.to_path_buf(), args)? {
            return Ok(Err(outcome));
        }
        // What is no UTF-8 can only stand in strings and comments; P itself is UTF-8.
        let text = String::from_utf8_lossy(&fs_err::read(bench.scratch.at("p.i"))?).into_owned();
        fs_err::write(bench.scratch.at("t.i"), rewrite(text))?;
        let mut args: Vec<String> = ["-O0", "-w"].map(String::from).into();
        args.extend(flags);
        args.extend(["-x", "cpp-output", "t.i", "-x", "none", "-o", "p", "-lm"].map(String::from));
        bench.compile(&compiler.to_path_buf(), args)
    })
}

/// Compile the program with `more` flags and run it.
pub fn run_with(
    profiler: &dyn Profiler,
    bench: &mut Bench,
    request: &Request<'_>,
    more: &[&str],
) -> Result<Plain> {
    build_and_run(profiler, bench, request, |bench, compiler, flags| {
        let mut args: Vec<String> = ["-O0", "-g", "-w"].map(String::from).into();
        args.extend(flags);
        args.extend(more.iter().map(ToString::to_string));
        args.extend([SOURCE, "-o", "p", "-lm"].map(String::from));
        bench.compile(&compiler.to_path_buf(), args)
    })
}

fn build_and_run(
    profiler: &dyn Profiler,
    bench: &mut Bench,
    request: &Request<'_>,
    mut build: impl FnMut(&Bench, &Utf8Path, Vec<String>) -> Step,
) -> Result<Plain> {
    let Some(compiler) = profiler.compiler() else {
        return Ok(Err(Outcome::CompilerFailed { reason: "the profiler has no compiler".into() }));
    };
    bench.lay_out(request)?;
    let family = profiler.info().profiler;
    let dialect = match flags::build(family, request, |flags| build(bench, compiler, flags))? {
        Ok(dialect) => dialect,
        Err(outcome) => return Ok(Err(outcome)),
    };
    let ran = bench.program(request, Vec::new())?;
    let stderr = fs_err::read(bench.scratch.at("stderr")).unwrap_or_default();
    let written = fs_err::read(bench.extra()).unwrap_or_default();
    let stderr = String::from_utf8_lossy(&stderr).into_owned();
    Ok(ran.map(|execution| PlainRun { execution, stderr, written, dialect }))
}
