//! The audit of a package as text.

use std::collections::BTreeMap;
use std::fmt::Write;

use camino::Utf8Path;

use super::counts::{percent, shown};
use super::table::table;
use crate::audit::{Audit, TESTS, Tally};
use crate::model::{Cluster, Finding, Line, Metric, Symptom, Verdict, nearest, number_of};

/// The most wrong lines of one cause that are listed.
const MOST_LINES: usize = 5;

/// The most reasons that are listed.
const MOST_REASONS: usize = 12;

/// What was checked, what is wrong and what was not checked, and where the result is.
pub fn audit_text(audit: &Audit, clusters: &[Cluster], folder: &Utf8Path) -> String {
    let tally = audit.tally();
    let mut out = format!("{} with {}\n\n", audit.package, audit.profiler.compiler);
    let row = |name: &str, tally: Tally| {
        vec![
            name.to_string(),
            tally.reported.to_string(),
            percent(tally.judged(), (tally.judged() + tally.unchecked).max(1)),
            tally.wrong.to_string(),
            tally.convention.to_string(),
            percent(tally.executed, tally.reported),
            percent(tally.right_executed, tally.right),
        ]
    };
    let files = audit.files.iter().map(|(name, file)| row(name, Tally::of(file.lines.values())));
    let head = ["file", "lines", "checked", "wrong", "conventions", "reported", "actually"];
    out += &table(&head, &[1, 2, 3, 4, 5, 6], files.chain([row("all", tally)]));
    let _ = writeln!(
        out,
        "\nLine coverage {}, actually {}. {} with a count, {} of them checked, {} wrong.",
        percent(tally.executed, tally.reported),
        percent(tally.right_executed, tally.right),
        number_of(tally.reported, "line"),
        tally.reported_judged,
        tally.wrong
    );
    out += &wrong(audit, clusters);
    out += &unchecked(audit);
    let Audit { units, cost, tests, .. } = audit;
    let _ = writeln!(
        out,
        "\n{}, {} unchecked. Tests: {tests}. CPU: {:.1} s, {:.1} times a build with coverage and one run of its tests.",
        number_of(units.all, "unit"),
        units.unchecked.len(),
        cost.all,
        cost.all / cost.plain.max(0.01)
    );
    if let Some(merged) = &audit.merged {
        let _ = writeln!(
            out,
            "In one report on the merged profile of its {}, {} of {} differ from the sum of those on each unit and program.",
            number_of(merged.programs, "program"),
            merged.differing.len(),
            number_of(merged.lines, "line")
        );
        for found in merged.differing.iter().take(MOST_LINES) {
            let _ = writeln!(
                out,
                "  {}:{}: {} merged, {} separately",
                found.file,
                found.line,
                shown(found.merged),
                shown(found.separate)
            );
        }
    }
    for note in &units.notes {
        let _ = writeln!(out, "note: {note}");
    }
    let compiler = &audit.profiler.compiler;
    let is_wrong = |finding: &&Finding| finding.verdict == Verdict::Wrong && finding.metric == Metric::Line;
    if let Some(finding) = audit.findings.iter().find(is_wrong) {
        let place = finding.place_in_file();
        let _ = writeln!(
            out,
            "`recount reduce {folder}/{compiler}.json --line {place}` makes a small program of a wrong line."
        );
    }
    let _ = writeln!(out, "Report: {folder}/{compiler}/index.html");
    out
}

/// The causes, each with some of its lines.
fn wrong(audit: &Audit, clusters: &[Cluster]) -> String {
    let mut out = String::new();
    for cluster in clusters.iter().filter(|cluster| cluster.verdict == Verdict::Wrong) {
        let findings: Vec<&Finding> = audit.findings.iter().filter(|finding| cluster.has(finding)).collect();
        let known = cluster.known.as_ref().map_or_else(|| "new".into(), |name| format!("known as {name}"));
        let _ = writeln!(
            out,
            "\n{} ({known}): {}\n  {}",
            cluster.signature,
            number_of(findings.len(), "finding"),
            cluster.sentence
        );
        for finding in findings.iter().take(MOST_LINES) {
            let line = finding.line.unwrap_or(0);
            let file = audit.files.get(&finding.file);
            let text = |line: Line| {
                file.and_then(|file| file.source.lines().nth((line as usize).checked_sub(1)?))
                    .unwrap_or("")
                    .trim()
            };
            let what = if finding.metric == Metric::Line {
                String::new()
            } else {
                format!(" {}", finding.metric.name())
            };
            let right = finding.right_count();
            let _ = writeln!(
                out,
                "  {}:{line}{}{what}: {}, actually {}: {}",
                finding.file,
                unit(audit, finding),
                shown(finding.before),
                shown(right),
                text(line)
            );
            let is_other = |other: &&Symptom| other.metric == Metric::Line && other.line != line;
            for other in finding.symptoms.iter().filter(is_other).take(MOST_LINES) {
                let right = nearest(&other.expected, other.reported);
                let _ = writeln!(
                    out,
                    "    and line {}: {}, actually {}: {}",
                    other.line,
                    shown(other.reported),
                    shown(right),
                    text(other.line)
                );
            }
        }
        if findings.len() > MOST_LINES {
            let _ = writeln!(out, "  and {} more", findings.len() - MOST_LINES);
        }
    }
    out
}

/// The unit of a finding in a file of several units, and the program: its counts are those of one of them, and the report has
/// the sum.
fn unit(audit: &Audit, finding: &Finding) -> String {
    let line =
        audit.files.get(&finding.file).zip(finding.line).and_then(|(file, line)| file.lines.get(&line));
    let is_sum = finding.metric == Metric::Line && line.is_some_and(|line| line.reported != finding.before);
    let object = Utf8Path::new(&finding.program).file_name().filter(|_| is_sum);
    let program = Some(&finding.input).filter(|program| *program != TESTS);
    let program = program.map_or_else(String::new, |program| format!(" of {program}"));
    object.map_or_else(String::new, |object| format!(" in {object}{program}"))
}

/// Why lines and units were not checked.
fn unchecked(audit: &Audit) -> String {
    let mut out = String::new();
    let sorted = audit.unchecked_lines();
    for (reason, number) in sorted.iter().take(MOST_REASONS) {
        let _ = writeln!(out, "  {}: {reason}", number_of(*number, "line"));
    }
    if let Some(left @ 1..) = sorted.len().checked_sub(MOST_REASONS) {
        let _ = writeln!(out, "  and lines for {}", number_of(left, "other reason"));
    }
    for (file, function, reason) in audit
        .files
        .iter()
        .flat_map(|(name, file)| file.refused.iter().map(move |(function, reason)| (name, function, reason)))
    {
        let _ = writeln!(out, "  function {function} of {file}: {reason}");
    }
    let mut units: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (unit, reason) in &audit.units.unchecked {
        units.entry(reason).or_default().push(unit);
    }
    for (reason, names) in units.iter().take(MOST_REASONS) {
        let others = if names.len() > 1 { " and others" } else { "" };
        let _ = writeln!(out, "  {} ({}{others}): {reason}", number_of(names.len(), "unit"), names[0]);
    }
    if let Some(left @ 1..) = units.len().checked_sub(MOST_REASONS) {
        let _ = writeln!(out, "  and units for {}", number_of(left, "other reason"));
    }
    if !out.is_empty() {
        out.insert_str(0, "\nNot checked:\n");
    }
    out
}
