//! Places where lines can be put into a program: before a statement, and around one.
//!
//! What is put there stands on lines of its own, so that each keeps a count of its own. A statement
//! that has to be one, as an arm or a body, gets braces around it and what is put before it. No place
//! is where the parser stumbled or the preprocessor decides, and none is before the first `case` of a
//! `switch`, which nothing ever reaches.

use crate::model::TextEdit;
use crate::syntax::{Program, Slot, StatementId, StatementKind};

/// Whether no line of `program` may be moved.
pub fn is_bound_to_its_lines(program: &Program) -> bool {
    let directive = |line: &str| {
        let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with("line") || rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    program.knows_lines()
        || ["__COUNTER__", "__label__"].iter().any(|word| program.mentions(word))
        || program.source.lines().any(directive)
}

/// Whether the parser and the preprocessor leave `id` and all around it alone.
pub fn is_plain(program: &Program, id: StatementId) -> bool {
    let own = program.statement(id);
    let mut at = Some(id);
    while let Some(id) = at {
        let statement = program.statement(id);
        if statement.broken || statement.conditional {
            return false;
        }
        at = statement.parent;
    }
    !own.directive
}

/// A statement that lines can be put before and around.
#[derive(Clone, Debug)]
pub struct Spot {
    /// The statement.
    pub id: StatementId,
    start: usize,
    end: usize,
    /// Whether braces are needed.
    is_sole: bool,
    /// Whether nothing stands before it on its line, and nothing behind it on its last.
    is_first: bool,
    is_last: bool,
    indent: String,
}

/// Every spot of `program`, in source order.
pub fn spots(program: &Program) -> Vec<Spot> {
    program.ids().filter_map(|id| Spot::new(program, id)).collect()
}

impl Spot {
    fn new(program: &Program, id: StatementId) -> Option<Spot> {
        let statement = program.statement(id);
        let parent = program.statement(statement.parent?);
        let is_sole = match statement.slot {
            Slot::Item => false,
            Slot::AfterLabel if statement.kind == StatementKind::Declaration => return None,
            Slot::AfterLabel => parent.slot != Slot::Item,
            Slot::Arm | Slot::Body => true,
            Slot::Unsure | Slot::Fixed => return None,
        };
        let is_refused = matches!(statement.kind, StatementKind::Case | StatementKind::Empty)
            || is_sole && (statement.kind == StatementKind::Block || parent.kind == StatementKind::Switch)
            || !is_plain(program, id);
        if is_refused {
            return None;
        }
        let (start, end) = (statement.range.start, statement.range.end);
        let line_start = program.source[..start].rfind('\n').map_or(0, |feed| feed + 1);
        let before = &program.source[line_start..start];
        let behind = program.source[end..].lines().next().unwrap_or("");
        if behind.ends_with('\\') || before.trim_start().starts_with('#') {
            return None;
        }
        let indent = before.chars().take_while(|c| c.is_whitespace()).collect();
        let (is_first, is_last) = (before.trim().is_empty(), behind.trim().is_empty());
        Some(Spot { id, start, end, is_sole, is_first, is_last, indent })
    }

    /// The byte that the statement begins with: it tells names apart.
    pub fn offset(&self) -> usize {
        self.start
    }

    /// Put `lines` before it.
    pub fn before(&self, lines: &[String]) -> Vec<TextEdit> {
        if self.is_sole {
            return self.around(lines, &[]);
        }
        vec![self.head(lines)]
    }

    /// Put `head` before it and `tail` behind it.
    pub fn around(&self, head: &[String], tail: &[String]) -> Vec<TextEdit> {
        let (mut head, mut tail) = (head.to_vec(), tail.to_vec());
        if self.is_sole {
            head.insert(0, "{".into());
            tail.push("}".into());
        }
        let mut edits = vec![self.head(&head)];
        if !tail.is_empty() {
            let feed = format!("\n{}", self.indent);
            let behind = if self.is_last { "" } else { &feed };
            let with = format!("{feed}{}{behind}", tail.join(&feed));
            edits.push(TextEdit { start: self.end, end: self.end, with });
        }
        edits
    }

    fn head(&self, lines: &[String]) -> TextEdit {
        let feed = format!("\n{}", self.indent);
        let before = if self.is_first { "" } else { &feed };
        TextEdit { start: self.start, end: self.start, with: format!("{before}{}{feed}", lines.join(&feed)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::render;

    fn put(source: &str, at: usize, head: &str, tail: &str) -> String {
        let program = Program::parse(source.into());
        let spot = &spots(&program)[at];
        let lines = |text: &str| text.lines().map(String::from).collect::<Vec<_>>();
        let edits =
            if tail.is_empty() { spot.before(&lines(head)) } else { spot.around(&lines(head), &lines(tail)) };
        render(source, &edits)
    }

    #[test]
    fn lines_are_put_on_lines_of_their_own() {
        let source = "void f(int x) {\n  a(); b();\n  if (x) c(); else\n    d();\n}\n";
        assert_eq!(put(source, 0, "n();", ""), source.replace("  a(); b", "  n();\n  a(); b"));
        assert_eq!(put(source, 1, "n();", "m();"), source.replace("b();", "\n  n();\n  b();\n  m();"));
        assert_eq!(
            put(source, 3, "n();", ""),
            source.replace("c(); else", "\n  {\n  n();\n  c();\n  }\n   else")
        );
        assert_eq!(put(source, 4, "n();", ""), source.replace("d();", "{\n    n();\n    d();\n    }"));
    }

    #[test]
    fn what_the_preprocessor_decides_is_no_place() {
        let source =
            "void f(int x) {\n#if A\n a();\n if (x) b();\n#endif\n c();\n switch (x) { case 1: d(); }\n}\n";
        let program = Program::parse(source.into());
        let texts: Vec<&str> =
            spots(&program).iter().map(|spot| &source[program.statement(spot.id).range.clone()]).collect();
        assert_eq!(texts, ["c();", "switch (x) { case 1: d(); }", "d();"]);
        assert!(is_bound_to_its_lines(&Program::parse("int a = __LINE__;".into())));
        assert!(!is_bound_to_its_lines(&program));
    }
}
