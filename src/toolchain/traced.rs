//! Runs a program with coverage whose assembly recount has changed.

use super::attempt::{StepResult, no_compiler, outcome_as_result};
use super::flags;
use super::profiler::Profiler;
use super::request::Request;
use super::worker::{EXTRA, Worker};
use crate::model::{Execution, SOURCE};

/// Compile the program with coverage to assembly that keeps nothing below the stack pointer, let `rewrite` change that, and run it.
/// It may fill the file [`Worker::extra`], which has `size` zeros at first; the result has its content.
pub fn run_assembly(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
    size: u64,
    rewrite: impl Fn(&str) -> String,
) -> StepResult<(Execution, Vec<u8>)> {
    let mut run = || {
        let compiler = profiler.compiler().ok_or_else(no_compiler)?;
        worker.prepare(request)?;
        flags::build(profiler.info().profiler, request, |flags| {
            let front = ["-O0", "--coverage", "-mno-red-zone", "-fno-omit-frame-pointer", "-w", "-S"];
            let back = [SOURCE, "-o", "p.s"];
            worker.compile(
                compiler,
                [&front.map(String::from)[..], &flags, &back.map(String::from)].concat(),
            )?;
            let path = worker.scratch.at("p.s");
            let text = fs_err::read(&path)?;
            fs_err::write(path, rewrite(&String::from_utf8_lossy(&text)))?;
            let (front, back) = (["--coverage", "p.s", "-o", "p"], ["-lm"]);
            worker.compile(
                compiler,
                [&front.map(String::from)[..], request.flags, &back.map(String::from)].concat(),
            )
        })?;
        let environment = profiler.environment(worker, 0)?;
        let extra = worker.scratch.expect(EXTRA)?;
        fs_err::OpenOptions::new().write(true).open(extra)?.set_len(size)?;
        let execution = worker.run_program(request, environment)?;
        worker.scratch.take(EXTRA)?;
        Ok((execution, fs_err::read(worker.scratch.at(EXTRA))?))
    };
    outcome_as_result(run())
}
