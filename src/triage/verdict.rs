//! The verdict: one exhaustive function over the evidence on a finding.

use crate::model::{Artefact, Convention, Instability, Rule, WrongKind};

/// The evidence on a finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    pub unstable: Option<Instability>,
    pub artefact: Option<Artefact>,
    pub convention: Option<Convention>,
    pub wrong: Option<WrongKind>,
}

impl Evidence {
    pub fn unstable(rule: Instability) -> Evidence {
        Evidence { unstable: Some(rule), ..Evidence::default() }
    }

    pub fn convention(rule: Convention) -> Evidence {
        Evidence { convention: Some(rule), ..Evidence::default() }
    }

    /// The rule that decides the verdict, in the order of precedence; none if the finding is unexplained.
    pub fn rule(self) -> Option<Rule> {
        let unstable = self.unstable.map(Rule::Unstable);
        let artefact = || self.artefact.map(Rule::Artefact);
        let convention = || self.convention.map(Rule::Convention);
        unstable.or_else(artefact).or_else(convention).or_else(|| self.wrong.map(Rule::Wrong))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Verdict;

    #[test]
    fn the_first_kind_of_evidence_decides() {
        let verdict = |evidence: Evidence| (Verdict::by(evidence.rule()), evidence.rule().map(Rule::name));
        let all = Evidence {
            unstable: Some(Instability::DoesNotRepeat),
            artefact: Some(Artefact::LastReturn),
            convention: Some(Convention::EndlessLoop),
            wrong: Some(WrongKind::Missing),
        };
        assert_eq!(verdict(all), (Verdict::Unstable, Some("does-not-repeat")));
        let all = Evidence { unstable: None, ..all };
        assert_eq!(verdict(all), (Verdict::Artefact, Some("last-return")));
        let all = Evidence { artefact: None, ..all };
        assert_eq!(verdict(all), (Verdict::Convention, Some("endless-loop")));
        let all = Evidence { convention: None, ..all };
        assert_eq!(verdict(all), (Verdict::Wrong, Some("missing")));
        assert_eq!(verdict(Evidence::default()), (Verdict::Unexplained, None));
    }
}
