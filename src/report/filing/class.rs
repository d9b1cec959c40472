//! Classes of findings that should not be reported: known ones, intended behaviour, side effects of recount's own edits,
//! and findings that are unstable or unexplained.

use crate::model::{Finding, Rule, Verdict};
use crate::triage::{Known, KnownCluster, sentence, upstream};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// As in `known as block-on-last-line` or `intended behaviour (endless-loop)`.
    pub name: String,
    pub meaning: String,
    /// The upstream report or page about it; empty if none is known.
    pub upstream: String,
}

impl Class {
    fn new(name: impl Into<String>, meaning: impl Into<String>, upstream: &str) -> Class {
        Class { name: name.into(), meaning: meaning.into(), upstream: upstream.into() }
    }

    /// The class of the first of `findings` that has one: a finding, and the one that it was before reduction.
    pub fn of<'a>(findings: impl IntoIterator<Item = &'a Finding>, known: &Known) -> Option<Class> {
        findings.into_iter().find_map(|finding| of_one(finding, known))
    }

    /// The class of a known cluster; none if it has no upstream report yet, because then it should be reported.
    pub fn known(entry: &KnownCluster) -> Option<Class> {
        let class = Class::new(format!("known as {}", entry.name), &entry.note, &entry.reports());
        (!entry.upstream.is_empty()).then_some(class)
    }

    /// Why there is no report, and how to get one anyway.
    pub fn refusal(&self) -> String {
        let Class { name, meaning, .. } = self;
        format!(
            "not reported, because it is {name}: {meaning}; {}; --force reports it anyway",
            self.existing()
        )
    }

    /// The first sentence of a report made with `--force`.
    pub fn note(&self) -> String {
        let Class { name, meaning, .. } = self;
        format!("Created with --force. recount classifies this as {name}: {meaning}; {}.", self.existing())
    }

    fn existing(&self) -> String {
        if self.upstream.is_empty() {
            "no upstream report is known".into()
        } else {
            format!("see {}", self.upstream)
        }
    }
}

fn of_one(finding: &Finding, known: &Known) -> Option<Class> {
    let known = known.get(&finding.signature, finding.verdict, std::slice::from_ref(&finding.compiler));
    if let Some(class) = known.and_then(Class::known) {
        return Some(class);
    }
    let rule = finding.rule.map_or("no rule", Rule::name);
    let by_rule = |name: &str| {
        let upstream = finding.rule.and_then(upstream).unwrap_or_default();
        Some(Class::new(format!("{name} ({rule})"), sentence(finding), upstream))
    };
    match finding.verdict {
        Verdict::Wrong => None,
        Verdict::Convention => by_rule("intended behaviour"),
        Verdict::Artefact => by_rule("a side effect of recount's own edit"),
        Verdict::Unstable => by_rule("unstable"),
        Verdict::Unexplained => Some(Class::new(
            "unexplained",
            "there is no ground truth for it, so recount cannot say which count is right",
            "",
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::reproduce::tests::finding;
    use super::*;

    fn of(more: &serde_json::Value) -> Option<Class> {
        Class::of([&finding("truth", more)], &Known::embedded())
    }

    #[test]
    fn a_new_wrong_count_has_no_class() {
        assert_eq!(of(&json!({})), None);
    }

    #[test]
    fn every_other_verdict_has_a_class_that_names_rule_and_remedy() {
        let cases = [
            ("convention", Some("endless-loop"), "106090"),
            ("artefact", Some("closing-brace"), "a line of braces"),
            ("unstable", Some("undefined-behaviour"), "a sanitizer"),
            ("unexplained", None, "cannot say"),
        ];
        for (verdict, rule, word) in cases {
            let said = of(&json!({"verdict": verdict, "rule": rule})).map(|class| class.refusal());
            let said = said.unwrap_or_default();
            assert!(
                [rule.unwrap_or_default(), word, "--force"].iter().all(|word| said.contains(word)),
                "{verdict}: {said}"
            );
        }
    }

    #[test]
    fn a_known_class_names_the_entry_and_the_upstream_report() {
        let class = of(&json!({"signature": "llvm-cov/gap-counter"})).expect("it is known");
        assert!(class.refusal().contains("known as gap-counter: "), "{}", class.refusal());
        assert!(class.note().contains("see https://github.com/llvm/"), "{}", class.note());
    }
}
