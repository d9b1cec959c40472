//! From segments to lines, and the elements that decide the count of a line (`LineCoverageStats`).

use super::counts::below_zero;
use super::segments::{Combined, CountedRegion, Cut, combine, cut};
use crate::coverage::{Coverage, LlvmMapping, RegionKind, Segment, llvm_json};
use crate::model::{Count, Line};

/// The line counts that llvm-cov of `version` derives from `regions`.
pub fn lines(regions: &[CountedRegion], version: u32) -> Coverage {
    of_segments(cut(&combine(regions)).into_iter().map(|cut| cut.segment), version)
}

/// The line counts that llvm-cov of `version` derives from `segments`.
pub fn of_segments(segments: impl Iterator<Item = Segment>, version: u32) -> Coverage {
    let segments: Vec<Segment> = segments.collect();
    llvm_json::lines_from_segments(&segments, version)
}

/// What llvm-cov derives the count of a line from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineElements {
    pub count: Count,
    /// The segment that reaches the line from an earlier one.
    pub wrapped: Option<Element>,
    /// The segments that begin on the line.
    pub begins: Vec<Element>,
}

/// A segment and where its count comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    pub segment: Segment,
    /// Whether the line has its count: the wrapped segment and entries that are no gaps take part, the largest decides.
    pub decides: bool,
    /// The regions whose counts are added.
    pub regions: Vec<RegionElement>,
}

/// A region with the formula of its count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionElement {
    pub function: String,
    pub kind: RegionKind,
    pub start: (Line, u32),
    pub end: (Line, u32),
    pub formula: String,
    pub count: u64,
    /// The value of the formula if it fell below zero.
    pub below_zero: Option<i64>,
}

/// The elements of `line`, whose count is `count`.
pub fn elements(
    (line, count): (Line, Count),
    cuts: &[Cut],
    combined: &[Combined],
    regions: &[CountedRegion],
    mapping: &LlvmMapping,
) -> LineElements {
    let first = cuts.partition_point(|cut| cut.segment.line < line);
    let here = cuts[first..].iter().take_while(|cut| cut.segment.line == line);
    let element = |cut: &Cut, takes_part: bool| {
        let parts = combined[cut.region].parts.iter().map(|part| region_element(&regions[*part], mapping));
        let decides = takes_part && cut.segment.has_count && Some(cut.segment.count) == count;
        Element { segment: cut.segment.clone(), decides, regions: parts.collect() }
    };
    let wrapped = first.checked_sub(1).map(|index| element(&cuts[index], true));
    let begins = here.map(|cut| element(cut, cut.segment.is_entry && !cut.segment.is_gap));
    LineElements { count, wrapped, begins: begins.collect() }
}

fn region_element(region: &CountedRegion, mapping: &LlvmMapping) -> RegionElement {
    let function = &mapping.functions[region.function];
    RegionElement {
        function: function.name.clone(),
        kind: region.kind,
        start: region.start,
        end: region.end,
        formula: function.formula(function.regions[region.index].counter),
        count: region.count,
        below_zero: below_zero(region.count),
    }
}
