//! Calls that must be tail calls: gcc can insert nothing after them, and leaves their arcs out of the graph.

use super::Blocks;
use crate::model::{Cause, Layer, Symptom};
use crate::replay::gcov::{BlockRef, EXIT};
use crate::syntax::{PointKind, StatementKind};

impl Blocks<'_> {
    /// The fault that a block of the function around the symptom ends with a tail call and has no way out: its count is that of its
    /// ways out, and other counts are derived from it.
    pub(super) fn tail_call(&self, symptom: &Symptom) -> Option<Cause> {
        let truth = self.case.truth;
        let graphs = self.replay.notes.functions.iter().enumerate();
        let mut around = graphs.filter(|(_, graph)| (graph.lines.0..=graph.lines.1).contains(&symptom.line));
        around.find_map(|(function, graph)| {
            let is_open = |block: &usize| *block > EXIT && graph.edges.iter().all(|edge| edge.from != *block);
            (0..graph.blocks.len()).filter(is_open).find_map(|block| {
                let place = BlockRef { function, block };
                let returns = |line| {
                    let mut begun = truth.begun(line).into_iter().map(|id| truth.point(id));
                    begun.any(|point| {
                        point.kind == PointKind::Statement(StatementKind::Return) && point.count > Some(0)
                    })
                };
                let line = self.lines_of(place).find(|line| returns(*line))?;
                let evidence = format!(
                    "{} ends with the tail call on line {line} and has no way out.",
                    self.name(place)
                );
                let element = format!("tail call on line {line}");
                Some(Cause::new(Layer::Counter, "tail-call-without-arc", element, evidence))
            })
        })
    }
}
