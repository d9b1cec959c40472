//! The audit of a package in the formats of other tools: a tracefile of lcov with right counts, and `JUnit` XML.

use std::collections::BTreeSet;

use anyhow::Result;
use camino::Utf8Path;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::counts::shown;
use super::visible::visible;
use crate::audit::Audit;
use crate::coverage::{Coverage, lcov};
use crate::model::{Cluster, Finding, Verdict};

/// A tracefile with the right count of each line; lines that are not checked have the count of the report. Paths are below
/// `root`, the folder of the package.
pub fn audit_tracefile(audit: &Audit, root: &Utf8Path) -> String {
    let sections = audit.files.iter().map(|(name, file)| {
        let right = file.lines.iter().filter_map(|(line, count)| Some((*line, count.known()?)));
        let coverage: Coverage = right.collect();
        lcov::write(&coverage, "recount", root.join(name).as_str())
    });
    sections.collect()
}

/// A case for each file of the package, which fails if it has a wrong number whose cluster is open and not known.
pub fn audit_suite(audit: &Audit, clusters: &[Cluster]) -> Result<String> {
    let news = clusters.iter().filter(|cluster| cluster.is_news());
    let news: BTreeSet<(&str, Verdict)> =
        news.map(|cluster| (cluster.signature.as_str(), cluster.verdict)).collect();
    let mut suite = TestSuite::new(visible(&format!("{} with {}", audit.package, audit.profiler.compiler)));
    for name in audit.files.keys() {
        let is_news = |finding: &&Finding| {
            finding.file == *name && news.contains(&(finding.signature.as_str(), finding.verdict))
        };
        let found: Vec<String> = audit.findings.iter().filter(is_news).map(message).collect();
        let status = match found.first() {
            None => TestCaseStatus::success(),
            Some(first) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_type(Verdict::Wrong.name());
                status.set_message(visible(first));
                status.set_description(visible(&found.join("\n")));
                status
            }
        };
        let mut case = TestCase::new(visible(name), status);
        case.set_classname(visible(&audit.profiler.compiler));
        suite.add_test_case(case);
    }
    let mut report = Report::new("recount audit");
    report.add_test_suite(suite);
    Ok(report.to_string()?)
}

fn message(finding: &Finding) -> String {
    let right = finding.right_count();
    format!(
        "{}: {}, actually {} ({})",
        finding.place_in_file(),
        shown(finding.before),
        shown(right),
        finding.signature
    )
}
