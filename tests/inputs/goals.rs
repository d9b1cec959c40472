//! Boundary values and satisfiability: sections 4.4.2 and 4.4.3 of the paper on Mathematical Execution, and
//! functions of our own.

use crate::answer::{Answer, answer, answers, double, float, int, unsigned};

/// Whether some input has a cell that satisfies `is`.
fn some(found: &Answer, is: impl Fn(&[u64]) -> bool) -> bool {
    found.inputs().iter().any(|input| is(input))
}

/// The function of figures 4 and 5: the operands of its two comparisons.
pub fn foo(x: f64) -> [(f64, f64); 2] {
    let after = if x <= 1.0 { x + 1.0 } else { x };
    [(x, 1.0), (after * after, 4.0)]
}

#[test]
#[expect(clippy::float_cmp, reason = "a boundary is equality")]
fn the_boundaries_of_the_paper_are_found() {
    let found = answer("boundary.c", "FOO", &["--goal", "boundary"]);
    assert_eq!(found.met(), (2, 2));
    for condition in 0..2 {
        let equal = |input: &[u64]| {
            let (left, right) = foo(double(input[0]))[condition];
            left == right
        };
        assert!(some(&found, equal), "{found:?}");
    }
    // The paper's solutions are -3, 1 and 2; 1 - 2^-53 rounds to 2 as 1 does.
    let solutions = [-3.0, 1.0, 2.0, 1.0 - f64::EPSILON / 2.0];
    assert!(found.inputs().iter().all(|input| solutions.contains(&double(input[0]))), "{found:?}");
}

#[test]
#[expect(clippy::float_cmp, reason = "a boundary is equality")]
fn boundaries_are_found_or_reported_as_infeasible() {
    let all = answers("boundary.c", &["--goal", "boundary"]);
    let named = |name: &str| all.iter().find(|answer| answer.entry() == name).unwrap();
    let integers = named("integers");
    assert_eq!(integers.met(), (3, 3));
    for value in [100, -7, 12_345_678] {
        assert!(some(integers, |input| int(input[0]) == value), "{value}");
    }
    let never = named("never");
    assert_eq!(never.infeasible(), ["boundary of x * x + 1.0 > 0.5", "boundary of 2 * n == 7"]);
    assert!(some(never, |input| int(input[1]).wrapping_mul(2) == 8));
    let naturals = named("naturals");
    assert_eq!(naturals.infeasible(), ["boundary of (u | 1u) > 0u"]);
    assert!(some(naturals, |input| unsigned(input[0]) == 0));
    assert!(some(naturals, |input| unsigned(input[0]) == 4));
    let floats = named("floats");
    assert_eq!(floats.infeasible(), ["boundary of f > 0.1"]);
    assert!(some(floats, |input| float(input[0]) == 0.1_f32));
    let behind = named("behind");
    assert!(some(behind, |input| double(input[0]) == 1000.0));
    assert!(some(behind, |input| double(input[0]) > 1000.0 && double(input[1]) == 2.0 * double(input[0])));
    let both = named("both");
    assert!(some(both, |input| int(input[0]) == 5));
    assert!(some(both, |input| int(input[0]) < 5 && input[0] == input[1]));
    let pointer = named("pointer");
    assert!(some(pointer, |input| input[1] == 1), "null");
    assert!(some(pointer, |input| input[1] == 0 && int(input[0]) == 4096));
    let bytes = named("bytes");
    assert_eq!(bytes.infeasible(), ["boundary of c > 256"]);
    assert!(some(bytes, |input| input[0] & 0xff == 255) && some(bytes, |input| input[1] & 0xff == 0x80));
    let truth = named("truth");
    assert_eq!(truth.met(), (2, 2));
    assert!(some(truth, |input| int(input[0]) == 0) && some(truth, |input| double(input[1]) == 0.0));
}

/// Whether the C function of this name returns true.
#[expect(clippy::float_cmp, reason = "the C functions compare floats too")]
fn holds(name: &str, cells: &[u64]) -> bool {
    let x = double(cells[0]);
    let a = int(cells[0]);
    let wide = i64::from(a);
    let cell = |at: usize| double(cells[at]);
    match name {
        "paper" => 2_f64.powf(x) <= 5.0 && x * x >= 5.0 && x >= 0.0,
        "linear" => 3 * wide + 5 * i64::from(int(cells[1])) == 1 && a > 100 && int(cells[1]) > -1000,
        "system2" => x + cell(1) == 10.0 && x * cell(1) == 21.0,
        "huge_step" => x + 1.0 == x && x > 0.0,
        "wave" => x.sin() > 0.9999 && x > 100.0 && x < 110.0,
        "tangent" => x.exp() == x + 1.0,
        "cubic" => (x * x * x - 2.0 * x - 5.0).abs() < 1e-9,
        "either" => x == 2.25,
        "neither" => x == 10.0,
        "field" => unsigned(cells[0]) & 0xff == 0xab && unsigned(cells[0]) >> 24 == 0x12,
        "remainders" => a % 97 == 13 && a % 101 == 55 && a > 0,
        "negative" => float(cells[0]) == -1.5,
        "through_if" => a == 123_456 && int(cells[1]) == 61_728,
        "product" => a == 98_765_432 && int(cells[1]) == -555_555,
        "arms" => x == 2.5 || x == -1.0e10,
        "large" => cells[0] == 9_000_000 * 1_000_003 + 999,
        "wide" => x > 1.0e300,
        "four" => x < cell(1) && cell(1) < cell(2) && cell(2) < cell(3) && cell(3) < x + 1e-3,
        _ => false,
    }
}

#[test]
fn satisfiable_functions_are_satisfied_and_others_reported_as_infeasible() {
    let all = answers("satisfied.c", &["--goal", "true"]);
    let (never, sometimes): (Vec<_>, Vec<_>) =
        all.iter().partition(|answer| answer.entry().starts_with("no_"));
    assert_eq!((sometimes.len(), never.len()), (18, 9));
    for found in never {
        assert_eq!(found.met(), (0, 1), "{}", found.entry());
        assert_eq!(found.infeasible(), ["the result is not 0"], "{}", found.entry());
        assert_eq!(found.inputs().len(), 0, "{}", found.entry());
    }
    for found in sometimes {
        assert_eq!(found.met(), (1, 1), "{}", found.entry());
        assert!(holds(found.entry(), &found.input()), "{found:?}");
    }
}

#[test]
fn the_solution_of_the_papers_example_is_in_its_interval() {
    let found = answer("satisfied.c", "paper", &["--goal", "true", "--seed", "3"]);
    let x = double(found.input()[0]);
    assert!((5_f64.sqrt() - 1e-9..=5_f64.log2() + 1e-9).contains(&x), "{x}");
}
