//! Counts as people read them.

use crate::model::Count;

/// The admissible counts: `3`, or `0 or 2`.
pub fn admissible(counts: &[u64]) -> String {
    counts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
}

/// A count; `none` where the report says nothing.
pub fn shown(count: Count) -> String {
    count.map_or_else(|| "none".into(), |count| count.to_string())
}
