//! `recount audit` on packages that are built by make and cmake, with real compilers.

mod support;

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;

use recount::audit::{Audit, State};
use recount::model::Verdict;
use support::{Said, Temp};

/// A package in `package` below a temporary folder.
struct Package(Temp);

impl Package {
    fn new(files: &[(&str, &str)]) -> Package {
        let temp = Temp::new();
        for (name, text) in files {
            temp.write(&format!("package/{name}"), text);
        }
        Package(temp)
    }

    fn said(&self, args: &[&str]) -> Said {
        let front = ["audit", "--package", "package", "--out", "out", "--quiet"];
        Said::from(self.0.recount(&[&front[..], args].concat()))
    }

    /// The result for `profiler`, with the commands in `args`.
    fn audit(&self, profiler: &str, args: &[&str]) -> Audit {
        let said = self.said(&[&["--profiler", profiler], args].concat());
        assert!(said.code <= 1, "{}\n{}", said.out, said.err);
        let results = self.0.at("out").read_dir_utf8().unwrap().flatten();
        let mut files: Vec<_> = results
            .map(camino::Utf8DirEntry::into_path)
            .filter(|path| path.extension() == Some("json"))
            .collect();
        files.sort_by_key(|path| std::fs::metadata(path).unwrap().modified().unwrap());
        serde_json::from_str(&std::fs::read_to_string(files.pop().unwrap()).unwrap()).unwrap()
    }
}

const BOTH: [&str; 2] = ["gcov", "llvm-cov"];

/// The reported and the true count of a line, and what is known about it.
fn line(audit: &Audit, file: &str, line: u32) -> (Option<u64>, Option<u64>, State) {
    let file = audit.files.get(file).unwrap_or_else(|| panic!("{file} of {:?}", audit.files.keys()));
    let found = file.lines.get(&line).unwrap_or_else(|| panic!("line {line} of {:?}", file.lines));
    (found.reported, found.right, found.state.clone())
}

fn checked(count: u64) -> (Option<u64>, Option<u64>, State) {
    (Some(count), Some(count), State::Checked)
}

fn wrong(audit: &Audit) -> Vec<String> {
    let wrong = audit.findings.iter().filter(|finding| finding.verdict == Verdict::Wrong);
    wrong.map(|finding| format!("{} {}", finding.place_in_file(), finding.signature)).collect()
}

const LIBRARY: [(&str, &str); 5] = [
    ("lib.h", "int twice(int n);\nstatic inline int half(int n)\n{\n    return n / 2;\n}\n"),
    (
        "lib.c",
        "#include \"lib.h\"\nint twice(int n)\n{\n    if (n < 0)\n        return 0;\n    return half(4 * n);\n}\n",
    ),
    ("one.c", "#include \"lib.h\"\nint main(void)\n{\n    return twice(3) != 6 || half(3) != 1;\n}\n"),
    (
        "two.c",
        "#include \"lib.h\"\nint main(void)\n{\n    int i, sum = 0;\n    for (i = 0; i < 5; i++)\n        sum += twice(i) + half(i);\n    return sum != 24;\n}\n",
    ),
    (
        "Makefile",
        "all: one two\nlib.o: lib.c\n\t$(CC) -fPIC -O2 -Werror -c lib.c -o lib.o\nlibown.so: lib.o\n\t$(CC) -shared lib.o -o libown.so\n\
      one: one.c libown.so\n\t$(CC) one.c -L. -lown -Wl,-rpath,'$$ORIGIN' -o one\ntwo: two.c libown.so\n\t$(CC) two.c -L. -lown -Wl,-rpath,'$$ORIGIN' -o two\n\
      check: all\n\t./one\n\t./two\n\t./two\n",
    ),
];

#[test]
fn a_shared_library_is_counted_in_all_programs_and_a_header_in_all_units() {
    for profiler in BOTH {
        let package = Package::new(&LIBRARY);
        let audit = package.audit(profiler, &["--build", "make", "--", "make", "check"]);
        assert_eq!((audit.units.all, audit.units.unchecked.len()), (3, 0), "{:?}", audit.units);
        assert_eq!(audit.tests, "exit code 0");
        // One call by one, five by each run of two.
        assert_eq!(line(&audit, "lib.c", 6), checked(11), "{profiler}");
        assert_eq!(line(&audit, "lib.c", 5), checked(0), "{profiler}");
        assert_eq!(line(&audit, "two.c", 6), checked(10), "{profiler}");
        // In the library 11 times, in one once, in two ten times.
        assert_eq!(line(&audit, "lib.h", 4), checked(22), "{profiler}");
        assert_eq!(wrong(&audit), [""; 0], "{profiler}");
        let tracefile = package.0.at("out").join(format!("{}.info", audit.profiler.compiler));
        let tracefile = std::fs::read_to_string(tracefile).unwrap();
        assert!(tracefile.contains("/package/lib.c\n") && tracefile.contains("DA:6,11\n"), "{tracefile}");
    }
}

/// A condition over several lines, which gcov counts too often, and the second arm of `?:` on a line of its own, which
/// llvm-cov gives the count of the code around it.
const WRONG: [(&str, &str); 2] = [
    (
        "p.c",
        "int leap(int year)\n{\n    return year % 4 == 0\n           && (year % 100 != 0\n               || year % 400 == 0);\n}\n\
         int sign(int n)\n{\n    return n < 0\n        ? -1\n        : 1;\n}\n\
         int main(void)\n{\n    int year, leaps = 0;\n    for (year = 1990; year < 2010; year++)\n        leaps += leap(year) * sign(year);\n\
             return leaps != 5;\n}\n",
    ),
    ("Makefile", "p: p.c\n\t$(CC) -o p p.c\ncheck: p\n\t./p\n"),
];

