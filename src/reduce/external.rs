//! External reducers, for comparison: they call recount as their interestingness test.
//!
//! For a fair comparison, their test must be as fast as that of recount's engine, and must check the same properties.
//! So this process listens on a socket in the scratch folder. The reducer's test script runs `recount ask`, which sends
//! the path of the candidate, and whose exit code is the answer.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use camino::Utf8Path;

use super::candidate::Candidate;
use super::engine::InterestingnessTest;
use crate::model::{Termination, TextEdit};
use crate::syntax::replaced;
use crate::sys::{Command, Limits, lock, run, shell_word};
use crate::toolchain::UbChecks;

/// The longest time that a reducer may take.
const TIME_LIMIT: Duration = Duration::from_secs(4 * 3600);

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ExternalReducer {
    /// C-Vise, the parallel C-Reduce.
    Cvise,
    /// treereduce by langston-barrett, which is generic over tree-sitter grammars.
    Treereduce,
}

impl ExternalReducer {
    /// Its name, and that of its command.
    pub fn name(self) -> &'static str {
        match self {
            ExternalReducer::Cvise => "cvise",
            ExternalReducer::Treereduce => "treereduce-c",
        }
    }

    /// Its arguments for a test in `folder`.
    fn args(self, workers: usize, folder: &Utf8Path) -> Vec<String> {
        let (workers, test) = (workers.to_string(), folder.join(TEST));
        let words: &[&str] = match self {
            ExternalReducer::Cvise => &["--n", &workers, "--to-utf8", TEST, PROGRAM],
            ExternalReducer::Treereduce => {
                &["--jobs", &workers, "--source", PROGRAM, "--output", OUTPUT, "--", test.as_str(), "@@.c"]
            }
        };
        words.iter().map(ToString::to_string).collect()
    }
}

/// The files with the program and the test.
const PROGRAM: &str = "p.c";
/// The file that `treereduce-c` writes; cvise changes the program itself.
const OUTPUT: &str = "out.c";
const TEST: &str = "test.sh";

/// The comments around a mark. A comment changes no count; a candidate that lost one is not interesting.
const OPENS: &str = "/*@<*/";
const CLOSES: &str = "/*@>*/";

/// Reduces `start` with `reducer`; also returns the number of tests. `folder` is a scratch folder, and `binary` is the
/// recount binary.
pub(super) fn reduce_by(
    reducer: ExternalReducer,
    test: &dyn InterestingnessTest,
    workers: usize,
    start: &Candidate,
    folder: &Utf8Path,
    binary: &Utf8Path,
) -> Result<(Candidate, usize)> {
    fs_err::create_dir_all(folder)?;
    let socket = folder.join("ask");
    let script = folder.join(TEST);
    fs_err::write(folder.join(PROGRAM), with_marks(start))?;
    let [binary, socket_word] = [binary, &socket].map(|path| shell_word(path.as_str()));
    let text = format!("#!/bin/sh\nexec {binary} ask {socket_word} \"$PWD/${{1:-{PROGRAM}}}\"\n");
    fs_err::write(&script, text)?;
    fs_err::set_permissions(&script, PermissionsExt::from_mode(0o755))?;
    let listener = UnixListener::bind(&socket).context("failed to listen for questions")?;
    let (has_ended, tests) = (AtomicBool::new(false), AtomicUsize::new(0));
    let failure: Mutex<Option<anyhow::Error>> = Mutex::default();
    let number = start.marks.len();
    let answer_all = |worker_index| {
        while let Ok((stream, _)) = listener.accept() {
            if has_ended.load(Ordering::SeqCst) {
                break;
            }
            tests.fetch_add(1, Ordering::Relaxed);
            if let Err(error) = answer(test, worker_index, stream, number) {
                lock(&failure).get_or_insert(error);
            }
        }
    };
    std::thread::scope(|scope| {
        for worker_index in 0..workers {
            let answer_all = &answer_all;
            scope.spawn(move || answer_all(worker_index));
        }
        let ended = run_reducer(reducer, workers, folder);
        has_ended.store(true, Ordering::SeqCst);
        // A connection without a question wakes each worker, which then ends.
        (0..workers).for_each(|_| drop(UnixStream::connect(&socket)));
        ended
    })?;
    if let Some(error) = failure.into_inner().ok().flatten() {
        return Err(error);
    }
    let output = if reducer == ExternalReducer::Cvise { PROGRAM } else { OUTPUT };
    let smallest = read_candidate(&folder.join(output), number)?;
    Ok((smallest.context("the reducer lost a mark")?, tests.into_inner()))
}

