//! Path reachability: section 4.4.1 of the paper on Mathematical Execution, and our own paths through loops, chains and
//! switches.

use crate::answer::{answer, double, float, int, said, unsigned};
use crate::goals::foo;

/// A path that can be taken, and whether an input takes it.
struct Feasible {
    entry: &'static str,
    path: &'static str,
    takes: fn(&[u64]) -> bool,
}

const fn feasible(entry: &'static str, path: &'static str, takes: fn(&[u64]) -> bool) -> Feasible {
    Feasible { entry, path, takes }
}

#[expect(clippy::float_cmp, reason = "the C functions compare floats too")]
fn squares(x: f64) -> bool {
    let [_, (square, four)] = foo(x);
    square == four
}

/// The first ones are of figure 4.
#[expect(clippy::float_cmp, reason = "the C functions compare floats too")]
const FEASIBLE: [Feasible; 23] = [
    feasible("FOO", "1T,2T", |x| double(x[0]) <= 1.0 && squares(double(x[0]))),
    feasible("FOO", "1F,2T", |x| double(x[0]) == 2.0),
    // NaN is not at most 1 either, and its square is not 4.
    feasible("FOO", "1F,2F", |x| (double(x[0]) > 1.0 || double(x[0]).is_nan()) && !squares(double(x[0]))),
    feasible("count", "1T,1T,1T,1F", |x| int(x[0]) == 3),
    feasible("count", "1F", |x| int(x[0]) <= 0),
    feasible("collatz", "1T,2T,1T,2F,1T,2F,1T,2F,1T,2F,1F", |x| int(x[0]) == 5),
    feasible("collatz", "1T,2F,1T,2F,1F", |x| int(x[0]) == 4),
    feasible("chain", "1T,2F,3T", |x| int(x[0]) > 10 && int(x[1]) >= -5 && int(x[2]) == 77),
    feasible("chain", "1F,3F", |x| int(x[0]) <= 10 && int(x[2]) != 77),
    feasible("apart", "1F,2F", |x| (5..=10).contains(&int(x[0]))),
    feasible("around", "1T", |x| int(x[0]) == 3 && double(x[1]) == 7.5),
    feasible("around", "2T", |x| int(x[0]) == 70 && double(x[1]) < -100.0),
    feasible("around", "1F,3F", |x| int(x[0]) == 3 && (double(x[1]) <= 0.0 || double(x[1]).is_nan())),
    feasible("nested", "1T,2T,2T,2F,1T,2T,2T,2F,1F", |x| int(x[0]) == 2 && int(x[1]) == 2),
    feasible("sorted", "1F,2F,3T", |x| {
        let [a, b, c] = [0, 1, 2].map(|at| int(x[at]));
        a >= b && b >= c && a.wrapping_sub(c) == 1000
    }),
    feasible("halves", "1T,1T,1T,1T,1T,1F", |x| double(x[0]) > 16.0 && double(x[0]) <= 32.0),
    feasible("wraps", "1T,2T", |x| unsigned(x[0]) >= u32::MAX - 9 && unsigned(x[0]).is_multiple_of(2)),
    feasible("sevens", "1T,1T,1F", |x| (15..=21).contains(&int(x[0]))),
    feasible("leaves", "2F,3F,2F,3F,2F,3F,2F,3T", |x| int(x[0]) >= 9 && float(x[1]) == 3.25),
    feasible("leaves", "2F,3F,2F,3F,2T", |x| (3..=5).contains(&int(x[0]))),
    feasible("jumps", "1F,2T,1F,2F", |x| x[0].cast_signed() > 0 && x[0] != 1_000_000_007),
    feasible("jumps", "1T", |x| x[0] == 1_000_000_007),
    feasible("twice", "2T,2T", |x| x[0] & 0xffff == 321 && x[1] & 0xffff == 321),
];

/// Paths that no input takes.
const INFEASIBLE: [(&str, &str); 8] = [
    // One number is not both above 10 and below 5.
    ("apart", "1T,2T"),
    // The second condition's turn does not come.
    ("chain", "1F,2T"),
    // The function returns between the two.
    ("around", "2T,3T"),
    // No square has the remainder 3 by 4.
    ("root", "1T"),
    // What was positive and is negated does not become positive.
    ("jumps", "1F,2T,1T"),
    // A loop that has ended does not continue.
    ("count", "1F,1T"),
    // Two iterations are all there are.
    ("twice", "1T,1T,1T"),
    // A leading condition that is met on the first visit cannot be asked for otherwise.
    ("leaves", "1F,2T"),
];

#[test]
fn paths_are_taken() {
    for Feasible { entry, path, takes } in FEASIBLE {
        let found = answer("path.c", entry, &["--goal", &format!("path={path}")]);
        assert_eq!(found.met(), (1, 1), "{entry} {path}");
        assert!(takes(&found.input()), "{entry} {path}: {:?}", found.0["inputs"]);
        assert_eq!(found.infeasible(), [""; 0], "{entry} {path}");
    }
}

#[test]
fn infeasible_paths_are_reported() {
    for (entry, path) in INFEASIBLE {
        let found = answer("path.c", entry, &["--goal", &format!("path={path}"), "--for", "4s"]);
        assert_eq!(found.met(), (0, 1), "{entry} {path}");
        assert_eq!(found.infeasible(), [format!("path {path}")], "{entry} {path}");
        assert_eq!(found.inputs().len(), 0, "{entry} {path}");
    }
}

#[test]
fn an_invalid_path_is_explained_in_one_sentence() {
    for (path, why) in
        [("9T", "names condition 9, and the function has 2"), ("1X", "`1X` in a path"), ("", "in a path")]
    {
        let said = said("path.c", &["--entry", "FOO", "--goal", &format!("path={path}")]);
        assert_eq!(said.code, 2, "{path}");
        assert!(said.err.contains(why) && !said.err.contains("Exited"), "{path}: {}", said.err);
    }
}