#[test]
fn wrong_lines_are_found_with_their_causes_and_a_baseline_hides_them() {
    let package = Package::new(&WRONG);
    let audit = package.audit("gcov", &["--", "make", "check"]);
    let found = line(&audit, "p.c", 4);
    assert_eq!((found.0, found.1, found.2), (Some(21), Some(5), State::Wrong));
    assert!(
        wrong(&audit).iter().all(|found| found.starts_with("p.c:") && !found.contains("/truth/")),
        "{:?}",
        wrong(&audit)
    );
    let (clang, gcc) = (package.audit("llvm-cov", &["--", "make", "check"]), &audit.profiler.compiler);
    assert_eq!(line(&clang, "p.c", 10), (Some(20), Some(0), State::Wrong));
    let baseline = format!("out/{gcc}.json");
    let again = package.said(&[
        "--profiler",
        "gcov",
        "--baseline",
        &baseline,
        "--format",
        "json",
        "--",
        "make",
        "check",
    ]);
    assert_eq!(again.code, 0, "{}{}", again.out, again.err);
    let again: Audit = serde_json::from_str(&again.out).unwrap();
    assert_eq!((wrong(&again), again.files), (Vec::new(), audit.files.clone()));
    // The file has them, and may be the next baseline.
    let written = package.0.at(&baseline);
    let written: Audit = serde_json::from_str(&std::fs::read_to_string(written).unwrap()).unwrap();
    assert_eq!(wrong(&written), wrong(&audit));
    // One more fault on an equal line is new.
    let mut more = audit.clone();
    more.findings.push(audit.findings[0].clone());
    assert_eq!((more.leave_out(&audit), more.findings.len()), (audit.findings.len(), 1));
}

#[test]
fn a_source_that_is_no_longer_what_was_compiled_is_not_judged() {
    let files = [
        ("h.h", "static int half(int n)\n{\n    return n / 2;\n}\n"),
        ("removed.y", "#include \"h.h\"\nint removed(int n)\n{\n    return half(n);\n}\n"),
        (
            "p.c",
            "int removed(int);\nint changed(int);\nint main(void)\n{\n    return removed(4) != 2 || changed(1) != 1;\n}\n",
        ),
        (
            "Makefile",
            "p: p.c\n\tcp removed.y removed.c\n\t$(CC) -c removed.c\n\trm removed.c\n\
             \techo 'int changed(int n) { return n; }' >changed.c\n\t$(CC) -c changed.c\n\techo 'int other(int n) { if (n) n++; return n; }' >>changed.c\n\
             \t$(CC) p.c removed.o changed.o -o p\ncheck: p\n\t./p\n",
        ),
    ];
    for profiler in BOTH {
        let audit = Package::new(&files).audit(profiler, &["--build", "make", "--", "make", "check"]);
        let reasons: Vec<&String> = audit.units.unchecked.values().collect();
        let expected = ["changed.c", "removed.c"]
            .map(|file| format!("{file} was changed or removed after it was compiled"));
        assert_eq!(reasons, expected.iter().collect::<Vec<_>>(), "{profiler}");
        assert_eq!((wrong(&audit), line(&audit, "p.c", 5)), (Vec::new(), checked(1)));
    }
}

#[test]
fn both_builds_find_the_same_functions_compile_the_same_files_and_take_other_names_for_c() {
    let files = [
        ("try.c", "int nosuch(void);\nint main(void)\n{\n    return nosuch();\n}\n"),
        ("p.inc", "int main(void)\n{\n#ifdef HAVE_NOSUCH\n    return 1;\n#endif\n    return 0;\n}\n"),
        (
            "Makefile",
            "p: p.inc\n\tif $(CC) try.c -o try; then echo '-DHAVE_NOSUCH' >flags; else touch flags; fi\n\
             \t$(CC) -v -x c -c p.inc -o p.o @flags\n\t$(CC) p.o -o p\ncheck: p\n\t./p\n",
        ),
    ];
    for profiler in BOTH {
        let audit = Package::new(&files).audit(profiler, &["--build", "make", "--", "make", "check"]);
        assert_eq!(audit.tests, "exit code 0");
        assert_eq!((wrong(&audit), line(&audit, "p.inc", 6)), (Vec::new(), checked(1)));
    }
}

