//! The title of a report: the construct on the line, and what is wrong with its count.

use crate::model::{Finding, Line, Metric, RelationName};
use crate::report::counts::capital;
use crate::syntax::{Program, SiteKind, StatementKind};

/// The title without the bracketed prefix.
pub fn title(finding: &Finding, source: &str) -> String {
    let Some(line) = finding.line else {
        return match finding.rewriting {
            None => "Deleting code that is reported as not executed changes the output of the program".into(),
            Some(_) => "An equivalent rewriting changes the output of a program built with coverage".into(),
        };
    };
    let what = if finding.metric == Metric::Function { "function".into() } else { construct(source, line) };
    let wrong = match (finding.rule.as_deref(), finding.relation) {
        (Some("spurious"), _) => "is wrongly marked as executed",
        (Some("missing"), _) => "is wrongly marked as not executed",
        (Some("frequency"), _) => "has a wrong execution count",
        (_, RelationName::Views) => "has different execution counts in two output formats",
        (_, RelationName::Peer) => "has different execution counts in two profilers",
        (_, RelationName::Flow) => "has an execution count that contradicts those of other lines",
        _ => "has an execution count that depends on code that is not executed",
    };
    format!("{} {wrong}", capital(&what))
}

/// The construct on `line`, as in `label after a for loop`.
fn construct(source: &str, line: Line) -> String {
    let program = Program::parse(source.to_string());
    let site = program.site(line);
    let name = match site.kind {
        SiteKind::Statement(kind) => statement(kind).into(),
        SiteKind::Brace => "closing brace".into(),
        SiteKind::Else => "else".into(),
        SiteKind::DoCondition => "condition of a do loop".into(),
        SiteKind::Function => "head of a function".into(),
        SiteKind::Continuation(StatementKind::Call)
            if site.statement.is_some_and(|id| program.begins_with_macro(id)) =>
        {
            return "continuation line of a macro's arguments".into();
        }
        SiteKind::Continuation(kind) => {
            return format!("continuation line of {}", with_article(statement(kind)));
        }
        SiteKind::Directive => "macro definition".into(),
        SiteKind::Other => "line".to_string(),
    };
    match site.statement.and_then(|id| program.before(id)) {
        Some(previous) if previous.is_compound() && matches!(site.kind, SiteKind::Statement(_)) => {
            format!("{name} after {}", with_article(statement(previous)))
        }
        _ => name,
    }
}

fn statement(kind: StatementKind) -> &'static str {
    match kind {
        StatementKind::Expression => "statement",
        StatementKind::Call => "function call",
        StatementKind::Empty => "empty statement",
        StatementKind::Declaration => "declaration",
        StatementKind::Block => "block",
        StatementKind::If => "if statement",
        StatementKind::Switch => "switch statement",
        StatementKind::Case => "case label",
        StatementKind::While => "while loop",
        StatementKind::Do => "do loop",
        StatementKind::For => "for loop",
        StatementKind::Return => "return statement",
        StatementKind::Break => "break statement",
        StatementKind::Continue => "continue statement",
        StatementKind::Goto => "goto statement",
        StatementKind::Labeled => "label",
        StatementKind::Asm => "asm statement",
    }
}

fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_construct_on_a_line_is_named() {
        let source = "int f(int x)\n{\n  int n = 0;\n  for (;;)\n    if (x) break;\nout:\n  g(1,\n    2);\n  \
                      if (x) n++;\n  return n;\n}\n";
        let named: Vec<String> = [1, 3, 4, 6, 7, 8, 10].map(|line| construct(source, line)).into();
        let expected = [
            "head of a function",
            "declaration",
            "for loop",
            "label after a for loop",
            "function call",
            "continuation line of a function call",
            "return statement after an if statement",
        ];
        assert_eq!(named, expected);
        let of_macro = format!("#define g(a, b) ((a) + (b))\n{source}");
        assert_eq!(construct(&of_macro, 9), "continuation line of a macro's arguments");
    }
}
