//! A finding, a cluster of findings, and the verdict on them.
//!
//! Field names are a contract with scripts; changing one changes [`FORMAT`].

use serde::{Deserialize, Serialize};

use super::{Artefact, Count, Family, Kind, Line, Metric, RelationName, Rule, Verdict};

/// Version of the field names in `journal.jsonl` and in JSON reports.
pub const FORMAT: u32 = 1;

/// Version of the way signatures are built.
pub const SIGNATURE_VERSION: u32 = 2;

/// A replacement of bytes `start..end` of P by `with`. It removes no line; `with` may add some.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TextEdit {
    /// First byte that goes.
    pub start: usize,
    /// First byte that stays.
    pub end: usize,
    /// What stands there instead; the line feeds of the original follow it.
    pub with: String,
}

impl TextEdit {
    /// The lines that it adds.
    pub fn added_lines(&self) -> Line {
        Line::try_from(self.with.matches('\n').count()).unwrap_or(Line::MAX)
    }
}

/// The smallest edit that still causes a difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Culprit {
    /// The file it is in.
    pub file: String,
    /// First and last line of each edited range.
    pub lines: Vec<(Line, Line)>,
    /// The edit in words.
    pub edit: String,
    /// The edit itself, against P.
    pub edits: Vec<TextEdit>,
    /// False where isolation ran out of its budget: the edit is then the whole variant's.
    pub isolated: bool,
    /// Every count that it moves, with what the line then has.
    pub moved: Vec<(Line, Count)>,
}

/// How the program of a finding was made of one of the corpus. Its lines are those of what was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rewriting {
    /// In words.
    pub words: String,
    /// The edits, against the program of the corpus.
    pub edits: Vec<TextEdit>,
    /// Flags that it was compiled with besides its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// How often it was run into one profile.
    pub runs: u32,
    /// Whether nothing of it can be left out.
    pub isolated: bool,
    /// What the report gives its lines; line `n` is at `n - 1`.
    pub counts: Vec<Count>,
    /// What truth admits for them.
    pub truth: Vec<Vec<u64>>,
}

/// One difference of one program under one profiler, and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Id of the program.
    pub program: String,
    /// The file as it was given.
    pub file: String,
    /// Name of the input.
    pub input: String,
    /// The family.
    pub profiler: Family,
    /// Compiler with its major version, as in `gcc-12`.
    pub compiler: String,
    /// Full version of the compiler.
    pub version: String,
    /// What was counted.
    pub metric: Metric,
    /// The line, of `file`, or of the program that `rewriting` makes of it; null for an output mismatch.
    pub line: Option<Line>,
    /// The relation that showed it.
    pub relation: RelationName,
    /// Output, strong or weak.
    pub kind: Kind,
    /// The count of P.
    pub before: Count,
    /// The count of P'; for `flow`, `views` and `peer` what the rest of the report, the other view or the other
    /// profiler says; null where the relation has neither.
    pub after: Count,
    /// Admissible counts; null while there is no truth.
    pub truth: Option<Vec<u64>>,
    /// The cause, as far as syntax tells it.
    pub signature: String,
    /// Version of the signature.
    pub signature_version: u32,
    /// What caused it.
    pub culprit: Option<Culprit>,
    /// The verdict.
    pub verdict: Verdict,
    /// The rule that decided the verdict; none for an unexplained finding.
    pub rule: Option<Rule>,
    /// Id of the cluster.
    pub cluster: String,
    /// For a relation that rewrites: how the program was made that is counted wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewriting: Option<Rewriting>,
}

impl Finding {
    /// The place of `line` in words: `line 5`, and what is counted where that is not the line.
    pub fn place(&self, line: Line) -> String {
        match self.metric {
            Metric::Line => format!("line {line}"),
            other => format!("{} on line {line}", other.name()),
        }
    }

    /// What was done to P to show it, in words.
    pub fn edit(&self) -> Option<String> {
        let deleted = self.culprit.as_ref().map(|culprit| (&culprit.edit, culprit.isolated));
        let made = || self.rewriting.as_ref().map(|made| (&made.words, made.isolated));
        let (words, isolated) = deleted.or_else(made)?;
        let doubt = if isolated { "" } else { " (not isolated: perhaps less would do)" };
        Some(format!("{words}{doubt}"))
    }

    /// Whether it can be told to the profiler's makers and shown by a shell: its count stands in the annotated
    /// report.
    pub fn is_told(&self) -> bool {
        match self.metric {
            Metric::Line => true,
            Metric::Function => self.profiler == Family::Gcov,
            Metric::Branch | Metric::Region | Metric::Condition | Metric::Mcdc => false,
        }
    }

    /// Whether it is code that ran although its own line shows 0, as a trap proved: then the line
    /// is one of those that are edited, which no other difference is.
    pub fn is_unseen(&self) -> bool {
        let edits = |line: Line| {
            let culprit = self.culprit.iter().flat_map(|culprit| &culprit.lines);
            culprit.into_iter().any(|(first, last)| (*first..=*last).contains(&line))
        };
        self.before == Some(0) && self.after.is_none() && self.line.is_some_and(edits)
    }
}

/// Findings that share a cause.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cluster {
    /// The signature that its members share.
    pub signature: String,
    /// The verdict that its members share.
    pub verdict: Verdict,
    pub rule: Option<Rule>,
    /// The cause in plain words.
    pub sentence: String,
    /// Findings in it.
    pub count: usize,
    /// Distinct programs in it.
    pub programs: usize,
    /// Compilers that show it.
    pub profilers: Vec<String>,
    /// Folder of its example, relative to the run's folder; in a report on several runs, with that folder.
    pub example: Option<String>,
    /// The entry of known.toml.
    pub known: Option<String>,
    /// Signatures of the clusters that were merged into this one, since their reduced programs are
    /// the same.
    pub duplicates: Vec<String>,
}

impl Cluster {
    /// Its signature, and those of what was merged into it.
    pub fn signatures(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.signature).chain(&self.duplicates)
    }

    /// Whether it is to be looked at and not known yet.
    pub fn is_news(&self) -> bool {
        self.verdict.is_open() && self.known.is_none()
    }

    /// Whether its counts are wrong only in a program that we edited.
    pub fn is_variant_only(&self) -> bool {
        self.rule == Some(Rule::Artefact(Artefact::VariantOnly))
    }

    /// Whether `finding` is one of its members.
    pub fn has(&self, finding: &Finding) -> bool {
        self.verdict == finding.verdict && self.signatures().any(|signature| *signature == finding.signature)
    }
}

/// What a journal says of one profiler.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProfilerInfo {
    /// The family.
    pub profiler: Family,
    /// Compiler with its major version.
    pub compiler: String,
    /// Full version of the compiler.
    pub version: String,
    /// The tools with their versions, sorted.
    pub tools: Vec<String>,
}

impl ProfilerInfo {
    /// The major version of the compiler; 0 where its name does not say.
    pub fn major(&self) -> u32 {
        major(&self.compiler).unwrap_or(0)
    }
}

/// The major version of a compiler by its name, as in `gcc-12`.
pub fn major(compiler: &str) -> Option<u32> {
    compiler.rsplit('-').next()?.parse().ok()
}