#[test]
#[ignore = "long"]
fn a_wrong_line_becomes_a_small_program() {
    let files = [
        (
            "leap.h",
            "static inline int leap(int year)\n{\n    return year % 4 == 0\n           && (year % 100 != 0\n               || year % 400 == 0);\n}\n",
        ),
        ("inc/count.h", "#define YEARS 20\nint count(int year);\n"),
        (
            "count.c",
            "#include \"leap.h\"\n#include <count.h>\nstatic int sum;\nint count(int year)\n{\n    int last = year + YEARS;\n    for (; year < last; year++)\n        sum += leap(year);\n    return sum;\n}\n",
        ),
        (
            "main.c",
            "#include <stdio.h>\n#include <count.h>\nstatic int sum = 1;\nint main(int argc, char **argv)\n{\n    FILE *file = argc > 1 ? fopen(argv[1], \"rb\") : NULL;\n    \
             if (!file || fgetc(file) != 0 || fgetc(file) != 255)\n        return 2;\n    return count(1990) + sum != 6;\n}\n",
        ),
        (
            "Makefile",
            "p: main.c libcount.so\n\t$(CC) -Iinc -o p main.c -L. -lcount -Wl,-rpath,'$$ORIGIN'\nlibcount.so: count.c\n\t$(CC) -fPIC -Iinc -shared -o $@ count.c\n\
             check: p\n\tif ./p; then exit 1; fi\n\t./p in/years\n",
        ),
    ];
    let package = Package::new(&files);
    package.0.write("package/in/years", b"\0\xff");
    let audit = package.audit("gcov", &["--build", "make p", "--", "make", "check"]);
    assert_eq!(line(&audit, "leap.h", 4), (Some(21), Some(5), State::Wrong));
    let compiler = &audit.profiler.compiler;
    let result = format!("out/{compiler}.json");
    let reduce = |line: &str| {
        let args = ["reduce", &result, "--line", line, "--out", "small", "--for", "60s", "--quiet"];
        Said::from(package.0.recount(&args))
    };
    let said = reduce("leap.h:4");
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", said.out);
    let small = std::fs::read_to_string(package.0.at("small/program.c")).unwrap();
    let original = std::fs::read_to_string(package.0.at("small/original.c")).unwrap();
    assert!((small.contains("&&") || small.contains("||")) && small.len() < original.len(), "{small}");
    assert!(original.contains("write_input_file(\"years\", \"\\000\\377\", 2)"), "{original}");
    let read = std::fs::read_to_string(package.0.at("small/finding.json")).unwrap();
    let finding: recount::model::Finding = serde_json::from_str(&read).unwrap();
    let in_package = audit.findings.iter().find(|finding| finding.line == Some(4)).unwrap();
    assert_eq!((finding.verdict, finding.signature), (Verdict::Wrong, in_package.signature.clone()));
    let said = reduce("count.c:6");
    assert!(said.code == 5 && said.err.contains("no wrong number on this line"), "{}{}", said.out, said.err);
    assert_eq!(reduce("5").code, 2);
}

#[test]
fn a_source_that_is_built_twice_and_objects_that_are_overwritten_are_units_of_their_own() {
    let files = [
        (
            "f.c",
            "#ifdef SLOW\nint add(int n) { int i, s = 0; for (i = 0; i < n; i++) s++; return s; }\n#else\nint add(int n)\n{\n    return n;\n}\n#endif\n\
                 int main(void) { return add(3) != 3; }\n",
        ),
        (
            "Makefile",
            "all:\n\t$(CC) -c f.c -o f.o\n\t$(CC) f.o -o fast\n\t$(CC) -DSLOW -c f.c -o f.o\n\t$(CC) f.o -o slow\ncheck:\n\t./fast\n\t./fast\n\t./slow\n",
        ),
    ];
    for profiler in BOTH {
        let audit = Package::new(&files).audit(profiler, &["--build", "make all", "--test", "make check"]);
        assert_eq!((audit.units.all, audit.units.unchecked.len()), (2, 0), "{:?}", audit.units);
        assert_eq!((line(&audit, "f.c", 6), line(&audit, "f.c", 9)), (checked(2), checked(3)), "{profiler}");
        assert_eq!(wrong(&audit), [""; 0], "{profiler}");
    }
}

#[test]
fn an_object_that_was_built_before_is_not_checked() {
    let makefile = "p: a.o b.o\n\t$(CC) a.o b.o -o p\n%.o: %.c\n\t$(CC) -c $< -o $@\ncheck: p\n\t./p\n";
    let b = "int b(void)\n{\n    return 0;\n}\n";
    let files = [
        ("a.c", "int b(void);\nint main(void)\n{\n    return b();\n}\n"),
        ("b.c", b),
        ("Makefile", makefile),
    ];
    let package = Package::new(&files);
    let built = std::process::Command::new("make").arg("b.o").current_dir(package.0.at("package")).output();
    assert!(built.unwrap().status.success());
    let audit = package.audit("gcov", &["--build", "make", "--", "make", "check"]);
    assert_eq!(audit.units.all, 2);
    let unchecked: Vec<(&str, &str)> =
        audit.units.unchecked.iter().map(|(name, why)| (name.as_str(), why.as_str())).collect();
    assert_eq!(
        unchecked,
        [("b.o", "it was built before the audit; clean the package first, as with `make clean`")]
    );
    assert!(!audit.files.contains_key("b.c"));
}

#[test]
fn the_copies_of_an_earlier_audit_are_no_part_of_the_package() {
    let package = Package::new(&WRONG);
    for out in ["package/first", "package/second"] {
        let args = ["audit", "--package", "package", "--out", out, "--quiet", "--profiler", "gcov"];
        let said =
            Said::from(package.0.recount(&[&args[..], &["--build", "make", "--", "make", "check"]].concat()));
        assert_eq!(said.code, 0, "{}", said.err);
    }
    let work = package.0.at("package/second/work").read_dir_utf8().unwrap().next().unwrap().unwrap();
    let copied = work.path().join("coverage/first");
    assert!(copied.join("index.html").exists() || copied.exists(), "{copied}");
    assert_eq!(copied.join("work").read_dir_utf8().unwrap().count(), 0);
}

