//! Branches that are wrong or missing.

use std::collections::BTreeSet;

use super::Blocks;
use crate::model::{Cause, Layer, Line, Symptom};
use crate::replay::branch_groups;
use crate::replay::gcov::{BlockRef, ListedBlock};
use crate::syntax::{PointKind, StatementKind};

impl Blocks<'_> {
    /// Branches are those of the blocks that a line owns. One that is missing may be that of any line of its statement.
    pub(super) fn branch(&self, symptom: &Symptom) -> Cause {
        if let Some(found) = self.in_two_files(symptom.line).filter(|_| symptom.expected.is_empty()) {
            return found;
        }
        let groups = if symptom.reported.is_none() { branch_groups(self.case.truth) } else { Vec::new() };
        let group = groups.into_iter().find(|group| group.lines.contains(&symptom.line));
        let lines = group.map_or_else(|| BTreeSet::from([symptom.line]), |group| group.lines);
        lines
            .into_iter()
            .find_map(|line| self.branch_on(line))
            .unwrap_or_else(|| self.unknown(Layer::Mapping, "mapping/branch", symptom.line, String::new()))
    }

    /// The fault that a block which begins in one file, and whose test is in another one, belongs to a line of each: its branches
    /// and its decision are shown twice.
    pub(super) fn in_two_files(&self, line: Line) -> Option<Cause> {
        let elements = self.replay.elements(line).ok()?;
        let mut owned = elements.copies.iter().flat_map(|copy| &copy.owned);
        let notes = self.replay.notes;
        let files = |place: BlockRef| -> BTreeSet<&str> {
            let locations = &notes.functions[place.function].blocks[place.block].locations;
            let listing = locations.iter().filter(|location| !location.lines.is_empty());
            listing.map(|location| notes.files[location.file].as_str()).collect()
        };
        let block = owned.find(|block| files(block.place).len() > 1)?.place;
        let files: Vec<&str> = files(block).into_iter().collect();
        let evidence = format!(
            "{} has location entries in {}, and belongs to the last line of each.",
            self.name(block),
            files.join(" and ")
        );
        Some(Cause::new(Layer::LineRule, "block-on-last-line", self.name(block), evidence))
    }

    pub(super) fn branch_on(&self, line: Line) -> Option<Cause> {
        if let Some(found) = self.lost_test(line) {
            return Some(found);
        }
        if let Ok(elements) = self.replay.elements(line) {
            if let Some(block) = elements.copies.iter().flat_map(|copy| &copy.listed).next() {
                return Some(self.on_last_line(block.place));
            }
            let mut owned = elements.copies.iter().flat_map(|copy| &copy.owned);
            // The test is on the last line that the block lists, which may be lower.
            let is_higher =
                |block: &&ListedBlock| self.lines_of(block.place).last().is_some_and(|last| last < line);
            if let Some(block) = owned.clone().find(is_higher) {
                return Some(self.on_last_line(block.place));
            }
            if let Some(found) = owned.clone().find_map(|block| self.left_before(block.place)) {
                return Some(found);
            }
            if let Some(found) = owned.find_map(|block| self.unlocated_switch(block.place, line)) {
                return Some(found);
            }
        }
        self.idle_arm(line)
    }

    /// The jump of a `switch` after `line` is in `block`, and the line of the `switch` has no branches.
    fn unlocated_switch(&self, block: BlockRef, line: Line) -> Option<Cause> {
        let has_branches = |at: Line| self.case.report.branches.iter().any(|branch| branch.line == at);
        let is_unlocated = |at: &Line| *at > line && !has_branches(*at);
        let switches = self.case.truth.points.iter().filter(|point| {
            point.kind == PointKind::Statement(StatementKind::Switch)
                && self.case.truth.functions[point.function].lines.0 <= line
        });
        let at = switches.filter_map(|point| point.line).find(is_unlocated)?;
        let evidence = format!(
            "{} selects the `case`s of the `switch` on line {at}, a line without branches.",
            self.name(block)
        );
        let element = format!("switch on line {at}");
        Some(Cause::new(Layer::Mapping, "switch-without-location", element, evidence))
    }
}
