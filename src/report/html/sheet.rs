//! P, truth, P' and the contrast beside each other, one row a line.
//!
//! Nothing is said by colour alone: a mark has a sign, and a word that only screen readers tell.
//! No edit moves a line, so that equal numbers are the same line in each program.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::super::counts::several;
use super::super::example::moved;
use super::page::{escaped, hidden};
use crate::journal::{Counts, FindingBundle};
use crate::model::{Count, Finding, Line, Metric};

/// Lines shown around a mark, and the length up to which a program is shown whole.
const AROUND: usize = 4;
const SHORT: usize = 48;

/// Another program beside P.
struct Beside<'a> {
    name: &'static str,
    class: &'static str,
    lines: Vec<&'a str>,
    counts: &'a [Count],
}

/// What the rows are made of.
pub struct Sheet<'a> {
    lines: Vec<&'a str>,
    counts: Counts,
    beside: Vec<Beside<'a>>,
    marked: BTreeSet<Line>,
    /// False where an older recount kept the counts of the finding's lines only.
    pub is_counted: bool,
}

/// The counts of the bundle, and for a journal without any what its findings say of their lines.
pub fn counts(bundle: &FindingBundle, findings: &[&Finding]) -> Counts {
    let mut counts = bundle.counts.clone();
    let is_counted = !counts.program.is_empty();
    for finding in findings.iter().filter(|found| !is_counted && found.metric == Metric::Line) {
        let Some(index) = finding.line.and_then(|line| (line as usize).checked_sub(1)) else { continue };
        if counts.program.len() <= index {
            counts.program.resize(index + 1, None);
            counts.truth.resize(index + 1, Vec::new());
        }
        counts.program[index] = finding.before;
        counts.truth[index] = finding.truth.clone().unwrap_or_default();
    }
    if let Some(culprit) = bundle.finding.culprit.as_ref().filter(|_| !is_counted) {
        counts.variant = moved(&counts.program, culprit);
        counts.variant.resize(counts.variant.len().max(counts.program.len()), None);
        for finding in findings.iter().filter(|found| found.metric == Metric::Line) {
            if let Some(line) = finding.line.filter(|_| !finding.is_unseen()) {
                counts.variant[line as usize - 1] = finding.after;
            }
        }
    }
    counts
}

