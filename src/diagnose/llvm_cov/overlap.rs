//! Regions of several expansions that overlap in the text of a macro.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{Facts, Position};
use crate::coverage::{Expansion, RegionKind};
use crate::model::{Cause, Layer, Line};
use crate::replay::llvm_cov::CountedRegion;

impl Facts<'_> {
    /// The fault that of several expansions with other regions at the first code of `line`, the innermost region alone gives the
    /// count: regions are added up only if their extents are equal (`SegmentBuilder::combineRegions`).
    pub(super) fn overlapping_expansions(&self, line: Line, expected: &BTreeSet<u64>) -> Option<Cause> {
        let at = self.typed((line, 0), (line + 1, 0)).first().map(|(at, _)| *at)?;
        let innermost = self.innermost_of_expansions(at);
        let sum: u64 = innermost.iter().map(|region| region.count).fold(0, u64::saturating_add);
        let extents: BTreeSet<(Position, Position)> =
            innermost.iter().map(|region| (region.start, region.end)).collect();
        if !self.truth.directives.contains(&line) || extents.len() < 2 || !expected.contains(&sum) {
            return None;
        }
        let words = |region: &&CountedRegion| {
            let ((line, column), (last, end)) = (region.start, region.end);
            format!("{line}:{column} to {last}:{end} with {}", region.count)
        };
        let regions: Vec<String> = innermost.iter().map(words).collect();
        let evidence = format!(
            "The expansions of the macro have other regions at {}:{}: {}. Only the innermost one counts; together they have {sum}.",
            at.0,
            at.1,
            regions.join(", ")
        );
        let element = self.element_at("text of the macro", at);
        Some(Cause::new(Layer::LineRule, "overlapping-expansions", element, evidence))
    }

    /// The innermost region at the position in each expansion of each function.
    fn innermost_of_expansions(&self, at: Position) -> Vec<&CountedRegion> {
        let mut innermost: BTreeMap<(usize, &Expansion), &CountedRegion> = BTreeMap::new();
        let is_around = |region: &&CountedRegion| {
            region.kind != RegionKind::Skipped && region.start <= at && at < region.end
        };
        for region in self.replay.regions.iter().filter(is_around) {
            let known = innermost.entry((region.function, &region.expansion)).or_insert(region);
            if (region.start, std::cmp::Reverse(region.end)) > (known.start, std::cmp::Reverse(known.end)) {
                *known = region;
            }
        }
        innermost.into_values().collect()
    }
}
