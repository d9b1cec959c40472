//! Parsers for the values of flags.

use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::model::{Count, Line, RelationName};

/// A relation by its name; help and completions list the names.
pub fn relation() -> impl TypedValueParser<Value = RelationName> {
    let all = RelationName::ALL;
    let values = all.map(|relation| PossibleValue::new(relation.name()).help(relation.summary()));
    PossibleValuesParser::new(values).try_map(move |name| {
        all.into_iter().find(|relation| relation.name() == name).ok_or("no such relation")
    })
}

/// A duration such as `30m`.
pub fn duration(text: &str) -> Result<Duration, String> {
    const WANTED: &str = "expected a number followed by s, m, h or d, as in 30m";
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..split].parse().map_err(|_| WANTED)?;
    let unit = match &text[split..] {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86400,
        _ => return Err(WANTED.into()),
    };
    number.checked_mul(unit).map(Duration::from_secs).ok_or_else(|| "this duration is too long".into())
}

/// A line of a program, or of a file in a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinePlace {
    pub file: Option<String>,
    pub line: Line,
}

/// A line, `N` or `FILE:N`.
pub fn line_place(text: &str) -> Result<LinePlace, String> {
    let (file, number) = match text.rsplit_once(':') {
        Some((file, number)) => (Some(file.to_string()), number),
        None => (None, text),
    };
    // Line 0 of a program has no finding, which is said with the place.
    let line = number.parse().ok().filter(|line| file.is_none() || *line > 0);
    let line = line.ok_or("expected a line number, or a file and a line number, as in lib/f.c:7")?;
    Ok(LinePlace { file, line })
}

/// A number that is not negative.
pub fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected a whole number, 0 or more".into())
}

/// A share, such as `0.98` or `98%`.
pub fn share(text: &str) -> Result<f64, String> {
    let (number, whole) = match text.strip_suffix('%') {
        Some(percentage) => (percentage.trim_end(), 100.0),
        None => (text, 1.0),
    };
    let share = number.parse::<f64>().ok().map(|number| number / whole);
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "expected a share from 0 to 1, as in 0.98, or a percentage, as in 98%".into())
}

/// The count that a claim says is right: a number, or `-` for a line without a count. `#####` is 0, and `3/4` is 3 of 4, as the
/// tools print them.
pub fn expected_count(text: &str) -> Result<(Count, Option<usize>), String> {
    let (part, whole) = match text.split_once('/') {
        Some((part, whole)) => (part, Some(whole.parse().map_err(|_| NO_COUNT)?)),
        None => (text, None),
    };
    match part {
        "-" => Ok((None, whole)),
        "#####" | "=====" => Ok((Some(0), whole)),
        _ => Ok((Some(part.parse().map_err(|_| NO_COUNT)?), whole)),
    }
}

const NO_COUNT: &str = "expected a count, or - for a line without a count";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit() {
        assert_eq!(duration("8h"), Ok(Duration::from_secs(28800)));
        for wrong in ["8", "h", "99999999999999999999d"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_share_is_a_part_of_1_or_a_percentage() {
        for (text, expected) in [("0.98", 0.98), ("1", 1.0), ("98%", 0.98), ("0 %", 0.0)] {
            assert_eq!(share(text), Ok(expected), "{text}");
        }
        for wrong in ["", "%", "98", "101%", "-0.1", "NaN", "all"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_line_may_have_a_file() {
        assert_eq!(line_place("7"), Ok(LinePlace { file: None, line: 7 }));
        assert_eq!(line_place("a/f.c:7"), Ok(LinePlace { file: Some("a/f.c".into()), line: 7 }));
        assert!(line_place("f.c").is_err() && line_place("f.c:0").is_err() && line_place("-1").is_err());
    }

    #[test]
    fn a_claim_is_a_count_or_none() {
        assert_eq!(expected_count("12"), Ok((Some(12), None)));
        assert_eq!(expected_count("3/4"), Ok((Some(3), Some(4))));
        assert_eq!(expected_count("-"), Ok((None, None)));
        assert_eq!(expected_count("#####"), Ok((Some(0), None)));
        assert!(
            expected_count("x").is_err() && expected_count("3/x").is_err() && expected_count("-1").is_err()
        );
    }
}
