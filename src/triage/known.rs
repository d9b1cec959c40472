//! `known.toml`: clusters that are understood already, each with a small program that shows it.
//!
//! The default is `configs/known.toml`, which is compiled in together with its programs. A cluster is known if an entry
//! has its signature and verdict, so an entry covers every finding with that signature. A cluster is also known if a
//! known cluster of another relation reports the same wrong counts.

use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::{Context, Result, anyhow, bail};
use camino::{Utf8Path, Utf8PathBuf};
use include_dir::{Dir, include_dir};
use serde::Deserialize;
use toml::Spanned;

use super::cluster::clusters;
use crate::model::{Cluster, Count, Finding, Line, Metric, RelationName, SIGNATURE_VERSION, Verdict, major};

/// The known clusters that are compiled in, as text, and their programs.
const TEXT: &str = include_str!("../../configs/known.toml");
static PROGRAMS: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/configs/known");

/// The path of the file in the source tree.
const PATH: &str = "configs/known.toml";

/// A cluster that is understood: an entry of the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownCluster {
    /// The name in reports: the stem of its program's file name.
    #[serde(skip)]
    pub name: String,
    /// File and line of the entry, for error messages.
    #[serde(skip)]
    pub place: String,
    /// The text of its program.
    #[serde(skip)]
    pub source: String,
    signature: Spanned<String>,
    signature_version: Spanned<u32>,
    pub verdict: Verdict,
    /// The upstream bug report, a URL or an id; empty if none is known.
    pub upstream: String,
    /// What is wrong and, as far as it is known, why, in plain words.
    pub note: String,
    /// The date and the compiler.
    #[serde(rename = "first-seen")]
    pub first_seen: String,
    program: Utf8PathBuf,
    /// Compilers under which the program shows the finding.
    pub profilers: Vec<String>,
    /// The first compiler that has the fix, if there is one.
    fixed: Option<String>,
}

/// A file of known clusters.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its entries, in the order of the file.
    pub entries: Vec<KnownCluster>,
    text: String,
}

/// The file as typed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    known: Vec<KnownCluster>,
}

/// A wrong count: program, file, input, compiler, metric, line, and the count that the compiler's profiler reports.
type Accusation<'a> = (&'a str, &'a str, &'a str, &'a str, Metric, Option<Line>, Count);

/// None for a finding in a rewritten program, which shares no lines with P.
fn accusation(finding: &Finding) -> Option<Accusation<'_>> {
    let Finding { program, file, input, compiler, metric, line, before, .. } = finding;
    finding.rewriting.is_none().then_some((program, file, input, compiler, *metric, *line, *before))
}

impl KnownCluster {
    pub fn signature(&self) -> &String {
        self.signature.get_ref()
    }

    /// The version of the algorithm that built the signature.
    pub fn signature_version(&self) -> u32 {
        *self.signature_version.get_ref()
    }

    /// The relation that the signature names: the first part if a rule explains the finding, or else the second part,
    /// after the profiler.
    pub fn relation(&self) -> Option<RelationName> {
        let is_named =
            |relation: &RelationName| self.signature().split('/').take(2).any(|part| part == relation.name());
        RelationName::ALL.into_iter().find(is_named)
    }

    fn complete(&mut self, program: &dyn Fn(&Utf8Path) -> Result<String>) -> Result<()> {
        if self.relation().is_none() {
            bail!("the signature {:?} names no relation", self.signature());
        }
        if self.profilers.is_empty() {
            bail!("profilers is empty; name at least one compiler that shows the wrong count");
        }
        self.name = self.program.file_stem().unwrap_or(self.program.as_str()).to_string();
        self.source = program(&self.program).with_context(|| format!("its program {}", self.program))?;
        Ok(())
    }

    /// Whether `compiler`, as in `clang-22`, has the fix.
    fn is_fixed_in(&self, compiler: &str) -> bool {
        let fixed = self.fixed.as_deref().and_then(major);
        fixed.is_some_and(|fixed| major(compiler).is_some_and(|major| major >= fixed))
    }
}

impl Known {
    /// The clusters that are compiled into this binary.
    pub fn embedded() -> Known {
        let program = |path: &Utf8Path| {
            let name = path.strip_prefix("known").ok();
            let file = name.and_then(|name| PROGRAMS.get_file(name));
            let text = file.and_then(|file| file.contents_utf8());
            text.map(str::to_string).context("no such program in the binary")
        };
        Known::parse(TEXT, Utf8Path::new(PATH), &program)
            .expect("configs/known.toml and its programs are sound; a test says so")
    }

    /// The clusters of the file at `path`; their programs are in the same folder.
    ///
    /// # Errors
    /// A file or program cannot be read, a key is unknown, or an entry is invalid.
    pub fn read(path: &Utf8Path) -> Result<Known> {
        let text = fs_err::read_to_string(path).context("failed to read the known clusters")?;
        let folder = path.parent().unwrap_or(Utf8Path::new(""));
        Known::parse(&text, path, &|program| Ok(fs_err::read_to_string(folder.join(program))?))
    }

