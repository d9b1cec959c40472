//! Finds the lines of a macro's arguments. After preprocessing, the whole expansion is on the line of the macro's name,
//! and the lines of the arguments are empty.
//!
//! A line is included only if it certainly contains an argument that the macro uses.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::comments::blanked;
use super::words::{Words, is_word};
use crate::model::Line;

/// A directive that gives lines other numbers.
static RENUMBERS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^[ \t]*#[ \t]*(?:line\b|\d)").expect("a constant"));

/// The lines of `typed` that contain arguments of a macro whose name is on an earlier line, each with that line; `rows` is
/// the preprocessed text of each line, from 1.
pub(super) fn arguments(typed: &str, rows: &[&str]) -> BTreeMap<Line, Line> {
    let mut found = BTreeMap::new();
    let row = |line: usize| rows.get(line).copied().unwrap_or_default();
    let has_word = |text: &str| text.contains(char::is_alphanumeric);
    let may_be = |(line, text): (usize, &str)| {
        row(line).trim().is_empty() && has_word(text) && !text.trim_start().starts_with('#')
    };
    if !(1..).zip(typed.split('\n')).any(may_be) || RENUMBERS.is_match(typed) {
        return found;
    }
    let plain = blanked(typed);
    // The line of each open parenthesis, and the word before it.
    let (mut open, mut is_directive): (Vec<(usize, &str)>, bool) = (Vec::new(), false);
    // The last line that is not empty after preprocessing, and its words.
    let (mut on, mut words) = (0, Words::default());
    for (line, text) in (1..).zip(plain.split('\n')) {
        if is_directive || text.trim_start().starts_with('#') {
            is_directive = text.trim_end().ends_with('\\');
            (open, on) = (Vec::new(), 0);
            continue;
        }
        if !row(line).trim().is_empty() {
            (on, words) = (line, Words::default());
        } else if has_word(text) && !open.is_empty() {
            if on > 0 && words.is_empty() {
                words = Words::of(&blanked(row(on)));
            }
            let expands = |(line, word): &(usize, &str)| *line == on && !word.is_empty() && !words.has(word);
            if open.iter().any(expands)
                && Words::of(text).all(|word| words.has(word))
                && let (Ok(line), Ok(on)) = (Line::try_from(line), Line::try_from(on))
            {
                found.insert(line, on);
            }
        }
        for (at, c) in text.char_indices() {
            match c {
                '(' => open.push((line, word_before(&text[..at]))),
                ')' => drop(open.pop()),
                _ => {}
            }
        }
    }
    found
}

/// The word that `text` ends with, space aside.
fn word_before(text: &str) -> &str {
    let text = text.trim_end();
    &text[text.trim_end_matches(is_word).len()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The arguments in `typed`. A line that the preprocessor empties begins with a bar; another line may have a bar
    /// before its preprocessed text.
    fn of(typed: &[&str]) -> Vec<(Line, Line)> {
        let source: Vec<&str> =
            typed.iter().map(|text| text.trim_start_matches('|').split('|').next().unwrap()).collect();
        let mut rows = vec![""];
        rows.extend(
            typed
                .iter()
                .map(|text| if text.starts_with('|') { "" } else { text.rsplit('|').next().unwrap() }),
        );
        arguments(&source.join("\n"), &rows).into_iter().collect()
    }

    #[test]
    fn they_belong_to_the_line_of_the_macro() {
        assert_eq!(
            of(&["|#define ADD(x) n += (x)", "ADD(a +|n += (a + b + 2)", "|  b +", "| 2", "|);", ";"]),
            [(3, 2), (4, 2)]
        );
        assert_eq!(of(&["f(k,", "  ADD(3 +|  n += (3 + 4))", "|      4));"]), [(3, 2)]);
        assert_eq!(of(&["ADD(/* ( */ 3 + // (|n += (3 + \")\"[0])", "|  /* a */ \")\"[0]);"]), [(2, 1)]);
    }

    #[test]
    fn what_is_no_argument_is_left_out() {
        assert!(
            of(&["if (a", "    && b", "|    IF_X(&& b)", "    && d) return 1;"]).is_empty(),
            "a macro of nothing"
        );
        assert!(of(&["if (a", "|    IF_X(&& a)", "    && d) return 1;"]).is_empty(), "in a parenthesis of C");
        assert!(of(&["CHECK(a,|((void)0)", "|  b);", ";"]).is_empty(), "dropped");
        assert!(of(&["CHECK(a,|check(\"a, b\")", "|  b);", ";"]).is_empty(), "made a string");
        assert!(
            of(&["f(a RP;|f(a );", "return 1;", "|NOTHING(1)", "y = 2;"]).is_empty(),
            "parentheses of macros"
        );
        assert!(of(&["ADD(a,|a + b", "|#if X", "|  b", "|#endif", "|  );", ";"]).is_empty(), "conditional");
        assert!(of(&["|# line 7", "ADD(a,|a + b", "|  b);"]).is_empty(), "other numbers");
        assert!(of(&["|#if 0", "|ADD(a,", "|  b);", "|#endif"]).is_empty(), "not there");
        assert!(of(&["int a; // b", "|// c", ""]).is_empty());
    }
}
