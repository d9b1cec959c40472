//! Whether a fault is noticed, and which numbers of a report are checked at all.

use std::collections::{BTreeMap, BTreeSet};

use recount::coverage::Coverage;
use recount::model::{Family, Line, Metric};
use recount::relation::{Contradiction, against_truth, beyond_lines};
use recount::replay::{branch_groups, expected, numbers as numbers_of};
use recount::truth::Truth;

use super::numbers::{Change, Number, Place, Slot, changes, numbers, set};

/// The first of the counts that no program reaches: a number is checked if one of them is noticed there.
const ABSURD: u64 = 7 << 60;

/// The beginning of the reason why none of the paths of a function is known.
const UNKNOWN_PATHS: &str = "the prime paths";

/// LLVM's number of code regions.
const CODE: &str = "kind 0";

/// What became of a fault, by one metric in which it changes numbers.
pub struct Judged {
    pub metric: Metric,
    /// The numbers of the metric that it changes.
    pub changes: Vec<Change>,
    pub verdict: Verdict,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// By a number of the metric.
    Noticed,
    /// By a number of another metric only.
    NoticedElsewhere,
    /// No changed number is checked.
    Unchecked,
    /// The changed numbers that are checked are on lines of braces.
    Braces,
    Missed,
    /// A changed number of the report is already wrong without the fault, which may correct it.
    WrongBefore,
}

/// A correct report and its truth.
pub struct Oracle<'a> {
    pub report: &'a Coverage,
    pub truth: &'a Truth,
    pub family: Family,
    contradictions: Vec<Contradiction>,
    /// The numbers that are not checked, with the reasons.
    pub unchecked: BTreeMap<Place, String>,
}

