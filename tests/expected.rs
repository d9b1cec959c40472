//! Compares the reports on real programs with the counts that they should show.
//!
//! `RECOUNT_PROGRAMS` lists folders of programs, `RECOUNT_DRAWN` the number of programs drawn from them, and
//! `RECOUNT_PROFILERS` the profilers. Every difference is printed.

mod support;

use camino::{Utf8Path, Utf8PathBuf};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use recount::config::Settings;
use recount::corpus::Input;
use recount::coverage::{Coverage, Region, RegionKind};
use recount::model::{Family, Line, Metric};
use recount::replay::{
    CheckedNumber, Expected, expected, expected_region, lacks_code, misplaced, needs_count, numbers,
};
use recount::toolchain::{Detail, Probed, Request, Worker, select};
use recount::truth::{Truth, measure, require_execution};
use support::{BINARY, Temp, skip};

/// How many numbers of one kind the reports have.
#[derive(Clone, Copy, Debug, Default)]
struct Numbers {
    all: usize,
    /// Without an expected count.
    unknown: usize,
    /// With several expected counts.
    several: usize,
    differing: usize,
}

/// What is known of the reports on programs.
#[derive(Default)]
struct Tally {
    programs: usize,
    without_truth: usize,
    lines: Numbers,
    /// Lines that should have a count and have none.
    missing: usize,
    branches: Numbers,
    regions: Numbers,
    /// Tokens in segments with another count.
    misplaced: usize,
    /// Functions, branches and regions that are missing or should not be there, and counts outside of functions.
    elements: usize,
}

/// One program, its report and its ground truth.
struct Program<'a> {
    path: &'a Utf8Path,
    source: &'a str,
    report: &'a Coverage,
    truth: &'a Truth,
    family: Family,
}

fn programs() -> Vec<Utf8PathBuf> {
    let mut all = support::programs(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/functions"));
    if let Ok(drawn) = std::env::var("RECOUNT_DRAWN") {
        all.shuffle(&mut ChaCha8Rng::seed_from_u64(31));
        all.truncate(drawn.parse().expect("a number"));
        all.sort();
    }
    all
}

impl Program<'_> {
    fn print(&self, line: Line, what: &str) {
        let text = self.source.lines().nth(line as usize - 1).unwrap_or_default().trim();
        println!("{}:{line}: {what}: {text}", self.path);
    }

    fn print_unknown(&self, line: Line, what: &str) {
        if std::env::var_os("RECOUNT_VERBOSE").is_some() {
            self.print(line, what);
        }
    }

    fn lines(&self, tally: &mut Tally) {
        let last = Line::try_from(self.source.lines().count()).unwrap();
        for line in 1..=last {
            let Some(count) = self.report.line(line) else {
                if needs_count(self.report, self.truth, self.family, line) {
                    tally.missing += 1;
                    self.print(line, "no count");
                }
                continue;
            };
            tally.lines.all += 1;
            match expected(self.truth, self.family, line) {
                Ok(Expected { counts, .. }) => {
                    tally.lines.several += usize::from(counts.len() > 1);
                    if !counts.contains(&count) {
                        tally.lines.differing += 1;
                        self.print(line, &format!("{count}, expected {counts:?}"));
                    }
                }
                Err(reason) => {
                    tally.lines.unknown += 1;
                    self.print_unknown(line, &format!("{count}, unknown: {reason}"));
                }
            }
        }
    }

    /// The branches that the report has.
    fn branches(&self, tally: &mut Numbers) {
        for number in numbers(self.report, Some(self.truth), self.family) {
            let (Metric::Branch, Some(count)) = (number.metric, number.count) else { continue };
            tally.all += 1;
            match &number.right {
                Ok(_) if !number.is_wrong() => {}
                Ok(right) => {
                    tally.differing += 1;
                    self.print(number.line, &format!("branch, {}: {count}, expected {right:?}", number.what));
                }
                Err(reason) => {
                    tally.unknown += 1;
                    self.print_unknown(number.line, &format!("branch, {}: unknown: {reason}", number.what));
                }
            }
        }
    }

    /// Functions, branches and regions that are missing, or should not be there.
    fn elements(&self, tally: &mut Tally) {
        for number in numbers(self.report, Some(self.truth), self.family) {
            let is_there = number.count.is_some() && number.right.as_ref().is_ok_and(Vec::is_empty);
            if number.is_wrong() && (number.count.is_none() || is_there) {
                tally.elements += 1;
                let (metric, what) = (number.metric.name(), number.what);
                self.print(
                    number.line,
                    &format!("{metric}, {what}: {:?}, expected {:?}", number.count, number.right),
                );
            }
        }
        for (line, count) in self.report.counted() {
            if lacks_code(self.report, self.truth, self.family, line) {
                tally.elements += 1;
                self.print(line, &format!("line: {count} outside of functions"));
            }
        }
    }

    fn regions(&self, tally: &mut Tally) {
        let numbers = &mut tally.regions;
        // Skipped text has no count, and no code is in an empty region.
        let is_compared = |region: &&Region| {
            region.kind != recount::coverage::RegionKind::Skipped && region.start != region.end
        };
        for region in self.report.regions.iter().filter(is_compared) {
            numbers.all += 1;
            let what = format!("region {region:?}");
            match expected_region(self.truth, region) {
                Ok(counts) if counts.contains(&region.count) => {
                    numbers.several += usize::from(counts.len() > 1);
                }
                Ok(counts) => {
                    numbers.differing += 1;
                    self.print(region.start.0, &format!("{what}, expected {counts:?}"));
                }
                Err(reason) => {
                    numbers.unknown += 1;
                    self.print_unknown(region.start.0, &format!("{what}, unknown: {reason}"));
                }
            }
        }
        for found in misplaced(self.truth, &self.report.segments) {
            tally.misplaced += 1;
            self.print(found.line, &format!("segment {found:?}"));
        }
    }
}

