//! gcov's totals of a file (`accumulate_line_counts`, `add_branch_counts` and `output_json_intermediate_file` in gcov.cc).

use std::collections::BTreeMap;

use super::graph::ENTRY;
use super::lines::{BlockRef, Lines};
use super::report::{Function, GcovReplay};
use crate::coverage::{Coverage, Total};
use crate::model::Line;

/// How many elements there are, and how many of them are covered.
type Sum = (u64, u64);

impl GcovReplay<'_> {
    /// The totals by the names that the `report` has for them. Those of conditions and paths follow from its own lists.
    pub fn totals(&self, report: &Coverage) -> BTreeMap<String, Sum> {
        let [branches, taken, calls] = self.outcomes();
        let decisions = report.decisions.iter().map(|found| (found.shown.len() as u64, found.covered));
        let paths = report.paths.iter().map(|found| (found.total as u64, found.covered));
        let sums = [
            ("Lines executed", self.line_total()),
            ("Branches executed", branches),
            ("Taken at least once", taken),
            ("Calls executed", calls),
            ("Condition outcomes covered", decisions.fold((0, 0), add)),
            ("Prime paths covered", paths.fold((0, 0), add)),
        ];
        let named = sums.into_iter().map(|(name, sum)| (name.to_string(), sum));
        let of_blocks =
            |function: &Function| (Total::of_blocks(&function.name), self.block_total(function.index));
        named.chain(self.call_totals()).chain(self.functions.iter().map(of_blocks)).collect()
    }

    /// The lines of the file. Since gcc 13 the copies count too that functions of a group have of them.
    fn line_total(&self) -> Sum {
        let copied = self.copied.iter().filter(|_| self.notes.major >= 13);
        let counts = self.lines.values().chain(copied);
        counts.map(|count| (1, u64::from(*count != 0))).fold((0, 0), add)
    }

    /// Every block with a line that owns it, in copies too.
    fn owned(&self) -> impl Iterator<Item = (Line, &BlockRef)> {
        let Lines { shared, copies, .. } = &self.blocks_of;
        let lines = shared.iter().chain(copies.values().flatten());
        lines.flat_map(|(line, blocks)| blocks.owned.iter().map(|place| (*line, place)))
    }

    /// The outcomes of branches that were reached, those that were taken, and the calls that may not return and were reached.
    fn outcomes(&self) -> [Sum; 3] {
        let (mut branches, mut taken, mut calls) = ((0, 0), (0, 0), (0, 0));
        for (_, place) in self.owned() {
            let graph = &self.solved[&place.function];
            let is_reached = u64::from(graph.blocks[place.block] != 0);
            for edge in graph.leaving(place.block) {
                if edge.is_fake && edge.from != ENTRY {
                    calls = add(calls, (1, is_reached));
                } else if !graph.is_unconditional(edge) {
                    branches = add(branches, (1, is_reached));
                    taken = add(taken, (1, u64::from(edge.count != 0)));
                }
            }
        }
        [branches, taken, calls]
    }

    /// The calls on each line, and how often they returned.
    fn call_totals(&self) -> impl Iterator<Item = (String, Sum)> {
        let is_listed =
            |place: &BlockRef| !self.notes.functions[place.function].blocks[place.block].is_suppressed;
        let mut totals: BTreeMap<Line, Sum> = BTreeMap::new();
        for (line, place) in self.owned().filter(|(_, place)| is_listed(place)) {
            let graph = &self.solved[&place.function];
            for edge in graph.leaving(place.block).filter(|edge| edge.is_fake && edge.from != ENTRY) {
                let returned = graph.blocks[place.block].wrapping_sub(edge.count);
                let (all, sum) = totals.entry(line).or_default();
                (*all, *sum) = (*all + 1, sum.wrapping_add(returned.cast_unsigned()));
            }
        }
        totals.into_iter().map(|(line, sum)| (Total::of_calls(line), sum))
    }

    /// The blocks of a function without its entry and its exit. gcov takes the last block for the exit when it counts those that
    /// ran (the root cause `last-block`), so that all of them may have run although the last one did not.
    fn block_total(&self, function: usize) -> Sum {
        let blocks = &self.solved[&function].blocks;
        let size = blocks.len().saturating_sub(1).max(1);
        let inner = blocks.get(1..size).unwrap_or_default();
        let ran = inner.iter().filter(|count| **count != 0).count();
        (blocks.len().saturating_sub(2) as u64, ran as u64)
    }
}

fn add(to: Sum, (all, covered): Sum) -> Sum {
    (to.0 + all, to.1 + covered)
}