impl<'a> Oracle<'a> {
    pub fn new(report: &'a Coverage, truth: &'a Truth, family: Family) -> Oracle<'a> {
        let mut oracle =
            Oracle { report, truth, family, contradictions: Vec::new(), unchecked: BTreeMap::new() };
        oracle.contradictions = oracle.contradictions(report);
        oracle.unchecked = oracle.unchecked();
        oracle
    }

    fn contradictions(&self, report: &Coverage) -> Vec<Contradiction> {
        let mut found = against_truth(report, self.truth, self.family);
        found.extend(beyond_lines(report, self.truth, self.family));
        found
    }

    /// What becomes of the fault that makes the profiler report `faulty`. Empty if it changes no number.
    pub fn judge(&self, faulty: &Coverage) -> Vec<Judged> {
        let mut by_metric: BTreeMap<Metric, Vec<Change>> = BTreeMap::new();
        for change in changes(self.report, faulty, self.family) {
            by_metric.entry(change.place.metric).or_default().push(change);
        }
        if by_metric.is_empty() {
            return Vec::new();
        }
        let mut new = self.contradictions(faulty);
        new.retain(|found| !self.contradictions.contains(found));
        let judge = |(metric, changes): (Metric, Vec<Change>)| {
            let verdict = self.verdict(metric, &changes, &new);
            Judged { metric, changes, verdict }
        };
        by_metric.into_iter().map(judge).collect()
    }

    fn verdict(&self, metric: Metric, changes: &[Change], new: &[Contradiction]) -> Verdict {
        if new.iter().any(|found| found.metric == metric) {
            return Verdict::Noticed;
        }
        if !new.is_empty() {
            return Verdict::NoticedElsewhere;
        }
        let mut existing = changes.iter().filter(|change| !change.before.is_empty()).peekable();
        if existing.peek().is_none() {
            // Only numbers that should not be there.
            return Verdict::Missed;
        }
        let checked: Vec<&Change> =
            existing.filter(|change| !self.unchecked.contains_key(&change.place)).collect();
        let is_brace = |change: &&Change| metric == Metric::Line && self.truth.is_bare(change.place.line);
        let is_wrong = |change: &&Change| {
            let is_here = |found: &&Contradiction| {
                found.metric == metric && found.difference.place.line() == Some(change.place.line)
            };
            self.contradictions.iter().any(|found| is_here(&found))
        };
        if checked.is_empty() {
            Verdict::Unchecked
        } else if checked.iter().any(is_wrong) {
            Verdict::WrongBefore
        } else if checked.iter().all(is_brace) {
            Verdict::Braces
        } else {
            Verdict::Missed
        }
    }

    fn unchecked(&self) -> BTreeMap<Place, String> {
        let all = numbers(self.report, self.family);
        let noticed = self.noticed_if_absurd(&all);
        let groups = branch_groups(self.truth);
        let all_checked = numbers_of(self.report, Some(self.truth), self.family);
        let reasons: BTreeMap<(Metric, Line), &str> = all_checked
            .iter()
            .filter_map(|number| Some(((number.metric, number.line), *number.right.as_ref().err()?)))
            .filter(|((metric, _), why)| *metric != Metric::Path || why.starts_with(UNKNOWN_PATHS))
            .collect();
        let reason = |(index, number): (usize, &Number)| {
            let line = number.place.line;
            let reason = match number.slot {
                Slot::Line(_) => expected(self.truth, self.family, line).err()?.to_string(),
                Slot::Branch(_) => {
                    let Some(group) = groups.iter().find(|group| group.lines.contains(&line)) else {
                        return Some((number.place.clone(), "no code of the program is on the line".into()));
                    };
                    let counts: Vec<u64> = all
                        .iter()
                        .filter(|other| other.place.metric == Metric::Branch)
                        .filter(|other| group.lines.contains(&other.place.line))
                        .map(|other| other.count)
                        .collect();
                    if group.admits(&counts).is_some() {
                        return None;
                    }
                    let reason = match group.outcomes {
                        None => "a condition of the statement cannot be counted",
                        Some(_) => "the statement has more branches than outcomes",
                    };
                    reason.to_string()
                }
                Slot::Flag(..) | Slot::Vector(..) | Slot::Paths(..) => {
                    reasons.get(&(number.place.metric, line))?.to_string()
                }
                _ if noticed.contains(&index) => return None,
                Slot::Function(_) => "the function is not instrumented, or not alone on its line".into(),
                Slot::Region(_) if !number.place.detail.ends_with(CODE) => "an expansion or a gap".into(),
                Slot::Region(_) => "no point or several points begin where the region does".into(),
                Slot::True(_) | Slot::False(_) => {
                    "no condition or several begin where the branch does".into()
                }
            };
            Some((number.place.clone(), reason))
        };
        all.iter().enumerate().filter_map(reason).collect()
    }

    /// The indices of those functions, regions and branches of which an absurd count would be noticed.
    fn noticed_if_absurd(&self, all: &[Number]) -> BTreeSet<usize> {
        let mut absurd = self.report.clone();
        // Regions that begin at one place with one count are compared together.
        let mut alike: BTreeMap<(Metric, (u32, u32), u64), u64> = BTreeMap::new();
        let mut given: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (index, number) in (0..).zip(all) {
            let own = ABSURD + u64::try_from(index).unwrap_or(0);
            let (key, at) = match number.slot {
                Slot::Region(region) => (number.count, self.report.regions[region].start),
                Slot::True(branch) | Slot::False(branch) => (0, self.report.tested[branch].start),
                Slot::Function(_) => (own, (0, 0)),
                Slot::Line(_) | Slot::Branch(_) | Slot::Flag(..) | Slot::Vector(..) | Slot::Paths(..) => {
                    continue;
                }
            };
            let count = *alike.entry((number.place.metric, at, key)).or_insert(own);
            set(&mut absurd, number.slot, Some(count));
            given.entry(count).or_default().push(index);
        }
        let found = beyond_lines(&absurd, self.truth, self.family);
        let counts = found.iter().filter_map(|found| found.difference.before);
        counts.filter_map(|count| given.get(&count)).flatten().copied().collect()
    }
}
