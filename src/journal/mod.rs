//! The append-only record of a run: `journal.jsonl` and the sources it speaks of.
//!
//! The first line is the header, every other line one finished job; [`Writer`] says when
//! a line is safe. What a kill or a loss of power leaves of the last lines is dropped on reading.
//! Clusters and reports are derived from the journal and can be thrown away. A finding that is
//! worked on further has a folder of its own ([`FindingFolder`]).

mod bundle;
mod merge;
mod packed;
mod sites;
mod writer;

pub use bundle::{Counts, FindingBundle, FindingFolder, Reduction, Replay, Standing, Tried};
pub use merge::{MergeResult, merge};
pub use sites::Sites;
pub use writer::{Writer, write_atomically};

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::config::Settings;
use crate::model::{FORMAT, Finding, Outcome, ProfilerInfo, RelationName};

/// What a run depends on. A resumed run must have the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`] of the writer.
    pub format: u32,
    /// The settings.
    pub settings: Settings,
    /// The profilers with their versions.
    pub profilers: Vec<ProfilerInfo>,
    /// Hash over the ids of the planned jobs; those of shards add up to that of the whole.
    pub plan: String,
    /// Planned jobs.
    pub jobs: usize,
    /// Programs in the plan.
    pub programs: usize,
    /// Which part of how many, counted from 1, where the run is a shard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<(u32, u32)>,
}

/// One finished job: a program with an input under a profiler.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobRecord {
    /// Id of the job.
    pub job: String,
    /// Id of the program.
    pub program: String,
    /// The file as given.
    pub file: String,
    /// Name of the input.
    pub input: String,
    /// Compiler with its major version.
    pub compiler: String,
    /// What became of P.
    pub outcome: Outcome,
    /// Hash of P's source, the name of its blob where there are findings.
    pub source: String,
    /// The dialect that P compiled in (0: without extra flags).
    pub dialect: usize,
    /// Why there is no truth, where there is none.
    #[serde(default)]
    pub no_truth: Option<String>,
    /// Numbers of the job.
    pub tally: Tally,
    /// The part of each relation that makes variants.
    #[serde(default)]
    pub relations: BTreeMap<RelationName, Tally>,
    /// Its lines beside those of the peer, where there is one and it did the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sites: Option<Sites>,
    /// Why variants did not compile as first rendered.
    pub refused: Vec<String>,
    /// What else kept variants from being compared.
    pub incomparable: BTreeMap<String, usize>,
    /// The commands that profile `$1.c`, where there are findings.
    pub commands: Vec<String>,
    /// What else it takes to do them again, where there are findings.
    #[serde(default)]
    pub replay: Option<Replay>,
    /// The counts of P's lines and what truth admits, where there are findings.
    #[serde(
        default,
        rename = "beside",
        alias = "counts",
        with = "packed",
        skip_serializing_if = "Counts::is_empty"
    )]
    pub counts: Counts,
    /// Its findings.
    pub findings: Vec<Finding>,
    /// Our own failure, if the job ended by one.
    pub failed: Option<String>,
}

/// Numbers that add up over jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Nodes that the parser could not make sense of.
    pub error_nodes: usize,
    /// Variants of the relations, isolation's own not counted.
    pub variants: usize,
    /// Of these, the ones that compiled as first rendered.
    pub compiled: usize,
    /// Of these, the ones that did what P does; not counted for `delete`.
    #[serde(default)]
    pub alike: usize,
    /// Of these, the ones that differ from P.
    pub differing: usize,
    /// Profiles made for isolation and confirmation.
    pub tests: usize,
    /// Simple statements that did not run.
    pub unexecuted: usize,
    /// Of these, the ones that were deleted in at least one variant that compiled.
    pub deleted: usize,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.error_nodes += other.error_nodes;
        self.variants += other.variants;
        self.compiled += other.compiled;
        self.alike += other.alike;
        self.differing += other.differing;
        self.tests += other.tests;
        self.unexecuted += other.unexecuted;
        self.deleted += other.deleted;
    }
}

impl std::ops::Sub for Tally {
    type Output = Tally;

    fn sub(self, other: Tally) -> Tally {
        Tally {
            error_nodes: self.error_nodes - other.error_nodes,
            variants: self.variants - other.variants,
            compiled: self.compiled - other.compiled,
            alike: self.alike - other.alike,
            differing: self.differing - other.differing,
            tests: self.tests - other.tests,
            unexecuted: self.unexecuted - other.unexecuted,
            deleted: self.deleted - other.deleted,
        }
    }
}