#[test]
fn a_merged_profile_mixes_functions_of_one_name() {
    let files = [
        ("a.c", "int main(void)\n{\n    return 0;\n}\n"),
        ("b.c", "int main(void)\n{\n    return 0;\n}\n"),
        ("Makefile", "all:\n\t$(CC) a.c -o a\n\t$(CC) b.c -o b\ncheck:\n\t./a\n\t./b\n\t./b\n"),
    ];
    let audit = Package::new(&files).audit("llvm-cov", &["--build", "make all", "--test", "make check"]);
    assert_eq!((line(&audit, "a.c", 3), line(&audit, "b.c", 3)), (checked(1), checked(2)));
    let merged = audit.merged.unwrap();
    let of =
        |file: &str| merged.differing.iter().find(|found| found.file == file && found.line == 3).cloned();
    assert_eq!(of("a.c").map(|found| (found.merged, found.separate)), Some((Some(3), Some(1))));
    assert_eq!(merged.programs, 2);
}

#[test]
fn a_function_of_a_header_with_another_text_in_each_unit_is_reported_otherwise_for_the_program() {
    let files = [
        (
            "size.h",
            "static inline int size(int n)\n{\n    if (n > 2)\n#ifdef WIDE\n        return 2 * n;\n    n++;\n#else\n        return n;\n#endif\n    return n;\n}\n",
        ),
        (
            "a.c",
            "#define WIDE\n#include \"size.h\"\nint narrow(void);\nint main(void)\n{\n    return size(1) + size(5) + narrow() != 14;\n}\n",
        ),
        ("b.c", "#include \"size.h\"\nint narrow(void)\n{\n    return size(2);\n}\n"),
        ("Makefile", "all:\n\t$(CC) a.c b.c -o p\ncheck:\n\t./p\n"),
    ];
    let audit = Package::new(&files).audit("llvm-cov", &["--build", "make all", "--test", "make check"]);
    assert_eq!(wrong(&audit), [""; 0]);
    assert_eq!((line(&audit, "size.h", 3), line(&audit, "size.h", 6)), (checked(3), checked(1)));
    let merged = audit.merged.unwrap();
    assert_eq!(merged.programs, 1);
    assert!(merged.differing.iter().any(|found| found.file == "size.h"), "{merged:?}");
}

#[test]
fn a_file_that_the_build_names_from_the_parent_folder_is_checked() {
    let files = [
        ("lib/a.h", "static inline int g(int n)\n{\n    return n + 1;\n}\n"),
        ("lib/a.c", "#include \"../lib/a.h\"\nint f(int n)\n{\n    return g(n);\n}\n"),
        ("programs/p.c", "int f(int n);\nint main(void)\n{\n    return f(-1);\n}\n"),
        ("programs/Makefile", "p: p.c\n\t$(CC) -c ../lib/a.c -o a.o\n\t$(CC) p.c a.o -o p\n"),
    ];
    for profiler in BOTH {
        let audit =
            Package::new(&files).audit(profiler, &["--build", "make -C programs", "--", "programs/p"]);
        assert_eq!(wrong(&audit), [""; 0]);
        for (file, number) in [("lib/a.h", 3), ("lib/a.c", 4), ("programs/p.c", 4)] {
            assert_eq!(line(&audit, file, number), checked(1));
        }
    }
}

#[test]
fn an_inline_function_that_another_unit_emits_is_not_missing() {
    let files = [
        ("p.h", "#define NAME f()\ninline int f(void)\n{\n    return 3;\n}\n"),
        ("f.c", "#include \"p.h\"\nextern inline int f(void);\n"),
        ("p.c", "#include \"p.h\"\nint g(int n);\nint main(void)\n{\n    return g(0);\n}\n"),
        ("g.c", "#include \"p.h\"\nint g(int n);\nint g(int n)\n{\n    return (n) && NAME;\n}\n"),
        ("Makefile", "p: p.c f.c g.c\n\t$(CC) p.c f.c g.c -o p\n"),
    ];
    for profiler in BOTH {
        let audit = Package::new(&files).audit(profiler, &["--build", "make", "--", "./p"]);
        assert_eq!(wrong(&audit), [""; 0]);
        assert_eq!(line(&audit, "p.h", 4), checked(0));
    }
}

#[test]
fn a_function_that_nothing_calls_may_have_one_region_although_the_header_has_macros() {
    let files = [
        (
            "p.h",
            "#include <sys/types.h>\n#define NAME g(1)\nstatic inline int f(int n)\n{\n    if (n)\n        return n;\n    return 0;\n}\n",
        ),
        (
            "p.c",
            "static int g(int n)\n{\n    return n;\n}\n#include \"p.h\"\nint main(void)\n{\n    return NAME - 1;\n}\n",
        ),
        ("Makefile", "p: p.c\n\t$(CC) p.c -o p\n"),
    ];
    let audit = Package::new(&files).audit("llvm-cov", &["--build", "make", "--", "./p"]);
    assert_eq!(wrong(&audit), [""; 0]);
    assert_eq!(line(&audit, "p.h", 6), checked(0));
}

#[test]
fn macros_of_a_header_are_counted_in_all_units_that_use_them() {
    let files = [
        (
            "check.h",
            "#define CHECK(test) \\\n    do { \\\n        if (!(test)) \\\n            failed++; \\\n    } while (0)\n",
        ),
        (
            "one.c",
            "#include \"check.h\"\nint one(int n)\n{\n    int failed = 0;\n    CHECK(n > 1);\n    CHECK(n < 4);\n    return failed;\n}\n",
        ),
        (
            "p.c",
            "#include \"check.h\"\nint one(int n);\nint main(void)\n{\n    int failed = 0, n;\n    for (n = 0; n < 6; n++)\n        \
             CHECK(one(n));\n    return failed != 2;\n}\n",
        ),
        ("Makefile", "p: p.c one.c check.h\n\t$(CC) p.c one.c -o p\n"),
    ];
    let audit = Package::new(&files).audit("llvm-cov", &["--build", "make", "--", "./p"]);
    assert_eq!(wrong(&audit), ["check.h:4 llvm-cov/no-gap-before-region"]);
    // `one` is called six times with two tests, and returns 0 twice; its own tests fail four times.
    assert_eq!(line(&audit, "check.h", 3), checked(6 + 2 * 6));
    assert_eq!(line(&audit, "check.h", 4), (Some(6 + 2 * 6), Some(2 + 4), State::Wrong));
    assert_eq!(line(&audit, "one.c", 5), checked(6));
}

