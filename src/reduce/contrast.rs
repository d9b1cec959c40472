//! The contrast: a variant of the reduced program, one edit away, on which the profiler's counts are right.
//!
//! It is one edit away from the reduced program, keeps the statement that the finding is about, is sound, and all
//! counts in its report are right. The edit changes one thing about the code; it deletes no statement, because a program
//! without the construct that causes the wrong count proves nothing.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use anyhow::Result;

use super::candidate::{Candidate, edited, marked_range};
use super::finding_test::FindingTest;
use crate::model::{Count, Line, Metric, TextEdit};
use crate::relation::against_truth_of;
use crate::replay::{covered, expected};
use crate::syntax::{EditSet, Pass, Program, candidate_edits, one_line, replaced};
use crate::toolchain::{Confidence, UbChecks};

/// The passes whose candidates are tried, in this order; within a pass, the smallest change comes first.
const PASSES: [Pass; 5] = [Pass::Layout, Pass::Breaks, Pass::Expand, Pass::Expressions, Pass::Constants];

/// The maximum number of variants that are tried.
const ATTEMPTS: usize = 120;

/// The most variants that are tried after the time limit of the reduction.
const LATE_ATTEMPTS: usize = 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    pub source: String,
    /// The edit in words: "`x;` on line 3 is removed".
    pub edit: String,
    /// The counts of its lines.
    pub counts: Vec<Count>,
}

/// A contrast, or why there is none.
type Found = std::result::Result<Contrast, String>;

/// The contrast to `reduced`, whose finding is about `metric` on `line` with the correct counts `admissible`.
pub fn contrast(
    test: &FindingTest<'_>,
    reduced: &str,
    (metric, line): (Metric, Line),
    admissible: &[u64],
) -> Result<Found> {
    if admissible.is_empty() {
        return Ok(Err("there is no ground truth for the line".into()));
    }
    let program = Program::parse(reduced.to_string());
    let Some(range) = marked_range(&program, line) else {
        return Ok(Err("the line contains no code that an edit could keep".into()));
    };
    let function_at = |offset| program.function_at(offset).map(|function| &function.range);
    let own = function_at(range.start);
    let base = Candidate { source: reduced.to_string(), marks: vec![range] };
    // The definition of a macro is in no function.
    let is_in_function = |edits: &EditSet| {
        edits.iter().all(|edit| function_at(edit.start).is_none_or(|range| own == Some(range)))
    };
    let size = |edits: &EditSet| -> usize {
        edits.iter().map(|edit| edit.range().len().abs_diff(edit.with.len())).sum()
    };
    let mut tried = 0;
    let mut fallback = None;
    for pass in PASSES {
        let mut candidates = candidate_edits(reduced, pass);
        // An edit of another function often only keeps the line from running.
        candidates.sort_by_key(|edits| (!is_in_function(edits), size(edits)));
        for edits in candidates {
            let next = edited(&base, &edits);
            let mark = &next.marks[0];
            if next.source[mark.clone()].trim().is_empty() || next.source == reduced {
                continue;
            }
            if tried == ATTEMPTS || tried >= LATE_ATTEMPTS && test.is_late() {
                break;
            }
            tried += 1;
            let line = Program::parse(next.source.clone()).line_of(mark.start);
            let Some((counts, right)) = right_counts(test, &next.source, (metric, line))? else { continue };
            if !test.compiles_and_runs(0, &next.source, &test.guards)?
                || !test.is_sound_source(0, &next.source, UbChecks::Full)?
            {
                continue;
            }
            let found = Contrast { edit: described(reduced, &edits), source: next.source.clone(), counts };
            // Best if the line runs as often as before, in the same function: then only the count changed.
            if is_in_function(&edits) && right.iter().any(|count| admissible.contains(count)) {
                return Ok(Ok(found));
            }
            fallback.get_or_insert(found);
        }
    }
    Ok(fallback.ok_or_else(|| no_contrast(tried)))
}

/// Why no contrast was found among `tried` variants, for bug reports.
fn no_contrast(tried: usize) -> String {
    match tried {
        0 => "no edit keeps the code on the line".into(),
        1 => "the only variant that was tried is not a valid program with correct counts".into(),
        _ => format!("none of the {tried} variants that were tried is a valid program with correct counts"),
    }
}

/// The counts of a report, and the right counts of the line.
type RightCounts = (Vec<Count>, Vec<u64>);

