//! The numbers that a format of `scanf` reads, and what has to stand around them.

use serde::{Deserialize, Serialize};

use crate::model::Number;

/// A number as a format reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conversion {
    /// Its type.
    pub number: Number,
    /// The base that an integer is read in.
    radix: u32,
    /// What the format has in front of it, if it is the first.
    before: String,
    /// What the format has behind it, up to the next conversion.
    behind: String,
}

impl Conversion {
    /// What is to be typed for `bits`.
    pub fn text(&self, bits: u64) -> String {
        let digits = match self.radix {
            8 => format!("{bits:o}"),
            16 => format!("{bits:x}"),
            _ => self.number.decimal(bits),
        };
        format!("{}{digits}{}", self.before, self.behind)
    }
}

/// The numbers, in order. Words (`%s`) are read as integers, characters and sets as nothing.
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
        // What is read and thrown away (`%*d`) has to be there all the same.
        rest = rest.trim_start_matches(|c: char| c == '*' || c.is_ascii_digit());
        let end = rest.find(|c: char| !"hlLqjzt".contains(c)).unwrap_or(rest.len());
        let (length, behind) = rest.split_at(end);
        let mut letters = behind.chars();
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
            found.push(Conversion { number, radix, before, behind: String::new() });
        }
    }
}

/// `literal` stands behind the last conversion, or before the first. A backslash begins what C spells otherwise, which is
/// space as a rule.
fn keep(found: &mut [Conversion], before: &mut String, literal: &str) {
    let literal = literal.split('\\').next().unwrap_or_default();
    match found.last_mut() {
        Some(last) => last.behind.push_str(literal),
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
        ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', "") => Some(Number::Float),
        ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', "l") => Some(Number::Double),
        ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', _) => Some(Number::LongDouble),
        ('s', _) => Some(Number::INT),
        _ => None,
    }
}
