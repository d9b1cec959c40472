//! A finding, a cluster of findings, and the verdict on them.
//!
//! Field names are a contract with scripts; changing one changes [`FORMAT`].

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Cause, Count, Family, Kind, Line, Metric, Place, RelationName, Rule, Symptom, Verdict, nearest};

/// Version of the field names in `journal.jsonl` and in JSON reports.
pub const FORMAT: u32 = 2;

/// Version of the algorithm that builds signatures.
pub const SIGNATURE_VERSION: u32 = 3;

/// A replacement of bytes `start..end` of P by `with`. It removes no line; `with` may add some.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TextEdit {
    /// First byte of the replaced range.
    pub start: usize,
    /// First byte after the replaced range.
    pub end: usize,
    /// The replacement; the line feeds of the original text follow it.
    pub with: String,
}

impl TextEdit {
    pub fn replace(range: std::ops::Range<usize>, with: impl Into<String>) -> TextEdit {
        TextEdit { start: range.start, end: range.end, with: with.into() }
    }

    pub fn delete(range: std::ops::Range<usize>) -> TextEdit {
        TextEdit::replace(range, "")
    }

    pub fn insert(at: usize, with: impl Into<String>) -> TextEdit {
        TextEdit::replace(at..at, with)
    }

    pub fn range(&self) -> std::ops::Range<usize> {
        self.start..self.end
    }

    /// Whether the two edits cannot both be made, or only in an order that matters.
    pub fn overlaps(&self, other: &TextEdit) -> bool {
        self.start == other.start || self.start < other.end && other.start < self.end
    }

    /// The number of lines that the edit adds.
    pub fn added_lines(&self) -> Line {
        Line::try_from(self.with.matches('\n').count()).unwrap_or(Line::MAX)
    }
}

/// The smallest edit that still causes a difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Culprit {
    pub file: String,
    /// First and last line of each edited range.
    pub lines: Vec<(Line, Line)>,
    /// The edit in words.
    pub edit: String,
    /// The edit itself, against P.
    pub edits: Vec<TextEdit>,
    /// False if isolation exceeded its budget: the edit is then that of the whole variant.
    pub isolated: bool,
    /// Every line whose count the edit changes, with the new count.
    pub moved: Vec<(Line, Count)>,
}

/// How a relation rewrote a program of the corpus into the program of a finding. Line numbers refer to the
/// rewritten program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rewriting {
    /// Description of the edits.
    pub words: String,
    /// The edits, relative to the program of the corpus.
    pub edits: Vec<TextEdit>,
    /// Compiler flags that were added to those of the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// The number of runs that were merged into one profile.
    pub runs: u32,
    /// Whether every part of the rewriting is needed.
    pub isolated: bool,
    /// The reported counts; line `n` is at index `n - 1`.
    pub counts: Vec<Count>,
    /// The admissible counts of each line, by ground truth.
    pub truth: Vec<Vec<u64>>,
}

/// A faulty element of one report, with its verdict: `metric`, `line`, `before`, `truth` and `rule` are those of its first
/// symptom. Where the element is not known, one difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Id of the program, not its file name.
    pub program: String,
    /// The file name as the user gave it, or the path of an included file.
    pub file: String,
    /// Whether `file` is one that the program includes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_included: bool,
    pub input: String,
    pub profiler: Family,
    /// Compiler with its major version, as in `gcc-12`.
    pub compiler: String,
    /// Full version of the compiler.
    pub version: String,
    pub metric: Metric,
    /// A line of `file`, or of the rewritten program if there is a `rewriting`; null for an output mismatch, and for a total
    /// of the report, which `kind` distinguishes.
    pub line: Option<Line>,
    /// The relation that found the difference.
    pub relation: RelationName,
    /// Other relations that found the same element.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub also: BTreeSet<RelationName>,
    pub kind: Kind,
    /// The count of P.
    pub before: Count,
    /// The count of P'; for `flow`, `views` and `peer` the count that follows from the rest of the report, that of the
    /// other view or that of the other profiler; null if the relation has no second count.
    pub after: Count,
    /// Admissible counts; null if ground truth is unavailable.
    pub truth: Option<Vec<u64>>,
    /// The mechanism, or where it is not known the cause as far as the syntax shows it.
    pub signature: String,
    /// The value of [`SIGNATURE_VERSION`] when the signature was built.
    pub signature_version: u32,
    pub culprit: Option<Culprit>,
    pub verdict: Verdict,
    /// The rule that decided the verdict; none for an unexplained finding.
    pub rule: Option<Rule>,
    pub cluster: String,
    /// Who reports undefined behaviour, of what kind and on which line, where that decided the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complaint: Option<String>,
    /// For a relation that rewrites programs: how the program with the wrong count was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewriting: Option<Rewriting>,
    /// The numbers that are wrong because of the element, lines first; empty unless the verdict is `wrong`.
    #[serde(default)]
    pub symptoms: Vec<Symptom>,
    /// Where in the profiler the wrong numbers come from: `layer`, `mechanism`, `element` and `evidence`, if they
    /// contradict ground truth and the layers of the report can be replayed.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// Why the cause of wrong numbers was not derived: the layers of the report cannot be replayed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undiagnosed: Option<String>,
}