fn compare(profiler: &Probed, paths: &[Utf8PathBuf]) -> Tally {
    let temp = Temp::new();
    let mut worker = Worker::new(temp.at("w0"), BINARY.into(), Settings::quick().limits);
    let (input, family) = (Input::default(), profiler.info().profiler);
    let mut tally = Tally::default();
    let flags = ["-w".to_string(), "-I/usr/include/csmith".to_string()];
    for path in paths {
        let Ok(source) = fs_err::read_to_string(path) else { continue };
        let (folder, detail) = (path.parent(), Detail::Parts);
        let request = Request { folder, flags: &flags, detail, ..Request::new(&source, &input) };
        let Ok(report) = profiler.profile(&mut worker, &request).unwrap() else { continue };
        tally.programs += 1;
        let truth = measure(&**profiler, &mut worker, &request).unwrap();
        let Ok(truth) = require_execution(truth, &report.execution) else {
            tally.without_truth += 1;
            continue;
        };
        let program = Program { path, source: &source, report: &report.coverage, truth: &truth, family };
        program.lines(&mut tally);
        program.elements(&mut tally);
        program.branches(&mut tally.branches);
        if family == Family::LlvmCov {
            program.regions(&mut tally);
        }
    }
    tally
}

#[test]
fn nearly_every_number_of_a_report_has_an_expected_count() {
    let names = std::env::var("RECOUNT_PROFILERS").unwrap_or("gcc-12 clang-14".into());
    let paths = programs();
    let mut profilers = Vec::new();
    for name in names.split_whitespace() {
        match select(&[name.to_string()]) {
            Ok(mut found) => profilers.push(found.remove(0)),
            Err(error) => return skip(&format!("{name}: {error}")),
        }
    }
    let tallies: Vec<Tally> = profilers.par_iter().map(|profiler| compare(profiler, &paths)).collect();
    for (name, tally) in names.split_whitespace().zip(tallies) {
        println!("{name}: {} programs, {} without ground truth", tally.programs, tally.without_truth);
        for (what, Numbers { all, unknown, several, differing }) in
            [("lines", tally.lines), ("branches", tally.branches), ("regions", tally.regions)]
        {
            println!(
                "{name}: {all} {what}: {unknown} without an expected count, {several} with several; {differing} differ"
            );
            if std::env::var_os("RECOUNT_PROGRAMS").is_none() {
                // Branches of functions that are inlined are on the lines of the calls.
                let share = if what == "branches" { 10 } else { 50 };
                assert!(share * unknown <= all, "{unknown} of {all} {what} are unknown");
            }
        }
        println!(
            "{name}: {} lines without a count, {} tokens in other segments, {} elements missing or too many",
            tally.missing, tally.misplaced, tally.elements
        );
        if std::env::var_os("RECOUNT_PROGRAMS").is_none() {
            assert!(tally.programs > 20 && tally.without_truth == 0, "{} programs", tally.programs);
            // The faults of the profilers in these programs are known: gcov has the branches of an inlined function on the lines of
            // two of its calls in always_inline.c.
            let elements = if name.starts_with("gcc") { 4 } else { 0 };
            assert!(
                tally.missing == 0
                    && tally.elements == elements
                    && 20 * tally.lines.differing <= tally.lines.all,
                "too many differ"
            );
        }
    }
}

