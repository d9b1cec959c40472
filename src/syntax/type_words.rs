//! The words of a declaration that are not the name of what it declares.

/// Words that are no type: storage classes, qualifiers, and words that say how a function is called.
pub const UNTYPED: [&str; 11] = [
    "static",
    "extern",
    "inline",
    "__inline",
    "__inline__",
    "const",
    "volatile",
    "register",
    "auto",
    "restrict",
    "_Noreturn",
];

/// Types of one word.
const BASIC: [&str; 10] =
    ["void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool"];

/// Words of other types, and `typedef`, after which the name of one is declared.
const OTHER: [&str; 6] = ["struct", "union", "enum", "typedef", "__int128", "_Float128"];

/// Whether `word` may be the name of what is declared.
pub fn may_be_name(word: &str) -> bool {
    let is_alignment = matches!(word, "_Alignas" | "alignas");
    !is_alignment && !UNTYPED.contains(&word) && !BASIC.contains(&word) && !OTHER.contains(&word)
}

/// Whether a declaration that begins with `word` has a type.
pub fn begins_type(word: &str) -> bool {
    let is_of_expression =
        matches!(word, "typeof" | "__typeof" | "__typeof__" | "typeof_unqual" | "__typeof_unqual__");
    is_of_expression || BASIC.contains(&word) || OTHER.contains(&word)
}

/// Whether `word` before a parenthesis, in the head of a function, may be its name.
pub fn may_be_function(word: &str) -> bool {
    !matches!(word, "typeof" | "__typeof__") && !BASIC.contains(&word) && !word.starts_with("__attribute")
}
