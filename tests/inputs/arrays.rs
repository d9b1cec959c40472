//! Arrays whose lengths, offsets and indices have to match.

use crate::answer::{answer, int};

#[test]
fn numbers_that_have_to_match_are_found() {
    for (entry, targets) in [("differences", 18), ("trace", 8), ("cell", 11)] {
        for seed in ["1", "2", "3"] {
            let found = answer("arrays.c", entry, &["--seed", seed]);
            assert_eq!(found.met(), (targets, targets), "{entry} {seed}: {:?}", found.infeasible());
            // The replay ends cleanly too, and takes the same branches.
            let branches = &found.0["coverage"]["branches"];
            assert_eq!(branches["covered"], branches["of"], "{entry} {seed}");
        }
    }
}

#[test]
fn an_index_outside_an_array_is_a_fault() {
    let found = answer("arrays.c", "far", &[]);
    assert_eq!(found.met(), (1, 4), "{:?}", found.infeasible());
    let cells = found.inputs()[0].len();
    assert!(!found.faults().is_empty());
    for (is, with, input) in found.faults() {
        assert_eq!((is, with), ("signalled", Some(11)));
        assert!(int(input[cells - 1]) > 1_000_000);
    }
}

#[test]
fn one_index_may_run_through_a_whole_matrix() {
    let found = answer("arrays.c", "flat", &[]);
    assert_eq!((found.met(), found.faults()), ((4, 4), Vec::new()));
}
