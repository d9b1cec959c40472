//! The folder of a finding, for people, scripts and other commands of recount.
//!
//! The names `program.c`, `variant.c`, `contrast.c`, `commands.txt`, `reproduce.sh` and `finding.json` are a contract
//! with scripts. The other files pass data between our own commands: how to run the program again, the counts of its
//! lines, and the results of reduction and of other compiler versions.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::atomic::write_atomically;
use crate::corpus::Input;
use crate::model::{
    Count, CoveredParts, FORMAT, Finding, Metric, ReportDetails, Rewriting, Verdict, major, named_enum,
};

/// The counts of the lines of a finding's programs; line `n` is at `n - 1`. Empty where there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Of the program, as its profiler reports them.
    pub program: Vec<Count>,
    /// The counts that ground truth admits; empty for a line without ground truth.
    pub truth: Vec<Vec<u64>>,
    /// Of the variant, as its profiler reports them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variant: Vec<Count>,
    /// Of the contrast, as the same profiler reports them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contrast: Vec<Count>,
    /// The rest of the report on the program, near the lines of its findings.
    #[serde(skip_serializing_if = "ReportDetails::is_empty")]
    pub details: ReportDetails,
}

impl Counts {
    pub fn is_empty(&self) -> bool {
        *self == Counts::default()
    }
}

/// How a script builds and runs the program as the job did. The commands alone do not suffice: they show neither where
/// one argument ends nor the standard input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// Compiler flags in addition to the profiler's own, including those of the dialect.
    pub flags: Vec<String>,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// Its standard input.
    pub stdin: String,
    /// Number of runs that add up in one profile.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub runs: u32,
    /// The commands that profile `$1.c`, for people. In a journal, the job's record contains them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<String>,
}

fn yes() -> bool {
    true
}

fn once() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires it")]
fn is_once(runs: &u32) -> bool {
    *runs == 1
}

impl Replay {
    /// The input that the job calls `name`.
    pub fn input(&self, name: &str) -> Input {
        Input { name: name.into(), args: self.args.clone(), stdin: self.stdin.clone() }
    }

    /// How to build and run the variant that `rewriting` describes.
    #[must_use]
    pub fn by(mut self, rewriting: &Rewriting) -> Replay {
        let flags: String = rewriting.flags.iter().map(|flag| format!(" {flag}")).collect();
        for command in &mut self.commands {
            // Only the command that compiles.
            if command.contains(" -O0 ") {
                *command = command.replacen(" $1.c", &format!("{flags} $1.c"), 1);
            }
        }
        self.flags.extend(rewriting.flags.iter().cloned());
        self.runs = rewriting.runs;
        self
    }
}

/// The result of reducing a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reduction {
    /// Lines that are not blank.
    pub lines_before: usize,
    pub lines_after: usize,
    pub bytes_before: usize,
    pub bytes_after: usize,
    /// Programs that were tried.
    pub tests: usize,
    /// For each pass the number of programs tried and of bytes removed.
    #[serde(default)]
    pub passes: BTreeMap<String, (usize, i64)>,
    /// CPU seconds of all processes; none if other work ran at the same time, because that cannot be separated.
    pub cpu_seconds: Option<f64>,
    /// Wall-clock seconds.
    pub wall_seconds: f64,
    /// `recount` or the name of another reducer.
    pub engine: String,
    /// The compiler flags of the original program, some of which the reduced one does not need.
    #[serde(default)]
    pub flags: Vec<String>,
    /// False if a time limit ended the reduction.
    #[serde(default = "yes")]
    pub is_complete: bool,
    /// A hash of the canonical form: programs with the same one are the same program.
    pub canonical: String,
    /// The edit that leads to the contrast in words, or why there is none.
    pub contrast: Result<String, String>,
    /// The finding before reduction.
    pub original: Finding,
}

/// The result of a finding's program under one profiler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionResult {
    /// The compiler with its major version.
    pub compiler: String,
    /// Its full version.
    pub version: String,
    /// The date of a snapshot; none for a release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// The count on the finding's line, or why there is none.
    pub count: Result<Count, String>,
    /// The verdict on that line; none if its count is right.
    pub verdict: Option<Verdict>,
    pub affected: bool,
}

