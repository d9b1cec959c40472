//! From a wrong line of an audit to a program of one file that shows it: the joined program of the package with the input of
//! a test, which `recount reduce` then makes smaller.

use std::sync::Mutex;

use anyhow::anyhow;
use camino::{Utf8Path, Utf8PathBuf};

use super::audit::failure_of_audit;
use super::output::{Failure, bad_input, complain, not_there};
use super::reduce_flags::ReduceFlags;
use super::setup::{new_workers, profiler_of};
use super::values::LinePlace;
use crate::audit::{Audit, SingleFile, single_files, work_folder};
use crate::config::Settings;
use crate::corpus::import::recorder::Recorded;
use crate::corpus::import::self_contained::{SelfContained, self_contained};
use crate::corpus::{Input, Sidecar};
use crate::journal::Replay;
use crate::model::{Finding, Line, Metric, number_of};
use crate::reduce::{FindingTest, with_included_text};
use crate::toolchain::{Probed, Worker};

/// The most calls of a program that are tried.
const MOST_CALLS: usize = 12;

/// The parts of the input that are tried, in bytes of each file: the first that suffices is kept.
const PARTS: [usize; 5] = [0, 64, 1024, 8192, 65536];

/// The program that shows a wrong line of an audit.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The C file, with a sidecar.
    pub file: Utf8PathBuf,
    /// The finding in the package.
    pub finding: Finding,
    /// The lines of the program with the text of the wrong line.
    pub lines: Vec<Line>,
}

/// The program that shows the finding at `place` in the audit `result`.
pub fn program_of(
    result: &Utf8Path,
    place: &LinePlace,
    flags: &ReduceFlags,
    settings: &Settings,
) -> Result<Shown, Failure> {
    let audit = Audit::read(result).map_err(bad_input)?;
    let Some(name) = &place.file else {
        return Err(bad_input(anyhow!(
            "--line needs the file of the package too, as in --line lib/f.c:{}",
            place.line
        )));
    };
    let mut found: Vec<Finding> = audit.findings.iter().flat_map(Finding::each_symptom).collect();
    found.retain(|finding| finding.line == Some(place.line) && Utf8Path::new(&finding.file).ends_with(name));
    found.sort_by_key(|finding| (!finding.verdict.is_open(), finding.metric != Metric::Line));
    let Some(finding) = found.into_iter().next() else {
        return Err(not_there(anyhow!(
            "{name}:{}: no wrong number on this line; {result} lists them",
            place.line
        )));
    };
    let source = audit.files.get(&finding.file).map_or("", |file| &file.source);
    let text = source.lines().nth(place.line as usize - 1).unwrap_or_default().trim();
    let out = result.canonicalize_utf8()?.parent().map_or_else(Utf8PathBuf::new, Utf8Path::to_path_buf);
    let work = work_folder(&out, &audit.profiler.compiler);
    let folder = work.join("single");
    if folder.exists() {
        fs_err::remove_dir_all(&folder)?;
    }
    say(flags, "running the tests again to record the calls of programs");
    let (programs, mut reasons) =
        single_files(&work, &audit.commands(), &finding.program, &folder).map_err(failure_of_audit)?;
    let search = Search { settings, finding: &finding, text, profiler: profiler_of(&finding)? };
    for program in &programs {
        say(
            flags,
            &format!("{}: trying {}", program.name, number_of(program.calls.len().min(MOST_CALLS), "call")),
        );
        match search.in_program(program)? {
            Ok((found, flags, lines)) => {
                let file = folder.join("program.c");
                let input = Input { name: "test".into(), args: found.args, stdin: found.stdin };
                let sidecar = Sidecar { flags, inputs: vec![input], seconds: None };
                fs_err::write(&file, found.source)?;
                let text = toml::to_string(&sidecar)?;
                fs_err::write(file.with_extension("toml"), text)?;
                return Ok(Shown { file, finding, lines });
            }
            Err(reason) => reasons.push(format!("{}: {reason}", program.name)),
        }
    }
    if reasons.is_empty() {
        reasons.push("no program that the tests run contains this line".into());
    }
    Err(not_there(anyhow!("{name}:{} cannot be shown by a single file: {}", place.line, reasons.join("; "))))
}

fn say(flags: &ReduceFlags, text: &str) {
    if !flags.quiet {
        complain(text);
    }
}

struct Search<'a> {
    settings: &'a Settings,
    finding: &'a Finding,
    /// The text of the wrong line.
    text: &'a str,
    profiler: Probed,
}

/// A program that shows the finding, its flags and the lines with the text of the wrong line; or why there is none.
type Found = Result<(SelfContained, Vec<String>, Vec<Line>), String>;

impl Search<'_> {
    fn in_program(&self, program: &SingleFile) -> Result<Found, Failure> {
        let (_scratch, workers) = new_workers(1, self.settings)?;
        let workers: Vec<Mutex<Worker>> = workers.into_iter().map(Mutex::new).collect();
        let mut reason = "no call of the tests shows the finding in it".to_string();
        for (text, flags) in &program.texts {
            // Headers of the package may contain the line, and readers of a bug report do not have them.
            let whole = with_included_text(text, flags);
            for text in whole.iter().chain([text]) {
                let lines = self.lines(text);
                if lines.is_empty() {
                    continue;
                }
                match self.in_text(text, flags, &program.calls, &workers)? {
                    Ok(found) => return Ok(Ok((found, flags.clone(), lines))),
                    Err(why) => reason = why.unwrap_or(reason),
                }
            }
        }
        Ok(Err(reason))
    }

    /// The lines of `text` with the text of the wrong line.
    fn lines(&self, text: &str) -> Vec<Line> {
        (1..)
            .zip(text.lines())
            .filter(|(_, line)| line.trim() == self.text)
            .map(|(number, _)| number)
            .collect()
    }

    /// `text` with the first call that shows the finding; if it does not compile, why.
    fn in_text(
        &self,
        text: &str,
        flags: &[String],
        calls: &[Recorded],
        workers: &[Mutex<Worker>],
    ) -> Result<Result<SelfContained, Option<String>>, Failure> {
        let lines = self.lines(text);
        let shows = |made: &SelfContained| {
            let replay = Replay {
                flags: flags.to_vec(),
                args: made.args.clone(),
                stdin: made.stdin.clone(),
                runs: 1,
                commands: Vec::new(),
            };
            FindingTest::new(&self.profiler, self.settings, self.finding, &replay, workers).shows_cause(
                &made.source,
                &lines,
                &self.finding.signature,
            )
        };
        for call in calls.iter().take(MOST_CALLS) {
            let whole = self_contained(text, call, usize::MAX);
            match shows(&whole)? {
                Ok(true) => {}
                Ok(false) => continue,
                Err(reason) => return Ok(Err(Some(format!("it does not compile as one file: {reason}")))),
            }
            for part in PARTS.into_iter().filter(|part| *part < call.bytes()) {
                let made = self_contained(text, call, part);
                if shows(&made)? == Ok(true) {
                    return Ok(Ok(made));
                }
            }
            return Ok(Ok(whole));
        }
        Ok(Err(None))
    }
}
