//! The title of a report: the construct on the line, how its count is wrong, and by which mechanism.

use crate::diagnose::known_mechanism;
use crate::journal::FindingBundle;
use crate::model::{Line, Metric, RelationName, Rule, WrongKind};
use crate::report::counts::capital;
use crate::syntax::{Program, SiteKind, StatementKind};

/// The title without the bracketed prefix.
pub fn title(bundle: &FindingBundle) -> String {
    let (finding, source) = (&bundle.finding, bundle.program.as_str());
    let Some(line) = finding.line else {
        return match finding.rewriting {
            _ if finding.is_total() => "A total does not follow from the rest of the report".into(),
            None => "Deleting code that is reported as not executed changes the output of the program".into(),
            Some(_) => "An equivalent rewriting changes the output of a program built with coverage".into(),
        };
    };
    let subject =
        if finding.metric == Metric::Function { "function".into() } else { construct(source, line) };
    let covered = bundle.covered();
    let subject = match finding.metric {
        _ if covered.is_none() => subject,
        Metric::Path => "paths of a function".into(),
        Metric::Branch => format!("branches of {}", crate::triage::with_article(&subject)),
        Metric::Region => format!("regions of {}", crate::triage::with_article(&subject)),
        _ => format!("conditions of {}", crate::triage::with_article(&subject)),
    };
    let is_too_many = covered.map(|parts| parts.right.iter().all(|right| *right < parts.reported));
    let wrong = match (finding.rule, finding.relation) {
        _ if is_too_many.is_some() && finding.metric.is_of_counts() => "have wrong counts",
        _ if is_too_many == Some(true) => "are wrongly reported as covered",
        _ if is_too_many == Some(false) => "are wrongly reported as not covered",
        (Some(Rule::Wrong(WrongKind::Spurious)), _) => "is wrongly marked as executed",
        (Some(Rule::Wrong(WrongKind::Missing)), _) => "is wrongly marked as not executed",
        (Some(Rule::Wrong(WrongKind::Frequency)), _) => "has a wrong execution count",
        (Some(Rule::Wrong(WrongKind::Uncounted)), _) => "has no execution count",
        (Some(Rule::Wrong(WrongKind::NoCode)), _) => "has an execution count although no code is there",
        (_, RelationName::Views) => "has different execution counts in two output formats",
        (_, RelationName::Peer) => "has different execution counts in two profilers",
        (_, RelationName::Flow) => "has an execution count that contradicts those of other lines",
        _ => "has an execution count that depends on code that is not executed",
    };
    let mechanism =
        finding.cause.as_ref().filter(|cause| known_mechanism(finding.profiler, &cause.mechanism).is_some());
    let mechanism =
        mechanism.map(|cause| format!(" ({})", cause.mechanism.replace('-', " "))).unwrap_or_default();
    format!("{} {wrong}{mechanism}", capital(&subject))
}

/// The construct on `line`, as in `label after a for loop`.
fn construct(source: &str, line: Line) -> String {
    let program = Program::parse(source.to_string());
    let site = program.site(line);
    let is_of_macro = || site.statement.is_some_and(|id| program.begins_with_macro(id));
    if site.kind == SiteKind::Continuation(StatementKind::Call) && is_of_macro() {
        return "continuation line of a macro's arguments".into();
    }
    let previous = site.statement.and_then(|id| program.before(id));
    let name = match previous {
        Some(previous) if previous.is_compound() && matches!(site.kind, SiteKind::Statement(_)) => {
            format!("{} after {}", site.kind.name(), previous.name())
        }
        _ => site.kind.name(),
    };
    crate::triage::construct(&name).replace('`', "")
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
            "function head",
            "declaration",
            "for loop",
            "label after a for loop",
            "function call",
            "continuation line of a multi-line function call",
            "return statement after an if statement",
        ];
        assert_eq!(named, expected);
        let of_macro = format!("#define g(a, b) ((a) + (b))\n{source}");
        assert_eq!(construct(&of_macro, 9), "continuation line of a macro's arguments");
    }
}
