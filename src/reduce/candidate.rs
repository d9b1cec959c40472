//! A program on its way to a smaller one: candidate edits combined over the text that a pass began
//! with, and what has to stay followed through them.

use std::ops::Range;

use crate::model::{Line, TextEdit};
use crate::syntax::{EditSet, Program, StatementId, StatementKind, replaced};

/// A program on its way to a smaller one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its text.
    pub source: String,
    /// Ranges that have to stay in some form and are followed through the edits: what the finding
    /// is about.
    pub marks: Vec<Range<usize>>,
}

/// A pass at work: the text that it began with, and the groups of edits that were accepted.
pub(super) struct PassState {
    pub(super) base: Candidate,
    pub(super) groups: Vec<Vec<EditSet>>,
}

impl PassState {
    /// Whether `shrink` does not touch what has been edited already.
    pub(super) fn allows(&self, shrink: &EditSet) -> bool {
        let mut accepted = self.groups.iter().flatten().flatten();
        !accepted.any(|other| shrink.iter().any(|edit| overlap(edit, other)))
    }

    /// The program as it is now.
    pub(super) fn now(&self) -> Candidate {
        self.first(self.groups.len())
    }

    /// The program with the first `number` groups.
    pub(super) fn first(&self, number: usize) -> Candidate {
        edited(&self.base, &self.groups[..number].concat().concat())
    }

    /// The program with `group` too.
    pub(super) fn with(&self, group: &[EditSet]) -> Candidate {
        let accepted = self.groups.iter().flatten().chain(group).flatten();
        edited(&self.base, &accepted.cloned().collect::<Vec<TextEdit>>())
    }
}

/// `candidate` with `edits` made, and its marks where they are then.
pub fn edited(candidate: &Candidate, edits: &[TextEdit]) -> Candidate {
    let moved = |mark: &Range<usize>| shifted(mark.start, edits, true)..shifted(mark.end, edits, false);
    let marks = candidate.marks.iter().map(moved).map(|mark| mark.start..mark.end.max(mark.start)).collect();
    Candidate { source: replaced(&candidate.source, edits), marks }
}

/// Where `offset` is when `edits` are made. What lies in an edit comes to lie at its end, if it
/// begins a range, else at its start.
fn shifted(offset: usize, edits: &[TextEdit], begins: bool) -> usize {
    let (mut gone, mut came) = (0, 0);
    let mut inside = None;
    for edit in edits {
        let is_before = if begins { edit.end <= offset } else { edit.start < offset && edit.end <= offset };
        if is_before {
            gone += edit.end - edit.start;
            came += edit.with.len();
        } else if edit.start < offset && offset < edit.end {
            inside = Some(edit);
        }
    }
    match inside {
        None => offset + came - gone,
        Some(edit) => edit.start + came - gone + if begins { edit.with.len() } else { 0 },
    }
}

/// Whether one of `shrink`'s edits leaves nothing of one of `marks`.
pub(super) fn erases(shrink: &EditSet, marks: &[Range<usize>]) -> bool {
    let covers =
        |mark: &Range<usize>| shrink.iter().any(|edit| edit.start <= mark.start && mark.end <= edit.end);
    marks.iter().any(|mark| !mark.is_empty() && covers(mark))
}

/// Edits may touch, but two may not insert at one place.
fn overlap(one: &TextEdit, other: &TextEdit) -> bool {
    one.start < other.end && other.start < one.end || one.start == other.start
}

/// Whether two candidates cannot go together.
pub(super) fn excludes(one: &EditSet, other: &EditSet) -> bool {
    one.iter().any(|edit| other.iter().any(|other| overlap(edit, other)))
}

/// The candidates in runs of which no two exclude each other.
pub(super) fn runs(candidates: &[EditSet]) -> Vec<Vec<EditSet>> {
    let mut runs: Vec<Vec<EditSet>> = Vec::new();
    for candidate in candidates {
        match runs.last_mut() {
            Some(run) if !run.iter().any(|other| excludes(candidate, other)) => run.push(candidate.clone()),
            _ => runs.push(vec![candidate.clone()]),
        }
    }
    runs
}

/// Lines with something on them.
pub fn lines_of_code(source: &str) -> usize {
    source.lines().filter(|line| !line.trim().is_empty()).count()
}

/// The bytes of what begins on `line`, or else stands on it.
pub fn place(program: &Program, line: Line) -> Option<std::ops::Range<usize>> {
    // A function's body is no statement of its line.
    let is_body = |id: &&StatementId| program.statement(**id).parent.is_none() && is_block(program, **id);
    let begun = program.starting_on(line).iter().find(|id| !is_body(id));
    let begun = begun.map(|id| program.statement(*id).range.clone());
    begun.or_else(|| {
        let text = program.line_text(line);
        let front = text.len() - text.trim_start().len();
        let start = program.line_start(line)? + front;
        (!text.trim().is_empty()).then(|| start..start + text.trim().len())
    })
}

fn is_block(program: &Program, id: StatementId) -> bool {
    program.statement(id).kind == StatementKind::Block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_what_begins_on_the_line() {
        let program = Program::parse("int main(void) {\n    int a = 0;\n}\n".into());
        let at = |line| place(&program, line).map(|range| &program.source[range]);
        assert_eq!(
            (at(1), at(2), at(3), at(4)),
            (Some("int main(void) {"), Some("int a = 0;"), Some("}"), None)
        );
    }
}
