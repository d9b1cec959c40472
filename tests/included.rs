//! Code in headers and in included `.c` files is checked like the code of the program's own file.

mod support;

use std::process::Command;

use camino::Utf8Path;
use recount::journal::{JobRecord, RunFolder, read};
use recount::model::{Finding, Metric, Verdict};
use serde_json::Value;
use support::{Said, Temp};

const LEAP: &str = "\
static int is_leap(int year)
{
    return year % 4 == 0
           && (year % 100 != 0
               || year % 400 == 0);
}
";

const MAIN: &str = "\
#include <stdio.h>
#include \"calendar/leap.h\"
int main(void)
{
    int leaps = 0;
    for (int year = 1990; year < 2010; year++)
        leaps += is_leap(year);
    printf(\"%d\\n\", leaps);
    return 0;
}
";

fn records(temp: &Temp, programs: &str, more: &[&str]) -> Vec<JobRecord> {
    let args = ["run", programs, "--relation", "truth", "--quiet", "--out", "out"];
    let said = Said::from(temp.recount(&[&args[..], more].concat()));
    assert!(said.code <= 1, "{}{}", said.out, said.err);
    read(&RunFolder(temp.at("out"))).unwrap().records
}

#[test]
#[ignore = "long"]
fn a_wrong_count_in_a_header_is_found_shown_and_reduced() {
    let temp = Temp::new();
    temp.write("src/main.c", MAIN);
    temp.write("src/calendar/leap.h", LEAP);
    let check = Said::from(temp.recount(&["check", "src/main.c", "--profiler", "gcov"]));
    assert_eq!(check.code, 0, "it is a known bug\n{}{}", check.out, check.err);
    for part in [
        "the report on src/calendar/leap.h, which the program includes",
        "line 4 of src/calendar/leap.h: gcc-",
        "reports 21, ground truth 5; wrong (frequency",
        "!    4      21       5             && (year % 100 != 0",
        "line counts were checked against ground truth",
    ] {
        assert!(check.out.contains(part), "{part}\n{}", check.out);
    }
    let found = records(&temp, "src", &["--profiler", "gcov"]);
    let cluster = &found[0].findings[0].cluster;
    let explain = Said::from(temp.recount(&["explain", cluster, "out"]));
    assert!(
        explain.out.contains("src/main.c, which includes src/calendar/leap.h")
            && explain.out.contains("&& (year % 100 != 0"),
        "{}",
        explain.out
    );
    assert_eq!(Said::from(temp.recount(&["report", "out", "--format", "html"])).code, 0);
    for refused in [
        &["versions", cluster, "--run", "out"][..],
        &["report", cluster, "--run", "out", "--format", "bugzilla", "--force"],
    ] {
        let refused = Said::from(temp.recount(refused));
        assert_eq!(refused.code, 2, "{}", refused.out);
        assert!(
            refused.err.contains("the finding is in src/calendar/leap.h, which its program includes"),
            "{}",
            refused.err
        );
    }
    let reduce = Said::from(temp.recount(&["reduce", "out", "--show-known"]));
    assert_eq!(reduce.code, 0, "{}{}", reduce.out, reduce.err);
    let examples = temp.at("out/examples");
    let example = examples.read_dir_utf8().unwrap().next().unwrap().unwrap().into_path();
    let reduced = fs_err::read_to_string(example.join("program.c")).unwrap();
    assert!(!reduced.contains("#include") && reduced.lines().count() < 12, "{reduced}");
    // From the original program, which includes the header.
    let again = Said::from(temp.recount(&["reduce", example.as_str(), "--again", "--quiet"]));
    assert_eq!(again.code, 0, "{}{}", again.out, again.err);
    assert_eq!(fs_err::read_to_string(example.join("program.c")).unwrap(), reduced);
    let finding: Value =
        serde_json::from_str(&fs_err::read_to_string(example.join("finding.json")).unwrap()).unwrap();
    assert_eq!((&finding["file"], &finding["verdict"]), (&"src/calendar/leap.h".into(), &"wrong".into()));
    assert!(example.join("reproduce.sh").is_file());
}

/// A function for each type, as some C code has in place of templates; the second copy runs other lines.
const TEMPLATE: &str = "\
static TYPE NAME(TYPE a, TYPE b)
{
    TYPE more = 0;
    if (a > b)
        more = a;
#ifdef LOUD
    more++;
#endif
    return a
           && more > 1;
}
";

const TWICE: &str = "\
#define TYPE int
#define NAME largest
#include \"template.h\"
#undef TYPE
#undef NAME
#define LOUD 1
#define TYPE double
#define NAME loudest
#include \"template.h\"
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 10; i++)
        sum += largest(i, 5);
    for (int i = 0; i < 3; i++)
        sum += loudest(i, 1) > 1;
    return sum > 100;
}
";

