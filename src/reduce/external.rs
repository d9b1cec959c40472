//! Other reducers, by an interestingness test that asks us: to be compared with, and for whoever
//! trusts one more.
//!
//! The test must not pay for a start of ours at each program, nor may it ask anything else than our
//! own engine does. So we stay, and listen on a socket in the scratch folder; what the reducer runs
//! is a client that names a file and ends with the answer.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use camino::Utf8Path;
use serde::{Deserialize, Serialize};

use super::candidate::Candidate;
use super::engine::Judge;
use crate::model::{Termination, TextEdit};
use crate::syntax::replaced;
use crate::sys::{Command, Limits, run};
use crate::toolchain::UbChecks;

/// Longest that a reducer may work.
const PATIENCE: Duration = Duration::from_secs(4 * 3600);

/// A reducer that is not ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub enum Reducer {
    /// C-Vise, the parallel C-Reduce.
    Cvise,
    /// treereduce by langston-barrett, which is generic over tree-sitter grammars.
    Treereduce,
}

impl Reducer {
    /// Its name, and that of its command.
    pub fn name(self) -> &'static str {
        match self {
            Reducer::Cvise => "cvise",
            Reducer::Treereduce => "treereduce-c",
        }
    }

    fn args(self, workers: usize, test: &str) -> Vec<String> {
        let workers = workers.to_string();
        let words: &[&str] = match self {
            Reducer::Cvise => &["--n", &workers, "--to-utf8", test, PROGRAM],
            Reducer::Treereduce => {
                &["--jobs", &workers, "--source", PROGRAM, "--output", "out.c", "--", test, "@@.c"]
            }
        };
        words.iter().map(ToString::to_string).collect()
    }
}

/// The file that the reducer works on, and the test.
const PROGRAM: &str = "p.c";
const TEST: &str = "test.sh";

/// What encloses a mark in a text that goes to others. A comment changes no count; a program that
/// loses one is not interesting.
const OPENS: &str = "/*@<*/";
const CLOSES: &str = "/*@>*/";

/// The smallest program that `reducer` makes of `start`, and how many it asked about. `folder` is
/// scratch; `binary` is our own, for the client; `marked` where the marks have to stay.
pub fn reduce_by(
    reducer: Reducer,
    judge: &dyn Judge,
    workers: usize,
    start: &Candidate,
    marked: bool,
    folder: &Utf8Path,
    binary: &Utf8Path,
) -> Result<(Candidate, usize)> {
    fs_err::create_dir_all(folder)?;
    let marks = if marked { start.marks.clone() } else { Vec::new() };
    let text = with_marks(&Candidate { source: start.source.clone(), marks });
    let socket = folder.join("ask");
    fs_err::write(folder.join(PROGRAM), text)?;
    let script = folder.join(TEST);
    fs_err::write(&script, format!("#!/bin/sh\nexec {binary} ask {socket} \"$PWD/${{1:-{PROGRAM}}}\"\n"))?;
    fs_err::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    let listener = UnixListener::bind(&socket).context("listen for questions")?;
    let (over, asked) = (AtomicBool::new(false), AtomicUsize::new(0));
    // One thread waits for the reducer, the others answer.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(workers + 1).build();
    let ended = pool.context("failed to start workers")?.broadcast(|thread| {
        let Some(worker) = thread.index().checked_sub(1) else {
            let ended = work(reducer, workers, folder);
            over.store(true, Ordering::SeqCst);
            for _ in 0..workers {
                let _ = UnixStream::connect(&socket);
            }
            return ended;
        };
        while let Ok((stream, _)) = listener.accept() {
            if over.load(Ordering::SeqCst) {
                break;
            }
            asked.fetch_add(1, Ordering::Relaxed);
            // A client that went away wants no answer.
            let _ = answer(judge, worker, stream, marked);
        }
        Ok(())
    });
    ended.into_iter().collect::<Result<()>>()?;
    let made = match reducer {
        Reducer::Cvise => PROGRAM,
        Reducer::Treereduce => "out.c",
    };
    let text = String::from_utf8_lossy(&fs_err::read(folder.join(made))?).into_owned();
    let smallest =
        if marked { without_marks(&text) } else { Some(Candidate { source: text, marks: Vec::new() }) };
    Ok((smallest.context("the reducer lost a mark")?, asked.load(Ordering::Relaxed)))
}