impl Finding {
    /// What shows the cause, or why none was derived; none if there is nothing to say.
    pub fn evidence(&self) -> Option<String> {
        let shown = self.cause.as_ref().map(|cause| cause.evidence.clone()).filter(|text| !text.is_empty());
        let why = || Some(format!("The cause was not derived: {}.", self.undiagnosed.as_ref()?));
        shown.or_else(why)
    }

    /// The counts that ground truth admits; none if it is unavailable.
    pub fn right_counts(&self) -> Option<&[u64]> {
        self.truth.as_deref().filter(|truth| !truth.is_empty())
    }

    /// Of the counts that ground truth admits, the one that differs least from the reported one.
    pub fn right_count(&self) -> Count {
        self.right_counts().and_then(|counts| nearest(counts, self.before))
    }

    /// Whether it is about a total of the report on the file, which has no line.
    pub fn is_total(&self) -> bool {
        self.line.is_none() && self.kind != Kind::Output
    }

    /// The place of `line` in words: `line 5`, or for another metric its name too, as in `branch on line 5`; `line 5 of
    /// a.h` in an included file.
    pub fn place(&self, line: Line) -> String {
        let file = if self.is_included { format!(" of {}", self.file) } else { String::new() };
        match self.metric {
            Metric::Line => format!("line {line}{file}"),
            other => format!("{} on line {line}{file}", other.name()),
        }
    }

    /// The place in a file of several: `lib/f.c:7`, or for another metric its name too.
    pub fn place_in_file(&self) -> String {
        let line = self.line.map_or_else(String::new, |line| format!(":{line}"));
        match self.metric {
            Metric::Line => format!("{}{line}", self.file),
            other => format!("{}{line}, {}", self.file, other.name()),
        }
    }

    /// Whether both findings are about one faulty element of one report.
    pub(crate) fn shares_element(&self, other: &Finding) -> bool {
        let element = |finding: &Finding| {
            let cause = finding.cause.as_ref()?;
            Some((finding.verdict, finding.file.clone(), cause.mechanism.clone(), cause.element.clone()))
        };
        let is_of_program = |finding: &Finding| finding.rewriting.is_none();
        let is_one_report = is_of_program(self) && is_of_program(other);
        is_one_report && element(self).is_some_and(|own| element(other) == Some(own))
    }

    /// Take over the symptoms and the relation of `other`, which is about the same element. The relation `truth` finds all
    /// symptoms of an element, so it is named first.
    pub(crate) fn absorb(&mut self, mut other: Finding) {
        if other.relation == RelationName::Truth {
            std::mem::swap(self, &mut other);
        }
        other.symptoms.retain(|symptom| !self.symptoms.contains(symptom));
        self.symptoms.append(&mut other.symptoms);
        self.also.append(&mut other.also);
        self.also.insert(other.relation);
        self.also.remove(&self.relation);
    }

    /// Sort the symptoms, lines first, and make the finding about the first one.
    pub(crate) fn lead_by_line(&mut self) {
        self.symptoms.sort_by_key(|symptom| (symptom.metric, symptom.line));
        if self.symptoms.len() > 1 {
            let first = self.each_symptom().swap_remove(0);
            *self = Finding { symptoms: std::mem::take(&mut self.symptoms), ..first };
        }
    }

    /// The number that the finding is about, as a symptom; none if it is about the output, or there is no ground truth.
    pub fn own_symptom(&self) -> Option<Symptom> {
        let (line, expected) = (self.line?, self.truth.clone()?);
        Some(Symptom { file: self.file.clone(), line, metric: self.metric, reported: self.before, expected })
    }

