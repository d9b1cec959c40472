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
use recount::model::{Family, Metric, RelationName, Verdict};
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

#[test]
fn ground_truth_knows_which_conditions_are_covered() {
    for family in ["gcov", "llvm-cov"] {
        let temp = support::Temp::new();
        let mut worker = Worker::new(temp.at("w0"), support::BINARY.into(), Settings::quick().limits);
        let profiler = select(&[family.to_string()]).unwrap().remove(0);
        let program = Program::parse(DECISIONS.into());
        // This version need not be able to count conditions: ground truth does not use its coverage.
        let flags = [condition_flag(profiler.info().profiler, 99).unwrap().to_string()];
        let input = Input::default();
        let request = Request { flags: &flags, ..Request::new(&program.source, &input) };
        let truth = measure(&*profiler, &mut worker, &request).unwrap().unwrap();
        let lines: Vec<u32> = truth.decisions.iter().map(|decided| decided.chain.line).collect();
        assert_eq!(lines, EXPECTED.map(|(line, ..)| line));
        for (decided, (line, gcc, clang)) in truth.decisions.iter().zip(EXPECTED) {
            assert_eq!(decided.covered(Family::Gcov), gcc, "line {line}");
            assert_eq!(decided.covered(Family::LlvmCov), clang, "line {line}");
        }
        worker.finish();
    }
}

/// The findings about conditions; none if the newest of `family` does not count conditions.
fn found(family: &str, lie: Lie) -> Option<Vec<(u32, u64, u64)>> {
    let newest = select(&[family.to_string()]).unwrap().remove(0);
    let info = newest.info();
    if condition_flags(info.profiler, info.major()).next().is_none() {
        support::skip_for_newer_tools(&format!("{} does not count conditions", info.compiler));
        return None;
    }
    let record =
        record_with(RelationName::Truth, family, DECISIONS, lie, |settings| settings.conditions = true);
    let metric = if family == "gcov" { Metric::Condition } else { Metric::Mcdc };
    let of = record.findings.into_iter().filter(|finding| finding.metric == metric);
    let judged = |finding: recount::model::Finding| {
        assert_eq!(finding.verdict, Verdict::Wrong);
        (finding.line.unwrap(), finding.before.unwrap(), finding.truth.unwrap()[0])
    };
    Some(of.map(judged).collect())
}

#[test]
fn conditions_that_are_counted_right_are_not_reported() {
    for family in ["gcov", "llvm-cov"] {
        assert!(found(family, |_, _| {}).is_none_or(|found| found.is_empty()));
    }
}

#[test]
fn a_condition_with_a_wrong_flag_is_found() {
    for family in ["gcov", "llvm-cov"] {
        let found = found(family, |_, coverage| {
            for decision in coverage.decisions.iter_mut().filter(|decision| decision.line == 6) {
                let last = decision.shown.len() - 1;
                decision.shown[last] = !decision.shown[last];
            }
        });
        let expected = if family == "gcov" { (6, 0, 1) } else { (6, 1, 0) };
        assert!(found.as_ref().is_none_or(|found| *found == [expected]), "{family}: {found:?}");
    }
}
