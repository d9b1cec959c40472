//! `recount check FILE.c --format lcov`: the profiler's report as a tracefile for lcov's own tools.

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};

use super::print::{complain, print};
use crate::campaign::{Batch, Job};
use crate::coverage::lcov;
use crate::toolchain::{Detail, Request, Worker};

/// Print the tracefile of one job; false if there is none. The reason goes to standard error, since a tracefile has
/// no place for it.
pub fn tracefile(batch: &Batch<'_>, job: &Job, worker: &mut Worker) -> Result<bool> {
    let (source, profiler) = (batch.source(job), batch.profiler(job));
    let place = format!("{}, input {}", source.file, job.input.name);
    let text = match source.read() {
        Ok(text) => text,
        Err(error) => {
            complain(&format!("{place}: {error:#}"));
            return Ok(false);
        }
    };
    let request = Request {
        folder: source.folder(),
        flags: &source.sidecar.flags,
        detail: Detail::Full,
        ..Request::new(&text, &job.input)
    };
    let compiler = &profiler.info().compiler;
    match profiler.profile(worker, &request)? {
        Ok(report) => {
            // Tools that read tracefiles open the file by this path.
            let path = Utf8Path::new(&source.file).canonicalize_utf8();
            let path = path.map_or_else(|_| source.file.clone(), Utf8PathBuf::into_string);
            let test = [source.id.as_str(), &job.input.name, compiler].join(".");
            print(&lcov::write(&report.coverage, &test, &path))?;
            Ok(true)
        }
        Err(outcome) => {
            complain(&format!("{place}: {compiler}: {}", outcome.told(&source.file)));
            Ok(false)
        }
    }
}
