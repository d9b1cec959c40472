//! Target selectors such as `{ i?86-*-* x86_64-*-* } && { ! ilp32 }`, in a three-valued logic, because a testsuite may
//! require features that recount does not know.

use super::directive::{Word, words};

/// The target for which programs are imported.
pub const TRIPLET: &str = "x86_64-pc-linux-gnu";

/// Whether a condition holds; an error is the unknown name on which the result depends.
pub type Holds = Result<bool, String>;

/// Whether one of `all` holds; it is unknown only if none is known to hold.
fn any(all: impl Iterator<Item = Holds>) -> Holds {
    let mut result = Ok(false);
    for one in all {
        match one {
            Ok(true) => return Ok(true),
            Err(name) if result.is_ok() => result = Err(name),
            _ => {}
        }
    }
    result
}

fn not(one: Holds) -> Holds {
    one.map(|holds| !holds)
}

/// Whether a list of words holds. `||` binds weakest, then `&&`; adjacent words are alternatives. `known` decides
/// names that are not patterns of a triplet.
pub fn holds(list: &[Word], known: &dyn Fn(&str) -> Option<bool>) -> Holds {
    let is = |operator: &'static str| move |word: &Word| matches!(word, Word::Bare(text) if text == operator);
    if list.iter().any(is("||")) {
        return any(list.split(is("||")).map(|part| holds(part, known)));
    }
    if list.iter().any(is("&&")) {
        // All hold if none fails.
        return not(any(list.split(is("&&")).map(|part| not(holds(part, known)))));
    }
    let mut negated = false;
    any(list.iter().filter_map(|word| {
        if is("!")(word) {
            negated = !negated;
            return None;
        }
        let one = term(word, known);
        Some(if std::mem::take(&mut negated) { not(one) } else { one })
    }))
}

fn term(word: &Word, known: &dyn Fn(&str) -> Option<bool>) -> Holds {
    match word {
        Word::Braced(list) => holds(list, known),
        Word::Quoted(text) => holds(&words(text), known),
        Word::Bare(text) => match text.strip_prefix('!') {
            Some(rest) if !rest.is_empty() => not(name(rest, known)),
            _ => name(text, known),
        },
    }
}

fn name(text: &str, known: &dyn Fn(&str) -> Option<bool>) -> Holds {
    if text.contains(['*', '-']) {
        return Ok(glob(text, TRIPLET));
    }
    known(text).ok_or_else(|| text.to_string())
}

/// Whether `pattern` with `*`, `?` and `[…]` matches the whole `text`.
pub fn glob(pattern: &str, text: &str) -> bool {
    let Some(first) = pattern.chars().next() else { return text.is_empty() };
    let rest = &pattern[first.len_utf8()..];
    let next = text.chars().next();
    let after = next.map_or("", |c| &text[c.len_utf8()..]);
    match first {
        '*' => glob(rest, text) || next.is_some() && glob(pattern, after),
        '?' => next.is_some() && glob(rest, after),
        '[' => match rest.split_once(']') {
            Some((set, rest)) => next.is_some_and(|c| set.contains(c)) && glob(rest, after),
            None => false,
        },
        c => next == Some(c) && glob(rest, after),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Holds {
        let known = |name: &str| match name {
            "lp64" | "c" => Some(true),
            "ilp32" => Some(false),
            _ => None,
        };
        holds(&words(text), &known)
    }

    #[test]
    fn adjacent_words_are_alternatives() {
        assert_eq!(of("arm*-*-* x86_64-*-*"), Ok(true));
        assert_eq!(of("arm*-*-* powerpc*-*-*"), Ok(false));
        assert_eq!(of("{ i?86-*-* x86_64-*-* } && lp64"), Ok(true));
        assert_eq!(of("{ i?86-*-* x86_64-*-* } && { ! lp64 }"), Ok(false));
        assert_eq!(of("ilp32 || lp64"), Ok(true));
        assert_eq!(of("! \"vax-*-* pdp11-*-*\""), Ok(true));
        assert_eq!(of("!ilp32"), Ok(true));
        assert_eq!(of("*-*-linux* *-*-gnu*"), Ok(true));
        assert_eq!(of("*-*-darwin[912]*"), Ok(false));
    }

    #[test]
    fn an_unknown_name_matters_only_if_the_result_depends_on_it() {
        let unknown = Err("odd".to_string());
        assert_eq!(of("odd"), unknown);
        assert_eq!(of("! odd"), unknown);
        assert_eq!(of("odd && lp64"), unknown);
        assert_eq!(of("odd && ilp32"), Ok(false));
        assert_eq!(of("odd || lp64"), Ok(true));
    }

    #[test]
    fn patterns_match_the_whole_word() {
        assert!(glob("*", "") && glob("i?86", "i386") && glob("a[bc]d", "acd") && glob("-O*", "-O2"));
        assert!(!glob("i?86", "i386x") && !glob("a", "ab") && !glob("a[b", "ab"));
    }
}