/// Two expansions of one macro with different counts: to exchange them would not change the line.
const TWO_EXPANSIONS: &str = "\
#define LIMIT(x) ((x) > 3 ? over++ : under++)
static int over, under;
int main(void)
{
    int one = 1;
    for (int i = 0; i < 9; i++)
        LIMIT(i);
    LIMIT(one);
    return over - under;
}
";

/// The report of clang-14 on `source`, and the ground truth of that. None without the compiler.
fn report_of(source: &str) -> Option<(Coverage, Truth)> {
    report_with("clang-14", &[], source)
}

fn report_with(profiler: &str, flags: &[String], source: &str) -> Option<(Coverage, Truth)> {
    let mut profilers = match select(&[profiler.to_string()]) {
        Ok(profilers) => profilers,
        Err(error) => {
            skip(&error.to_string());
            return None;
        }
    };
    let (profiler, temp, input) = (profilers.remove(0), Temp::new(), Input::default());
    let mut worker = Worker::new(temp.at("w0"), BINARY.into(), Settings::quick().limits);
    let request = Request { detail: Detail::Parts, flags, ..Request::new(source, &input) };
    let report = profiler.profile(&mut worker, &request).unwrap().unwrap();
    let truth = measure(&*profiler, &mut worker, &request).unwrap();
    Some((report.coverage, require_execution(truth, &report.execution).unwrap()))
}

/// The metrics and lines of the wrong numbers.
fn wrong(report: &Coverage, truth: &Truth) -> Vec<(Metric, Line)> {
    let all = numbers(report, Some(truth), Family::LlvmCov).into_iter();
    all.filter(CheckedNumber::is_wrong).map(|number| (number.metric, number.line)).collect()
}

/// The regions that begin at `start`, in order.
fn begun_at(report: &Coverage, start: (Line, u32)) -> Vec<usize> {
    (0..report.regions.len()).filter(|index| report.regions[*index].start == start).collect()
}

#[test]
fn counts_of_two_expansions_of_a_macro_are_not_exchanged() {
    let Some((mut report, truth)) = report_of(TWO_EXPANSIONS) else { return };
    assert_eq!(wrong(&report, &truth), []);
    let arms = begun_at(&report, (1, 29));
    let counts: Vec<u64> = arms.iter().map(|index| report.regions[*index].count).collect();
    assert_eq!(counts, [5, 0]);
    (report.regions[arms[0]].count, report.regions[arms[1]].count) = (0, 5);
    let branches = &mut report.tested;
    (branches[1].yes, branches[2].yes) = (branches[2].yes, branches[1].yes);
    assert_eq!(wrong(&report, &truth), [[(Metric::Branch, 1); 2], [(Metric::Region, 1); 2]].concat());
}

