//! Imports of small testsuites and packages: which files are taken, which are skipped and why, and the plan of a
//! campaign over the result.

mod support;

use std::collections::BTreeMap;

use support::{Said, Temp};

const MAIN: &str = "int main(void) { return 0; }\n";

fn said(temp: &Temp, args: &[&str]) -> Said {
    Said::from(temp.recount(args))
}

/// The rows of an import's list: the file, and `taken` or the reason.
fn rows(temp: &Temp, folder: &str) -> BTreeMap<String, String> {
    let list = fs_err::read_to_string(temp.at(folder).join("import.tsv")).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!(cells.len(), 4, "{line}");
        let fate = if cells[1] == "taken" { "taken" } else { cells[2] };
        (cells[0].to_string(), fate.to_string())
    };
    list.lines().skip(1).map(row).collect()
}

/// The programs and inputs of a campaign.
fn planned(temp: &Temp, folder: &str) -> Vec<String> {
    let plan = said(temp, &["run", folder, "--profiler", "gcov", "--dry-run"]);
    assert_eq!((plan.code, plan.err.as_str()), (0, ""), "{}", plan.out);
    let job = |line: &str| line.rsplit_once('|').map(|(job, _)| job.to_string()).unwrap();
    plan.out.lines().map(job).collect()
}

#[track_caller]
fn expect(rows: &BTreeMap<String, String>, expected: &[(&str, &str)]) {
    let expected: BTreeMap<String, String> =
        expected.iter().map(|(file, fate)| (file.to_string(), fate.to_string())).collect();
    assert_eq!(*rows, expected);
}

/// A program after directives.
fn test(lines: &[&str], program: &str) -> String {
    lines.iter().map(|line| format!("/* {{ {line} }} */\n")).collect::<String>() + program
}

#[test]
fn a_suite_with_directives() {
    let temp = Temp::new();
    let write = |name: &str, lines: &[&str], program: &str| {
        temp.write(&format!("suite/{name}"), test(lines, program))
    };
    temp.write("suite/inc/one.h", "#include \"two.h\"\n");
    temp.write("suite/inc/two.h", "#define TWO 2\n");
    temp.write("suite/inc/lost.h", "");
    let two = "#include \"../inc/one.h\"\nint main(void) { return TWO - X; }\n";
    write("a/flags.c", &["dg-do run", "dg-options \"-O3 -std=c99 -DX=2\" { target x86_64-*-* }"], two);
    write("a/plain.c", &["dg-do run { target { *-*-linux* && lp64 } }"], MAIN);
    write("b/plain.c", &["dg-do run"], MAIN);
    write("gcc.c-torture/execute/t.c", &[], "main () { return 0; }\n");
    write("a/compile.c", &["dg-do compile"], MAIN);
    write("a/arm.c", &["dg-do run { target arm*-*-* }"], MAIN);
    write("a/ia32.c", &["dg-do run", "dg-require-effective-target ia32"], MAIN);
    write("a/odd.c", &["dg-do run", "dg-require-effective-target odd_hw"], MAIN);
    write("a/skip.c", &["dg-do run", "dg-skip-if \"\" { *-*-* } { \"-O0\" }"], MAIN);
    write("a/xfail.c", &["dg-do run", "dg-xfail-run-if \"bug\" { x86_64-*-* }"], MAIN);
    write("a/fails.c", &["dg-do run", "dg-shouldfail \"\""], MAIN);
    write("a/more.c", &["dg-do run", "dg-additional-sources \"x.c\""], MAIN);
    write("a/env.c", &["dg-do run", "dg-set-compiler-env-var X y"], MAIN);
    write("a/m32.c", &["dg-do run", "dg-options \"-m32\""], MAIN);
    write("a/lto.c", &["dg-do run", "dg-options \"-flto\""], MAIN);
    write("a/body.c", &["dg-do run"], "#include \"plain.c\"\n");
    write("a/broken.c", &["dg-do run"], "#include \"../inc/lost.h\"\nint main(void) { return }\n");
    write("a/one.c", &["dg-do run"], "int main(void) { return 1; }\n");
    write("a/aborts.c", &["dg-do run"], "#include <stdlib.h>\nint main(void) { abort(); }\n");
    temp.write("suite/a/latin.c", b"/* { dg-do run } \xe4 */ int main(void) { return 0; }\n");

    let import = said(&temp, &["import", "gcc", "suite", "--out", "out", "--quiet"]);
    assert_eq!((import.code, import.err.as_str()), (0, ""), "{}", import.out);
    let count = import.out.lines().find_map(|line| line.strip_prefix("taken ")).map(str::trim);
    assert_eq!(count, Some("4"), "{}", import.out);
    expect(
        &rows(&temp, "out"),
        &[
            ("a/flags.c", "taken"),
            ("a/plain.c", "taken"),
            ("b/plain.c", "taken"),
            ("gcc.c-torture/execute/t.c", "taken"),
            ("a/compile.c", "is not run"),
            ("a/arm.c", "not for x86_64 Linux"),
            ("a/ia32.c", "not for x86_64 Linux"),
            ("a/odd.c", "needs a feature that recount does not know"),
            ("a/skip.c", "not for x86_64 Linux"),
            ("a/xfail.c", "known to fail"),
            ("a/fails.c", "expected to fail"),
            ("a/more.c", "needs several files"),
            ("a/env.c", "needs an environment variable"),
            ("a/m32.c", "needs another ABI"),
            ("a/lto.c", "needs link-time optimisation"),
            ("a/body.c", "includes another C file"),
            ("a/broken.c", "does not compile"),
            ("a/one.c", "returns another exit code"),
            ("a/aborts.c", "is killed by a signal"),
            ("a/latin.c", "is not UTF-8 text"),
        ],
    );
    let sidecar = fs_err::read_to_string(temp.at("out/a/flags.toml")).unwrap();
    assert_eq!(sidecar, "flags = [\"-std=c99\", \"-DX=2\"]\n");
    assert!(temp.at("out/inc/two.h").exists() && !temp.at("out/inc/lost.h").exists());
    let jobs = ["a/flags|default", "a/plain|default", "b/plain|default", "gcc.c-torture/execute/t|default"];
    assert_eq!(planned(&temp, "out"), jobs);

    let again = said(&temp, &["import", "gcc", "suite", "--out", "out"]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("not empty; remove it"), "{}", again.err);
    let unchecked = said(&temp, &["import", "gcc", "suite", "--out", "all", "--no-check"]);
    assert_eq!(unchecked.code, 0);
    assert_eq!(rows(&temp, "all").values().filter(|fate| *fate == "taken").count(), 7);
}

