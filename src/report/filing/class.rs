//! Classes of findings that nobody should report: known ones, those that are meant so, our own
//! artefacts, and what cannot be relied upon or explained.

use crate::model::{Artefact, Finding, Rule, Verdict};
use crate::triage::{Known, KnownCluster, sentence, upstream};

/// The class of a finding, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// What it is: `known as label_after_if`, `meant so (line-rule)`.
    pub name: String,
    /// What that means.
    pub meaning: String,
    /// The report or page upstream that it repeats; empty where we know of none.
    pub upstream: String,
}

impl Class {
    /// The class of the first of `findings` that has one: a finding, and what it was before it was
    /// reduced.
    pub fn of<'a>(findings: impl IntoIterator<Item = &'a Finding>, known: &Known) -> Option<Class> {
        findings.into_iter().find_map(|finding| of_one(finding, known))
    }

    /// That of what is known as `entry`; none where it was never reported, which is just what to report.
    pub fn known(entry: &KnownCluster) -> Option<Class> {
        (!entry.upstream.is_empty()).then(|| Class {
            name: format!("known as {}", entry.name),
            meaning: entry.note.clone(),
            upstream: entry.upstream.clone(),
        })
    }

    /// Why there is no report, and what to do if there must be one.
    pub fn refusal(&self) -> String {
        let Class { name, meaning, .. } = self;
        format!(
            "no report is made of what is {name}: {meaning}; {}; --force makes it all the same",
            self.repeats()
        )
    }

    /// What a report that was forced begins with.
    pub fn note(&self) -> String {
        let Class { name, meaning, .. } = self;
        format!("Made by --force. recount has this as {name}: {meaning}; {}.", self.repeats())
    }

    fn repeats(&self) -> String {
        if self.upstream.is_empty() {
            "recount knows of no report upstream".into()
        } else {
            format!("it repeats {}", self.upstream)
        }
    }
}

fn of_one(finding: &Finding, known: &Known) -> Option<Class> {
    let rule = finding.rule.map_or("no rule", Rule::name);
    let class = |name: String| Class { name, meaning: sentence(finding), upstream: String::new() };
    let known = known.get(&finding.signature, finding.verdict, std::slice::from_ref(&finding.compiler));
    if let Some(class) = known.and_then(Class::known) {
        return Some(class);
    }
    match finding.verdict {
        Verdict::Wrong => None,
        Verdict::Convention => {
            let upstream = finding.rule.and_then(upstream).unwrap_or_default().to_string();
            Some(Class { upstream, ..class(format!("meant so by the profiler ({rule})")) })
        }
        Verdict::Artefact if finding.rule == Some(Rule::Artefact(Artefact::VariantOnly)) => Some(Class {
            meaning: "its program is counted right; for a report take its variant.c as a program, by \
                      `recount reduce variant.c --line LINE`"
                .into(),
            ..class("wrong in a variant only".into())
        }),
        Verdict::Artefact => Some(class(format!("an artefact of recount's own edit ({rule})"))),
        Verdict::Unstable => Some(class(format!("unstable ({rule})"))),
        Verdict::Unexplained => Some(Class {
            name: "unexplained".into(),
            meaning: "nobody could count what is right, and nobody files what he cannot explain".into(),
            upstream: String::new(),
        }),
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
    fn what_is_wrong_and_new_has_no_class() {
        assert_eq!(of(&json!({})), None);
    }

    #[test]
    fn every_other_verdict_has_one_that_names_rule_and_remedy() {
        let cases = [
            ("convention", "line-rule", "106090"),
            ("artefact", "closing-brace", "a line of braces"),
            ("unstable", "undefined-behaviour", "a sanitizer"),
            ("unexplained", "", "cannot explain"),
        ];
        for (verdict, rule, word) in cases {
            let said = of(&json!({"verdict": verdict, "rule": rule})).map(|class| class.refusal());
            let said = said.unwrap_or_default();
            assert!([rule, word, "--force"].iter().all(|word| said.contains(word)), "{verdict}: {said}");
        }
    }

    #[test]
    fn a_known_class_is_told_by_its_name_and_what_it_repeats() {
        let class =
            of(&json!({"signature": "llvm-cov/truth/missing/statement after do"})).expect("it is known");
        assert!(class.refusal().contains("known as do_break: "), "{}", class.refusal());
        assert!(class.note().contains("it repeats https://github.com/llvm/"), "{}", class.note());
    }
}
