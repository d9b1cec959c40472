//! The processes of a run of the tests, and the counters of the units in each of their programs.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use camino::Utf8Path;
use serde::{Deserialize, Serialize};

use super::session::Session;
use crate::truth::RunCounters;

/// The bytes of a word.
const WORD: usize = 8;
/// The words of the header, as in runtime.c, and their number.
const PID: usize = 0;
const IS_FORKED: usize = 2;
const HAS_ENDED: usize = 3;
const HAS_STATUS: usize = 4;
const STATUS: usize = 5;
const AT_BEGIN: usize = 6;
const HAS_WRITTEN: usize = 7;
const AT_END: usize = 8;
const OWN: usize = 9;
const COMMAND: usize = 10;
const HEADER_WORDS: usize = 512;

/// A process of a program of the package. Its shared libraries are programs of their own here.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Process {
    /// The program, by the name of its link.
    pub program: String,
    pub command: Vec<String>,
    /// Its exit status; none if it ended without its exit handlers, and for shared libraries.
    pub status: Option<i32>,
    /// Whether its exit handlers ran.
    pub has_ended: bool,
    pub is_forked: bool,
    /// The bytes that it wrote before its exit handlers wrote profiles; none where `status` is none, and where the kernel does
    /// not count them.
    pub written: Option<u64>,
}

/// What a program or shared library knows of the bytes that its process wrote.
#[derive(Clone, Copy)]
struct Writing {
    at_begin: u64,
    at_end: Option<u64>,
    /// Those that the runtime wrote.
    own: u64,
}

impl Writing {
    /// Read `header`; none if the kernel does not count the bytes.
    fn read(header: &[u64]) -> Option<Writing> {
        let is_known = |bytes: u64| bytes != u64::MAX;
        let at_end = (header[HAS_WRITTEN] == 1).then_some(header[AT_END]);
        let found = Writing { at_begin: header[AT_BEGIN], at_end, own: header[OWN] };
        (is_known(found.at_begin) && at_end.is_none_or(is_known)).then_some(found)
    }

    /// Both in one process: what was written before the first of their exit handlers ran.
    fn with(self, other: Writing) -> Writing {
        Writing {
            at_begin: self.at_begin.min(other.at_begin),
            at_end: self.at_end.into_iter().chain(other.at_end).min(),
            own: self.own + other.own,
        }
    }

    fn bytes(self) -> Option<u64> {
        self.at_end?.checked_sub(self.at_begin + self.own)
    }
}

/// What the processes of a run left.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Run {
    pub processes: Vec<Process>,
    /// The counters of each unit in each program: by the name of the link, then by the folder of the unit.
    pub counters: BTreeMap<String, BTreeMap<String, RunCounters>>,
}

/// Where the counters of a program's units are in the files of its processes, in words.
struct Layout {
    words: usize,
    header: usize,
    /// The first word, the number of words and the folder of each unit.
    units: Vec<(usize, usize, String)>,
}

impl Layout {
    /// None if no process of the program began.
    fn read(folder: &Utf8Path) -> Result<Option<Layout>> {
        let path = folder.join("layout");
        if !path.is_file() {
            return Ok(None);
        }
        let text = fs_err::read_to_string(&path)?;
        parse(&text).map(Some).with_context(|| format!("{path}: damaged"))
    }
}

/// The folders of the units in the program that was linked in `folder`, below the folder of the session's data; none if no
/// process of it began.
pub fn units_in(folder: &Utf8Path) -> Result<Vec<String>> {
    let layout = Layout::read(folder)?;
    Ok(layout.map_or_else(Vec::new, |layout| layout.units.into_iter().map(|(.., unit)| unit).collect()))
}

fn parse(text: &str) -> Option<Layout> {
    let mut lines = text.lines();
    let (words, header) = lines.next()?.split_once(' ')?;
    let unit = |line: &str| {
        let mut parts = line.splitn(3, ' ');
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?.to_string()))
    };
    let units = lines.map(unit).collect::<Option<Vec<_>>>()?;
    Some(Layout { words: words.parse().ok()?, header: header.parse().ok()?, units })
}

impl Run {
    /// Collect what the processes of the programs that were linked in `phases` left, and remove it.
    pub fn collect(session: &Session, phases: &[String]) -> Result<Run> {
        let (mut run, mut written) = (Run::default(), Vec::new());
        for phase in phases {
            for (name, folder) in session.links_of(phase)? {
                written.extend(run.add(&format!("{}/{name}", stage(phase)), &folder)?);
            }
        }
        // The program and its shared libraries have files of their own.
        let mut of_process: BTreeMap<u64, Vec<Option<Writing>>> = BTreeMap::new();
        for (pid, writing) in &written {
            of_process.entry(*pid).or_default().push(*writing);
        }
        for (process, (pid, _)) in run.processes.iter_mut().zip(&written) {
            let all = of_process[pid].iter().copied();
            let joined = all.reduce(|one, other| one.zip(other).map(|(one, other)| one.with(other)));
            process.written = process.status.and(joined.flatten()).and_then(Writing::bytes);
        }
        run.processes.sort();
        Ok(run)
    }

    /// Add what the processes of the program that was linked in `folder` left, and return the number of each process with what
    /// it wrote.
    fn add(&mut self, program: &str, folder: &Utf8Path) -> Result<Vec<(u64, Option<Writing>)>> {
        let mut written = Vec::new();
        let Some(layout) = Layout::read(folder)? else { return Ok(written) };
        let units = self.counters.entry(program.to_string()).or_default();
        for entry in folder.read_dir_utf8()? {
            let path = entry?.into_path();
            if !path.file_name().is_some_and(|name| name.starts_with("process.")) {
                continue;
            }
            let words: Vec<u64> = fs_err::read(&path)?
                .chunks_exact(WORD)
                .map(|bytes| u64::from_ne_bytes(bytes.try_into().expect("eight")))
                .collect();
            fs_err::remove_file(&path)?;
            // A process that could not write has no counts either.
            if words.len() != 2 * layout.words {
                continue;
            }
            let (own, inherited) = words.split_at(layout.words);
            let header = &own[layout.header..][..HEADER_WORDS];
            let has_ended = header[HAS_ENDED] == 1;
            for (first, number, unit) in &layout.units {
                let counters = units.entry(unit.clone()).or_insert_with(|| RunCounters::zero(*number));
                let range = *first..first + number;
                counters.add(&own[range.clone()], &inherited[range], has_ended);
            }
            written.push((header[PID], Writing::read(header)));
            self.processes.push(Process {
                program: program.to_string(),
                command: command(&header[COMMAND..]),
                status: (header[HAS_STATUS] == 1)
                    .then(|| i32::try_from(header[STATUS].cast_signed()).unwrap_or(-1)),
                has_ended,
                is_forked: header[IS_FORKED] == 1,
                written: None,
            });
        }
        Ok(written)
    }
}

/// The part of the names of units and programs that says when they were made: what is built again for each run of the tests
/// is the same in each.
pub fn stage(phase: &str) -> &str {
    phase.trim_end_matches(char::is_numeric)
}

/// The words of a command line in memory, each of which ends in NUL.
fn command(words: &[u64]) -> Vec<String> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let end = bytes.windows(2).position(|pair| pair == [0, 0]).unwrap_or(bytes.len());
    let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
    text.split('\0').map(String::from).collect()
}
