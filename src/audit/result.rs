//! The result of an audit: the coverage report of a package in which every number has been checked.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use camino::Utf8Path;
use serde::{Deserialize, Serialize};

use super::build::Commands;

use crate::model::{Count, Finding, Line, ProfilerInfo};

/// Version of the field names in the JSON.
pub const FORMAT: u32 = 1;

/// The audit of a package with one profiler.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Audit {
    pub format: u32,
    /// The folder of the package.
    pub package: String,
    pub profiler: ProfilerInfo,
    pub build: String,
    pub test: String,
    /// The longest time of the build and of each run of the tests, in seconds.
    #[serde(default)]
    pub limit: u64,
    #[serde(default)]
    pub has_network: bool,
    /// How the tests ended.
    pub tests: String,
    /// By the path in the package.
    pub files: BTreeMap<String, FileAudit>,
    pub units: Units,
    /// One for each faulty element of a unit, with all numbers that are wrong because of it.
    pub findings: Vec<Finding>,
    /// What one report on all units and programs changes; none for gcov.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<Merged>,
    pub cost: Cost,
}

/// The report of one merged profile next to the sum of those of each unit in each program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Merged {
    /// The programs whose profiles are merged.
    pub programs: usize,
    /// The lines that were compared.
    pub lines: usize,
    /// Those with another count.
    pub differing: Vec<MergedLine>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergedLine {
    pub file: String,
    pub line: Line,
    pub merged: Count,
    /// The sum of the reports on each unit in each program.
    pub separate: Count,
}

/// The units of the package: compilations of one C file each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Units {
    pub all: usize,
    /// The ones that could not be checked, with the reason, by the name of the unit.
    pub unchecked: BTreeMap<String, String>,
    /// What is to be known about the tests: programs whose processes ended differently, and the like.
    pub notes: Vec<String>,
}

/// CPU seconds of the commands of the package, and of everything that recount ran besides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// The build with coverage, and one run of its tests.
    pub plain: f64,
    /// Everything: both builds, all runs, proofs and comparisons.
    pub all: f64,
}

/// The lines of one file, added up over its units and programs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FileAudit {
    pub lines: BTreeMap<Line, LineAudit>,
    /// The text of the file.
    pub source: String,
    /// The functions that could not be given counters, with the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub refused: BTreeMap<String, String>,
}

/// The count of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineAudit {
    /// The count in the report.
    pub reported: Count,
    /// The true count; none if the line should have none, and where it is not known.
    pub right: Count,
    #[serde(flatten)]
    pub state: State,
}

/// What is known about the count of a line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum State {
    Checked,
    /// It differs from the true count as the profiler's authors intend.
    Convention {
        rule: String,
    },
    Unchecked {
        reason: String,
    },
    Wrong,
}

impl LineAudit {
    /// The true count as far as it is known: what is not checked counts as reported.
    pub fn known(&self) -> Count {
        if matches!(self.state, State::Unchecked { .. }) { self.reported } else { self.right }
    }

    /// Add the count of the same line in another unit. What is wrong in one is wrong in the sum.
    pub fn add(&mut self, other: LineAudit) {
        let sum = |one: Count, other: Count| match (one, other) {
            (None, None) => None,
            _ => Some(one.unwrap_or(0).saturating_add(other.unwrap_or(0))),
        };
        let known = sum(self.known(), other.known());
        self.reported = sum(self.reported, other.reported);
        if other.state > self.state {
            self.state = other.state;
        }
        self.right = known.filter(|_| !matches!(self.state, State::Unchecked { .. }));
    }
}

/// Totals over lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Lines with a count in the report.
    pub reported: usize,
    pub checked: usize,
    pub wrong: usize,
    pub convention: usize,
    pub unchecked: usize,
    /// Reported as executed, of the reported.
    pub executed: usize,
    /// Compared with the true count, of the reported.
    pub reported_judged: usize,
    /// Lines with a true count, as far as it is known, and those of them that are executed.
    pub right: usize,
    pub right_executed: usize,
}

