//! The same seed gives the same inputs, whatever runs at the same time; and the files that are written can be run.

use serde_json::Value;

use crate::answer::{compiled, data, said};
use crate::support::{Said, Temp};

/// The answers without measured times.
fn without_clock(said: &Said) -> Vec<Value> {
    let mut all: Vec<Value> = serde_json::from_str(&said.out).unwrap();
    assert!(!all.is_empty());
    for answer in &mut all {
        answer.as_object_mut().unwrap().remove("seconds");
    }
    all
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let with = |jobs| said("kinds.c", &["--seed", "7", "--format", "json", "--jobs", jobs]);
    let (one, two) = (with("1"), with("2"));
    assert_eq!((one.code, two.code), (0, 0));
    assert_eq!(without_clock(&one), without_clock(&two));
    let other = said("kinds.c", &["--seed", "8", "--format", "json"]);
    assert_ne!(without_clock(&one), without_clock(&other));
}

#[test]
fn state_of_earlier_runs_changes_nothing() {
    let run = || without_clock(&said("state.c", &["--entry", "sum", "--entry", "calls", "--format", "json"]));
    assert_eq!(run(), run());
}

#[test]
fn the_same_search_six_times_finds_the_same() {
    let run = || said("kinds.c", &["--entry", "two_pointers", "--seed", "7", "--format", "hex"]).out;
    let first = run();
    assert!(!first.is_empty());
    for _ in 0..5 {
        assert_eq!(run(), first);
    }
}

#[test]
fn addresses_do_not_influence_a_search() {
    let run =
        || without_clock(&said("state.c", &["--entry", "remembered", "--format", "json", "--budget", "500"]));
    assert_eq!(run(), run());
}

#[test]
fn a_hexadecimal_line_has_a_value_for_each_cell() {
    for (entry, cells, digits) in [("by_pointer", 5, [8, 16, 8, 16, 2]), ("three", 3, [8, 8, 8, 0, 0])] {
        let said = said("kinds.c", &["--entry", entry, "--format", "hex"]);
        assert!(said.code == 0 && said.out.lines().count() >= 2, "{}", said.err);
        for line in said.out.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(words.len(), cells, "{line}");
            for (word, digits) in words.iter().zip(digits) {
                let value = word.strip_prefix("0x").unwrap();
                assert!(
                    u64::from_str_radix(value, 16).is_ok() && (value.len() == digits || digits == 2),
                    "{line}"
                );
            }
        }
    }
}

#[test]
fn the_replay_is_repeatable_and_prints_returned_values() {
    let temp = Temp::new();
    let file = data("kinds.c");
    let args = [
        "inputs",
        file.as_str(),
        "--entry",
        "a_pointer",
        "--entry",
        "by_value",
        "--entry",
        "an_enum",
        "--quiet",
        "--out",
        "out",
    ];
    assert_eq!(Said::from(temp.recount(&args)).code, 0);
    for (entry, returned) in
        [("a_pointer", vec![-1, 0, 1]), ("by_value", vec![0, 1]), ("an_enum", vec![0, 1, 2, 3])]
    {
        let source = temp.at(&format!("out/{entry}.replay.c"));
        let once = compiled(&temp, source.as_str());
        assert_eq!(once, compiled(&temp, source.as_str()), "{entry}");
        let values = once.lines().filter_map(|line| line.trim().strip_prefix("return = "));
        let mut values: Vec<i64> = values
            .map(|value| {
                let bits = u64::from_str_radix(value.trim_start_matches("0x"), 16).unwrap();
                bits.cast_signed()
            })
            .collect();
        values.sort_unstable();
        values.dedup();
        assert_eq!(values, returned, "{once}");
        for end in ["json", "hex", "svg"] {
            assert!(temp.at(&format!("out/{entry}.{end}")).exists(), "{entry}.{end}");
        }
    }
}

#[test]
fn a_replayed_zero_is_printed_like_any_other_number() {
    let temp = Temp::new();
    let file = data("kinds.c");
    let args = ["inputs", file.as_str(), "--entry", "an_int", "--quiet", "--out", "out"];
    assert_eq!(Said::from(temp.recount(&args)).code, 0);
    let said = compiled(&temp, temp.at("out/an_int.replay.c").as_str());
    assert!(said.contains("return = 0x0000000000000000"), "{said}");
}
