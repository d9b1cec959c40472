//! Calls of exec. gcov writes the profile before them, but takes them for calls that return; and if the process shares its
//! memory with its parent, the parent writes no profile any more.

use std::collections::BTreeSet;

use super::Blocks;
use crate::coverage::{FunctionGraph, GcovNotes};
use crate::diagnose::Case;
use crate::model::{Cause, Family, Layer, Line, Metric, Symptom, is_same_path};
use crate::replay::{expected, numbers};
use crate::truth::{CountedPoint, EXEC};

impl Blocks<'_> {
    /// The fault that a child of vfork wrote the profile, so that the process itself does not write it again. What is lost are
    /// counts; in a function that had not returned, and in main, other counts are derived from them.
    pub(super) fn written_by_child(&self, symptom: &Symptom) -> Option<Cause> {
        // A number that is missing, or that should be, is not one of lost counts.
        let count = symptom.reported.filter(|_| !symptom.expected.is_empty())?;
        let program = self.case.program;
        let call = program.in_code("vfork").into_iter().next()?;
        EXEC.iter().find(|name| !program.in_code(name).is_empty())?;
        let line = program.line_of(call);
        let is_open =
            self.case.truth.functions_around(symptom.line).any(|function| {
                (function.lines.0..=function.lines.1).contains(&line) || function.name == "main"
            });
        let is_less = symptom.expected.iter().all(|right| count < *right);
        if !is_less && !is_open {
            return None;
        }
        let evidence = format!("The child of the vfork on line {line} calls exec, which writes the profile.");
        Some(Cause::new(Layer::Counter, "written-by-child", format!("vfork on line {line}"), evidence))
    }
}

/// The line of a call of exec that started another program, if this explains that the `reported` number on `line` is none of the right
/// ones. gcc gives the call no arc to the exit of the function, so the code after it has the count of the call, and counts of
/// the function that are derived from it are off by as much. What else is wrong may be due to processes that ended without a profile.
pub fn line_of_exec(case: &Case<'_>, metric: Metric, line: Line, reported: u64) -> Option<Line> {
    if case.family != Family::Gcov {
        return None;
    }
    let notes = case.report.notes().ok()?;
    let (function, _) = case.truth.entries(line)?;
    // A child of vfork counts for its parent, which is no other process to ground truth and may have lost its own counts.
    let partial = case.truth.partial.as_ref();
    let written = partial.map_or(case.truth, |partial| &partial.written);
    let calls = EXEC.iter().flat_map(|name| case.program.in_code(name));
    let mut lines = calls.map(|offset| case.program.line_of(offset));
    lines.find(|at| {
        let points = written.points.iter();
        let points = points.filter(|point| point.function == function && point.line == Some(*at));
        let lost: u64 = points.map(CountedPoint::lost).sum();
        let right = || match metric {
            Metric::Line => {
                expected(written, case.family, line).map(|found| found.counts).unwrap_or_default()
            }
            _ => numbers(case.report, Some(written), case.family)
                .into_iter()
                .filter(|number| (number.metric, number.line) == (metric, line))
                .flat_map(|number| number.right.unwrap_or_default())
                .collect(),
        };
        let explains = |right: &u64| match partial {
            Some(_) => right.abs_diff(reported) <= lost,
            None => reported.checked_sub(*right) == Some(lost),
        };
        let is_off = |right: &BTreeSet<u64>| !right.contains(&reported) && right.iter().any(explains);
        lost > 0 && !has_arc_to_exit(notes, case.file, *at) && is_off(&right())
    })
}

/// Whether a block ends with a call on the line `call`: gcc replaces the calls of exec only where they are functions that it
/// knows, without -std=c11 for example.
fn has_arc_to_exit(notes: &GcovNotes, file: &str, call: Line) -> bool {
    let ends = |graph: &FunctionGraph| {
        graph.edges.iter().filter(|edge| edge.is_fake && edge.from != 0).any(|edge| {
            let last = graph.blocks[edge.from].locations.iter().rfind(|location| !location.lines.is_empty());
            last.is_some_and(|last| {
                last.lines.last() == Some(&call) && is_same_path(&notes.files[last.file], file)
            })
        })
    };
    notes.functions.iter().any(ends)
}

impl Blocks<'_> {
    /// The fault that the code after a call of exec is counted, although another program ran then.
    pub(super) fn returned_from_exec(&self, symptom: &Symptom) -> Option<Cause> {
        let line = line_of_exec(&self.case, symptom.metric, symptom.line, symptom.reported?)?;
        let evidence = format!(
            "The exec on line {line} started another program; no arc leads from it to the exit of the function."
        );
        Some(Cause::new(Layer::Mapping, "exec-returns", format!("exec on line {line}"), evidence))
    }
}