/// The counts of a report whose lines and numbers of `metric` are right, if `line` has a count, of which only one value is right, and
/// its function is entered. An exploratory profile comes first, then a confirming one.
fn right_counts(
    test: &FindingTest<'_>,
    source: &str,
    (metric, line): (Metric, Line),
) -> Result<Option<RightCounts>> {
    let family = test.profiler.info().profiler;
    let mut counts = None;
    for confidence in [Confidence::Exploratory, Confidence::Confirming] {
        let Ok((report, Ok(truth))) = test.profile(source, confidence)? else { return Ok(None) };
        let is_right = against_truth_of(&report.coverage, &truth, family, metric).is_empty();
        let is_entered = truth.entries(line).is_none_or(|(_, entries)| entries > 0);
        let right: Option<Vec<u64>> = if metric.is_of_parts() {
            covered(&report.coverage, Some(&truth), family, metric, line).map(|parts| parts.right)
        } else {
            let right = report.coverage.line(line).and(expected(&truth, family, line).ok());
            right.map(|right| right.counts.into_iter().collect())
        };
        counts = match right {
            Some(right)
                if is_right && is_entered && right.len() == 1 && test.may_test(Some(&truth), Some(line)) =>
            {
                Some((report.coverage.lines(), right))
            }
            _ => return Ok(None),
        };
    }
    Ok(counts)
}

/// The edits of `source` in words, to follow "when".
fn described(source: &str, edits: &EditSet) -> String {
    let program = Program::parse(source.to_string());
    let quoted = |text: &str| format!("`{}`", one_line(text));
    let lines: BTreeSet<Line> = edits.iter().map(|edit| program.line_of(edit.start)).collect();
    // Several edits of one line are described by the new line.
    if let (true, Some(line), true) = (edits.len() > 1, lines.first(), lines.len() == 1) {
        let start = program.line_start(*line).unwrap_or(0);
        let text = program.line_text(*line);
        if edits.iter().all(|edit| edit.end <= start + text.len()) {
            let own = |edit: &TextEdit| TextEdit::replace(edit.start - start..edit.end - start, &edit.with);
            let edits: Vec<TextEdit> = edits.iter().map(own).collect();
            return match replaced(text, &edits).trim() {
                "" => format!("{} on line {line} is removed", quoted(text)),
                new => format!("{} on line {line} becomes {}", quoted(text), quoted(new)),
            };
        }
    }
    let words = edits.iter().filter(|edit| source[edit.range()] != edit.with).map(|edit| {
        let (old, new) = (&source[edit.range()], edit.with.as_str());
        // The edited code may be lines below the start of the edit.
        let line = program.line_of(edit.start + old.len() - old.trim_start().len());
        let first = program.line_of(edit.start);
        let breaks = |text: &str| text.matches('\n').count();
        match (old.trim().is_empty(), new.trim().is_empty()) {
            _ if old.split_whitespace().eq(new.split_whitespace()) => match breaks(new).cmp(&breaks(old)) {
                Ordering::Greater => format!("line {first} is split"),
                Ordering::Less => format!("line {first} is joined with the next line"),
                Ordering::Equal => format!("the whitespace on line {line} changes"),
            },
            (true, _) if new.trim_start_matches([' ', '\t']).starts_with('\n') => {
                format!("{} is inserted below line {first}", quoted(new))
            }
            (true, _) => format!("{} is inserted on line {line}", quoted(new)),
            (false, true) => format!("{} on line {line} is removed", quoted(old)),
            (false, false) => format!("{} on line {line} becomes {}", quoted(old), quoted(new)),
        }
    });
    words.collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_is_described_in_words() {
        let source = "int main(void) {\n    int a =\n        0;\n    a++;\n}\n";
        let edit = |old: &str, with: &str| {
            let start = source.find(old).expect("the source contains it");
            vec![TextEdit::replace(start..start + old.len(), with)]
        };
        assert_eq!(described(source, &edit("a++;", "")), "`a++;` on line 4 is removed");
        assert_eq!(described(source, &edit("a++", "1")), "`a++` on line 4 becomes `1`");
        assert_eq!(described(source, &edit("\n        0", " 0")), "line 2 is joined with the next line");
        assert_eq!(described(source, &edit("\n        0", "\n        1")), "`0` on line 3 becomes `1`");
        assert_eq!(described(source, &edit("\n    a++;", "")), "`a++;` on line 4 is removed");
        assert_eq!(described(source, &edit("\n        ", " ")), "line 2 is joined with the next line");
        assert_eq!(described(source, &edit("\n        ", "\n  ")), "the whitespace on line 3 changes");
        assert_eq!(described(source, &edit(" {", "\n{")), "line 1 is split");
        assert_eq!(
            described(source, &edit("\n    a++;", "\n    a++;\n    b();")),
            "`a++;` on line 4 becomes `a++; b();`"
        );
        let two = vec![TextEdit::replace(0..3, "long"), TextEdit::replace(16..17, " ")];
        assert_eq!(
            described(source, &two),
            "`int` on line 1 becomes `long` and line 1 is joined with the next line"
        );
    }
}
