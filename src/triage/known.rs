//! `known.toml`: root causes that are understood already, each with small programs that show it.
//!
//! The default is `configs/known.toml`, which is compiled in together with its programs. A cluster is known if an entry
//! has its signature and verdict, so an entry covers every finding with that mechanism. A cluster is also known if a
//! known cluster of another relation reports the same wrong counts.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use include_dir::{Dir, include_dir};
use serde::Deserialize;
use toml::Spanned;

use super::cluster::clusters;
use crate::config::parse_toml;
use crate::diagnose::known_mechanism;
use crate::model::{Cluster, Count, Family, Finding, Line, Metric, RelationName, Verdict, major, named_enum};

/// The known clusters that are compiled in, as text, and their programs.
const TEXT: &str = include_str!("../../configs/known.toml");
static PROGRAMS: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/configs/known");

/// The path of the file in the source tree.
const PATH: &str = "configs/known.toml";

named_enum! {
    /// What the maintainers of the profiler know about a root cause.
    pub enum Status {
        /// No public report is known.
        New = "new",
        Reported = "reported",
        /// Versions from `fixed` on are right.
        Fixed = "fixed",
        /// Documented, or declared to be intended.
        Intended = "intended",
    }
}

/// A root cause that is understood: an entry of the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownCluster {
    /// The name in reports: the signature without the profiler.
    #[serde(skip)]
    pub name: String,
    /// File and line of the entry, for error messages.
    #[serde(skip)]
    pub place: String,
    signature: Spanned<String>,
    pub verdict: Verdict,
    pub status: Status,
    /// The public reports that describe it: URLs or ids.
    #[serde(default)]
    pub upstream: Vec<String>,
    /// What is wrong and, as far as it is known, why, in plain words; by default the sentence about the mechanism.
    #[serde(default)]
    pub note: String,
    /// The date and the compiler.
    #[serde(rename = "first-seen")]
    pub first_seen: String,
    /// The first compiler that has the fix, if there is one.
    fixed: Option<String>,
    pub programs: Vec<KnownProgram>,
}

/// A program of at most 25 lines that shows a root cause.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownProgram {
    file: Utf8PathBuf,
    /// The wrong count.
    pub shows: String,
    /// Compilers under which the program shows the finding.
    pub profilers: Vec<String>,
    /// Compiler flags that the program needs.
    #[serde(default)]
    pub flags: Vec<String>,
    /// Whether conditions and paths are not counted: the compiler refuses the program with their flags.
    #[serde(default)]
    pub without_conditions: bool,
    /// The text of the program.
    #[serde(skip)]
    pub source: String,
}

impl KnownProgram {
    /// The stem of the file name.
    pub fn name(&self) -> &str {
        self.file.file_stem().unwrap_or(self.file.as_str())
    }
}

/// A file of known clusters.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its entries, in the order of the file.
    pub entries: Vec<KnownCluster>,
}

/// The file as typed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    known: Vec<KnownCluster>,
}

/// A wrong count: program, file, input, compiler, metric, line, and the count that the compiler's profiler reports.
type WrongCount<'a> = (&'a str, &'a str, &'a str, &'a str, Metric, Option<Line>, Count);

/// The wrong counts of a finding; empty in a rewritten program, which shares no lines with P.
fn wrong_counts(finding: &Finding) -> Vec<WrongCount<'_>> {
    if finding.rewriting.is_some() {
        return Vec::new();
    }
    let Finding { program, file, input, compiler, metric, line, before, .. } = finding;
    let of = |metric, line, count| (&**program, &**file, &**input, &**compiler, metric, line, count);
    let others = finding.symptoms.iter().skip(1);
    let others = others.map(|symptom| of(symptom.metric, Some(symptom.line), symptom.reported));
    std::iter::once(of(*metric, *line, *before)).chain(others).collect()
}

impl KnownCluster {
    pub fn signature(&self) -> &String {
        self.signature.get_ref()
    }

    /// The relation that shows the finding: the one that the signature names, or `truth` for a mechanism.
    pub fn relation(&self) -> RelationName {
        let is_named =
            |relation: &RelationName| self.signature().split('/').take(2).any(|part| part == relation.name());
        RelationName::ALL.into_iter().find(is_named).unwrap_or(RelationName::Truth)
    }

