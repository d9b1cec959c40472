//! A plain-text table whose columns are as wide as their widest cell.

/// Format `rows` below `head`, with two spaces between columns; the columns in `right` are aligned to the right.
pub fn table(head: &[&str], right: &[usize], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = rows.into_iter().collect();
    let head: Vec<String> = head.iter().map(ToString::to_string).collect();
    let width = |column: usize| {
        let cells = std::iter::once(&head).chain(&rows).filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let rule = widths.iter().map(|width| "-".repeat(*width)).collect();
    let line = |row: &Vec<String>| {
        let padded = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            if right.contains(&column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        format!("{}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
    };
    [&head, &rule].into_iter().chain(&rows).map(line).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_aligned_to_the_right() {
        let rows = [vec!["gcc-12".into(), "7".into()], vec!["x".into(), "1234".into()]];
        let expected = "name    count\n------  -----\ngcc-12      7\nx        1234\n";
        assert_eq!(super::table(&["name", "count"], &[1], rows), expected);
    }
}