named_enum! {
    /// Whether a profiler is affected, by its count on a finding's program. The names are those in tables.
    pub enum Standing {
        /// The profiler shows the finding.
        Affected = "affected",
        /// The profiler reports another count, which is also wrong.
        WrongOtherwise = "wrong in another way",
        /// The profiler reports no count that is known to be wrong.
        NotAffected = "not affected",
        /// The program has no count under this profiler.
        Untried = "not tested",
    }
}

impl VersionResult {
    /// The compiler, with the date of a snapshot.
    pub fn name(&self) -> String {
        self.snapshot
            .as_ref()
            .map_or_else(|| self.compiler.clone(), |date| format!("{} {date}", self.compiler))
    }

    /// The order of builds: by version, a version's snapshots by their dates before its release.
    pub fn age(&self) -> (u32, bool, Option<&str>) {
        (major(&self.compiler).unwrap_or(0), self.snapshot.is_none(), self.snapshot.as_deref())
    }

    /// How the version is affected. `right` has the correct counts of the line if there is ground truth.
    pub fn standing(&self, right: Option<&[u64]>) -> Standing {
        match &self.count {
            Err(_) => Standing::Untried,
            Ok(_) if self.affected => Standing::Affected,
            Ok(Some(count)) if right.is_some_and(|right| !right.is_empty() && !right.contains(count)) => {
                Standing::WrongOtherwise
            }
            Ok(_) => Standing::NotAffected,
        }
    }
}

/// A finding with its programs and everything that is known about it.
#[derive(Clone, Debug)]
pub struct FindingBundle {
    pub finding: Finding,
    /// How to run its program again; none if replay.json is missing.
    pub replay: Option<Replay>,
    pub program: String,
    /// The included file that the finding is about, until reduction makes it a part of the program.
    pub included: Option<String>,
    pub variant: Option<String>,
    /// The nearest program with correct counts.
    pub contrast: Option<String>,
    /// The counts of their lines.
    pub counts: Counts,
    /// The program as it was found, where it was reduced later.
    pub original: Option<String>,
    pub reduction: Option<Reduction>,
    /// Its results under other profilers; empty where they were not tried.
    pub versions: Vec<VersionResult>,
}

impl FindingBundle {
    /// The text whose lines the finding and the counts are about.
    pub fn text(&self) -> &str {
        self.included_text().unwrap_or(&self.program)
    }

    /// The parts on the line of a finding about conditions, paths or branches, if their number is wrong.
    pub fn covered(&self) -> Option<CoveredParts> {
        let parts = self.counts.details.covered(self.finding.metric, self.finding.line?)?;
        parts.is_wrong().then_some(parts)
    }

    /// The number that the text of a report shows for the finding.
    pub fn reported(&self) -> Count {
        self.covered().map_or(self.finding.before, |parts| Some(parts.reported))
    }

    /// The right numbers in its place; none without ground truth.
    pub fn right(&self) -> Option<Vec<u64>> {
        let parts = self.covered().map(|parts| parts.right);
        parts.or_else(|| self.finding.right_counts().map(<[u64]>::to_vec))
    }

    /// Whether the finding can be reported upstream with a shell script that shows it: its number must be in the
    /// annotated report.
    pub fn has_script(&self) -> bool {
        match self.finding.metric {
            Metric::Line | Metric::Function => true,
            metric => metric.is_of_parts() && self.covered().is_some(),
        }
    }

    /// The included file that the finding is about, if it is not a part of the program.
    pub fn included_text(&self) -> Option<&str> {
        self.included.as_deref().filter(|_| self.finding.is_included)
    }
}

/// Names of the files.
const PROGRAM: &str = "program.c";
const INCLUDED: &str = "included.c";
const VARIANT: &str = "variant.c";
const CONTRAST: &str = "contrast.c";
const ORIGINAL: &str = "original.c";
const COMMANDS: &str = "commands.txt";
const STDIN: &str = "stdin";
const FINDING: &str = "finding.json";
const REPLAY: &str = "replay.json";
const COUNTS: &str = "counts.json";
const REDUCTION: &str = "reduction.json";
const VERSIONS: &str = "versions.json";

/// The folder of a finding.
#[derive(Clone, Debug)]
pub struct FindingFolder(pub Utf8PathBuf);

