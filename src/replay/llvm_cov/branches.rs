//! The outcomes of branches as llvm-cov's tracefile lists them (`renderBranchExecutionCounts` and
//! `collectNestedBranches` in CoverageExporterLcov.cpp): a branch in the text of a macro is listed on the line of each
//! expansion of the macro in the file of the function.
//!
//! Three rules are faults of llvm-cov, which are repeated here so that other faults are seen. Counts are cut to 32 bits.
//! From LLVM 21 on, a branch in the text of a macro is also listed where it is written, and branches are added up if they
//! begin at the same place or are in the same expansion, as the two branches of `#define BOTH(a, b) ((a) && (b))` are.

use std::collections::BTreeMap;

use super::records::Record;
use crate::coverage::{BranchCount, Counter, Expansion, MappingRegion, Tested};

/// The first version that adds up branches (`combineInstanceCounts`).
const ADDS_BRANCHES: u32 = 21;

/// Where a branch is listed: the place where it begins, or for one in a macro the expansion.
type Place = Expansion;

/// Branches without the ones whose outcome the compiler knows, with how often they were true and false.
fn branches<'a>(record: &'a Record<'_>) -> impl Iterator<Item = (&'a MappingRegion, (u64, u64))> {
    let pairs = record.mapping.regions.iter().zip(record.counts.iter().copied());
    let is_folded =
        |region: &MappingRegion| (region.counter, region.false_counter) == (Counter::Zero, Counter::Zero);
    pairs.filter(move |(region, _)| region.kind.is_branch() && !is_folded(region))
}

/// The branches of `record` in the file of the report, with their positions (`renderBranchRegions` in
/// CoverageExporterJson.cpp).
pub fn tested(record: &Record<'_>) -> Vec<Tested> {
    let ours = branches(record).filter(|(region, _)| record.is_ours(region.file));
    let tested = |(region, (yes, no)): (&MappingRegion, _)| {
        let expansion = record.expansion(region.file).clone();
        Tested { start: region.start, end: region.end, yes, no, expansion }
    };
    ours.map(tested).collect()
}

/// The outcomes of all branches of `records`, sorted by line.
pub fn outcomes(records: &[Record<'_>], version: u32) -> Vec<BranchCount> {
    let adds = version >= ADDS_BRANCHES;
    let mut listed: Vec<(Place, (u64, u64))> = Vec::new();
    for record in records {
        let main = record.main_file().filter(|file| record.is_ours(*file));
        let is_listed = |branch: &MappingRegion| {
            if adds { record.is_ours(branch.file) } else { Some(branch.file) == main }
        };
        let own = branches(record).filter(|(branch, _)| is_listed(branch));
        listed.extend(own.map(|(branch, counts)| (vec![branch.start], counts)));
        let nested = branches(record).filter_map(|(branch, counts)| {
            let (expansion, root) = &record.expansions[branch.file as usize];
            let is_ours = !expansion.is_empty() && Some(*root) == main.map(|main| main as usize);
            is_ours.then(|| (expansion.clone(), counts))
        });
        listed.extend(nested);
    }
    if adds {
        let mut sums: BTreeMap<Place, (u64, u64)> = BTreeMap::new();
        for (place, (yes, no)) in listed {
            let sum = sums.entry(place).or_default();
            *sum = (sum.0.wrapping_add(yes), sum.1.wrapping_add(no));
        }
        listed = sums.into_iter().collect();
    }
    listed.sort();
    let both = |(place, (yes, no)): (Place, (u64, u64))| {
        let [yes, no] = [yes, no].map(|count| count & u64::from(u32::MAX));
        let taken = |count| Some(count).filter(|_| (yes, no) != (0, 0));
        [yes, no].map(|count| BranchCount { line: place[0].0, taken: taken(count) })
    };
    listed.into_iter().flat_map(both).collect()
}
