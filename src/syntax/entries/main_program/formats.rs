//! The numbers that a `scanf` format reads, and the text that it expects around them.

use serde::{Deserialize, Serialize};

use crate::model::Number;

/// A number as a format reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conversion {
    pub number: Number,
    /// The base that an integer is read in.
    radix: u32,
    /// The text of the format before the first conversion.
    before: String,
    /// The text of the format after this conversion, up to the next.
    after: String,
}

impl Conversion {
    /// The text that the format reads as `bits`.
    pub fn text(&self, bits: u64) -> String {
        let digits = match self.radix {
            8 => format!("{bits:o}"),
            16 => format!("{bits:x}"),
            _ => self.number.decimal(bits),
        };
        format!("{}{digits}{}", self.before, self.after)
    }
}

/// The numbers, in order. Words (`%s`) are read as integers; characters and sets are skipped.
pub fn conversions(format: &str) -> Vec<Conversion> {
    let mut found: Vec<Conversion> = Vec::new();
    let mut rest = format;
    let mut before = String::new();
    loop {
        let at = rest.find('%').unwrap_or(rest.len());
        let literal: String = rest[..at].chars().filter(|c| !c.is_whitespace()).collect();
        keep(&mut found, &mut before, &literal);
        if at == rest.len() {
            return found;
        }
        rest = &rest[at + 1..];
        // A conversion whose result is discarded (`%*d`) still needs its text.
        rest = rest.trim_start_matches(|c: char| c == '*' || c.is_ascii_digit());
        let end = rest.find(|c: char| !"hlLqjzt".contains(c)).unwrap_or(rest.len());
        let (length, letters) = rest.split_at(end);
        let mut letters = letters.chars();
        let letter = letters.next();
        rest = letters.as_str();
        if letter == Some('%') {
            keep(&mut found, &mut before, "%");
        }
        let radix = match letter {
            Some('o') => 8,
            Some('x' | 'X') => 16,
            _ => 10,
        };
        if let Some(number) = letter.and_then(|letter| number(length, letter)) {
            let before = std::mem::take(&mut before);
            found.push(Conversion { number, radix, before, after: String::new() });
        }
    }
}

/// Add `literal` after the last conversion, or before the first. An escape sequence, which is usually white space, and the
/// text after it are left out.
fn keep(found: &mut [Conversion], before: &mut String, literal: &str) {
    let literal = literal.split('\\').next().unwrap_or_default();
    match found.last_mut() {
        Some(last) => last.after.push_str(literal),
        None => before.push_str(literal),
    }
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
        ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', length) => Some(match length {
            "" => Number::Float,
            "l" => Number::Double,
            _ => Number::LongDouble,
        }),
        ('s', _) => Some(Number::INT),
        _ => None,
    }
}
