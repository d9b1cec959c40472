//! The outcomes of branches as llvm-cov's tracefile lists them (`renderBranchExecutionCounts` and
//! `collectNestedBranches` in CoverageExporterLcov.cpp): a branch in the text of a macro is listed where it is written
//! and on the line of each expansion of the macro in the file of the function.

use std::collections::HashSet;

use super::records::Record;
use crate::coverage::{BranchCount, Counter, MappingRegion, RegionKind, Tested};
use crate::model::Line;

/// Branches without the ones whose outcome the compiler knows, with how often they were true and false.
fn branches<'a>(record: &'a Record<'_>) -> impl Iterator<Item = (&'a MappingRegion, (u64, u64))> {
    let pairs = record.mapping.regions.iter().zip(record.counts.iter().copied());
    let is_folded =
        |region: &MappingRegion| (region.counter, region.false_counter) == (Counter::Zero, Counter::Zero);
    pairs.filter(move |(region, _)| region.kind.is_branch() && !is_folded(region))
}

/// The branches of `record` in files for which `is_ours`, with their positions (`renderBranchRegions` in
/// CoverageExporterJson.cpp).
pub fn tested(record: &Record<'_>, is_ours: impl Fn(u32) -> bool) -> Vec<Tested> {
    let ours = branches(record).filter(|(region, _)| is_ours(region.file));
    ours.map(|(region, (yes, no))| Tested { start: region.start, end: region.end, yes, no }).collect()
}

/// The outcomes of the branches of `record`, in no order.
pub fn outcomes(record: &Record<'_>, is_ours: impl Fn(u32) -> bool) -> Vec<BranchCount> {
    let mut all: Vec<(Line, (u64, u64))> = Vec::new();
    let own = branches(record).filter(|(region, _)| is_ours(region.file));
    all.extend(own.map(|(region, counts)| (region.start.0, counts)));
    if let Some(main) = record.main_file().filter(|file| is_ours(*file)) {
        for region in expansions(record, main) {
            let files = expanded_files(record, region.expanded_file);
            let nested = branches(record).filter(|(branch, _)| files.contains(&branch.file));
            all.extend(nested.map(|(_, counts)| (region.start.0, counts)));
        }
    }
    let both = |(line, (yes, no))| {
        let taken = |count| Some(count).filter(|_| (yes, no) != (0, 0));
        [yes, no].map(|count| BranchCount { line, taken: taken(count) })
    };
    all.into_iter().flat_map(both).collect()
}

fn expansions<'a>(record: &'a Record<'_>, file: u32) -> impl Iterator<Item = &'a MappingRegion> {
    let of_file = move |region: &&MappingRegion| region.kind == RegionKind::Expansion && region.file == file;
    record.mapping.regions.iter().filter(of_file)
}

/// `file` and the files of all expansions in it.
fn expanded_files(record: &Record<'_>, file: u32) -> HashSet<u32> {
    let mut found = HashSet::from([file]);
    let mut queue = vec![file];
    while let Some(next) = queue.pop() {
        let nested = expansions(record, next).map(|region| region.expanded_file);
        queue.extend(nested.filter(|file| found.insert(*file)));
    }
    found
}