#[test]
fn a_suite_with_run_lines_and_without() {
    let temp = Temp::new();
    let lit = "// RUN: %clang_profgen -o %t -O3 -DX=1 %s\n// RUN: %run %t a b\n// RUN: %run %t\n";
    temp.write("suite/lit.c", format!("{lit}int main(int n, char **v) {{ return n - n + X - 1; }}\n"));
    temp.write("suite/mac.c", format!("// REQUIRES: darwin\n{lit}{MAIN}"));
    temp.write("suite/ir.c", "// RUN: %clang_cc1 -emit-llvm %s -o - | FileCheck %s\n");
    temp.write("suite/unit.c", "int main() { return 3; }\n");
    temp.write("suite/unit.reference_output", "text\nexit 3\n");
    temp.write("suite/part.c", "int f(void) { return 0; }\n");
    temp.write("suite/MultiSource/a.c", MAIN);
    temp.write("suite/MultiSource/b.c", "int g(void) { return 0; }\n");
    let import = said(&temp, &["import", "clang", "suite", "--out", "out", "--quiet"]);
    assert_eq!((import.code, import.err.as_str()), (0, ""), "{}", import.out);
    expect(
        &rows(&temp, "out"),
        &[
            ("lit.c", "taken"),
            ("unit.c", "taken"),
            ("mac.c", "not for x86_64 Linux"),
            ("ir.c", "is not run"),
            ("part.c", "has no main"),
            ("MultiSource/a.c", "needs several files"),
            ("MultiSource/b.c", "has no main"),
        ],
    );
    assert_eq!(planned(&temp, "out"), ["lit|1", "lit|2", "unit|default"]);
}

/// A package of three programs: one with two files, an archive and a generated header; one whose files use the same
/// private names; one whose files cannot be joined.
fn package(temp: &Temp) {
    temp.write(
        "Makefile",
        "\
CFLAGS = -O2 -Iinclude -DSTEP=2
all: count clash torn
config.h:
\techo '#define UNIT 1' >config.h
lib/sum.o: lib/sum.c config.h
\t$(CC) $(CFLAGS) -I. -c lib/sum.c -o $@
libsum.a: lib/sum.o
\tar rcs $@ lib/sum.o
count: count.c libsum.a
\t$(CC) $(CFLAGS) -c count.c
\t$(CC) -o $@ count.o -L. -lsum -lm
clash: clash.c other.c
\tgcc -o $@ clash.c other.c
torn: torn.c other.c
\tgcc -o $@ torn.c other.c
check: all
\tprintf 'a b\\nc\\n' | ./count
\t./count x lib
\t./count x lib
\t./count notes.txt <notes.txt
\t./count binary <binary
",
    );
    temp.write("include/sum.h", "int sum(int a, int b);\n");
    temp.write("notes.txt", "some notes\n");
    temp.write("binary", b"a\0b\xff\n");
    temp.write("lib/own.h", "#include \"config.h\"\n");
    temp.write(
        "lib/sum.c",
        "#include <sum.h>\n#include \"own.h\"\nint sum(int a, int b) { return a + b * UNIT; }\n",
    );
    temp.write(
        "count.c",
        "#include <stdio.h>\n#include \"sum.h\"\nint main(int argc, char **argv)\n{\n    int n = 0;\n    (void)argv;\n    \
         while (getchar() != EOF)\n        n = sum(n, 1);\n    printf(\"%d\\n\", n + argc * STEP);\n    return 0;\n}\n",
    );
    temp.write("open.h", "enum colour { RED };\nint f(void);\n");
    temp.write("body.c", "#line 1 \"body.y\"\nstatic int body(void) { return 1; }\n");
    temp.write(
        "clash.c",
        "#include \"open.h\"\n#include \"body.c\"\n#define ONE 1\nstatic int x = ONE;\n\
         int main(void) { return f() - x * body() + RED; }\n",
    );
    temp.write(
        "other.c",
        "#include \"open.h\"\n#ifdef ONE\n#error\n#endif\nstatic double x = 1;\ntypedef int word;\n\
         int f(void) { return (word)x; }\n#ifdef TEST\nint main(void) { return f(); }\n#endif\n",
    );
    // A compiler that sees one file at a time accepts this.
    temp.write("torn.c", "long f(void);\nint main(void) { return (int)f() - 1; }\n");
}

