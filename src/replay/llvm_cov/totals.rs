//! llvm-cov's totals of a file, from the coverage of each of its functions (`FunctionCoverageSummary` and
//! `FileCoverageSummary` in CoverageSummaryInfo.cpp, `prepareSingleFileReport` in CoverageReport.cpp).
//!
//! Functions that begin at one place are instantiations of one: the largest number of each counts for all. So the totals of
//! lines are sums over functions, and differ from the number of lines that the file has.

use std::collections::{BTreeMap, VecDeque};

use super::lines::of_segments;
use super::records::{Record, is_counted, load};
use super::segments::{CountedRegion, combine, cut};
use crate::coverage::{Conditions, Counter, LlvmData, MappingRegion, RegionKind};
use crate::model::Line;

/// The first version in which a single outcome of a branch may be folded (`TrueFolded`, `FalseFolded`).
const FOLDS_OUTCOMES: u32 = 20;

/// How many elements there are, and how many of them are covered.
type Sum = (u64, u64);

/// The totals that follow from `data`, by the keys of the JSON; `decisions` are those of the report. `mcdc` is missing if the compiler
/// knows the outcome of a condition.
pub fn totals(data: &LlvmData, decisions: &[Conditions]) -> BTreeMap<String, Sum> {
    let mut decisions = Decisions::new(decisions);
    let (mut instantiations, mut knows_conditions) = ((0, 0), true);
    let mut groups: BTreeMap<(Line, u32), BTreeMap<&str, Sum>> = BTreeMap::new();
    for record in &load(&data.mapping, &data.counts, &data.file) {
        let Some(file) = record.main_file().filter(|file| record.is_ours(*file)) else { continue };
        let mut own =
            record.mapping.regions.iter().filter(|region| region.file == file && is_counted(region.kind));
        let Some(first) = own.next() else { continue };
        let is_entered = u64::from(record.head().is_some_and(|(_, count)| count > 0));
        instantiations = add(instantiations, (1, is_entered));
        let parts = [
            ("functions", (1, is_entered)),
            ("lines", lines(record, file, data.version)),
            ("regions", regions(record)),
            ("branches", branches(record, file, data.version)),
        ];
        let conditions = conditions(record, file, &mut decisions);
        knows_conditions &= conditions.is_some();
        let group = groups.entry(first.start).or_default();
        for (key, (all, covered)) in parts.into_iter().chain(conditions.map(|sum| ("mcdc", sum))) {
            let most = group.entry(key).or_default();
            *most = (most.0.max(all), most.1.max(covered));
        }
    }
    let mut totals = BTreeMap::from([("instantiations".to_string(), instantiations)]);
    for (key, sum) in groups.into_values().flatten() {
        let total = totals.entry(key.to_string()).or_default();
        *total = add(*total, sum);
    }
    totals.retain(|key, _| knows_conditions || key != "mcdc");
    totals
}

fn add(to: Sum, (all, covered): Sum) -> Sum {
    (to.0 + all, to.1 + covered)
}

fn sum(elements: impl Iterator<Item = bool>) -> Sum {
    elements.fold((0, 0), |(all, covered), is_covered| (all + 1, covered + u64::from(is_covered)))
}

/// The lines of the function's own text, counted as if it were alone in the file.
fn lines(record: &Record<'_>, file: u32, version: u32) -> Sum {
    let counted: Vec<CountedRegion> = record.counted(|other| other == file).collect();
    let segments = cut(&combine(&counted)).into_iter().map(|cut| cut.segment);
    sum(of_segments(segments, version).counted().map(|(_, count)| count > 0))
}

/// Whether the region is in the text of the `file` or in an expansion in it.
fn is_within(record: &Record<'_>, region: &MappingRegion, file: u32) -> bool {
    record.expansions[region.file as usize].1 == file as usize
}

/// The code regions of the function, those in the text of macros too.
fn regions(record: &Record<'_>) -> Sum {
    let pairs = record.mapping.regions.iter().zip(&record.counts);
    sum(pairs.filter(|(region, _)| region.kind == RegionKind::Code).map(|(_, (count, _))| *count > 0))
}

/// The outcomes of the branches in the function's text and in the expansions in it.
fn branches(record: &Record<'_>, file: u32, version: u32) -> Sum {
    let pairs = record.mapping.regions.iter().zip(&record.counts);
    let own = pairs.filter(|(region, _)| region.kind.is_branch() && is_within(record, region, file));
    let outcomes = own.flat_map(|(region, (yes, no))| {
        let folded = [region.counter, region.false_counter].map(|counter| counter == Counter::Zero);
        let folded = if version < FOLDS_OUTCOMES { [folded[0] && folded[1]; 2] } else { folded };
        [(folded[0], *yes), (folded[1], *no)]
    });
    sum(outcomes.filter(|(is_folded, _)| !is_folded).map(|(_, count)| count > 0))
}

/// The decisions of a report that no function has taken yet: an argument that a macro repeats has several at one place, in the
/// order of the mapping.
struct Decisions<'a>(BTreeMap<(Line, Option<u32>), VecDeque<&'a Conditions>>);

impl<'a> Decisions<'a> {
    fn new(all: &'a [Conditions]) -> Decisions<'a> {
        let mut places: BTreeMap<_, VecDeque<&Conditions>> = BTreeMap::new();
        for found in all {
            places.entry((found.line, found.column)).or_default().push_back(found);
        }
        Decisions(places)
    }

    fn next_at(&mut self, (line, column): (Line, u32)) -> Option<&'a Conditions> {
        self.0.get_mut(&(line, Some(column)))?.pop_front()
    }
}

/// The conditions of the decisions in the function's text; none if the compiler knows the outcome of one: which decision it is
/// of is not read, and llvm-cov does not count it.
fn conditions(record: &Record<'_>, file: u32, decisions: &mut Decisions<'_>) -> Option<Sum> {
    let mut all = (0, 0);
    for region in record.mapping.regions.iter().filter(|region| region.kind == RegionKind::Decision) {
        let found = decisions.next_at(region.start).filter(|_| region.file == file);
        all = add(all, found.map_or((0, 0), |found| (found.shown.len() as u64, found.covered)));
    }
    let is_folded = |region: &MappingRegion| {
        region.kind == RegionKind::Condition
            && (region.counter == Counter::Zero || region.false_counter == Counter::Zero)
    };
    (!record.mapping.regions.iter().any(is_folded)).then_some(all)
}
