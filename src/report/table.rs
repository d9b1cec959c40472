//! A plain table: columns as wide as their widest cell, numbers to the right.

/// `rows` under `head`, two spaces between columns; `right` names the columns of numbers.
pub fn table(head: &[&str], right: &[usize], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: Vec<&str>| {
        let padded = cells.iter().enumerate().map(|(column, cell)| {
            let width = widths[column];
            if right.contains(&column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        format!("{}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
    };
    let mut out = line(head.to_vec());
    out.push_str(&line(
        widths
            .iter()
            .map(|width| "-".repeat(*width))
            .collect::<Vec<_>>()
            .iter()
            .map(String::as_str)
            .collect(),
    ));
    for row in rows {
        out.push_str(&line(row.iter().map(String::as_str).collect()));
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_stand_to_the_right() {
        let rows = [vec!["gcc-12".into(), "7".into()], vec!["x".into(), "1234".into()]];
        let expected = "name    count\n------  -----\ngcc-12      7\nx        1234\n";
        assert_eq!(super::table(&["name", "count"], &[1], &rows), expected);
    }
}
