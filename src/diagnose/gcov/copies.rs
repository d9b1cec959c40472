//! Functions that gcc inlined before it inserted counters: each copy is a part of the graph of its caller.

use std::collections::BTreeSet;

use super::lines::WrongLine;
use crate::model::{Cause, Layer, Line};
use crate::replay::gcov::LineBlocks;

impl WrongLine<'_, '_> {
    /// In some copies, the code of the line was folded, since an argument is constant there: they do not list the line, so
    /// its count is that of the other copies. A line of the same function that ran as often shows how often they ran.
    pub(super) fn folded_in_copy(&self) -> Option<Cause> {
        if self.right.iter().any(|right| *right <= self.count) {
            return None;
        }
        let listing = self.functions_that_list(self.line);
        let (near, lost) = self.lines_with_the_count().into_iter().find_map(|near| {
            let lost: Vec<usize> = self.functions_that_list(near).difference(&listing).copied().collect();
            let counts = lost.iter().map(|function| self.count_in(near, *function));
            let sum: i64 = counts.collect::<Option<Vec<i64>>>()?.iter().sum();
            (sum > 0 && self.is_right(Some(self.count + sum))).then_some((near, lost))
        })?;
        let notes = self.blocks.replay.notes;
        let names: Vec<&str> = lost.iter().map(|function| notes.functions[*function].name.as_str()).collect();
        let evidence = format!(
            "The copies of the code around line {near} that are inlined in {} do not list line {}.",
            names.join(", "),
            self.line
        );
        let element = format!("line {} in {}", self.line, names[0]);
        Some(Cause::new(Layer::Mapping, "folded-in-copy", element, evidence))
    }

    /// The functions with a block that lists `line`.
    fn functions_that_list(&self, line: Line) -> BTreeSet<usize> {
        let Ok(elements) = self.blocks.replay.elements(line) else { return BTreeSet::new() };
        elements.blocks().map(|block| block.place.function).collect()
    }

    /// The count of `line` from the blocks of one function.
    fn count_in(&self, line: Line, function: usize) -> Option<i64> {
        let elements = self.blocks.replay.elements(line).ok()?;
        let of = |is_owned: bool| {
            let copies = elements.copies.iter();
            let blocks = copies
                .flat_map(move |copy| copy.owned.iter().chain(copy.listed.iter().filter(move |_| !is_owned)));
            blocks.map(|block| block.place).filter(|place| place.function == function).collect()
        };
        let blocks = LineBlocks { owned: of(true), listed: of(false) };
        self.blocks.replay.decide(line, &blocks).ok().map(|decided| decided.count)
    }

    /// The lines of the same function on which a statement begins that ran as often as this line should have, the nearest
    /// first.
    fn lines_with_the_count(&self) -> Vec<Line> {
        let truth = self.blocks.case.truth;
        let Some(here) = truth.begun(self.line).first().map(|id| truth.point(*id).function) else {
            return Vec::new();
        };
        let as_often = truth.points.iter().filter(|point| {
            let is_right = |count: u64| self.right.contains(&count.cast_signed());
            point.function == here && point.has_code && point.count.is_some_and(is_right)
        });
        let lines: BTreeSet<Line> =
            as_often.filter_map(|point| point.line).filter(|line| *line != self.line).collect();
        let mut lines: Vec<Line> = lines.into_iter().collect();
        lines.sort_by_key(|line| line.abs_diff(self.line));
        lines.truncate(NEAR_LINES);
        lines
    }
}

/// How many lines are tried.
const NEAR_LINES: usize = 8;
