//! Counts of functions: the count of the entry block, with all arcs that leave it.

use camino::Utf8Path;

use super::Blocks;
use crate::coverage::FunctionGraph;
use crate::model::{Cause, Layer, Line, Symptom, is_same_path};
use crate::replay::gcov::BlockRef;

impl Blocks<'_> {
    pub(super) fn function(&self, symptom: &Symptom) -> Cause {
        let here = || self.replay.functions.iter().filter(|function| function.line == symptom.line);
        for function in here() {
            let fake: i64 = self.replay.solved[&function.index]
                .leaving(0)
                .filter(|edge| edge.is_fake)
                .map(|edge| edge.count)
                .sum();
            if fake > 0 && symptom.expected.iter().any(|right| right.cast_signed() == function.count - fake) {
                let evidence = format!(
                    "Block 0 of {} has the count {}, of which {fake} are fake arcs to places that control jumps to.",
                    function.name, function.count
                );
                return Cause::new(Layer::Report, "fake-entry-arcs", element(&function.name), evidence);
            }
        }
        if let Some(found) = self.head_of_uncalled_copy(symptom.line) {
            return found;
        }
        if let Some(found) = self.located_in_header(symptom.line) {
            return found;
        }
        let name = here().next().map_or("a function", |function| &function.name);
        let (layer, oddness) = match symptom.reported {
            None => (Layer::Missing, "missing/function/not-listed"),
            Some(_) if symptom.expected.is_empty() => (Layer::Mapping, "mapping/no-code/function"),
            Some(_) => (Layer::Counter, "counter/entry/function"),
        };
        Cause::new(layer, oddness, element(name), String::new())
    }

    /// The fault that the function that begins on `line` is located in another file, at a declaration.
    pub(super) fn located_in_header(&self, line: Line) -> Option<Cause> {
        let notes = self.replay.notes;
        let truth = self.case.truth;
        let function = truth.functions.iter().find(|function| function.name_line == Some(line))?;
        let is_elsewhere = |graph: &&FunctionGraph| {
            graph.name == function.name && !is_same_path(&notes.files[graph.file], self.case.file)
        };
        let graph = notes.functions.iter().find(is_elsewhere)?;
        // Its folder is that of an installation.
        let path = Utf8Path::new(&notes.files[graph.file]);
        let evidence = format!(
            "The notes locate {} at {}:{}, where a system header declares it.",
            graph.name,
            path.file_name().unwrap_or(path.as_str()),
            graph.lines.0
        );
        Some(Cause::new(Layer::Missing, "declared-in-system-header", element(&graph.name), evidence))
    }

    /// The fault that the head of a function, on `line`, is only in a copy that is never called, while its body was inlined.
    pub(super) fn head_of_uncalled_copy(&self, line: Line) -> Option<Cause> {
        let notes = self.replay.notes;
        let is_ours = |file: usize| is_same_path(&notes.files[file], self.case.file);
        let is_here = |index: &usize| {
            let graph = &notes.functions[*index];
            graph.lines.0 == line && is_ours(graph.file)
        };
        let index = self.replay.solved.keys().copied().find(is_here)?;
        if self.replay.solved[&index].blocks[0] != 0 {
            return None;
        }
        let graph = &notes.functions[index];
        let is_nested = |other: usize| {
            notes.functions[other].lines.0 >= line && notes.functions[other].lines.1 <= graph.lines.1
        };
        let has_body =
            |place: &BlockRef| self.lines_of(*place).any(|listed| (line..=graph.lines.1).contains(&listed));
        let mut others =
            self.replay.solved.iter().filter(|(other, _)| **other != index && !is_nested(**other));
        let inlined = others.find_map(|(other, solved)| {
            let ran = (0..solved.blocks.len()).filter(|block| solved.blocks[*block] > 0);
            ran.map(|block| BlockRef { function: *other, block }).find(has_body)
        })?;
        let evidence = format!(
            "Only the copy of {} that is never called lists line {line}; its body is inlined in {}.",
            graph.name,
            self.name(inlined)
        );
        Some(Cause::new(Layer::Mapping, "head-of-uncalled-copy", element(&graph.name), evidence))
    }
}

fn element(function: &str) -> String {
    format!("entry of {function}")
}
