//! Applies edits to a source text.

use super::words::is_word;
use crate::model::TextEdit;

/// `source` with `edits`, which do not overlap, such that no line moves: deleted text becomes spaces, line feeds stay,
/// and `with` is at the start of the deleted text, separated from a word before it.
pub fn render(source: &str, edits: &[TextEdit]) -> String {
    applied(source, edits, |out, edit| {
        // As in `else{…}`.
        let separator = if out.ends_with(is_word) && edit.with.starts_with(is_word) { " " } else { "" };
        out.push_str(separator);
        out.push_str(&edit.with);
        let mut surplus = separator.len() + edit.with.len();
        for c in source[edit.range()].chars() {
            match c {
                '\n' | '\r' => {
                    out.push(c);
                    surplus = 0;
                }
                _ if surplus > 0 => surplus -= 1,
                _ => out.push(' '),
            }
        }
    })
}

/// `source` with `edits`, which do not overlap. Lines move.
pub fn replaced(source: &str, edits: &[TextEdit]) -> String {
    applied(source, edits, |out, edit| out.push_str(&edit.with))
}

fn applied(source: &str, edits: &[TextEdit], apply: impl Fn(&mut String, &TextEdit)) -> String {
    let mut sorted: Vec<&TextEdit> = edits.iter().collect();
    sorted.sort_unstable();
    let mut out = String::with_capacity(source.len() + 16 * edits.len());
    let mut at = 0;
    for edit in sorted {
        out.push_str(&source[at..edit.start]);
        apply(&mut out, edit);
        at = edit.end;
    }
    out.push_str(&source[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edit(start: usize, end: usize, with: &str) -> TextEdit {
        TextEdit { start, end, with: with.into() }
    }

    #[test]
    fn columns_stay_where_the_replacement_fits() {
        assert_eq!(render("a; bcd; e;", &[edit(3, 7, ";")]), "a; ;    e;");
        assert_eq!(render("if (a){b;}else{ccc;}", &[edit(14, 20, "x();")]), "if (a){b;}else x(); ");
        assert_eq!(render("a;\nb(\n 1);\nc;", &[edit(3, 10, ";;")]), "a;\n;;\n    \nc;");
    }

    proptest! {
        #[test]
        fn lines_never_move(source in "[a-z;é\r\n ]{0,60}", cuts in proptest::collection::vec(0usize..60, 0..6)) {
            let mut cuts: Vec<usize> = cuts.into_iter().filter(|cut| source.is_char_boundary(*cut)).collect();
            cuts.retain(|cut| *cut <= source.len());
            cuts.sort_unstable();
            let edits: Vec<TextEdit> = cuts.chunks_exact(2).map(|pair| edit(pair[0], pair[1], ";")).collect();
            let out = render(&source, &edits);
            prop_assert_eq!(out.matches('\n').count(), source.matches('\n').count());
            let touched: Vec<usize> = edits.iter().flat_map(|edit| edit.start..=edit.end).collect();
            let mut offset = 0;
            for (before, after) in source.split('\n').zip(out.split('\n')) {
                if !(offset..=offset + before.len()).any(|byte| touched.contains(&byte)) {
                    prop_assert_eq!(before, after);
                }
                offset += before.len() + 1;
            }
        }
    }
}