/// Bodies after conditions, which a gap is before.
const GAPS: &str = "\
int main(void)
{
    int n = 3, sum = 0;
    if (n > 5)
        n--;
    for (int i = 0; i < n; i++)
        sum += i;
    return sum != 3;
}
";

#[test]
fn the_gap_before_a_body_must_be_there_and_has_its_count() {
    let Some((report, truth)) = report_of(GAPS) else { return };
    assert_eq!(wrong(&report, &truth), []);
    for body in [(5, 9), (7, 9)] {
        let is_before = |region: &Region| region.kind == RegionKind::Gap && region.end == body;
        let mut changed = report.clone();
        changed.regions.retain(|region| !is_before(region));
        assert_eq!(wrong(&changed, &truth), [(Metric::Region, body.0)]);
        let mut changed = report.clone();
        changed.regions.iter_mut().filter(|region| is_before(region)).for_each(|region| region.count += 1);
        assert_eq!(wrong(&changed, &truth), [(Metric::Region, body.0 - 1)]);
    }
}

/// A macro that makes two functions, whose regions are in one place.
const TWO_FUNCTIONS: &str = "\
#define SUM(n) \\
static int sum##n(int a) { \\
    for (int i = 0; i < n; i++) \\
        if (a > 2) a += n; \\
    return a; \\
}
SUM(2)
SUM(3)
int main(void)
{
    return sum2(1) + sum3(4) != 14;
}
";

#[test]
fn functions_that_a_macro_makes_have_their_own_regions() {
    let Some((report, truth)) = report_of(TWO_FUNCTIONS) else { return };
    assert_eq!(wrong(&report, &truth), []);
    let conditions = begun_at(&report, (4, 13));
    let counts: Vec<u64> = conditions.iter().map(|index| report.regions[*index].count).collect();
    assert_eq!(counts, [2, 3]);
    let mut exchanged = report.clone();
    (exchanged.regions[conditions[0]].count, exchanged.regions[conditions[1]].count) = (3, 2);
    assert_eq!(wrong(&exchanged, &truth), [(Metric::Region, 4); 2]);
    let mut removed = report.clone();
    removed.regions.remove(conditions[1]);
    assert_eq!(wrong(&removed, &truth), [(Metric::Region, 4)]);
    let mut longer = report.clone();
    longer.regions[conditions[0]].end = (5, 3);
    assert_eq!(wrong(&longer, &truth), [(Metric::Region, 4)]);
}

/// Macros where the compiler sees no expression, so clang need not have an expansion.
const NO_VALUES: &str = "\
#define FIELD x
#define INDEX 1
#define TYPE int
#define SIZE 4
struct pair { int x, y[SIZE]; };
int main(void)
{
    struct pair p = { .y[INDEX] = 2, .FIELD = 3 };
    int a[SIZE] = { [INDEX ... SIZE - 1] = 1 };
    enum { FIRST = INDEX };
    int same = __builtin_types_compatible_p(TYPE, int);
    return same + p.FIELD + p.y[INDEX] + a[SIZE - 1] + FIRST != (TYPE) 8;
}
";

#[test]
fn a_macro_in_a_designator_or_a_type_needs_no_expansion() {
    let Some((report, truth)) = report_of(NO_VALUES) else { return };
    assert_eq!(wrong(&report, &truth), []);
}

/// Macros of the program with names like those that the compiler defines, and some that the compiler defines.
const RESERVED_NAMES: &str = "\
#define __ABS(x) ((x) < 0 ? -(x) : (x))
#define __BOTH(a, b) ((a) && (b))
int main(int argc, char **argv)
{
    int a = argc - 3;
    if (__ABS(a) > 1 && argc)
        a++;
    while (__ABS(a) < 3)
        a--;
    if (__BOTH(a, argc) || a > 3)
        a += __CHAR_BIT__ ? 1 : 2;
    if (__CHAR_BIT__ * a != 32 || __LINE__ == a)
        a--;
    for (; __LINE__ == 3 && a;)
        a--;
    return argv[0] == 0;
}
";

