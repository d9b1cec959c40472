//! Where the lines of a text begin.

use crate::model::Line;

/// Byte offsets at which lines begin.
pub(super) fn line_starts(source: &str) -> Vec<usize> {
    let after_feeds = source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(i, _)| i + 1);
    let mut starts: Vec<usize> = std::iter::once(0).chain(after_feeds).collect();
    if source.is_empty() || source.ends_with('\n') {
        starts.pop();
    }
    starts
}

/// The line that byte `offset` is on.
pub(super) fn line_at(starts: &[usize], offset: usize) -> Line {
    Line::try_from(starts.partition_point(|&start| start <= offset)).unwrap_or(Line::MAX)
}