impl<'a> Sheet<'a> {
    /// `findings` are those that the sheet is about; `counts` come from [`counts`].
    pub fn new(bundle: &'a FindingBundle, findings: &[&Finding], counts: &'a Counts) -> Sheet<'a> {
        let beside = [
            ("P′", "variant", bundle.variant.as_ref(), &counts.variant),
            ("contrast", "contrast", bundle.contrast.as_ref(), &counts.contrast),
        ];
        let beside = beside.into_iter().filter_map(|(name, class, text, counts)| {
            Some(Beside { name, class, lines: text?.lines().collect(), counts })
        });
        Sheet {
            lines: bundle.program.lines().collect(),
            counts: counts.clone(),
            beside: beside.collect(),
            marked: findings.iter().filter_map(|finding| finding.line).collect(),
            is_counted: !bundle.counts.program.is_empty(),
        }
    }

    /// Whether all of it is shown at once.
    pub fn is_short(&self) -> bool {
        self.lines.len() <= SHORT
    }

    /// Lines of P.
    pub fn length(&self) -> usize {
        self.lines.len()
    }

    fn is_marked(&self, index: usize) -> bool {
        Line::try_from(index + 1).is_ok_and(|line| self.marked.contains(&line))
    }

    fn is_edited(&self, index: usize) -> bool {
        self.beside.iter().any(|beside| beside.lines.get(index) != self.lines.get(index))
    }

    fn has_truth(&self) -> bool {
        self.counts.truth.iter().any(|counts| !counts.is_empty())
    }

    /// The table; all lines, or those near a mark.
    pub fn html(&self, whole: bool) -> String {
        let whole = whole || self.is_short();
        let is_near = |index: usize| {
            let near = index.saturating_sub(AROUND)..=index.saturating_add(AROUND);
            near.into_iter()
                .any(|near| self.is_marked(near) || near < self.lines.len() && self.is_edited(near))
        };
        let names: Vec<&str> =
            ["P"].into_iter().chain(self.beside.iter().map(|beside| beside.name)).collect();
        let bare = if self.has_truth() { "" } else { " bare" };
        let what = if whole { "Every line" } else { "The lines around the finding" };
        let mut out = format!(
            "<table class=\"sheet{bare}\" role=\"table\"><caption>{what}: {}</caption>\n<thead role=\"rowgroup\">\
             <tr role=\"row\"><th role=\"columnheader\" scope=\"col\">line</th>",
            names.join(", ")
        );
        let head = |out: &mut String, class: &str, name: &str| {
            let _ = write!(out, "<th role=\"columnheader\" scope=\"col\" class=\"{class}\">{name}</th>");
        };
        head(&mut out, "n", "P");
        if self.has_truth() {
            head(&mut out, "n", "truth");
        }
        head(&mut out, "code", "text of P");
        for Beside { name, class, .. } in &self.beside {
            head(&mut out, &format!("n {class}"), name);
            head(&mut out, &format!("code {class}"), &format!("text of {name}"));
        }
        out.push_str("</tr></thead>\n<tbody role=\"rowgroup\">\n");
        let mut skipped = 0;
        for index in 0..self.lines.len() {
            if whole || is_near(index) {
                out.push_str(&self.gap(std::mem::take(&mut skipped)));
                out.push_str(&self.row(index));
            } else {
                skipped += 1;
            }
        }
        out.push_str(&self.gap(skipped));
        out.push_str("</tbody></table>\n");
        out
    }

    fn gap(&self, lines: usize) -> String {
        if lines == 0 {
            return String::new();
        }
        let columns = 3 + usize::from(self.has_truth()) + 2 * self.beside.len();
        let noun = if lines == 1 { "line" } else { "lines" };
        format!(
            "<tr role=\"row\" class=\"gap\"><td role=\"cell\" colspan=\"{columns}\">⋯ {lines} {noun}</td></tr>\n"
        )
    }

    fn row(&self, index: usize) -> String {
        let (marked, edited) = (self.is_marked(index), self.is_edited(index));
        let (class, sign, word) = match (marked, edited) {
            (true, _) => (" class=\"hit\"", "!", hidden("finding")),
            (false, true) => (" class=\"cut\"", "~", hidden("edited")),
            (false, false) => ("", "", String::new()),
        };
        let mut out = format!(
            "<tr role=\"row\"{class}><th role=\"rowheader\" scope=\"row\"><b aria-hidden=\"true\">{sign}</b>{}{word}</th>",
            index + 1
        );
        out.push_str(&self.count_of_p(index));
        if self.has_truth() {
            let truth = self.counts.truth.get(index).map(several).unwrap_or_default();
            let _ = write!(out, "<td role=\"cell\" class=\"n truth\">{truth}</td>");
        }
        let text = self.lines[index];
        let other =
            self.beside.iter().filter_map(|beside| beside.lines.get(index)).find(|other| **other != text);
        let text_of_p = other.map_or_else(|| escaped(text), |other| edited_text(text, other, "del"));
        let _ = write!(out, "<td role=\"cell\" class=\"code\"><code>{text_of_p}</code></td>");
        for beside in &self.beside {
            out.push_str(&self.cells_beside(index, beside));
        }
        out.push_str("</tr>\n");
        out
    }

    /// The count of P, with a sign where truth does not admit it.
    fn count_of_p(&self, index: usize) -> String {
        let count = self.counts.program.get(index).copied().flatten();
        let truth = self.counts.truth.get(index);
        let Some(count) = count else { return "<td role=\"cell\" class=\"n\"></td>".into() };
        if truth.is_some_and(|truth| !truth.is_empty() && !truth.contains(&count)) {
            let word = hidden("is not what truth admits");
            return format!(
                "<td role=\"cell\" class=\"n off\"><b aria-hidden=\"true\">≠</b>{count}{word}</td>"
            );
        }
        format!("<td role=\"cell\" class=\"n\">{count}</td>")
    }

    /// Count and text of another program; a count that moved on a line that did not change is marked.
    fn cells_beside(&self, index: usize, beside: &Beside<'_>) -> String {
        let text = beside.lines.get(index).copied().unwrap_or_default();
        let of_p = self.counts.program.get(index).copied().flatten();
        let count = beside.counts.get(index).copied().flatten();
        let same_text = text == self.lines[index];
        let is_known = !beside.counts.is_empty() && (self.is_counted || self.is_marked(index));
        let moved = same_text && is_known && count != of_p;
        let word = count
            .map_or_else(|| if moved { "none".into() } else { String::new() }, |count| count.to_string());
        let (class, sign, told) = if moved {
            (" off", "<b aria-hidden=\"true\">→</b>", hidden("moved"))
        } else {
            ("", "", String::new())
        };
        let same = if same_text && !moved { " same" } else { "" };
        let text = if same_text { escaped(text) } else { edited_text(text, self.lines[index], "ins") };
        let name = beside.class;
        let blank = if text.trim().is_empty() { " blank" } else { "" };
        format!(
            "<td role=\"cell\" class=\"n {name}{class}{same}\">{sign}{word}{told}</td>\
             <td role=\"cell\" class=\"code {name}{same}{blank}\"><code>{text}</code></td>"
        )
    }
}