fn run_reducer(reducer: ExternalReducer, workers: usize, folder: &Utf8Path) -> Result<()> {
    let limits = Limits { wall: TIME_LIMIT, cpu_seconds: TIME_LIMIT.as_secs(), file_bytes: 1 << 30 };
    let command = Command {
        env: vec![("TMPDIR".into(), folder.to_string())],
        ..Command::within(folder, reducer.name(), reducer.args(workers, folder), limits)
    };
    let exit =
        run(&command).with_context(|| format!("{} is not installed; please install it", reducer.name()))?;
    match exit.termination {
        Termination::Exited(0) => Ok(()),
        termination => {
            let last = exit.stderr.lines().last().unwrap_or("");
            bail!("{} ended with {termination:?}: {last}", reducer.name())
        }
    }
}

/// Answers one question: a path in a line. The answer is `1` or `0`.
///
/// # Errors
/// The candidate cannot be tested, as when the disk is full. A client that has closed its connection needs no answer.
fn answer(
    test: &dyn InterestingnessTest,
    worker_index: usize,
    mut stream: UnixStream,
    marks: usize,
) -> Result<()> {
    let mut path = String::new();
    let Ok(copy) = stream.try_clone() else { return Ok(()) };
    if BufReader::new(copy).read_line(&mut path).is_err() || path.is_empty() {
        return Ok(());
    }
    // The reducer may have removed the file of a candidate that it no longer asks about.
    let candidate = read_candidate(Utf8Path::new(path.trim_end()), marks).unwrap_or_default();
    let is_interesting = match candidate {
        // The engine checks soundness once a pass and undoes edits; an external reducer cannot undo any.
        Some(candidate) => {
            test.is_interesting(worker_index, &candidate)?
                && test.is_sound(worker_index, &candidate, UbChecks::Quick)?
        }
        None => false,
    };
    let _ = stream.write_all(if is_interesting { b"1" } else { b"0" });
    Ok(())
}

/// The client's side: whether the program in `file` is interesting.
pub fn ask(socket: &Utf8Path, file: &Utf8Path) -> Result<bool> {
    let mut stream =
        UnixStream::connect(socket).with_context(|| format!("no recount process listens on {socket}"))?;
    stream.write_all(format!("{file}\n").as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer == "1")
}

/// The candidate in `file`; none if it lost its `marks` marks.
fn read_candidate(file: &Utf8Path, marks: usize) -> Result<Option<Candidate>> {
    let text = String::from_utf8_lossy(&fs_err::read(file)?).into_owned();
    Ok(without_marks(&text, marks))
}

fn with_marks(candidate: &Candidate) -> String {
    let comments = candidate
        .marks
        .iter()
        .flat_map(|mark| [TextEdit::insert(mark.start, OPENS), TextEdit::insert(mark.end, CLOSES)]);
    replaced(&candidate.source, &comments.collect::<Vec<_>>())
}

/// The candidate without the comments around its marks; none if a comment is unpaired, or if all of `marks` marks are lost.
fn without_marks(text: &str, marks: usize) -> Option<Candidate> {
    let mut candidate = Candidate { source: String::new(), marks: Vec::new() };
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(OPENS) {
        let (marked, after) = after.split_once(CLOSES)?;
        candidate.source.push_str(before);
        let start = candidate.source.len();
        candidate.source.push_str(marked);
        candidate.marks.push(start..candidate.source.len());
        rest = after;
    }
    candidate.source.push_str(rest);
    let is_complete = !rest.contains(CLOSES) && (marks == 0 || !candidate.marks.is_empty());
    is_complete.then_some(candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_written_as_comments_and_read_back() {
        let candidate = Candidate { source: "int a; b(); c();".into(), marks: vec![7..11, 12..16] };
        let text = with_marks(&candidate);
        assert_eq!(text, "int a; /*@<*/b();/*@>*/ /*@<*/c();/*@>*/");
        assert_eq!(without_marks(&text, 2), Some(candidate));
        assert_eq!(without_marks("int a; /*@<*/b();", 1), None);
        assert_eq!(without_marks("int a; b();/*@>*/", 1), None);
        assert_eq!(without_marks("int a;", 1), None);
        assert!(without_marks("int a;", 0).is_some());
    }
}
