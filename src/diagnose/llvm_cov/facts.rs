//! Facts: the replayed report and the true counts of positions, side by side.

use std::collections::{BTreeMap, BTreeSet};

use super::departure::{Departure, Span};
use crate::coverage::{
    Counter, Crash, FunctionMapping, LlvmData, MappingRegion, Recorded, Region, RegionKind,
};
use crate::diagnose::diagnosis::Case;
use crate::model::{Family, Line, is_same_path};
use crate::replay::llvm_cov::{Combined, CountedRegion, Cut, LlvmReplay, Values, replay_data};
use crate::replay::{CheckedNumber, expected_region, numbers, reached_at};
use crate::syntax::{PointId, PointToken, Program};
use crate::truth::Truth;

/// A line and a column.
pub(super) type Position = (Line, u32);

/// A report, its replay and ground truth.
pub(super) struct Facts<'a> {
    pub truth: &'a Truth,
    pub program: &'a Program,
    pub data: &'a LlvmData,
    pub crash: Option<&'a Crash>,
    pub replay: LlvmReplay,
    /// The numbers of the report that are not counts of lines.
    pub numbers: Vec<CheckedNumber>,
    /// The tokens by the positions at which they were typed.
    pub tokens: Vec<(Position, &'a PointToken)>,
    /// All tokens in the order of the preprocessed text, each with its line.
    pub ordered: Vec<(Line, &'a PointToken)>,
    /// The first and the last byte of each point in the preprocessed text, and where its first token was typed.
    pub spans: Vec<Option<Span>>,
    /// Found in the other facts, once these are there.
    pub departures: Vec<Departure>,
}

impl<'a> Facts<'a> {
    pub fn new(case: &Case<'a>) -> Result<Facts<'a>, String> {
        let data = case.report.mapping_data()?;
        let truth = case.truth;
        let of_file = truth.lines.iter();
        let of_file = of_file.flat_map(|(line, tokens)| tokens.iter().map(|token| (*line, token)));
        let elsewhere = truth.elsewhere.iter().filter_map(|(line, token)| Some(((*line)?, token)));
        let mut ordered: Vec<(Line, &PointToken)> = of_file.chain(elsewhere).collect();
        ordered.sort_by_key(|(_, token)| token.offset);
        Ok(Facts {
            truth,
            program: case.program,
            data,
            crash: case.report.crash.as_deref(),
            replay: replay_data(data),
            numbers: numbers(case.report, Some(truth), Family::LlvmCov),
            tokens: truth.placed().collect(),
            spans: spans(truth, &ordered),
            ordered,
            departures: Vec::new(),
        })
    }

    /// The segment that contains `position`.
    pub fn cut_at(&self, position: Position) -> Option<&Cut> {
        let is_before = |cut: &Cut| (cut.segment.line, cut.segment.column) <= position;
        let after = self.replay.cuts.partition_point(is_before);
        after.checked_sub(1).map(|index| &self.replay.cuts[index])
    }

    /// The region that gives the segment `cut` its count at `position`: the innermost one. A segment that would repeat the
    /// one before it is left out, so the region with which a segment begins may have ended.
    pub fn around(&self, cut: &Cut, position: Position) -> usize {
        let after = self.replay.combined.partition_point(|region| region.start <= position);
        let around = (0..after).rev().find(|index| self.replay.combined[*index].end > position);
        let has_its_count = |index: &usize| {
            let region = &self.replay.combined[*index];
            region.kind != RegionKind::Skipped && region.count == cut.segment.count
        };
        around.filter(has_its_count).unwrap_or(cut.region)
    }

    /// The region that gives the code at `position` its count.
    pub fn region_at(&self, position: Position) -> Option<usize> {
        Some(self.around(self.cut_at(position)?, position))
    }

    /// The regions whose counts are added in `combined`.
    pub fn parts<'b>(&'b self, combined: &'b Combined) -> impl Iterator<Item = &'b CountedRegion> {
        combined.parts.iter().map(|part| &self.replay.regions[*part])
    }

    /// The region of length zero at `position`.
    pub fn empty_region(&self, position: Position) -> Option<&Combined> {
        let is_it = |region: &&Combined| {
            region.start == position && region.end == position && region.kind != RegionKind::Skipped
        };
        self.replay.combined.iter().find(is_it)
    }

    /// The tokens that were typed from `start` to before `end`.
    pub fn typed(&self, start: Position, end: Position) -> &[(Position, &'a PointToken)] {
        let first = self.tokens.partition_point(|(position, _)| *position < start);
        let last = self.tokens.partition_point(|(position, _)| *position < end);
        &self.tokens[first..last.max(first)]
    }

    /// The last token before byte `offset` of the preprocessed text, and its line.
    pub fn before(&self, offset: usize) -> Option<(Line, &'a PointToken)> {
        let after = self.ordered.partition_point(|(_, token)| token.offset < offset);
        after.checked_sub(1).map(|index| self.ordered[index])
    }

    /// The byte of the preprocessed text at which the code at `position` begins: where it was typed for the first time.
    pub fn offset(&self, position: Position) -> Option<usize> {
        let (line, column) = position;
        let next = self.typed(position, (line + 1, 0)).first().map(|(next, _)| *next)?;
        let here = self.typed(next, (next.0, next.1 + 1)).iter().map(|(_, token)| token.offset).min();
        here.filter(|_| next.1 >= column)
    }

    /// The regions of `function` in the file of the report.
    pub fn regions<'b>(&'b self, function: &'b FunctionMapping) -> impl Iterator<Item = &'b CountedRegion> {
        self.replay.regions.iter().filter(move |region| std::ptr::eq(self.function(region), function))
    }

    pub fn function(&self, region: &CountedRegion) -> &'a FunctionMapping {
        &self.data.mapping.functions[region.function]
    }

    pub fn mapped(&self, region: &CountedRegion) -> &'a MappingRegion {
        &self.function(region).regions[region.index]
    }

    /// Whether `file` of `function` is the one that the report is about.
    pub fn is_ours(&self, function: &FunctionMapping, file: u32) -> bool {
        function.files.get(file as usize).is_some_and(|name| is_same_path(name, &self.data.file))
    }

    /// The values of the counters and expressions of `function`.
    pub fn values(&self, function: &FunctionMapping) -> Values<'a> {
        let counters = match self.data.counts.of(function.name_hash, function.hash) {
            Recorded::Counters(counters) => Some(counters),
            Recorded::Nothing | Recorded::OtherHash => None,
        };
        Values::new(function, counters)
    }

    pub fn value(&self, function: &FunctionMapping, counter: Counter) -> Option<u64> {
        self.values(function).of(counter)
    }

    /// The counts that a region may have. None if they are unknown.
    pub fn right(&self, region: &CountedRegion) -> Option<BTreeSet<u64>> {
        let CountedRegion { start, end, count, kind, .. } = *region;
        let (expansion, function) = (
            self.truth.inside_function(&region.expansion).to_vec(),
            self.data.mapping.functions[region.function].name.as_str().into(),
        );
        let region = Region { start, end, count, kind, expansion, function };
        let known = expected_region(self.truth, &region).ok();
        let here = || reached_at(self.truth, start);
        known.or_else(|| Some(here())).filter(|counts| !counts.is_empty())
    }

    /// The counts that a segment with `token` may have.
    pub fn reached(&self, token: &PointToken) -> Option<BTreeSet<u64>> {
        self.truth.reached(token)
    }

    pub fn span(&self, point: PointId) -> Option<Span> {
        self.spans[point]
    }

    /// The point with the first token of the code at `position`: the innermost of those that begin there.
    pub fn point_at(&self, position: Position) -> Option<PointId> {
        let (line, _) = position;
        let next = self.typed(position, (line + 1, 0)).first().map(|(next, _)| *next)?;
        let here = self.typed(next, (next.0, next.1 + 1));
        here.last().map(|(_, token)| token.point)
    }
}

fn spans(truth: &Truth, ordered: &[(Line, &PointToken)]) -> Vec<Option<Span>> {
    let mut found: Vec<Option<Span>> = vec![None; truth.points.len()];
    for (line, token) in ordered {
        let here = Span { first: token.offset, last: token.offset, line: *line, column: token.column };
        let mut at = Some(token.point);
        while let Some(id) = at {
            let span = found[id].get_or_insert(here);
            span.last = span.last.max(token.offset);
            if token.offset < span.first {
                *span = Span { last: span.last, ..here };
            }
            at = truth.point(id).within;
        }
    }
    // A point that has no token of its own begins with the first statement in it.
    let begins: BTreeMap<PointId, Span> =
        found.iter().enumerate().filter_map(|(id, span)| Some((id, (*span)?))).collect();
    for (id, span) in found.iter_mut().enumerate().filter(|(_, span)| span.is_none()) {
        *span = truth.point(id).last.and_then(|last| begins.get(&last)).copied();
    }
    found
}