#[test]
fn a_return_of_a_call_in_a_header_counts_in_the_header() {
    let package = Package::new(&[
        (
            "p.h",
            "static inline int g(int n)\n{\n    return n;\n}\nstatic inline int f(int n)\n{\n    return g(g(n));\n}\n",
        ),
        (
            "p.c",
            "#include \"p.h\"\n#include <stdlib.h>\nint main(void)\n{\n    int i, n = 0;\n    if (n > 1)\n        exit(1);\n    if (n > 2)\n        exit(2);\n    for (i = 0; i < 9; i++)\n        n += f(i);\n    return n != 36;\n}\n",
        ),
        ("Makefile", "p: p.c\n\t$(CC) $(CFLAGS) -o p p.c\n"),
    ]);
    for profiler in ["gcc-12", "clang-14"] {
        let audit = package.audit(profiler, &["--build", "make", "--", "./p"]);
        assert_eq!(wrong(&audit), Vec::<String>::new(), "{profiler}");
        assert_eq!((line(&audit, "p.h", 7), line(&audit, "p.c", 7)), (checked(9), checked(0)), "{profiler}");
    }
}

#[test]
fn a_header_that_calls_itself_a_system_header_is_not_missing() {
    let files = [
        ("p.h", "#pragma GCC system_header\nstatic inline int f(int n)\n{\n    return n;\n}\n"),
        ("p.c", "#include \"p.h\"\nint main(void)\n{\n    return f(0);\n}\n"),
        ("Makefile", "p: p.c\n\t$(CC) p.c -o p\n"),
    ];
    for profiler in BOTH {
        let audit = Package::new(&files).audit(profiler, &["--build", "make", "--", "./p"]);
        assert_eq!(wrong(&audit), [""; 0]);
        assert_eq!(line(&audit, "p.c", 4), checked(1));
    }
}

#[test]
fn an_action_that_a_parser_generator_copies_is_counted_in_all_places() {
    let action = |number: u32| {
        let next = 13 + 5 * number;
        format!(
            "    case {number}:\n#line 3 \"actions\"\n        {{ act(); }}\n#line {next} \"p.c\"\n        break;\n"
        )
    };
    let actions: String = (0..3).map(action).collect();
    let program = format!(
        "static int done;\nstatic void act(void)\n{{\n    done++;\n}}\nstatic void run(int n)\n{{\n    switch (n) {{\n{actions}    }}\n}}\n\
         int main(int argc, char **argv)\n{{\n    run(0);\n    run(argc);\n    return done - 2;\n}}\n"
    );
    let files = [
        ("p.c", program.as_str()),
        ("actions", "%%\n\nactions: { act(); }\n"),
        ("Makefile", "p: p.c\n\t$(CC) p.c -o p\n"),
    ];
    let audit = Package::new(&files).audit("gcov", &["--build", "make", "--", "./p"]);
    assert_eq!(wrong(&audit), [""; 0]);
    assert_eq!(line(&audit, "actions", 3), checked(2));
}

#[test]
fn a_unit_of_which_no_function_is_compiled_and_a_statement_that_is_an_attribute_are_no_hindrance() {
    let files = [
        ("t.h", "static inline int f(int n)\n{\n    return n;\n}\n"),
        ("t.c", "#include \"t.h\"\nint table[1] = { 3 };\n"),
        (
            "p.c",
            "extern int table[1];\nint main(int argc, char **argv)\n{\n    switch (argc) {\n    case 1:\n        argc += table[0];\n        \
             __attribute__((__fallthrough__));\n    default:\n        return argc - 4;\n    }\n}\n",
        ),
        ("Makefile", "p: p.c t.c\n\t$(CC) p.c t.c -o p\n"),
    ];
    for profiler in BOTH {
        let audit = Package::new(&files).audit(profiler, &["--build", "make", "--", "./p"]);
        assert_eq!(wrong(&audit), [""; 0]);
        assert_eq!(line(&audit, "p.c", 6), checked(1));
        assert!(audit.units.unchecked.is_empty(), "{:?}", audit.units);
    }
}

#[test]
fn objects_may_be_in_a_folder_that_is_named_for_the_compiler() {
    let files = [
        ("p.c", "int main(void)\n{\n    return 0;\n}\n"),
        (
            "Makefile",
            "SUM := $(shell echo '$(CC)' | cksum | cut -d ' ' -f 1)\nall:\n\tmkdir obj_$(SUM)\n\t$(CC) -c p.c -o obj_$(SUM)/p.o\n\t$(CC) obj_$(SUM)/p.o -o p\ncheck:\n\t./p\n",
        ),
    ];
    for profiler in BOTH {
        let audit = Package::new(&files).audit(profiler, &["--build", "make all", "--test", "make check"]);
        assert_eq!((audit.units.all, audit.units.unchecked.len()), (1, 0), "{:?}", audit.units);
        assert_eq!(line(&audit, "p.c", 3), checked(1), "{profiler}");
    }
}

