//! Whether a fault is noticed, and which numbers of a report are checked at all.

use std::collections::{BTreeMap, BTreeSet};

use recount::coverage::Coverage;
use recount::model::{Count, Family, Line, Metric};
use recount::relation::against_truth;
use recount::replay::{CheckedNumber, What, expected, numbers as numbers_of};
use recount::truth::Truth;

use super::numbers::{Change, Place, Slot, changes, numbers};

/// The beginning of the reason why none of the paths of a function is known.
const UNKNOWN_PATHS: &str = "the prime paths";

/// A number that contradicts ground truth, as `check` lists it: metric, line, place, count and what is right.
type Wrong = (Metric, Line, String, Count, Vec<u64>);

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
    pub wrong: Vec<Wrong>,
    /// The numbers that are not checked, with the reasons.
    pub unchecked: BTreeMap<Place, String>,
}

impl<'a> Oracle<'a> {
    pub fn new(report: &'a Coverage, truth: &'a Truth, family: Family) -> Oracle<'a> {
        let mut oracle = Oracle { report, truth, family, wrong: Vec::new(), unchecked: BTreeMap::new() };
        oracle.wrong = oracle.wrong(report);
        oracle.unchecked = oracle.unchecked();
        oracle
    }

    fn wrong(&self, report: &Coverage) -> Vec<Wrong> {
        let lines = against_truth(report, self.truth, self.family).into_iter().filter_map(|found| {
            let line = found.difference.place.line()?;
            Some((Metric::Line, line, String::new(), found.difference.before, Vec::new()))
        });
        let others = numbers_of(report, Some(self.truth), self.family).into_iter();
        let others = others.filter(CheckedNumber::is_wrong).map(|found| {
            let place = found.what.to_string();
            (found.metric, found.line, place, found.count, found.right.unwrap_or_default())
        });
        lines.chain(others).collect()
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
        let mut new = self.wrong(faulty);
        new.retain(|found| !self.wrong.contains(found));
        let judge = |(metric, changes): (Metric, Vec<Change>)| {
            let verdict = self.verdict(metric, &changes, &new);
            Judged { metric, changes, verdict }
        };
        by_metric.into_iter().map(judge).collect()
    }

    fn verdict(&self, metric: Metric, changes: &[Change], new: &[Wrong]) -> Verdict {
        if new.iter().any(|found| found.0 == metric) {
            return Verdict::Noticed;
        }
        if !new.is_empty() {
            return Verdict::NoticedElsewhere;
        }
        let is_brace = |change: &&Change| metric == Metric::Line && self.truth.is_bare(change.place.line);
        let mut existing = changes.iter().filter(|change| !change.before.is_empty()).peekable();
        if existing.peek().is_none() {
            // Only numbers that should not be there.
            return if changes.iter().all(|change| is_brace(&change)) {
                Verdict::Braces
            } else {
                Verdict::Missed
            };
        }
        let checked: Vec<&Change> =
            existing.filter(|change| !self.unchecked.contains_key(&change.place)).collect();
        let is_wrong = |change: &&Change| {
            self.wrong.iter().any(|(of, line, ..)| *of == metric && *line == change.place.line)
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

    /// The counts that the number at `slot` may have, if they are known.
    pub fn right(&self, slot: Slot, place: &Place) -> Vec<u64> {
        let key = Key { metric: place.metric, line: place.line, place: at(self.report, slot) };
        let checked = numbers_of(self.report, Some(self.truth), self.family);
        let of = checked.into_iter().filter(|number| Key::of(number) == key);
        of.flat_map(|number| number.right.unwrap_or_default()).collect()
    }

    /// The numbers of which nothing says what is right.
    fn unchecked(&self) -> BTreeMap<Place, String> {
        let mut reasons: BTreeMap<Key, BTreeSet<&str>> = BTreeMap::new();
        let checked = numbers_of(self.report, Some(self.truth), self.family);
        for number in &checked {
            if let Err(why) = number.right
                && (number.metric != Metric::Path || why.starts_with(UNKNOWN_PATHS))
            {
                reasons.entry(Key::of(number)).or_default().insert(why);
            }
        }
        let mut unchecked = BTreeMap::new();
        for number in numbers(self.report, self.family) {
            let reason = if let Slot::Line(line) = number.slot {
                expected(self.truth, self.family, line).err().map(|why| why.to_string())
            } else {
                let Place { metric, line, .. } = number.place;
                let key = Key { metric, line, place: at(self.report, number.slot) };
                reasons.get(&key).map(|why| why.iter().copied().collect::<Vec<_>>().join("; "))
            };
            unchecked.extend(reason.map(|reason| (number.place, reason)));
        }
        unchecked
    }
}

/// What identifies a number in the report and in the list of checked numbers.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    metric: Metric,
    line: Line,
    place: String,
}

impl Key {
    fn of(number: &CheckedNumber) -> Key {
        let place = match &number.what {
            What::Function(name) => name.clone(),
            What::Branch(index) => index.to_string(),
            What::Outcome { start, end, is_true } => format!("{start:?} {end:?} {is_true}"),
            What::Region { start, end, kind } => format!("{start:?} {end:?} {kind:?}"),
            // Flags of decisions and paths are unknown together.
            _ => String::new(),
        };
        Key { metric: number.metric, line: number.line, place }
    }
}

/// The place of a number as in [`Key`].
fn at(report: &Coverage, slot: Slot) -> String {
    match slot {
        Slot::Function(index) => report.functions[index].name.clone(),
        Slot::Branch(index) => {
            let line = report.branches[index].line;
            report.branches[..index].iter().filter(|branch| branch.line == line).count().to_string()
        }
        Slot::True(index) | Slot::False(index) => {
            let branch = &report.tested[index];
            format!("{:?} {:?} {}", branch.start, branch.end, matches!(slot, Slot::True(_)))
        }
        Slot::Region(index) => {
            let region = &report.regions[index];
            format!("{:?} {:?} {:?}", region.start, region.end, region.kind)
        }
        Slot::Line(_) | Slot::Flag(..) | Slot::Vector(..) | Slot::Paths(..) => String::new(),
    }
}
