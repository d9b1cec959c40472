//! What the preprocessor decides, and no statement holds: conditional groups, and the lines of macros.
//!
//! By lines, since a tree of text that is not C yet says little: `#else` may part a definition in two.

use std::ops::Range;

use super::{EditSet, Text};
use crate::model::TextEdit;

/// One logical line: a directive with what backslashes join to it, or a physical line of other text.
struct Row<'a> {
    range: Range<usize>,
    /// The directive's name, if it is one.
    name: Option<&'a str>,
    /// Conditional groups around it.
    depth: usize,
}

/// Whole conditional groups, one branch in place of a group, rows within groups, pieces of definitions.
pub(super) fn directives(text: &Text<'_>) -> Vec<EditSet> {
    let rows = rows(text.source);
    let mut found = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        if row.name.is_some_and(opens) {
            found.extend(conditional(&rows, at));
        }
    }
    for row in &rows {
        let is_condition = row.name.is_some_and(|name| opens(name) || turns(name) || name == "endif");
        if !is_condition && (row.depth > 0 || row.name.is_some()) {
            found.push(vec![without(row.range.clone())]);
        }
        if row.name == Some("define") {
            found.extend(pieces(text.source, &row.range));
        }
    }
    found
}

fn opens(name: &str) -> bool {
    matches!(name, "if" | "ifdef" | "ifndef")
}

fn turns(name: &str) -> bool {
    matches!(name, "else" | "elif" | "elifdef" | "elifndef")
}

fn without(range: Range<usize>) -> TextEdit {
    TextEdit { start: range.start, end: range.end, with: String::new() }
}

fn rows(source: &str) -> Vec<Row<'_>> {
    let (mut rows, mut at, mut depth) = (Vec::new(), 0, 0);
    let mut lines = source.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let start = at;
        at += line.len();
        let name = line.trim_start().strip_prefix('#').map(|rest| {
            let rest = rest.trim_start();
            &rest[..rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len())]
        });
        if name.is_some() {
            let mut last = line;
            while last.trim_end_matches(['\n', '\r']).ends_with('\\') {
                let Some(next) = lines.next() else { break };
                at += next.len();
                last = next;
            }
        }
        if name.is_some_and(|name| name == "endif") {
            depth = usize::saturating_sub(depth, 1);
        }
        rows.push(Row { range: start..at, name, depth });
        depth += usize::from(name.is_some_and(opens));
    }
    rows
}

/// What may take the place of the group that row `at` opens: nothing, or one of its branches.
fn conditional(rows: &[Row<'_>], at: usize) -> Vec<EditSet> {
    let depth = rows[at].depth;
    let own = |row: &Row<'_>| row.depth == depth + usize::from(row.name != Some("endif"));
    let inside = rows.iter().enumerate().skip(at + 1);
    let marks =
        inside.filter(|(_, row)| own(row) && row.name.is_some_and(|name| turns(name) || name == "endif"));
    let mut bounds = vec![at];
    for (index, row) in marks {
        bounds.push(index);
        if row.name == Some("endif") {
            break;
        }
    }
    let Some(&end) = bounds.last().filter(|end| rows[**end].name == Some("endif")) else { return Vec::new() };
    let whole = vec![without(rows[at].range.start..rows[end].range.end)];
    let branch = |pair: &[usize]| {
        let (start, stop) = (rows[pair[0]].range.end, rows[pair[1]].range.start);
        vec![without(rows[at].range.start..start), without(stop..rows[end].range.end)]
    };
    std::iter::once(whole).chain(bounds.windows(2).map(branch)).collect()
}

/// Lines of a definition that go together.
const LINES: usize = 3;

/// How long a definition may be that takes one line instead of several.
const WIDTH: usize = 100;

/// The statements, by their semicolons, and the lines of what a definition stands for.
fn pieces(source: &str, definition: &Range<usize>) -> Vec<EditSet> {
    let text = &source[definition.clone()];
    let joined: Vec<Range<usize>> = text
        .match_indices("\\\n")
        .map(|(at, _)| at)
        .chain([text.trim_end().len()])
        .scan(0, |from, to| {
            let range = *from..to;
            *from = to;
            Some(range)
        })
        .collect();
    let mut found: Vec<EditSet> = Vec::new();
    let shift = |range: &Range<usize>| definition.start + range.start..definition.start + range.end;
    // The first piece holds the name. A statement may take several lines.
    for many in (1..=LINES.min(joined.len() - 1)).rev() {
        let runs = joined[1..].windows(many);
        found.extend(runs.map(|run| vec![without(shift(&(run[0].start..run[many - 1].end)))]));
    }
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != "\\").collect();
    let line = words.join(" ");
    if joined.len() > 1 && line.len() <= WIDTH && !text.contains('"') {
        found.push(vec![TextEdit { with: line + "\n", ..without(definition.clone()) }]);
    }
    for range in joined.iter().skip(1) {
        let line = &text[range.clone()];
        let mut from = 0;
        let ends: Vec<usize> = line.match_indices(';').map(|(at, _)| at + 1).collect();
        if ends.len() > 1 {
            for end in ends {
                found.push(vec![without(shift(&(range.start + from.max(2)..range.start + end)))]);
                from = end;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::Pass;
    use super::super::tests::texts;

    #[test]
    fn a_group_gives_way_to_a_branch() {
        let source = "#ifdef A\nint a;\n#else\nint b;\nint c;\n#endif\nint d;\n";
        let found = texts(source, Pass::Directives);
        assert_eq!(found[..3], ["int d;\n", "int a;\nint d;\n", "int b;\nint c;\nint d;\n"]);
        assert!(found.contains(&source.replace("int b;\n", "")), "{found:?}");
        assert!(!found.contains(&source.replace("int d;\n", "")), "{found:?}");
    }

    #[test]
    fn groups_nest_and_need_an_end() {
        let found = texts("#if 1\n#if 2\na\n#endif\n#else\nb\n#endif\n", Pass::Directives);
        assert_eq!(found[..3], ["", "#if 2\na\n#endif\n", "b\n"]);
        assert_eq!(texts("#if 1\na\n", Pass::Directives), ["#if 1\n"]);
    }

    #[test]
    fn a_definition_loses_its_lines_and_statements() {
        let source = "#define M(x) \\\n  a (x); \\\n  b (); c ();\nint d;\n";
        let found = texts(source, Pass::Directives);
        assert!(found.contains(&"int d;\n".to_string()), "{found:?}");
        assert!(found.contains(&"#define M(x) \\\n  b (); c ();\nint d;\n".to_string()), "{found:?}");
        assert!(found.contains(&"#define M(x) \\\n  a (x); \nint d;\n".to_string()), "{found:?}");
        assert!(found.contains(&"#define M(x) \\\n  a (x); \\\n c ();\nint d;\n".to_string()), "{found:?}");
        assert!(found.contains(&"#define M(x) a (x); b (); c ();\nint d;\n".to_string()), "{found:?}");
    }
}
