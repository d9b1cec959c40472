//! `views`: compares the outputs of one profiler for one profile.
//!
//! There is no variant: gcov's text, its `-a` output and its JSON, or `llvm-cov show`, JSON and lcov, describe the same
//! profile. They must agree because they are computed from the same counters, up to the rounding of `llvm-cov show`.
//!
//! The last view is our own: the report computed again from the profiler's notes and counters ([`crate::replay`]). If the
//! report differs, the program that wrote it is at fault.
//!
//! Totals and percentages must follow from them too, by the tools' own rules: llvm-cov adds up the lines of functions, not those of
//! the file.
//!
//! This is also a test of our own readers.

use std::collections::BTreeMap;

use super::Contradiction;
use crate::coverage::{Coverage, View};
use crate::model::{Count, Difference, Kind, Line, Metric, Place};
use crate::replay::{gcov, llvm_cov};

/// The lines on which another view contradicts the line counts. `before` is the count of the
/// machine-readable output, `after` that of the view, or the smallest that its rounded count may be.
pub fn against_views(report: &Coverage) -> Vec<Contradiction> {
    report.views.iter().flat_map(|view| contradictions(report, view)).collect()
}

/// The numbers that do not follow from the profiler's own notes and counters, by a replay of its rules. `before` is the
/// number of the report on `file`, `after` that of the replay. Nothing is compared without notes.
pub fn against_replay(report: &Coverage, file: &str) -> Vec<Contradiction> {
    let mut found: Vec<(Metric, Line, Count, Count)> = Vec::new();
    let mut totals = Vec::new();
    if let Some(Ok(notes)) = &report.graphs
        && let Ok(replay) = gcov::replay(notes, file)
    {
        totals.extend(against_totals(report, &replay.totals(report)));
        let number = |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok());
        found.extend(gcov::differences(report, &replay).into_iter().filter_map(|difference| {
            let metric = match difference.part {
                gcov::Part::Line => Metric::Line,
                gcov::Part::Function(..) => Metric::Function,
                gcov::Part::Branch(_) => Metric::Branch,
                gcov::Part::Block(..) => return None,
            };
            Some((metric, difference.line, number(difference.reported), number(difference.replayed)))
        }));
    }
    if let Some(Ok(data)) = &report.mapping {
        totals.extend(against_totals(report, &llvm_cov::totals(data, &report.decisions)));
        let replay = llvm_cov::replay_data(data);
        found.extend(llvm_cov::differences(report, &replay.coverage).into_iter().map(|difference| {
            let metric = match difference.part {
                llvm_cov::Part::Line => Metric::Line,
                llvm_cov::Part::Function => Metric::Function,
                llvm_cov::Part::Outcome | llvm_cov::Part::True | llvm_cov::Part::False => Metric::Branch,
                llvm_cov::Part::Region | llvm_cov::Part::Segment => Metric::Region,
            };
            (metric, difference.line, difference.reported.flatten(), difference.replayed.flatten())
        }));
    }
    let contradiction = |(metric, line, before, after)| {
        let found = Contradiction::between("replay", line, before, after)?;
        Some(Contradiction { metric, ..found })
    };
    found.into_iter().filter_map(contradiction).chain(totals).collect()
}

/// The totals that do not follow from the rest of the report. `right` has the number of elements and of covered ones by name;
/// totals that it lacks are not checked.
fn against_totals(report: &Coverage, right: &BTreeMap<String, (u64, u64)>) -> Vec<Contradiction> {
    let wrong = report.totals.iter().filter_map(|total| {
        let right = *right.get(&total.name)?;
        let is_same_size = total.all == right.0;
        let (before, after) = if is_same_size { (total.covered.0, right.1) } else { (total.all, right.0) };
        let difference =
            Difference { place: Place::File, kind: Kind::Strong, before: Some(before), after: Some(after) };
        let found = Contradiction { what: "totals", metric: total.metric, difference, right: None };
        (!total.says(right)).then_some(found)
    });
    wrong.collect()
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
