//! The program, its ground truth, the variant and the contrast side by side, one row for each line.
//!
//! Colour never carries a meaning alone: every mark has a sign, and a word for screen readers. No edit moves a line, so
//! equal numbers are the same line of each program.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::page::hidden;
use crate::journal::{Counts, FindingBundle};
use crate::model::{Count, Finding, Line};
use crate::report::counts::{number, several};
use crate::report::visible::visible;

/// Lines shown around a marked one, and the length up to which a program is shown whole.
const CONTEXT: usize = 4;
const SHORT: usize = 48;

/// A program next to the one of the finding.
struct Other<'a> {
    /// Also the class of its cells.
    name: &'static str,
    lines: Vec<&'a str>,
    counts: &'a [Count],
}

pub struct Sheet<'a> {
    pub lines: Vec<&'a str>,
    counts: &'a Counts,
    others: Vec<Other<'a>>,
    marked: BTreeSet<Line>,
}

impl<'a> Sheet<'a> {
    /// The lines of `findings` are marked.
    pub fn new(bundle: &'a FindingBundle, findings: &[&Finding]) -> Sheet<'a> {
        let counts = &bundle.counts;
        let others = [
            ("variant", bundle.variant.as_ref(), &counts.variant),
            ("contrast", bundle.contrast.as_ref(), &counts.contrast),
        ];
        let others = others
            .into_iter()
            .filter_map(|(name, text, counts)| Some(Other { name, lines: text?.lines().collect(), counts }));
        Sheet {
            lines: bundle.text().lines().collect(),
            counts,
            others: others.collect(),
            marked: findings.iter().flat_map(|finding| finding.lines()).collect(),
        }
    }

    /// Whether [`Sheet::html`] always shows the whole program.
    pub fn is_short(&self) -> bool {
        self.lines.len() <= SHORT
    }

    fn is_marked(&self, index: usize) -> bool {
        Line::try_from(index + 1).is_ok_and(|line| self.marked.contains(&line))
    }

    fn is_edited(&self, index: usize) -> bool {
        self.others.iter().any(|other| other.lines.get(index) != self.lines.get(index))
    }

    fn has_truth(&self) -> bool {
        self.counts.truth.iter().any(|counts| !counts.is_empty())
    }

    /// The table: the whole program, or the lines near a marked or edited one.
    pub fn html(&self, whole: bool) -> Markup {
        let whole = whole || self.is_short();
        let is_near = |index: usize| {
            let near = index.saturating_sub(CONTEXT)..self.lines.len().min(index + CONTEXT + 1);
            near.into_iter().any(|near| self.is_marked(near) || self.is_edited(near))
        };
        let shown: Vec<usize> = (0..self.lines.len()).filter(|index| whole || is_near(*index)).collect();
        let ends = shown.iter().copied().chain([self.lines.len()]);
        let columns = 3 + usize::from(self.has_truth()) + 2 * self.others.len();
        let class = if self.has_truth() { "sheet" } else { "sheet bare" };
        html! {
            table class=(class) role="table" {
                caption {
                    @if whole { "Every line" } @else { "The lines around the finding" }
                    " of the program" @for other in &self.others { ", the " (other.name) }
                }
                thead role="rowgroup" {
                    tr role="row" {
                        (heading("", "line"))
                        (heading("n", "reported"))
                        @if self.has_truth() { (heading("n", "truth")) }
                        (heading("code", "program"))
                        @for Other { name, .. } in &self.others {
                            (heading(&format!("n {name}"), "reported"))
                            (heading(&format!("code {name}"), name))
                        }
                    }
                }
                tbody role="rowgroup" {
                    @for (at, index) in ends.enumerate() {
                        @let skipped = index - at.checked_sub(1).map_or(0, |before| shown[before] + 1);
                        @if skipped > 0 {
                            tr.gap role="row" {
                                td role="cell" colspan=(columns) { "⋯ " (skipped) @if skipped == 1 { " line" } @else { " lines" } }
                            }
                        }
                        @if index < self.lines.len() { (self.row(index)) }
                    }
                }
            }
        }
    }

    fn row(&self, index: usize) -> Markup {
        let (class, sign, word) = match (self.is_marked(index), self.is_edited(index)) {
            (true, _) => (Some("hit"), "!", Some("finding")),
            (false, true) => (Some("cut"), "~", Some("edited")),
            (false, false) => (None, "", None),
        };
        let text = self.lines[index];
        let edited =
            self.others.iter().filter_map(|other| other.lines.get(index)).find(|other| **other != text);
        html! {
            tr role="row" class=[class] {
                th role="rowheader" scope="row" {
                    b aria-hidden="true" { (sign) } (self.line_number(index)) @if let Some(word) = word { (hidden(word)) }
                }
                (self.reported(index))
                @if self.has_truth() {
                    td.n.truth role="cell" { (self.counts.truth.get(index).map(several).unwrap_or_default()) }
                }
                td.code role="cell" { code {
                    @if let Some(other) = edited { (with_edit(text, other, Edit::Deleted)) } @else { (visible(text)) }
                } }
                @for other in &self.others { (self.cells(index, other)) }
            }
        }
    }

    /// The number of a line, which leads to what decides its count.
    fn line_number(&self, index: usize) -> Markup {
        let line = Line::try_from(index + 1).unwrap_or(Line::MAX);
        let is_decided = self.counts.details.deciding.contains_key(&line);
        html! { @if is_decided { a href=(format!("#line-{line}")) { (line) } } @else { (line) } }
    }

    /// The count of the program, with a sign if it contradicts ground truth.
    fn reported(&self, index: usize) -> Markup {
        let count = self.counts.program.get(index).copied().flatten();
        let truth = self.counts.truth.get(index).filter(|truth| !truth.is_empty());
        match (count, truth) {
            (Some(count), Some(truth)) if !truth.contains(&count) => html! {
                td.n.off role="cell" { b aria-hidden="true" { "≠" } (number(count)) (hidden("differs from ground truth")) }
            },
            _ => html! { td.n role="cell" { @if let Some(count) = count { (number(count)) } } },
        }
    }

    /// The count and the text of another program; a changed count on an unchanged line is marked.
    fn cells(&self, index: usize, other: &Other<'_>) -> Markup {
        let (ours, text) = (self.lines[index], other.lines.get(index).copied().unwrap_or_default());
        let count = |counts: &[Count]| counts.get(index).copied().flatten();
        let (before, after) = (count(&self.counts.program), count(other.counts));
        let is_moved = ours == text && !other.counts.is_empty() && before != after;
        let same = ours == text && !is_moved;
        html! {
            td.n.(other.name).off[is_moved].same[same] role="cell" {
                @if is_moved { b aria-hidden="true" { "→" } }
                @if let Some(after) = after { (number(after)) } @else if is_moved { "none" }
                @if is_moved { (hidden("changed")) }
            }
            td.code.(other.name).same[same].blank[text.trim().is_empty()] role="cell" { code {
                @if ours == text { (visible(text)) } @else { (with_edit(text, ours, Edit::Inserted)) }
            } }
        }
    }
}

fn heading(class: &str, name: &str) -> Markup {
    html! { th role="columnheader" scope="col" class=(class) { (name) } }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Edit {
    Deleted,
    Inserted,
}

/// `text`, in which the part that `other` does not share is marked unless it is blank.
fn with_edit(text: &str, other: &str, edit: Edit) -> Markup {
    let shared = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| -> usize {
        a.zip(b).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
    };
    let start = shared(&mut text.chars(), &mut other.chars());
    let mut end = text.len() - shared(&mut text[start..].chars().rev(), &mut other[start..].chars().rev());
    // `abort ();` and `__asm__("");` share an end that belongs to the edited part.
    let is_open = |text: &str| text.matches('(').count() > text.matches(')').count();
    while let Some(c) = text[end..].chars().next().filter(|_| is_open(&text[start..end])) {
        end += c.len_utf8();
    }
    // Blanks around a deleted statement look deleted too.
    let middle = text[start..end].trim();
    if middle.is_empty() {
        return html! { (visible(text)) };
    }
    let start = start + text[start..end].len() - text[start..end].trim_start().len();
    html! {
        (visible(&text[..start]))
        @match edit {
            Edit::Deleted => { (hidden("deleted:")) del { (visible(middle)) } },
            Edit::Inserted => { (hidden("instead:")) ins { (visible(middle)) } },
        }
        (visible(&text[start + middle.len()..]))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::reproduce::tests::{bundle, culprit, finding, record};
    use super::*;

    fn row(html: &str, line: usize) -> String {
        let number = format!("</b>{line}<");
        html.split("<tr").find(|row| row.contains(&number)).unwrap_or_default().to_string()
    }

    #[test]
    fn marks_have_a_sign_and_a_word() {
        let more = json!({"line": 5, "before": 0, "after": 1, "culprit": culprit([4, 4])});
        let mut record = record(&finding("delete", &more));
        record.counts.program = vec![None, None, Some(1), Some(0), Some(0)];
        record.counts.truth = vec![vec![], vec![], vec![1], vec![0, 2, 3], vec![1]];
        record.findings[0].culprit.as_mut().unwrap().moved = vec![(5, Some(1))];
        let bundle = bundle(&record);
        let html = Sheet::new(&bundle, &[&record.findings[0]]).html(false).into_string();
        let hit = row(&html, 5);
        assert!(hit.contains("class=\"hit\"") && hit.contains(">!</b>5"), "{hit}");
        let denied = "<b aria-hidden=\"true\">≠</b>0<span class=\"vh\"> differs from ground truth";
        assert!(hit.contains(denied), "{hit}");
        assert!(hit.contains("→</b>1<span class=\"vh\"> changed</span>"), "{hit}");
        let cut = row(&html, 4);
        assert!(cut.contains("class=\"cut\"") && cut.contains("<del>x++;</del>"), "{cut}");
        assert!(cut.contains(">0|2|3</td>") && !cut.contains("<ins>"), "{cut}");
        assert!(row(&html, 2).contains("<td class=\"n\" role=\"cell\"></td>"), "{html}");
    }

    #[test]
    fn only_the_difference_is_marked() {
        let deleted = |text: &str, other: &str| with_edit(text, other, Edit::Deleted).into_string();
        assert_eq!(
            deleted("  f(\"<\"); g();", "         g();"),
            "  <span class=\"vh\"> deleted:</span><del>f(&quot;&lt;&quot;);</del> g();"
        );
        assert_eq!(with_edit("    ", "x++;", Edit::Inserted).into_string(), "    ");
        let filled = deleted("  abort ();", "  __asm__(\"\");");
        assert_eq!(filled, "  <span class=\"vh\"> deleted:</span><del>abort ()</del>;");
        assert_eq!(deleted("äé", "ä"), "ä<span class=\"vh\"> deleted:</span><del>é</del>");
    }
}
