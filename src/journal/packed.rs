//! Stores the counts of a program's lines in few bytes. A journal has them for every job with a finding, and most lines
//! have no count or the same count as the preceding line.
//!
//! A line is a word: `-` without counts, otherwise its counts separated by `|`. `*5` after a word means that five
//! consecutive lines have it.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::bundle::Counts;
use crate::model::ReportDetails;

#[derive(Serialize, Deserialize)]
struct Packed {
    program: String,
    truth: String,
    #[serde(default, skip_serializing_if = "ReportDetails::is_empty")]
    details: ReportDetails,
}

/// The counts of the program and those that ground truth admits; a job stores no others.
pub(super) fn serialize<S: Serializer>(counts: &Counts, to: S) -> Result<S::Ok, S::Error> {
    let program = pack(counts.program.iter().map(|count| word(count.as_slice())));
    let truth = pack(counts.truth.iter().map(|admitted| word(admitted)));
    Packed { program, truth, details: counts.details.clone() }.serialize(to)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Counts, D::Error> {
    let packed = Packed::deserialize(from)?;
    let lines =
        |text: &str| unpack(text).ok_or_else(|| D::Error::custom(format!("{text:?} is not a row of counts")));
    Ok(Counts {
        program: lines(&packed.program)?.into_iter().map(|counts| counts.first().copied()).collect(),
        truth: lines(&packed.truth)?,
        details: packed.details,
        ..Counts::default()
    })
}

fn word(counts: &[u64]) -> String {
    if counts.is_empty() {
        return "-".into();
    }
    counts.iter().map(u64::to_string).collect::<Vec<_>>().join("|")
}

fn pack(words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.collect();
    let run = |run: &[String]| match run {
        [only] => only.clone(),
        run => format!("{}*{}", run[0], run.len()),
    };
    words.chunk_by(|a, b| a == b).map(run).collect::<Vec<_>>().join(" ")
}

/// The maximum number of lines of a program: a damaged journal must not exhaust the memory.
const MOST_LINES: usize = 10_000_000;

fn unpack(text: &str) -> Option<Vec<Vec<u64>>> {
    let mut lines = Vec::new();
    for run in text.split_whitespace() {
        let (word, times) = match run.split_once('*') {
            Some((word, times)) => (word, times.parse().ok()?),
            None => (run, 1),
        };
        let counts: Vec<u64> = match word {
            "-" => Vec::new(),
            _ => word.split('|').map(|count| count.parse().ok()).collect::<Option<_>>()?,
        };
        if times > MOST_LINES - lines.len() {
            return None;
        }
        lines.resize(lines.len() + times, counts);
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Job(#[serde(with = "super")] Counts);

    #[test]
    fn a_row_is_short() {
        let counts = Counts {
            program: vec![None, None, Some(1), Some(1), Some(1), Some(0)],
            truth: vec![vec![], vec![], vec![1], vec![0, 2]],
            ..Counts::default()
        };
        let packed = serde_json::to_string(&Job(counts)).unwrap();
        assert_eq!(packed, r#"{"program":"-*2 1*3 0","truth":"-*2 1 0|2"}"#);
    }

    #[test]
    fn a_damaged_row_is_an_error() {
        for bad in ["x", "1*", "1*99999999999", "1||2", "-1", "1*9999999 1*9999999"] {
            let text = format!(r#"{{"program":"{bad}","truth":""}}"#);
            assert!(serde_json::from_str::<Job>(&text).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn unpacking_reverses_packing(
            program in proptest::collection::vec(proptest::option::of(prop_oneof![0..3u64, any::<u64>()]), 0..40),
            truth in proptest::collection::vec(proptest::collection::vec(0..4u64, 0..3), 0..40),
        ) {
            let counts = Counts { program, truth, ..Counts::default() };
            let packed = serde_json::to_string(&Job(counts.clone())).unwrap();
            prop_assert_eq!(serde_json::from_str::<Job>(&packed).unwrap().0, counts);
        }
    }
}