#[test]
fn a_header_that_is_included_twice_has_the_counts_of_both_copies() {
    for name in ["gcov", "llvm-cov"] {
        let temp = Temp::new();
        temp.write("src/twice.c", TWICE);
        temp.write("src/template.h", TEMPLATE);
        let records = records(&temp, "src", &["--profiler", name]);
        let checked = records[0].checked.as_ref().unwrap();
        assert!(checked.included.is_empty(), "{name}: {checked:?}");
        let wrong: Vec<&Finding> =
            records[0].findings.iter().filter(|found| found.verdict != Verdict::Convention).collect();
        match name {
            // `&&` is reached 9 and 2 times; gcov adds the jumps back to the `return`.
            "gcov" => {
                assert!(!wrong.is_empty());
                for found in wrong {
                    assert_eq!((found.file.as_str(), found.line), ("src/template.h", Some(10)), "{found:?}");
                    assert!(found.truth.as_ref().unwrap().contains(&11), "{found:?}");
                }
            }
            // Before LLVM 22, a line that begins with `&&` has the count of the whole condition.
            _ => assert!(wrong.iter().all(|found| found.line == Some(10)), "{name}: {wrong:?}"),
        }
    }
}

/// The condition of `pick` is on line 9, and so is the call that gcc inlines.
#[test]
fn a_line_of_a_header_with_the_number_of_the_call_is_lost() {
    let temp = Temp::new();
    let function = "static inline __attribute__((always_inline)) int pick(int a, int b)\n{\n    if (a > b && a > 1) return 1;\n    \
                    return 3;\n}\n";
    temp.write("src/pick.h", format!("{}{function}", "\n".repeat(6)));
    let program = "#include <stdio.h>\n#include \"pick.h\"\nint main(void)\n{\n    int n = 0;\n    int i;\n    for (i = 0; \
                   i < 25; i++) {\n        n++;\n        n += pick(i % 2, i % 3);\n    }\n    printf(\"%d\\n\", n);\n    return \
                   0;\n}\n";
    temp.write("src/main.c", program);
    let records = records(&temp, "src", &["--profiler", "gcov"]);
    let lost: Vec<&Finding> =
        records[0].findings.iter().filter(|found| found.signature == "gcov/line-of-other-file").collect();
    let places: Vec<(&str, Option<u32>)> =
        lost.iter().map(|found| (found.file.as_str(), found.line)).collect();
    assert!(places.contains(&("src/pick.h", Some(9))), "{places:?}");
}

