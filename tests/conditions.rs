//! Conditions: what truth says was shown of them, against vectors worked out by hand, and against real
//! profilers that lie or do not.

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
use recount::toolchain::{Request, Worker, condition_flag, select};
use recount::truth::tell;

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

/// What has to be shown of the decision on a line: by gcc's definition (true and false of each condition) and
/// by clang's (each condition).
type Shown = (u32, &'static [bool], &'static [bool]);

const YES: bool = true;
const NO: bool = false;

/// By the vectors that occur, the last evaluation of the loop included.
const EXPECTED: [Shown; 6] = [
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
fn truth_knows_which_conditions_were_shown() {
    for family in ["gcov", "llvm-cov"] {
        let temp = support::Temp::new();
        let mut worker = Worker::new(temp.at("w0"), support::BINARY.into(), Settings::quick().limits);
        let profiler = select(&[family.to_string()]).unwrap().remove(0);
        let program = Program::parse(DECISIONS.into());
        // Whether this version can count conditions does not matter: truth is built without.
        let flags = [condition_flag(profiler.info().profiler, 99).unwrap().to_string()];
        let input = Input::default();
        let request = Request { flags: &flags, ..Request::new(&program.source, &input) };
        let truth = tell(&*profiler, &mut worker, &program, &request).unwrap().unwrap();
        let lines: Vec<u32> = truth.decisions.iter().map(|decided| decided.chain.start.0).collect();
        assert_eq!(lines, EXPECTED.map(|(line, ..)| line));
        for (decided, (line, gcc, clang)) in truth.decisions.iter().zip(EXPECTED) {
            assert_eq!(decided.shown(Family::Gcov), gcc, "line {line}");
            assert_eq!(decided.shown(Family::LlvmCov), clang, "line {line}");
        }
        worker.finish();
    }
}

/// The findings on conditions, where the newest of `family` counts them.
fn found(family: &str, lie: Lie) -> Option<Vec<(u32, u64, u64)>> {
    let newest = select(&[family.to_string()]).unwrap().remove(0);
    let info = newest.info();
    if condition_flag(info.profiler, info.major()).is_none() {
        eprintln!("skipped: {} does not count conditions", info.compiler);
        return None;
    }
    let record =
        record_with(RelationName::Truth, family, DECISIONS, lie, |settings| settings.conditions = true);
    let metric = if family == "gcov" { Metric::Condition } else { Metric::Mcdc };
    let of = record.findings.into_iter().filter(|finding| finding.metric == metric);
    let told = |finding: recount::model::Finding| {
        assert_eq!(finding.verdict, Verdict::Wrong);
        (finding.line.unwrap(), finding.before.unwrap(), finding.truth.unwrap()[0])
    };
    Some(of.map(told).collect())
}

#[test]
fn a_profiler_that_counts_conditions_right_is_left_in_peace() {
    for family in ["gcov", "llvm-cov"] {
        assert!(found(family, |_, _| {}).is_none_or(|found| found.is_empty()));
    }
}

#[test]
fn a_condition_that_was_not_shown_is_noticed() {
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
