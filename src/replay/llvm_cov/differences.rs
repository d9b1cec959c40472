//! The numbers in which a report of llvm-cov differs from its replay. There should be none; each one is a fault of
//! llvm-cov's report, or of the replay.

use std::collections::{BTreeMap, BTreeSet};

use crate::coverage::{Coverage, llvm_json};
use crate::model::{Count, Line};

/// A part of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Line,
    Function,
    /// An outcome in the tracefile, of which only the line is known.
    Outcome,
    /// How often a branch was true.
    True,
    /// How often a branch was false.
    False,
    Region,
    Segment,
}

/// A number that llvm-cov reports otherwise.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deviation {
    pub part: Part,
    pub line: Line,
    /// The rest of its position, its kind or its name.
    pub detail: String,
    /// None if the report does not have it.
    pub reported: Option<Count>,
    /// None if the replay does not have it.
    pub replayed: Option<Count>,
}

/// A part, its line and the rest of its position.
type Key = (Part, Line, String);

/// Every number of `report` that differs from `replay`. Elements with the same position are compared in order of their
/// counts. Parts that were not read from a report of less detail must be removed from both.
pub fn differences(report: &Coverage, replay: &Coverage) -> Vec<Deviation> {
    let (reported, replayed) = (numbers(report), numbers(replay));
    let keys: BTreeSet<&Key> = reported.keys().chain(replayed.keys()).collect();
    let mut found = Vec::new();
    for key in keys {
        let counts = |of: &BTreeMap<Key, Vec<Count>>| of.get(key).cloned().unwrap_or_default();
        let (ours, theirs) = (counts(&replayed), counts(&reported));
        let (part, line, detail) = key;
        for index in 0..ours.len().max(theirs.len()) {
            let (reported, replayed) = (theirs.get(index).copied(), ours.get(index).copied());
            if !reported.zip(replayed).is_some_and(|(reported, replayed)| is_same(*part, reported, replayed))
            {
                let (part, line, detail) = (*part, *line, detail.clone());
                found.push(Deviation { part, line, detail, reported, replayed });
            }
        }
    }
    found
}

/// Whether llvm-cov prints `replayed` as `reported`.
fn is_same(part: Part, reported: Count, replayed: Count) -> bool {
    let clamp = match part {
        Part::Line | Part::Function | Part::Outcome => u64::MAX,
        Part::True | Part::False | Part::Region | Part::Segment => llvm_json::LARGEST,
    };
    reported == replayed.map(|count| count.min(clamp))
}

/// All counts of a report by their places, sorted.
fn numbers(coverage: &Coverage) -> BTreeMap<Key, Vec<Count>> {
    let mut all: BTreeMap<Key, Vec<Count>> = BTreeMap::new();
    let mut add = |part, line, detail, count| all.entry((part, line, detail)).or_default().push(count);
    for (line, count) in coverage.counted() {
        add(Part::Line, line, String::new(), Some(count));
    }
    for function in &coverage.functions {
        add(Part::Function, function.line, function.name.clone(), Some(function.count));
    }
    for branch in &coverage.branches {
        add(Part::Outcome, branch.line, String::new(), branch.taken);
    }
    let to = |start: (Line, u32), end: (Line, u32)| format!("column {} to {}:{}", start.1, end.0, end.1);
    for branch in &coverage.tested {
        add(Part::True, branch.start.0, to(branch.start, branch.end), Some(branch.yes));
        add(Part::False, branch.start.0, to(branch.start, branch.end), Some(branch.no));
    }
    for region in &coverage.regions {
        let detail = format!("{}, {}", to(region.start, region.end), region.kind.in_words());
        add(Part::Region, region.start.0, detail, Some(region.count));
    }
    for segment in &coverage.segments {
        let entry = if segment.is_entry { ", entry" } else { "" };
        let gap = if segment.is_gap { ", gap" } else { "" };
        let detail = format!("column {}{entry}{gap}", segment.column);
        add(Part::Segment, segment.line, detail, Some(segment.count).filter(|_| segment.has_count));
    }
    for counts in all.values_mut() {
        counts.sort_unstable();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::{Region, RegionKind, Tested};

    #[test]
    fn every_other_number_is_found_and_clamped_ones_are_equal() {
        let region = |count| Region {
            start: (1, 2),
            end: (3, 4),
            count,
            kind: RegionKind::Code,
            expansion: Vec::new(),
            function: "f".into(),
        };
        let tested = |no| Tested { start: (2, 1), end: (2, 3), yes: 1, no, expansion: Vec::new() };
        let of = |regions: &[u64], no, lines: &[(Line, u64)]| {
            let mut coverage: Coverage = lines.iter().copied().collect();
            coverage.regions = regions.iter().copied().map(region).collect();
            coverage.tested = vec![tested(no)];
            coverage
        };
        let largest = i64::MAX.unsigned_abs();
        let report = of(&[largest, 3], 7, &[(1, 5), (2, u64::MAX)]);
        assert_eq!(differences(&report, &of(&[3, u64::MAX - 1], 7, &[(1, 5), (2, u64::MAX)])), []);
        let found = differences(&report, &of(&[3], 8, &[(1, 5), (2, 6), (4, 0)]));
        let texts: Vec<_> = found.iter().map(|it| (it.part, it.line, it.reported, it.replayed)).collect();
        let expected = [
            (Part::Line, 2, Some(Some(u64::MAX)), Some(Some(6))),
            (Part::Line, 4, None, Some(Some(0))),
            (Part::False, 2, Some(Some(7)), Some(Some(8))),
            (Part::Region, 1, Some(Some(largest)), None),
        ];
        assert_eq!(texts, expected);
    }
}
