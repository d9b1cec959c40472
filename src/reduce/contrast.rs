//! The contrast: the nearest program on which the profiler is right.
//!
//! It is one edit away from the reduced program, keeps what the finding is about, nothing can be said against it,
//! and every count of its report is right. A maintainer asks for it first, since what the edit takes away is a part of
//! the cause.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use anyhow::Result;

use super::candidate::{Candidate, edited, place};
use super::hunt::Hunt;
use crate::model::{Count, Line, TextEdit};
use crate::relation::against_truth;
use crate::syntax::{EditSet, Pass, Program, candidate_edits, replaced};
use crate::toolchain::{Confidence, UbChecks};

/// What is tried, in this order; within a pass, what changes least comes first.
const PASSES: [Pass; 7] = [
    Pass::Statements,
    Pass::Unwrap,
    Pass::Layout,
    Pass::Breaks,
    Pass::Expand,
    Pass::Expressions,
    Pass::Constants,
];

/// Programs that are tried before there is none.
const ATTEMPTS: usize = 120;

/// The nearest program that is counted right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    /// Its text.
    pub source: String,
    /// The edit that leads to it, in words: `x;` on line 3 is removed.
    pub edit: String,
    /// The counts of its lines.
    pub counts: Vec<Count>,
}

/// The contrast to `reduced`, whose finding is on `line`, where the counts `admissible` are right;
/// or why there is none.
pub fn contrast(
    hunt: &Hunt<'_>,
    reduced: &str,
    line: Line,
    admissible: &[u64],
) -> Result<std::result::Result<Contrast, String>> {
    if admissible.is_empty() {
        return Ok(Err("nobody counted what really ran, so nothing says which program is right".into()));
    }
    let program = Program::parse(reduced.to_string());
    let Some(place) = place(&program, line) else {
        return Ok(Err("nothing stands on the line that could be followed through an edit".into()));
    };
    let base = Candidate { source: reduced.to_string(), marks: vec![place] };
    let own = program.function_at(base.marks[0].start).map(|function| &function.range);
    // A macro's definition stands in no function.
    let inside = |shrink: &EditSet| {
        let of = |edit: &TextEdit| program.function_at(edit.start).map(|function| &function.range);
        shrink.iter().all(|edit| of(edit).is_none_or(|range| own == Some(range)))
    };
    let mut tried = 0;
    let mut fallback = None;
    for pass in PASSES {
        let mut candidates = candidate_edits(reduced, pass);
        // What is done to another function often only keeps the place from running.
        candidates.sort_by_key(|shrink| (!inside(shrink), size(shrink)));
        for shrink in candidates {
            let next = edited(&base, &shrink);
            let mark = &next.marks[0];
            if next.source[mark.clone()].trim().is_empty() || next.source == reduced {
                continue;
            }
            if tried == ATTEMPTS {
                break;
            }
            tried += 1;
            let at = Program::parse(next.source.clone()).line_of(mark.start);
            let Some((counts, right)) = counted_right(hunt, &next.source, at)? else { continue };
            if !hunt.takes(0, &next.source, &hunt.guards)? || !hunt.stands(0, &next.source, UbChecks::Full)? {
                continue;
            }
            let found = Contrast { edit: described(reduced, &shrink), source: next.source.clone(), counts };
            // Best where the place runs as often as before and its function still does: then nothing
            // but the count changed.
            if inside(&shrink) && right.iter().any(|count| admissible.contains(count)) {
                return Ok(Ok(found));
            }
            fallback.get_or_insert(found);
        }
    }
    let none = || format!("none of {tried} programs that are one edit away is counted right");
    Ok(fallback.ok_or_else(none))
}

/// The counts of a report in which everything is right, `line` has a count, and what is right there. A function
/// that is not entered shows nothing.
type Right = Option<(Vec<Count>, Vec<u64>)>;

/// The counts by a confirming profile, if an exploratory one says that everything is right.
fn counted_right(hunt: &Hunt<'_>, source: &str, line: Line) -> Result<Right> {
    match counted_right_in(Confidence::Exploratory, hunt, source, line)? {
        Some(_) => counted_right_in(Confidence::Confirming, hunt, source, line),
        None => Ok(None),
    }
}