#[test]
fn only_macros_of_the_compiler_have_no_text() {
    let Some((report, truth)) = report_of(RESERVED_NAMES) else { return };
    assert_eq!(wrong(&report, &truth), []);
    // A left side, whose operand begins with the name, and the whole.
    let sides = begun_at(&report, (12, 9));
    assert_eq!(sides.len(), 2);
    for index in sides {
        let mut removed = report.clone();
        removed.regions.remove(index);
        assert_eq!(wrong(&removed, &truth), [(Metric::Region, 12)]);
    }
}

/// Macros of the command line where newer versions of clang have regions at the names of macros of the system.
const COMMAND_LINE: &str = "\
int main(int argc, char **argv)
{
    int a = argc;
    if (NUMBER > a)
        a += NUMBER;
    if (a && POSITIVE(a))
        a = NUMBER ? NUMBER : 2;
    return argv[0] == 0 || a == NUMBER + 1;
}
";

#[test]
fn macros_of_the_command_line_have_no_text() {
    let flags = ["-DNUMBER=4", "-DPOSITIVE(x)=((x)>0)"].map(String::from);
    for profiler in ["clang-14", "clang-22"] {
        if let Some((report, truth)) = report_with(profiler, &flags, COMMAND_LINE) {
            assert_eq!(wrong(&report, &truth), [], "{profiler}");
        }
    }
}

/// Programs whose regions and branches are right: an operator that is an argument, with a function in the macro and without;
/// an array size; a macro that consists of another one; an operand of a built-in that is a block; operators in a list of macros.
const RIGHT: [&str; 9] = [
    "#define FN(n, op) int n(int a, int b) { return a op b; }
FN(f, &&)
int main(void) { return f(1, 2) - 1; }
",
    "#define CMP(op) int r; if (a op b) r = 1; else r = 2; return r;
static int f(int a, int b) { CMP(&&) }
static int g(int a, int b) { CMP(<) }
int main(void) { return f(1, 2) - g(1, 2); }
",
    "#define WORDS(n) (((n) + 7) / 8)
int main(void)
{
    char a[WORDS(100)] = {0}, b[2 + WORDS(8)] = \"x\";
    return a[0] + b[1];
}
",
    "#define IN(c) ((c) > 47)
#define DIGIT(c) IN(c)
#define MORE(i) PLUS(i)
#define PLUS(i) ((i) + 1)
int main(void)
{
    int i = 48, s = 1;
    if (!DIGIT(i))
        s = 2;
    for (i = 0; i < 3; i = MORE(i))
        s++;
    if (i == 44 || DIGIT(i))
        s++;
    while (s < 9 - MORE(s))
        s++;
    s = s ? 1 + MORE(i) : 2;
    return s == 0;
}
",
    "int main(void)
{
    int i = -2;
    return __builtin_choose_expr(0, 5, ({ int y = i; y < 0 ? 0 : y; }));
}
",
    "#define LIST(X) X(a) X(b)
#define ANY(n) || n > 3
int main(void)
{
    int a = 1, b = 5;
    if (0 LIST(ANY))
        b = 0;
    return b;
}
",
    "#include <stddef.h>
#define ODD(v) ((v) & 1)
#define DEF(name, T) \\
    static inline T get_##name(T x, T *y) { if (y == NULL) return 0; return x > *y; } \\
    static inline void del_##name(T *h, T x) \\
    { \\
        if (x != *h && !ODD(x)) { --*h; } \\
    }
DEF(i, int)
DEF(l, long)
int main(void)
{
    int n = 5;
    for (int i = 0; i < 5; i++)
        del_i(&n, i);
    return get_l(1, NULL) + get_i(n, &n);
}
",
    "_Noreturn static void stop(void) { for (;;); }
static int f(int x)
{
    int a = (x < 9 ? 1 : (stop(), 2)) + 3;
    a++;
    a = (x < 9 ? 2 : (stop(), 1), 3);
    a++;
    return a;
}
int main(void) { return f(1); }
",
    "#define IF(c) if (c) {
#define BLOCK } {
#define END }
int main(void)
{
    int i, b = 0;
    for (i = 0; i < 6; i++) {
        IF(i > 3)
            b = 1;
        BLOCK
            b = 2;
        END
    }
    return b - 2;
}
",
];

