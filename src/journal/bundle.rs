//! The folder of a finding: all that a person, a script, or another command of ours needs of it.
//!
//! `program.c`, `variant.c`, `contrast.c`, `commands.txt`, `reproduce.sh` and `finding.json` are a
//! contract with scripts. The other files carry what our own commands hand on: how to run the
//! program again, the counts beside its lines, and what reduction and other versions told.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::write_atomically;
use crate::model::{Count, FORMAT, Finding, Rewriting, Verdict};

/// The counts of the lines of a finding's programs; line `n` is at `n - 1`. Empty where nobody counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// P, by its profiler.
    pub program: Vec<Count>,
    /// The counts that truth admits; none for a line that it does not count.
    pub truth: Vec<Vec<u64>>,
    /// P', by its profiler.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variant: Vec<Count>,
    /// The contrast, by the same profiler.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contrast: Vec<Count>,
}

impl Counts {
    /// Whether nobody counted.
    pub fn is_empty(&self) -> bool {
        *self == Counts::default()
    }
}

/// What a script needs to build and run the program as the job did. The commands are for people:
/// they do not say where one argument ends, nor what was on standard input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// Flags of the compile command besides the profiler's own, those of its dialect included.
    pub flags: Vec<String>,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// Its standard input.
    pub stdin: String,
    /// How often it is run into one profile.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub runs: u32,
    /// The commands that profile `$1.c`, for people. In a journal they stand in the job's record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<String>,
}

fn once() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_once(runs: &u32) -> bool {
    *runs == 1
}

impl Replay {
    /// How to run what a relation made of the program.
    #[must_use]
    pub fn by(mut self, made: &Rewriting) -> Replay {
        let flags: String = made.flags.iter().map(|flag| format!(" {flag}")).collect();
        for command in &mut self.commands {
            // The first command is the one that compiles, and every command may take what has no effect.
            if command.contains(" -O0 ") {
                *command = command.replacen(" $1.c", &format!("{flags} $1.c"), 1);
            }
        }
        self.flags.extend(made.flags.iter().cloned());
        self.runs = made.runs;
        self
    }
}

/// What became of a program by reduction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reduction {
    /// Lines of the program as it was found, blank ones not counted.
    pub lines_before: usize,
    /// Lines of the reduced one.
    pub lines_after: usize,
    /// Bytes before.
    pub bytes_before: usize,
    /// Bytes after.
    pub bytes_after: usize,
    /// Programs that were tried.
    pub tests: usize,
    /// For each pass: programs tried, and bytes gone by it.
    #[serde(default)]
    pub passes: BTreeMap<String, (usize, i64)>,
    /// CPU seconds of all processes; none where other work went on beside it, which cannot be told apart.
    pub cpu_seconds: Option<f64>,
    /// Wall-clock seconds.
    pub wall_seconds: f64,
    /// Who reduced it: `recount` or another engine.
    pub engine: String,
    /// A name for the canonical form: what has the same one is the same program.
    pub canonical: String,
    /// The edit that leads to the contrast in words, or why there is none.
    pub contrast: Result<String, String>,
    /// The finding before reduction.
    pub original: Finding,
}

/// The result of a finding's program with one version of a profiler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionResult {
    /// The compiler with its major version.
    pub compiler: String,
    /// Its full version.
    pub version: String,
    /// The count on the finding's line, or why there is none.
    pub count: Result<Count, String>,
    /// The verdict on that line; none where it is counted right.
    pub verdict: Option<Verdict>,
    /// Whether it shows the finding.
    pub affected: bool,
}

/// What a finding's program says of one profiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It shows the finding.
    Affected,
    /// It shows another count, which is not right either.
    WrongOtherwise,
    /// It shows nothing that is known to be wrong.
    NotAffected,
    /// Nothing can be said.
    Untried,
}

impl Standing {
    /// In words, for tables.
    pub fn name(self) -> &'static str {
        match self {
            Standing::Affected => "affected",
            Standing::WrongOtherwise => "wrong in another way",
            Standing::NotAffected => "not affected",
            Standing::Untried => "could not be tried",
        }
    }
}

impl VersionResult {
    /// Where it stands, by what is `right` on the line, if anybody counted.
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

/// A finding with all that is known of it.
#[derive(Clone, Debug)]
pub struct FindingBundle {
    /// The finding.
    pub finding: Finding,
    /// How to run its program again; none where an older recount did not write it down.
    pub replay: Option<Replay>,
    /// The text of P.
    pub program: String,
    /// The text of P', where there is one.
    pub variant: Option<String>,
    /// The nearest program that is counted right.
    pub contrast: Option<String>,
    /// The counts of their lines.
    pub counts: Counts,
    /// P as it was found, where it was reduced since.
    pub original: Option<String>,
    /// How it was reduced.
    pub reduction: Option<Reduction>,
    /// What other profilers say of it; empty where they were not asked.
    pub versions: Vec<VersionResult>,
}

/// Names of the files.
const PROGRAM: &str = "program.c";
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

/// The folder.
#[derive(Clone, Debug)]
pub struct FindingFolder(pub Utf8PathBuf);

impl FindingFolder {
    /// Whether there is a finding in it.
    pub fn exists(&self) -> bool {
        self.0.join(FINDING).is_file()
    }

    /// Whether its program has been reduced.
    pub fn is_reduced(&self) -> bool {
        self.0.join(REDUCTION).is_file()
    }

    /// How its program was reduced, if it was.
    pub fn reduction(&self) -> Result<Option<Reduction>> {
        self.json(REDUCTION)
    }

    /// The script that shows the finding without us.
    pub fn script(&self) -> Utf8PathBuf {
        self.0.join("reproduce.sh")
    }

    /// Everything in it.
    ///
    /// # Errors
    /// One sentence that names the file which is missing or does not read.
    pub fn read(&self) -> Result<FindingBundle> {
        let text = |name: &str| {
            let path = self.0.join(name);
            if path.exists() { fs_err::read_to_string(path).map(Some) } else { Ok(None) }
        };
        let finding = self
            .json(FINDING)?
            .with_context(|| format!("{}: there is no {FINDING}; name the folder of a finding", self.0))?;
        Ok(FindingBundle {
            finding,
            replay: self.json(REPLAY)?,
            program: text(PROGRAM)?.with_context(|| format!("{}: there is no {PROGRAM}", self.0))?,
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
        read.map(Some).with_context(|| format!("{path}: not a file of a finding of format {FORMAT}"))
    }

    /// Write what `bundle` holds, and remove what another finding may have left. The script is
    /// written by who knows how, in [`FindingFolder::script`].
    pub fn write(&self, bundle: &FindingBundle) -> Result<()> {
        let replay = bundle.replay.as_ref();
        let stdin = replay.map(|replay| &replay.stdin).filter(|stdin| !stdin.is_empty());
        self.put(PROGRAM, Some(&bundle.program))?;
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

/// The commands for each program that is there.
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
