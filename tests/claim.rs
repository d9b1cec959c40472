//! `recount claim`: its answer and its exit code, for programs whose right counts can be worked out by hand.

mod support;

use support::{Said, Temp};

/// `work` is called twice, and each time `left` goes from 3 to 1 with two jumps back, so the label on line 7 is reached
/// 4 times. gcov reports 0.
const LABEL: &str = include_str!("../configs/known/label_behind_jump.c");

/// The statement after the inner loop on line 6 runs in each of 4 iterations; clang before 20 reports 0 on line 11.
const DO_BREAK: &str = include_str!("../configs/known/do_break.c");

/// The loop on line 5 starts once; gcov reports the 4 jumps back.
const ENDLESS: &str = "\
#include <stdio.h>
int main(void)
{
    int n = 0;
    for (;;) {
        int i, m = 0;
        for (i = 0; i < 3; i++)
            if (m < i)
                m = i;
        if (m == 2 && n++ > 3)
            break;
    }
    printf(\"%d\\n\", n);
    return 0;
}
";

/// `setjmp` returns once and then twice more. clang 14 takes it for one return: the region of `puts` on line 10 has the
/// count 1 - 2, and the second `if` on line 11 the count 1, although it runs 3 times.
const SECOND_RETURN: &str = include_str!("data/second_return.c");

fn claim(program: &str, line: &str, expect: &str, profiler: &str) -> Said {
    claim_of("line", program, line, expect, profiler)
}

/// A claim about another metric than the count of the line.
fn claim_of(metric: &str, program: &str, line: &str, expect: &str, profiler: &str) -> Said {
    let temp = Temp::new();
    temp.write("p.c", program);
    let claim = ["claim", "p.c", "--line", line, "--expect", expect, "--profiler", profiler];
    let metric: &[&str] = if metric == "line" { &[] } else { &["--metric", metric] };
    let said = temp.recount(&[&claim[..], metric].concat());
    assert!(!temp.at("reports").exists(), "a claim writes no files");
    Said::from(said)
}

/// Fails unless the output has this exit code, this row for the profiler, and all of `words`.
#[track_caller]
fn answered(said: &Said, code: i32, row: &[&str], words: &[&str]) {
    let all = format!("exit {}\n{}{}", said.code, said.out, said.err);
    assert_eq!((said.code, said.err.as_str()), (code, ""), "{all}");
    let of_compiler = |line: &&str| line.starts_with(row[0]);
    let found = said.out.lines().find(of_compiler).unwrap_or_else(|| panic!("no row of {}\n{all}", row[0]));
    let cells: Vec<&str> = found.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    assert_eq!(cells, row, "{all}");
    for word in words {
        assert!(said.out.contains(word), "no {word:?} in: {all}");
    }
}

#[test]
fn a_wrong_count_is_confirmed() {
    let said = claim(LABEL, "7", "4", "gcc-12");
    let known = [
        "p.c:7\n",
        "same mechanism as block-on-last-line ",
        "`recount reduce p.c --line 7 --profiler gcc-12`",
    ];
    answered(&said, 0, &["gcc-12", "0", "4", "wrong, as claimed (missing)"], &known);
    let said = claim(DO_BREAK, "11", "4", "clang-14");
    answered(
        &said,
        0,
        &["clang-14", "0", "4", "wrong, as claimed (missing)"],
        &["same mechanism as gap-counter "],
    );
}

#[test]
fn a_wrong_count_with_a_claim_that_is_wrong_too() {
    // 5, the reported count, and none.
    for expect in ["5", "0", "-"] {
        let said = claim(LABEL, "7", expect, "gcc-12");
        answered(
            &said,
            5,
            &["gcc-12", "0", "4", "wrong, but the claimed count is wrong too (missing)"],
            &["block-on-last-line"],
        );
        assert!(!said.out.contains("recount reduce"), "{}", said.out);
    }
}

#[test]
fn intended_behaviour_is_named_with_the_bug_report_that_says_so() {
    let words = [
        "the jumps back of a loop without a condition",
        "reported as https://gcc.gnu.org/bugzilla/show_bug.cgi?id=106090",
    ];
    answered(
        &claim(ENDLESS, "5", "1", "gcc-12"),
        5,
        &["gcc-12", "4", "1", "intended behaviour (endless-loop)"],
        &words,
    );
}

#[test]
fn a_right_count_is_not_affected_and_a_different_claim_is_wrong() {
    answered(&claim(LABEL, "8", "4", "gcc-12"), 5, &["gcc-12", "4", "4", "not affected: reports 4"], &[]);
    answered(&claim(LABEL, "8", "5", "gcc-12"), 5, &["gcc-12", "4", "4", "right; the claim is wrong"], &[]);
    // gcov gives `{` no count.
    let none = claim(LABEL, "3", "-", "gcc-12");
    answered(&none, 5, &["gcc-12", "none", "2", "not affected: reports none"], &[]);
    let some = claim(LABEL, "3", "2", "gcc-12");
    answered(&some, 5, &["gcc-12", "none", "2", "not affected: the line has no count, and needs none"], &[]);
    // Another compiler's count of the label is right.
    answered(&claim(LABEL, "7", "4", "clang-14"), 5, &["clang-14", "4", "4", "not affected: reports 4"], &[]);
}

/// Each use of a macro that is a value has a region with the count of the code there, and of no code around it.
#[test]
fn the_line_of_a_value_has_one_right_count() {
    let program = "#define SIZE 6\nint main(void)\n{\n    int sum = 0;\n    for (int i = 0; i < SIZE; i++)\n        sum += i;\n    \
                   return sum > SIZE ? 0 : 1;\n}\n";
    let row = &["clang-14", "8", "8", "right; the claim is wrong"];
    answered(&claim(program, "1", "7", "clang-14"), 5, row, &[]);
}

#[test]
fn a_count_that_fell_below_zero_is_shown_as_such() {
    let said = claim(SECOND_RETURN, "10", "1", "clang-14");
    answered(&said, 0, &["clang-14", "-1 (wrapped)", "1", "wrong, as claimed (frequency)"], &[]);
}

#[test]
#[ignore = "long"]
fn a_claim_may_be_about_a_region_a_branch_or_a_function() {
    let clang = |metric, line, expect| claim_of(metric, SECOND_RETURN, line, expect, "clang-14");
    let gcc = |metric, line, expect| claim_of(metric, SECOND_RETURN, line, expect, "gcc-12");
    let right = "wrong, as claimed (frequency)";
    let row = ["clang-14", "-1 (wrapped)", "1", right];
    answered(&clang("region", "10", "1"), 0, &row, &["p.c:10, region\n", "column 9 to 10:22, code"]);
    let row = ["clang-14", "-1 (wrapped)", "1", "wrong, but the claimed count is wrong too (frequency)"];
    answered(&clang("region", "10", "2"), 5, &row, &[]);
    let row = ["clang-14", "2", "2", "not affected: reports 2"];
    answered(&clang("region", "8", "2"), 5, &["clang-14", "2, -1 (wrapped)", "2, 1", row[3]], &[]);
    answered(&clang("branch", "11", "1"), 0, &["clang-14", "2, -1 (wrapped)", "2, 1", right], &["false"]);
    answered(
        &gcc("branch", "11", "1"),
        5,
        &[
            "gcc-12",
            "2, 1",
            "2, 1",
            "not affected: reports 1, and the other counts of the line are right too",
        ],
        &[],
    );
    answered(&gcc("branch", "11", "7"), 5, &["gcc-12", "2, 1", "2, 1", "right; the claim is wrong"], &[]);
    // The head is on line 5; llvm-cov's function begins at its brace.
    answered(&gcc("function", "5", "1"), 5, &["gcc-12", "1", "1", "not affected: reports 1"], &[]);
    answered(&clang("function", "5", "1"), 5, &["clang-14", "1", "1", "not affected: reports 1"], &[]);
    answered(&clang("function", "5", "2"), 5, &["clang-14", "1", "1", "right; the claim is wrong"], &[]);
    let none = "not affected: no branch with a count begins on the line";
    answered(&gcc("branch", "13", "1"), 5, &["gcc-12", "none", none], &[]);
}

#[test]
fn a_branch_in_code_that_is_never_evaluated_should_not_be_there() {
    let text = "#include <stdio.h>\nint main(void)\n{\n  int n = 0;\n  n += sizeof(n > 1 ? 1 : 2);\n  printf(\"%d\\n\", n);\n  \
                return 0;\n}\n";
    for expect in ["-", "0"] {
        let said = claim_of("branch", text, "5", expect, "clang-14");
        answered(&said, 0, &["clang-14", "0, 1", "0, 0", "wrong, as claimed (spurious)"], &[]);
    }
}

#[test]
fn metrics_that_are_not_checked_are_named() {
    let said = claim_of("region", LABEL, "7", "4", "gcc-12");
    answered(&said, 2, &["gcc-12", "none", "not checked (gcov reports no regions)"], &[]);
    for (metric, name) in [("condition", "conditions"), ("mcdc", "conditions"), ("path", "paths")] {
        let said = claim_of(metric, LABEL, "7", "4", "gcc-12");
        let answer = format!("not checked (gcc-12 does not count {name})");
        answered(&said, 2, &["gcc-12", "none", &answer], &[]);
    }
}

#[test]
fn one_compiler_that_is_wrong_is_enough() {
    let temp = Temp::new();
    temp.write("p.c", LABEL);
    let both = ["--profiler", "gcc-12", "--profiler", "clang-14"];
    let said =
        Said::from(temp.recount(&[&["claim", "p.c", "--line", "7", "--expect", "4"][..], &both].concat()));
    answered(&said, 0, &["gcc-12", "0", "4", "wrong, as claimed (missing)"], &[]);
    answered(&said, 0, &["clang-14", "4", "4", "not affected: reports 4"], &["--profiler gcc-12`"]);
}

/// [`LABEL`] with an overflow in it.
fn undefined() -> String {
    LABEL.replace("printf(", "int most = 2147483647;\n  most++;\n  printf(")
}

#[test]
fn undefined_behaviour_is_not_the_profilers_fault() {
    let said = claim(&undefined(), "7", "4", "gcc-12");
    let row = ["gcc-12", "0", "4", "unstable (undefined-behaviour)"];
    answered(&said, 5, &row, &["the program has undefined behaviour"]);
}

/// The value of `other` decides the value of the condition and nothing that is counted.
const UNINITIALISED: &str = "\
static int negative(int x)
{
    return -x;
}

static int less(int x, int y)
{
    return x - y;
}

int main(void)
{
    int unset, other, one = 1;
    int y = negative(one && less(1,
                                 negative(negative(unset) < other)));
    return y > 1;
}
";

#[test]
fn a_count_that_does_not_depend_on_unset_variables_is_wrong_all_the_same() {
    let said = claim(UNINITIALISED, "14", "1", "gcc-12");
    let row = ["gcc-12", "2", "1", "wrong, as claimed (frequency; with -ftrivial-auto-var-init=pattern)"];
    answered(&said, 0, &row, &["same mechanism as return-to-line", "It has the same counts with"]);
    let right = claim(UNINITIALISED, "13", "2", "gcc-12");
    answered(&right, 5, &["gcc-12", "1", "1", "right; the claim is wrong"], &[]);
}

/// Whether behaviour is defined does not depend on the compiler, and the newest version detects most of it.
#[test]
fn the_newest_version_checks_undefined_behaviour_for_its_family() {
    let temp = Temp::new();
    temp.write("p.c", undefined());
    let log = temp.at("log");
    let compiler = |major: u32, if_sanitized: &str| {
        let version = format!("--version) echo 'gcc (made up) {major}.1.0'; exit;;");
        let sanitized = format!("*fsanitize=address*) echo {major} >>{log}; {if_sanitized};;");
        temp.script(
            &format!("bin/gcov-{major}"),
            &format!("case \"$*\" in {version} esac; exec gcov-12 \"$@\""),
        );
        let text = format!("case \"$*\" in {version} {sanitized} esac; exec gcc-12 \"$@\"");
        temp.script(&format!("bin/gcc-{major}"), &text)
    };
    let (old, new) = (compiler(12, ":"), compiler(13, ":"));
    let both = [
        "claim",
        "p.c",
        "--line",
        "7",
        "--expect",
        "4",
        "--profiler",
        old.as_str(),
        "--profiler",
        new.as_str(),
    ];
    let said = Said::from(temp.recount(&both));
    for name in ["gcc-12", "gcc-13"] {
        answered(&said, 5, &[name, "0", "4", "unstable (undefined-behaviour)"], &[]);
    }
    // Once the program, and once that with all variables set.
    assert_eq!(fs_err::read_to_string(&log).unwrap(), "13\n13\n", "one version checks it");
    // If the newest version has no sanitizers, the machine's own compiler checks it.
    compiler(13, "exit 1");
    let said = Said::from(temp.recount(&both));
    for name in ["gcc-12", "gcc-13"] {
        answered(&said, 5, &[name, "0", "4", "unstable (undefined-behaviour)"], &[]);
    }
}

#[test]
fn a_program_that_does_not_compile_is_not_checked() {
    let said = claim("int main(void)\n{\n    return x;\n}\n", "3", "1", "gcc-12");
    assert_eq!((said.code, said.err.as_str()), (2, ""), "{}", said.out);
    let row = said.out.lines().find(|line| line.starts_with("gcc-12")).expect("a row");
    for word in ["none", "not checked (does not compile: ", "'x' undeclared"] {
        assert!(row.contains(word), "no {word}: {row}");
    }
}

/// Both profilers write the profile when the program exits, and say so.
#[test]
fn a_program_that_ends_without_a_profile_shows_no_fault() {
    for (ends, reason) in [
        ("__builtin_abort();", "intended behaviour (died by a signal: signal 6"),
        ("_exit(0);", "intended behaviour (left no profile: "),
    ] {
        let program = format!("#include <unistd.h>\nint main(void)\n{{\n    {ends}\n}}\n");
        let said = claim(&program, "4", "1", "gcc-12");
        assert_eq!(said.code, 5, "{}", said.out);
        assert!(said.out.contains(reason), "{}", said.out);
    }
}

#[test]
fn gcov_is_not_accused_of_what_it_says_of_an_optimised_program() {
    let temp = Temp::new();
    temp.write("p.c", LABEL);
    temp.write("p.toml", "flags = [\"-O2\"]\n");
    let args = ["claim", "p.c", "--line", "7", "--expect", "4", "--profiler", "gcc-12"];
    let said = Said::from(temp.recount(&args));
    assert_eq!(said.code, 5, "{}", said.out);
    assert!(said.out.contains("intended behaviour (not supported: optimisation changes"), "{}", said.out);
}

/// Fails unless the exit code is 2, standard output is empty, and standard error is one sentence with all of `words`.
#[track_caller]
fn refused(said: &Said, words: &[&str]) {
    let all = format!("exit {}\n{}{}", said.code, said.out, said.err);
    assert_eq!((said.code, said.out.as_str()), (2, ""), "{all}");
    let first = said.err.lines().next().expect("a sentence");
    assert!(first.starts_with("recount: ") || first.starts_with("error: "), "{all}");
    for word in words {
        assert!(first.contains(word), "no {word:?} in: {all}");
    }
}

#[test]
fn an_invalid_claim_is_refused() {
    for line in ["20", "0", "4000000000"] {
        let place = format!("p.c:{line}: ");
        refused(&claim(LABEL, line, "4", "gcc-12"), &[&place, "no such line", "the file has 19 lines"]);
    }
    for count in ["x", "-1", "4.5", "", "99999999999999999999"] {
        refused(&claim(LABEL, "7", count, "gcc-12"), &["--expect", "expected a count, or -"]);
    }
    refused(&claim(LABEL, "-7", "4", "gcc-12"), &["-7"]);
    refused(&claim(LABEL, "seven", "4", "gcc-12"), &["'seven'", "--line"]);
    let temp = Temp::new();
    let missing = Said::from(temp.recount(&["claim", "no_such.c", "--line", "1", "--expect", "1"]));
    refused(&missing, &["no_such.c", "no such program or folder"]);
    temp.write("p.c", LABEL);
    refused(&Said::from(temp.recount(&["claim", "p.c", "--line", "7"])), &["required arguments"]);
    temp.write("folder/p.c", LABEL);
    refused(
        &Said::from(temp.recount(&["claim", "folder", "--line", "7", "--expect", "4"])),
        &["folder: a folder"],
    );
}

#[test]
fn a_claim_about_a_compiler_that_is_not_installed() {
    let said = claim(LABEL, "7", "4", "gcc-99");
    assert!([2, 3].contains(&said.code) && said.out.is_empty(), "{} {}", said.code, said.out);
    assert!(said.err.starts_with("recount: ") && said.err.contains("gcc-99"), "{}", said.err);
}
