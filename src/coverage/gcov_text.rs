//! Reader of the annotated text of `gcov --all-blocks`: the basic blocks of each line and their counts, which the JSON of
//! gcc 9 to 13 does not contain.
//!
//! A block is a line such as `        3:    7-block  0`, with `%%%%%` or `$$$$$` for a block that never ran ("Invoking
//! Gcov" in GCC's manual).

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::Block;
use crate::model::{Line, is_same_path};

static BLOCK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^\s*([0-9]+\*?|%%%%%|\$\$\$\$\$):\s*([0-9]+)-block\s+([0-9]+)").expect("a constant")
});

static LINE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^\s*(?:([0-9]+)\*?|(#)|#####|=====):\s*([0-9]+):").expect("a constant")
});

/// The part of `text` about the source `name`: gcov prints headers too.
pub fn section<'a>(text: &'a str, name: &str) -> &'a str {
    let sections = text.split(":    0:Source:").skip(1).filter_map(|section| section.split_once('\n'));
    sections.into_iter().find(|(file, _)| is_same_path(file, name)).map_or("", |(_, rest)| rest)
}

/// The count of each line in `text`, as a range of one count, or of all for a line that gcov leaves out (`#`). A line of
/// several functions is listed first with its sum, and then again for each of them.
pub fn lines(text: &str) -> Vec<(Line, (u64, u64))> {
    let mut seen = HashSet::new();
    let line = |found: regex::Captures<'_>| {
        let count = found.get(1).map_or(Some(0), |count| count.as_str().parse().ok())?;
        let most = if found.get(2).is_some() { u64::MAX } else { count };
        Some((found[3].parse().ok().filter(|line| *line > 0)?, (count, most)))
    };
    LINE.captures_iter(text).filter_map(line).filter(|(line, _)| seen.insert(*line)).collect()
}

/// The number of the last line in `text`.
pub fn last_line(text: &str) -> Option<Line> {
    let number = |row: &str| row.split(':').nth(1)?.trim().parse().ok();
    text.lines().rev().find_map(number)
}

/// The blocks in `text`, in its order.
pub fn blocks(text: &str) -> Vec<Block> {
    let block = |found: regex::Captures<'_>| {
        let count = found[1].trim_end_matches('*').parse().unwrap_or(0);
        Some(Block { line: found[2].parse().ok()?, id: found[3].parse().ok()?, count: Some(count) })
    };
    BLOCK.captures_iter(text).filter_map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_file_is_read() {
        let text =
            "        -:    0:Source:p.c\n        1:    1:x\n        -:    0:Source:/a.h\n        2:    1:y\n";
        assert_eq!(lines(section(text, "p.c")), [(1, (1, 1))]);
        assert_eq!(section(text, "q.c"), "");
    }

    #[test]
    fn lines_have_counts_where_they_have_any() {
        let text = "        -:    0:Source:p.c\n        -:    1:x\n       3*:    7:  if (i)\n        3:    7-block  0\n    #####:    8:  a();\n        1:    7:  if (i)\n";
        assert_eq!(lines(text), [(7, (3, 3)), (8, (0, 0))]);
        assert_eq!(
            [last_line(text), last_line("        -:    9:\nfunction f called 1\n")],
            [Some(7), Some(9)]
        );
    }

    #[test]
    fn a_line_that_is_left_out_may_have_any_count() {
        assert_eq!(lines("        #:    3:    if (x)\n"), [(3, (0, u64::MAX))]);
    }

    #[test]
    fn blocks_have_a_line_a_number_and_a_count() {
        let text =
            "       3*:    7:  if (i)\n        3:    7-block  0\n    %%%%%:    7-block  1\ncall    2 never\n";
        let block = |id, count| Block { line: 7, id, count: Some(count) };
        assert_eq!(blocks(text), [block(0, 3), block(1, 0)]);
    }
}
