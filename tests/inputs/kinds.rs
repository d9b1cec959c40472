//! Every kind of parameter, state that outlives a call, and parameters that recount cannot build from numbers.

use crate::answer::{answer, answers, int, said};

#[test]
fn all_branches_of_functions_of_every_kind_are_met() {
    let all = answers("kinds.c", &[]);
    assert_eq!(all.len(), 22);
    for found in all {
        let (met, targets) = found.met();
        assert!(targets >= 2 && met == targets, "{}: {:?}", found.entry(), found.infeasible());
        assert_eq!(found.faults().len(), 0, "{}", found.entry());
    }
}

#[test]
fn the_inputs_have_the_values_in_the_source() {
    let all = answers("kinds.c", &["--seed", "5"]);
    let has = |entry: &str, is: &dyn Fn(&[u64]) -> bool| {
        let found = all.iter().find(|answer| answer.entry() == entry).unwrap();
        assert!(found.inputs().iter().any(|input| is(input)), "{entry}: {:?}", found.inputs());
    };
    has("an_int", &|x| int(x[0]) == -123_456_789);
    has("an_unsigned", &|x| x[0] & 0xffff_ffff == 4_000_000_000);
    has("a_long_long", &|x| x[0].cast_signed() == -9_000_000_000_000_000_001);
    has("a_byte", &|x| x[0] & 0xff == 200);
    has("a_char", &|x| x[0] & 0xff == u64::from(b'q'));
    has("a_short", &|x| x[0] & 0xffff == 0x8000);
    has("a_float", &|x| x[0] & 0xffff_ffff == u64::from(0.1_f32.to_bits()));
    has("a_range", &|x| (1000..2000).contains(&int(x[0])));
    has("a_range", &|x| (-5..=-3).contains(&int(x[0])));
    has("a_pointer", &|x| int(x[0]) == 424_242 && x[1] == 0);
    has("a_pointer", &|x| x[1] == 1);
    has("three", &|x| [0, 1, 2].map(|at| int(x[at])) == [11, 22, 33]);
    has("letters", &|x| x[..6].iter().map(|byte| byte & 0xff).eq(b"hello\0".iter().copied().map(u64::from)));
    has("by_value", &|x| int(x[0]) == 17 && x[1] == 2.5_f64.to_bits());
    has("hidden", &|x| int(x[0]) < 0 && x[1] > 1 << 63);
}

#[test]
fn state_never_survives_a_call() {
    let all = answers("state.c", &[]);
    let infeasible = |name: &str| all.iter().find(|answer| answer.entry() == name).unwrap().infeasible();
    assert_eq!(infeasible("calls"), ["calls > 1 is true"]);
    assert_eq!(infeasible("sum"), ["total == 43 is true"]);
    assert_eq!(infeasible("written"), ["table[i] == 99 is true"]);
    // malloc does not fail.
    assert_eq!(infeasible("remembered"), ["kept is true", "kept is false"]);
    let errno = infeasible("number");
    assert!(matches!(errno[..], [name] if name.ends_with("!= 0 is true")), "{errno:?}");
}

#[test]
fn conditions_of_callees_count_if_requested() {
    let alone = answer("callees.c", "outer", &[]);
    assert_eq!(alone.met(), (2, 2));
    let all = answer("callees.c", "outer", &["--callees"]);
    assert!(all.inputs().iter().any(|input| int(input[0]) == 2121), "{all:?}");
    // Functions that the entry does not call are left out.
    assert_eq!((all.met(), all.infeasible()), ((4, 4), vec![]));
}

#[test]
fn an_unsupported_parameter_is_named() {
    let parameters = [
        ("a_union", "union either e"),
        ("unnamed", "*shape"),
        ("complex", "_Complex double z"),
        ("callback", "int (*call)(int)"),
        ("untyped", "void *memory"),
        ("words", "char **list"),
        ("variadic", "..."),
        ("wide", "__int128 huge"),
    ];
    for (entry, parameter) in parameters {
        let asked = said("unsupported.c", &["--entry", entry]);
        assert_eq!((asked.code, asked.out.as_str()), (2, ""), "{entry}");
        assert!(asked.err.contains(parameter) && asked.err.lines().count() == 1, "{entry}: {}", asked.err);
        assert!(
            asked.err.contains("unsupported.c:") && asked.err.contains("recount can pass"),
            "{}",
            asked.err
        );
    }
    let unknown = said("unsupported.c", &["--entry", "no_such_function"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("no_such_function"), "{}", unknown.err);
}