fn counted_right_in(confidence: Confidence, hunt: &Hunt<'_>, source: &str, line: Line) -> Result<Right> {
    let Ok((report, Ok(truth))) = hunt.look(source, confidence)? else { return Ok(None) };
    let family = hunt.profiler.info().profiler;
    let is_right = against_truth(&report.coverage, &truth, family).is_empty();
    let is_entered = truth.entries(line).is_none_or(|(_, entries)| entries > 0);
    let right = truth.line(line, family).filter(|_| is_entered);
    let right = right.map(|right| right.counts.into_iter().collect());
    Ok(match (is_right, report.coverage.line(line), right) {
        (true, Some(_), Some(right)) => Some((report.coverage.lines(), right)),
        _ => None,
    })
}

fn size(shrink: &EditSet) -> usize {
    shrink.iter().map(|edit| (edit.end - edit.start).abs_diff(edit.with.len())).sum()
}

/// An edit of `source` in words, as they stand behind "when".
fn described(source: &str, shrink: &EditSet) -> String {
    let program = Program::parse(source.to_string());
    let quoted = |text: &str| format!("`{}`", text.split_whitespace().collect::<Vec<_>>().join(" "));
    let lines: BTreeSet<Line> = shrink.iter().map(|edit| program.line_of(edit.start)).collect();
    // Several edits of one line are told by what becomes of the line.
    if let (true, Some(line), true) = (shrink.len() > 1, lines.first(), lines.len() == 1) {
        let start = program.line_start(*line).unwrap_or(0);
        let text = program.line_text(*line);
        if shrink.iter().all(|edit| edit.end <= start + text.len()) {
            let own = |edit: &TextEdit| TextEdit {
                start: edit.start - start,
                end: edit.end - start,
                ..edit.clone()
            };
            let edits: Vec<TextEdit> = shrink.iter().map(own).collect();
            return match replaced(text, &edits).trim() {
                "" => format!("{} on line {line} is removed", quoted(text)),
                new => format!("{} on line {line} becomes {}", quoted(text), quoted(new)),
            };
        }
    }
    let words = shrink.iter().filter(|edit| source[edit.start..edit.end] != edit.with).map(|edit| {
        let (old, new) = (&source[edit.start..edit.end], edit.with.as_str());
        // What an edit is about may stand lines below where it begins.
        let line = program.line_of(edit.start + old.len() - old.trim_start().len());
        let begins = program.line_of(edit.start);
        let breaks = |text: &str| text.matches('\n').count();
        let is_layout = |(one, other): (&str, &str)| one.split_whitespace().eq(other.split_whitespace());
        match (old.trim().is_empty(), new.trim().is_empty()) {
            _ if is_layout((old, new)) => match breaks(new).cmp(&breaks(old)) {
                Ordering::Greater => format!("line {begins} is broken in two"),
                Ordering::Less => format!("line {begins} is joined with the next"),
                Ordering::Equal => format!("line {line} is laid out otherwise"),
            },
            (true, _) if new.trim_start_matches([' ', '\t']).starts_with('\n') => {
                format!("{} is put below line {begins}", quoted(new))
            }
            (true, _) => format!("{} is put on line {line}", quoted(new)),
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
    fn an_edit_is_told_in_words() {
        let source = "int main(void) {\n    int a =\n        0;\n    a++;\n}\n";
        let edit = |old: &str, with: &str| {
            let start = source.find(old).expect("it is there");
            vec![TextEdit { start, end: start + old.len(), with: with.into() }]
        };
        assert_eq!(described(source, &edit("a++;", "")), "`a++;` on line 4 is removed");
        assert_eq!(described(source, &edit("a++", "1")), "`a++` on line 4 becomes `1`");
        assert_eq!(described(source, &edit("\n        0", " 0")), "line 2 is joined with the next");
        assert_eq!(described(source, &edit("\n        0", "\n        1")), "`0` on line 3 becomes `1`");
        assert_eq!(described(source, &edit("\n    a++;", "")), "`a++;` on line 4 is removed");
        assert_eq!(described(source, &edit("\n        ", " ")), "line 2 is joined with the next");
        assert_eq!(described(source, &edit("\n        ", "\n  ")), "line 3 is laid out otherwise");
        assert_eq!(described(source, &edit(" {", "\n{")), "line 1 is broken in two");
        assert_eq!(
            described(source, &edit("\n    a++;", "\n    a++;\n    b();")),
            "`a++;` on line 4 becomes `a++; b();`"
        );
        let ends = vec![
            TextEdit { start: 0, end: 3, with: "long".into() },
            TextEdit { start: 16, end: 17, with: " ".into() },
        ];
        assert_eq!(
            described(source, &ends),
            "`int` on line 1 becomes `long` and line 1 is joined with the next"
        );
    }
}