impl FindingFolder {
    pub fn exists(&self) -> bool {
        self.0.join(FINDING).is_file()
    }

    pub fn is_reduced(&self) -> bool {
        self.0.join(REDUCTION).is_file()
    }

    pub fn reduction(&self) -> Result<Option<Reduction>> {
        self.json(REDUCTION)
    }

    /// The script that reproduces the finding without recount.
    pub fn script(&self) -> Utf8PathBuf {
        self.0.join("reproduce.sh")
    }

    /// Read all files of the folder.
    ///
    /// # Errors
    /// One sentence that names the file that is missing or invalid.
    pub fn read(&self) -> Result<FindingBundle> {
        let text = |name: &str| {
            let path = self.0.join(name);
            if path.exists() { fs_err::read_to_string(path).map(Some) } else { Ok(None) }
        };
        let finding = self.json(FINDING)?.with_context(|| {
            format!("{}: no {FINDING} in this folder; name the folder of a finding", self.0)
        })?;
        Ok(FindingBundle {
            finding,
            replay: self.json(REPLAY)?,
            program: text(PROGRAM)?.with_context(|| format!("{}: no {PROGRAM} in this folder", self.0))?,
            included: text(INCLUDED)?,
            variant: text(VARIANT)?,
            contrast: text(CONTRAST)?,
            counts: self.json(COUNTS)?.unwrap_or_default(),
            original: text(ORIGINAL)?,
            reduction: self.json(REDUCTION)?,
            versions: self.json(VERSIONS)?.unwrap_or_default(),
        })
    }

    fn json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let path = self.0.join(name);
        if !path.exists() {
            return Ok(None);
        }
        let bytes = fs_err::read(&path)?;
        let read = serde_json::from_slice(&bytes);
        read.map(Some).with_context(|| format!("{path}: not valid in format {FORMAT}"))
    }

    /// Write the files of `bundle`, and remove those that another finding left. The caller writes the script.
    pub fn write(&self, bundle: &FindingBundle) -> Result<()> {
        let replay = bundle.replay.as_ref();
        let stdin = replay.map(|replay| &replay.stdin).filter(|stdin| !stdin.is_empty());
        self.put(PROGRAM, Some(&bundle.program))?;
        self.put(INCLUDED, bundle.included.as_ref())?;
        self.put(VARIANT, bundle.variant.as_ref())?;
        self.put(CONTRAST, bundle.contrast.as_ref())?;
        self.put(ORIGINAL, bundle.original.as_ref())?;
        self.put(STDIN, stdin)?;
        self.put(COMMANDS, Some(&commands(bundle)))?;
        self.put(FINDING, Some(&serde_json::to_string_pretty(&bundle.finding)?))?;
        self.put(REPLAY, replay.map(serde_json::to_string_pretty).transpose()?.as_ref())?;
        self.put(COUNTS, Some(&serde_json::to_string(&bundle.counts)?))?;
        let reduction = bundle.reduction.as_ref();
        self.put(REDUCTION, reduction.map(serde_json::to_string_pretty).transpose()?.as_ref())?;
        let versions = Some(&bundle.versions).filter(|versions| !versions.is_empty());
        self.put(VERSIONS, versions.map(serde_json::to_string_pretty).transpose()?.as_ref())
    }

    fn put(&self, name: &str, text: Option<&String>) -> Result<()> {
        let path = self.0.join(name);
        match text {
            Some(text) => write_atomically(&path, text.as_bytes()),
            None if path.exists() => Ok(fs_err::remove_file(&path)?),
            None => Ok(()),
        }
    }
}

/// The commands for each program in the folder.
fn commands(bundle: &FindingBundle) -> String {
    let programs =
        [(PROGRAM, true), (VARIANT, bundle.variant.is_some()), (CONTRAST, bundle.contrast.is_some())];
    let mut lines = String::new();
    for (name, _) in programs.iter().filter(|(_, is_there)| *is_there) {
        let stem = Utf8Path::new(name).file_stem().unwrap_or(name);
        for command in bundle.replay.iter().flat_map(|replay| &replay.commands) {
            lines.push_str(&command.replace("$1", stem));
            lines.push('\n');
        }
    }
    lines
}
