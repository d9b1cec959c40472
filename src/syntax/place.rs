//! The syntax of a line, without names, literals and numbers. In a signature it describes the place of a changed count.

use super::comments::without_comments;
use super::{Program, StatementId, StatementKind};
use crate::model::Line;

/// The kind of a line for the reader of a coverage report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SiteKind {
    /// A statement of this kind begins here.
    Statement(StatementKind),
    /// Only braces and semicolons, one of them a closing brace; nothing here can run.
    Brace,
    /// `else`, and nothing that begins a statement.
    Else,
    /// The `while (…)` of a `do`.
    DoCondition,
    /// The head of a function definition.
    Function,
    /// A further line of a statement of this kind.
    Continuation(StatementKind),
    /// A preprocessor directive. llvm-cov counts those that define a macro.
    Directive,
    Other,
}

impl SiteKind {
    /// The word used in signatures.
    pub fn name(self) -> String {
        match self {
            SiteKind::Statement(kind) => kind.name().into(),
            SiteKind::Brace => "brace".into(),
            SiteKind::Else => "else".into(),
            SiteKind::DoCondition => "do-condition".into(),
            SiteKind::Function => "function".into(),
            SiteKind::Continuation(kind) => format!("{}-continued", kind.name()),
            SiteKind::Directive => "directive".into(),
            SiteKind::Other => "other".into(),
        }
    }
}

/// The kind of a line and the statement that represents it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    pub kind: SiteKind,
    /// The outermost statement that begins on it, or the innermost that contains it.
    pub statement: Option<StatementId>,
    /// Whether more than one statement, not counting blocks, begins on the line.
    pub several: bool,
}

impl Program {
    pub fn site(&self, line: Line) -> Site {
        // A comment that began on an earlier line is not recognised.
        let text = without_comments(self.line_text(line));
        let is_block = |id: &StatementId| self.statement(*id).kind == StatementKind::Block;
        let mut begins = self.starting_on(line).iter().copied().filter(|id| !is_block(id));
        if let Some(first) = begins.next() {
            let kind = SiteKind::Statement(self.statement(first).kind);
            return Site { kind, statement: Some(first), several: begins.next().is_some() };
        }
        if self.is_directive(line) {
            return Site { kind: SiteKind::Directive, statement: None, several: false };
        }
        let holder = self.innermost_at(line);
        let holder_kind = holder.map(|id| self.statement(id).kind);
        let words = text.trim().trim_start_matches('}').trim_start();
        let kind = if text.contains('}') && text.chars().all(|c| "{}; \t".contains(c)) {
            SiteKind::Brace
        } else if words.starts_with("else") {
            SiteKind::Else
        } else if holder_kind == Some(StatementKind::Do) && words.starts_with("while") {
            SiteKind::DoCondition
        } else if let Some(kind) = holder_kind.filter(|kind| *kind != StatementKind::Block) {
            SiteKind::Continuation(kind)
        } else if self.is_function_head(line) {
            SiteKind::Function
        } else {
            SiteKind::Other
        };
        Site { kind, statement: holder, several: false }
    }

    /// The innermost statement that begins before `line` and contains it.
    fn innermost_at(&self, line: Line) -> Option<StatementId> {
        let covers = |id: &StatementId| {
            let (first, last) = self.statement(*id).lines;
            // The last line of a block is its brace, which belongs to the statement around the block.
            let is_block = self.statement(*id).kind == StatementKind::Block;
            first < line && (line < last || line == last && !is_block)
        };
        // Statements are in source order, so the last one that covers the line is the innermost.
        let end = self.statements.partition_point(|statement| statement.lines.0 < line);
        (0..end).rev().map(StatementId::new).find(covers)
    }

    /// Whether `line` belongs to a directive, which a backslash continues.
    pub(super) fn is_directive(&self, line: Line) -> bool {
        let mut first = line;
        while first > 1 && self.line_text(first - 1).ends_with('\\') {
            first -= 1;
        }
        self.line_text(first).trim_start().starts_with('#')
    }

    fn is_function_head(&self, line: Line) -> bool {
        self.functions.iter().any(|function| {
            let body = self.source[function.range.clone()].find('{').unwrap_or(0);
            let (first, last) =
                (self.line_of(function.range.start), self.line_of(function.range.start + body));
            (first..=last).contains(&line)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_named_for_its_construct() {
        let source = "int f(int x)\n{\n  if (x)\n    a();\n  else\n    b(1,\n      2);\n  do {\n    c(); d();\n  \
                      } while (x);\n  }  /* end */\n";
        let program = Program::parse(source.into());
        let names: Vec<String> = (1..=11).map(|line| program.site(line).kind.name()).collect();
        let expected = [
            "function",
            "function",
            "if",
            "call",
            "else",
            "call",
            "call-continued",
            "do",
            "call",
            "do-condition",
            "brace",
        ];
        assert_eq!(names, expected);
        assert!(program.site(9).several);
    }
}
