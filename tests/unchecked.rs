//! What was not checked, at the end of every report; `--require-checked`; and programs that are refused.

#[path = "support/fake.rs"]
mod profiler;
mod support;
#[path = "support/town.rs"]
mod town;

use recount::journal::JobRecord;
use recount::model::{Outcome, RelationName};
use recount::report::Unchecked;
use serde_json::Value;
use support::{PLAIN, Said, Temp};
use town::{Town, program};

fn said(temp: &Temp, args: &[&str]) -> Said {
    Said::from(temp.recount(args))
}

/// The last lines of `out`, which say what was not checked.
fn ending(out: &str) -> Vec<&str> {
    let lines: Vec<&str> = out.lines().filter(|line| line.starts_with("Not checked: ")).collect();
    assert!(lines.len() <= 6, "{out}");
    lines
}

/// gcc accepts the declaration of a parameter before its use, but the parser does not.
const UNPARSED: &str = "\
static int first(int n; int a[n], int n)
{
    return n > 0 ? a[0] : 0;
}
int main(void)
{
    int a[1] = {0};
    return first(a, 1);
}
";

const WITH_HEADER: &str = "\
#include \"own.h\"
int main(void)
{
    return twice(0);
}
";

const OWN_HEADER: &str = "\
static int twice(int x)
{
    x += x;
    return x;
}
";

