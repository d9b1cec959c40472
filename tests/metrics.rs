//! Counts of functions, branches and regions, with a real profiler whose reports are falsified: the wrong count must be
//! found, and nothing else reported.

#[path = "support/liar.rs"]
mod liar;
#[path = "support/fake.rs"]
mod profiler;
mod support;
#[path = "support/town.rs"]
mod town;

use std::collections::BTreeSet;
use std::process::Command;

use liar::{Lie, record};
use recount::coverage::{Coverage, Total};
use recount::journal::{RunFolder, read};
use recount::model::{Finding, Metric, Outcome, RelationName, Rule, Verdict};
use recount::toolchain::select;
use support::Temp;

const HONEST: Lie = |_, _| {};

/// Branches of every kind: on one line and on several, in macros, folded, in functions of every form.
const BRANCHES: &str = "\
#include <stdio.h>
#include <stdlib.h>
#define BOTH(a, b) ((a) && (b))
enum { ON = 1 };
static int add(int a, int b) { return a + b; }
int old(a, b) int a, b;
{
  return a > b ? a : b;
}
static int pick(int x)
{
  return x == 1
         ? add(x, 5)
         : x == 2
         ? add(x, 6)
         : add(x, 7);
}
int main(void)
{
  int sum = pick(7) + pick(8) - 29;
  for (int i = 0; i < 5; i++) {
    if (i == 3) /* one */
      sum += add(i, 1);
    else if (BOTH(i > 0, sum < 9)) sum++;
    if (i == 1 ||
        i == 2)
      sum += i  >  1 ? pick(i) : old(i, 2);
    if (ON) sum += sizeof (int) > 2 ? 1 : 2;
  }
  do sum--; while (sum > 20);
  while (sum < 30 && !(sum == 25)) sum++;
  switch (sum) { case 1: sum = 2; break; case 25: sum++; default: sum += 2; }
  if (!sum) exit(3);
  printf(\"%d\\n\", sum);
  return 0;
}
";

/// Values for which gcc makes branches, although they are no conditions of the source.
const VALUES: &str = "\
#include <stdio.h>
static int choose(int c, int x, int y)
{
  int n = 0;
  if (c ? x : 0) n++;
  if ((c && x) != 0) n += 2;
  if ((n++, c && x)) n += 2;
  n += c == 1 ? x < y : 0;
  n += (x < y) | 5;
  n += (x > y) ^ (c == 1);
  n += !x + 4;
  float q = x < y;
  n += (x ?: y);
  if (__builtin_expect(c && x, 1)) n++;
  if ((int)(c && x)) n++;
  if ((c && x) == 0 || (y < x) + 3 > 3) n++;
  return n + q;
}
int main(void)
{
  int sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      sum += choose(i, j, j * i % 3);
  printf(\"%d\\n\", sum);
  return 0;
}
";

/// The metric, line, count and ground truth of a finding.
type Judged = (Metric, Option<u32>, Option<u64>, Option<Vec<u64>>);

/// The wrong counts that are not counts of lines.
fn open(family: &str, text: &str, lie: Lie) -> Vec<Judged> {
    let mut findings = record(RelationName::Truth, family, text, lie, false).findings;
    findings.retain(|finding| finding.metric != Metric::Line && finding.verdict != Verdict::Convention);
    assert!(findings.iter().all(|finding| finding.verdict == Verdict::Wrong), "{findings:#?}");
    let judged = |finding: Finding| (finding.metric, finding.line, finding.before, finding.truth);
    findings.into_iter().map(judged).collect()
}

#[test]
fn branches_that_are_counted_right_are_not_reported() {
    for family in ["gcov", "llvm-cov"] {
        assert_eq!(open(family, BRANCHES, HONEST), []);
    }
}

/// The value of `a` in `a ?: b` is used and tested.
const SHORT_CHOICES: &str = "\
#include <stdio.h>
static int seven = 7;
int main(void)
{
  int sum = 1;
  for (int i = 0; i < 6; i++) {
    sum += (i > 3) ?: (i > 1);
    sum += i ?: i;
    sum += i ?: -i;
    sum += i ?: -1;
    sum += (i & 1) ?: seven;
    sum += i ?: (i > 3 ? 2 : 1);
    const char *text = i ? \"a\" : 0;
    text = text ?: \"b\";
    double half = i / 2.0 ?: 1.5;
    sum += *text + half;
    if (!(sum ?: i)) sum++;
    sum += i ?: sum ?: 2;
  }
  printf(\"%d\\n\", sum);
  return 0;
}
";

#[test]
fn branches_of_short_choices_are_counted() {
    for family in ["gcov", "llvm-cov"] {
        assert_eq!(open(family, SHORT_CHOICES, HONEST), [], "{family}");
        let found = open(family, SHORT_CHOICES, |_, coverage| {
            for branch in coverage.branches.iter_mut().filter(|branch| branch.line == 11).take(1) {
                branch.taken = branch.taken.map(|taken| taken + 4);
            }
            for branch in coverage.tested.iter_mut().filter(|branch| branch.start.0 == 11) {
                branch.yes += 4;
            }
        });
        assert_eq!(found, [(Metric::Branch, Some(11), Some(7), Some(vec![3]))], "{family}");
    }
}

/// The labels of a `switch`, with one of another kind between them: the first two have a branch each, the third none.
const LABELS: &str = "\
#include <stdio.h>
static int n;
static void count(int x)
{
  if (x == 5) goto again;
  switch (x) {
  case 0:
  again:
  case 1:
  case 2:
    n++;
    break;
  default:
    n += 2;
  }
}
int main(void)
{
  for (int i = 0; i < 9; i++)
    count(i % 6);
  printf(\"%d\\n\", n);
  return 0;
}
";

#[test]
fn a_label_between_two_cases_keeps_their_branches_apart() {
    assert_eq!(open("gcov", LABELS, HONEST), []);
    let found = open("gcov", LABELS, |_, coverage| {
        for branch in coverage.branches.iter_mut().filter(|branch| branch.line == 6).take(1) {
            branch.taken = branch.taken.map(|taken| taken + 5);
        }
    });
    // Of the values 0 to 5, 0 to 2 occur twice.
    assert_eq!(found, [(Metric::Branch, Some(6), Some(7), Some(vec![2]))]);
}

#[test]
fn branches_of_values_that_are_no_conditions_are_not_reported() {
    assert_eq!(open("gcov", VALUES, HONEST), []);
}

/// The parenthesis before the condition, which is part of the value of the `switch`, is at the place of the condition.
const PASSED: &str = "\
#define ADDED(b) (value + (b))
static int value = 1;
int main(void)
{
  switch (ADDED((1 ? 0 : value))) {
  case 7:
    return 1;
  }
  return 0;
}
";

#[test]
fn a_condition_that_is_passed_to_a_macro_in_a_switch_has_one_branch() {
    assert_eq!(open("llvm-cov", PASSED, HONEST), []);
}

#[test]
fn a_wrong_number_of_entries_of_a_function_is_found() {
    for family in ["gcov", "llvm-cov"] {
        let found = open(family, BRANCHES, |_, coverage| {
            for function in coverage.functions.iter_mut().filter(|function| function.name.ends_with("old")) {
                function.count += 4;
            }
        });
        let line = if family == "gcov" { 6 } else { 7 };
        assert_eq!(found, [(Metric::Function, Some(line), Some(5), Some(vec![1]))]);
    }
}

#[test]
fn a_wrong_number_of_outcomes_of_a_branch_is_found() {
    let gcov = open("gcov", BRANCHES, |_, coverage| {
        for branch in coverage.branches.iter_mut().filter(|branch| branch.line == 22) {
            branch.taken = branch.taken.map(|taken| if taken == 1 { 0 } else { taken });
        }
    });
    assert_eq!(gcov, [(Metric::Branch, Some(22), Some(0), Some(vec![1]))]);
    // The preprocessor removed spaces on this line; the column is still that of the file.
    let record = record(
        RelationName::Truth,
        "llvm-cov",
        BRANCHES,
        |_, coverage| {
            for branch in coverage.tested.iter_mut().filter(|branch| branch.start == (27, 14)) {
                branch.no += 2;
            }
        },
        false,
    );
    let of_branches: Vec<&Finding> =
        record.findings.iter().filter(|finding| finding.metric != Metric::Line).collect();
    let [finding] = of_branches[..] else { panic!("{:#?}", record.findings) };
    assert_eq!((finding.metric, finding.line, finding.before), (Metric::Branch, Some(27), Some(3)));
    assert_eq!(finding.truth, Some(vec![1]));
    // The mapping and the counters are right, so the report must be wrong.
    assert_eq!(finding.signature, "llvm-cov/report/branch/differs");
}

#[test]
fn a_wrong_count_of_a_region_is_found() {
    let found = open("llvm-cov", BRANCHES, |_, coverage| {
        for region in coverage.regions.iter_mut().filter(|region| region.start == (23, 7)) {
            region.count = 0;
        }
    });
    assert_eq!(found, [(Metric::Region, Some(23), Some(0), Some(vec![1]))]);
}

/// A `return` without a call is always completed.
#[test]
fn a_wrong_count_of_a_region_in_a_return_is_found() {
    const TEXT: &str = "\
static int any(int a, int b, int c)
{
  return a && (b || c);
}
int main(void)
{
  return any(1, 0, 1) + any(1, 1, 0) - 2;
}
";
    assert_eq!(open("llvm-cov", TEXT, HONEST), []);
    let found = open("llvm-cov", TEXT, |_, coverage| {
        for region in coverage.regions.iter_mut().filter(|region| region.start == (3, 15)) {
            region.count = 0;
        }
    });
    assert_eq!(found, [(Metric::Region, Some(3), Some(0), Some(vec![2]))]);
}

/// Each region is where the syntax says, and ends there.
#[test]
fn a_region_that_is_missing_or_ends_elsewhere_is_found() {
    const TEXT: &str = "\
#include <stdlib.h>
#define TWO (1 + 1)
#define INC n++
#define SUM(a) (a + 1)
static int n;
static int twice(int a)
{
  int r = TWO;
  for (int i = 0; i < r; i++)
    if (a > i + 5)
      abort();
  if (a > 7)
    abort();
  INC;
  return SUM(a) + n;
}
int main(void)
{
  if (n == 1 ||
      (n == 0 && twice(3) == 6))
    n++;
  return twice(3) != 7;
}
";
    assert_eq!(open("llvm-cov", TEXT, HONEST), []);
    // Missing: the expansion of a value in a declaration, after a macro that follows a jump the rest of its region, and the right
    // side of an operator.
    let missing: [(Lie, u32); 3] = [
        (|_, coverage| coverage.regions.retain(|region| region.start != (20, 7)), 20),
        (|_, coverage| coverage.regions.retain(|region| region.start != (8, 11)), 8),
        (|_, coverage| coverage.regions.retain(|region| region.start != (14, 6)), 14),
    ];
    let of = |found: &[Judged]| -> Vec<(Metric, Option<u32>)> {
        found.iter().map(|(metric, line, ..)| (*metric, *line)).collect()
    };
    for (lie, line) in missing {
        let found = open("llvm-cov", TEXT, lie);
        assert_eq!(of(&found), [(Metric::Region, Some(line))], "{found:?}");
    }
    // The body of a loop that is an `if`, the text of a macro, the rest of a region after one, and the right side.
    let found = open("llvm-cov", TEXT, |_, coverage| {
        let starts = [(10, 5), (4, 16), (14, 6), (20, 7)];
        for region in coverage.regions.iter_mut().filter(|region| starts.contains(&region.start)) {
            region.end.0 += 1;
        }
    });
    assert_eq!(of(&found), [4, 10, 14, 20].map(|line| (Metric::Region, Some(line))));
}

#[test]
fn a_branch_before_a_call_that_exits_is_a_convention_and_a_wrong_branch_next_to_it_is_not() {
    let text = "\
#include <stdlib.h>
static int rounds;
static void leave(void) { if (rounds > 2) exit(0); }
int main(void)
{
  while (rounds < 9) {
    rounds++;
    leave();
  }
  return rounds == 4 ? 1 : 0;
}
";
    let record = record(
        RelationName::Truth,
        "llvm-cov",
        text,
        |_, coverage| {
            for branch in coverage.tested.iter_mut().filter(|branch| branch.start.0 == 10) {
                branch.yes += 5;
            }
        },
        false,
    );
    let branches = record.findings.iter().filter(|finding| finding.metric == Metric::Branch);
    let told: Vec<_> =
        branches.map(|found| (found.line, found.before, found.verdict, found.rule.map(Rule::name))).collect();
    let lost = (Some(6), Some(1), Verdict::Convention, Some("after-no-return"));
    assert_eq!(told, [lost, (Some(10), Some(5), Verdict::Wrong, Some("spurious"))]);
}

/// `jump` may not return, but what is wrong about the last line of `once` is that the `return` around the arm is counted there: the
/// region of the arm has the right count.
#[test]
fn a_line_whose_own_region_is_right_is_not_excused_by_a_call_that_does_not_return() {
    let text = "\
#include <setjmp.h>
static jmp_buf back;
static void jump(int to) { if (to) longjmp(back, to); }
static int once(int n)
{
  int r = setjmp(back);
  if (r == 0)
    jump(n);
  return r ? r
           : -1;
}
int main(void)
{
  return once(0) + once(3) != 2;
}
";
    let record = record(RelationName::Truth, "llvm-cov", text, HONEST, false);
    let last: Vec<_> = record
        .findings
        .iter()
        .filter(|finding| finding.metric == Metric::Line && finding.line == Some(10))
        .collect();
    assert!(matches!(last[..], [found] if found.verdict == Verdict::Wrong), "{last:#?}");
}

/// Since clang 22. A jump that names the innermost loop is an ordinary one, and one that names the outer loop is counted as an
/// ordinary one, too.
/// Functions that begin on one line, and one that nothing calls.
const COPIES: &str = "\
#include <stdio.h>
#define TWICE(name) int name(int x) { return x > 1 && x < 9 ? x : 0; }
TWICE(first) TWICE(second)
static inline int uncalled(int x) { return x; }
int main(void)
{
  int i, sum = 0;
  for (i = 0; i < 3; i++)
    sum += i == 2 && sum || i == 7 ? first(i) : 1;
  if (sum > 100) puts(\"big\");
  return 0;
}
";

/// The metrics of the totals that are called wrong.
fn wrong_totals(family: &str, text: &str, lie: Lie) -> Vec<Metric> {
    let findings = record(RelationName::Views, family, text, lie, false).findings;
    assert!(
        findings.iter().all(|finding| finding.line.is_none() && finding.verdict == Verdict::Wrong),
        "{findings:#?}"
    );
    findings.into_iter().map(|finding| finding.metric).collect()
}

/// Whether the newest gcov leaves the branches of copies out of its totals, as before gcc 13.
fn leaves_out_copies(family: &str) -> bool {
    let newest = select(&[family.to_string()]).unwrap().remove(0);
    let leaves_out = family == "gcov" && newest.info().major() < 13;
    if leaves_out {
        support::skip_for_newer_tools(&format!("{} has wrong totals", newest.info().compiler));
    }
    leaves_out
}

#[test]
fn totals_follow_from_the_lists_of_a_report() {
    for family in ["gcov", "llvm-cov"] {
        for text in [BRANCHES, VALUES, COPIES] {
            if text == COPIES && leaves_out_copies(family) {
                continue;
            }
            assert_eq!(wrong_totals(family, text, HONEST), [], "{family}: {text}");
        }
        let counted: Lie = |_, report| assert!(report.totals.len() > 6, "{:#?}", report.totals);
        wrong_totals(family, COPIES, counted);
    }
}

#[test]
fn a_wrong_total_is_found() {
    let lies: [Lie; 4] = [
        |_, report| totals_of(report, &["Lines executed", "lines"]).for_each(|total| total.all += 1),
        |_, report| {
            totals_of(report, &["Taken at least once", "branches"]).for_each(|total| total.covered.0 = 99);
        },
        |_, report| {
            totals_of(report, &["blocks of main", "functions"]).for_each(|total| total.covered = (0, 0));
        },
        |_, report| totals_of(report, &["Calls executed", "regions"]).for_each(|total| total.all -= 1),
    ];
    let expected = [
        [Metric::Line, Metric::Branch, Metric::Function, Metric::Branch],
        [Metric::Line, Metric::Branch, Metric::Function, Metric::Region],
    ];
    for (family, expected) in ["gcov", "llvm-cov"].into_iter().zip(expected) {
        if leaves_out_copies(family) {
            continue;
        }
        if family == "gcov" {
            let lie: Lie = |_, report| {
                let calls =
                    report.totals.iter_mut().filter(|total| total.name.starts_with("returns of calls"));
                calls.for_each(|total| total.covered = (7, 7));
            };
            // gcov lists calls since gcc 14.
            let lists_calls = select(&[family.to_string()]).unwrap()[0].info().major() >= 14;
            assert_eq!(!wrong_totals(family, COPIES, lie).is_empty(), lists_calls);
        }
        for (lie, metric) in lies.into_iter().zip(expected) {
            let found = wrong_totals(family, COPIES, lie);
            assert!(
                !found.is_empty() && found.iter().all(|one| *one == metric),
                "{family}: {found:?}, not {metric:?}"
            );
        }
    }
}

/// The totals with one of these names.
fn totals_of<'a>(report: &'a mut Coverage, names: &'a [&str]) -> impl Iterator<Item = &'a mut Total> {
    report.totals.iter_mut().filter(|total| names.contains(&&*total.name))
}

#[test]
fn clang_counts_a_jump_with_a_name_as_one_of_the_innermost_loop() {
    let text = |target: &str| {
        format!(
            "int main(void)
{{
  int n = 0;
outer:
  for (int i = 0; i < 3; i++) {{
inner:
    for (int j = 0; j < 4; j++) {{
      if (j == 2)
        continue {target};
      n++;
    }}
    n += 10;
  }}
  return n > 99;
}}
"
        )
    };
    if select(&["llvm-cov".to_string()]).unwrap()[0].info().major() < 22 {
        return support::skip_for_newer_tools("the newest clang does not know named jumps");
    }
    let temp = Temp::new();
    temp.write("p.toml", "flags = [\"-std=gnu2y\"]\n");
    for (target, mechanism) in [("inner", None), ("outer", Some("llvm-cov/named-jump"))] {
        temp.write("p.c", text(target));
        let out = temp.at(target);
        let args =
            ["run", "p.c", "-q", "--profiler", "llvm-cov", "--relation", "truth", "--out", out.as_str()];
        // `Temp::recount` has only the compilers on PATH, and `select` has all.
        let mut command = Command::new(env!("CARGO_BIN_EXE_recount"));
        let said = command.current_dir(temp.root()).args(args).output().unwrap();
        assert!(matches!(said.status.code(), Some(0 | 1)), "{target}: {said:?}");
        let records = read(&RunFolder(out)).unwrap().records;
        assert_eq!((&records[0].outcome, &records[0].no_truth), (&Outcome::Profiled, &None));
        let found: BTreeSet<&str> = records[0].findings.iter().map(|finding| &*finding.signature).collect();
        assert_eq!(found, mechanism.into_iter().collect(), "{:#?}", records[0].findings);
    }
}
