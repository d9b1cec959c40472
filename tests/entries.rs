//! The text that calls a function compiles, whatever its parameters are.

mod support;

use std::io::Write as _;
use std::process::{Command, Stdio};

use recount::syntax::Preprocessed;
use recount::syntax::search::entries;

/// Stubs of the functions that the text uses.
const PRELUDE: &str = "
typedef unsigned long size_t;
typedef unsigned char uint8_t;
extern double recount_double(unsigned long long);
extern float recount_float(unsigned long long);
extern void *recount_array(int, unsigned long);
extern void recount_result(const char *, unsigned long long);
#define RECOUNT_BITS(value) ((void)sizeof (value), (unsigned long long)(value))
";

/// The types of the parameters.
const TYPES: &str = "enum { N = 3 };
enum colour { RED, GREEN };
typedef double real; typedef const real constant; typedef real matrix[N][2];
struct point { int x, y; const long z; unsigned flags : 3; int : 2; };
typedef struct { struct point at[2]; struct { float w; } in; struct { char c; }; volatile short v; } Shape;
typedef struct { int only; } *Handle;
typedef struct { int one; } Row[2];
";

/// Functions that can be called, each with its number of cells.
const FUNCTIONS: [(&str, usize); 22] = [
    ("double f(double x) { return x; }", 1),
    ("static float f(float x, const long double y) { return x + y; }", 2),
    ("int f(_Bool b, char c, size_t n, unsigned long long u) { return b + c + n + u; }", 4),
    ("enum colour f(enum colour c, real r, constant k) { return c + r + k; }", 3),
    ("void f(void) { }", 0),
    ("void f(int *p) { *p = 1; }", 1),
    ("int f(const int *p, int n) { return p[n]; }", 9),
    ("int f(const char *s) { return s ? s[0] : 0; }", 16),
    ("void f(double a[3][3]) { a[0][0] = 1; }", 9),
    ("double f(const double a[][2], constant *b) { return a[1][1] + *b; }", 17),
    ("void f(matrix m) { m[0][1] = 2; }", 6),
    ("int f(struct point p) { return p.x; }", 4),
    ("void f(struct point *restrict p) { if (!p) return; p->x = 1; }", 5),
    ("int f(Shape s, const Shape *t) { return s.c + t->c; }", 22),
    ("int f(Handle h) { return h->only; }", 1),
    ("int f(Row r) { return r[1].one; }", 2),
    ("double f(x, y, p) double x; int *p; { return x + y + *p; }", 3),
    ("f(c, w) char c; float w; { return c + w; }", 2),
    ("static h(a) struct point *a; { return a->x; }", 4),
    ("static inline unsigned char f(volatile uint8_t *p) { return p[0]; }", 15),
    ("int *f(int (*row)[3], int n) { return row[n]; }", 25),
    (
        "static __inline__ long f(register int x, int y, int unused __attribute__((unused))) { return x + y; }",
        3,
    ),
];

/// Check the syntax of `text`; none if `compiler` is not installed.
#[track_caller]
fn compiles(compiler: &str, standard: &str, text: &str) -> Option<()> {
    let mut command = Command::new(compiler);
    command.args(["-fsyntax-only", "-x", "c", "-w", standard, "-Werror=implicit-function-declaration"]);
    command.args(["-Werror=incompatible-pointer-types", "-Werror=declaration-after-statement", "-"]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().ok()?;
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{compiler}:\n{}\n{text}", String::from_utf8_lossy(&output.stderr));
    Some(())
}

/// The text of each function with its call.
fn calls() -> impl Iterator<Item = String> {
    FUNCTIONS.into_iter().map(|(function, cells)| {
        let function = function.replace("restrict", "__restrict");
        let source = format!("{PRELUDE}{TYPES}{function}\n");
        let mut found = entries(&Preprocessed::new(source.clone(), "p.c"));
        assert_eq!(found.len(), 1, "{function}");
        let entry = found.remove(0).unwrap_or_else(|refused| panic!("{function}: {}", refused.reason));
        let call = entry.call();
        assert_eq!(entry.cells().len(), cells, "{function}: {:?}\n{call}", entry.cells());
        let last = format!("recount_cell[{}]", cells.max(1) - 1);
        assert_eq!(call.contains(&last), cells > 0, "{call}");
        assert!(!call.contains(&format!("recount_cell[{cells}]")), "{call}");
        format!("{source}{call}")
    })
}

#[test]
fn calls_compile_with_gcc_as_c89() {
    for text in calls() {
        compiles("gcc", "-std=gnu89", &text).expect("gcc is installed");
    }
}

#[test]
fn calls_compile_with_clang_as_c17() {
    for text in calls() {
        // C17 has no implicit int.
        let text = text.replace("static h(a)", "static int h(a)").replace("\nf(c", "\nint f(c");
        if compiles("clang", "-std=gnu17", &text).is_none() {
            return support::skip("clang is not installed");
        }
    }
}
