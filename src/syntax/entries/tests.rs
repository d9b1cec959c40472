//! Tests of the functions that are found, the labels of their inputs, and the reasons why functions are rejected.

use super::*;

fn preprocessed(source: &str) -> Preprocessed {
    Preprocessed::new(source.into(), "p.c")
}

fn of(source: &str) -> Vec<Result<Entry, Unsupported>> {
    entries(&preprocessed(source))
}

/// The labels of the only function's cells, or why it is rejected.
#[track_caller]
fn labels(source: &str) -> String {
    let found = of(source);
    let [found] = found.as_slice() else { panic!("{found:?}") };
    match found {
        Ok(entry) => entry.cells().into_iter().map(|cell| cell.label).collect::<Vec<_>>().join(" "),
        Err(unsupported) => unsupported.reason.clone(),
    }
}

/// The numbers that a program reads from its standard input.
fn reads(program: &MainProgram) -> Vec<Number> {
    let cells = program.cells().into_iter().filter(|cell| cell.label.starts_with("stdin number "));
    cells.map(|cell| cell.number).collect()
}

/// The numbers of the only function's cells.
#[track_caller]
fn numbers(source: &str) -> Vec<Number> {
    let found = of(source);
    let [Ok(entry)] = found.as_slice() else { panic!("{found:?}") };
    entry.cells().into_iter().map(|cell| cell.number).collect()
}

fn integer(bits: u8, signed: bool) -> Number {
    Number::Integer { bits, signed }
}

#[test]
fn functions_of_the_main_file_have_their_lines() {
    let text = "# 1 \"p.c\"\n# 1 \"own.h\" 1\nint other(int x) { return x; }\n# 2 \"p.c\" 2\n\n\
                static double\nf(double x)\n{\n  return x;\n}\ng(a, b) int b; {\n}\nstatic h() { }\n";
    let found = of(text);
    let actual: Vec<_> = found
        .iter()
        .map(|entry| entry.as_ref().unwrap())
        .map(|entry| (entry.name.as_str(), entry.line, entry.end, entry.is_static, entry.returns))
        .collect();
    let int = Some(Number::INT);
    assert_eq!(
        actual,
        [("f", 3, 7, true, Some(Number::Double)), ("g", 8, 9, false, int), ("h", 10, 10, true, int)]
    );
}

#[test]
fn parameters_have_their_types() {
    use Number::{Double, Float, LongDouble};
    let source = "typedef unsigned short half; typedef half quarter; enum e { A, B };\n\
        void f(_Bool a, char b, unsigned char c, short d, quarter e, int g, const unsigned h, long i, size_t j,\
        int8_t k, enum e l, float m, double n, long double o, register unsigned long long int p, __signed char q) {}";
    let (i, u) = (|bits| integer(bits, true), |bits| integer(bits, false));
    let expected = [
        u(1),
        i(8),
        u(8),
        i(16),
        u(16),
        i(32),
        u(32),
        i(64),
        u(64),
        i(8),
        i(32),
        Float,
        Double,
        LongDouble,
        u(64),
        i(8),
    ];
    assert_eq!(numbers(source), expected);
    let source = "double f(x, y, z, a) double x; int a[2]; float y; { return x; }";
    assert_eq!(numbers(source), [Double, Float, Number::INT, Number::INT, Number::INT]);
    assert_eq!(labels(source), "x y z a[0] a[1]");
    assert_eq!(labels("int f(void) { return 0; }") + &labels("f() { }"), "");
}

#[test]
fn arrays_are_as_long_as_their_uses_need() {
    assert_eq!(labels("void f(int *p) { *p = 1; (*p)++; }"), "*p");
    assert_eq!(labels("int f(int *p) { return p && *p; }"), "*p p is null");
    assert_eq!(labels("int f(int p[3]) { return p[1]; }"), "p[0] p[1] p[2]");
    assert_eq!(
        labels("enum { N = 1 << 1 }; int f(int p[3][N - 1]) { return 0; }"),
        "p[0][0] p[1][0] p[2][0]"
    );
    for body in ["p[1] = 1;", "*p++ = 1;", "g(p);", "q = p + 1;", "while (p != q) ;"] {
        let found = labels(&format!("void f(int *p) {{ {body} }}"));
        assert!(found.starts_with("p[0] p[1]") && found.ends_with("p[7]"), "{body}: {found}");
    }
    let text = labels("int f(const char *s) { return g(s); }");
    assert!(text.starts_with("s[0] ") && text.ends_with(" s[14]"), "{text}");
}

#[test]
fn tests_against_null_are_recognised() {
    for test in ["p == ((void *)0)", "0 != p", "!p", "p", "a || p", "(p) == 0"] {
        assert_eq!(labels(&format!("void f(int *p) {{ if ({test}) ; }}")), "*p p is null", "{test}");
    }
    assert_eq!(labels("int f(int *p) { return p ? *p : 0; }"), "*p p is null");
    assert_eq!(labels("int f(int *p) { if (*p == 0) return 1; return !*p; }"), "*p");
}

#[test]
fn the_members_of_structs_are_cells() {
    let types = "struct in { int a[2]; }; typedef struct { double x; struct in i; struct { char c; }; } T;";
    let all = "i.a[0] i.a[1] c";
    assert_eq!(
        labels(&format!("{types} void f(T t) {{}}")),
        format!("x {all}").split(' ').map(|name| format!("t.{name}")).collect::<Vec<_>>().join(" ")
    );
    assert_eq!(labels(&format!("{types} void f(T *t) {{ t->x = 1; }}")), "t->x t->i.a[0] t->i.a[1] t->c");
    let many = labels(&format!("{types} void f(T *t) {{ t[1].x = 1; }}"));
    assert!(many.starts_with("t[0].x t[0].i.a[0]") && many.ends_with("t[7].c"), "{many}");
}

