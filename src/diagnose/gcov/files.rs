//! Lines that gcc does not write because the block continues in another file.

use super::Blocks;
use crate::model::{Cause, Layer, Metric, Symptom, is_same_path};
use crate::replay::gcov::BlockRef;

impl Blocks<'_> {
    /// The fault that gcc compares the line of a location with the one before it and not its file (`output_location` in
    /// profile.cc): if the numbers are equal, the notes have the name of the new file and no line. So the block is not on the line
    /// there, and its branches are on the line before.
    pub(super) fn line_of_other_file(&self, symptom: &Symptom) -> Option<Cause> {
        let notes = self.replay.notes;
        let is_ours = |file: usize| is_same_path(&notes.files[file], self.case.file);
        for (function, graph) in notes.functions.iter().enumerate() {
            for (block, found) in graph.blocks.iter().enumerate() {
                for pair in found.locations.windows(2) {
                    let [before, after] = pair else { continue };
                    if !after.lines.is_empty() || before.lines.last() != Some(&symptom.line) {
                        continue;
                    }
                    let is_lost =
                        is_ours(after.file) && matches!(symptom.metric, Metric::Line | Metric::Branch);
                    let is_moved = is_ours(before.file)
                        && symptom.metric == Metric::Branch
                        && symptom.expected.is_empty();
                    if is_lost || is_moved {
                        let evidence = format!(
                            "The block lists line {} of {}, and then {} without a line.",
                            symptom.line, notes.files[before.file], notes.files[after.file]
                        );
                        let element = self.name(BlockRef { function, block });
                        return Some(Cause::new(Layer::Mapping, "line-of-other-file", element, evidence));
                    }
                }
            }
        }
        None
    }
}
