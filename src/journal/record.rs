//! The lines of a journal: its header, and the record of each job.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::bundle::{Counts, Replay};
use super::packed;
use super::sites::Sites;
use crate::config::Settings;
use crate::model::{Finding, Outcome, ProfilerInfo, RelationName};

/// The conditions of a run. A resumed run must have the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The format of the writer.
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
    /// The dialect in which the program compiled, an index into the sets of flags for old C; 0 means no extra flags.
    pub dialect: usize,
    /// Why there is no ground truth.
    pub no_truth: Option<String>,
    /// The crash of a tool that left the report without conditions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crash: Option<String>,
    /// How much of the report was checked; none if there is no report, and in journals of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<Checked>,
    pub tally: Tally,
    /// The tally of each relation that makes variants.
    pub relations: BTreeMap<RelationName, Tally>,
    /// The lines that it counts, compared with those of the peer, if the program behaved the same under both.
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
    /// The included files with findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub included: Vec<IncludedFile>,
    pub findings: Vec<Finding>,
    /// The internal error of recount that ended the job.
    pub failed: Option<String>,
}

/// A file that the program includes, in which there are findings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct IncludedFile {
    /// The name by which the findings know it.
    pub file: String,
    /// Hash of its text; also the name of its blob.
    pub source: String,
    /// The counts of its lines and those that ground truth admits.
    #[serde(default, with = "packed")]
    pub counts: Counts,
}

/// How much of a report was compared with ground truth, and which code is not in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// Lines that have a count in the report.
    pub counts: usize,
    /// Of these, the ones whose count was compared with ground truth.
    pub with_truth: usize,
    /// Whether none was, because the relation `truth` was not selected.
    #[serde(default)]
    pub lacks_relation: bool,
    /// Other numbers of the report, of branches, regions, functions and decisions, that were to be compared with ground truth.
    #[serde(default)]
    pub numbers: usize,
    /// Why the right value of some of them is not known, each reason with how many there are.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unknown: BTreeMap<String, usize>,
    /// The functions that could not be instrumented, each with the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub refused: BTreeMap<String, String>,
    /// The program's own included files that contain code on which there is no report, each with the number of its lines
    /// that begin a statement.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub included: BTreeMap<String, usize>,
    /// Whether the program reads its arguments or its standard input, and no input is given.
    #[serde(default)]
    pub lacks_input: bool,
}

impl std::ops::AddAssign for Checked {
    fn add_assign(&mut self, other: Checked) {
        self.counts += other.counts;
        self.with_truth += other.with_truth;
        self.numbers += other.numbers;
        for (reason, number) in other.unknown {
            *self.unknown.entry(reason).or_default() += number;
        }
        self.refused.extend(other.refused);
        self.included.extend(other.included);
        self.lacks_input |= other.lacks_input;
        self.lacks_relation |= other.lacks_relation;
    }
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

    /// Add findings on the program's own file, which do not name their program and file yet.
    pub fn add_findings(&mut self, findings: Vec<Finding>) {
        self.add_named(&self.file.clone(), false, findings);
    }

    /// Add findings on the included file `file`, which do not name their program and file yet.
    pub fn add_included(&mut self, file: &str, findings: Vec<Finding>) {
        self.add_named(file, true, findings);
    }

    fn add_named(&mut self, file: &str, is_included: bool, findings: Vec<Finding>) {
        for mut finding in findings {
            finding.program.clone_from(&self.program);
            finding.file = file.into();
            finding.is_included = is_included;
            for symptom in &mut finding.symptoms {
                symptom.file = file.into();
            }
            if let Some(culprit) = &mut finding.culprit {
                culprit.file = file.into();
            }
            self.findings.push(finding);
        }
    }

    /// The included file that `finding` is about; none if it is about the program's own file.
    pub fn included_file(&self, finding: &Finding) -> Option<&IncludedFile> {
        self.included.iter().find(|included| finding.is_included && included.file == finding.file)
    }

    /// The hashes of the texts that the findings need: the program's own and those of included files.
    pub fn sources(&self) -> Vec<&str> {
        if self.findings.is_empty() {
            return Vec::new();
        }
        let included = self.included.iter().map(|included| included.source.as_str());
        std::iter::once(self.source.as_str()).chain(included).collect()
    }
}

/// A line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Entry {
    Header(Box<Header>),
    Job(Box<JobRecord>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_an_older_version_is_read() {
        let checked = Some(Checked { counts: 3, ..Checked::default() });
        let record = JobRecord { checked, ..JobRecord::default() };
        let mut written = serde_json::to_value(&record).unwrap();
        assert_eq!(serde_json::from_value::<JobRecord>(written.clone()).unwrap(), record);
        written.as_object_mut().unwrap().remove("checked").unwrap();
        assert_eq!(serde_json::from_value::<JobRecord>(written).unwrap(), JobRecord::default());
    }
}
