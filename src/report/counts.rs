//! Counts, places and numbers as text.

use crate::coverage::llvm_json::LARGEST as CLAMPED;
use crate::model::{Count, LARGEST_COUNT, Line, Metric};

/// A count, which may be one that no program can reach.
pub fn number(count: u64) -> String {
    match count {
        0..=LARGEST_COUNT => count.to_string(),
        // llvm-cov writes it for every count that fell below zero.
        CLAMPED => "below 0 (wrapped)".into(),
        _ if count > CLAMPED => signed(count.cast_signed()),
        _ => format!("{count} (too large)"),
    }
}

/// A count of the profiler's data, which is below zero if a difference of counters is.
pub fn signed(count: i64) -> String {
    if count < 0 { format!("{count} (wrapped)") } else { number(count.unsigned_abs()) }
}

/// The admissible counts: `3`, or `0 or 2`.
pub fn admissible(counts: &[u64]) -> String {
    counts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
}

/// A count; `none` if the report has none.
pub fn shown(count: Count) -> String {
    count.map_or_else(|| "none".into(), number)
}

/// The place that has the count of a finding, as in `line 4`. `mark` precedes the number.
pub fn place(metric: Metric, line: Line, mark: &str) -> String {
    let what = match metric {
        Metric::Line => "",
        Metric::Function => "the function on ",
        Metric::Branch => "a branch on ",
        Metric::Region => "a region on ",
        Metric::Condition => "a condition on ",
        Metric::Mcdc => "an MC/DC condition on ",
        Metric::Path => "a path of the function on ",
    };
    format!("{what}line {mark}{line}")
}

/// The parts that a report on conditions, paths, branches or regions is about.
pub fn parts(metric: Metric) -> &'static str {
    match metric {
        Metric::Condition => "outcomes of the conditions",
        Metric::Mcdc => "conditions",
        Metric::Path => "paths of the function",
        Metric::Branch => "outcomes of the branches",
        Metric::Region => "regions that begin",
        Metric::Line | Metric::Function => "parts",
    }
}

/// `part` of `whole` as a percentage; `-` of nothing.
pub fn percent(part: usize, whole: usize) -> String {
    if whole == 0 { "-".into() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

/// `text` with a capital letter first.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The largest number of parts in a cell of counts.
const PARTS: usize = 6;

/// Counts as one cell: `3`, `0|2`, `2..4|6|7`; of very many, the first ones and the last.
pub fn several<'a>(counts: impl IntoIterator<Item = &'a u64>) -> String {
    let mut counts: Vec<u64> = counts.into_iter().copied().collect();
    counts.sort_unstable();
    counts.dedup();
    let mut parts: Vec<String> = Vec::new();
    for run in counts.chunk_by(|a, b| a + 1 == *b) {
        match run {
            [first, _, .., last] => parts.push(format!("{first}..{last}")),
            few => parts.extend(few.iter().map(ToString::to_string)),
        }
    }
    if parts.len() > PARTS {
        let last = parts.pop().unwrap_or_default();
        parts.truncate(PARTS - 2);
        parts.extend(["…".into(), last]);
    }
    parts.join("|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_fell_below_zero_is_shown_as_such() {
        assert_eq!(number(LARGEST_COUNT), "4611686018427387904");
        assert_eq!(number(LARGEST_COUNT + 1), "4611686018427387905 (too large)");
        assert_eq!(number(CLAMPED), "below 0 (wrapped)");
        assert_eq!(number(u64::MAX), "-1 (wrapped)");
        assert_eq!((signed(-2), signed(2)), ("-2 (wrapped)".into(), "2".into()));
        assert_eq!((shown(Some(u64::MAX)), shown(None)), ("-1 (wrapped)".into(), "none".into()));
    }

    #[test]
    fn a_cell_names_no_count_that_is_not_admitted() {
        assert_eq!(several(&[]), "");
        assert_eq!(several(&[2, 0]), "0|2");
        assert_eq!(several(&[5, 6]), "5|6");
        assert_eq!(several(&[2, 3, 4, 6, 7]), "2..4|6|7");
        assert_eq!(several(&[0, 2, 4, 6, 8, 10, 12]), "0|2|4|6|…|12");
    }
}
