//! The append-only record of a run: `journal.jsonl` and the sources of programs with findings.
//!
//! The first line is the header, every other line one finished job; [`Writer`] documents when a line is safe. Lines that
//! a kill or a power failure left incomplete are dropped on reading. Clusters and reports are derived from the journal
//! and can be deleted. A finding that other commands work on has a folder of its own ([`FindingFolder`]).

mod bundle;
mod merge;
mod packed;
mod sites;
mod writer;

pub use bundle::{Counts, FindingBundle, FindingFolder, Reduction, Replay, Standing, VersionResult};
pub use merge::{MergeResult, merge};
pub use sites::Sites;
pub use writer::{Writer, write_atomically};

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::config::Settings;
use crate::model::{FORMAT, Finding, Outcome, ProfilerInfo, RelationName};

/// The conditions of a run. A resumed run must have the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`] of the writer.
    pub format: u32,
    pub settings: Settings,
    pub profilers: Vec<ProfilerInfo>,
    /// Hash over the ids of the planned jobs; the hashes of all shards add up to the hash of the whole plan.
    pub plan: String,
    pub jobs: usize,
    pub programs: usize,
    /// For a shard its number, from 1, and the number of shards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<(u32, u32)>,
}

/// One finished job: a program with an input under a profiler.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JobRecord {
    pub job: String,
    pub program: String,
    /// The file as the user named it.
    pub file: String,
    pub input: String,
    /// The compiler with its major version, as in `gcc-12`.
    pub compiler: String,
    pub outcome: Outcome,
    /// Hash of the source; also the name of its blob, which exists if there are findings.
    pub source: String,
    /// The dialect in which the program compiled (0: without extra flags).
    pub dialect: usize,
    /// Why there is no ground truth.
    pub no_truth: Option<String>,
    pub tally: Tally,
    /// The share of each relation that makes variants.
    pub relations: BTreeMap<RelationName, Tally>,
    /// Its lines compared with those of the peer, if the program did the same under both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sites: Option<Sites>,
    /// Why variants did not compile as first rendered.
    pub refused: Vec<String>,
    /// Other reasons why variants could not be compared, each with the number of variants.
    pub incomparable: BTreeMap<String, usize>,
    /// The commands that profile `$1.c`, where there are findings.
    pub commands: Vec<String>,
    /// How a script builds and runs the program again, where there are findings.
    pub replay: Option<Replay>,
    /// The counts of the lines and those that ground truth admits, where there are findings.
    #[serde(default, with = "packed", skip_serializing_if = "Counts::is_empty")]
    pub counts: Counts,
    pub findings: Vec<Finding>,
    /// The internal error of recount that ended the job.
    pub failed: Option<String>,
}

/// Numbers that add up over jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Nodes that could not be parsed.
    pub error_nodes: usize,
    /// Variants of the relations, without those that isolation makes.
    pub variants: usize,
    /// Of these, the ones that compiled as first rendered.
    pub compiled: usize,
    /// Of these, the ones with the output of the program; not counted for `delete`.
    pub alike: usize,
    /// Of these, the ones whose counts or output differ from those of the program.
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

/// The result of one relation on one program.
#[derive(Debug, Default)]
pub struct RelationResult {
    pub findings: Vec<Finding>,
    pub tally: Tally,
    /// Why variants did not compile as first rendered.
    pub refused: Vec<String>,
    /// Other reasons why variants could not be compared, each with the number of variants.
    pub incomparable: BTreeMap<String, usize>,
}

impl JobRecord {
    /// Whether the program was profiled without an error of recount itself.
    pub fn is_profiled(&self) -> bool {
        self.outcome == Outcome::Profiled && self.failed.is_none()
    }

    /// Add the result of a relation that makes variants.
    pub fn add(&mut self, relation: RelationName, result: RelationResult) {
        self.tally += result.tally;
        self.relations.insert(relation, result.tally);
        self.refused.extend(result.refused);
        for (reason, count) in result.incomparable {
            *self.incomparable.entry(reason).or_default() += count;
        }
        self.add_findings(result.findings);
    }

    /// Add findings that do not name their program and file yet.
    pub fn add_findings(&mut self, findings: Vec<Finding>) {
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

/// The folder of a run.
#[derive(Clone, Debug)]
pub struct RunFolder(pub Utf8PathBuf);

impl RunFolder {
    pub fn journal(&self) -> Utf8PathBuf {
        self.0.join("journal.jsonl")
    }

    /// The source with this hash.
    pub fn blob(&self, hash: &str) -> Utf8PathBuf {
        self.0.join("blobs").join(format!("{hash}.c"))
    }

    pub fn report(&self) -> Utf8PathBuf {
        self.0.join("report.txt")
    }

    /// The folder of the only example whose cluster id begins with `id`.
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
    pub header: Header,
    /// Its jobs, in the order in which they finished.
    pub records: Vec<JobRecord>,
    /// Length in bytes of the complete lines.
    whole: u64,
}

/// Read the journal in `folder`.
///
/// # Errors
/// If there is no journal, if it has another format, or if a line before the last valid one is damaged.
pub fn read(folder: &RunFolder) -> Result<Journal> {
    let path = folder.journal();
    if !folder.0.exists() {
        bail!("{}: no such folder; name the folder of a run", folder.0);
    }
    if !path.exists() {
        bail!("{}: not the folder of a run: it contains no journal.jsonl", folder.0);
    }
    parse(&fs_err::read(&path)?, &path)
}

/// Parse the bytes `text` of a journal; errors name `path`.
///
/// # Errors
/// As [`read`].
pub fn parse(text: &[u8], path: &Utf8Path) -> Result<Journal> {
    check_format(text, path)?;
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
            // After a power failure the end may contain anything.
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
    Ok(Journal { header, records, whole })
}

/// Refuse a journal whose header names another format, before its lines are parsed.
fn check_format(text: &[u8], path: &Utf8Path) -> Result<()> {
    let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let header: serde_json::Value = serde_json::from_slice(first).unwrap_or_default();
    match header["header"]["format"].as_u64() {
        Some(format) if format != u64::from(FORMAT) => {
            bail!(
                "{path} is a journal of format {format}; this version of recount reads only format {FORMAT}"
            )
        }
        _ => Ok(()),
    }
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
