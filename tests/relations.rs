//! Each relation that rewrites against a real profiler that lies in just the way the relation is
//! there for, and against the same one when it tells the truth: found, and silent.

#[path = "support/liar.rs"]
mod liar;
#[path = "support/fake.rs"]
mod profiler;
mod support;
#[path = "support/town.rs"]
mod town;

use liar::{Lie, found, lines_with, record, set};
use recount::journal::JobRecord;
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

const TOTAL: &str = "\
#include <stdio.h>
int main(void) {
  int total = 0;
  for (int i = 0; i < 5; i++)
    total += i;
  int copy = total;
  printf(\"%d\\n\", copy);
  return 0;
}
";

const PAIRS: &str = "\
#include <stdio.h>
int main(void) {
  int a = 5, b = 6;
  a = 1;
  b = 2;
  while (a < 4)
    a++;
  printf(\"%d\\n\", a + b);
  return 0;
}
";

#[test]
fn layout_notices_a_statement_that_is_counted_wrong_once_it_is_split() {
    for family in ["gcov", "llvm-cov"] {
        let finding = exposed(RelationName::Layout, family, TOTAL, |request, coverage| {
            // Whichever way it is split, its first line is one of these.
            for (line, text) in (1..).zip(request.source.lines()) {
                if matches!(text.trim(), "total" | "total +=") {
                    set(coverage, line, |_| 0);
                }
            }
        });
        let words = finding.rewriting.expect("it is rewritten").words;
        assert!(words.starts_with("split the expression on line 5 be"), "{words}");
        assert_eq!((finding.rule.as_deref(), finding.truth), (Some("missing"), Some(vec![5])));
    }
}

#[test]
fn layout_notices_statements_that_are_counted_wrong_once_they_share_a_line() {
    for family in ["gcov", "llvm-cov"] {
        let finding = exposed(RelationName::Layout, family, PAIRS, |request, coverage| {
            for line in lines_with(request.source, "a = 1; b = 2;") {
                set(coverage, line, |_| 0);
            }
        });
        let words = finding.rewriting.expect("it is rewritten").words;
        assert_eq!(words, "join the statements on lines 4 and 5");
        assert_eq!((finding.line, finding.truth), (Some(4), Some(vec![1])));
    }
}

#[test]
fn a_program_is_laid_out_before_anything_else() {
    let text = "int main(void) { int a = 1; a++; return a - 2; }\n";
    let lie: Lie = |request, coverage| {
        for line in lines_with(request.source, "a++;") {
            set(coverage, line, |_| 7);
        }
    };
    let [plain, normal] =
        [false, true].map(|normalise| record(RelationName::Truth, "gcov", text, lie, normalise));
    let normal_text = "int main(void) {\n  int a = 1;\n  a++;\n  return a - 2;\n}\n";
    assert_eq!(normal.source, blake3::hash(normal_text.as_bytes()).to_hex()[..16]);
    assert_eq!(plain.source, blake3::hash(text.as_bytes()).to_hex()[..16]);
    let lines = |record: &JobRecord| record.findings.iter().map(|finding| finding.line).collect::<Vec<_>>();
    assert_eq!((lines(&plain), lines(&normal)), (vec![Some(1)], vec![Some(3)]));
}
