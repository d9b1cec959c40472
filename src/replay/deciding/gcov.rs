//! gcov: the blocks of a line, and the arcs and cycles that are added up (`accumulate_line_info` in gcov.cc).

use std::collections::{BTreeMap, BTreeSet};

use super::super::gcov::{GcovReplay, LineCopy, ListedBlock, replay};
use super::unexplained::differs;
use crate::coverage::{Coverage, FunctionGraph};
use crate::model::{DecidingElement, Line, is_same_path};
use crate::syntax::PointId;
use crate::truth::Truth;

/// The blocks of a program.
pub(super) struct Blocks<'a> {
    report: &'a Coverage,
    replay: GcovReplay<'a>,
    truth: Option<&'a Truth>,
    file: &'a str,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(
        report: &'a Coverage,
        truth: Option<&'a Truth>,
        file: &'a str,
    ) -> Result<Blocks<'a>, String> {
        let notes = report.notes()?;
        let replay = replay(notes, file).map_err(|error| error.to_string())?;
        Ok(Blocks { report, replay, truth, file })
    }

    pub(super) fn deciding(&self, line: Line) -> Result<Vec<DecidingElement>, String> {
        let elements = self.replay.elements(line).map_err(|error| error.to_string())?;
        let (replayed, reported) = (elements.count, self.report.line(line));
        // Our reader leaves a count out that is below zero.
        if replayed.filter(|count| *count >= 0).map(i64::cast_unsigned) != reported {
            let replayed = replayed.map_or("none".into(), |count| count.to_string());
            return Err(differs("gcov", &replayed, reported));
        }
        if elements.copies.is_empty() {
            return Err("no basic block lists the line".into());
        }
        Ok(elements.copies.iter().flat_map(|copy| self.copy(copy)).collect())
    }

    fn copy(&self, copy: &LineCopy) -> Vec<DecidingElement> {
        let is_listed_only = copy.owned.is_empty();
        let blocks = [(&copy.owned, "owned by the line"), (&copy.listed, "lists the line")];
        let blocks =
            blocks.into_iter().flat_map(|(blocks, how)| blocks.iter().map(move |block| (block, how)));
        let mut found: Vec<DecidingElement> =
            blocks.map(|(block, how)| self.block(block, how, is_listed_only)).collect();
        found.extend(copy.entering.iter().map(|(function, edge)| {
            let graph = self.graph(*function);
            let counter = if edge.has_counter { "has a counter" } else { "follows from other arcs" };
            DecidingElement {
                element: format!("arc {} → {} of {}", edge.from, edge.to, graph.name),
                place: format!("from {}", self.lines(graph, edge.from)),
                source: format!("enters the line; {counter}"),
                count: Some(edge.count),
                truth: Vec::new(),
                decides: true,
            }
        }));
        found.extend(copy.cycles.iter().map(|cycle| {
            let function = cycle.blocks.first().map_or("", |first| &self.graph(first.function).name);
            let start = cycle.blocks.first().into_iter();
            let blocks = cycle.blocks.iter().chain(start).map(|place| place.block.to_string());
            let path = blocks.collect::<Vec<_>>().join(" → ");
            DecidingElement {
                element: format!("cycle {path} of {function}"),
                place: "within the line".into(),
                source: "jumps back within the line".into(),
                count: Some(cycle.count),
                truth: Vec::new(),
                decides: true,
            }
        }));
        found
    }

    fn graph(&self, function: usize) -> &FunctionGraph {
        &self.replay.notes.functions[function]
    }

    fn block(&self, block: &ListedBlock, how: &str, decides: bool) -> DecidingElement {
        let graph = self.graph(block.place.function);
        let lines = block.lines.iter().filter(|(file, _)| self.is_ours(*file));
        let truth = self
            .truth
            .map_or_else(BTreeSet::new, |truth| lines.flat_map(|(_, line)| ran_on(truth, *line)).collect());
        DecidingElement {
            element: format!("block {} of {}", block.place.block, block.function),
            place: self.lines(graph, block.place.block),
            source: how.into(),
            count: Some(block.count),
            truth: truth.into_iter().collect(),
            decides,
        }
    }

    fn is_ours(&self, file: usize) -> bool {
        is_same_path(&self.replay.notes.files[file], self.file)
    }

    /// The lines that a block lists, as in `lines 5, 7` or `x.h:3`.
    fn lines(&self, graph: &FunctionGraph, block: usize) -> String {
        let mut by_file: BTreeMap<usize, Vec<Line>> = BTreeMap::new();
        for location in &graph.blocks[block].locations {
            let lines = by_file.entry(location.file).or_default();
            lines.extend(&location.lines);
        }
        let parts = by_file.into_iter().filter(|(_, lines)| !lines.is_empty()).map(|(file, mut lines)| {
            let mut seen = BTreeSet::new();
            lines.retain(|line| seen.insert(*line));
            let list = lines.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            match (self.is_ours(file), &lines[..]) {
                (false, _) => format!("{}:{list}", self.replay.notes.files[file]),
                (true, [_]) => format!("line {list}"),
                (true, _) => format!("lines {list}"),
            }
        });
        let words = parts.collect::<Vec<_>>().join("; ");
        match (block, words.is_empty()) {
            (0, true) => "the function's entry".into(),
            (_, true) => "a block without lines".into(),
            _ => words,
        }
    }
}

/// How often the code that begins on `line` ran, or else the code that continues there.
fn ran_on(truth: &Truth, line: Line) -> BTreeSet<u64> {
    let counts = |ids: Vec<PointId>| -> BTreeSet<u64> {
        ids.into_iter().filter_map(|id| truth.point(id).count).collect()
    };
    let begun = counts(truth.begun(line));
    if begun.is_empty() {
        counts(truth.tokens(line).iter().map(|token| token.point).collect())
    } else {
        begun
    }
}
