//! `recount check FILE.c --format lcov`: what each profiler says of P, for lcov's own tools.

use anyhow::Result;

use super::print::{complain, print};
use crate::campaign::Job;
use crate::corpus::Source;
use crate::coverage::lcov;
use crate::toolchain::{Detail, Profiler, Request, Worker};

/// Print the tracefile of one job; false where there is none. A program without a profile is told on standard
/// error, since a tracefile has no place for it.
pub fn tracefile(job: &Job, source: &Source, profiler: &dyn Profiler, worker: &mut Worker) -> Result<bool> {
    let told = |reason: String| complain(&format!("{}, input {}: {reason}", source.file, job.input.name));
    let text = match source.read() {
        Ok(text) => text,
        Err(error) => {
            told(format!("{error:#}"));
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
            let path = camino::Utf8Path::new(&source.file).canonicalize_utf8();
            let path = path.map_or_else(|_| source.file.clone(), camino::Utf8PathBuf::into_string);
            let test = [source.id.as_str(), &job.input.name, compiler].join(".");
            print(&lcov::write(&report.coverage, &test, &path))?;
            Ok(true)
        }
        Err(outcome) => {
            told(format!("{compiler}: {}", outcome.told(&source.file)));
            Ok(false)
        }
    }
}
