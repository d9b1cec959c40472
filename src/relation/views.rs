//! `views`: compares the outputs of one profiler for one profile.
//!
//! There is no variant: gcov's text, its `-a` output and its JSON, or `llvm-cov show`, JSON and lcov, describe the same
//! profile. They must agree because they are computed from the same counters, up to the rounding of `llvm-cov show`.
//!
//! This is also a test of our own readers. Totals are not compared: llvm-cov's totals count the lines of functions, its
//! line records those of the file (45 of 243 programs differ).

use std::collections::BTreeMap;

use super::Contradiction;
use crate::coverage::{Coverage, View};
use crate::model::Line;

/// The lines on which another view contradicts the line counts. `before` is the count of the
/// machine-readable output, `after` that of the view, or the smallest that its rounded count may be.
pub fn against_views(report: &Coverage) -> Vec<Contradiction> {
    report.views.iter().flat_map(|view| contradictions(report, view)).collect()
}

fn contradictions(report: &Coverage, view: &View) -> Vec<Contradiction> {
    let shown: BTreeMap<Line, (u64, u64)> = view.lines.iter().copied().collect();
    let last = report.last_line().max(shown.keys().last().copied().unwrap_or(0));
    let differing = (1..=last).filter_map(|line| {
        let (count, range) = (report.line(line), shown.get(&line));
        let is_rounded =
            matches!((count, range), (Some(count), Some((low, high))) if (*low..=*high).contains(&count));
        Contradiction::between(view.name, line, count, range.map(|(low, _)| *low)).filter(|_| !is_rounded)
    });
    differing.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Kind, Place};

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