#[test]
fn the_counts_of_failing_tests_are_checked_too() {
    let files = [
        (
            "p.c",
            "int main(int argc, char **argv)\n{\n    (void)argv;\n    if (argc > 1)\n        return 3;\n    return 0;\n}\n",
        ),
        ("Makefile", "p: p.c\n\t$(CC) p.c -o p\ncheck: p\n\t./p\n\t./p fails\n"),
    ];
    let audit = Package::new(&files).audit("gcov", &["--build", "make", "--", "make", "check"]);
    assert_eq!(audit.tests, "exit code 2");
    assert_eq!((line(&audit, "p.c", 5), line(&audit, "p.c", 6)), (checked(1), checked(1)));
}

#[test]
fn the_network_and_other_folders_are_out_of_reach_but_loopback_works() {
    let files = [
        (
            "p.c",
            "#include <arpa/inet.h>\n#include <sys/socket.h>\nint main(void)\n{\n    struct sockaddr_in at = { .sin_family = AF_INET };\n\
                 socklen_t size = sizeof at;\n    int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);\n\
                 at.sin_addr.s_addr = htonl(0x7f000001);\n    if (bind(server, (struct sockaddr *)&at, size) || listen(server, 1))\n        return 7;\n\
                 getsockname(server, (struct sockaddr *)&at, &size);\n    if (connect(client, (struct sockaddr *)&at, size))\n        return 8;\n    return 0;\n}\n",
        ),
        (
            "Makefile",
            "p: p.c\n\t$(CC) p.c -o p\ncheck: p\n\tif touch ../escaped; then exit 1; fi\n\treadlink /proc/self/ns/net >space\n\t./p\n",
        ),
    ];
    let package = Package::new(&files);
    let outside = std::fs::read_link("/proc/self/ns/net").unwrap();
    let space = |audit: &Audit| {
        let copy = package.0.at("out").join("work").join(&audit.profiler.compiler).join("coverage/space");
        std::fs::read_to_string(copy).unwrap().trim().to_string()
    };
    let audit = package.audit("gcov", &["--build", "make", "--", "make", "check"]);
    if audit.units.notes.iter().any(|note| note.contains("network namespace")) {
        support::skip("no network namespace on this machine");
    } else {
        assert_eq!((audit.tests.as_str(), line(&audit, "p.c", 14)), ("exit code 0", checked(1)));
        assert_ne!(space(&audit), outside.to_str().unwrap());
        let open = package.audit("gcov", &["--network", "--build", "make", "--", "make", "check"]);
        assert_eq!((open.tests.as_str(), space(&open).as_str()), ("exit code 0", outside.to_str().unwrap()));
    }
    assert!(!package.0.at("escaped").exists() && !package.0.at("package/p").exists());
}

#[test]
fn tests_that_never_end_are_stopped_with_a_sentence() {
    let files = [
        ("p.c", "#include <unistd.h>\nint main(void) { for (;;) pause(); }\n"),
        ("Makefile", "p: p.c\n\t$(CC) p.c -o p\ncheck: p\n\t./p\n"),
    ];
    let package = Package::new(&files);
    let said =
        package.said(&["--profiler", "gcov", "--limit", "4s", "--build", "make", "--", "make", "check"]);
    assert_eq!(said.code, 2, "{}{}", said.out, said.err);
    assert!(said.err.contains("did not end within 4 s") && said.err.contains("--test"), "{}", said.err);
    assert_eq!(support::processes(package.0.root()), [""; 0]);
}

#[test]
fn a_build_that_fails_or_compiles_nothing_is_said_with_its_output() {
    let package = Package::new(&[
        ("p.c", "int main(void) { return oops; }\n"),
        ("Makefile", "p: p.c\n\t$(CC) p.c -o p\n"),
    ]);
    let said = package.said(&["--profiler", "gcov", "--build", "make", "--", "true"]);
    assert!(
        said.code == 2 && said.err.contains("the build with coverage failed") && said.err.contains("oops"),
        "{}",
        said.err
    );
    let said = package.said(&["--profiler", "gcov", "--", "true"]);
    assert!(said.code == 2 && said.err.contains("compiled no C file"), "{}", said.err);
}

#[test]
fn a_tree_that_cannot_be_written_is_audited_in_its_copies() {
    let package = Package::new(&WRONG);
    let root = package.0.at("package");
    std::fs::set_permissions(root.join("p.c"), PermissionsExt::from_mode(0o444)).unwrap();
    std::fs::set_permissions(&root, PermissionsExt::from_mode(0o555)).unwrap();
    let audit = package.audit("gcov", &["--", "make", "check"]);
    std::fs::set_permissions(&root, PermissionsExt::from_mode(0o755)).unwrap();
    assert_eq!(line(&audit, "p.c", 17).0, Some(20));
    assert!(!root.join("p").exists());
}

#[test]
fn processes_that_fork_die_or_race_are_counted_once() {
    let files = [
        (
            "p.c",
            "#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>\nstatic int work(int n)\n{\n    int i, s = 0;\n    for (i = 0; i < n; i++)\n        s += i;\n    return s;\n}\n\
                 int main(void)\n{\n    int status;\n    work(10);\n    if (fork() == 0)\n        exit(work(5) == 10 ? 0 : 1);\n    wait(&status);\n    if (fork() == 0) {\n        work(100);\n        _exit(0);\n    }\n    wait(&status);\n    return 0;\n}\n",
        ),
        ("Makefile", "p: p.c\n\t$(CC) p.c -o p\ncheck: p\n\t./p\n"),
    ];
    let audit = Package::new(&files).audit("gcov", &["--build", "make", "--", "make", "check"]);
    let (reported, right, state) = line(&audit, "p.c", 8);
    // The counts of the process that ends by `_exit` are lost.
    assert_eq!((reported, state), (Some(15), State::Convention { rule: "lost-process".into() }));
    assert_eq!(right, Some(15), "what the profiler's authors intend is not corrected");
    assert_eq!(line(&audit, "p.c", 14), checked(1));
}

