//! The numbers of a report, one by one: what faults change, and what must be noticed.

use std::collections::{BTreeMap, BTreeSet};

use recount::coverage::{Coverage, RegionKind};
use recount::model::{Family, Line, Metric};
use recount::replay::metric_of_decisions;

/// A number by its position, which two reports share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub metric: Metric,
    pub line: Line,
    /// The rest of the position, or the name.
    pub detail: String,
}

/// Where a report has a number: the line, or an index in the list of the metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Line(Line),
    Function(usize),
    Branch(usize),
    True(usize),
    False(usize),
    Region(usize),
    /// A flag of a decision, by the indices of both.
    Flag(usize, usize),
    /// The outcome of a test vector of a decision.
    Vector(usize, usize),
    /// How many paths of a function are covered.
    Paths(usize),
}

#[derive(Clone, Debug)]
pub struct Number {
    pub place: Place,
    pub slot: Slot,
    pub count: u64,
}

/// The numbers of the metrics that ground truth covers. The branches of llvm-cov are those with positions.
pub fn numbers(report: &Coverage, family: Family) -> Vec<Number> {
    let mut all = Vec::new();
    let mut add = |metric, line, detail: String, slot, count| {
        all.push(Number { place: Place { metric, line, detail }, slot, count });
    };
    for (line, count) in report.counted() {
        add(Metric::Line, line, String::new(), Slot::Line(line), count);
    }
    for (index, function) in report.functions.iter().enumerate() {
        add(Metric::Function, function.line, function.name.clone(), Slot::Function(index), function.count);
    }
    let metric = metric_of_decisions(family);
    // Those of other places keep their names if one is removed.
    let mut same: BTreeMap<(Line, Option<u32>), usize> = BTreeMap::new();
    for (index, decision) in report.decisions.iter().enumerate() {
        let number = same.entry((decision.line, decision.column)).or_default();
        let place = format!("decision {number} at {:?}", decision.column);
        *number += 1;
        for (flag, shown) in decision.shown.iter().enumerate() {
            let detail = format!("{place}, flag {flag}");
            add(metric, decision.line, detail, Slot::Flag(index, flag), u64::from(*shown));
        }
        for (vector, (values, outcome)) in decision.vectors.iter().flatten().enumerate() {
            let detail = format!("{place}, vector {values:?}");
            add(metric, decision.line, detail, Slot::Vector(index, vector), u64::from(*outcome));
        }
    }
    for (index, function) in report.paths.iter().enumerate() {
        add(Metric::Path, function.line, function.name.clone(), Slot::Paths(index), function.covered);
    }
    if family == Family::Gcov {
        let mut same: BTreeMap<Line, usize> = BTreeMap::new();
        for (index, branch) in report.branches.iter().enumerate() {
            let number = same.entry(branch.line).or_default();
            let count = branch.taken.unwrap_or(0);
            add(Metric::Branch, branch.line, number.to_string(), Slot::Branch(index), count);
            *number += 1;
        }
        return all;
    }
    for (index, branch) in report.tested.iter().enumerate() {
        let detail = |outcome| format!("{}:{} {outcome}", branch.start.0, branch.start.1);
        add(Metric::Branch, branch.start.0, detail("true"), Slot::True(index), branch.yes);
        add(Metric::Branch, branch.start.0, detail("false"), Slot::False(index), branch.no);
    }
    for (index, region) in
        report.regions.iter().enumerate().filter(|(_, region)| region.kind != RegionKind::Skipped)
    {
        let ((line, column), end) = (region.start, region.end);
        let detail = format!("{line}:{column} to {}:{}, {}", end.0, end.1, region.kind.in_words());
        add(Metric::Region, line, detail, Slot::Region(index), region.count);
    }
    all
}

/// `report` with another count, or without the number.
pub fn with(report: &Coverage, slot: Slot, count: Option<u64>) -> Coverage {
    let mut changed = report.clone();
    set(&mut changed, slot, count);
    changed
}

/// Give a number another count, or remove it.
pub fn set(report: &mut Coverage, slot: Slot, count: Option<u64>) {
    match (slot, count) {
        (Slot::Line(line), _) => {
            let rest = report.counted().filter(|(other, _)| *other != line);
            let lines: Coverage = rest.chain(count.map(|count| (line, count))).collect();
            let Coverage { functions, branches, tested, decisions, paths, regions, .. } =
                std::mem::replace(report, lines);
            (report.functions, report.branches, report.tested) = (functions, branches, tested);
            (report.decisions, report.paths, report.regions) = (decisions, paths, regions);
        }
        (Slot::Function(index), Some(count)) => report.functions[index].count = count,
        (Slot::Branch(index), Some(count)) => report.branches[index].taken = Some(count),
        (Slot::True(index), Some(count)) => report.tested[index].yes = count,
        (Slot::False(index), Some(count)) => report.tested[index].no = count,
        (Slot::Region(index), Some(count)) => report.regions[index].count = count,
        (Slot::Flag(index, flag), Some(count)) => report.decisions[index].shown[flag] = count > 0,
        (Slot::Flag(index, _), None) => drop(report.decisions.remove(index)),
        (Slot::Vector(index, vector), count) => {
            let Some(vectors) = &mut report.decisions[index].vectors else { return };
            match count {
                Some(count) => vectors[vector].1 = count > 0,
                None => drop(vectors.remove(vector)),
            }
        }
        (Slot::Paths(index), Some(count)) => report.paths[index].covered = count,
        (Slot::Paths(index), None) => drop(report.paths.remove(index)),
        (Slot::Function(index), None) => drop(report.functions.remove(index)),
        (Slot::Branch(index), None) => drop(report.branches.remove(index)),
        (Slot::True(index) | Slot::False(index), None) => drop(report.tested.remove(index)),
        (Slot::Region(index), None) => drop(report.regions.remove(index)),
    }
}

/// A number that differs between two reports. Several elements may share a place.
#[derive(Clone, Debug)]
pub struct Change {
    pub place: Place,
    pub before: Vec<u64>,
    pub after: Vec<u64>,
}

pub fn changes(before: &Coverage, after: &Coverage, family: Family) -> Vec<Change> {
    let by_place = |report| {
        let mut found: BTreeMap<Place, Vec<u64>> = BTreeMap::new();
        for number in numbers(report, family) {
            found.entry(number.place).or_default().push(number.count);
        }
        for counts in found.values_mut() {
            counts.sort_unstable();
        }
        found
    };
    let (before, after) = (by_place(before), by_place(after));
    let places: BTreeSet<&Place> = before.keys().chain(after.keys()).collect();
    let change = |place: &Place| {
        let [before, after] = [&before, &after].map(|report| report.get(place).cloned().unwrap_or_default());
        (before != after).then(|| Change { place: place.clone(), before, after })
    };
    places.into_iter().filter_map(change).collect()
}
