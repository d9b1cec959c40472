//! Constructs of C in words, by the names that they have in signatures.

/// The noun for a kind of statement or line, as in `if` or `brace`.
fn noun(kind: &str) -> String {
    let noun = match kind {
        "if" | "switch" | "return" | "break" | "continue" | "goto" | "asm" => {
            return format!("`{kind}` statement");
        }
        "for" | "while" | "do" => return format!("`{kind}` loop"),
        "case" => "`case` label",
        "else" => "`else`",
        "call" => "function call",
        "expression" => "statement",
        "empty" => "empty statement",
        "brace" => "closing brace",
        "function" => "function head",
        "do-condition" => "condition of a `do` loop",
        "directive" => "macro definition",
        "path" => "path of several statements",
        "other" => "line",
        other => other,
    };
    noun.into()
}

/// The construct of a line, as in `label after for` or `if-continued`.
pub fn construct(site: &str) -> String {
    if let Some(kind) = site.strip_suffix("-continued") {
        return format!("continuation line of a multi-line {}", noun(kind));
    }
    match site.split_once(" after ") {
        Some((kind, previous)) => format!("{} after {}", noun(kind), with_article(&noun(previous))),
        None => noun(site),
    }
}

pub fn with_article(noun: &str) -> String {
    let is_vowel = noun.trim_start_matches('`').starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {noun}", if is_vowel { "an" } else { "a" })
}