#[test]
fn counts_that_vary_are_not_judged() {
    let files = [
        (
            "p.c",
            "#include <stdlib.h>\nint main(int argc, char **argv)\n{\n    int i, n = atoi(argv[1]), s = 0;\n    for (i = 0; i < n; i++)\n        \
             s += i;\n    return s < argc - 2;\n}\n",
        ),
        ("Makefile", "p: p.c\n\t$(CC) p.c -o p\ncheck: p\n\techo x >>runs\n\t./p $$(wc -l <runs)\n"),
    ];
    let audit = Package::new(&files).audit("gcov", &["--build", "make", "--", "make", "check"]);
    assert!(matches!(line(&audit, "p.c", 6).2, State::Unchecked { .. }));
    assert_eq!(line(&audit, "p.c", 7), checked(1));
    assert_eq!(wrong(&audit), [""; 0]);
}

#[test]
fn counts_that_depend_on_the_cpu_time_are_not_judged() {
    let files = [
        (
            "p.c",
            "#include <stdlib.h>\n#include <string.h>\n#include <time.h>\nint main(void)\n{\n    memset(malloc(SIZE), 1, SIZE);\n    \
             if (clock() > CLOCKS_PER_SEC / 50)\n        return 0;\n    return 0;\n}\n",
        ),
        (
            "Makefile",
            "p: p.c\n\tcase $$PWD in *counters*) f=-DSIZE=500000000;; *) f=-DSIZE=1;; esac; $(CC) $$f p.c -o p\ncheck: p\n\t./p\n",
        ),
    ];
    for profiler in BOTH {
        let audit = Package::new(&files).audit(profiler, &["--build", "make", "--", "make", "check"]);
        assert_eq!(wrong(&audit), [""; 0]);
        assert!(matches!(line(&audit, "p.c", 8).2, State::Unchecked { .. }));
        assert_eq!(line(&audit, "p.c", 7), checked(1));
    }
}

#[test]
fn counts_that_depend_on_the_alignment_of_data_are_not_judged() {
    // The first string is at an odd place in one of the two builds, and at an even one after one more byte.
    let files = [
        (
            "p.c",
            "#include <stdint.h>\n#include <string.h>\nint main(void)\n{\n    const char *text = PAD \"ab\";\n    \
             if (((uintptr_t)text & 1) == 0)\n        return 0;\n    return 0;\n}\n",
        ),
        (
            "Makefile",
            "p: p.c\n\tcase $$PWD in *counters*) f='-DPAD=\"x\"';; *) f='-DPAD=';; esac; $(CC) $$f p.c -o p\ncheck: p\n\t./p\n",
        ),
    ];
    for profiler in BOTH {
        let audit = Package::new(&files).audit(profiler, &["--build", "make", "--", "make", "check"]);
        assert_eq!(wrong(&audit), [""; 0]);
        assert_eq!(line(&audit, "p.c", 5), checked(1));
    }
}

#[test]
fn a_part_of_a_function_in_a_file_of_its_own_is_checked() {
    let files = [
        (
            "p.c",
            "static int apply(char op, int a, int b)\n{\n    switch (op) {\n#include \"cases.def\"\n    }\n    return 0;\n}\n\
             int main(void)\n{\n    return apply('-', 4, 2) + apply('-', 3, 2) + apply('+', 1, 1) - 5;\n}\n",
        ),
        ("cases.def", "case '+':\n    return a + b;\ncase '-':\n    return a - b;\n"),
        ("Makefile", "p: p.c cases.def\n\t$(CC) p.c -o p\ncheck: p\n\t./p\n"),
    ];
    for profiler in BOTH {
        let audit = Package::new(&files).audit(profiler, &["--build", "make", "--", "make", "check"]);
        assert_eq!(wrong(&audit), [""; 0]);
        assert_eq!(line(&audit, "cases.def", 2), checked(1));
        assert_eq!(line(&audit, "cases.def", 4), checked(2));
    }
}

#[test]
fn a_program_that_a_script_names_by_its_number_is_the_same_in_both_builds() {
    // As the wrapper of libtool does.
    let files = [
        ("p.c", "int main(void)\n{\n    return 0;\n}\n"),
        ("run", "#!/bin/sh\n$CC p.o -o $$-p && mv $$-p p && ./p\n"),
        ("Makefile", "p.o: p.c\n\t$(CC) -c p.c\ncheck: p.o\n\tCC=$(CC) sh run\n"),
    ];
    for profiler in BOTH {
        let audit = Package::new(&files).audit(profiler, &["--build", "make", "--", "make", "check"]);
        assert_eq!(audit.units.unchecked, BTreeMap::new(), "{:?}", audit.units.notes);
        assert_eq!(line(&audit, "p.c", 3), checked(1));
    }
}