    /// One finding for each symptom, which is its only one; the finding itself if it has none.
    pub fn each_symptom(&self) -> Vec<Finding> {
        if self.symptoms.len() < 2 {
            return vec![self.clone()];
        }
        let of = |symptom: &Symptom| Finding {
            line: Some(symptom.line),
            metric: symptom.metric,
            before: symptom.reported,
            after: self.after_of(symptom),
            truth: Some(symptom.expected.clone()),
            rule: symptom.kind().map(Rule::Wrong).or(self.rule),
            symptoms: vec![symptom.clone()],
            ..self.clone()
        };
        self.symptoms.iter().map(of).collect()
    }

    /// The count of P' where `symptom` is: that of the finding, or the one to which the culprit changes the line.
    fn after_of(&self, symptom: &Symptom) -> Count {
        if (self.line, self.metric) == (Some(symptom.line), symptom.metric) {
            return self.after;
        }
        let moved = self.culprit.iter().flat_map(|culprit| &culprit.moved);
        let is_here = |(line, _): &&(Line, Count)| symptom.metric == Metric::Line && *line == symptom.line;
        moved.into_iter().find(is_here).and_then(|(_, count)| *count)
    }

    /// Whether the count of `place` is wrong because of it.
    pub(crate) fn concerns(&self, place: Place) -> bool {
        let line = place.line();
        line.is_some()
            && (self.line == line || self.symptoms.iter().any(|symptom| Some(symptom.line) == line))
    }

    /// The relations that found it.
    pub fn relations(&self) -> impl Iterator<Item = RelationName> {
        std::iter::once(self.relation).chain(self.also.iter().copied())
    }

    /// The lines of the symptoms, or of the difference.
    pub fn lines(&self) -> impl Iterator<Item = Line> {
        let others = self.symptoms.iter().map(|symptom| symptom.line);
        self.line.into_iter().chain(others.skip(1))
    }

    /// The edit to P that shows the difference, in words.
    pub fn edit(&self) -> Option<String> {
        let deleted = self.culprit.as_ref().map(|culprit| (&culprit.edit, culprit.isolated));
        let rewritten = || self.rewriting.as_ref().map(|rewriting| (&rewriting.words, rewriting.isolated));
        let (words, isolated) = deleted.or_else(rewritten)?;
        let note = if isolated { "" } else { " (not isolated: a smaller edit may suffice)" };
        Some(format!("{words}{note}"))
    }

    /// Whether the finding is about code that ran, as a trap proved, although its line has the count 0. Only such a
    /// finding is on a line that is itself edited.
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
    pub signature: String,
    pub verdict: Verdict,
    pub rule: Option<Rule>,
    /// The cause in plain words.
    pub sentence: String,
    /// Number of findings.
    pub count: usize,
    /// Number of distinct programs.
    pub programs: usize,
    /// Compilers with a finding in this cluster.
    pub profilers: Vec<String>,
    /// Folder of the example, relative to the run's folder; in a report on several runs, the path includes the run's
    /// folder.
    pub example: Option<String>,
    /// The name of the entry in known.toml.
    pub known: Option<String>,
    /// Signatures of the clusters that were merged into this one because their reduced programs are
    /// the same.
    pub duplicates: Vec<String>,
}

impl Cluster {
    /// The signature, and those of the merged clusters.
    pub fn signatures(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.signature).chain(&self.duplicates)
    }

    /// Whether the cluster is open and not known yet.
    pub fn is_news(&self) -> bool {
        self.verdict.is_open() && self.known.is_none()
    }

    pub fn has(&self, finding: &Finding) -> bool {
        self.verdict == finding.verdict && self.signatures().any(|signature| *signature == finding.signature)
    }
}

/// One profiler, as a journal records it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProfilerInfo {
    pub profiler: Family,
    /// Compiler with its major version, as in `gcc-12`.
    pub compiler: String,
    /// Full version of the compiler.
    pub version: String,
    /// The tools with their versions, sorted.
    pub tools: Vec<String>,
}

impl ProfilerInfo {
    /// The major version of the compiler; 0 if its name does not contain one.
    pub fn major(&self) -> u32 {
        major(&self.compiler).unwrap_or(0)
    }
}

/// The major version in a compiler's name, as in `gcc-12`.
pub fn major(compiler: &str) -> Option<u32> {
    compiler.rsplit('-').next()?.parse().ok()
}
