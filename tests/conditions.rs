//! Condition coverage: ground truth is compared with vectors that were derived by hand, and real profilers, with and
//! without falsified reports, are compared with ground truth.

#[path = "support/liar.rs"]
mod liar;
#[path = "support/fake.rs"]
mod profiler;
mod support;
#[path = "support/town.rs"]
mod town;

use liar::{Lie, record_with};
use recount::config::Settings;
use recount::corpus::Input;
use recount::model::{Family, Finding, Metric, RelationName, Verdict};
use recount::syntax::Program;
use recount::toolchain::{Request, Worker, condition_flags, select};
use recount::truth::measure;

/// Three calls: (1, 0, 1), (0, 0, 0), (1, 1, 0).
const DECISIONS: &str = "\
#include <stdio.h>
static int both(int a, int b) { return a && b; }
static int f(int a, int b, int c)
{
  int r = 0;
  if ((a && b) || c)
    r = 1;
  if (!(a && c)) r += 4;
  r += both(a, b) || c ? 1 : 2;
  while (a && (b ||
         c)) a = 0;
  return r;
}
int main(void)
{
  printf(\"%d %d %d\\n\", f(1, 0, 1), f(0, 0, 0), f(1, 1, 0));
  for (int i = 0; i < 3 && i != 2; i++) puts(\"\");
  return 0;
}
";

/// The line of a decision, and the flags of its conditions that must be set: by gcc's definition (the true and the false
/// outcome of each condition) and by clang's (each condition).
type Expected = (u32, &'static [bool], &'static [bool]);

const YES: bool = true;
const NO: bool = false;

/// Derived from the vectors that occur, including the last evaluation of the loop.
const EXPECTED: [Expected; 6] = [
    // both(): 1 0, 0 -, 1 1.
    (2, &[YES, YES, YES, YES], &[YES, YES]),
    // 1 0 1, 0 - 0, 1 1 -: c masks a and b in the first.
    (6, &[YES, YES, YES, NO, YES, YES], &[YES, NO, NO]),
    // 1 1, 0 -, 1 0.
    (8, &[YES, YES, YES, YES], &[YES, YES]),
    // 0 1, 0 0, 1 -.
    (9, &[YES, YES, YES, YES], &[YES, YES]),
    // 1 0 1 and then 0 - -; 0 - -; 1 1 - and then 0 - -: in the first c = 1 masks b = 0.
    (10, &[YES, YES, YES, NO, YES, NO], &[YES, NO, NO]),
    // 1 1, 1 1, 1 0.
    (17, &[YES, NO, YES, YES], &[NO, YES]),
];

/// Three calls: (0, 1, 0), (1, 0, 0), (1, 1, 1).
const NEGATED: &str = include_str!("../configs/known/negated_part.c");

/// The vectors are F-- and TF-, for which `!(a && b)` is true, and TTT. The decision is always true, so no condition decides
/// it. For gcc the outcomes count that made it true.
const OF_NEGATED: [Expected; 1] = [(4, &[NO, YES, NO, YES, YES, NO], &[NO, NO, NO])];

/// The parser takes `(a) && b` for a cast, so it sees no parentheses there.
const IN_PARENTHESES: &str = "\
#include <stdio.h>
static int f(int a, const char *b)
{
  int c = (a) && (b[0] == '0');
  while (a > 5 && (c) && b[0])
    a = 0;
  if (c || (a) && ((c)) && b[1] == 0)
    a++;
  return (a) && (c) && (b[0] == '0');
}
int main(void)
{
  printf(\"%d %d\\n\", f(9, \"0\"), f(0, \"1\"));
  return 0;
}
";

/// `f` is called with a = 9, where c is 1 and the loop runs once, and with a = 0, where c is 0.
const OF_PARENTHESES: [Expected; 4] = [
    // 1 1, 0 -.
    (4, &[YES, YES, YES, NO], &[YES, NO]),
    // 1 1 1, 0 - -, 0 - -.
    (5, &[YES, YES, YES, NO, YES, NO], &[YES, NO, NO]),
    // 1 - - -, 0 0 - -.
    (7, &[YES, YES, NO, YES, NO, NO, NO, NO], &[YES, NO, NO, NO]),
    // 1 1 1 with a = 1 after `a++`, 0 - -.
    (9, &[YES, YES, YES, NO, YES, NO], &[YES, NO, NO]),
];

#[test]
fn operands_in_parentheses_are_conditions() {
    covered(IN_PARENTHESES, &OF_PARENTHESES);
}

#[test]
fn ground_truth_knows_which_conditions_are_covered() {
    covered(DECISIONS, &EXPECTED);
}

#[test]
fn the_opposite_of_a_part_belongs_to_the_decision() {
    covered(NEGATED, &OF_NEGATED);
}

/// Like macros named `likely`.
const IN_EXPECT: &str = "\
#define likely(x) __builtin_expect(!!(x), 1)
static int f(int a, int b, int c)
{
  if (likely(a && b) || c) return 1;
  return 0;
}
int main(void)
{
  return f(1, 0, 1) + f(0, 1, 1) + f(1, 0, 0) - 2;
}
";

#[test]
fn a_part_in_builtin_expect_belongs_to_the_decision() {
    // 1 0 1, 0 - 1, 1 0 0. A true `c` masks the others for gcc, and a false `b` masks `a`.
    covered(IN_EXPECT, &[(4, &[NO, NO, NO, YES, YES, YES], &[NO, NO, YES])]);
    for family in ["gcov", "llvm-cov"] {
        let found = found(family, IN_EXPECT, |_, _| {});
        assert!(found.as_ref().is_none_or(Vec::is_empty), "{family}: {found:?}");
    }
}

/// Whether clang generates the chain in `_Generic` as branches is its own business, and glibc's `assert` has its argument twice.
#[test]
fn decisions_in_constructs_that_choose_or_repeat_them_are_not_reported() {
    let text = "#include <assert.h>\nstatic int f(int a, int b)\n{\n  assert(a >= 0 && b >= 0);\n  if (_Generic(a, int: a && b) || \
                b > 3) return 1;\n  if (__builtin_choose_expr(1, a && b, b) || b > 3) return 2;\n  if (__extension__(a && b) \
                || b > 3) return 3;\n  return 0;\n}\nint main(void)\n{\n  return f(1, 0) + f(0, 1) + f(0, 4) - 1;\n}\n";
    for family in ["gcov", "llvm-cov"] {
        let found = found(family, text, |_, _| {});
        assert!(found.as_ref().is_none_or(Vec::is_empty), "{family}: {found:?}");
    }
}

fn covered(text: &str, expected: &[Expected]) {
    for family in ["gcov", "llvm-cov"] {
        let temp = support::Temp::new();
        let mut worker = Worker::new(temp.at("w0"), support::BINARY.into(), Settings::quick().limits);
        let profiler = select(&[family.to_string()]).unwrap().remove(0);
        let program = Program::parse(text.into());
        // This version need not be able to count conditions: ground truth does not use its coverage.
        let flags: Vec<String> = condition_flags(profiler.info().profiler, 99).map(String::from).collect();
        let input = Input::default();
        let request = Request { flags: &flags, ..Request::new(&program.source, &input) };
        let truth = measure(&*profiler, &mut worker, &request).unwrap().unwrap();
        let lines: Vec<u32> = truth.decisions.iter().map(|decided| decided.chain.line).collect();
        assert_eq!(lines, expected.iter().map(|(line, ..)| *line).collect::<Vec<_>>());
        for (decided, (line, gcc, clang)) in truth.decisions.iter().zip(expected) {
            assert_eq!(decided.covered(Family::Gcov), *gcc, "line {line}");
            assert_eq!(decided.covered(Family::LlvmCov), *clang, "line {line}");
        }
        worker.finish();
    }
}

/// Line, reported and right count of each finding about conditions; none if the newest of `family` does not count conditions.
fn found(family: &str, text: &str, lie: Lie) -> Option<Vec<(u32, Option<u64>, u64)>> {
    let newest = select(&[family.to_string()]).unwrap().remove(0);
    let info = newest.info();
    if condition_flags(info.profiler, info.major()).next().is_none() {
        support::skip_for_newer_tools(&format!("{} does not count conditions", info.compiler));
        return None;
    }
    let record = record_with(RelationName::Truth, family, text, lie, |settings| settings.conditions = true);
    let metric = if family == "gcov" { Metric::Condition } else { Metric::Mcdc };
    let of = record.findings.into_iter().filter(|finding| finding.metric == metric);
    let judged = |finding: Finding| {
        assert_eq!(finding.verdict, Verdict::Wrong);
        (finding.line.unwrap(), finding.before, finding.truth.unwrap()[0])
    };
    Some(of.map(judged).collect())
}

#[test]
fn conditions_that_are_counted_right_are_not_reported() {
    for family in ["gcov", "llvm-cov"] {
        let found = found(family, DECISIONS, |_, _| {});
        assert!(found.as_ref().is_none_or(Vec::is_empty), "{family}: {found:?}");
    }
}

#[test]
fn a_condition_with_a_wrong_flag_is_found() {
    for family in ["gcov", "llvm-cov"] {
        let found = found(family, DECISIONS, |_, coverage| {
            for decision in coverage.decisions.iter_mut().filter(|decision| decision.line == 6) {
                let last = decision.shown.len() - 1;
                decision.shown[last] = !decision.shown[last];
            }
        });
        let expected = if family == "gcov" { (6, Some(0), 1) } else { (6, Some(1), 0) };
        assert!(found.as_ref().is_none_or(|found| *found == [expected]), "{family}: {found:?}");
    }
}

#[test]
fn a_decision_that_is_not_in_the_report_is_found() {
    for family in ["gcov", "llvm-cov"] {
        let found = found(family, DECISIONS, |_, coverage| {
            coverage.decisions.retain(|decision| decision.line != 6);
        });
        // Five outcomes are covered, or one condition.
        let expected = if family == "gcov" { (6, None, 5) } else { (6, None, 1) };
        assert!(found.as_ref().is_none_or(|found| *found == [expected]), "{family}: {found:?}");
    }
}

/// In the first function a macro makes the part with the `!`, so the report does not say in which order it lists the conditions:
/// only one order agrees with the vectors that occurred, and then an outcome is wrong.
#[test]
fn conditions_in_a_macro_have_the_order_of_their_vectors() {
    let text = "#include <stdio.h>\n#define EITHER(a, b) ((a) || (b))\nstatic int f(int a, int b, int c)\n{\n    if (a && \
                !EITHER(b, c))\n        return 1;\n    return 0;\n}\nint main(void)\n{\n    printf(\"%d\\n\", f(1, 0, 1) + \
                f(0, 1, 1) + f(1, 0, 0));\n    return 0;\n}\n";
    let Some(found) = found("llvm-cov", text, |_, _| {}) else { return };
    let newest = select(&["llvm-cov".to_string()]).unwrap().remove(0);
    // Before LLVM 21 clang warns that it does not support the decision.
    let is_supported = newest.info().major() >= 21;
    assert_eq!(found, if is_supported { vec![(5, Some(0), 1)] } else { Vec::new() });
}

#[test]
fn a_vector_with_a_wrong_outcome_is_found() {
    let found = found("llvm-cov", DECISIONS, |_, coverage| {
        for decision in coverage.decisions.iter_mut().filter(|decision| decision.line == 9) {
            for (values, outcome) in decision.vectors.iter_mut().flatten() {
                *outcome ^= *values == [Some(false), Some(true)];
            }
        }
    });
    // Only new versions list vectors.
    assert!(found.as_ref().is_none_or(|found| found.is_empty() || *found == [(9, Some(0), 1)]), "{found:?}");
}

/// The order of its conditions is not known, but in none of them are these the vectors that occurred.
#[test]
fn a_vector_that_a_decision_in_a_macro_lacks_is_found() {
    let text = "#include <stdio.h>\n#define EITHER(a, b) ((a) || (b))\nstatic int f(int a, int b)\n{\n    if (EITHER(a, b))\n        \
                return 1;\n    return 0;\n}\nint main(void)\n{\n    printf(\"%d\\n\", f(1, 0) + f(0, 1) + f(0, 0));\n    return 0;\n}\n";
    let right = found("llvm-cov", text, |_, _| {});
    assert!(right.as_ref().is_none_or(Vec::is_empty), "{right:?}");
    let lies = found("llvm-cov", text, |_, coverage| {
        for decision in &mut coverage.decisions {
            decision.vectors.iter_mut().for_each(|vectors| _ = vectors.pop());
        }
    });
    // Only new versions list vectors.
    let newest = select(&["llvm-cov".to_string()]).unwrap().remove(0);
    let lists = newest.info().major() >= 20;
    assert!(lies.as_ref().is_none_or(|found| found.is_empty() != lists), "{lies:?}");
}

#[test]
fn a_path_with_an_arc_that_was_never_taken_is_not_covered() {
    let record = record_with(
        RelationName::Truth,
        "gcov",
        DECISIONS,
        |_, coverage| {
            for paths in coverage.paths.iter_mut().filter(|paths| paths.name == "main") {
                paths.covered = paths.total as u64;
                paths.uncovered.clear();
            }
        },
        |settings| settings.conditions = true,
    );
    let newest = select(&["gcov".to_string()]).unwrap().remove(0);
    let of_paths = record.findings.iter().filter(|finding| finding.metric == Metric::Path).count();
    assert_eq!(of_paths > 0, newest.info().major() >= 15, "{:#?}", record.findings);
}

/// The counts of arcs would admit all four paths, but there are two calls.
#[test]
fn a_function_without_a_loop_takes_one_path_in_each_call() {
    let text = "\
static int sum(int a, int b)
{
  int found = 0;
  if (a) found++;
  if (b) found += 2;
  return found;
}
int main(void) { return sum(1, 1) + sum(0, 0) - 3; }
";
    let wrong = |lie: Lie| {
        let record =
            record_with(RelationName::Truth, "gcov", text, lie, |settings| settings.conditions = true);
        record.findings.iter().filter(|finding| finding.metric == Metric::Path).count()
    };
    let newest = select(&["gcov".to_string()]).unwrap().remove(0);
    assert_eq!(wrong(|_, _| {}), 0);
    let lies = wrong(|_, coverage| {
        for paths in coverage.paths.iter_mut().filter(|paths| paths.name == "sum") {
            paths.covered = paths.total as u64;
            paths.uncovered.clear();
        }
    });
    assert_eq!(lies > 0, newest.info().major() >= 15);
}

/// The counts of the arcs are those of both outcomes once, whether each call took one of each or not.
#[test]
fn the_order_of_the_arcs_decides_which_paths_were_taken() {
    let text = "\
#include <stdlib.h>
static int sum(int a, int b)
{
  int found = 0;
  if (a) found++;
  if (b) found += 2;
  return found;
}
int main(void)
{
  int all = sum(1, 0) + sum(0, 1);
  if (all == 3) exit(0);
  return 1;
}
";
    let paths = |lie: Lie| -> Vec<(Option<u64>, Vec<u64>)> {
        let record =
            record_with(RelationName::Truth, "gcov", text, lie, |settings| settings.conditions = true);
        let checked = record.checked.unwrap();
        assert!(checked.unknown.is_empty(), "{:?}", checked.unknown);
        let symptoms = record.findings.iter().flat_map(Finding::each_symptom);
        let of_paths = symptoms.filter(|finding| finding.metric == Metric::Path);
        of_paths.map(|finding| (finding.before, finding.truth.unwrap_or_default())).collect()
    };
    assert_eq!(paths(|_, _| {}), []);
    let found = paths(|_, coverage| {
        for paths in coverage.paths.iter_mut().filter(|paths| paths.name == "sum") {
            // The paths with both statements and with none, in place of which are those with one of them.
            let untaken = std::mem::take(&mut paths.uncovered);
            let longest = untaken.iter().max_by_key(|path| path.len()).unwrap();
            let without = |index: usize| [&longest[..index], &longest[index + 1..]].concat();
            paths.uncovered = vec![without(1), without(3)];
        }
    });
    let newest = select(&["gcov".to_string()]).unwrap().remove(0);
    assert_eq!(found.is_empty(), newest.info().major() < 15, "{found:?}");
    assert!(found.iter().all(|(shown, right)| !right.contains(&shown.unwrap())), "{found:?}");
}

/// A nested function has another name in the report, so that only the counts of arcs show that control left it in a call.
#[test]
fn a_path_that_a_call_leaves_is_not_taken() {
    let text = "\
#include <stdlib.h>
int main(void)
{
  void stop(int *code) { exit(*code); }
  void leave(void)
  {
    int code __attribute__((cleanup(stop))) = 0;
  }
  leave();
  return 1;
}
";
    let record =
        record_with(RelationName::Truth, "gcov", text, |_, _| {}, |settings| settings.conditions = true);
    let mut of_paths = record.findings.iter().filter(|finding| finding.metric == Metric::Path);
    assert!(of_paths.next().is_none(), "{:#?}", record.findings);
}

/// The second return of `setjmp` continues the evaluation of the decision in which it is, so its vectors are not known.
#[test]
fn a_decision_with_a_second_return_is_not_checked() {
    let text = "\
#include <setjmp.h>
#include <stdio.h>
static jmp_buf place;
static int leave(int n) { if (n > 1) longjmp(place, 1); return n; }
int main(void)
{
  for (volatile int i = 0; i < 3; i++)
    if (setjmp(place) == 0 && leave(i) > 0 && i < 9) puts(\"\");
  return 0;
}
";
    for family in ["gcov", "llvm-cov"] {
        let found = found(family, text, |_, _| {});
        assert!(found.as_ref().is_none_or(Vec::is_empty), "{family}: {found:?}");
    }
}

/// gcc chooses the second arm itself, and has two branches for the attribute `cleanup` on the line.
#[test]
fn branches_of_a_cleanup_are_not_those_of_a_condition() {
    let text = "\
#include <stdio.h>
static int g, k;
static int one(void) { return 1; }
static void clean(int *p) { g += *p; }
static int f(void)
{
  int v = ({
    {
      int x __attribute__((cleanup(clean))) = !g == 60 ? one() : k;
      if (k) return 1;
    }
    return 2;
    3;
  });
  return v;
}
int main(void)
{
  if (k) f();
  printf(\"%d\\n\", g);
  return 0;
}
";
    let found = found("gcov", text, |_, _| {});
    assert!(found.as_ref().is_none_or(Vec::is_empty), "{found:?}");
}

/// gcc folds a part of each decision, so that the report has another one of the same size. What it tests of them by hand: the size of
/// the array; `z` and `z != a`; `a < 3`; `0 < b`; `z` and `b`; in the last one the conditions in the size, and `n < 1` alone.
const FOLDED: [&str; 8] = [
    "n += 1 >= (int) sizeof(char[(g & 7) + 1]) && (g++, 1) != 10;",
    "n += (a <= z && 4 != z ? z : z) || (z != a && z >= z);",
    "if (a < 3 || (((int[2]) {2, 1})[1] < b ? 11 : 6)) n++;",
    "for (; a < 8; a += 4) if ((a < g || 7 <= 1) > 5 || 0 < b) n++;",
    "n += _Generic(0, int: z && b, default: 0) + (z != *&z || z);",
    "n = 9 <= 4 || g >= 3 ? 4 : n;",
    "n = (int) sizeof(char[(4 <= g & 7) + 1]);",
    "for (; (int) sizeof(char[((a < b || 2 == a) & 7) + 1]) && n < 1; n++) g++;",
];

#[test]
fn decisions_of_which_gcc_folds_a_part_are_not_compared() {
    for statement in FOLDED {
        let text = format!(
            "\
#include <stdio.h>
static int a = 1, b = 1, g = 5, n, z;
int main(void)
{{
  {statement}
  printf(\"%d %d %d\\n\", a, g, n);
  return b - 1;
}}
"
        );
        let found = found("gcov", &text, |_, _| {});
        assert!(found.as_ref().is_none_or(Vec::is_empty), "{statement}: {found:?}");
    }
}

#[test]
fn a_decision_that_a_call_cuts_off_has_the_outcomes_before_the_call() {
    let text = "\
#include <stdlib.h>
static void stop(void) { exit(0); }
int main(void)
{
  int n = 3, sum = 0;
  for (int i = 0; i < n || (stop(), 0); i++)
    sum += i;
  return sum;
}
";
    let honest = found("gcov", text, |_, _| {});
    assert!(honest.as_ref().is_none_or(Vec::is_empty), "{honest:?}");
    let wrong = found("gcov", text, |_, coverage| {
        for decision in &mut coverage.decisions {
            (decision.shown[1], decision.covered) = (false, 1);
        }
    });
    assert!(wrong.as_ref().is_none_or(|found| *found == [(6, Some(0), 1)]), "the loop ended: {wrong:?}");
}

#[test]
fn the_condition_of_a_negated_choice_may_be_tested_either_way() {
    let text = "\
#include <stdio.h>
static int fails;
static int use(int i) { return i - 6; }
int main(void)
{
  !(use(5) == -1 ? 0 : (fails++, 1)) && puts(\"five\");
  return 0;
}
";
    let found = found("gcov", text, |_, _| {});
    assert!(found.as_ref().is_none_or(Vec::is_empty), "{found:?}");
}

/// clang stores the list, and so the decision in it has neither counters nor vectors: one fault.
#[test]
fn a_decision_in_a_constant_initialiser_has_the_cause_of_its_branches() {
    let text = "\
int main(void)
{
  const struct { int a, b; } s = { 3 > 2 && 2 > 1, 0 || 1 };
  return s.a != s.b;
}
";
    let temp = support::Temp::new();
    temp.write("p.c", text);
    let run = [
        "run",
        "p.c",
        "--profiler",
        "llvm-cov",
        "--relation",
        "truth",
        "--conditions",
        "--quiet",
        "--out",
        "out",
    ];
    assert!(support::Said::from(temp.recount(&run)).code <= 1);
    let found = recount::journal::read(&recount::journal::RunFolder(temp.at("out"))).unwrap().records;
    let signatures =
        found.iter().flat_map(|record| &record.findings).map(|finding| finding.signature.as_str());
    let signatures: Vec<&str> = signatures.collect();
    assert!(signatures.iter().all(|one| *one == "llvm-cov/constant-initialiser"), "{signatures:?}");
    assert!(!signatures.is_empty());
}
