//! From regions to segments (`SegmentBuilder` in CoverageMapping.cpp): regions with equal extents are combined, and the
//! text is cut at each start and end of a region. A segment has the count of the innermost region around it.

use crate::coverage::{Expansion, RegionKind, Segment};
use crate::model::Line;

/// A line and a column.
type Position = (Line, u32);

/// A region of the file that the report is about, with its count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedRegion {
    /// Its function, as an index into [`crate::coverage::LlvmMapping::functions`].
    pub function: usize,
    /// Its place among the regions of the function.
    pub index: usize,
    /// Code, expansion, skipped text or gap.
    pub kind: RegionKind,
    pub start: Position,
    pub end: Position,
    pub count: u64,
    /// The expansion that it is in.
    pub expansion: Expansion,
}

/// Regions with the same extent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combined {
    pub kind: RegionKind,
    pub start: Position,
    pub end: Position,
    /// The sum of the counts of its parts.
    pub count: u64,
    /// The regions whose counts are added, as indices into the list that was combined.
    pub parts: Vec<usize>,
}

/// A segment, and the region whose count it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    pub segment: Segment,
    /// An index into the combined regions.
    pub region: usize,
}

/// Regions with equal extents become one. Those of another kind than the first one are dropped, and counts of the same
/// kind are added (`sortNestedRegions`, `combineRegions`).
pub fn combine(regions: &[CountedRegion]) -> Vec<Combined> {
    let mut order: Vec<usize> = (0..regions.len()).collect();
    order.sort_by_key(|index| {
        let region = &regions[*index];
        (region.start, std::cmp::Reverse(region.end), region.kind)
    });
    let mut combined: Vec<Combined> = Vec::new();
    for index in order {
        let CountedRegion { kind, start, end, count, .. } = regions[index];
        match combined.last_mut().filter(|last| (last.start, last.end) == (start, end)) {
            Some(last) if last.kind == kind => {
                last.count = last.count.wrapping_add(count);
                last.parts.push(index);
            }
            Some(_) => {}
            None => combined.push(Combined { kind, start, end, count, parts: vec![index] }),
        }
    }
    combined
}

/// The segments of combined regions, in order of their positions (`buildSegmentsImpl`).
pub fn cut(regions: &[Combined]) -> Vec<Cut> {
    let mut builder = Builder { regions, active: Vec::new(), cuts: Vec::new() };
    for (index, region) in regions.iter().enumerate() {
        builder.complete_before(region.start);
        let is_last = index + 1 == regions.len();
        let is_entry = region.kind != RegionKind::Gap;
        if region.start == region.end {
            // It has the count of the region around it, not its own.
            let around = builder.active.last().copied();
            let is_skipped = is_last || region.kind == RegionKind::Skipped;
            builder.start(around.unwrap_or(index), region.start, is_entry, is_skipped);
            if let Some(around) = around.filter(|_| is_skipped) {
                builder.start(around, region.start, false, false);
            }
            continue;
        }
        if is_last || regions[index + 1].start != region.start {
            builder.start(index, region.start, is_entry, false);
        }
        builder.active.push(index);
    }
    builder.complete_all();
    builder.cuts
}

struct Builder<'a> {
    regions: &'a [Combined],
    /// The regions that have begun and not ended.
    active: Vec<usize>,
    cuts: Vec<Cut>,
}

