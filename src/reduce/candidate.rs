//! A program that is being reduced: its text, and the places that the finding is about.

use std::ops::Range;

use crate::model::{Line, TextEdit};
use crate::syntax::{EditSet, Program, StatementId, StatementKind, replaced};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub source: String,
    /// The ranges that the finding is about. They are followed through the edits, and a part of each has to stay.
    pub marks: Vec<Range<usize>>,
}

/// A pass: the text at its beginning, and the groups of edits that were accepted.
pub(super) struct PassState {
    pub(super) base: Candidate,
    pub(super) groups: Vec<Vec<EditSet>>,
}

impl PassState {
    /// Whether `edits` conflict with no accepted edit.
    pub(super) fn allows(&self, edits: &EditSet) -> bool {
        !self.groups.iter().flatten().any(|accepted| conflict(edits, accepted))
    }

    /// The program with all groups.
    pub(super) fn now(&self) -> Candidate {
        self.first(self.groups.len())
    }

    /// The program with the first `number` groups.
    pub(super) fn first(&self, number: usize) -> Candidate {
        edited(&self.base, &self.groups[..number].concat().concat())
    }

    /// The program with all groups and `group`.
    pub(super) fn with(&self, group: &[EditSet]) -> Candidate {
        edited(&self.base, &[&self.groups.concat(), group].concat().concat())
    }
}

/// `candidate` with `edits`, and its marks where they are afterwards.
pub fn edited(candidate: &Candidate, edits: &[TextEdit]) -> Candidate {
    let moved = |mark: &Range<usize>| {
        let start = moved(mark.start, edits, true);
        start..moved(mark.end, edits, false).max(start)
    };
    let marks = candidate.marks.iter().map(moved).collect();
    Candidate { source: replaced(&candidate.source, edits), marks }
}

/// The new place of `offset`. An offset inside an edit moves to the edit's end if it begins a range, or else to its start.
fn moved(offset: usize, edits: &[TextEdit], begins_range: bool) -> usize {
    let (mut removed, mut added) = (0, 0);
    let mut new = offset;
    for edit in edits {
        if edit.end <= offset && (begins_range || edit.start < offset) {
            removed += edit.end - edit.start;
            added += edit.with.len();
        } else if edit.start < offset && offset < edit.end {
            new = edit.start + if begins_range { edit.with.len() } else { 0 };
        }
    }
    new + added - removed
}

/// Whether one of `edits` replaces the whole of one of `marks`.
pub(super) fn erases(edits: &EditSet, marks: &[Range<usize>]) -> bool {
    let covers =
        |mark: &Range<usize>| edits.iter().any(|edit| edit.start <= mark.start && mark.end <= edit.end);
    marks.iter().any(|mark| !mark.is_empty() && covers(mark))
}

/// Whether two edit sets cannot be made together. Edits may touch, but two may not insert at one place.
pub(super) fn conflict(one: &EditSet, other: &EditSet) -> bool {
    one.iter().any(|a| other.iter().any(|b| a.overlaps(b)))
}

/// The candidates in runs without conflicts.
pub(super) fn runs(candidates: &[EditSet]) -> Vec<Vec<EditSet>> {
    let mut runs: Vec<Vec<EditSet>> = Vec::new();
    for candidate in candidates {
        match runs.last_mut() {
            Some(run) if !run.iter().any(|other| conflict(candidate, other)) => run.push(candidate.clone()),
            _ => runs.push(vec![candidate.clone()]),
        }
    }
    runs
}

/// The number of lines that are not blank.
pub fn lines_of_code(source: &str) -> usize {
    source.lines().filter(|line| !line.trim().is_empty()).count()
}

/// The range of the first statement that begins on `line`, or else of the line's text.
pub fn marked_range(program: &Program, line: Line) -> Option<Range<usize>> {
    // A function's body is no statement of its line.
    let is_body = |id: &&StatementId| {
        let statement = program.statement(**id);
        statement.parent.is_none() && statement.kind == StatementKind::Block
    };
    if let Some(id) = program.starting_on(line).iter().find(|id| !is_body(id)) {
        return Some(program.statement(*id).range.clone());
    }
    let text = program.line_text(line);
    let start = program.line_start(line)? + text.len() - text.trim_start().len();
    (!text.trim().is_empty()).then(|| start..start + text.trim().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marked_range_is_the_statement_that_begins_on_the_line() {
        let program = Program::parse("int main(void) {\n    int a = 0;\n}\n".into());
        let at = |line| marked_range(&program, line).map(|range| &program.source[range]);
        assert_eq!(
            (at(1), at(2), at(3), at(4)),
            (Some("int main(void) {"), Some("int a = 0;"), Some("}"), None)
        );
    }
}