fn work(reducer: Reducer, workers: usize, folder: &Utf8Path) -> Result<()> {
    let test = match reducer {
        Reducer::Cvise => TEST.to_string(),
        Reducer::Treereduce => folder.join(TEST).into_string(),
    };
    let command = Command {
        program: reducer.name().into(),
        args: reducer.args(workers, &test),
        cwd: folder.to_path_buf(),
        env: vec![("TMPDIR".into(), folder.to_string())],
        clear_env: false,
        stdin: None,
        stdout: folder.join("said"),
        stderr: folder.join("complained"),
        limits: Limits { wall: PATIENCE, cpu_seconds: PATIENCE.as_secs(), file_bytes: 1 << 30 },
    };
    let exit = run(&command).with_context(|| format!("{} is not here; install it", reducer.name()))?;
    match exit.termination {
        Termination::Exited(0) => Ok(()),
        termination => {
            bail!(
                "{} ended with {termination:?}: {}",
                reducer.name(),
                exit.stderr.lines().last().unwrap_or("")
            )
        }
    }
}

/// One question: a path in a line. One answer: `1` or `0`.
fn answer(judge: &dyn Judge, worker: usize, stream: UnixStream, marked: bool) -> Result<()> {
    let mut path = String::new();
    BufReader::new(stream.try_clone()?).read_line(&mut path)?;
    let text = String::from_utf8_lossy(&fs_err::read(path.trim_end())?).into_owned();
    let candidate =
        if marked { without_marks(&text) } else { Some(Candidate { source: text, marks: Vec::new() }) };
    let interesting = match candidate {
        // Ours looks for undefined behaviour once a pass and takes back what brought it in. Nobody else
        // can take anything back.
        Some(candidate) => {
            judge.is_interesting(worker, &candidate)?
                && judge.is_sound(worker, &candidate, UbChecks::Quick)?
        }
        None => false,
    };
    let mut stream = stream;
    Ok(stream.write_all(if interesting { b"1" } else { b"0" })?)
}

/// The client's side: whether the program in `file` is interesting.
pub fn ask(socket: &Utf8Path, file: &Utf8Path) -> Result<bool> {
    let mut stream = UnixStream::connect(socket).with_context(|| format!("nobody listens on {socket}"))?;
    stream.write_all(format!("{file}\n").as_bytes())?;
    let mut said = String::new();
    std::io::Read::read_to_string(&mut stream, &mut said)?;
    Ok(said == "1")
}

fn with_marks(candidate: &Candidate) -> String {
    let enclosed = candidate.marks.iter().flat_map(|mark| {
        let put = |at: usize, with: &str| TextEdit { start: at, end: at, with: with.into() };
        [put(mark.start, OPENS), put(mark.end, CLOSES)]
    });
    replaced(&candidate.source, &enclosed.collect::<Vec<_>>())
}

/// The program without what encloses its marks; none where one is missing.
fn without_marks(text: &str) -> Option<Candidate> {
    let mut candidate = Candidate { source: String::new(), marks: Vec::new() };
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(OPENS) {
        let (marked, behind) = behind.split_once(CLOSES)?;
        candidate.source.push_str(before);
        let start = candidate.source.len();
        candidate.source.push_str(marked);
        candidate.marks.push(start..candidate.source.len());
        rest = behind;
    }
    candidate.source.push_str(rest);
    (!candidate.marks.is_empty() && !rest.contains(CLOSES)).then_some(candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_out_and_come_back() {
        let candidate = Candidate { source: "int a; b(); c();".into(), marks: vec![7..11, 12..16] };
        let text = with_marks(&candidate);
        assert_eq!(text, "int a; /*@<*/b();/*@>*/ /*@<*/c();/*@>*/");
        assert_eq!(without_marks(&text), Some(candidate));
        assert_eq!(without_marks("int a; /*@<*/b();"), None);
        assert_eq!(without_marks("int a;"), None);
    }
}
