//! Defects that users reported; each test checks the fix.

use crate::answer::{answer, answers, int, said};

#[test]
fn minus_zero_is_not_true() {
    let found = answer("open.c", "no_sign", &["--goal", "true"]);
    assert_eq!((found.met(), found.infeasible()), ((0, 1), vec!["the result is not 0"]));
}

#[test]
fn a_function_without_a_condition_gets_an_input() {
    let found = answer("open.c", "straight", &[]);
    assert_eq!(found.inputs().len(), 1, "{found:?}");
}

#[test]
fn a_bit_field_may_occur_in_a_chain() {
    let found = answer("open.c", "chained", &[]);
    assert_eq!((found.met(), found.infeasible()), ((4, 4), vec![]));
}

#[test]
fn a_flag_in_a_variable_guides_the_search() {
    let found = answer("open.c", "kept", &["--goal", "true"]);
    assert_eq!(found.met(), (1, 1), "{found:?}");
    assert_eq!(found.input().into_iter().map(int).collect::<Vec<_>>(), [50_021, 70_001]);
}

#[test]
fn a_right_triangle_is_found() {
    let found = answer("open.c", "triangle", &["--goal", "true", "--budget", "20000000"]);
    assert_eq!(found.met(), (1, 1), "{found:?}");
    let sides: Vec<i64> = found.input().into_iter().map(|bits| int(bits).into()).collect();
    assert!(sides[0] > 0 && sides[0] < sides[1] && sides[1] < sides[2] && sides[2] < 1000, "{sides:?}");
    assert_eq!(sides[0] * sides[0] + sides[1] * sides[1], sides[2] * sides[2]);
}

#[test]
fn a_condition_from_a_macro_has_a_readable_name() {
    let found = answer("open.c", "macro", &[]);
    let list = said("open.c", &["--entry", "macro", "--list"]).out;
    assert!(list.contains("macro") && !list.contains("open.c\""), "{found:?} {list}");
}

#[test]
fn the_list_numbers_conditions_as_a_path_does() {
    let list = said("callees.c", &["--entry", "outer", "--callees", "--list"]).out;
    let row = list.lines().find(|line| line.contains("x == 4242")).unwrap_or_else(|| panic!("{list}"));
    let number = row.split_whitespace().next().unwrap();
    let found = answer("callees.c", "outer", &["--callees", "--goal", &format!("path={number}T")]);
    assert_eq!(int(found.input()[0]), 2121);
}

#[test]
fn strings_of_the_source_are_tried() {
    for entry in ["hello", "compared"] {
        let found = answer("open.c", entry, &[]);
        assert_eq!(found.infeasible(), [""; 0], "{entry}");
    }
}

#[test]
fn standard_input_may_end_early() {
    let found = answers("main_loop.c", &[]).remove(0);
    assert_eq!(found.infeasible(), [""; 0]);
    let found = answers("main_scanf.c", &[]).remove(0);
    assert_eq!(found.infeasible(), [""; 0]);
}