impl Builder<'_> {
    /// `startSegment`: a segment with the count of `region`, unless it would change nothing.
    fn start(&mut self, region: usize, at: Position, is_entry: bool, is_skipped: bool) {
        let Combined { kind, count, .. } = self.regions[region];
        let has_count = !is_skipped && kind != RegionKind::Skipped;
        if let Some(Cut { segment: last, .. }) = self.cuts.last().filter(|_| !is_entry && !is_skipped)
            && last.has_count == has_count
            && last.count == count
            && !last.is_entry
        {
            return;
        }
        let segment = Segment {
            line: at.0,
            column: at.1,
            count: if has_count { count } else { 0 },
            has_count,
            is_entry,
            is_gap: has_count && kind == RegionKind::Gap,
        };
        self.cuts.push(Cut { segment, region });
    }

    fn end(&self, place: usize) -> Position {
        self.regions[self.active[place]].end
    }

    /// Complete the active regions that end at or before `next`, where the next region starts.
    fn complete_before(&mut self, next: Position) {
        if self.active.iter().all(|region| self.regions[*region].end > next) {
            return;
        }
        let is_open = |region: &usize| self.regions[*region].end > next;
        let (mut open, ended): (Vec<usize>, Vec<usize>) =
            self.active.iter().partition(|region| is_open(region));
        let first = open.len();
        open.extend(ended);
        self.active = open;
        self.complete(Some(next), first);
    }

    fn complete_all(&mut self) {
        if !self.active.is_empty() {
            self.complete(None, 0);
        }
    }

    /// `completeRegionsUntil`: end the active regions from place `first` on. Each end begins a segment with the count of
    /// what continues, unless another region ends or the `next` one starts there.
    fn complete(&mut self, next: Option<Position>, first: usize) {
        let regions = self.regions;
        self.active[first..].sort_by_key(|region| regions[*region].end);
        for place in first + 1..self.active.len() {
            let at = self.end(place - 1);
            if next == Some(at) {
                break;
            }
            let end = self.end(place);
            if at == end {
                continue;
            }
            let same = (place..self.active.len()).take_while(|other| self.end(*other) == end);
            let last = same.last().unwrap_or(place);
            self.start(self.active[last], at, false, false);
        }
        let last = self.active[self.active.len() - 1];
        let end = self.regions[last].end;
        if next != Some(end) {
            match first.checked_sub(1) {
                Some(around) => self.start(self.active[around], end, false, false),
                // No region continues: text between functions has no count.
                None => self.start(last, end, false, true),
            }
        }
        self.active.truncate(first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use RegionKind::{Code, Expansion, Gap, Skipped};

    fn segments(regions: &[(RegionKind, Position, Position, u64)]) -> Vec<(Position, Option<u64>, bool)> {
        let counted = |&(kind, start, end, count): &_| CountedRegion {
            function: 0,
            index: 0,
            kind,
            start,
            end,
            count,
            expansion: Vec::new(),
        };
        let regions: Vec<CountedRegion> = regions.iter().map(counted).collect();
        let shown = |cut: Cut| {
            let Segment { line, column, count, has_count, is_entry, .. } = cut.segment;
            ((line, column), has_count.then_some(count), is_entry)
        };
        cut(&combine(&regions)).into_iter().map(shown).collect()
    }

    #[test]
    fn text_has_the_count_of_the_innermost_region() {
        let body = (Code, (1, 1), (9, 2), 4);
        let arm = (Code, (3, 9), (5, 6), 1);
        let expected = [
            ((1, 1), Some(4), true),
            ((3, 9), Some(1), true),
            ((5, 6), Some(4), false),
            ((9, 2), None, false),
        ];
        assert_eq!(segments(&[arm, body]), expected);
        // A gap is no entry; skipped text has no count.
        let more = [body, (Gap, (3, 5), (3, 9), 1), arm, (Skipped, (6, 1), (8, 1), 0)];
        let found = segments(&more);
        assert_eq!(found[1..3], [((3, 5), Some(1), false), ((3, 9), Some(1), true)]);
        assert_eq!(found[4..6], [((6, 1), None, true), ((8, 1), Some(4), false)]);
    }

    #[test]
    fn counts_of_equal_extents_and_kinds_are_added() {
        let at = |kind, count| (kind, (2, 1), (2, 8), count);
        assert_eq!(segments(&[at(Code, 3), at(Code, 4), at(Expansion, 9)])[0], ((2, 1), Some(7), true));
        assert_eq!(segments(&[at(Expansion, 9), at(Expansion, 1), at(Gap, 5)])[0], ((2, 1), Some(10), true));
    }

    #[test]
    fn text_of_length_zero_has_the_count_around_it() {
        let body = (Code, (1, 1), (9, 2), 4);
        let empty = (Code, (3, 3), (3, 3), 0);
        let arm = (Code, (5, 1), (6, 1), 1);
        assert_eq!(segments(&[body, empty, arm])[1], ((3, 3), Some(4), true));
        // As the last region it is shown as skipped text.
        let found = segments(&[body, empty]);
        assert_eq!(found[1..3], [((3, 3), None, true), ((3, 3), Some(4), false)]);
    }
}
