//! Counts that llvm-cov cuts to 2^63 - 1 in its JSON, as they are in its data.

use crate::coverage::llvm_json::LARGEST as CLAMPED;
use crate::coverage::{Coverage, Region, Tested};
use crate::replay::llvm_cov::{LlvmReplay, replay_data};

/// The replay of a report with counts that are cut; none if it has none.
pub(super) struct Unclamped(Option<LlvmReplay>);

impl Unclamped {
    pub(super) fn of(report: &Coverage) -> Unclamped {
        let counts = report.regions.iter().map(|region| region.count);
        let is_clamped = counts
            .chain(report.tested.iter().flat_map(|branch| [branch.yes, branch.no]))
            .any(|count| count == CLAMPED);
        let data = report.mapping.as_ref().and_then(|data| data.as_deref().ok()).filter(|_| is_clamped);
        Unclamped(data.map(replay_data))
    }

    pub(super) fn region(&self, region: &Region) -> u64 {
        let same = |other: &&Region| {
            let unclamped = Region { count: region.count, ..(*other).clone() };
            unclamped == *region && other.count > CLAMPED
        };
        let found = self.0.as_ref().and_then(|replay| replay.coverage.regions.iter().find(same));
        found.filter(|_| region.count == CLAMPED).map_or(region.count, |found| found.count)
    }

    /// How often the condition was true, and how often false.
    pub(super) fn branch(&self, branch: &Tested) -> (u64, u64) {
        let same = |other: &&Tested| {
            (other.start, other.end, &other.expansion) == (branch.start, branch.end, &branch.expansion)
        };
        let Some(found) = self.0.as_ref().and_then(|replay| replay.coverage.tested.iter().find(same)) else {
            return (branch.yes, branch.no);
        };
        let of = |shown: u64, real: u64| if shown == CLAMPED && real > CLAMPED { real } else { shown };
        (of(branch.yes, found.yes), of(branch.no, found.no))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::RegionKind;

    #[test]
    fn a_clamped_count_is_shown_as_it_is_in_the_data() {
        let region = |count| Region {
            start: (1, 2),
            end: (3, 4),
            count,
            kind: RegionKind::Code,
            expansion: Vec::new(),
            function: "f".into(),
        };
        let mut replayed = Coverage::default();
        replayed.regions.push(region(u64::MAX - 1));
        let replay =
            LlvmReplay { coverage: replayed, regions: Vec::new(), combined: Vec::new(), cuts: Vec::new() };
        let unclamped = Unclamped(Some(replay));
        assert_eq!(unclamped.region(&region(CLAMPED)), u64::MAX - 1);
        assert_eq!(unclamped.region(&region(5)), 5);
        assert_eq!(Unclamped(None).region(&region(CLAMPED)), CLAMPED);
    }
}
