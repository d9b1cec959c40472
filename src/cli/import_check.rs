//! Whether an imported program can be checked: the newest gcc compiles it, and it runs as expected.

use std::sync::Mutex;

use anyhow::{Context, Result, ensure};
use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;

use super::import_flags::CommonFlags;
use super::output::{Exit, Failure, bad_input, print};
use super::setup::{new_workers, profilers};
use crate::config::{File, Settings};
use crate::console::Steps;
use crate::corpus::import::{DOES_NOT_COMPILE, Fates, Folder, LIST, Skipped, Taken, skip, tally};
use crate::corpus::{Sidecar, load};
use crate::model::{Outcome, Termination};
use crate::report::{number_of, table};
use crate::sys::{lock, requested};
use crate::toolchain::{Profiler, Request, Worker};

/// Try every program that is taken with the newest installed gcc, and remove those that fail. Returns the compiler; none
/// if none was tried.
pub fn try_programs(
    folder: &Folder,
    fates: &mut Fates,
    flags: &CommonFlags,
) -> Result<Option<String>, Failure> {
    if flags.no_check || !fates.values().any(Result::is_ok) {
        return Ok(None);
    }
    let typed = File { profilers: Some(vec!["gcov".into()]), jobs: Some(flags.jobs), ..File::default() };
    let settings = Settings::merge(None, typed).map_err(bad_input)?;
    let profiler = profilers(&settings)?.remove(0);
    let (_scratch, workers) = new_workers(settings.jobs, &settings)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.jobs).build()?;
    let workers = Mutex::new(workers);
    let taken: Vec<(&Utf8PathBuf, &Taken)> =
        fates.iter().filter_map(|(file, fate)| Some((file, fate.as_ref().ok()?))).collect();
    let steps = Steps::new(flags.quiet, "programs tried", taken.len());
    let attempt = |(file, taken): &(&Utf8PathBuf, &Taken)| {
        ensure!(!requested(), "interrupted");
        let mut worker = lock(&workers).pop().context("each thread has a worker")?;
        let verdict = verdict(&*profiler, &mut worker, &folder.root.join(file), taken);
        lock(&workers).push(worker);
        steps.step();
        Ok(((*file).clone(), verdict.with_context(|| format!("failed to try {file}"))?))
    };
    let verdicts: Result<Vec<_>> = pool.install(|| taken.par_iter().map(attempt).collect());
    for (file, verdict) in verdicts? {
        match verdict {
            Ok(None) => {}
            Ok(Some((sidecar, note))) => {
                let Some(Ok(taken)) = fates.get_mut(&file) else { continue };
                taken.notes.push(note);
                taken.sidecar = sidecar;
                let text = fs_err::read(folder.root.join(&file))?;
                folder.program(&file, &text, &taken.sidecar)?;
            }
            Err(skipped) => {
                folder.remove(&file)?;
                fates.insert(file, Err(skipped));
            }
        }
    }
    Ok(Some(profiler.info().compiler.clone()))
}

/// Write the list, and print the table; `compiler` is the one with which the programs were tried.
pub fn finish(
    folder: &Folder,
    fates: &Fates,
    compiler: Option<&str>,
    flags: &CommonFlags,
) -> Result<Exit, Failure> {
    folder.list(fates)?;
    let counts = tally(fates);
    let taken = counts[0].1;
    let rows = counts.into_iter().map(|(fate, count)| vec![fate, count.to_string()]);
    let mut out = table(&["fate", "files"], &[1], rows) + "\n";
    if let Some(compiler) = compiler {
        out.extend(["All taken programs compile with ", compiler, " and run as expected.\n"]);
    }
    let has_left_out = |taken: &&Taken| taken.notes.iter().any(|note| note.contains("left out"));
    let incomplete = fates.values().filter_map(|fate| fate.as_ref().ok()).filter(has_left_out).count();
    if incomplete > 0 {
        let verb = if incomplete == 1 { "lacks" } else { "lack" };
        out.extend([&number_of(incomplete, "program"), " ", verb, " some calls by the tests.\n"]);
    }
    out.extend(["The reason for each file is in ", flags.out.join(LIST).as_str(), ".\n"]);
    if taken > 0 {
        out.extend(["Next: recount run ", flags.out.as_str(), "\n"]);
    }
    print(&out)?;
    Ok(if taken > 0 { Exit::NothingNew } else { Exit::NotThere })
}

/// The result of trying a program that can be checked: if some inputs have to be left out, a sidecar without them, and
/// a note with the reason.
type Verdict = std::result::Result<Option<(Sidecar, String)>, Skipped>;

fn verdict(profiler: &dyn Profiler, worker: &mut Worker, path: &Utf8Path, taken: &Taken) -> Result<Verdict> {
    let source = match load(&[path.to_path_buf()]) {
        Ok(mut sources) => sources.remove(0),
        Err(error) => return Ok(Err(skip(DOES_NOT_COMPILE, format!("{error:#}")))),
    };
    let text = source.read()?;
    let (mut good, mut lost) = (Vec::new(), Vec::new());
    for input in source.inputs() {
        let request =
            Request { folder: source.folder(), flags: &source.sidecar.flags, ..Request::new(&text, &input) };
        let skipped = match profiler.profile(worker, &request)? {
            Ok(report) => unexpected_end(report.execution.termination, taken.exit),
            Err(outcome) => Some(reason(outcome)),
        };
        match skipped {
            None => good.push(input),
            Some(skipped) if skipped.reason == DOES_NOT_COMPILE => return Ok(Err(skipped)),
            Some(skipped) => lost.push((input.name, skipped)),
        }
    }
    if lost.is_empty() {
        return Ok(Ok(None));
    }
    let number = number_of(lost.len(), "input");
    let (name, first) = lost.swap_remove(0);
    if good.is_empty() {
        return Ok(Err(first));
    }
    let note = format!("without {number}; {name}: {} {}", first.reason, first.detail);
    let sidecar = Sidecar { inputs: good, ..source.sidecar.clone() };
    Ok(Ok(Some((sidecar, note.trim_end().to_string()))))
}

fn reason(outcome: Outcome) -> Skipped {
    match outcome {
        Outcome::DoesNotCompile { reason } => skip(DOES_NOT_COMPILE, reason),
        Outcome::TimedOut { reason } => skip("times out", reason),
        Outcome::Died { signal } => skip("is killed by a signal", format!("signal {signal}")),
        Outcome::OutputCap => skip("prints too much", ""),
        Outcome::NoProfile { reason } => skip("leaves no profile", reason),
        other => skip("does not run to completion", other.in_words("the program")),
    }
}

/// Why `termination` is not as `expected`, which is none if a program may return any exit code.
fn unexpected_end(termination: Termination, expected: Option<i32>) -> Option<Skipped> {
    match termination {
        Termination::Exited(code) if expected.is_none_or(|expected| code == expected) => None,
        Termination::Exited(code) => Some(skip("returns another exit code", code.to_string())),
        _ if expected.is_none() => None,
        other => Some(skip("does not run to completion", format!("{other:?}"))),
    }
}
