//! Conditional groups and the lines of macro definitions.
//!
//! This pass works by lines, since the tree says little about text that is not C yet: an `#else` may split a
//! definition in two.

use std::ops::Range;

use super::text::{EditSet, Text};
use crate::model::TextEdit;

/// One logical line: a directive with the lines that backslashes join to it, or a physical line of other text.
pub(super) struct Row<'a> {
    pub(super) range: Range<usize>,
    /// The name of a directive.
    name: Option<&'a str>,
    /// The number of conditional groups around it.
    pub(super) depth: usize,
}

impl Row<'_> {
    pub(super) fn opens_group(&self) -> bool {
        matches!(self.name, Some("if" | "ifdef" | "ifndef"))
    }

    pub(super) fn divides_group(&self) -> bool {
        matches!(self.name, Some("else" | "elif" | "elifdef" | "elifndef"))
    }

    pub(super) fn ends_group(&self) -> bool {
        self.name == Some("endif")
    }
}

/// Deletes whole conditional groups, all but one branch of a group, rows in groups, and parts of definitions.
pub(super) fn directives(text: &Text<'_>) -> Vec<EditSet> {
    let rows = rows(text.source);
    let openings = (0..rows.len()).filter(|at| rows[*at].opens_group());
    let mut found: Vec<EditSet> = openings.flat_map(|at| conditional(&rows, at)).collect();
    for row in &rows {
        let is_condition = row.opens_group() || row.divides_group() || row.ends_group();
        if !is_condition && (row.depth > 0 || row.name.is_some()) {
            found.push(vec![TextEdit::delete(row.range.clone())]);
        }
        if row.name == Some("define") {
            found.extend(parts_of_definition(text.source, &row.range).into_iter().map(|edit| vec![edit]));
        }
    }
    found
}

pub(super) fn rows(source: &str) -> Vec<Row<'_>> {
    let (mut rows, mut at, mut depth): (Vec<Row<'_>>, usize, usize) = (Vec::new(), 0, 0);
    let mut lines = source.split_inclusive('\n');
    while let Some(line) = lines.next() {
        let start = at;
        at += line.len();
        let name = line.trim_start().strip_prefix('#').map(|rest| {
            let rest = rest.trim_start();
            &rest[..rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len())]
        });
        let mut last = line;
        while name.is_some() && last.trim_end_matches(['\n', '\r']).ends_with('\\') {
            let Some(next) = lines.next() else { break };
            at += next.len();
            last = next;
        }
        let row = Row { range: start..at, name, depth };
        depth =
            if row.ends_group() { depth.saturating_sub(1) } else { depth + usize::from(row.opens_group()) };
        rows.push(Row { depth: row.depth.min(depth), ..row });
    }
    rows
}

/// Replaces the group that row `at` opens by nothing, or by one of its branches.
fn conditional(rows: &[Row<'_>], at: usize) -> Vec<EditSet> {
    let depth = rows[at].depth;
    let mut later = at + 1..rows.len();
    let is_end = |index: &usize| rows[*index].ends_group() && rows[*index].depth == depth;
    let Some(last) = later.find(is_end) else { return Vec::new() };
    let divides = |index: &usize| rows[*index].divides_group() && rows[*index].depth == depth + 1;
    let bounds: Vec<usize> = [at].into_iter().chain((at + 1..last).filter(divides)).chain([last]).collect();
    let (start, end) = (rows[at].range.start, rows[last].range.end);
    let branch = |pair: &[usize]| {
        let kept = rows[pair[0]].range.end..rows[pair[1]].range.start;
        vec![TextEdit::delete(start..kept.start), TextEdit::delete(kept.end..end)]
    };
    std::iter::once(vec![TextEdit::delete(start..end)]).chain(bounds.windows(2).map(branch)).collect()
}

/// The most lines of a definition that are deleted together.
const LINES: usize = 3;

/// The longest definition that is put on one line.
const WIDTH: usize = 100;

/// Deletes lines or statements of a macro's body, or joins its lines.
fn parts_of_definition(source: &str, definition: &Range<usize>) -> Vec<TextEdit> {
    let text = &source[definition.clone()];
    // The first line has the name. The backslash before a line belongs to the line.
    let mut starts: Vec<usize> = text.match_indices("\\\n").map(|(at, _)| at).collect();
    starts.push(text.trim_end().len());
    let lines: Vec<Range<usize>> = starts.windows(2).map(|pair| pair[0]..pair[1]).collect();
    let delete =
        |range: Range<usize>| TextEdit::delete(definition.start + range.start..definition.start + range.end);
    let mut found = Vec::new();
    // A statement may take several lines.
    for many in (1..=LINES.min(lines.len())).rev() {
        found.extend(lines.windows(many).map(|run| delete(run[0].start..run[many - 1].end)));
    }
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != "\\").collect();
    let joined = words.join(" ");
    if !lines.is_empty() && joined.len() <= WIDTH && !text.contains('"') {
        found.push(TextEdit::replace(definition.clone(), joined + "\n"));
    }
    for line in lines {
        let ends: Vec<usize> =
            text[line.clone()].match_indices(';').map(|(at, _)| line.start + at + 1).collect();
        // The statements of the line, after its backslash and line feed.
        let starts = std::iter::once(line.start + 2).chain(ends.iter().copied());
        let statements = starts.zip(&ends).filter(|_| ends.len() > 1);
        found.extend(statements.map(|(start, end)| delete(start..*end)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, pass::tests::texts};

    #[test]
    fn a_group_is_replaced_by_a_branch() {
        let source = "#ifdef A\nint a;\n#else\nint b;\nint c;\n#endif\nint d;\n";
        let found = texts(source, Pass::Directives);
        assert_eq!(found[..3], ["int d;\n", "int a;\nint d;\n", "int b;\nint c;\nint d;\n"]);
        assert!(found.contains(&source.replace("int b;\n", "")), "{found:?}");
        assert!(!found.contains(&source.replace("int d;\n", "")), "{found:?}");
    }

    #[test]
    fn groups_nest_and_need_an_endif() {
        let found = texts("#if 1\n#if 2\na\n#endif\n#else\nb\n#endif\n", Pass::Directives);
        assert_eq!(found[..3], ["", "#if 2\na\n#endif\n", "b\n"]);
        assert_eq!(texts("#if 1\na\n", Pass::Directives), ["#if 1\n"]);
    }

    #[test]
    fn lines_and_statements_of_a_definition_are_deleted() {
        let source = "#define M(x) \\\n  a (x); \\\n  b (); c ();\nint d;\n";
        let found = texts(source, Pass::Directives);
        assert!(found.contains(&"int d;\n".to_string()), "{found:?}");
        assert!(found.contains(&"#define M(x) \\\n  b (); c ();\nint d;\n".to_string()), "{found:?}");
        assert!(found.contains(&"#define M(x) \\\n  a (x); \nint d;\n".to_string()), "{found:?}");
        assert!(found.contains(&"#define M(x) \\\n  a (x); \\\n c ();\nint d;\n".to_string()), "{found:?}");
        assert!(found.contains(&"#define M(x) a (x); b (); c ();\nint d;\n".to_string()), "{found:?}");
    }
}
