//! The report as `JUnit` XML for continuous integration: a suite is a compiler, a case is a program.

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::Result;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::counts::{admissible, shown};
use super::tally::by_compiler;
use super::visible::visible;
use crate::journal::{JobRecord, Journal};
use crate::model::{Cluster, Finding, Outcome, Verdict};
use crate::triage::sentence;

/// A case fails if it shows an open cluster that is not known. A program that was not profiled is skipped; a failure of
/// recount is an error.
pub fn suites(journals: &[Journal], clusters: &[Cluster]) -> Result<String> {
    let news = clusters.iter().filter(|cluster| cluster.is_news());
    let news: BTreeSet<(&str, Verdict)> =
        news.map(|cluster| (cluster.signature.as_str(), cluster.verdict)).collect();
    let mut report = Report::new("recount");
    for (compiler, records) in by_compiler(journals.iter().flat_map(Journal::sorted)) {
        let mut suite = TestSuite::new(visible(compiler));
        suite.add_test_cases(records.into_iter().map(|record| case(record, &news)));
        report.add_test_suite(suite);
    }
    Ok(report.to_string()?)
}

fn case(record: &JobRecord, news: &BTreeSet<(&str, Verdict)>) -> TestCase {
    let is_news = |finding: &&Finding| news.contains(&(finding.signature.as_str(), finding.verdict));
    let found: Vec<&Finding> = record.findings.iter().filter(is_news).collect();
    let mut status;
    if let Some(reason) = &record.failed {
        status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(visible(reason));
    } else if record.outcome != Outcome::Profiled {
        status = TestCaseStatus::skipped();
        status.set_message(visible(&record.outcome.in_words(&record.file)));
    } else if let [first, others @ ..] = found.as_slice() {
        // Most readers of the format show one failure for each case.
        let more = if others.is_empty() { String::new() } else { format!(" (and {} more)", others.len()) };
        status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_type(first.verdict.name());
        status.set_message(visible(&format!("{}{more}", message(first))));
        status.set_description(visible(
            &found.iter().map(|finding| detail(finding)).collect::<Vec<_>>().join("\n"),
        ));
    } else {
        status = TestCaseStatus::success();
    }
    let name = format!("{}, input {}", record.program, record.input);
    let mut case = TestCase::new(visible(&name), status);
    case.set_classname(visible(&record.compiler));
    case.extra.insert("file".into(), visible(&record.file).into());
    case
}

fn message(finding: &Finding) -> String {
    let line = finding.line.map(|line| format!("{}: ", finding.place(line))).unwrap_or_default();
    format!("{line}{}", sentence(finding))
}

/// What a person needs to find it again.
fn detail(finding: &Finding) -> String {
    let Finding { cluster, signature, before, after, .. } = finding;
    let mut out = format!("{}\ncluster {cluster}\nsignature {signature}\n", message(finding));
    let _ = writeln!(out, "{} -> {}", shown(*before), shown(*after));
    if let Some(truth) = &finding.truth {
        let _ = writeln!(out, "truth {}", admissible(truth));
    }
    if let Some(edit) = finding.edit() {
        let _ = writeln!(out, "{edit}");
    }
    out
}
#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::reproduce::tests::{finding, record};
    use super::*;
    use crate::triage::clusters;

    fn suite(record: &JobRecord, known: bool) -> String {
        let mut all = clusters(&record.findings);
        all.iter_mut().filter(|_| known).for_each(|cluster| cluster.known = Some("k".into()));
        let header = json!({
            "format": 2, "settings": crate::config::Settings::quick(), "profilers": [], "plan": "", "jobs": 1, "programs": 1,
        });
        let folder = tempfile::tempdir().expect("a folder");
        let folder = crate::journal::RunFolder(folder.path().to_path_buf().try_into().expect("UTF-8"));
        let header = serde_json::from_value(header).expect("a header");
        let writer = crate::journal::Writer::create(&folder, &header).expect("a journal");
        writer.append(record, &[""]).expect("a line");
        suites(&[crate::journal::read(&folder).expect("a journal")], &all).expect("XML")
    }

    #[test]
    fn a_new_cluster_fails_and_a_known_one_does_not() {
        let record = record(&finding("truth", &json!({})));
        let out = suite(&record, false);
        assert!(
            out.contains("<testsuite name=\"gcc-12\" tests=\"1\" skipped=\"0\" errors=\"0\" failures=\"1\">"),
            "{out}"
        );
        assert!(out.contains("name=\"p, input default\" classname=\"gcc-12\" file=\"a b"), "{out}");
        assert!(
            out.contains(
                "<failure message=\"line 4: gcov reports 0 for a statement that ran\" type=\"wrong\">"
            ),
            "{out}"
        );
        let out = suite(&record, true);
        assert!(out.contains("failures=\"0\"") && !out.contains("<failure"), "{out}");
    }

    #[test]
    fn a_program_without_a_profile_is_skipped_with_valid_xml() {
        let mut record = record(&finding("truth", &json!({})));
        record.findings.clear();
        record.outcome = Outcome::DoesNotCompile { reason: "a \u{1b}[1m<b> & \0\u{ffff}".into() };
        let out = suite(&record, false);
        assert!(
            out.contains("<skipped message=\"does not compile: a ␛[1m&lt;b&gt; &amp; ␀⟨U+FFFF⟩\"/>"),
            "{out}"
        );
        record.failed = Some("\"broken\"".into());
        let out = suite(&record, false);
        assert!(
            out.contains("skipped=\"0\" errors=\"1\"")
                && out.contains("<error message=\"&quot;broken&quot;\"/>")
        );
    }
}
