//! `peer`: one profiler against one of the other family (C2V, ICSE 2019; `DebCovDiff`, ASE 2025).
//!
//! Two profilers that count one program need not agree: what counts as a line's code is for each to
//! say, and three in four differences are such conventions. So a difference is evidence and no more;
//! truth tells which of the two is wrong.

use super::Contradiction;
use crate::coverage::Coverage;
use crate::model::{Difference, Kind, Line, Metric, Place};

/// The lines on which `ours` and `theirs` differ; `before` is our count, `after` theirs. Where only one
/// of them has a count, which claims nothing, there is a difference only if `weak` ones are asked for.
pub fn against_peer(ours: &Coverage, theirs: &Coverage, weak: bool) -> Vec<Contradiction> {
    let differing = |line: Line| {
        let (before, after) = (ours.line(line), theirs.line(line));
        let (what, kind) = match (before, after) {
            (Some(ours), Some(theirs)) if ours != theirs => ("two-counts", Kind::Strong),
            (Some(_), None) | (None, Some(_)) if weak => ("one-count", Kind::Weak),
            _ => return None,
        };
        let difference = Difference { place: Place::Line(line), kind, before, after };
        Some(Contradiction { what, metric: Metric::Line, difference, right: None })
    };
    (1..=ours.last_line().max(theirs.last_line())).filter_map(differing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_one_alone_counts_differs_only_for_who_asks() {
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
