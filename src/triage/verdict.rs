//! The verdict: one exhaustive function over what is known of a finding.

use std::collections::BTreeSet;

use crate::model::Verdict;

/// What is known of a finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Why the program, or its report, cannot be relied upon.
    pub unstable: Option<&'static str>,
    /// The rule by which our own edit made it.
    pub artefact: Option<&'static str>,
    /// The rule by which the profiler means it so.
    pub convention: Option<&'static str>,
    /// How a report contradicts truth.
    pub wrong: Option<&'static str>,
}

/// The verdict and the rule behind it, in the order of precedence.
pub fn verdict(evidence: Evidence) -> (Verdict, Option<&'static str>) {
    match evidence {
        Evidence { unstable: Some(rule), .. } => (Verdict::Unstable, Some(rule)),
        Evidence { artefact: Some(rule), .. } => (Verdict::Artefact, Some(rule)),
        Evidence { convention: Some(rule), .. } => (Verdict::Convention, Some(rule)),
        Evidence { wrong: Some(kind), .. } => (Verdict::Wrong, Some(kind)),
        Evidence { unstable: None, artefact: None, convention: None, wrong: None } => {
            (Verdict::Unexplained, None)
        }
    }
}

/// How `count` contradicts the admissible ones, if it does (C2V's three kinds).
pub fn wrong(count: u64, admissible: &BTreeSet<u64>) -> Option<&'static str> {
    if admissible.contains(&count) {
        None
    } else if count > 0 && admissible.iter().all(|real| *real == 0) {
        Some("spurious")
    } else if count == 0 && admissible.iter().all(|real| *real > 0) {
        Some("missing")
    } else {
        Some("frequency")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_first_decides() {
        let all = Evidence {
            unstable: Some("u"),
            artefact: Some("a"),
            convention: Some("c"),
            wrong: Some("missing"),
        };
        assert_eq!(verdict(all), (Verdict::Unstable, Some("u")));
        let all = Evidence { unstable: None, ..all };
        assert_eq!(verdict(all), (Verdict::Artefact, Some("a")));
        let all = Evidence { artefact: None, ..all };
        assert_eq!(verdict(all), (Verdict::Convention, Some("c")));
        let all = Evidence { convention: None, ..all };
        assert_eq!(verdict(all), (Verdict::Wrong, Some("missing")));
        assert_eq!(verdict(Evidence::default()), (Verdict::Unexplained, None));
    }

    #[test]
    fn the_three_kinds_of_wrong_counts() {
        let kind = |count, real: &[u64]| wrong(count, &real.iter().copied().collect());
        assert_eq!(kind(3, &[0]), Some("spurious"));
        assert_eq!(kind(0, &[1, 4]), Some("missing"));
        assert_eq!(kind(2, &[1]), Some("frequency"));
        assert_eq!(kind(2, &[0, 1]), Some("frequency"));
        assert_eq!(kind(1, &[0, 1]), None);
    }
}
