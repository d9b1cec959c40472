//! What begins a statement although the parser sees none of it: `__extension__`, and pragmas for a loop.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

static PREFIX: LazyLock<Regex> = LazyLock::new(|| {
    let pragma = r"\n[ \t]*#[ \t]*pragma[ \t]+(?:GCC[ \t]+(?:unroll|ivdep|novector)|clang[ \t]+loop|(?:no)?unroll|omp)\b[^\n]*";
    Regex::new(&format!(r"\b__extension__\b|{pragma}")).expect("a constant")
});

/// The prefixes in `original` that are blank in `bytes`, the text for the parser: the end of each, and its start. `masked` is
/// `original` without markers, pragmas and system headers.
pub(super) fn prefixes(original: &str, masked: &str, bytes: &[u8]) -> BTreeMap<usize, usize> {
    let is_blank = |range: Range<usize>| bytes[range].iter().all(u8::is_ascii_whitespace);
    // What is before code of a system header, which is blank too, is not before the next function.
    let is_own = |range: &Range<usize>| next_code(original, range.end).is_none_or(|at| !is_blank(at..at + 1));
    // A line marker may precede a pragma, and nothing can be inserted into it.
    let after_code = |start: usize| {
        if original[start..].starts_with('\n') { masked[..start].trim_end().len() } else { start }
    };
    let found = PREFIX.find_iter(original).map(|found| found.range());
    let found = found.filter(|range| is_blank(range.clone()) && is_own(range));
    found.map(|range| (range.end, after_code(range.start))).collect()
}

/// The first code of `text` from `at` on that is no prefix.
fn next_code(text: &str, mut at: usize) -> Option<usize> {
    loop {
        let rest = text[at..].trim_start();
        at = text.len() - rest.len();
        match rest.strip_prefix("__extension__") {
            Some(after) => at = text.len() - after.len(),
            None if rest.starts_with('#') => at += rest.find('\n')?,
            None => return (!rest.is_empty()).then_some(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::plain::Plain;

    #[test]
    fn an_extension_in_a_system_header_does_not_begin_the_next_function() {
        let text = "__extension__ typedef int t;\n# 1 \"p.h\"\nint f(void) { __extension__\n# 2 \"p.h\"\n __extension__ g(); }";
        let masked =
            text.replace("__extension__", "             ").replacen("typedef int t;", "              ", 1);
        let masked: String = masked
            .split_inclusive('\n')
            .map(|row| if row.starts_with('#') { " ".repeat(9) + "\n" } else { row.into() })
            .collect();
        let plain = Plain::of(text, &masked);
        let (function, call) = (text.find("int f").unwrap(), text.find("g()").unwrap());
        assert_eq!(plain.start(function), function);
        assert_eq!(plain.start(call), text.find("__extension__\n").unwrap());
    }
}