#[test]
fn a_package_and_its_tests() {
    let temp = Temp::new();
    package(&temp);
    let import =
        said(&temp, &["import", "build", "--out", "out", "--quiet", "--test", "make check", "--", "make"]);
    assert_eq!((import.code, import.err.as_str()), (0, ""), "{}", import.out);
    expect(
        &rows(&temp, "out"),
        &[
            ("count.c", "taken"),
            ("count.test-3.c", "taken"),
            ("lib/sum.c", "part of a program"),
            ("clash.c", "taken"),
            ("other.c", "part of a program"),
            ("torn.c", "does not compile"),
        ],
    );
    let program = fs_err::read_to_string(temp.at("out/count.c")).unwrap();
    assert!(program.starts_with("/* lib/sum.c */\n#include <sum.h>\n"), "{program}");
    assert!(temp.at("out/config.h").exists() && temp.at("out/lib/own.h").exists());
    let sidecar = fs_err::read_to_string(temp.at("out/count.toml")).unwrap();
    assert!(
        sidecar.contains("\"-DSTEP=2\"") && sidecar.contains("stdin = \"\"\"\na b\nc\n\"\"\""),
        "{sidecar}"
    );
    assert!(sidecar.contains("/lib\"]\n") && sidecar.contains("\"count.inputs/"), "{sidecar}");
    assert!(
        !sidecar.contains(temp.at("out").as_str()),
        "no path into the folder itself is absolute: {sidecar}"
    );
    assert!(!sidecar.contains("\"-L"), "what the build made is in the text: {sidecar}");
    let jobs = ["clash|default", "count|test-1", "count|test-2", "count|test-4", "count.test-3|test-3"];
    assert_eq!(planned(&temp, "out"), jobs);
    assert!(
        !temp.at("count.recount-real").exists()
            && fs_err::read(temp.at("count")).unwrap().starts_with(b"\x7fELF")
    );

    fs_err::rename(temp.at("out"), temp.at("moved")).unwrap();
    let tracefile = ["check", "moved/count.c", "--profiler", "gcov", "--format", "lcov"];
    let moved = said(&temp, &tracefile);
    assert_eq!((moved.code, moved.err.as_str()), (0, ""), "a moved folder still compiles and runs");
    assert_eq!(moved.out.matches("end_of_record").count(), 3, "one record per input: {}", moved.out);

    let again = said(&temp, &["import", "build", "--out", "more", "--", "make"]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("make clean"), "{}", again.err);
    let fails = said(&temp, &["import", "build", "--out", "fails", "--", "make", "nothing"]);
    assert_eq!(fails.code, 2);
    assert!(fails.err.contains("the build failed") && fails.err.contains("nothing"), "{}", fails.err);
}

#[test]
fn a_compilation_database_is_imported() {
    let temp = Temp::new();
    package(&temp);
    temp.write("config.h", "#define UNIT 1\n");
    let entry = |file: &str| {
        format!(
            r#"{{"directory": "{}", "file": "{file}", "command": "cc -Iinclude -I. -DSTEP=2 -c {file}"}}"#,
            temp.root()
        )
    };
    temp.write("db.json", format!("[{},\n{}]", entry("lib/sum.c"), entry("count.c")));
    let import = said(&temp, &["import", "build", "--out", "out", "-q", "--compile-commands", "db.json"]);
    assert_eq!((import.code, import.err.as_str()), (0, ""), "{}", import.out);
    expect(&rows(&temp, "out"), &[("count.c", "taken"), ("lib/sum.c", "part of a program")]);
    assert_eq!(planned(&temp, "out"), ["count|default"]);
}
