//! The numbers that a format of `scanf` reads.

use crate::model::Number;

/// The numbers, in order. Words (`%s`) are read as integers, characters and sets as nothing.
pub fn conversions(format: &str) -> Vec<Number> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        rest = &rest[at + 1..];
        // What is read and thrown away (`%*d`) has to be there all the same.
        rest = rest.trim_start_matches(|c: char| c == '*' || c.is_ascii_digit());
        let end = rest.find(|c: char| !"hlLqjzt".contains(c)).unwrap_or(rest.len());
        let (length, behind) = rest.split_at(end);
        let mut letters = behind.chars();
        let letter = letters.next();
        rest = letters.as_str();
        found.extend(letter.and_then(|letter| number(length, letter)));
    }
    found
}

fn number(length: &str, letter: char) -> Option<Number> {
    let bits = match length {
        "hh" => 8,
        "h" => 16,
        "" => 32,
        _ => 64,
    };
    match (letter, length) {
        ('d' | 'i', _) => Some(Number::Integer { bits, signed: true }),
        ('u' | 'x' | 'X' | 'o', _) => Some(Number::Integer { bits, signed: false }),
        ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', "") => Some(Number::Float),
        ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', "l") => Some(Number::Double),
        ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', _) => Some(Number::LongDouble),
        ('s', _) => Some(Number::INT),
        _ => None,
    }
}