    /// The file in the source tree that the embedded clusters come from, if we are in that tree.
    pub fn source_file() -> Option<&'static Utf8Path> {
        let is_ours = fs_err::read_to_string(PATH).is_ok_and(|text| text == TEXT);
        is_ours.then_some(Utf8Path::new(PATH))
    }

    /// The entries of `text`, the content of `path`; `program` reads the program that an entry names.
    ///
    /// # Errors
    /// As [`Known::read`].
    pub fn parse(
        text: &str,
        path: &Utf8Path,
        program: &dyn Fn(&Utf8Path) -> Result<String>,
    ) -> Result<Known> {
        let line = |offset: usize| 1 + text[..offset].matches('\n').count();
        let file: File = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line(span.start));
            anyhow!("{path}:{line}: {} (configs/known.toml shows every key)", error.message())
        })?;
        let mut known = Known { entries: Vec::new(), text: text.to_string() };
        for mut entry in file.known {
            entry.place = format!("{path}:{}", line(entry.signature.span().start));
            entry.complete(program).with_context(|| entry.place.clone())?;
            if let Some(other) = known.get(entry.signature(), entry.verdict, &[]) {
                bail!("{}: same signature and verdict as {}", entry.place, other.place);
            }
            known.entries.push(entry);
        }
        Ok(known)
    }

    /// The entry for findings with this signature and verdict under `compilers`. None if one of the compilers already
    /// has the fix: then the finding has another cause.
    pub fn get(&self, signature: &str, verdict: Verdict, compilers: &[String]) -> Option<&KnownCluster> {
        let found =
            self.entries.iter().find(|entry| entry.signature() == signature && entry.verdict == verdict);
        found.filter(|entry| !compilers.iter().any(|compiler| entry.is_fixed_in(compiler)))
    }

    /// The entry with this name.
    pub fn named(&self, name: &str) -> Option<&KnownCluster> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// Set the name of the known entry in each of `clusters`, which were built from `findings`.
    ///
    /// Several relations may find the same wrong count. If every count of a cluster is also reported by a known cluster
    /// of another relation, the cluster is known by the name of that one.
    pub fn mark(&self, clusters: &mut [Cluster], findings: &[Finding]) {
        for cluster in &mut *clusters {
            // A merged cluster is known only if all of its parts are known.
            let is_known =
                |signature: &String| self.get(signature, cluster.verdict, &cluster.profilers).is_some();
            let all = cluster.signatures().all(is_known);
            let own = self.get(&cluster.signature, cluster.verdict, &cluster.profilers);
            cluster.known = own.filter(|_| all).map(|entry| entry.name.clone());
        }
        let mut accused: BTreeMap<Accusation<'_>, Vec<(RelationName, &str)>> = BTreeMap::new();
        for finding in findings.iter().filter(|finding| finding.verdict == Verdict::Wrong) {
            let compiler = std::slice::from_ref(&finding.compiler);
            let entry = self.get(&finding.signature, finding.verdict, compiler);
            if let (Some(accusation), Some(entry)) = (accusation(finding), entry) {
                accused.entry(accusation).or_default().push((finding.relation, &entry.name));
            }
        }
        // For each signature, the name under which all of its findings are known, if there is one.
        let mut names: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for finding in findings.iter().filter(|finding| finding.verdict == Verdict::Wrong) {
            let by = accusation(finding).and_then(|accusation| accused.get(&accusation));
            let other = by.into_iter().flatten().find(|(relation, _)| *relation != finding.relation);
            let name = other.map(|(_, name)| *name);
            names.entry(&finding.signature).and_modify(|all| *all = all.and(name)).or_insert(name);
        }
        let is_new = |cluster: &&mut Cluster| cluster.known.is_none() && cluster.verdict == Verdict::Wrong;
        for cluster in clusters.iter_mut().filter(is_new) {
            let all = cluster.signatures().map(|signature| names.get(signature.as_str()).copied().flatten());
            let all: Option<Vec<&str>> = all.collect();
            cluster.known = all.and_then(|all| all.first().copied().map(str::to_string));
        }
    }

    /// The clusters of `findings`; known ones are marked.
    pub fn clusters(&self, findings: &[Finding]) -> Vec<Cluster> {
        let mut found = clusters(findings);
        self.mark(&mut found, findings);
        found
    }

    /// The clusters of one job's `findings` that need attention and are not known.
    pub fn news(&self, findings: &[Finding]) -> Vec<Cluster> {
        let mut found = self.clusters(findings);
        found.retain(Cluster::is_news);
        found
    }

    /// The file's text with new signatures, built by the present algorithm, for the entries with these indices. The
    /// rest of the text does not change.
    pub fn signed_anew(&self, moved: &[(usize, String)]) -> String {
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        for (index, signature) in moved {
            let entry = &self.entries[*index];
            edits.push((entry.signature.span(), toml::Value::from(signature.as_str()).to_string()));
            edits.push((entry.signature_version.span(), SIGNATURE_VERSION.to_string()));
        }
        // Edit from the end, so that the offsets of earlier edits stay valid.
        edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
        let mut text = self.text.clone();
        for (range, with) in edits {
            text.replace_range(range, &with);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = "# kept
[[known]]
signature = 'gcov/truth/missing/label'  # kept too
signature_version = 1
verdict = 'wrong'
upstream = ''
note = 'why'
first-seen = '2026-01-01, gcc-12'
program = 'known/a.c'
profilers = ['gcc-12']
";

    fn parsed(text: &str) -> Result<Known> {
        let program = |path: &Utf8Path| {
            if path == "known/a.c" { Ok("int main(void) {}".to_string()) } else { Err(anyhow!("not there")) }
        };
        Known::parse(text, Utf8Path::new("my.toml"), &program)
    }

    #[track_caller]
    fn refused(text: &str, words: &[&str]) {
        let error = format!("{:#}", parsed(text).unwrap_err());
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }

    #[test]
    fn the_embedded_entries_read_and_their_programs_are_small() {
        let known = Known::embedded();
        assert!(known.entries.len() >= 12, "{}", known.entries.len());
        for entry in &known.entries {
            assert!(entry.source.lines().count() <= 25, "{}", entry.place);
            assert!(entry.verdict.is_open() && !entry.note.is_empty(), "{}", entry.place);
        }
        let programs = known.entries.iter().map(|entry| entry.name.as_str());
        let used: std::collections::BTreeSet<&str> = programs.collect();
        assert_eq!(used.len(), PROGRAMS.files().count(), "a program without an entry");
    }

    #[test]
    fn what_cannot_be_meant_names_file_line_and_key() {
        refused(&ENTRY.replace("note =", "notes ="), &["my.toml:7: ", "notes"]);
        refused(&ENTRY.replace("'wrong'", "'bad'"), &["my.toml:5: ", "bad"]);
        refused(&ENTRY.replace("a.c", "b.c"), &["my.toml:3: ", "known/b.c", "not there"]);
        refused(&ENTRY.replace("truth", "lies"), &["my.toml:3: ", "no relation"]);
        refused(&ENTRY.replace("['gcc-12']", "[]"), &["my.toml:3: ", "profilers"]);
        refused(&ENTRY.repeat(2), &["my.toml:13: ", "same signature and verdict as my.toml:3"]);
    }

    #[test]
    fn what_is_fixed_is_something_else_in_later_versions() {
        let known = parsed(&ENTRY.replace("profilers =", "fixed = 'gcc-14'\nprofilers =")).unwrap();
        let speaks = |compilers: &[&str]| {
            let compilers: Vec<String> = compilers.iter().map(ToString::to_string).collect();
            known.get("gcov/truth/missing/label", Verdict::Wrong, &compilers).is_some()
        };
        assert!(speaks(&["gcc-12", "gcc-13"]) && speaks(&[]));
        assert!(!speaks(&["gcc-12", "gcc-14"]) && !speaks(&["gcc-16"]));
    }

    #[test]
    fn a_known_wrong_count_is_known_for_every_relation() {
        let known = parsed(ENTRY).unwrap();
        let finding = |relation: &str, line: u32, before: u64| -> Finding {
            serde_json::from_value(serde_json::json!({
                "program": "p", "file": "p.c", "input": "default", "profiler": "gcov", "compiler": "gcc-12",
                "version": "12", "metric": "line", "line": line, "relation": relation, "kind": "strong",
                "before": before, "after": 1, "truth": [1], "signature": format!("gcov/{relation}/missing/label"),
                "signature_version": 1, "culprit": null, "verdict": "wrong", "rule": "missing", "cluster": "c",
            }))
            .unwrap()
        };
        let marks = |findings: &[Finding]| -> Vec<Option<String>> {
            let mut all = crate::triage::clusters(findings);
            known.mark(&mut all, findings);
            all.into_iter().map(|cluster| cluster.known).collect()
        };
        let truth = finding("truth", 4, 0);
        let name = Some("a".to_string());
        assert_eq!(marks(&[truth.clone(), finding("delete", 4, 0)]), [name.clone(), name.clone()]);
        // Another line or another count may be another bug, and so may one finding of several.
        for other in [finding("delete", 5, 0), finding("delete", 4, 2)] {
            let all = [truth.clone(), finding("delete", 4, 0), other];
            assert_eq!(marks(&all), [None, name.clone()]);
        }
        assert_eq!(marks(&[finding("delete", 4, 0)]), [None]);
    }

    #[test]
    fn a_signature_moves_and_everything_else_stays() {
        let known = parsed(ENTRY).unwrap();
        let text = known.signed_anew(&[(0, "gcov/truth/missing/mark".into())]);
        let expected = ENTRY
            .replace("'gcov/truth/missing/label'", "\"gcov/truth/missing/mark\"")
            .replace("version = 1", &format!("version = {SIGNATURE_VERSION}"));
        assert_eq!(text, expected);
        assert_eq!(known.signed_anew(&[]), ENTRY);
    }
}