impl Tally {
    pub fn of<'a>(lines: impl IntoIterator<Item = &'a LineAudit>) -> Tally {
        let mut tally = Tally::default();
        for line in lines {
            tally.reported += usize::from(line.reported.is_some());
            tally.executed += usize::from(line.reported > Some(0));
            let is_judged = !matches!(line.state, State::Unchecked { .. });
            tally.reported_judged += usize::from(line.reported.is_some() && is_judged);
            let right = line.known();
            tally.right += usize::from(right.is_some());
            tally.right_executed += usize::from(right > Some(0));
            match line.state {
                State::Checked => tally.checked += 1,
                State::Convention { .. } => tally.convention += 1,
                State::Unchecked { .. } => tally.unchecked += 1,
                State::Wrong => tally.wrong += 1,
            }
        }
        tally
    }

    /// The lines whose count was compared with the true one; some of them have no count although they must have one.
    pub fn judged(&self) -> usize {
        self.checked + self.wrong + self.convention
    }
}

impl Audit {
    /// The result in `file`.
    pub fn read(file: &Utf8Path) -> Result<Audit> {
        let text = fs_err::read_to_string(file)?;
        let found: Audit =
            serde_json::from_str(&text).with_context(|| format!("{file}: not a result of an audit"))?;
        ensure!(found.format == FORMAT, "{file}: by another version of recount; audit the package again");
        Ok(found)
    }

    /// The commands that were audited.
    pub fn commands(&self) -> Commands {
        Commands {
            build: Some(self.build.clone()).filter(|build| !build.is_empty()),
            test: self.test.clone(),
            limit: Duration::from_secs(self.limit),
            has_network: self.has_network,
        }
    }

    /// Leave out the findings that an earlier audit has too: with the same cause in the same line of text, wherever that is
    /// now, and of several such findings as many as it has. Returns how many they are.
    pub fn leave_out(&mut self, earlier: &Audit) -> usize {
        let key = |audit: &Audit, finding: &Finding| {
            let file = audit.files.get(&finding.file);
            let line =
                finding.line.and_then(|line| file?.source.lines().nth((line as usize).checked_sub(1)?));
            (
                finding.file.clone(),
                finding.signature.clone(),
                finding.metric,
                line.unwrap_or_default().trim().to_string(),
            )
        };
        let mut known: BTreeMap<_, usize> = BTreeMap::new();
        for finding in &earlier.findings {
            *known.entry(key(earlier, finding)).or_default() += 1;
        }
        let mut findings = std::mem::take(&mut self.findings);
        let all = findings.len();
        findings.retain(|finding| match known.get_mut(&key(self, finding)) {
            Some(left @ 1..) => {
                *left -= 1;
                false
            }
            _ => true,
        });
        self.findings = findings;
        all - self.findings.len()
    }

    /// Why lines are not checked, each reason with the number of lines, the most frequent first.
    pub fn unchecked_lines(&self) -> Vec<(&str, usize)> {
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for line in self.files.values().flat_map(|file| file.lines.values()) {
            if let State::Unchecked { reason } = &line.state {
                *reasons.entry(reason).or_default() += 1;
            }
        }
        let mut sorted: Vec<(&str, usize)> = reasons.into_iter().collect();
        sorted.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
        sorted
    }

    pub fn tally(&self) -> Tally {
        Tally::of(self.files.values().flat_map(|file| file.lines.values()))
    }
}

#[cfg(test)]
mod tests {
    use super::{LineAudit, State};

    #[test]
    fn what_is_unchecked_in_one_program_counts_as_reported_in_the_sum() {
        let wrong = LineAudit { reported: Some(3), right: Some(1), state: State::Wrong };
        let unchecked = || LineAudit {
            reported: Some(100),
            right: None,
            state: State::Unchecked { reason: "a reason".into() },
        };
        let mut sum = unchecked();
        sum.add(unchecked());
        assert_eq!((sum.reported, sum.right), (Some(200), None));
        sum.add(wrong);
        assert_eq!(sum, LineAudit { reported: Some(203), right: Some(201), state: State::Wrong });
        sum.add(unchecked());
        assert_eq!(sum, LineAudit { reported: Some(303), right: Some(301), state: State::Wrong });
    }
}
