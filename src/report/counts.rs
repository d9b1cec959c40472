//! Counts as people read them.

use std::collections::BTreeSet;

use crate::model::{Count, Line, Metric};

/// The admissible counts: `3`, or `0 or 2`.
pub fn admissible(counts: &[u64]) -> String {
    counts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
}

/// A count; `none` where the report says nothing.
pub fn shown(count: Count) -> String {
    count.map_or_else(|| "none".into(), |count| count.to_string())
}

/// What on `line` has the count of a finding, as in `line 4`. `mark` stands before the number.
pub fn place(metric: Metric, line: Line, mark: &str) -> String {
    match metric {
        Metric::Function => format!("the function on line {mark}{line}"),
        _ => format!("line {mark}{line}"),
    }
}

/// Counts as one cell: `3`, `0|2`, or `2..7` for more.
pub fn several<'a>(counts: impl IntoIterator<Item = &'a u64>) -> String {
    let counts: BTreeSet<u64> = counts.into_iter().copied().collect();
    match (counts.len(), counts.first(), counts.last()) {
        (0..=2, ..) => counts.iter().map(ToString::to_string).collect::<Vec<_>>().join("|"),
        (_, Some(first), Some(last)) => format!("{first}..{last}"),
        _ => String::new(),
    }
}
