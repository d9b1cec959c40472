//! Calls of exec. gcov writes the profile before them, but takes them for calls that return; and if the process shares its
//! memory with its parent, the parent writes no profile any more.

use super::Blocks;
use crate::coverage::{BlockNotes, FunctionGraph, GcovNotes};
use crate::diagnose::Case;
use crate::model::{Cause, Family, Layer, Line, Symptom, is_same_path};
use crate::truth::CountedPoint;

/// The calls in place of which gcc calls functions of libgcov that write the profile first (`expand_builtin_fork_or_exec` in
/// builtins.cc).
const EXEC: [&str; 6] = ["execl", "execle", "execlp", "execv", "execve", "execvp"];

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

/// The line of a call of exec that started another program, if this explains that the `reported` count on `line` is none of
/// the `right` ones. gcc gives the call no arc to the exit of the function, so the code after it in its block has the count of the
/// call; if the block ends with a test, its own count is that of the ways out. What else is wrong may be due to processes that
/// ended without a profile.
pub fn line_of_exec(case: &Case<'_>, line: Line, reported: u64, right: &[u64]) -> Option<Line> {
    if case.family != Family::Gcov || right.is_empty() {
        return None;
    }
    let notes = case.report.notes().ok()?;
    let (function, _) = case.truth.entries(line)?;
    let calls = EXEC.iter().flat_map(|name| case.program.in_code(name));
    let mut lines = calls.map(|offset| case.program.line_of(offset));
    lines.find(|at| {
        let points = case.truth.points.iter();
        let points = points.filter(|point| point.function == function && point.line == Some(*at));
        let lost: u64 = points.map(CountedPoint::lost).sum();
        let is_explained =
            |right: &u64| if line == *at { right - reported == lost } else { reported - right == lost };
        let is_off = |right: &&u64| (**right > reported) == (line == *at);
        lost > 0
            && right.iter().filter(is_off).any(is_explained)
            && is_within_block(notes, case.file, *at, line)
    })
}

/// Whether a call on the line `call` is in one block with code on `line`, and no block ends with it: gcc replaces the calls
/// only where they are functions that it knows, without -std=c11 for example.
fn is_within_block(notes: &GcovNotes, file: &str, call: Line, line: Line) -> bool {
    let is_ours = |of: usize| is_same_path(&notes.files[of], file);
    let mut blocks = notes.functions.iter().flat_map(|graph| &graph.blocks);
    let has = |block: &BlockNotes, line: Line| {
        block.locations.iter().any(|location| is_ours(location.file) && location.lines.contains(&line))
    };
    let ends = |graph: &FunctionGraph| {
        graph.edges.iter().filter(|edge| edge.is_fake && edge.from != 0).any(|edge| {
            let last = graph.blocks[edge.from].locations.iter().rfind(|location| !location.lines.is_empty());
            last.is_some_and(|last| last.lines.last() == Some(&call) && is_ours(last.file))
        })
    };
    blocks.any(|block| has(block, call) && has(block, line)) && !notes.functions.iter().any(ends)
}

impl Blocks<'_> {
    /// The fault that the code after a call of exec is counted, although another program ran then.
    pub(super) fn returned_from_exec(&self, symptom: &Symptom) -> Option<Cause> {
        let line = line_of_exec(&self.case, symptom.line, symptom.reported?, &symptom.expected)?;
        let evidence = format!(
            "The exec on line {line} started another program; no arc leads from it to the exit of the function."
        );
        Some(Cause::new(Layer::Mapping, "exec-returns", format!("exec on line {line}"), evidence))
    }
}
