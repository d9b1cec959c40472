//! Whole programs that read numbers from their arguments or their standard input.

use crate::answer::{answers, double, int};

#[test]
fn a_program_that_reads_its_arguments_is_covered() {
    let found = answers("main_arguments.c", &[]).remove(0);
    assert_eq!((found.entry(), found.met()), ("main", (10, 10)));
    let has =
        |is: &dyn Fn(&[u64]) -> bool| assert!(found.inputs().iter().any(|input| is(input)), "{found:?}");
    has(&|input| int(input[0]) < 2);
    has(&|input| int(input[1]) == 31_415);
    has(&|input| double(input[2]) > 1e6 && double(input[2]) < 1e6 + 1.0);
    let ends: Vec<i64> = found.0["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|input| input["ends"]["with"].as_i64().unwrap())
        .collect();
    assert!(ends.contains(&2) && ends.contains(&4) && ends.contains(&0), "{ends:?}");
    assert_eq!(found.faults(), []);
}

#[test]
fn a_program_that_scans_numbers_is_covered() {
    let found = answers("main_scanf.c", &[]).remove(0);
    assert!(found.inputs().iter().any(|input| int(input[1]) == 2718 && input[2] == (-0.5_f64).to_bits()));
    assert!(found.inputs().iter().any(|input| int(input[1]) > 100));
    assert_eq!(found.met(), (8, 8));
}

#[test]
fn a_program_that_reads_characters_is_covered() {
    let found = answers("main_getchar.c", &[]).remove(0);
    assert_eq!(found.met(), (10, 10));
    let digits = |input: &[u64]| {
        let text = input.iter().map(|byte| byte & 0xff).take_while(|byte| *byte != 0);
        text.filter(|byte| (48..=57).contains(byte)).count()
    };
    assert!(found.inputs().iter().any(|input| digits(input) > 3), "{found:?}");
}