#[test]
fn right_regions_and_branches_are_not_called_wrong() {
    for (source, profiler) in RIGHT.iter().flat_map(|source| [(source, "clang-14"), (source, "clang-24")]) {
        let Some((report, truth)) = report_with(profiler, &[], source) else { continue };
        let mut found = wrong(&report, &truth);
        found.retain(|(metric, _)| *metric != Metric::Line);
        assert_eq!(found, [], "{profiler}: {source}");
    }
}

/// A condition that clang evaluates, and one that it must not.
const EVALUATED: &str = "\
static const int limit = 2;
int main(void)
{
    char x = 'x';
    if (limit == 2)
        x++;
    if (*(const char *)&x == 'y')
        x++;
    return x == 'y';
}
";

#[test]
fn a_condition_that_is_listed_has_its_outcomes() {
    for profiler in ["clang-14", "clang-24"] {
        let Some((report, truth)) = report_with(profiler, &[], EVALUATED) else { continue };
        assert_eq!(wrong(&report, &truth), []);
        for branch in 0..report.tested.len() {
            let mut changed = report.clone();
            let tested = &mut changed.tested[branch];
            let line = tested.start.0;
            (tested.yes, tested.no) = (0, 0);
            assert_eq!(wrong(&changed, &truth), [(Metric::Branch, line)]);
        }
    }
}

/// Conditions that clang evaluates. Newer versions have no counters for the operands of the chain, a fault.
const BUILT_IN: &str = "int main(void)
{
    int i = -2;
    if (__builtin_constant_p(i) || __builtin_classify_type(i) == 8)
        i = 3;
    if (__builtin_classify_type(i) == 8)
        i = 4;
    return i == 4;
}
";

#[test]
fn old_versions_need_no_branch_for_what_clang_evaluates() {
    let Some((report, truth)) = report_of(BUILT_IN) else { return };
    assert_eq!(wrong(&report, &truth), []);
}

/// Values of `switch` that begin with a condition, one that is a chain, and a constant, which has no branch before LLVM 20.
const SWITCHES: &str = "static int f(int a, int b)
{
    switch (a > b ? a : b) {
    case 1:
        a++;
    }
    switch ((a > b && b) ? a : b) {
    case 1:
        a++;
    }
    switch (a + (b ? 2 : 1)) {
    case 3:
        a = 9;
    }
    switch (a && b) {
    case 1:
        a = 9;
    }
    switch ((a > 1 && b ? a : b) & 3) {
    case 1:
        a = 9;
    }
    switch (sizeof a) {
    case 4:
        a += 0;
    }
    return a;
}
int main(void) { return f(1, 2) - f(3, 0) + f(0, 0); }
";

#[test]
fn the_branch_of_a_missing_default_may_begin_with_a_condition() {
    for profiler in ["clang-14", "clang-24"] {
        let Some((report, truth)) = report_with(profiler, &[], SWITCHES) else { continue };
        let found = numbers(&report, Some(&truth), Family::LlvmCov);
        let branches = || found.iter().filter(|number| number.metric == Metric::Branch);
        assert!(branches().all(|number| number.right.is_ok() && !number.is_wrong()), "{profiler}");
        assert!(branches().count() > 20);
    }
}