    fn complete(&mut self, program: &dyn Fn(&Utf8Path) -> Result<String>) -> Result<()> {
        let (family, name) = self.signature().split_once('/').unwrap_or_default();
        if name.is_empty() {
            bail!("the signature {:?} names no mechanism", self.signature());
        }
        let family = Family::ALL.into_iter().find(|known| known.name() == family);
        let known = family.and_then(|family| known_mechanism(family, name));
        let name = if family.is_some() { name.into() } else { self.signature().clone() };
        if self.note.is_empty() {
            let Some(known) = known else {
                bail!("note is missing, and {name} is no mechanism that recount knows")
            };
            self.note = known.in_words();
        }
        self.name = name;
        if self.programs.is_empty() {
            bail!("programs is empty; name at least one program that shows the wrong count");
        }
        for shown in &mut self.programs {
            if shown.profilers.is_empty() {
                bail!(
                    "profilers of {} is empty; name at least one compiler that shows the wrong count",
                    shown.file
                );
            }
            shown.source = program(&shown.file).with_context(|| format!("its program {}", shown.file))?;
        }
        Ok(())
    }

    /// The public reports as a sentence part; empty if there are none.
    pub fn reports(&self) -> String {
        self.upstream.join(", ")
    }

    /// `known as gap-counter`, and whether upstream may not know of it.
    pub fn label(&self) -> String {
        let reports = if self.status == Status::New { ", no public report" } else { "" };
        format!("known as {}{reports}", self.name)
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
        let file: File = parse_toml(text, path, "configs/known.toml shows every key")?;
        let mut known = Known { entries: Vec::new() };
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

    /// The entry with this signature and verdict, whether it applies or not.
    pub fn with_signature(&self, signature: &str, verdict: Verdict) -> Option<&KnownCluster> {
        self.entries.iter().find(|entry| entry.signature() == signature && entry.verdict == verdict)
    }

    /// The entry for findings with this signature and verdict under `compilers`. None if one of the compilers already
    /// has the fix: then the finding is a regression, or has another cause.
    pub fn get(&self, signature: &str, verdict: Verdict, compilers: &[String]) -> Option<&KnownCluster> {
        let found = self.with_signature(signature, verdict);
        found.filter(|entry| !compilers.iter().any(|compiler| entry.is_fixed_in(compiler)))
    }

    /// The entry with this name.
    fn named(&self, name: &str) -> Option<&KnownCluster> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// The entry that `cluster` is marked with. Both profilers may have one of its name.
    pub fn entry_of(&self, cluster: &Cluster) -> Option<&KnownCluster> {
        let name = cluster.known.as_deref()?;
        self.with_signature(&cluster.signature, cluster.verdict).or_else(|| self.named(name))
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
        let mut known_counts: BTreeMap<WrongCount<'_>, Vec<(RelationName, &str)>> = BTreeMap::new();
        for finding in findings.iter().filter(|finding| finding.verdict == Verdict::Wrong) {
            let compiler = std::slice::from_ref(&finding.compiler);
            let entry = self.get(&finding.signature, finding.verdict, compiler);
            let Some(entry) = entry else { continue };
            for wrong_count in wrong_counts(finding) {
                known_counts.entry(wrong_count).or_default().push((finding.relation, &entry.name));
            }
        }
        // For each signature, the name under which all of its findings are known, if there is one.
        let mut names: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for finding in findings.iter().filter(|finding| finding.verdict == Verdict::Wrong) {
            let by = wrong_counts(finding).first().and_then(|wrong_count| known_counts.get(wrong_count));
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
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    const ENTRY: &str = "# kept
[[known]]
signature = 'gcov/label-lost'  # kept too
verdict = 'wrong'
status = 'new'
note = 'why'
first-seen = '2026-01-01, gcc-12'
[[known.programs]]
file = 'known/a.c'
shows = 'the label has the count 0'
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
        let mut used = 0;
        for entry in &known.entries {
            assert!(entry.verdict.is_open() && !entry.note.is_empty(), "{}", entry.place);
            assert_eq!(entry.status == Status::New, entry.upstream.is_empty(), "{}", entry.place);
            for program in &entry.programs {
                assert!(program.source.lines().count() <= 25, "{}", program.file);
                used += 1;
            }
        }
        assert_eq!(used, PROGRAMS.files().count(), "a program without an entry");
    }

    #[test]
    fn what_cannot_be_meant_names_file_line_and_key() {
        refused(&ENTRY.replace("note =", "notes ="), &["my.toml:6: ", "notes"]);
        refused(&ENTRY.replace("'wrong'", "'bad'"), &["my.toml:4: ", "bad"]);
        refused(&ENTRY.replace("'new'", "'old'"), &["my.toml:5: ", "old"]);
        refused(&ENTRY.replace("a.c", "b.c"), &["my.toml:3: ", "known/b.c", "not there"]);
        refused(&ENTRY.replace("gcov/label-lost", "gcov"), &["my.toml:3: ", "no mechanism"]);
        refused(&ENTRY.replace("note = 'why'\n", ""), &["my.toml:3: ", "note is missing"]);
        refused(&ENTRY.replace("['gcc-12']", "[]"), &["my.toml:3: ", "profilers"]);
        refused(&ENTRY.repeat(2), &["my.toml:14: ", "same signature and verdict as my.toml:3"]);
    }

    #[test]
    fn what_is_fixed_is_something_else_in_later_versions() {
        let known = parsed(&ENTRY.replace("note =", "fixed = 'gcc-14'\nnote =")).unwrap();
        let speaks = |compilers: &[&str]| {
            let compilers: Vec<String> = compilers.iter().map(ToString::to_string).collect();
            known.get("gcov/label-lost", Verdict::Wrong, &compilers).is_some()
        };
        assert!(speaks(&["gcc-12", "gcc-13"]) && speaks(&[]));
        assert!(!speaks(&["gcc-12", "gcc-14"]) && !speaks(&["gcc-16"]));
    }

    fn finding(signature: &str, relation: &str, line: u32, before: u64) -> Finding {
        serde_json::from_value(serde_json::json!({
            "program": "p", "file": "p.c", "input": "default", "profiler": "gcov", "compiler": "gcc-12",
            "version": "12", "metric": "line", "line": line, "relation": relation, "kind": "strong",
            "before": before, "after": 1, "truth": [1], "signature_version": 3, "signature": signature,
            "culprit": null, "verdict": "wrong", "rule": "missing", "cluster": "c",
        }))
        .unwrap()
    }

    #[test]
    fn entries_of_one_name_are_those_of_their_profiler() {
        let text = [ENTRY, &ENTRY.replace("gcov/", "llvm-cov/").replace("'why'", "'of the other'")].concat();
        let known = parsed(&text).unwrap();
        let clusters = known.clusters(&[
            finding("gcov/label-lost", "truth", 4, 0),
            finding("llvm-cov/label-lost", "truth", 4, 0),
        ]);
        let entries = clusters.iter().map(|cluster| (cluster.signature.as_str(), known.entry_of(cluster)));
        let mut notes: Vec<_> =
            entries.map(|(signature, entry)| (signature, entry.map(|entry| entry.note.as_str()))).collect();
        notes.sort_unstable();
        let expected = [("gcov/label-lost", Some("why")), ("llvm-cov/label-lost", Some("of the other"))];
        assert_eq!(notes, expected);
    }

    #[test]
    fn a_known_wrong_count_is_known_for_every_relation() {
        let known = parsed(ENTRY).unwrap();
        let finding = |relation: &str, line: u32, before: u64| {
            let signature = if relation == "truth" { "gcov/label-lost" } else { "gcov/views/missing/label" };
            finding(signature, relation, line, before)
        };
        let marks = |findings: &[Finding]| -> Vec<Option<String>> {
            let mut all = crate::triage::clusters(findings);
            known.mark(&mut all, findings);
            all.into_iter().map(|cluster| cluster.known).collect()
        };
        let truth = finding("truth", 4, 0);
        let name = Some("label-lost".to_string());
        assert_eq!(marks(&[truth.clone(), finding("views", 4, 0)]), [name.clone(), name.clone()]);
        // Another line or another count may be another bug, and so may one finding of several.
        for other in [finding("views", 5, 0), finding("views", 4, 2)] {
            let all = [truth.clone(), finding("views", 4, 0), other];
            assert_eq!(marks(&all), [name.clone(), None]);
        }
        assert_eq!(marks(&[finding("views", 4, 0)]), [None]);
    }
}
