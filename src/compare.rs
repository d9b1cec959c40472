//! Compares two reports whose counts should agree.

use std::collections::BTreeSet;

use crate::coverage::Coverage;
use crate::model::{Count, Difference, Kind, Line, Outcome, Place};
use crate::toolchain::{Profile, Report};

/// The result of comparing a variant with its program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Both ran; the differences are sorted by line.
    Compared(Vec<Difference>),
    /// The variant has no report.
    Incomparable(Outcome),
}

impl Comparison {
    /// Whether it has a difference of the same kind at the same place, with the same change of the count.
    pub fn shows(&self, wanted: &Difference) -> bool {
        let same = |found: &Difference| {
            (found.place, found.kind, found.movement()) == (wanted.place, wanted.kind, wanted.movement())
        };
        matches!(self, Comparison::Compared(all) if all.iter().any(same))
    }

    /// Every line whose count changed, with the count in the variant.
    pub fn moved(&self) -> Vec<(Line, Count)> {
        let Comparison::Compared(all) = self else { return Vec::new() };
        let line = |found: &Difference| match found.place {
            Place::Line(line) => Some((line, found.after)),
            Place::Output | Place::File => None,
        };
        all.iter().filter_map(line).collect()
    }

    pub fn has_output_difference(&self) -> bool {
        self.shows(&OUTPUT)
    }

    /// This result with a difference in the output added.
    pub fn add_output_difference(&mut self) {
        if let Comparison::Compared(all) = self {
            all.insert(0, OUTPUT);
        }
    }
}

const OUTPUT: Difference = Difference { place: Place::Output, kind: Kind::Output, before: None, after: None };

/// Compare the report of the program `p` with the profile of a variant. `touched` are the lines that they do not share.
/// If the outputs differ, no counts are compared, since they belong to two different executions. `output_counts` is
/// false for a program whose output varies between runs; its counts may still be stable.
pub fn compare(p: &Report, variant: &Profile, touched: &BTreeSet<Line>, output_counts: bool) -> Comparison {
    match variant {
        Ok(report) if output_counts && report.execution != p.execution => Comparison::Compared(vec![OUTPUT]),
        Ok(report) => Comparison::Compared(lines(&p.coverage, &report.coverage, touched)),
        // The program itself was not killed, since it has a report.
        Err(Outcome::Died { .. }) => Comparison::Compared(vec![OUTPUT]),
        // Timeouts, full disks and failing tools are never a finding.
        Err(outcome) => Comparison::Incomparable(outcome.clone()),
    }
}

fn lines(before: &Coverage, after: &Coverage, touched: &BTreeSet<Line>) -> Vec<Difference> {
    (1..=before.last_line().max(after.last_line()))
        .filter(|line| !touched.contains(line))
        .filter_map(|line| Difference::of_line(line, before.line(line), after.line(line)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Execution, Termination};

    fn report(stdout: &str, counts: &[(Line, u64)]) -> Report {
        let execution =
            Execution { termination: Termination::Exited(0), stdout: stdout.into(), may_vary: false };
        Report { execution, coverage: counts.iter().copied().collect(), dialect: 0 }
    }

    fn compared(p: &Report, variant: &Profile, touched: &[Line]) -> Vec<(Place, Kind)> {
        match compare(p, variant, &touched.iter().copied().collect(), true) {
            Comparison::Compared(all) => {
                all.iter().map(|difference| (difference.place, difference.kind)).collect()
            }
            Comparison::Incomparable(_) => vec![],
        }
    }

    #[test]
    fn counts_of_shared_lines_are_compared() {
        let p = report("x", &[(1, 1), (2, 0), (3, 2), (4, 5)]);
        let variant = report("x", &[(1, 1), (3, 3), (5, 1)]);
        let expected =
            [(Place::Line(3), Kind::Strong), (Place::Line(4), Kind::Weak), (Place::Line(5), Kind::Weak)];
        assert_eq!(compared(&p, &Ok(variant), &[2]), expected);
    }

    #[test]
    fn different_output_hides_differing_counts_and_a_timeout_is_not_a_finding() {
        let p = report("x", &[(1, 1)]);
        assert_eq!(compared(&p, &Ok(report("y", &[(1, 7)])), &[]), [(Place::Output, Kind::Output)]);
        assert_eq!(compared(&p, &Err(Outcome::Died { signal: 6 }), &[]), [(Place::Output, Kind::Output)]);
        assert_eq!(compared(&p, &Err(Outcome::TimedOut { reason: String::new() }), &[]), []);
    }
}