#[test]
fn a_record_has_the_numbers_of_counts_and_why_they_have_no_ground_truth() {
    // A fake profiler has no compiler.
    let mut town = Town::new(&[("p", &program(3, "1", &[])), ("q", &program(3, "1", &["hang"]))]);
    town.settings.relations = vec![RelationName::Truth];
    let records = town.records("run");
    let checked = records[0].checked.as_ref().expect("it was profiled");
    assert_eq!((checked.counts, checked.with_truth, checked.lacks_input), (8, 0, false));
    assert_eq!(records[1].checked, None);
    let expected = [
        "Not checked: 8 of 8 line counts (100.0 %): in programs without ground truth (8).",
        "Not checked: 1 program: timed out (1).",
        "Not checked: the counts of 1 program: no ground truth: the instrumented program failed (1).",
    ];
    assert_eq!(Unchecked::of(&records).text().lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_refused_program_is_recorded_and_the_campaign_continues() {
    let mut town = Town::new(&[("p", &program(3, "1", &[])), ("q", &program(3, "1", &[]))]);
    town.sources[0].sidecar.flags.push("-O2".into());
    let refused = |town: &mut Town, run: &str| {
        let is_refused = |record: &JobRecord| matches!(record.outcome, Outcome::Unsupported { .. });
        town.records(run).iter().map(is_refused).collect::<Vec<_>>()
    };
    assert_eq!(refused(&mut town, "run"), [true, false]);
    town.settings.triage.rules = false;
    assert_eq!(refused(&mut town, "without-truth"), [false, false], "reports are only compared");
}

#[test]
fn a_program_whose_counts_are_all_compared_is_reported_in_one_line() {
    let temp = Temp::new();
    temp.write("plain.c", "int main(void)\n{\n    int n = 1;\n    return n - 1;\n}\n");
    let check = said(&temp, &["check", "plain.c", "--profiler", "gcov", "--require-checked", "100%"]);
    assert_eq!(check.code, 0, "{}{}", check.out, check.err);
    assert!(
        check.out.ends_with("\n\nAll 3 line counts were checked against ground truth.\n"),
        "{}",
        check.out
    );
}

#[test]
fn functions_headers_and_inputs_that_were_not_checked_are_reported() {
    let temp = Temp::new();
    let check = |file: &str, more: &[&str]| {
        let args = [&["check", file, "--profiler", "gcov"], more].concat();
        said(&temp, &args)
    };
    temp.write("unparsed.c", UNPARSED);
    let unparsed = check("unparsed.c", &["--require-checked", "0.6"]);
    let expected = [
        "Not checked: 3 of 6 line counts (50.0 %): on lines without ground truth (3).",
        "Not checked: 3 of 4 other numbers (75.0 %): no condition of the source is on the line (2), the function is not \
         instrumented, or several on the line have its name (1).",
        "Not checked: 1 function: could not be instrumented (first: not parsed: `int n;` in \
         `static int first(int n; int a[n], int n)`).",
        "Not checked: variants of statements with 1 construct, such as a macro that is no expression: could not be parsed, so \
         no relation changes them.",
    ];
    assert_eq!(ending(&unparsed.out), expected);
    assert_eq!(unparsed.code, 6, "{}", unparsed.err);
    assert!(unparsed.err.contains("3 of 6 counts"), "{}", unparsed.err);
    assert_eq!(check("unparsed.c", &["--require-checked", "50%"]).code, 0);
    let other = check("unparsed.c", &["--relation", "flow"]);
    assert!(ending(&other.out)[0].contains("without the relation truth (6)"), "{}", other.out);

    temp.write("with_header.c", WITH_HEADER);
    temp.write("own.h", OWN_HEADER);
    let header = check("with_header.c", &[]);
    assert_eq!(ending(&header.out), [""; 0], "{}", header.out);
    // No function of the header is compiled, so the report has no counts of it.
    temp.write("own.h", format!("#if 0\n{OWN_HEADER}#endif\n#define twice(x) (x)\n"));
    let header = check("with_header.c", &[]);
    assert!(
        ending(&header.out)[0].starts_with(
            "Not checked: 2 lines of code in 1 included file: the report has no counts of own.h"
        ),
        "{}",
        header.out
    );
    temp.write("arguments.c", PLAIN);
    assert!(ending(&check("arguments.c", &[]).out)[0].contains("other inputs of 1 program"));
    temp.write("arguments.toml", "[[inputs]]\nargs = ['x']\n");
    assert_eq!(ending(&check("arguments.c", &[]).out), [""; 0]);
    let claim = said(&temp, &["claim", "unparsed.c", "--line", "8", "--expect", "1", "--profiler", "gcov"]);
    // A claim needs no variants.
    assert_eq!(ending(&claim.out), expected[..3]);
}

#[test]
fn check_and_claim_refuse_what_recount_does_not_support() {
    let temp = Temp::new();
    temp.write("plain.c", PLAIN);
    temp.write("optimised.c", PLAIN);
    temp.write("optimised.toml", "flags = ['-O2']\n");
    temp.write("single.c", PLAIN);
    temp.write("single.toml", "flags = ['-mllvm', '-enable-single-byte-coverage']\n");
    temp.write("plus.cpp", "int main() { return 0; }\n");
    for (file, profiler, remedy) in [
        ("optimised.c", "gcov", "remove -O2 from the flags"),
        ("single.c", "llvm-cov", "remove -enable-single-byte-coverage from the flags"),
        ("plus.cpp", "llvm-cov", "checks C only"),
    ] {
        for command in [&["check", file][..], &["claim", file, "--line", "1", "--expect", "1"]] {
            let refused = said(&temp, &[command, &["--profiler", profiler]].concat());
            // A claim about an optimised program is answered: GCC's manual says what to expect of it.
            let is_answered = command[0] == "claim" && file == "optimised.c";
            assert_eq!(refused.code, if is_answered { 5 } else { 2 }, "{command:?}: {}", refused.out);
            assert!(refused.out.contains(remedy), "{command:?}: {}", refused.out);
            assert_eq!(ending(&refused.out), ["Not checked: 1 program: not supported (1)."], "{command:?}");
        }
    }
    let lcov = said(&temp, &["check", "optimised.c", "--profiler", "gcov", "--format", "lcov"]);
    assert_eq!((lcov.code, lcov.out.as_str()), (2, ""));
    assert!(lcov.err.contains("remove -O2"), "{}", lcov.err);
    let llvm = said(&temp, &["check", "optimised.c", "--profiler", "llvm-cov"]);
    assert_eq!(llvm.code, 0, "{}", llvm.out);
}

#[test]
fn a_campaign_with_refused_programs_continues_and_its_reports_say_so() {
    let temp = Temp::new();
    temp.write("programs/plain.c", PLAIN);
    temp.write("programs/plus.cc", "int main() { return 0; }\n");
    let run = ["run", "programs", "--profiler", "gcov", "--quiet", "--out"];
    let campaign = |out: &str, more: &[&str]| said(&temp, &[&run[..], &[out], more].concat());
    let mixed = campaign("mixed", &["--require-checked", "1"]);
    assert_eq!(mixed.code, 0, "every count of the program that ran was checked\n{}", mixed.err);
    assert_eq!(ending(&mixed.out)[0], "Not checked: 1 program: not supported (1).");
    let optimised = campaign("optimised", &["--flag", "-O3"]);
    assert_eq!(optimised.code, 2, "nothing was checked\n{}", optimised.out);
    assert!(optimised.out.contains("remove -O3 from the flags"), "{}", optimised.out);
    let flow = campaign("flow", &["--relation", "flow", "--require-checked", "0.01"]);
    assert_eq!(flow.code, 6, "{}", flow.out);
    assert_eq!(said(&temp, &["triage", "flow"]).code, 0);
    assert_eq!(said(&temp, &["triage", "flow", "--require-checked", "1%"]).code, 6);
    let compared = said(&temp, &["triage", "mixed", "--against", "flow", "--require-checked", "1%"]);
    assert_eq!(compared.code, 0, "{}", compared.out);
    assert_eq!(ending(&compared.out), ending(&mixed.out));

    let report = said(&temp, &["report", "mixed", "--format", "json"]);
    let unchecked = &serde_json::from_str::<Value>(&report.out).unwrap()["unchecked"];
    assert_eq!(unchecked["counts"], unchecked["checked"]);
    assert_eq!(unchecked["not_profiled"]["reasons"][0][0], "not supported");
    assert_eq!(said(&temp, &["report", "mixed", "--format", "html"]).code, 0);
    let page = fs_err::read_to_string(temp.at("mixed/html/index.html")).unwrap();
    let (clusters, rest) = page.split_once(r#"<h2 id="unchecked">Not checked</h2>"#).expect("the section");
    assert!(clusters.contains(r#"id="clusters""#) && rest.contains("not supported (1)"), "{rest}");
}

#[test]
fn relations_that_add_unsupported_flags_still_run() {
    let temp = Temp::new();
    temp.write("plain.c", PLAIN);
    for (profiler, relation) in [("llvm-cov", "level"), ("llvm-cov", "expand"), ("gcov", "expand")] {
        let run = said(&temp, &["check", "plain.c", "--profiler", profiler, "--relation", relation]);
        assert_eq!(run.code, 0, "{}", run.out);
        assert!(!run.out.contains("(0 variants") && !run.out.contains("not supported"), "{}", run.out);
    }
}

#[test]
fn a_share_that_is_not_a_share_is_bad_usage() {
    let temp = Temp::new();
    let bad = said(&temp, &["triage", "nowhere", "--require-checked", "98"]);
    assert_eq!(bad.code, 2);
    assert!(bad.err.contains("98%"), "{}", bad.err);
}
