//! Statements before and around which lines can be inserted.
//!
//! Inserted text is on lines of its own, so that every line keeps a count of its own. The arm of an `if` and the body of
//! a loop must be one statement, so braces are put around it and the inserted text. Nothing is inserted where the parser
//! failed, where the preprocessor decides, or before the first `case` of a `switch`, which is unreachable.

use crate::model::TextEdit;
use crate::syntax::{Program, Slot, Statement, StatementId, StatementKind};

/// Whether moving a line of `program` may change what it does.
pub(super) fn depends_on_lines(program: &Program) -> bool {
    let is_renumbering = |line: &str| {
        let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with("line") || rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    program.knows_lines()
        || ["__COUNTER__", "__label__"].iter().any(|word| program.mentions(word))
        || program.source.lines().any(is_renumbering)
}

/// Whether `id` contains no directive, and neither the parser failed nor the preprocessor decides in or around it.
pub(super) fn is_unconditional(program: &Program, id: StatementId) -> bool {
    let mut enclosing =
        std::iter::successors(Some(id), |id| program.statement(*id).parent).map(|id| program.statement(id));
    !program.statement(id).directive && enclosing.all(|statement| !statement.broken && !statement.conditional)
}

/// Whether `statement` may be put into a block: it is no declaration, and no jump from outside enters it.
pub(super) fn may_be_enclosed(statement: &Statement) -> bool {
    (statement.kind.is_simple() || statement.kind.is_compound())
        && statement.labels.is_empty()
        && !statement.foreign_case
}

/// A statement before and around which lines can be inserted.
#[derive(Clone, Debug)]
pub(super) struct InsertionPoint {
    pub id: StatementId,
    /// The first byte of the statement; it makes inserted names unique.
    pub start: usize,
    end: usize,
    needs_braces: bool,
    /// Whether nothing precedes the statement on its first line, and nothing follows it on its last.
    is_first: bool,
    is_last: bool,
    indent: String,
}

/// In source order.
pub(super) fn insertion_points(program: &Program) -> Vec<InsertionPoint> {
    program.ids().filter_map(|id| InsertionPoint::new(program, id)).collect()
}

impl InsertionPoint {
    fn new(program: &Program, id: StatementId) -> Option<InsertionPoint> {
        let statement = program.statement(id);
        let parent = program.statement(statement.parent?);
        let needs_braces = match statement.slot {
            Slot::Item => false,
            Slot::AfterLabel if statement.kind == StatementKind::Declaration => return None,
            Slot::AfterLabel => parent.slot != Slot::Item,
            Slot::Body => true,
            Slot::Unsure | Slot::Fixed => return None,
        };
        let (start, end) = (statement.range.start, statement.range.end);
        let line_start = program.source[..start].rfind('\n').map_or(0, |feed| feed + 1);
        let before = &program.source[line_start..start];
        let after = program.source[end..].lines().next().unwrap_or("");
        let is_refused = matches!(statement.kind, StatementKind::Case | StatementKind::Empty)
            || needs_braces
                && (statement.kind == StatementKind::Block || parent.kind == StatementKind::Switch)
            || !is_unconditional(program, id)
            || after.ends_with('\\')
            || before.trim_start().starts_with('#');
        (!is_refused).then(|| InsertionPoint {
            id,
            start,
            end,
            needs_braces,
            is_first: before.trim().is_empty(),
            is_last: after.trim().is_empty(),
            indent: before.chars().take_while(|c| c.is_whitespace()).collect(),
        })
    }

    /// Insert the lines of `text` before the statement.
    pub fn before(&self, text: &str) -> Vec<TextEdit> {
        self.around(text, "")
    }

    /// Insert the lines of `head` before the statement and those of `tail` after it.
    pub fn around(&self, head: &str, tail: &str) -> Vec<TextEdit> {
        let open = if self.needs_braces { "{\n" } else { "" };
        let close = match (self.needs_braces, tail) {
            (true, "") => "}",
            (true, _) => "\n}",
            (false, _) => "",
        };
        let feed = format!("\n{}", self.indent);
        let lines = |text: String| text.replace('\n', &feed);
        let before = if self.is_first { "" } else { &feed };
        let head = format!("{before}{}{feed}", lines(format!("{open}{head}")));
        let mut edits = vec![TextEdit::insert(self.start, head)];
        let tail = lines(format!("{tail}{close}"));
        if !tail.is_empty() {
            let after = if self.is_last { "" } else { &feed };
            edits.push(TextEdit::insert(self.end, format!("{feed}{tail}{after}")));
        }
        edits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::render;

    fn insert(source: &str, at: usize, head: &str, tail: &str) -> String {
        let program = Program::parse(source.into());
        render(source, &insertion_points(&program)[at].around(head, tail))
    }

    #[test]
    fn inserted_text_is_on_lines_of_its_own() {
        let source = "void f(int x) {\n  a(); b();\n  if (x) c(); else\n    d();\n}\n";
        assert_eq!(insert(source, 0, "n();", ""), source.replace("  a(); b", "  n();\n  a(); b"));
        assert_eq!(insert(source, 1, "n();", "m();"), source.replace("b();", "\n  n();\n  b();\n  m();"));
        assert_eq!(
            insert(source, 3, "n();", ""),
            source.replace("c(); else", "\n  {\n  n();\n  c();\n  }\n   else")
        );
        assert_eq!(insert(source, 4, "n();", ""), source.replace("d();", "{\n    n();\n    d();\n    }"));
    }

    #[test]
    fn nothing_is_inserted_where_the_preprocessor_decides() {
        let source =
            "void f(int x) {\n#if A\n a();\n if (x) b();\n#endif\n c();\n switch (x) { case 1: d(); }\n}\n";
        let program = Program::parse(source.into());
        let texts: Vec<&str> = insertion_points(&program)
            .iter()
            .map(|point| &source[program.statement(point.id).range.clone()])
            .collect();
        assert_eq!(texts, ["c();", "switch (x) { case 1: d(); }", "d();"]);
        assert!(depends_on_lines(&Program::parse("int a = __LINE__;".into())));
        assert!(!depends_on_lines(&program));
    }
}
