//! The rest of the report on an example: its functions, branches and regions next to the expected ones, and the elements
//! that decide the count of each line. The elements of a line without a finding are shown when its number is followed, by
//! the style sheet alone.

use maud::{Markup, html};

use super::page::{prose, section, table};
use crate::journal::Counts;
use crate::model::{DecidingElement, Family, Finding, Line, Metric, ReportNumber};
use crate::report::counts::capital;
use crate::report::details::{
    ELEMENTS, NUMBERS, cells_of_element, cells_of_number, line_text, not_checked, rule_of,
};
use crate::report::visible::visible;

/// Every function, branch and region near the findings of a profiler of `family`.
pub fn numbers(counts: &Counts, family: Family) -> Markup {
    let numbers = &counts.details.numbers;
    if numbers.is_empty() {
        return Markup::default();
    }
    let rows: Vec<Vec<Markup>> = numbers
        .iter()
        .map(|number| {
            let is_wrong = number.is_wrong();
            let cells = cells_of_number(number).into_iter().enumerate();
            let cell = |(at, cell): (usize, String)| {
                html! { @if is_wrong && at == 5 { b { "≠ " (cell) } } @else { (visible(&cell)) } }
            };
            cells.map(cell).collect()
        })
        .collect();
    let is_condition =
        |number: &ReportNumber| matches!(number.metric, Metric::Condition | Metric::Mcdc | Metric::Path);
    let content = html! {
        (table("Reported and expected counts of functions, branches and regions", &NUMBERS, &[1, 3, 4], &rows))
        p.note { (prose(not_checked(family, numbers.iter().any(is_condition)))) }
    };
    section("numbers", "Functions, branches and regions", &content)
}

/// What decides the count of each line; that of the line of `finding` is always shown.
pub fn deciding(counts: &Counts, finding: &Finding) -> Markup {
    let deciding = &counts.details.deciding;
    if deciding.is_empty() {
        return Markup::default();
    }
    let content = html! {
        p.note { (rule_of(finding.profiler)) " " b { "*" } " an element that decides" }
        @for (line, elements) in deciding {
            div.deciding.always[finding.line == Some(*line)] id=(format!("line-{line}")) {
                h3 { (heading(counts, *line)) }
                @match elements {
                    Ok(elements) => { (elements_of(*line, elements)) }
                    Err(reason) => { p { "No element is known to decide the count: " (visible(reason)) "." } }
                }
            }
        }
    };
    section("deciding", "What decides the counts", &content)
}

fn heading(counts: &Counts, line: Line) -> String {
    let index = (line as usize).saturating_sub(1);
    let count = counts.program.get(index).copied().flatten();
    let expected = counts.truth.get(index).map_or(&[][..], Vec::as_slice);
    let text = line_text(line, count, expected, counts.details.unknown.get(&line).map(String::as_str));
    capital(&text)
}

fn elements_of(line: Line, elements: &[DecidingElement]) -> Markup {
    let row = |element: &DecidingElement| {
        let decides = element.decides;
        let cells = cells_of_element(element).into_iter().enumerate();
        let cell = |(at, cell): (usize, String)| {
            html! { @if at == 0 && decides { b { "* " } } (visible(cell.trim_start())) }
        };
        cells.map(cell).collect()
    };
    let rows: Vec<Vec<Markup>> = elements.iter().map(row).collect();
    table(&format!("The elements of line {line}"), &ELEMENTS, &[3, 4], &rows)
}
