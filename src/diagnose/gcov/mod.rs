//! gcov: the fault is in the counters, in the lines that gcc gave to a block, or in the rule that makes counts of lines from
//! counts of blocks (`add_line_counts` and `accumulate_line_info` in gcov.cc).

mod branches;
mod conditions;
mod copies;
mod exec;
mod files;
mod functions;
mod jumps_back;
mod left;
mod lines;
mod locations;
mod misplaced;
mod outcomes;
mod paths;
mod returns;
mod tails;

use std::cell::OnceCell;

use super::construct::construct;
use super::diagnosis::Case;
use crate::model::{Cause, Family, Layer, Line, Metric, Symptom, is_same_path};
use crate::replay::gcov::{BlockRef, ENTRY, GcovReplay, replay};
use crate::replay::{CheckedNumber, numbers};
use crate::syntax::{PointId, PointKind};
use conditions::LocatedTest;
pub use exec::line_of_exec;

/// The diagnosis of each of `symptoms`.
pub(super) fn diagnose(case: &Case<'_>, symptoms: &[Symptom]) -> Result<Vec<Cause>, String> {
    let blocks = Blocks::new(case)?;
    Ok(symptoms.iter().map(|symptom| blocks.diagnose(symptom)).collect())
}

/// The blocks of a program, with their counts.
struct Blocks<'a> {
    case: Case<'a>,
    replay: GcovReplay<'a>,
    tests: OnceCell<Vec<LocatedTest>>,
    /// The numbers of the report that are not counts of lines.
    numbers: OnceCell<Vec<CheckedNumber>>,
}

impl<'a> Blocks<'a> {
    fn new(case: &Case<'a>) -> Result<Blocks<'a>, String> {
        let notes = case.report.notes()?;
        let replay = replay(notes, case.file).map_err(|error| error.to_string())?;
        Ok(Blocks { case: *case, replay, tests: OnceCell::new(), numbers: OnceCell::new() })
    }

    fn diagnose(&self, symptom: &Symptom) -> Cause {
        let of_exec = self.returned_from_exec(symptom).or_else(|| self.written_by_child(symptom));
        let of_call = of_exec.or_else(|| self.tail_call(symptom));
        if let Some(found) = of_call.or_else(|| self.line_of_other_file(symptom)) {
            return found;
        }
        match symptom.metric {
            Metric::Line => self.line(symptom),
            Metric::Function => self.function(symptom),
            Metric::Branch => self.branch(symptom),
            Metric::Condition => self.condition(symptom),
            Metric::Region | Metric::Mcdc | Metric::Path => self.path(symptom),
        }
    }

    /// Paths that the counts of the arcs do not admit.
    fn path(&self, symptom: &Symptom) -> Cause {
        let mut graphs = self.replay.functions.iter().filter(|function| function.line == symptom.line);
        let head = graphs.find_map(|function| {
            let solved = &self.replay.solved[&function.index];
            let first = solved.leaving(ENTRY).find(|edge| !edge.is_fake)?.to;
            let is_head = solved.entering(first).any(|edge| !edge.is_fake && paths::is_back(solved, edge));
            is_head.then(|| self.name(BlockRef { function: function.index, block: first }))
        });
        if let Some(head) = head {
            let evidence = format!("{head}, the first of the function, is the head of a loop.");
            return Cause::new(Layer::Counter, "paths-of-first-loop", head, evidence);
        }
        let element = format!("{} on line {}", symptom.metric.name(), symptom.line);
        let evidence = "The counts of the arcs of the function give another result.".into();
        Cause::new(Layer::Counter, "counter/path/function", element, evidence)
    }

    /// The tests whose condition is known.
    fn tests(&self) -> &[LocatedTest] {
        self.tests.get_or_init(|| conditions::located(&self.case, &self.replay))
    }

    fn numbers(&self) -> &[CheckedNumber] {
        self.numbers.get_or_init(|| numbers(self.case.report, Some(self.case.truth), Family::Gcov))
    }

    /// The lines of our file that a block lists, in the order of the notes.
    fn lines_of(&self, place: BlockRef) -> impl Iterator<Item = Line> {
        let graph = &self.replay.notes.functions[place.function];
        let locations = graph.blocks[place.block].locations.iter();
        let is_ours = |file: usize| is_same_path(&self.replay.notes.files[file], self.case.file);
        locations
            .filter(move |location| is_ours(location.file))
            .flat_map(|location| location.lines.iter().copied())
    }

    /// The line of our file that owns a block.
    fn owner(&self, place: BlockRef) -> Option<Line> {
        conditions::owner(&self.case, &self.replay, place)
    }

    /// Whether `condition` is that of `?:`.
    fn is_choice(&self, condition: PointId) -> bool {
        let truth = self.case.truth;
        let is_arm =
            |whole| truth.points.iter().any(|at| at.kind == PointKind::Arm && at.within == Some(whole));
        truth.point(condition).within.is_some_and(is_arm)
    }

    fn name(&self, place: BlockRef) -> String {
        format!("block {} of {}", place.block, self.replay.notes.functions[place.function].name)
    }

    fn construct(&self, line: Line) -> &'static str {
        construct(self.case.truth, line)
    }
}
