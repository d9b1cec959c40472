//! A program next to its ground truth and to the variant with its counts, as text.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::counts::{number, several};
use crate::journal::Counts;
use crate::model::{Count, Line};

#[derive(Clone, Debug)]
pub struct Sheet<'a> {
    pub program: &'a str,
    pub variant: Option<&'a str>,
    /// The counts of both, and those that ground truth admits.
    pub counts: &'a Counts,
    /// Lines that get a `!`.
    pub marked: BTreeSet<Line>,
}

/// The smallest number of characters of a line's text that are shown.
const LEAST_TEXT: usize = 24;

/// Columns: the line, the count of the program, the admissible counts, the text of the program, and the count and the
/// text of the variant. A `!` marks a line of `marked`, a `~` one that the variant edits. Lines that are more than
/// `around` lines away from both are left out. The rows have `width` characters at most, if texts may be cut to that.
pub fn sheet(sheet: &Sheet<'_>, around: usize, width: usize) -> String {
    let Counts { program, truth, variant, .. } = sheet.counts;
    let left: Vec<&str> = sheet.program.lines().collect();
    let right: Vec<&str> = sheet.variant.map_or_else(Vec::new, |variant| variant.lines().collect());
    let truth: Vec<String> = truth.iter().map(several).collect();
    let around = around.min(left.len());
    let sides = 1 + usize::from(sheet.variant.is_some());
    let truth_width = truth.iter().map(|counts| counts.chars().count()).max().unwrap_or(0).max(7);
    let widest = |counts: &[Count]| (0..counts.len()).map(|n| count(counts, n).len()).max().unwrap_or(0);
    let count_width = widest(program).max(widest(variant)).max(7);
    let longest = left.iter().chain(&right).map(|text| expanded(text).len()).max().unwrap_or(0);
    let text_width = width.saturating_sub((count_width + 1) * sides + 9 + truth_width) / sides;
    let text_width = text_width.min(longest).max(LEAST_TEXT);
    let is_marked = |n: usize| Line::try_from(n + 1).is_ok_and(|line| sheet.marked.contains(&line));
    let differs = |n: usize| sheet.variant.is_some() && left.get(n) != right.get(n);
    let shown: Vec<bool> = (0..left.len())
        .map(|n| (n.saturating_sub(around)..=n.saturating_add(around)).any(|m| is_marked(m) || differs(m)))
        .collect();
    let mut out = format!(
        "  line {:>count_width$} {:>truth_width$}  {}",
        "P",
        "truth",
        if sheet.variant.is_some() {
            format!("{} {:>count_width$}", fitted("", text_width), "P'")
        } else {
            String::new()
        }
    );
    out.truncate(out.trim_end().len());
    out.push('\n');
    let mut skipped = false;
    for (n, text) in left.iter().enumerate() {
        if around < left.len() && !shown[n] {
            skipped = true;
            continue;
        }
        if std::mem::take(&mut skipped) {
            out.push_str("      ⋮\n");
        }
        let mark = match (is_marked(n), differs(n)) {
            (true, _) => '!',
            (false, true) => '~',
            (false, false) => ' ',
        };
        let truth = truth.get(n).map_or("", String::as_str);
        let mut line = format!(
            "{mark}{:>5} {:>count_width$} {truth:>truth_width$}  {}",
            n + 1,
            count(program, n),
            fitted(text, text_width)
        );
        if sheet.variant.is_some() {
            let text = fitted(right.get(n).copied().unwrap_or(""), text_width);
            let _ = write!(line, " {:>count_width$}  {text}", count(variant, n));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn count(counts: &[Count], index: usize) -> String {
    counts.get(index).copied().flatten().map_or_else(|| "-".into(), number)
}

/// The characters of `text` with tabs expanded.
fn expanded(text: &str) -> Vec<char> {
    let mut out: Vec<char> = Vec::new();
    for c in text.chars() {
        let (c, times) = if c == '\t' { (' ', 8 - out.len() % 8) } else { (c, 1) };
        out.extend(std::iter::repeat_n(c, times));
    }
    out
}

/// `text` with tabs expanded, cut or padded to `width`.
fn fitted(text: &str, width: usize) -> String {
    let mut out = expanded(text);
    if out.len() > width {
        out.truncate(width - 1);
        out.push('…');
    }
    out.resize(width, ' ');
    out.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(program: &[Count], truth: &[&[u64]], variant: &[Count]) -> Counts {
        let truth = truth.iter().map(|counts| counts.to_vec()).collect();
        Counts { program: program.to_vec(), truth, variant: variant.to_vec(), ..Counts::default() }
    }

    #[test]
    fn the_marked_line_the_edit_and_the_ground_truth_are_shown() {
        let counts = counts(
            &[Some(1), Some(0), None, Some(2)],
            &[&[1], &[0], &[], &[3]],
            &[Some(1), None, None, Some(3)],
        );
        let variant = Some("a\n \nc\nd\ne\nf\n");
        let shown = Sheet { program: "a\nb\nc\nd\ne\nf\n", variant, counts: &counts, marked: [4].into() };
        let out = sheet(&shown, 0, 0);
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines.len(), 5, "{out}");
        assert!(lines[2].starts_with("~    2       0       0  b"), "{out}");
        assert!(lines[4].starts_with("!    4       2       3  d") && lines[4].ends_with("3  d"), "{out}");
    }

    #[test]
    fn a_text_is_cut_only_where_the_width_does_not_hold_it() {
        let program = format!("{}\n", "x".repeat(100));
        let shown = |width: usize| {
            let counts = counts(&[Some(1)], &[], &[]);
            let shown = Sheet { program: &program, variant: None, counts: &counts, marked: BTreeSet::new() };
            sheet(&shown, usize::MAX, width).lines().nth(1).unwrap().trim_end().to_string()
        };
        let (narrow, wide) = (shown(80), shown(200));
        assert!(narrow.chars().count() <= 80 && narrow.ends_with('…'), "{narrow}");
        assert!(wide.ends_with(program.trim_end()), "{wide}");
    }

    #[test]
    fn without_a_variant_only_the_program_is_shown() {
        let shown = |truth: &[&[u64]]| {
            let counts = counts(&[Some(1)], truth, &[]);
            let shown = Sheet { program: "a\nb\n", variant: None, counts: &counts, marked: BTreeSet::new() };
            sheet(&shown, usize::MAX, 0)
        };
        assert_eq!(
            shown(&[]),
            "  line       P   truth\n     1       1          a\n     2       -          b\n"
        );
        assert_eq!(
            shown(&[&[2, 3, 4, 6, 7]]),
            "  line       P    truth\n     1       1 2..4|6|7  a\n     2       -           b\n"
        );
    }
}
