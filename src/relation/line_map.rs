//! Maps lines of the original to lines of a variant.

use std::collections::BTreeSet;

use crate::model::{Line, TextEdit};
use crate::syntax::Program;

/// The lines that `edits` touch. Program and variant share all others.
pub fn touched(program: &Program, edits: &[TextEdit]) -> BTreeSet<Line> {
    let last = |edit: &TextEdit| edit.end.max(edit.start + 1) - 1;
    let lines = |edit: &TextEdit| program.line_of(edit.start)..=program.line_of(last(edit));
    edits.iter().flat_map(lines).collect()
}

#[derive(Clone, Debug, Default)]
pub struct LineMap {
    /// For each edit that adds lines: the first line after it, and how many it adds.
    added: Vec<(Line, Line)>,
    touched: BTreeSet<Line>,
}

impl LineMap {
    pub fn new(program: &Program, edits: &[TextEdit]) -> LineMap {
        let added = edits.iter().filter_map(|edit| {
            let lines = edit.added_lines();
            let line = program.line_of(edit.start);
            let is_at_line_start = program.line_start(line) == Some(edit.start);
            (lines > 0).then_some((line + Line::from(!is_at_line_start), lines))
        });
        LineMap { added: added.collect(), touched: touched(program, edits) }
    }

    /// The line of the variant that corresponds to `line` of the original; none if the line was edited.
    pub fn to(&self, line: Line) -> Option<Line> {
        let before = self.added.iter().filter(|(first, _)| *first <= line);
        (!self.touched.contains(&line)).then(|| line + before.map(|(_, lines)| lines).sum::<Line>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, with: &str) -> TextEdit {
        TextEdit { start, end, with: with.into() }
    }

    #[test]
    fn lines_after_an_added_line_move() {
        let program = Program::parse("a;\nb;\nc;\n".into());
        let map = LineMap::new(&program, &[edit(3, 4, "x\ny\n")]);
        assert_eq!([1, 2, 3].map(|line| map.to(line)), [Some(1), None, Some(5)]);
        let map = LineMap::new(&program, &[edit(4, 4, "\n")]);
        assert_eq!([1, 2, 3].map(|line| map.to(line)), [Some(1), None, Some(4)]);
    }
}
