//! Whether a report of gcov lacks a number that gcc may have generated code for: only then it is asked what it generates.

use super::expected::branch_groups;
use crate::coverage::Coverage;
use crate::model::Line;
use crate::syntax::PointKind;
use crate::truth::Truth;

/// Whether `report` lacks a line on which code begins, a function, or the arc of a condition.
pub fn may_lack(report: &Coverage, truth: &Truth) -> bool {
    let lacks_line = |line: &Line| {
        let mut begun = truth.begun(*line).into_iter().map(|id| truth.point(id));
        report.line(*line).is_none()
            && !truth.is_bare(*line)
            && begun
                .any(|point| !matches!(point.kind, PointKind::Entry | PointKind::Silent | PointKind::Block))
    };
    let is_listed = |name: &str| report.functions.iter().any(|function| function.name == name);
    let lacks_arc = || {
        let shown = |line: &Line| report.branches.iter().filter(|branch| branch.line == *line).count();
        let groups = branch_groups(truth);
        let mut outcomes = groups.iter().filter_map(|group| Some((group, group.outcomes.as_ref()?.len())));
        outcomes.any(|(group, outcomes)| group.lines.iter().map(shown).sum::<usize>() < outcomes)
    };
    truth.functions.iter().any(|function| function.is_counted() && !is_listed(&function.name))
        || truth.lines.keys().any(lacks_line)
        || lacks_arc()
}
