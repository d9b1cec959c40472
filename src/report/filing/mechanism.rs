//! The part of a report that says where the fault is: the mechanism, the excerpt of the profiler's own data that shows it,
//! and what it does to the figures of the whole report.

use super::content::{Filing, Part};
use crate::diagnose::known_mechanism;
use crate::model::{Cause, Count, Family, Finding, Line};
use crate::report::claim::claim;
use crate::report::counts::capital;

/// The largest number of lines of an excerpt.
const LINES: usize = 30;

/// The mechanism, the excerpt, the other symptoms and the effect; empty if the mechanism is not known.
pub(super) fn parts(filing: &Filing<'_>, mark: &str) -> Vec<Part> {
    let finding = &filing.bundle.finding;
    let mut parts = Vec::new();
    let others: Vec<String> = finding.each_symptom().iter().skip(1).map(|other| claim(other, mark)).collect();
    if !others.is_empty() {
        parts.push(Part::Text(format!("For the same reason: {}", others.join(" "))));
    }
    parts.extend(effect(filing).map(Part::Text));
    let Some(cause) = filing.confirmed.cause.as_ref().or(finding.cause.as_ref()) else { return parts };
    parts.push(Part::Heading("Where the fault is"));
    parts.push(Part::Text(explanation(finding, cause)));
    if let Some((command, printed)) = &filing.program.mapping {
        let excerpt = excerpt(finding, printed);
        if !excerpt.is_empty() {
            parts.push(Part::Block(format!("$ {command}\n{excerpt}")));
        }
    }
    parts
}

/// The mechanism in general, in this program, and its place in the source.
fn explanation(finding: &Finding, cause: &Cause) -> String {
    let evidence = capital(cause.evidence.trim_end_matches('.'));
    let of_program = if evidence.is_empty() { String::new() } else { format!(" {evidence}.") };
    let Some(known) = known_mechanism(finding.profiler, &cause.mechanism) else {
        return format!("In this program: {}", of_program.trim_start());
    };
    format!("{}{of_program} See {}.", known.sentence, known.source)
}

/// The lines of the mapping that are about the function with the wrong number.
fn excerpt(finding: &Finding, printed: &str) -> String {
    let Some(line) = finding.line else { return String::new() };
    let lines: Vec<&str> = match finding.profiler {
        Family::Gcov => of_function(
            printed,
            |text| text.contains(":FUNCTION"),
            |function| function.iter().any(|text| lists(text, line)),
        ),
        Family::LlvmCov => of_function(
            printed,
            |text| !text.starts_with(' '),
            |function| function.iter().any(|text| covers(text, line)),
        ),
    };
    // gcov-dump -l lists the lines of each block in a record of its own; the arcs say nothing about lines.
    let is_shown = |text: &&&str| {
        finding.profiler == Family::LlvmCov
            || text.contains(":FUNCTION")
            || text.contains("block ") && lists_some(text)
    };
    lines.iter().filter(is_shown).take(LINES).map(|text| format!("{}\n", text.trim_end())).collect()
}

/// The lines from one that begins a function to the next, for the first function that is wanted.
fn of_function(
    printed: &str,
    begins: impl Fn(&str) -> bool,
    is_wanted: impl Fn(&[&str]) -> bool,
) -> Vec<&str> {
    let mut functions: Vec<Vec<&str>> = Vec::new();
    for text in printed.lines() {
        if begins(text) {
            functions.push(Vec::new());
        }
        if let Some(function) = functions.last_mut() {
            function.push(text);
        }
    }
    functions.into_iter().find(|function| is_wanted(function)).unwrap_or_default()
}

/// The numbers of the lines that `gcov-dump -l` lists for a block.
fn listed(text: &str) -> impl Iterator<Item = Line> {
    let numbers = text.split_once("':").map_or("", |(_, numbers)| numbers);
    numbers.split(',').filter_map(|number| number.trim().parse().ok())
}

fn lists(text: &str, line: Line) -> bool {
    listed(text).any(|listed| listed == line)
}

fn lists_some(text: &str) -> bool {
    listed(text).next().is_some()
}

/// Whether the region in a line such as `  File 0, 3:30 -> 8:2 = #0` contains the line.
fn covers(text: &str, line: Line) -> bool {
    let of = |place: &str| place.trim().split(':').next()?.trim().parse::<Line>().ok();
    let range = text.split_once(", ").and_then(|(_, rest)| rest.split_once(" -> "));
    let bounds = range.and_then(|(from, to)| of(from).zip(of(to)));
    bounds.is_some_and(|(first, last)| (first..=last).contains(&line))
}

/// How the share of executed lines changes; none if there is no ground truth, or if the finding is not about execution.
fn effect(filing: &Filing<'_>) -> Option<String> {
    let counts = &filing.bundle.counts;
    let counted: Vec<(u64, &Vec<u64>)> = counts
        .program
        .iter()
        .zip(&counts.truth)
        .filter_map(|(count, truth): (&Count, _)| Some(((*count)?, truth)))
        .filter(|(_, truth)| !truth.is_empty())
        .collect();
    if counted.is_empty() || filing.bundle.covered().is_some() {
        return None;
    }
    let reported = counted.iter().filter(|(count, _)| *count > 0).count();
    let right = counted.iter().filter(|(_, truth)| truth.iter().any(|count| *count > 0)).count();
    let tool = filing.bundle.finding.profiler.name();
    Some(if reported == right {
        format!("The share of executed lines is not affected ({right} of {}).", counted.len())
    } else {
        format!("{tool} reports {reported} of {} lines as executed; {right} are.", counted.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_in_both_formats() {
        let blocks = "small.gcno:\t\tblock 2:`small.c':3, 5, 6";
        assert!(lists(blocks, 5) && !lists(blocks, 4));
        assert!(!lists_some("small.gcno:    01410000:   4:BLOCKS 9 blocks"));
        let region = "  Gap,File 0, 3:30 -> 8:2 = (#0 - #1)";
        assert!(covers(region, 3) && covers(region, 8) && !covers(region, 9));
        assert!(!covers("main:", 1));
    }
}