#[test]
fn a_program_that_behaves_differently_in_the_two_builds_is_not_judged() {
    let files = [
        ("p.c", "int main(void)\n{\n#ifdef COUNTED\n    return 1;\n#else\n    return 0;\n#endif\n}\n"),
        (
            "Makefile",
            "p: p.c\n\tcase $$PWD in *counters*) f=-DCOUNTED;; esac; $(CC) $$f p.c -o p\ncheck: p\n\t-./p\n",
        ),
    ];
    let audit = Package::new(&files).audit("gcov", &["--build", "make", "--", "make", "check"]);
    let reason = audit.units.unchecked.values().next().map_or("", String::as_str);
    assert!(reason.contains("ended differently"), "{:?}", audit.units);
    let says_more =
        |note: &String| note.ends_with("build with counters: make: [Makefile:4: check] Error 1 (ignored)");
    assert!(audit.units.notes.iter().any(says_more), "{:?}", audit.units.notes);
    assert!(audit.files.is_empty() && !audit.units.notes.is_empty());
}

#[test]
fn a_program_that_writes_something_else_in_the_two_builds_is_not_judged() {
    let files = [
        ("p.c", "#include <stdio.h>\nint main(void)\n{\n    puts(TEXT);\n    return 0;\n}\n"),
        (
            "Makefile",
            "p: p.c\n\tcase $$PWD in *counters*) f='\"abc\"';; *) f='\"ab\"';; esac; $(CC) -DTEXT=\"$$f\" p.c -o p\n\
             check: p\n\t./p >written\n",
        ),
    ];
    for profiler in BOTH {
        let audit = Package::new(&files).audit(profiler, &["--build", "make", "--", "make", "check"]);
        let reason = audit.units.unchecked.values().next().map_or("", String::as_str);
        assert!(
            reason.ends_with("a process writes 3 bytes only in the build with coverage: ./p"),
            "{:?}",
            audit.units
        );
    }
}

#[test]
fn a_function_that_is_never_called_need_not_exist() {
    let files = [
        (
            "p.c",
            "int absent(int);\nint main(int argc, char **argv)\n{\n    int e = argc;\n    (void)argv;\n    if (e && 0)\n        e = absent(e);\n    return e != 1;\n}\n",
        ),
        ("Makefile", "p: p.c\n\t$(CC) p.c -o p\ncheck: p\n\t./p\n"),
    ];
    // Clang drops the call with optimisation only.
    let audit = Package::new(&files).audit("gcov", &["--build", "make", "--", "make", "check"]);
    assert_eq!(line(&audit, "p.c", 8), checked(1));
    assert_eq!(wrong(&audit), [""; 0]);
}

#[test]
fn other_names_for_the_folder_do_not_hide_a_file() {
    let files = [
        ("p.c", "int main(void)\n{\n    return 0;\n}\n"),
        ("Makefile", "p: p.c\n\t$(CC) -g -ffile-prefix-map=$(CURDIR)=. p.c -o p\ncheck: p\n\t./p\n"),
    ];
    for profiler in BOTH {
        let audit = Package::new(&files).audit(profiler, &["--build", "make", "--", "make", "check"]);
        assert_eq!(line(&audit, "p.c", 3), checked(1));
        assert_eq!(wrong(&audit), [""; 0]);
    }
}

#[test]
fn the_profile_is_no_output_of_the_program_nor_of_its_plugins() {
    let files = [
        (
            "p.c",
            "#include <dlfcn.h>\n#include <stdio.h>\n#include <stdlib.h>\nstatic void late(void)\n{\n    puts(\"late\");\n}\n\
             int main(void)\n{\n    void *plugin = dlopen(\"./plugin.so\", RTLD_NOW);\n    int (*work)(void) = (int (*)(void))dlsym(plugin, \"work\");\n    \
             atexit(late);\n    return work() != 5;\n}\n",
        ),
        ("plugin.c", "#include <stdio.h>\nint work(void)\n{\n    return puts(\"work\");\n}\n"),
        (
            "Makefile",
            "p: p.c plugin.c\n\t$(CC) -shared -fPIC plugin.c -o plugin.so\n\t$(CC) p.c -o p -ldl\ncheck: p\n\t./p >written\n",
        ),
    ];
    for profiler in BOTH {
        let audit = Package::new(&files).audit(profiler, &["--build", "make", "--", "make", "check"]);
        assert_eq!(audit.units.unchecked, BTreeMap::new(), "{:?}", audit.units.notes);
        assert_eq!([line(&audit, "p.c", 6), line(&audit, "plugin.c", 4)], [checked(1), checked(1)]);
    }
}

#[test]
fn a_build_is_used_again_and_configuration_probes_are_left_alone() {
    let files = [
        ("p.c", "int main(void)\n{\n    return VALUE;\n}\n"),
        (
            "configure",
            "#!/bin/sh\necho 'int main(void) { return 0; }' >conftest.c\n$CC -O3 -Wall conftest.c -o conftest 2>probe.log || exit 1\n\
                       test -s probe.log && exit 1\nls *.gcno 2>/dev/null && exit 1\necho 'p: p.c' >Makefile\necho '\t$(CC) -DVALUE=0 p.c -o p' >>Makefile\necho built >>log\n",
        ),
    ];
    let package = Package::new(&files);
    let commands = ["--resume", "--build", "sh configure && make", "--", "./p"];
    let first = package.audit("gcov", &commands);
    let again = package.audit("gcov", &commands);
    assert_eq!((line(&first, "p.c", 3), line(&again, "p.c", 3)), (checked(1), checked(1)));
    let log = package.0.at("out").join("work").join(&first.profiler.compiler).join("coverage/log");
    assert_eq!(std::fs::read_to_string(log).unwrap(), "built\n");
    assert_eq!(first.units.all, 1, "the probe is no unit");
}
