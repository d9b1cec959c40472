//! The one sentence that says what is wrong with the count of a finding.

use super::counts::{admissible, number, parts, place, shown};
use crate::journal::FindingBundle;
use crate::model::{Finding, Line, Metric, RelationName};

/// The sentence on the number that the text of a report shows for a finding.
pub fn claim_of(bundle: &FindingBundle, mark: &str) -> String {
    let finding = &bundle.finding;
    let (Some(covered), Some(line)) = (bundle.covered(), finding.line) else { return claim(finding, mark) };
    if finding.metric.is_of_counts() {
        return format!(
            "{} reports counts of {} ({}) whose sum is {}; the right sum is {}.",
            finding.profiler.name(),
            all_parts(finding.metric, covered.all, line, mark),
            covered.what.join("; "),
            number(covered.reported),
            admissible(&covered.right)
        );
    }
    format!(
        "{} reports {} of {} as covered; the right number is {}.",
        finding.profiler.name(),
        covered.reported,
        all_parts(finding.metric, covered.all, line, mark),
        admissible(&covered.right)
    )
}

/// The parts of a line, as in `the 6 outcomes of the conditions on line 8`.
pub fn all_parts(metric: Metric, all: usize, line: Line, mark: &str) -> String {
    format!("the {all} {} on line {mark}{line}", parts(metric))
}

/// The sentence on a total, which contradicts the rest of the report.
fn total(finding: &Finding) -> String {
    format!(
        "{} prints {} as a total of the metric `{}`; by the lists of the same report it is {}.",
        finding.profiler.name(),
        shown(finding.before),
        finding.metric.name(),
        shown(finding.after)
    )
}

/// The sentence. `mark` precedes a line's number: on GitHub `#4` would be a link to an issue.
pub fn claim(finding: &Finding, mark: &str) -> String {
    let tool = finding.profiler.name();
    let Some(line) = finding.line else {
        if finding.is_total() {
            return total(finding);
        }
        return match &finding.rewriting {
            None => format!(
                "The output or the exit status of the program changes when code is deleted that {tool} reports as not \
                 executed."
            ),
            Some(made) => format!(
                "The two programs differ in output or exit status. They differ only by this edit, which does not change \
                 the behaviour of a program: {}.",
                made.words
            ),
        };
    };
    let place = place(finding.metric, line, mark);
    let truth = finding.right_counts();
    let after = shown(finding.after);
    let reports = format!("{tool} reports the count {} for {place}", shown(finding.before));
    match (finding.before, truth) {
        (Some(count), Some(truth)) if !truth.contains(&count) => match finding.metric {
            Metric::Line | Metric::Function => {
                format!("{tool} reports {} of {place}; it {}.", executions(count), times(truth))
            }
            _ => format!("{reports}; the right count is {}.", admissible(truth)),
        },
        (None, Some(truth)) if finding.after.is_none() => {
            format!("{tool} reports no count for {place}; it {}.", times(truth))
        }
        (Some(0), None) if finding.is_unseen() => {
            format!("{tool} reports no execution of {place}, but it executes.")
        }
        _ => match finding.relation {
            RelationName::Views => format!("{reports} in one output format, and {after} in another."),
            RelationName::Peer => format!("{reports}; another profiler reports {after}."),
            RelationName::Flow => format!("{reports}; the counts of the other lines imply {after}."),
            _ => {
                let right = truth.map(|truth| format!(" The right count is {}.", admissible(truth)));
                format!(
                    "{reports} of the program, and {after} for the same line of the variant. The edit must not change \
                     it.{}",
                    right.unwrap_or_default()
                )
            }
        },
    }
}

fn executions(count: u64) -> String {
    match count {
        0 => "no execution".into(),
        1 => "1 execution".into(),
        _ => format!("{} executions", number(count)),
    }
}

fn times(truth: &[u64]) -> String {
    match truth {
        [0] => "never executes".into(),
        [1] => "executes once".into(),
        _ => format!("executes {} times", admissible(truth)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::reproduce::tests::{culprit, finding};
    use super::*;

    #[test]
    fn each_kind_of_wrong_count_has_its_sentence() {
        let said = |relation: &str, more: &Value| claim(&finding(relation, more), "#");
        assert_eq!(
            said("truth", &json!({})),
            "gcov reports no execution of line #4; it executes 1 or 3 times."
        );
        assert_eq!(
            said("truth", &json!({"truth": [1], "metric": "function"})),
            "gcov reports no execution of the function on line #4; it executes once."
        );
        assert_eq!(
            said("truth", &json!({"before": null, "truth": [1]})),
            "gcov reports no count for line #4; it executes once."
        );
        assert_eq!(
            said("truth", &json!({"before": 1, "truth": [0]})),
            "gcov reports 1 execution of line #4; it never executes."
        );
        assert_eq!(
            said("truth", &json!({"before": 2, "metric": "branch"})),
            "gcov reports the count 2 for a branch on line #4; the right count is 1 or 3."
        );
        let unseen = json!({"culprit": culprit([4, 4]), "truth": null});
        assert_eq!(said("delete", &unseen), "gcov reports no execution of line #4, but it executes.");
        let other = json!({"truth": null, "before": 2, "after": 3});
        assert!(
            said("views", &other)
                .ends_with("the count 2 for line #4 in one output format, and 3 in another.")
        );
        assert!(
            said("flow", &other).ends_with("the count 2 for line #4; the counts of the other lines imply 3.")
        );
        assert!(
            said("delete", &other)
                .contains("the count 2 for line #4 of the program, and 3 for the same line")
        );
    }
}
