//! The rest of a report next to the expected one, as text: functions, branches and regions, the lines without an expected
//! count, and the elements that decide the count of a line.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::counts::{number, several, shown, signed};
use super::table::table;
use crate::model::{DecidingElement, Family, Line, Metric, ReportDetails, ReportNumber};

/// The columns of [`cells_of_number`].
pub const NUMBERS: [&str; 6] = ["metric", "line", "place", "reported", "expected", "note"];

/// The columns of [`cells_of_element`].
pub const ELEMENTS: [&str; 5] = ["element", "place", "count from", "count", "truth"];

/// What the table of a report contains only `with_conditions`, or never; empty if there is nothing.
pub fn not_checked(family: Family, with_conditions: bool) -> &'static str {
    match (family, with_conditions) {
        (Family::Gcov, false) => "Conditions and paths are checked only with `--conditions`.",
        (Family::Gcov, true) => "",
        (Family::LlvmCov, false) => {
            "MC/DC is checked only with `--conditions`, and single-byte counters are never checked."
        }
        (Family::LlvmCov, true) => "Single-byte counters are never checked.",
    }
}

/// The cells of a function, branch or region; a wrong one has a note.
pub fn cells_of_number(of: &ReportNumber) -> Vec<String> {
    // A gap only decides the counts of lines, and is wrong if one of them is.
    let is_gap = of.metric == Metric::Region && of.what.contains("gap");
    let note = match of.is_wrong() {
        true if is_gap => Some("differs; a gap is judged by its lines"),
        true => Some("differs"),
        false => of.reason.as_deref(),
    };
    let expected = match &of.expected[..] {
        // It should not be in the report.
        [] if of.is_wrong() => "none".into(),
        [] => "unknown".into(),
        expected => several(expected),
    };
    vec![
        of.metric.name().into(),
        of.line.to_string(),
        of.what.clone(),
        shown(of.count),
        expected,
        note.unwrap_or_default().into(),
    ]
}

pub fn cells_of_element(of: &DecidingElement) -> Vec<String> {
    let count = of.count.map_or_else(String::new, signed);
    vec![of.element.clone(), of.place.clone(), of.source.clone(), count, several(&of.truth)]
}

/// The table of `numbers`; empty if there are none.
pub fn numbers_text<'a>(numbers: impl IntoIterator<Item = &'a ReportNumber>) -> String {
    let rows: Vec<Vec<String>> = numbers.into_iter().map(cells_of_number).collect();
    if rows.is_empty() { String::new() } else { table(&NUMBERS, &[1, 3, 4], rows) }
}

/// One sentence for each reason why lines have no expected count.
pub fn unknown_text(details: &ReportDetails) -> Vec<String> {
    let mut by_reason: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for (line, reason) in &details.unknown {
        by_reason.entry(reason).or_default().push(u64::from(*line));
    }
    let sentence = |(reason, lines): (&str, Vec<u64>)| {
        let word = if lines.len() == 1 { "line" } else { "lines" };
        format!("No expected count on {word} {}: {reason}.", ranges(&lines))
    };
    by_reason.into_iter().map(sentence).collect()
}

/// Sorted numbers, as in `3, 5-8`.
fn ranges(numbers: &[u64]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        _ => run.iter().map(ToString::to_string).collect(),
    });
    runs.collect::<Vec<_>>().join(", ")
}

/// How the count of a line follows from its elements.
pub fn rule_of(family: Family) -> &'static str {
    match family {
        Family::Gcov => {
            "gcov adds up the counts of the arcs that enter the blocks of the line from other lines,\n\
             and those of the cycles within the line. If the line owns no block, gcov adds up the blocks that list it."
        }
        Family::LlvmCov => {
            "llvm-cov reports the largest count of the wrapped segment, which reaches the line from an earlier line,\n\
             and of the segments that begin a region on the line."
        }
    }
}

/// The elements of a line, and how its count follows from them.
pub fn deciding_text(deciding: &Result<Vec<DecidingElement>, String>, family: Family) -> String {
    let elements = match deciding {
        Ok(elements) => elements,
        Err(reason) => return format!("No element is known to decide the count: {reason}.\n"),
    };
    let rows = elements.iter().map(|element| {
        let mut cells = cells_of_element(element);
        cells[0] = format!("{} {}", if element.decides { '*' } else { ' ' }, cells[0]);
        cells
    });
    let mut out = table(&ELEMENTS, &[3, 4], rows);
    let _ = writeln!(out, "\n`*` marks the elements that decide.\n{}", rule_of(family));
    out
}

/// The count of a line next to the expected one, or why there is none.
pub fn line_text(line: Line, count: Option<u64>, expected: &[u64], reason: Option<&str>) -> String {
    let reported = count.map_or_else(|| "no count".into(), number);
    let expected = match (expected, reason) {
        ([], Some(reason)) => format!("no expected count: {reason}"),
        ([], None) => "no expected count".into(),
        (expected, _) => format!("expected {}", several(expected)),
    };
    format!("line {line}: reported {reported}, {expected}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Metric;

    fn region(count: u64, expected: &[u64]) -> ReportNumber {
        let what = "column 9 to 10:22, code".into();
        let (expected, count) = (expected.to_vec(), Some(count));
        let reason = expected.is_empty().then(|| "several regions begin here".into());
        ReportNumber { metric: Metric::Region, line: 10, what, count, expected, reason, whole: None }
    }

    #[test]
    fn a_number_says_how_it_compares_with_the_expected_one() {
        let cells = |count, expected: &[u64]| cells_of_number(&region(count, expected))[3..].join(" ");
        assert_eq!(cells(2, &[2]), "2 2 ");
        assert_eq!(cells(u64::MAX, &[1]), "-1 (wrapped) 1 differs");
        assert_eq!(cells(2, &[]), "2 unknown several regions begin here");
        assert_eq!(numbers_text(&[]), "");
    }

    #[test]
    fn lines_without_an_expected_count_are_grouped_by_reason() {
        let unknown = [(3, "b"), (5, "a"), (6, "a"), (9, "a")].map(|(line, why)| (line, why.to_string()));
        let details = ReportDetails { unknown: unknown.into(), ..ReportDetails::default() };
        assert_eq!(
            unknown_text(&details),
            ["No expected count on lines 5-6, 9: a.", "No expected count on line 3: b."]
        );
    }

    #[test]
    fn a_line_and_its_elements() {
        assert_eq!(
            line_text(3, Some(u64::MAX), &[1, 2], None),
            "line 3: reported -1 (wrapped), expected 1|2"
        );
        assert_eq!(line_text(3, None, &[], Some("a")), "line 3: reported no count, no expected count: a");
        let element = DecidingElement { element: "block 4 of f".into(), decides: true, ..Default::default() };
        let shown = deciding_text(&Ok(vec![element]), Family::Gcov);
        assert!(shown.contains("\n* block 4 of f\n"), "{shown}");
        assert!(deciding_text(&Err("a".into()), Family::Gcov).ends_with(": a.\n"));
    }
}