/// `text` with the part that `other` does not share in `element`, unless that is blank.
fn edited_text(text: &str, other: &str, element: &str) -> String {
    let shared = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| -> usize {
        a.zip(b).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
    };
    let start = shared(&mut text.chars(), &mut other.chars());
    let mut end = text.len() - shared(&mut text[start..].chars().rev(), &mut other[start..].chars().rev());
    // `abort ();` and `__asm__("");` share an end that belongs to what differs.
    let is_open = |text: &str| text.matches('(').count() > text.matches(')').count();
    while let Some(c) = text[end..].chars().next().filter(|_| is_open(&text[start..end])) {
        end += c.len_utf8();
    }
    let middle = &text[start..end];
    // Blanks around what went look like it went too.
    let trimmed = middle.trim();
    let Some(at) = middle.find(trimmed).filter(|_| !trimmed.is_empty()) else { return escaped(text) };
    let (from, to) = (start + at, start + at + trimmed.len());
    let word = if element == "del" { hidden("deleted:") } else { hidden("instead:") };
    format!(
        "{}{word}<{element}>{}</{element}>{}",
        escaped(&text[..from]),
        escaped(trimmed),
        escaped(&text[to..])
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::reproduce::tests::{bundle, culprit, finding, record};
    use super::*;

    fn row(html: &str, line: usize) -> String {
        let start = format!("{line}</th>");
        let found = html.lines().find(|row| row.contains(&start) || row.contains(&format!("</b>{line}<")));
        found.unwrap_or_default().to_string()
    }

    #[test]
    fn marks_have_a_sign_and_a_word() {
        let more = json!({"line": 5, "before": 0, "after": 1, "culprit": culprit([4, 4])});
        let mut record = record(&finding("delete", &more));
        record.counts.program = vec![None, None, Some(1), Some(0), Some(0)];
        record.counts.truth = vec![vec![], vec![], vec![1], vec![0, 2, 3], vec![1]];
        record.findings[0].culprit.as_mut().unwrap().moved = vec![(5, Some(1))];
        let bundle = bundle(&record);
        let counts = counts(&bundle, &[&record.findings[0]]);
        let html = Sheet::new(&bundle, &[&record.findings[0]], &counts).html(false);
        let hit = row(&html, 5);
        assert!(hit.contains("class=\"hit\"") && hit.contains(">!</b>5"), "{hit}");
        assert!(
            hit.contains("<b aria-hidden=\"true\">≠</b>0<span class=\"vh\"> is not what truth admits"),
            "{hit}"
        );
        assert!(hit.contains("→</b>1<span class=\"vh\"> moved</span>"), "{hit}");
        let cut = row(&html, 4);
        assert!(cut.contains("class=\"cut\"") && cut.contains("<del>x++;</del>"), "{cut}");
        assert!(cut.contains(">0|2|3</td>") && !cut.contains("<ins>"), "{cut}");
    }

    #[test]
    fn a_journal_without_counts_tells_those_of_its_findings() {
        let record = record(&finding("truth", &json!({})));
        let bundle = bundle(&record);
        let counts = counts(&bundle, &[&record.findings[0]]);
        let sheet = Sheet::new(&bundle, &[&record.findings[0]], &counts);
        let html = sheet.html(false);
        assert!(!sheet.is_counted && row(&html, 4).contains(">1|3</td>"), "{html}");
        assert!(row(&html, 3).contains("<td role=\"cell\" class=\"n\"></td>"), "{html}");
    }

    #[test]
    fn only_what_differs_is_marked() {
        assert_eq!(
            edited_text("  f(\"<\"); g();", "         g();", "del"),
            "  <span class=\"vh\"> deleted:</span><del>f(&quot;&lt;&quot;);</del> g();"
        );
        assert_eq!(edited_text("    ", "x++;", "ins"), "    ");
        let filled = edited_text("  abort ();", "  __asm__(\"\");", "del");
        assert_eq!(filled, "  <span class=\"vh\"> deleted:</span><del>abort ()</del>;");
        assert_eq!(edited_text("äé", "ä", "del"), "ä<span class=\"vh\"> deleted:</span><del>é</del>");
    }
}
