//! Reader of the annotated text of `llvm-cov show` (SourceCoverageViewText.cpp): the counts that people see. They have at
//! most three digits, so each represents a range.

use crate::model::Line;

/// For each line with a count, the smallest and the largest count that it can represent.
///
/// A line is `   12|  4.32k|text`; counts are truncated and not rounded (`formatCount`).
pub fn lines(text: &str) -> Vec<(Line, (u64, u64))> {
    let line = |row: &str| {
        let mut fields = row.splitn(3, '|');
        let line = fields.next()?.trim().parse().ok()?;
        Some((line, range(fields.next()?.trim())?))
    };
    text.lines().filter_map(line).collect()
}

/// The counts that a text represents: `4.32k` is 4320 to 4329.
fn range(count: &str) -> Option<(u64, u64)> {
    let digits = count.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let exponent = match &count[digits.len()..] {
        "" => 0,
        unit => 3 * (u32::try_from("kMGTPEZY".find(unit)?).ok()? + 1),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let decimals = u32::try_from(fraction.len()).ok()?;
    let unit = 10u64.checked_pow(exponent.checked_sub(decimals)?)?;
    let value: u64 = format!("{whole}{fraction}").parse().ok()?;
    let low = value.checked_mul(unit)?;
    Some((low, low.saturating_add(unit - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truncated_count_is_a_range() {
        let text = "    1|       |#include <a.h>\n    2|      7|int f()\n    3|  4.32k|  g(); | h\n    4|   321M|x\n";
        let expected = [(2, (7, 7)), (3, (4320, 4329)), (4, (321_000_000, 321_999_999))];
        assert_eq!(lines(text), expected);
    }
}
