//! Each relation that rewrites, and truth for each sort of count, against a real profiler that lies in
//! just the way they are there for, and against the same one when it tells the truth: found, and silent.

#[path = "support/liar.rs"]
mod liar;
#[path = "support/fake.rs"]
mod profiler;
mod support;
#[path = "support/town.rs"]
mod town;

use liar::{Lie, found, lines_with, record, set};
use recount::model::{Finding, Metric, RelationName, Verdict};

const HONEST: Lie = |_, _| {};

const LOOP: &str = "\
#include <stdio.h>
int main(void) {
  int sum = 0;
  for (int i = 0; i < 5; i++)
    sum += i;
  if (sum > 100)
    sum = 0;
  printf(\"%d\\n\", sum);
  return 0;
}
";

/// The one finding of a lie, which is silent without it.
fn exposed(relation: RelationName, family: &str, text: &str, lie: Lie) -> Finding {
    let honest = found(relation, family, text, HONEST);
    assert!(honest.is_empty(), "{honest:#?}");
    let mut findings = found(relation, family, text, lie);
    assert_eq!(findings.len(), 1, "{findings:#?}");
    let finding = findings.remove(0);
    assert_eq!((finding.verdict, finding.relation), (Verdict::Wrong, relation));
    assert!(finding.rewriting.as_ref().is_some_and(|made| made.isolated), "{finding:#?}");
    finding
}

#[test]
fn repeat_notices_a_run_that_is_not_added() {
    for family in ["gcov", "llvm-cov"] {
        let finding = exposed(RelationName::Repeat, family, LOOP, |request, coverage| {
            if request.runs > 1 {
                for line in lines_with(request.source, "sum += i") {
                    set(coverage, line, |count| count - 5);
                }
            }
        });
        let runs = u64::from(finding.rewriting.as_ref().expect("it is rewritten").runs);
        assert_eq!((finding.line, finding.before), (Some(5), Some(5 * runs - 5)));
        assert_eq!(finding.truth, Some(vec![5 * runs]));
    }
}

#[test]
fn expand_notices_a_flag_that_changes_a_count() {
    for family in ["gcov", "llvm-cov"] {
        let finding = exposed(RelationName::Expand, family, LOOP, |request, coverage| {
            if request.flags.iter().any(|flag| flag == "-fprofile-update=atomic") {
                for line in lines_with(request.source, "sum += i") {
                    set(coverage, line, |count| count + 1);
                }
            }
        });
        let made = finding.rewriting.expect("it is rewritten");
        assert_eq!(made.words, "compile it with -fprofile-update=atomic");
        assert_eq!((finding.line, finding.before, finding.truth), (Some(5), Some(6), Some(vec![5])));
    }
}

#[test]
fn level_notices_a_count_that_the_optimiser_loses() {
    let finding = exposed(RelationName::Level, "llvm-cov", LOOP, |request, coverage| {
        if request.flags.iter().any(|flag| flag == "-O2") {
            for line in lines_with(request.source, "sum += i") {
                set(coverage, line, |_| 0);
            }
        }
    });
    assert_eq!(finding.rewriting.expect("it is rewritten").flags, ["-O2"]);
    assert_eq!((finding.line, finding.rule.as_deref()), (Some(5), Some("missing")));
}

/// Branches of every sort, on one line and on several, in macros, folded, in functions of every form.
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

/// What is asserted of a finding: metric, line, count, truth.
type Told = (Metric, Option<u32>, Option<u64>, Option<Vec<u64>>);

/// What truth finds of other counts than lines', beside conventions. gcov has the line of the last colon
/// wrong, as is known.
fn open(family: &str, text: &str, lie: Lie) -> Vec<Told> {
    let mut findings = record(RelationName::Truth, family, text, lie).findings;
    findings.retain(|finding| finding.metric != Metric::Line && finding.verdict != Verdict::Convention);
    assert!(findings.iter().all(|finding| finding.verdict == Verdict::Wrong), "{findings:#?}");
    let told = |finding: Finding| (finding.metric, finding.line, finding.before, finding.truth);
    findings.into_iter().map(told).collect()
}

#[test]
fn truth_is_silent_on_branches_that_are_counted_right() {
    for family in ["gcov", "llvm-cov"] {
        assert_eq!(open(family, BRANCHES, HONEST), []);
    }
}

#[test]
fn truth_notices_a_function_that_was_not_entered_so_often() {
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
fn truth_notices_an_outcome_that_did_not_come_out() {
    let gcov = open("gcov", BRANCHES, |_, coverage| {
        for branch in coverage.branches.iter_mut().filter(|branch| branch.line == 22) {
            branch.taken = branch.taken.map(|taken| if taken == 1 { 0 } else { taken });
        }
    });
    assert_eq!(gcov, [(Metric::Branch, Some(22), Some(0), Some(vec![1]))]);
    // Where the preprocessor took spaces away, the column is still that of the file.
    let record = record(RelationName::Truth, "llvm-cov", BRANCHES, |_, coverage| {
        for branch in coverage.tested.iter_mut().filter(|branch| branch.start == (27, 14)) {
            branch.no += 2;
        }
    });
    let [finding] = record.findings.as_slice() else { panic!("{:#?}", record.findings) };
    assert_eq!((finding.metric, finding.line, finding.before), (Metric::Branch, Some(27), Some(3)));
    assert_eq!(finding.truth, Some(vec![1]));
    assert_eq!(finding.signature, "llvm-cov/truth/branch/frequency/statement");
}

#[test]
fn truth_notices_a_region_that_did_not_run_so_often() {
    let found = open("llvm-cov", BRANCHES, |_, coverage| {
        for region in coverage.regions.iter_mut().filter(|region| region.start == (23, 7)) {
            region.count = 0;
        }
    });
    assert_eq!(found, [(Metric::Region, Some(23), Some(0), Some(vec![1]))]);
}

#[test]
fn what_a_lost_call_leaves_behind_is_a_convention_and_a_wrong_branch_beside_it_is_not() {
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
    let record = record(RelationName::Truth, "llvm-cov", text, |_, coverage| {
        for branch in coverage.tested.iter_mut().filter(|branch| branch.start.0 == 10) {
            branch.yes += 5;
        }
    });
    let branches = record.findings.iter().filter(|finding| finding.metric == Metric::Branch);
    let told: Vec<_> =
        branches.map(|found| (found.line, found.before, found.verdict, found.rule.as_deref())).collect();
    let lost = (Some(6), Some(1), Verdict::Convention, Some("after-no-return"));
    assert_eq!(told, [lost, (Some(10), Some(5), Verdict::Wrong, Some("spurious"))]);
}
