//! `peer`: compares one profiler with one of the other family (C2V, ICSE 2019; `DebCovDiff`, ASE 2025).
//!
//! There is no variant: both profilers count the same program with the same input. Equal counts are not required, since
//! each profiler has its own conventions (three in four differences are conventions), so a difference is only evidence,
//! and ground truth decides which of the two is wrong.

use super::Contradiction;
use crate::coverage::Coverage;

/// The lines on which `ours` and `theirs` differ; `before` is our count, `after` theirs. A line that only one of them
/// counts is reported only if `weak` is set.
pub fn against_peer(ours: &Coverage, theirs: &Coverage, weak: bool) -> Vec<Contradiction> {
    let lines = 1..=ours.last_line().max(theirs.last_line());
    let differing = lines.filter_map(|line| {
        let (before, after) = (ours.line(line), theirs.line(line));
        let is_strong = before.is_some() && after.is_some();
        let what = if is_strong { "two-counts" } else { "one-count" };
        Contradiction::between(what, line, before, after).filter(|_| is_strong || weak)
    });
    differing.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Kind, Place};

    #[test]
    fn a_line_that_only_one_profiler_counts_is_a_weak_difference() {
        let ours: Coverage = [(1, 1), (2, 5), (3, 0)].into_iter().collect();
        let theirs: Coverage = [(1, 1), (2, 4), (7, 0)].into_iter().collect();
        let found = |weak| -> Vec<(Place, Kind)> {
            let all = against_peer(&ours, &theirs, weak);
            all.into_iter().map(|found| (found.difference.place, found.difference.kind)).collect()
        };
        let strong = (Place::Line(2), Kind::Strong);
        assert_eq!(found(false), [strong]);
        assert_eq!(found(true), [strong, (Place::Line(3), Kind::Weak), (Place::Line(7), Kind::Weak)]);
    }
}
