//! Each relation that rewrites against a real profiler that lies in just the way the relation is
//! there for, and against the same one when it tells the truth: found, and silent.

#[path = "support/liar.rs"]
mod liar;
#[path = "support/fake.rs"]
mod profiler;
mod support;
#[path = "support/town.rs"]
mod town;

use liar::{Lie, found, lines_with, set};
use recount::model::{Finding, RelationName, Verdict};

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

/// Dead statements, live ones, and a loop with a body in braces.
const BLOCKS: &str = "\
#include <stdio.h>
static int dead, alive;
static void step(const char *what) {
  alive += what[0] == 's';
}
int main(void) {
  int sum = 0;
  step(\"s1\");
  step(\"s2\");
  step(\"s3\");
  for (int i = 0; i < 5; i++) {
    sum += i;
  }
  if (sum > 100) {
    dead = 1;
    dead = 2;
    dead = 3;
    dead = 4;
    dead = 5;
    dead = 6;
  }
  step(\"s4\");
  step(\"s5\");
  step(\"s6\");
  printf(\"%d %d %d\\n\", sum, dead, alive);
  return 0;
}
";

/// A finding that a lie adds to what is really wrong in what the relation makes; all that it adds are
/// of its rule.
fn added(relation: RelationName, family: &str, lie: Lie) -> Finding {
    let real: Vec<String> =
        found(relation, family, BLOCKS, HONEST).into_iter().map(|finding| finding.signature).collect();
    let mut findings = found(relation, family, BLOCKS, lie);
    findings.retain(|finding| !real.contains(&finding.signature));
    let first = findings.first().expect("the lie is found").clone();
    for finding in &findings {
        assert_eq!((finding.verdict, &finding.rule), (Verdict::Wrong, &first.rule));
        assert!(finding.rewriting.as_ref().is_some_and(|made| made.isolated), "{finding:#?}");
    }
    first
}

fn words(finding: &Finding) -> &str {
    &finding.rewriting.as_ref().expect("it is rewritten").words
}

/// Lines that have `word` and stand right behind one that `is_before`.
fn lines_behind(source: &str, word: &str, is_before: fn(&str) -> bool) -> Vec<u32> {
    let lines: Vec<&str> = source.lines().collect();
    let behind = lines_with(source, word).into_iter();
    behind.filter(|line| *line > 1 && is_before(lines[*line as usize - 2].trim())).collect()
}

#[test]
fn insert_notices_a_count_on_what_never_runs() {
    for family in ["gcov", "llvm-cov"] {
        let finding = exposed(RelationName::Insert, family, BLOCKS, |request, coverage| {
            for line in lines_with(request.source, "int spare_") {
                set(coverage, line, |count| count + 7);
            }
        });
        assert!(words(&finding).starts_with("insert a"), "{finding:#?}");
        assert_eq!((finding.before, finding.truth), (Some(7), Some(vec![0])));
    }
}

#[test]
fn guard_notices_a_block_that_is_said_to_run() {
    for family in ["gcov", "llvm-cov"] {
        let finding = added(RelationName::Guard, family, |request, coverage| {
            for line in lines_with(request.source, "int spare_") {
                set(coverage, line, |_| 3);
            }
        });
        assert!(words(&finding).contains("that never runs"), "{finding:#?}");
        assert_eq!((finding.before, finding.truth), (Some(3), Some(vec![0])));
    }
}

#[test]
fn guard_notices_what_it_holds_counted_twice() {
    for family in ["gcov", "llvm-cov"] {
        let finding = added(RelationName::Guard, family, |request, coverage| {
            for line in lines_behind(request.source, "step(\"s", |text| text == "{") {
                set(coverage, line, |count| 2 * count);
            }
        });
        assert!(words(&finding).contains("with what always holds"), "{finding:#?}");
        assert_eq!((finding.before, finding.truth), (Some(2), Some(vec![1])));
    }
}

#[test]
fn guard_notices_a_block_that_is_said_not_to_run() {
    for family in ["gcov", "llvm-cov"] {
        let finding = added(RelationName::Guard, family, |request, coverage| {
            for line in lines_with(request.source, "int kept_") {
                set(coverage, line, |_| 0);
            }
        });
        assert!(words(&finding).contains("save, change and restore"), "{finding:#?}");
        assert_eq!((finding.before, finding.rule.as_deref()), (Some(0), Some("missing")));
    }
}

#[test]
fn declare_notices_a_count_that_is_one_too_high() {
    for family in ["gcov", "llvm-cov"] {
        let finding = exposed(RelationName::Declare, family, BLOCKS, |request, coverage| {
            for line in lines_behind(request.source, "sum += i", |text| text.contains("unused_")) {
                set(coverage, line, |count| count + 1);
            }
        });
        assert!(words(&finding).contains("an unused"), "{finding:#?}");
        assert_eq!((finding.before, finding.truth), (Some(6), Some(vec![5])));
    }
}
