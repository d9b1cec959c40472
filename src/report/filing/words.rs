//! The words of a report: what stands on the line, and what is wrong with its count.

use super::super::counts::{admissible, place, shown};
use crate::model::{Count, Finding, Line, Metric, RelationName, Rule, WrongKind};
use crate::syntax::{Program, SiteKind, StatementKind};

/// The title behind its bracket.
pub fn title(finding: &Finding, source: &str) -> String {
    let Some(line) = finding.line else {
        return match finding.rewriting {
            None => "Code that is shown as not executed changes the output of the program".into(),
            Some(_) => "A program does something else under coverage when it is written differently".into(),
        };
    };
    let what = if finding.metric == Metric::Function { "function".into() } else { construct(source, line) };
    let capital = capital(&what);
    match (finding.rule, finding.relation) {
        (Some(Rule::Wrong(WrongKind::Spurious)), _) => format!("{capital} is wrongly marked as executed"),
        (Some(Rule::Wrong(WrongKind::Missing)), _) => format!("{capital} is wrongly marked as not executed"),
        (Some(Rule::Wrong(WrongKind::Frequency)), _) => format!("{capital} has a wrong execution count"),
        (_, RelationName::Views) => {
            format!("{capital} has another execution count in each format of the report")
        }
        (_, RelationName::Peer) => format!("{capital} has another execution count than by another profiler"),
        (_, RelationName::Flow) => {
            format!("{capital} has an execution count that contradicts those around it")
        }
        _ => format!("{capital} has an execution count that depends on code which is not executed"),
    }
}

/// `text` with a capital letter first.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What stands on `line`, as in `label after a for loop`.
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
            return "further line of a macro's arguments".into();
        }
        SiteKind::Continuation(kind) => return format!("further line of {}", with_article(statement(kind))),
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

/// The one sentence on what is wrong. `mark` stands before a line's number: on GitHub `#` would
/// lead to an issue.
pub fn claim(finding: &Finding, mark: &str) -> String {
    let Some(line) = finding.line else {
        return match &finding.rewriting {
            None => "The program prints or returns something else when code is deleted that the report shows as not \
                     executed."
                .into(),
            Some(made) => format!(
                "The two programs print or return different things. They differ by this alone, which changes \
                 nothing that a program does: {}.",
                made.words
            ),
        };
    };
    let line = capital(&place(finding.metric, line, mark));
    let (before, after) = (finding.before, finding.after);
    let truth = finding.truth.as_deref().filter(|truth| !truth.is_empty());
    match (before, truth) {
        (Some(0), Some(truth)) if !truth.contains(&0) => {
            format!("{line} is marked as not executed, but it runs {} times.", admissible(truth))
                .replace(" 1 times", " once")
        }
        (Some(0), None) if finding.is_unseen() => format!("{line} is marked as not executed, but it runs."),
        (Some(count), Some(truth)) if !truth.contains(&count) => {
            let never = if truth == [0] { ": it never runs" } else { "" };
            format!(
                "{line} is wrongly marked as executed {}, it should be {}{never}.",
                times(count),
                admissible(truth)
            )
        }
        _ => match finding.relation {
            RelationName::Views => {
                format!(
                    "{line} has the count {} in one format of the report and {} in another.",
                    shown(before),
                    shown(after)
                )
            }
            RelationName::Peer => {
                format!("{line} has the count {}, and {} by another profiler.", shown(before), shown(after))
            }
            RelationName::Flow => {
                format!(
                    "{line} is marked as executed {}, but by the counts of the other lines it is {}.",
                    marked(before),
                    shown(after)
                )
            }
            _ => moved(&line, finding),
        },
    }
}

fn moved(line: &str, finding: &Finding) -> String {
    let right = finding.truth.as_deref().filter(|truth| !truth.is_empty());
    let right = right.map(|truth| format!("; right is {}", admissible(truth))).unwrap_or_default();
    format!(
        "{line} has the count {}, and {} when code that is not executed is deleted{right}. It should be the same in both \
         programs.",
        shown(finding.before),
        shown(finding.after)
    )
}

fn marked(count: Count) -> String {
    count.map_or_else(|| "no number of times".into(), times)
}

fn times(count: u64) -> String {
    if count == 1 { "1 time".into() } else { format!("{count} times") }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::super::reproduce::tests::{culprit, finding};
    use super::*;

    #[test]
    fn what_stands_on_a_line_is_named_in_plain_words() {
        let source = "int f(int x)\n{\n  int n = 0;\n  for (;;)\n    if (x) break;\nout:\n  g(1,\n    2);\n  \
                      if (x) n++;\n  return n;\n}\n";
        let named: Vec<String> = [1, 3, 4, 6, 7, 8, 10].map(|line| construct(source, line)).into();
        let expected = [
            "head of a function",
            "declaration",
            "for loop",
            "label after a for loop",
            "function call",
            "further line of a function call",
            "return statement after an if statement",
        ];
        assert_eq!(named, expected);
        let of_macro = format!("#define g(a, b) ((a) + (b))\n{source}");
        assert_eq!(construct(&of_macro, 9), "further line of a macro's arguments");
    }

    #[test]
    fn each_kind_of_wrong_count_has_its_sentence() {
        let said = |relation: &str, more: &Value| claim(&finding(relation, more), "#");
        assert_eq!(said("truth", &json!({})), "Line #4 is marked as not executed, but it runs 1 or 3 times.");
        assert_eq!(
            said("truth", &json!({"truth": [1]})),
            "Line #4 is marked as not executed, but it runs once."
        );
        assert_eq!(
            said("truth", &json!({"before": 1, "truth": [0]})),
            "Line #4 is wrongly marked as executed 1 time, it should be 0: it never runs."
        );
        assert_eq!(
            said("truth", &json!({"before": 2})),
            "Line #4 is wrongly marked as executed 2 times, it should be 1 or 3."
        );
        let unseen = json!({"culprit": culprit([4, 4]), "truth": null});
        assert_eq!(said("delete", &unseen), "Line #4 is marked as not executed, but it runs.");
        let other = json!({"truth": null, "before": 2, "after": 3});
        assert!(said("views", &other).contains(" 2 in one format of the report and 3 in another"));
        assert!(
            said("flow", &other).contains("executed 2 times, but by the counts of the other lines it is 3")
        );
        assert!(said("delete", &other).contains("the count 2, and 3 when code"));
    }
}
