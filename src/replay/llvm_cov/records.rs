//! Which functions llvm-cov reports and with which counts (`CoverageMapping::loadFunctionRecord`).

use std::collections::HashSet;

use super::counts::Values;
use super::segments::CountedRegion;
use crate::coverage::{Counter, Expansion, FunctionMapping, LlvmCounts, LlvmMapping, Recorded, RegionKind};
use crate::model::{Line, is_same_path};

/// A function that is reported (`FunctionRecord`).
pub struct Record<'a> {
    /// Its place in [`LlvmMapping::functions`].
    pub index: usize,
    pub mapping: &'a FunctionMapping,
    /// As reports print it.
    pub name: &'a str,
    /// For each of its files whether it is the one that the report is about.
    ours: Vec<bool>,
    /// For each of its regions the count; of a branch how often it was true and how often false.
    pub counts: Vec<(u64, u64)>,
    /// [`FunctionMapping::expansions`].
    pub expansions: Vec<(Expansion, usize)>,
}

impl Record<'_> {
    /// The expansion that the file with this number is.
    pub fn expansion(&self, file: u32) -> &Expansion {
        &self.expansions[file as usize].0
    }

    /// Whether the report is about the file with this number.
    pub fn is_ours(&self, file: u32) -> bool {
        self.ours.get(file as usize) == Some(&true)
    }

    /// Its regions with a count of their own in the files for which `is_in` holds, in their order.
    pub fn counted(&self, is_in: impl Fn(u32) -> bool) -> impl Iterator<Item = CountedRegion> {
        let pairs = self.mapping.regions.iter().zip(&self.counts).enumerate();
        let own = pairs.filter(move |(_, (region, _))| is_counted(region.kind) && is_in(region.file));
        own.map(|(index, (region, (count, _)))| CountedRegion {
            function: self.index,
            index,
            kind: region.kind,
            start: region.start,
            end: region.end,
            count: *count,
            expansion: self.expansion(region.file).clone(),
        })
    }

    /// The line of its definition and how often it was called, which are those of its first region.
    pub fn head(&self) -> Option<(Line, u64)> {
        let first = self.mapping.regions.iter().zip(&self.counts).find(|(region, _)| is_counted(region.kind));
        first.map(|(region, count)| (region.start.0, count.0))
    }

    /// The number of the file that contains the definition: the first one that is no expansion (`findMainViewFileID`).
    pub fn main_file(&self) -> Option<u32> {
        let expansions = self.mapping.regions.iter().filter(|region| region.kind == RegionKind::Expansion);
        let expanded: HashSet<u32> = expansions.map(|region| region.expanded_file).collect();
        (0..u32::try_from(self.mapping.files.len()).ok()?).find(|file| !expanded.contains(file))
    }
}

/// Whether a region is listed among the regions of its function, and has a count of its own.
pub fn is_counted(kind: RegionKind) -> bool {
    !kind.is_branch() && kind != RegionKind::Decision
}

/// The functions of `mapping` that llvm-cov reports and that have text in `file`, with their counts in `profile`.
pub fn load<'a>(mapping: &'a LlvmMapping, profile: &LlvmCounts, file: &str) -> Vec<Record<'a>> {
    let mut seen = HashSet::new();
    let mut records = Vec::new();
    for (index, function) in mapping.functions.iter().enumerate() {
        let counters = match profile.of(function.name_hash, function.hash) {
            Recorded::Counters(counters) => Some(counters),
            Recorded::Nothing => None,
            // llvm-cov warns that the function has mismatched data.
            Recorded::OtherHash => continue,
        };
        // A placeholder for a function that another module contains.
        let entered = counters.and_then(|counters| counters.first()).is_some_and(|count| *count > 0);
        if entered && matches!(&function.regions[..], [region] if region.counter == Counter::Zero) {
            continue;
        }
        let values = Values::new(function, counters);
        let evaluated = function.regions.iter().map(|region| {
            if region.kind == RegionKind::Decision {
                return Some((0, 0));
            }
            Some((values.of(region.counter)?, values.of(region.false_counter)?))
        });
        let Some(counts) = evaluated.collect::<Option<Vec<(u64, u64)>>>() else { continue };
        let name = without_file(function);
        let ours: Vec<bool> = function.files.iter().map(|name| is_same_path(name, file)).collect();
        if seen.insert((&function.files, name)) && ours.contains(&true) {
            let expansions = function.expansions();
            records.push(Record { index, mapping: function, name, ours, counts, expansions });
        }
    }
    records
}

/// The name without that of the first file, which precedes names of static functions (`getFuncNameWithoutPrefix`).
fn without_file(function: &FunctionMapping) -> &str {
    let prefix = function.files.first().filter(|file| function.name.starts_with(&***file));
    prefix.map_or(&function.name, |file| function.name.get(file.len() + 1..).unwrap_or_default())
}