/// Conditions in macros of a header are in their expansions, and its names of types make no code.
#[test]
fn macros_of_a_header_are_counted_in_their_expansions() {
    let temp = Temp::new();
    let header = "#include <sys/types.h>\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define LONG long\n#define OFF \
                  off_t\n#define BOTH(a, b) ((a) && (b))\n#define HAVE(g) ((g)->have ? (g)->have : 5)\n";
    let program = "#include \"macros.h\"\nstruct s { int have; };\nstatic int test(int a, int b)\n{\n    struct s s = { 1 };\n    \
                   if (MAX(a, b) > 2)\n        return 1;\n    if (BOTH(a, b))\n        return 2;\n    return HAVE(&s) != 5 && b;\n\
                   }\nstatic long casts(int a)\n{\n    long r = (LONG)a;\n    return r == (LONG)a ? (OFF)r + (OFF)a : \
                   0;\n}\nint main(void)\n{\n    return test(1, 2) + test(0, 3) + (int)casts((OFF)0) != 3;\n}\n";
    temp.write("src/macros.h", header);
    temp.write("src/main.c", program);
    for record in records(&temp, "src", &["--profiler", "llvm-cov"]) {
        let wrong: Vec<&Finding> =
            record.findings.iter().filter(|finding| finding.verdict == Verdict::Wrong).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

/// Code that its markers call code of a system header has no counts in clang, and the rest of the program has those of its lines.
#[test]
fn a_preprocessed_program_is_checked_without_the_code_of_system_headers() {
    let temp = Temp::new();
    let program = "#include <byteswap.h>\n#include <stdio.h>\n#define TWICE(x) ((x) > 3 && (x) < 100 ? (x) * 2 : (x))\nint \
                   main(void)\n{\n    int n = 0;\n    for (int i = 0; i < 10; i++) {\n        if (bswap_16(i) > 300)\n            n \
                   += TWICE(i);\n    }\n    printf(\"%d\\n\", n);\n    return 0;\n}\n";
    temp.write("typed/main.c", program);
    let made = Command::new("clang").args(["-E", "main.c"]).current_dir(temp.at("typed")).output().unwrap();
    let text = String::from_utf8(made.stdout).unwrap();
    assert!(text.contains(" 3\n") && text.contains("__bswap_16"), "{text}");
    temp.write("src/main.c", text.clone());
    // gcc marks what a macro of a system header made, too.
    temp.write(
        "src/by_gcc.c",
        text.replace("int n = 0;", "int n =\n# 6 \"main.c\" 3\n 0\n# 6 \"main.c\"\n;"),
    );
    let found = records(&temp, "src", &["--profiler", "llvm-cov"]);
    assert_eq!(found.len(), 2);
    for record in found {
        assert!(record.findings.is_empty(), "{:#?}", record.findings);
        let reason = record.no_truth;
        let is_by_gcc = record.file.ends_with("by_gcc.c");
        assert_eq!(reason.is_some_and(|reason| reason.contains("another compiler")), is_by_gcc);
    }
}

/// A marker in the middle of a program makes the macros after it those of a system header.
#[test]
fn macros_that_a_marker_gives_to_a_system_header_have_no_regions() {
    let temp = Temp::new();
    let program = "# 1 \"flags.h\" 1 3\n#define HAS_BOTH(f) ((f)[0] && (f)[1])\n# 4 \"main.c\" 2\nstatic int flags[] = { 3, 0 \
                   };\nint main(int argc, char **argv)\n{\n    (void)argv;\n    if (argc > 1 && HAS_BOTH(flags))\n        return \
                   1;\n    return HAS_BOTH(flags);\n}\n";
    temp.write("src/main.c", program);
    for record in records(&temp, "src", &["--profiler", "llvm-cov"]) {
        let wrong = record.findings.iter().filter(|finding| finding.verdict == Verdict::Wrong);
        let unknown: Vec<&Finding> =
            wrong.filter(|finding| !finding.signature.ends_with("/chain-in-system-macro")).collect();
        assert!(record.no_truth.is_none() && unknown.is_empty(), "{unknown:#?}");
    }
}

/// The macros of a header are counted in its report by llvm-cov, wherever they are used.
#[test]
fn macros_of_a_header_have_ground_truth() {
    let temp = Temp::new();
    temp.write(
        "src/check.h",
        "#define CHECK(test) \\\n  do { \\\n    checked++; \\\n    if ((test) \\\n        && strict) { \\\n      kept++; \\\n    } \\\n  } \
         while (0)\n#define VERIFY CHECK\n#define UNUSED(x) ((x) > 1 ? (x) : 1)\n",
    );
    temp.write("src/half.h", "static void half(int n)\n{\n  CHECK(n % 2);\n}\n");
    temp.write(
        "src/main.c",
        "#include <stdio.h>\nstatic int checked, kept, strict = 1;\n#include \"check.h\"\n#include \"half.h\"\n\
         #define TWICE(x) CHECK(x); CHECK(x)\nint main(void)\n{\n  for (int n = 0; n < 5; n++) {\n    half(n);\n    \
         TWICE(n > 2);\n    VERIFY(n);\n  }\n  printf(\"%d %d\\n\", checked, kept);\n  return 0;\n}\n",
    );
    for record in records(&temp, "src", &["--profiler", "llvm-cov"]) {
        let checked = record.checked.unwrap();
        assert_eq!((checked.counts - checked.with_truth, checked.unknown.len()), (0, 0), "{checked:?}");
        // The operand ran twice for `n % 2`, twice two times for `n > 2`, and four times for `n`.
        let expected = Some(vec![2 + 2 * 2 + 4]);
        let wrong = record.findings.iter().map(|found| (&*found.file, found.line, &found.truth));
        let wrong: Vec<_> = wrong.collect();
        assert!(wrong.iter().all(|found| *found == ("src/check.h", Some(5), &expected)), "{wrong:?}");
        assert_eq!(wrong.len(), 1, "{:?}", record.compiler);
    }
}

/// Before LLVM 22, the expansions have a wrong count, and so has the code that they contain: each may have it from the other.
#[test]
fn macros_in_a_macro_have_a_cause_in_an_included_file() {
    let temp = Temp::new();
    let name = "llvm_arguments_of_nested.c";
    let text = fs_err::read_to_string(format!("tests/data/truth/{name}")).unwrap();
    temp.write("bodies/body.inc", text);
    temp.write("src/main.c", "#include \"../bodies/body.inc\"\n");
    for record in records(&temp, "src", &["--profiler", "llvm-cov"]) {
        assert!(record.checked.is_some(), "{record:?}");
        for finding in record.findings.iter().filter(|finding| finding.verdict == Verdict::Wrong) {
            let known = ["region-ends-at-macro-name", "expansion-count", "no-gap-before-region"];
            assert!(known.iter().any(|known| finding.signature.ends_with(known)), "{finding:?}");
        }
    }
}

/// `body.c` has the same findings wherever it is: as a program, and as a file that a program includes.
#[test]
#[ignore = "long"]
fn included_files_have_the_findings_of_programs() {
    let data = Utf8Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/truth"));
    for family in ["gcov", "llvm-cov"] {
        let temp = Temp::new();
        let prefix = family.split('-').next().unwrap();
        let mut names: Vec<String> = data
            .read_dir_utf8()
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string())
            .filter(|name| name.starts_with(prefix) && Utf8Path::new(name).extension() == Some("c"))
            .collect();
        names.sort();
        for name in names.iter().step_by(6) {
            let text = fs_err::read_to_string(data.join(name)).unwrap();
            // A program that includes itself is another one if its file is included, and that the status of a program is unspecified is
            // known from its own text only.
            if text.contains(&format!("#include \"{name}\"")) || text.contains("\nvoid main(") {
                continue;
            }
            temp.write(&format!("alone/{name}"), &text);
            temp.write(&format!("bodies/{name}.inc"), text);
            temp.write(&format!("including/{name}"), format!("#include \"../bodies/{name}.inc\"\n"));
        }
        let found = |folder: &str| -> Vec<Value> {
            let run = [
                "run",
                folder,
                "--relation",
                "truth",
                "--relation",
                "views",
                "--quiet",
                "--profiler",
                family,
                "--out",
            ];
            let out = format!("out-{folder}");
            let said = Said::from(temp.recount(&[&run[..], &[&out]].concat()));
            assert!(said.code <= 1, "{}{}", said.out, said.err);
            let records = read(&RunFolder(temp.at(&out))).unwrap().records;
            let mut all: Vec<(String, Value)> = Vec::new();
            for record in &records {
                assert!(
                    record.checked.as_ref().is_none_or(|checked| checked.included.is_empty()),
                    "{record:?}"
                );
                // A finding may begin with a line that is left out below.
                for finding in record.findings.iter().flat_map(Finding::each_symptom) {
                    let name = Utf8Path::new(&record.file).file_name().unwrap().to_string();
                    // Lines of directives are not expected in an included file: other files may expand its macros.
                    let text = fs_err::read_to_string(format!("tests/data/truth/{name}")).unwrap();
                    let line = |line: u32| text.lines().nth(line as usize - 1).unwrap_or_default();
                    let is_of_directive =
                        |at: u32| line(at).starts_with('#') || (at > 1 && line(at - 1).ends_with('\\'));
                    if finding.line.is_some_and(is_of_directive) {
                        continue;
                    }
                    // How many branches gcc generates for a line is known for programs only, so a branch on the wrong line of an
                    // included file is not known to lack from another one.
                    let is_element =
                        finding.before.is_none() || finding.truth.as_ref().is_some_and(Vec::is_empty);
                    if finding.metric == Metric::Branch && is_element {
                        continue;
                    }
                    let value = serde_json::json!([
                        name,
                        finding.line,
                        finding.metric,
                        finding.before,
                        finding.truth,
                        finding.verdict,
                        finding.rule,
                        finding.signature
                    ]);
                    all.push((value.to_string(), value));
                }
            }
            all.sort_by(|one, other| one.0.cmp(&other.0));
            all.into_iter().map(|(_, value)| value).collect()
        };
        let (alone, including) = (found("alone"), found("including"));
        assert!(alone.len() > 10, "{family}: {}", alone.len());
        let only = |one: &[Value], other: &[Value]| -> Vec<String> {
            one.iter().filter(|finding| !other.contains(finding)).map(Value::to_string).collect()
        };
        let (lost, new) = (only(&alone, &including), only(&including, &alone));
        assert!(alone == including, "{family}: only alone: {lost:#?}\nonly included: {new:#?}");
    }
}
