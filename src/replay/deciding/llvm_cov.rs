//! llvm-cov: the segment that reaches a line, the segments that begin on it, and the regions that give them their counts
//! (`LineCoverageStats` in CoverageMapping.cpp).

use std::collections::BTreeSet;

use super::super::expected::reached_at;
use super::super::llvm_cov::{Element, LlvmReplay, RegionElement, replay_data};
use super::unexplained::differs;
use crate::coverage::{Coverage, LlvmMapping, RegionKind, without_file};
use crate::model::{DecidingElement, Line};
use crate::truth::Truth;

/// The regions of a program.
pub(super) struct Regions<'a> {
    report: &'a Coverage,
    mapping: &'a LlvmMapping,
    replay: LlvmReplay,
    truth: Option<&'a Truth>,
}

impl<'a> Regions<'a> {
    pub(super) fn new(report: &'a Coverage, truth: Option<&'a Truth>) -> Result<Regions<'a>, String> {
        let data = report.mapping_data()?;
        Ok(Regions { report, mapping: &data.mapping, replay: replay_data(data), truth })
    }

    pub(super) fn deciding(&self, line: Line) -> Result<Vec<DecidingElement>, String> {
        let elements = self.replay.elements(self.mapping, line);
        if elements.count != self.report.line(line) {
            let replayed = elements.count.map_or("none".into(), |count| count.to_string());
            return Err(differs("llvm-cov", &replayed, self.report.line(line)));
        }
        let shown = Shown { truth: self.truth, line };
        let wrapped = elements.wrapped.iter().flat_map(|element| shown.segment(element, true));
        let begins = elements.begins.iter().flat_map(|element| shown.segment(element, false));
        let found: Vec<DecidingElement> = wrapped.chain(begins).collect();
        if found.is_empty() { Err("no region contains the line".into()) } else { Ok(found) }
    }
}

/// How often control reached the first token of `line` that is not before `column`.
fn reached_from(truth: &Truth, line: Line, column: u32) -> BTreeSet<u64> {
    let is_after = |at: Option<u32>| at.is_some_and(|at| at >= column);
    let token = truth.typed_on(line).iter().find(|token| is_after(token.column));
    token.and_then(|token| truth.reached(token)).unwrap_or_default()
}

struct Shown<'a> {
    truth: Option<&'a Truth>,
    line: Line,
}

impl Shown<'_> {
    /// The segment, then its regions.
    fn segment(&self, element: &Element, is_wrapped: bool) -> Vec<DecidingElement> {
        let segment = &element.segment;
        let from = if is_wrapped { 1 } else { segment.column };
        let truth = self.truth.map(|truth| reached_from(truth, self.line, from)).unwrap_or_default();
        let source = match (segment.has_count, element.regions.len()) {
            (false, _) => "skipped text".into(),
            (true, 1) => "the count of its region".into(),
            (true, number) => format!("the sum of {number} regions of equal extent"),
        };
        let mut found = vec![DecidingElement {
            element: if is_wrapped { "wrapped segment" } else { "segment" }.into(),
            place: format!("from {}:{}", segment.line, segment.column),
            source,
            count: segment.has_count.then_some(segment.count.cast_signed()),
            truth: truth.into_iter().collect(),
            decides: element.decides,
        }];
        found.extend(element.regions.iter().map(|region| self.region(region)));
        found
    }

    fn region(&self, region: &RegionElement) -> DecidingElement {
        let kind = match region.kind {
            RegionKind::Code => "code region",
            RegionKind::Expansion => "expansion region",
            RegionKind::Skipped => "skipped region",
            RegionKind::Gap => "gap region",
            RegionKind::Branch | RegionKind::Decision | RegionKind::Condition => "branch region",
        };
        let end = match region.end {
            (line, u32::MAX) => format!("end of line {line}"),
            (line, column) => format!("{line}:{column}"),
        };
        let begun = self.truth.filter(|_| region.kind != RegionKind::Gap);
        let truth = begun.map(|truth| reached_at(truth, region.start)).unwrap_or_default();
        DecidingElement {
            element: format!("  {kind} of {}", without_file(&region.function)),
            place: format!("{}:{} to {end}", region.start.0, region.start.1),
            source: region.formula.clone(),
            count: (region.kind != RegionKind::Skipped).then_some(region.count.cast_signed()),
            truth: truth.into_iter().collect(),
            decides: false,
        }
    }
}
