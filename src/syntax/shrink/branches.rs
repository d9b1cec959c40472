//! Conditional groups whose active branches are known: headers consist mostly of branches for other platforms, and a pass
//! that tries each of them is slow.
//!
//! A mark in each branch says whether the preprocessor keeps it.

use std::collections::BTreeSet;

use super::directives::{Row, rows};
use super::text::EditSet;
use crate::model::TextEdit;

/// The mark of a branch, before its number.
const MARK: &str = "recount_branch_";

/// `source` with a mark at the beginning of each branch of its conditional groups.
pub fn with_branch_marks(source: &str) -> String {
    let mut marked = String::new();
    for (number, row) in rows(source).iter().enumerate() {
        marked += &source[row.range.clone()];
        if row.opens_group() || row.divides_group() {
            marked.extend([MARK, &number.to_string(), "\n"]);
        }
    }
    marked
}

/// The edits that delete the conditions of `source` and the branches whose marks are not in `preprocessed`. A group of
/// which several branches are active, as in a file that includes itself, stays.
pub fn inactive_branches(source: &str, preprocessed: &str) -> EditSet {
    let marks = preprocessed.lines().filter_map(|line| line.trim().strip_prefix(MARK)?.parse().ok());
    let active: BTreeSet<usize> = marks.collect();
    let rows = rows(source);
    let mut edits = EditSet::new();
    let mut deleted_until = 0;
    // Where each group that is being read has its branches, and whether its conditions are deleted.
    let mut open: Vec<bool> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let is_deleted = row.range.start < deleted_until;
        if row.opens_group() {
            let bounds = bounds(&rows, at);
            let kept = bounds.iter().filter(|bound| active.contains(bound)).count();
            open.push(!is_deleted && bounds.len() > 1 && kept < 2);
        }
        let is_simplified = open.last().copied().unwrap_or(false);
        if row.opens_group() || row.divides_group() {
            let next = (at + 1..rows.len()).find(|next| is_bound(&rows, at, *next));
            if let Some(next) = next.filter(|_| is_simplified) {
                let end = if active.contains(&at) { row.range.end } else { rows[next].range.start };
                edits.push(TextEdit::delete(row.range.start..end));
                deleted_until = end;
            }
        } else if row.ends_group() && open.pop() == Some(true) {
            edits.push(TextEdit::delete(row.range.clone()));
        }
    }
    edits
}

/// The rows that open, divide and end the group that row `at` opens; only `at` if it has no end.
fn bounds(rows: &[Row<'_>], at: usize) -> Vec<usize> {
    let mut bounds = vec![at];
    while let Some(next) = (bounds[bounds.len() - 1] + 1..rows.len()).find(|next| is_bound(rows, at, *next)) {
        bounds.push(next);
        if rows[next].ends_group() {
            return bounds;
        }
    }
    vec![at]
}

/// Whether row `next` divides or ends the group of row `at`, which opens or divides it.
fn is_bound(rows: &[Row<'_>], at: usize, next: usize) -> bool {
    let depth = rows[at].depth - usize::from(rows[at].divides_group());
    let row = &rows[next];
    row.divides_group() && row.depth == depth + 1 || row.ends_group() && row.depth == depth
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::replaced;

    /// `source` without the branches whose marks are not in the rows `active`.
    fn simplified(source: &str, active: &[usize]) -> String {
        let marks: String = active.iter().map(|row| format!("{MARK}{row}\n")).collect();
        replaced(source, &inactive_branches(source, &marks))
    }

    #[test]
    fn a_mark_is_in_each_branch() {
        let found = with_branch_marks("#if A \\\n || B\na\n#else\nb\n#endif\n");
        assert_eq!(found, "#if A \\\n || B\nrecount_branch_0\na\n#else\nrecount_branch_2\nb\n#endif\n");
    }

    #[test]
    fn only_active_branches_stay() {
        let source = "#ifdef A\n#if B\na\n#endif\n#elif C\nb\n#if D\nc\n#endif\n#else\nd\n#endif\ne\n";
        assert_eq!(simplified(source, &[4, 6]), "b\nc\ne\n");
        assert_eq!(simplified(source, &[4]), "b\ne\n");
        assert_eq!(simplified(source, &[0]), "e\n");
        assert_eq!(simplified(source, &[]), "e\n");
    }

    #[test]
    fn a_group_with_several_active_branches_or_without_an_end_stays() {
        let source = "#ifdef A\na\n#if B\nb\n#endif\n#else\nc\n#endif\n";
        assert_eq!(simplified(source, &[0, 2, 5]), "#ifdef A\na\nb\n#else\nc\n#endif\n");
        assert_eq!(simplified("#if A\na\n", &[]), "#if A\na\n");
    }
}
