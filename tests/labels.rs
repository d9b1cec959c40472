//! The labelled findings in tests/data/causes are well formed: enough of them in each metric, of both profilers, each with a
//! cause from the table and with evidence. Clustering is judged on them, so a mistake there would be a wrong verdict.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

#[derive(Deserialize)]
struct Labels {
    cause: Vec<Cause>,
    element: Vec<Element>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cause {
    label: String,
    sentence: String,
    source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Element {
    program: String,
    profiler: String,
    label: String,
    also: Option<String>,
    evidence: String,
    findings: Vec<Labelled>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Labelled {
    metric: String,
    line: u32,
    shown: Option<u64>,
    right: Vec<u64>,
    file: Option<String>,
    /// As in `causes.rs`.
    now: Option<String>,
}

fn labels() -> Labels {
    let text = std::fs::read_to_string("tests/data/causes/labels.toml").unwrap();
    toml::from_str(&text).unwrap()
}

#[test]
fn the_sample_is_large_enough() {
    let mut findings = BTreeMap::<String, usize>::new();
    for element in labels().element {
        for finding in &element.findings {
            *findings.entry(finding.metric.clone()).or_default() += 1;
            *findings.entry(element.profiler.clone()).or_default() += 1;
        }
    }
    assert!(findings["gcc-17"] + findings["clang-24"] >= 300, "{findings:?}");
    for part in ["line", "function", "branch", "region", "gcc-17", "clang-24"] {
        assert!(findings[part] >= 20, "{part}: {findings:?}");
    }
}

#[test]
fn each_label_is_in_the_table_and_each_cause_occurs() {
    let labels = labels();
    let table: BTreeSet<&String> = labels.cause.iter().map(|cause| &cause.label).collect();
    assert_eq!(table.len(), labels.cause.len(), "a cause is twice in the table");
    let used: BTreeSet<&String> = labels.element.iter().map(|element| &element.label).collect();
    assert_eq!(used, table);
    assert!(
        labels.element.iter().filter_map(|element| element.also.as_ref()).all(|also| table.contains(also))
    );
    assert!(labels.cause.iter().all(|cause| !cause.sentence.is_empty() && !cause.source.is_empty()));
}

#[test]
fn findings_have_evidence_and_are_wrong() {
    for element in labels().element {
        assert!(element.evidence.len() > 40, "{}: no evidence", element.program);
        assert!(!element.findings.is_empty(), "{}: no findings", element.program);
        if element.program.starts_with("reports/") {
            assert!(std::path::Path::new(&element.program).exists(), "{}", element.program);
        }
        for Labelled { metric, line, shown, right, file, now } in &element.findings {
            let place = format!("{} {file:?}: {metric} on line {line}", element.program);
            assert!(*line > 0 && !right.is_empty(), "{place}");
            assert!(shown.is_none_or(|shown| !right.contains(&shown)), "{place}: the count is right");
            assert_ne!(now.as_ref(), Some(&element.label), "{place}: `now` is the label");
        }
    }
}
