//! Whole programs that read numbers from their arguments or their standard input.

use crate::answer::{answer, answers, double, int, said};

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

#[test]
fn a_program_can_be_named_main() {
    let found = answer("main_counts.c", "main", &[]);
    assert_eq!(found.met(), (10, 10));
    assert!(found.inputs().iter().any(|input| input[0] % 4 == 3 && int(input[1]) == 77), "{found:?}");
    let scanned = |input: &&Vec<u64>| input[5] == 0xbeef && int(input[6]) == -5;
    assert!(found.inputs().iter().any(|input| scanned(&input)), "{found:?}");
}

#[test]
fn a_function_of_a_program_is_replayed_without_its_main() {
    let found = answer("main_counts.c", "twice", &["--seed", "5"]);
    assert_eq!(found.met(), (2, 2));
    assert_eq!(found.0["coverage"]["branches"]["covered"], 2);
    assert_eq!((found.0["method"].as_str(), found.0["seed"].as_u64()), (Some("recount"), Some(5)));
    assert!(found.0["file"].as_str().unwrap().ends_with("main_counts.c"));
}

#[test]
fn hexadecimal_lines_of_several_functions_have_headings() {
    let said = said("main_counts.c", &["--entry", "main", "--entry", "twice", "--format", "hex"]).out;
    let heads: Vec<&str> = said.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(heads, ["# main", "# twice"]);
}