impl JobRecord {
    /// Whether the program has a report, and nothing of ours failed.
    pub fn is_profiled(&self) -> bool {
        self.outcome == Outcome::Profiled && self.failed.is_none()
    }

    /// Add findings, which do not know yet whose they are.
    pub fn keep(&mut self, findings: Vec<Finding>) {
        for mut finding in findings {
            finding.program.clone_from(&self.program);
            finding.file.clone_from(&self.file);
            if let Some(culprit) = &mut finding.culprit {
                culprit.file.clone_from(&self.file);
            }
            self.findings.push(finding);
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Entry {
    Header(Box<Header>),
    Job(Box<JobRecord>),
}

/// Where the files of a run are.
#[derive(Clone, Debug)]
pub struct RunFolder(pub Utf8PathBuf);

impl RunFolder {
    /// The journal.
    pub fn journal(&self) -> Utf8PathBuf {
        self.0.join("journal.jsonl")
    }

    /// The source with this hash.
    pub fn blob(&self, hash: &str) -> Utf8PathBuf {
        self.0.join("blobs").join(format!("{hash}.c"))
    }

    /// The report as text.
    pub fn report(&self) -> Utf8PathBuf {
        self.0.join("report.txt")
    }

    /// The folder of the one example whose cluster's id begins so.
    pub fn example_beginning(&self, id: &str) -> Option<Utf8PathBuf> {
        let entries = self.0.join("examples").read_dir_utf8().ok()?.flatten();
        let mut found = entries.filter(|entry| !id.is_empty() && entry.file_name().starts_with(id));
        let first = found.next()?;
        found.next().is_none().then(|| first.path().to_path_buf())
    }

    /// The folder of a cluster's example.
    pub fn example(&self, cluster: &str) -> Utf8PathBuf {
        self.0.join("examples").join(cluster)
    }
}

/// A journal as read.
#[derive(Clone, Debug)]
pub struct Journal {
    /// Its header.
    pub header: Header,
    /// Its jobs, in the order of their ends.
    pub records: Vec<JobRecord>,
    /// Bytes that hold whole lines.
    whole: u64,
}

/// Read the journal in `folder`.
///
/// # Errors
/// Where there is none, where a line does not read that lines follow which do,
/// or where it is of another format.
pub fn read(folder: &RunFolder) -> Result<Journal> {
    let path = folder.journal();
    if !folder.0.exists() {
        bail!("{}: there is no such folder; name the folder of a run", folder.0);
    }
    if !path.exists() {
        bail!("{}: not the folder of a run, for it has no journal.jsonl", folder.0);
    }
    parse(&fs_err::read(&path)?, &path)
}

/// The journal whose bytes are `text`, by the name `path`.
///
/// # Errors
/// As [`read`].
pub fn parse(text: &[u8], path: &Utf8Path) -> Result<Journal> {
    let mut header = None;
    let mut records = Vec::new();
    let (mut whole, mut at) = (0, 0);
    let mut broken = None;
    for (number, line) in (1..).zip(text.split_inclusive(|byte| *byte == b'\n')) {
        let start = at;
        at += line.len() as u64;
        if !line.ends_with(b"\n") {
            break;
        }
        match (serde_json::from_slice(line), &broken) {
            (Ok(_), Some((number, start, error))) => bail!(
                "{path}:{number}: not a line of a journal of format {FORMAT} (from byte {start}): {error}"
            ),
            (Ok(Entry::Header(found)), None) => header = Some(*found),
            (Ok(Entry::Job(record)), None) => records.push(*record),
            // After a loss of power the end may be anything.
            (Err(error), None) => broken = Some((number, start, error)),
            (Err(_), Some(_)) => {}
        }
        if broken.is_none() {
            whole = at;
        }
    }
    if let (None, Some((number, start, error))) = (&header, broken) {
        bail!("{path}:{number}: not a line of a journal of format {FORMAT} (from byte {start}): {error}");
    }
    let header: Header = header.with_context(|| format!("{path}: the journal has no header"))?;
    if header.format != FORMAT {
        bail!("{path}: format {}, but this recount reads format {FORMAT}", header.format);
    }
    Ok(Journal { header, records, whole })
}

impl Journal {
    /// Every finding, sorted by job.
    pub fn findings(&self) -> Vec<Finding> {
        self.sorted().into_iter().flat_map(|record| record.findings.clone()).collect()
    }

    /// The records, sorted by job.
    pub fn sorted(&self) -> Vec<&JobRecord> {
        let mut sorted: Vec<&JobRecord> = self.records.iter().collect();
        sorted.sort_by(|a, b| a.job.cmp(&b.job));
        sorted
    }
}