#[test]
fn the_head_of_a_function_has_no_count_of_its_own() {
    let temp = Temp::new();
    temp.write("made.h", "#define MADE() static inline void f(void) {}\n");
    let flags = ["-isystem".to_string(), temp.root().to_string()];
    let source = "#include <made.h>\nMADE()\n\nstatic int\ntwice(int x)\n{\n    return 2 * x;\n}\n\
                  int main(void) {\n    return twice(1) - 2;\n}\n";
    for profiler in ["clang-14", "clang-22", "clang-24"] {
        let Some((report, truth)) = report_with(profiler, &flags, source) else { continue };
        let free = (1..=11).filter(|line| lacks_code(&report, &truth, Family::LlvmCov, *line));
        assert_eq!(free.collect::<Vec<Line>>(), [3, 4, 5], "{profiler}");
        // The empty region of the function that the macro makes reaches the body of the next one.
        let shown = if profiler == "clang-14" { None } else { Some(0) };
        assert_eq!(report.line(5), shown, "{profiler}");
    }
}

/// Operands with effects whose value is constant, and one that is true for a NaN. gcc tests the value of `(d = 0)`.
const SETTLED: &str = "static int c, d;
static int f(int a, int b)
{
    if (a && (c = b, 1) && b > 2)
        d++;
    if (a || (c++, 0) || b)
        d += 2;
    while (b > 0 && (b--, 1))
        c++;
    if (b || (c = 7))
        d--;
    return a && (d = 0);
}
static int g(double x) { return x != x || x > 5.0; }
int main(void) { return f(0, 0) + f(1, 3) + f(1, 0) + f(0, 4) + g(7) + g(2) + g(0.0 / c); }
";

#[test]
fn an_operand_with_effects_and_a_constant_value_is_no_condition_of_gcc() {
    for profiler in ["gcc-14", "gcc-17"] {
        let flags = ["-fcondition-coverage".to_string()];
        let Some((report, truth)) = report_with(profiler, &flags, SETTLED) else { continue };
        let found = numbers(&report, Some(&truth), Family::Gcov).into_iter();
        let found: Vec<CheckedNumber> =
            found.filter(|number| matches!(number.metric, Metric::Condition | Metric::Branch)).collect();
        let unknown = found.iter().filter(|number| number.right.is_err() || number.is_wrong());
        let lines: Vec<Line> = unknown.map(|number| number.line).collect();
        assert!(lines.is_empty(), "{profiler}: {lines:?}");
        assert!(found.len() > 25, "{profiler}: {}", found.len());
    }
}

/// gcc makes no decision of the `&&`, since no truth value is more than the constant before it, and one of `u <= l`, since its
/// value is only used with a constant: there are as many decisions as in the source, but not the same.
const EXCHANGED: &str = "static int h;
static int f(int x)
{
    return x + h;
}
static int held(int q, unsigned u, unsigned l)
{
    if ((q || (h = (~0xB582A47882F886A3LL) < (7 && f(2)))) & ((u <= l) ^ 15))
        return 1;
    return 0;
}
int main(void)
{
    return held(1, 2, 1);
}
";

#[test]
fn a_decision_that_gcc_makes_of_a_value_is_not_another_one_of_the_line() {
    for profiler in ["gcc-14", "gcc-17"] {
        let flags = ["-fcondition-coverage".to_string()];
        let Some((report, truth)) = report_with(profiler, &flags, EXCHANGED) else { continue };
        let found = numbers(&report, Some(&truth), Family::Gcov);
        let wrong: Vec<Line> =
            found.iter().filter(|number| number.is_wrong()).map(|number| number.line).collect();
        assert!(wrong.is_empty(), "{profiler}: {wrong:?}");
        let is_checked = |number: &&CheckedNumber| number.metric == Metric::Condition && number.right.is_ok();
        assert!(found.iter().filter(is_checked).count() > 5, "{profiler}");
    }
}
