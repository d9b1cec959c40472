//! P and P' beside each other, each with its counts, as in the papers' figures.

use std::collections::BTreeSet;

use crate::model::{Count, Line};

/// One side: a source and the counts of its lines.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The source.
    pub source: &'a str,
    /// The count of line `n` is at `n - 1`.
    pub counts: &'a [Count],
}

impl Side<'_> {
    fn count(&self, line: usize) -> String {
        match self.counts.get(line).copied().flatten() {
            Some(count) => count.to_string(),
            None => "-".into(),
        }
    }
}

/// Two columns. A `!` marks a line of `marked`, a `~` one whose text differs.
/// Lines far from either are left out, as `around` says.
pub fn side_by_side(
    p: Side<'_>,
    variant: Side<'_>,
    marked: &BTreeSet<Line>,
    around: usize,
    width: usize,
) -> String {
    let left: Vec<&str> = p.source.lines().collect();
    let right: Vec<&str> = variant.source.lines().collect();
    let text_width = (width.saturating_sub(2 * 8 + 8 + 4) / 2).clamp(24, 60);
    let is_marked = |n: usize| Line::try_from(n + 1).is_ok_and(|line| marked.contains(&line));
    let differs = |n: usize| left.get(n) != right.get(n);
    let near: Vec<bool> = (0..left.len())
        .map(|n| (n.saturating_sub(around)..=n + around).any(|m| is_marked(m) || differs(m)))
        .collect();
    let mut out = String::new();
    let mut skipped = false;
    for (n, text) in left.iter().enumerate() {
        if !near[n] {
            skipped = true;
            continue;
        }
        if std::mem::take(&mut skipped) {
            out.push_str("      ⋮\n");
        }
        let mark = if is_marked(n) {
            '!'
        } else if differs(n) {
            '~'
        } else {
            ' '
        };
        let line = format!(
            "{mark}{:>5} {:>7} {} {:>7} {}",
            n + 1,
            p.count(n),
            fitted(text, text_width),
            variant.count(n),
            fitted(right.get(n).copied().unwrap_or(""), text_width),
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// One source with its counts.
pub fn annotated(side: Side<'_>) -> String {
    let lines = side.source.lines().enumerate();
    lines.map(|(n, text)| format!("{:>6} {:>9}  {text}\n", n + 1, side.count(n))).collect()
}

/// `text` with tabs expanded, cut or padded to `width`.
fn fitted(text: &str, width: usize) -> String {
    let mut out = String::new();
    let mut length = 0;
    for c in text.chars() {
        let step = if c == '\t' { 8 - length % 8 } else { 1 };
        if length + step > width {
            out.pop();
            out.push('…');
            length = width;
            break;
        }
        if c == '\t' {
            out.extend(std::iter::repeat_n(' ', step));
        } else {
            out.push(c);
        }
        length += step;
    }
    out.extend(std::iter::repeat_n(' ', width.saturating_sub(length)));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marked_line_and_the_edit_are_shown() {
        let p = Side { source: "a\nb\nc\nd\ne\nf\n", counts: &[Some(1), Some(0), None, Some(2)] };
        let variant = Side { source: "a\n \nc\nd\ne\nf\n", counts: &[Some(1), None, None, Some(3)] };
        let out = side_by_side(p, variant, &[4].into(), 0, 0);
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines.len(), 4);
        assert!(
            lines[1].starts_with("~    2       0 b") && lines[3].starts_with("!    4       2 d"),
            "{out}"
        );
    }
}
