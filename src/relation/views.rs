//! `views`: the outputs of one profiler about one profile tell one story.
//!
//! It is also the test of our own readers. Not compared are totals: llvm-cov's count
//! the lines of functions, its line records those of the file (45 of 243 programs differ).

use std::collections::BTreeMap;

use super::Contradiction;
use crate::coverage::{Coverage, View};
use crate::model::{Difference, Kind, Line, Metric, Place};

/// The lines on which another view contradicts the line counts. `before` is the count of the
/// machine-readable output, `after` that of the view, or the smallest that it may stand for.
pub fn against_views(report: &Coverage) -> Vec<Contradiction> {
    report.views.iter().flat_map(|view| contradictions(report, view)).collect()
}

fn contradictions(report: &Coverage, view: &View) -> Vec<Contradiction> {
    let shown: BTreeMap<Line, (u64, u64)> = view.lines.iter().copied().collect();
    let last = report.last_line().max(shown.keys().last().copied().unwrap_or(0));
    let differing = |line: Line| {
        let (before, range) = (report.line(line), shown.get(&line).copied());
        let kind = match (before, range) {
            (None, None) => return None,
            (Some(count), Some((low, high))) if (low..=high).contains(&count) => return None,
            (Some(_), Some(_)) => Kind::Strong,
            (Some(_), None) | (None, Some(_)) => Kind::Weak,
        };
        let after = range.map(|(low, _)| low);
        Some(Contradiction {
            what: view.name,
            metric: Metric::Line,
            right: None,
            difference: Difference { place: Place::Line(line), kind, before, after },
        })
    };
    (1..=last).filter_map(differing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_may_round_but_not_differ() {
        let mut report: Coverage = [(1, 4321), (2, 5), (3, 0)].into_iter().collect();
        let lines = vec![(1, (4320, 4329)), (2, (5, 5)), (3, (0, 0))];
        report.views = vec![View { name: "show", lines }];
        assert!(against_views(&report).is_empty());
        report.views[0].lines = vec![(1, (4330, 4339)), (2, (5, 5)), (4, (1, 1))];
        let kinds: Vec<(Place, Kind)> = against_views(&report)
            .iter()
            .map(|found| (found.difference.place, found.difference.kind))
            .collect();
        let expected =
            [(Place::Line(1), Kind::Strong), (Place::Line(3), Kind::Weak), (Place::Line(4), Kind::Weak)];
        assert_eq!(kinds, expected);
    }
}
