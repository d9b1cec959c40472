//! llvm-cov's report, computed again from the coverage mapping in the program and the counters of its profile:
//! `records` gives each region its count, `segments` cuts the text, and `lines` applies the rule for lines.
//!
//! The rules are those of CoverageMapping.cpp; where they differ between LLVM 11 and 24, the text says so.

mod branches;
mod counts;
mod differences;
mod lines;
mod records;
mod segments;
mod totals;

pub use counts::{Values, below_zero};
pub use differences::{Deviation, Part, differences};
pub use lines::{Element, LineElements, RegionElement, lines};
pub use segments::{Combined, CountedRegion, Cut, combine, cut};
pub use totals::totals;

use std::sync::Arc;

use crate::coverage::{Coverage, FunctionCount, LlvmCounts, LlvmData, LlvmMapping, Region};
use crate::model::Line;

/// A report that was computed again, and the regions that it was computed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LlvmReplay {
    /// Lines, functions, branches, regions and segments. Counts are not cut to the largest number of JSON.
    pub coverage: Coverage,
    /// The regions of the file, in the order of the report.
    pub regions: Vec<CountedRegion>,
    /// The regions after those with equal extents were combined.
    pub combined: Vec<Combined>,
    /// The segments, in order.
    pub cuts: Vec<Cut>,
}

impl LlvmReplay {
    /// What decides the count of `line`. `mapping` is the one that was replayed.
    pub fn elements(&self, mapping: &LlvmMapping, line: Line) -> LineElements {
        let count = self.coverage.line(line);
        lines::elements((line, count), &self.cuts, &self.combined, &self.regions, mapping)
    }
}

/// The report of llvm-cov on the data of a program.
pub fn replay_data(data: &LlvmData) -> LlvmReplay {
    replay(&data.mapping, &data.counts, &data.file, data.version)
}

/// The report of llvm-cov, whose major version is `version`, on the file that `mapping` calls `file`.
pub fn replay(mapping: &LlvmMapping, profile: &LlvmCounts, file: &str, version: u32) -> LlvmReplay {
    let mut coverage = Coverage::default();
    let mut regions: Vec<CountedRegion> = Vec::new();
    let records = records::load(mapping, profile, file);
    for record in &records {
        let name: Arc<str> = record.name.into();
        let first = regions.len();
        regions.extend(record.counted(|file| record.is_ours(file)));
        coverage.regions.extend(regions[first..].iter().map(|region| report_region(region, &name)));
        coverage.tested.extend(branches::tested(record));
        // llvm-cov lists a function under its first file.
        if let Some((line, count)) = record.head().filter(|_| record.is_ours(0)) {
            coverage.functions.push(FunctionCount { name: record.name.to_string(), line, count });
        }
    }
    coverage.branches = branches::outcomes(&records, version);
    let combined = combine(&regions);
    let cuts = cut(&combined);
    let derived = lines::of_segments(cuts.iter().map(|cut| cut.segment.clone()), version);
    derived.counted().for_each(|(line, count)| coverage.add_line(line, count));
    coverage.segments = cuts.iter().map(|cut| cut.segment.clone()).collect();
    LlvmReplay { coverage, regions, combined, cuts }
}

fn report_region(region: &CountedRegion, function: &Arc<str>) -> Region {
    let CountedRegion { kind, start, end, count, .. } = *region;
    Region { start, end, count, kind, expansion: region.expansion.clone(), function: Arc::clone(function) }
}
