//! The main function of the evaluating process.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use camino::Utf8Path;

use super::super::search::{Run, Session, Subject, goal, search};
use super::job::{SearchJob, SearchReport};
use super::library::ProbedLibrary;
use crate::syntax::search::MainProgram;

/// The time between two reports of progress.
const INTERVAL: Duration = Duration::from_millis(100);

/// Do the `SearchJob` in the file `job`.
pub fn evaluate(job: &Utf8Path) -> Result<()> {
    let job: SearchJob = serde_json::from_slice(&fs_err::read(job)?).context("read the search job")?;
    let (options, problem) = (&job.options, &job.built.problem);
    let library = ProbedLibrary::load(&job.built)?;
    let mut subject: Box<dyn Subject> = match job.built.program.clone() {
        Some(program) => Box::new(ProgramSubject { library, program }),
        None => Box::new(library),
    };
    let begun = Instant::now();
    let (mut reported, mut times) = (begun, Vec::new());
    let mut on_progress = |evaluations: u64, met: usize, is_new: bool| {
        if is_new {
            times.push(begun.elapsed().as_secs_f64());
        }
        if reported.elapsed() >= INTERVAL {
            reported = Instant::now();
            // Progress is only displayed; a search does not fail because of it.
            let _ = fs_err::write(&job.progress, format!("{evaluations} {met}"));
        }
        begun.elapsed() < options.time
    };
    let goal = goal(&options.goal, problem).map_err(|reason| anyhow!(reason))?;
    let start = (options.seed, options.effort(job.built.isolation));
    let mut session = Session::new(problem, goal, &mut *subject, start, &mut on_progress);
    search(options.method, &mut session);
    let outcome = session.finish();
    let report = SearchReport { outcome, seconds: begun.elapsed().as_secs_f64(), times };
    fs_err::write(&job.report, serde_json::to_vec(&report)?)?;
    Ok(())
}

/// A whole program, which reads its numbers as text.
struct ProgramSubject {
    library: ProbedLibrary,
    program: MainProgram,
}

impl Subject for ProgramSubject {
    fn run(&mut self, input: &[u64]) -> Run<'_> {
        let (mut arguments, text) = self.program.text(input);
        arguments.insert(0, "program".into());
        self.library.set_text(&arguments, &text);
        self.library.run(input)
    }
}
