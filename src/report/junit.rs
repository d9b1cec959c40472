//! The report as `JUnit` XML, for the CI that shows it: a suite is a compiler, a case is a program.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::counts::{admissible, shown};
use crate::journal::{JobRecord, Journal};
use crate::model::{Cluster, Finding, Outcome, Verdict};
use crate::triage::sentence;

/// A case fails where it shows an open cluster that is not known. A program that was not profiled
/// is skipped, and a failure of our own is an error.
pub fn suites(journals: &[Journal], clusters: &[Cluster]) -> String {
    let news: BTreeSet<(&str, Verdict)> = clusters
        .iter()
        .filter(|cluster| cluster.verdict.is_open() && cluster.known.is_none())
        .map(|cluster| (cluster.signature.as_str(), cluster.verdict))
        .collect();
    let mut by_compiler: BTreeMap<(usize, &str), Vec<&JobRecord>> = BTreeMap::new();
    for record in journals.iter().flat_map(Journal::sorted) {
        by_compiler.entry((record.compiler.len(), &record.compiler)).or_default().push(record);
    }
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"recount\">\n");
    for ((_, compiler), records) in by_compiler {
        let cases: Vec<Case<'_>> = records.into_iter().map(|record| Case::of(record, &news)).collect();
        let of = |is_so: fn(&Case<'_>) -> bool| cases.iter().filter(|case| is_so(case)).count();
        let _ = writeln!(
            out,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">",
            escaped(compiler),
            cases.len(),
            of(|case| !case.news.is_empty()),
            of(|case| case.error.is_some()),
            of(|case| case.skipped.is_some()),
        );
        for case in &cases {
            case.write(&mut out);
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// What became of a job.
struct Case<'a> {
    record: &'a JobRecord,
    news: Vec<&'a Finding>,
    error: Option<&'a str>,
    skipped: Option<String>,
}

impl<'a> Case<'a> {
    fn of(record: &'a JobRecord, news: &BTreeSet<(&str, Verdict)>) -> Case<'a> {
        let is_news = |finding: &&Finding| news.contains(&(finding.signature.as_str(), finding.verdict));
        let is_skipped = record.failed.is_none() && record.outcome != Outcome::Profiled;
        Case {
            record,
            news: record.findings.iter().filter(is_news).collect(),
            error: record.failed.as_deref(),
            skipped: is_skipped.then(|| record.outcome.told(&record.file)),
        }
    }

    fn write(&self, out: &mut String) {
        let JobRecord { program, input, compiler, file, .. } = self.record;
        let _ = write!(
            out,
            "    <testcase classname=\"{}\" name=\"{}, input {}\" file=\"{}\"",
            escaped(compiler),
            escaped(program),
            escaped(input),
            escaped(file)
        );
        if self.news.is_empty() && self.error.is_none() && self.skipped.is_none() {
            out.push_str("/>\n");
            return;
        }
        out.push_str(">\n");
        if let Some(reason) = self.error {
            let _ = writeln!(out, "      <error message=\"{}\"/>", escaped(reason));
        }
        if let Some(reason) = &self.skipped {
            let _ = writeln!(out, "      <skipped message=\"{}\"/>", escaped(reason));
        }
        for finding in &self.news {
            let _ = writeln!(
                out,
                "      <failure type=\"{}\" message=\"{}\">{}</failure>",
                finding.verdict.name(),
                escaped(&message(finding)),
                escaped(&detail(finding))
            );
        }
        out.push_str("    </testcase>\n");
    }
}

fn message(finding: &Finding) -> String {
    let line = finding.line.map(|line| format!("{}: ", finding.place(line))).unwrap_or_default();
    format!("{line}{}", sentence(finding))
}

/// What a person needs to find it again.
fn detail(finding: &Finding) -> String {
    let mut out = format!("cluster {}\nsignature {}\n", finding.cluster, finding.signature);
    let _ = writeln!(out, "{} -> {}", shown(finding.before), shown(finding.after));
    if let Some(truth) = &finding.truth {
        let _ = writeln!(out, "truth {}", admissible(truth));
    }
    if let Some(edit) = finding.edit() {
        let _ = writeln!(out, "{edit}");
    }
    out
}

/// `text` as XML 1.0 may hold it: most control characters cannot even be written by number.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(c),
            '\0'..='\x1f' => out.extend(char::from_u32(0x2400 + u32::from(c))),
            '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
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
            "format": 1, "settings": crate::config::Settings::quick(), "profilers": [], "plan": "", "jobs": 1, "programs": 1,
        });
        let folder = tempfile::tempdir().expect("a folder");
        let folder = crate::journal::RunFolder(folder.path().to_path_buf().try_into().expect("UTF-8"));
        let header = serde_json::from_value(header).expect("a header");
        let writer = crate::journal::Writer::create(&folder, &header).expect("a journal");
        writer.append(record, "").expect("a line");
        suites(&[crate::journal::read(&folder).expect("a journal")], &all)
    }

    #[test]
    fn what_is_new_fails_and_what_is_known_does_not() {
        let record = record(&finding("truth", &json!({})));
        let out = suite(&record, false);
        assert!(
            out.contains("<testsuite name=\"gcc-12\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\">"),
            "{out}"
        );
        assert!(out.contains("name=\"p, input default\" file=\"a b\nrm -rf $HOME'.c\">"), "{out}");
        assert!(
            out.contains("<failure type=\"wrong\" message=\"line 4: gcov shows 0 for a `statement` that ran"),
            "{out}"
        );
        let out = suite(&record, true);
        assert!(out.contains("failures=\"0\"") && !out.contains("<failure"), "{out}");
    }

    #[test]
    fn what_has_no_profile_is_skipped_with_text_that_xml_may_hold() {
        let mut record = record(&finding("truth", &json!({})));
        record.findings.clear();
        record.outcome = Outcome::DoesNotCompile { reason: "a \u{1b}[1m<b> & \0\u{ffff}".into() };
        let out = suite(&record, false);
        assert!(
            out.contains("<skipped message=\"does not compile: a ␛[1m&lt;b&gt; &amp; ␀\u{fffd}\"/>"),
            "{out}"
        );
        record.failed = Some("\"broken\"".into());
        let out = suite(&record, false);
        assert!(
            out.contains("errors=\"1\" skipped=\"0\"")
                && out.contains("<error message=\"&quot;broken&quot;\"/>")
        );
    }
}