#[test]
fn rejections_name_the_parameter_and_the_reason() {
    let because = |source: &str, words: &[&str]| {
        let found = of(source);
        let [Err(found)] = found.as_slice() else { panic!("{source}: {found:?}") };
        for word in words {
            assert!(found.reason.contains(word), "{source}: {}", found.reason);
        }
        assert_eq!(found.name, "f");
    };
    because("void f(char **s) {}", &["`char **s`", "pointer to pointers", "recount can pass"]);
    because("void f(int (*g)(int)) {}", &["(*g)", "a function"]);
    because("void f(void *p) {}", &["`void *p`", "memory of no type"]);
    because("void f(FILE *p) {}", &["`FILE`"]);
    because("union u { int a; }; void f(union u a) {}", &["a union"]);
    because("struct n { int a; struct n *next; }; void f(struct n *p) {}", &["`next`", "a pointer"]);
    because("typedef struct n *L; struct n { L next; }; void f(L p) {}", &["`next`", "a pointer"]);
    because("void f(int a, ...) {}", &["`...`"]);
    because("void f(_Complex double z) {}", &["complex"]);
    because("void f(double a[100][100]) {}", &["10000 numbers"]);
    because("typedef int v __attribute__((vector_size(16))); void f(v a) {}", &["attribute"]);
    because("struct s; void f(struct s *p) {}", &["does not define"]);
    because("typedef A B; typedef B A; void f(A p) {}", &["too deeply"]);
}

#[test]
fn no_cut_program_panics() {
    let whole = "typedef struct { int x; } T; static double f(T *p, char s[4], int n) { if (p) return s[n]; }\n\
                 g(a) int a; { } int main(int argc, char **argv) { scanf(\"%d%lf\", &a); return atoi(argv[1]); }";
    for at in 0..whole.len() {
        for text in [
            whole[..at].to_string(),
            whole[at..].to_string(),
            format!("{}{}", &whole[..at], &whole[at + 1..]),
        ] {
            let program = preprocessed(&text);
            for entry in entries(&program).into_iter().flatten() {
                let _ = (entry.call(), entry.cells());
            }
            let _ = main_program(&program).map(|main| main.text(&[]));
        }
    }
}

#[test]
fn arguments_have_the_types_to_which_calls_convert_them() {
    let read = |body: &str| {
        main_program(&preprocessed(&format!("int main(int argc, char **argv) {{ {body} }}"))).unwrap()
    };
    let found = read("if (argc > 2) { x = atof(argv[2]); y = strtol(argv[1], 0, 10); }");
    let arguments =
        |program: MainProgram| program.cells().into_iter().map(|cell| cell.number).collect::<Vec<_>>();
    assert_eq!(arguments(found.clone()), [integer(8, false), integer(64, true), Number::Double]);
    let labels: Vec<String> = found.cells().into_iter().map(|cell| cell.label).collect();
    assert_eq!(labels, ["argc - 1", "argv[1]", "argv[2]"]);
    assert_eq!(found.text(&[4, 7, 0]), (vec!["7".into()], String::new()));
    assert_eq!(found.text(&[2, u64::MAX, 1.5_f64.to_bits()]).0, ["-1", "1.5"]);
    let found = read("for (i = 1; i < argc; i++) s += atof(argv[i]);");
    assert_eq!(arguments(found), [vec![integer(8, false)], vec![Number::Double; 4]].concat());
    assert_eq!(read("return 0;").cells(), []);
    assert_eq!(arguments(read("sscanf(argv[1], \"%u\", &n);")), [integer(32, false)]);
    assert!(main_program(&preprocessed("int f(void) { return 0; }")).is_none());
    assert!(main_program(&preprocessed("main() { }")).is_some());
}

#[test]
fn standard_input_follows_the_formats() {
    let read = |body: &str| main_program(&preprocessed(&format!("int main(void) {{ {body} }}"))).unwrap();
    let found = read("scanf(\"%d %lf\", &a, &b); for (;;) { scanf(\"%hu,\" \"%*d%%\", &c); }");
    let pair = [integer(16, false), Number::INT];
    assert_eq!(reads(&found), [vec![Number::INT, Number::Double], pair.repeat(4)].concat());
    assert_eq!(found.text(&[0, 5, 0.1_f64.to_bits()]).1, "5\n0.1\n0,\n0%\n0,\n0%\n0,\n0%\n0,\n0%\n");
    assert_eq!(found.text(&[9, 5, 0.1_f64.to_bits()]).1, "5\n");
    let found = read("scanf(\"at %x ,%lo\\n\", &a, &b);");
    assert_eq!(found.text(&[0, 255, 8]).1, "atff,\n10\n");
    let found = read("while ((c = getchar()) != -1) n++;");
    assert_eq!(found.cells().len(), 16);
    assert!(found.cells().iter().all(|cell| cell.label.starts_with("stdin byte ")));
    assert_eq!(found.text(&[0xc1, 0x62, 0, 0x63]).1, "Ab");
    let found = read("fgets(line, 9, stdin); sscanf(line, \"%Lf\", &x);");
    assert_eq!(reads(&found), [Number::LongDouble]);
    assert!(read("fgets(line, 9, file); fscanf(file, \"%d\", &x);").cells().is_empty());
}
