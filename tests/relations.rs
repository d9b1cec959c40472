//! Each relation that makes variants, with a real profiler. A test falsifies its reports in the way that the
//! relation is designed to expose: the relation must find the wrong count. Without the change it must report nothing.

#[path = "support/liar.rs"]
mod liar;
#[path = "support/fake.rs"]
mod profiler;
mod support;
#[path = "support/town.rs"]
mod town;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, atomic};

use camino::Utf8Path;
use liar::{Lie, found, lines_with, lying, record, set};
use profiler::Fake;
use recount::config::{Lane, Settings};
use recount::journal::JobRecord;
use recount::model::{Family, Finding, ProfilerInfo, RelationName, Rule, Verdict};
use recount::toolchain::{Probed, Profile, Profiler, Request, Worker, select};
use town::Town;

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

/// The number of draws of variants. Without the lie, no draw may report anything.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=5;

/// The number of these draws that must include the variant that the lie is about.
const MOST_SEEDS: usize = 3;

/// The only finding that the lie causes. Most draws find it, none finds anything else, and none finds anything without
/// the lie.
fn exposed(relation: RelationName, family: &str, text: &str, lie: Lie) -> Finding {
    let mut exposing: Vec<Finding> = Vec::new();
    for seed in SEEDS {
        let honest = found(relation, family, text, HONEST, seed);
        assert!(honest.is_empty(), "seed {seed}: {honest:#?}");
        let findings = found(relation, family, text, lie, seed);
        assert!(findings.len() <= 1, "seed {seed}: {findings:#?}");
        for finding in &findings {
            assert_eq!((finding.verdict, finding.relation), (Verdict::Wrong, relation), "seed {seed}");
            assert!(finding.rewriting.as_ref().is_some_and(|made| made.isolated), "{finding:#?}");
        }
        exposing.extend(findings);
    }
    assert!(exposing.len() >= MOST_SEEDS, "{} of the seeds {SEEDS:?} expose it", exposing.len());
    exposing.remove(0)
}

#[test]
#[ignore = "long"]
fn delete_finds_a_count_that_is_wrong_in_the_variant_only() {
    for family in ["gcov", "llvm-cov"] {
        let finding = exposed(RelationName::Delete, family, LOOP, |request, coverage| {
            if !request.source.contains("    sum = 0;") {
                for line in lines_with(request.source, "printf(") {
                    set(coverage, line, |count| count + 1);
                }
            }
        });
        assert_eq!(words(&finding), "delete the expression on line 7");
        assert_eq!(
            (finding.line, finding.before, finding.truth.as_deref()),
            (Some(8), Some(2), Some(&[1][..]))
        );
        // It is diagnosed like the findings on other programs.
        let cause = finding.cause.as_ref().expect("a mechanism");
        assert_eq!(finding.signature, format!("{family}/{}", cause.mechanism));
        assert_eq!((finding.culprit.is_none(), finding.symptoms.len()), (true, 1));
    }
}

#[test]
#[ignore = "long"]
fn repeat_finds_a_run_that_is_not_added() {
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
fn expand_finds_a_flag_that_changes_a_count() {
    for family in ["gcov", "llvm-cov"] {
        let finding = added(RelationName::Expand, family, |request, coverage| {
            if request.flags.iter().any(|flag| flag == "-fprofile-update=atomic") {
                for line in lines_with(request.source, "sum += i") {
                    set(coverage, line, |count| count + 1);
                }
            }
        });
        assert_eq!(words(&finding), "compile it with -fprofile-update=atomic");
        assert_eq!((finding.line, finding.before, finding.truth), (Some(12), Some(6), Some(vec![5])));
    }
}

#[test]
#[ignore = "long"]
fn level_finds_a_count_that_the_optimiser_loses() {
    let finding = exposed(RelationName::Level, "llvm-cov", LOOP, |request, coverage| {
        if request.flags.iter().any(|flag| flag == "-O2") {
            for line in lines_with(request.source, "sum += i") {
                set(coverage, line, |_| 0);
            }
        }
    });
    assert_eq!(finding.rewriting.expect("it is rewritten").flags, ["-O2"]);
    assert_eq!((finding.line, finding.rule.map(Rule::name)), (Some(5), Some("missing")));
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
#[ignore = "long"]
fn layout_finds_a_statement_that_is_counted_wrong_when_it_is_split() {
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
        let place = words.strip_prefix("split the expression on line 5 ");
        assert!(
            place.is_some_and(|place| place.starts_with("before ") || place.starts_with("after ")),
            "{words}"
        );
        assert_eq!((finding.rule.map(Rule::name), finding.truth), (Some("missing"), Some(vec![5])));
    }
}

#[test]
#[ignore = "long"]
fn layout_finds_statements_that_are_counted_wrong_when_they_share_a_line() {
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
fn a_program_is_normalised_before_anything_else() {
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

/// The first finding that a lie adds to those that the relation reports without it; all added findings have its rule.
fn added(relation: RelationName, family: &str, lie: Lie) -> Finding {
    let real: Vec<String> =
        found(relation, family, BLOCKS, HONEST, 1).into_iter().map(|finding| finding.signature).collect();
    let mut findings = found(relation, family, BLOCKS, lie, 1);
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

/// The lines that contain `word` and whose previous line satisfies `is_before`.
fn lines_after(source: &str, word: &str, is_before: fn(&str) -> bool) -> Vec<u32> {
    let lines: Vec<&str> = source.lines().collect();
    let found = lines_with(source, word).into_iter();
    found.filter(|line| *line > 1 && is_before(lines[*line as usize - 2].trim())).collect()
}

#[test]
#[ignore = "long"]
fn insert_finds_a_count_on_code_that_never_runs() {
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
#[ignore = "long"]
fn guard_finds_a_dead_block_that_is_reported_to_run() {
    for family in ["gcov", "llvm-cov"] {
        let finding = added(RelationName::Guard, family, |request, coverage| {
            for line in lines_with(request.source, "int spare_") {
                set(coverage, line, |_| 3);
            }
        });
        // Some guards have a block that never runs next to the guarded statement.
        let has_block = ["that never runs", "with an always-true condition"];
        assert!(has_block.iter().any(|said| words(&finding).contains(said)), "{finding:#?}");
        assert_eq!((finding.before, finding.truth), (Some(3), Some(vec![0])));
    }
}

#[test]
#[ignore = "long"]
fn guard_finds_a_guarded_statement_that_is_counted_twice() {
    for family in ["gcov", "llvm-cov"] {
        let finding = added(RelationName::Guard, family, |request, coverage| {
            for line in lines_after(request.source, "step(\"s", |text| text == "{") {
                set(coverage, line, |count| 2 * count);
            }
        });
        assert!(words(&finding).contains("with an always-true condition"), "{finding:#?}");
        assert_eq!((finding.before, finding.truth), (Some(2), Some(vec![1])));
    }
}

#[test]
#[ignore = "long"]
fn guard_finds_a_live_block_that_is_reported_not_to_run() {
    for family in ["gcov", "llvm-cov"] {
        let finding = added(RelationName::Guard, family, |request, coverage| {
            for line in lines_with(request.source, "int kept_") {
                set(coverage, line, |_| 0);
            }
        });
        assert!(words(&finding).contains("save, change and restore"), "{finding:#?}");
        assert_eq!((finding.before, finding.rule.map(Rule::name)), (Some(0), Some("missing")));
    }
}

#[test]
#[ignore = "long"]
fn declare_finds_a_count_that_is_one_too_high() {
    for family in ["gcov", "llvm-cov"] {
        let finding = exposed(RelationName::Declare, family, BLOCKS, |request, coverage| {
            for line in lines_after(request.source, "sum += i", |text| text.contains("unused_")) {
                set(coverage, line, |count| count + 1);
            }
        });
        assert!(words(&finding).contains("an unused"), "{finding:#?}");
        assert_eq!((finding.before, finding.truth), (Some(6), Some(vec![5])));
    }
}

/// A real profiler and real faults: what a relation finds alone is diagnosed like any other finding.
#[test]
fn what_one_relation_finds_alone_has_the_name_of_its_mechanism() {
    let do_break = include_str!("../configs/known/do_break.c");
    let block_left = include_str!("../configs/known/block_left.c");
    for (relation, compiler, text, line, signature) in [
        (RelationName::Delete, "clang-14", do_break, 11, "llvm-cov/gap-counter"),
        (RelationName::Declare, "clang-14", do_break, 11, "llvm-cov/gap-counter"),
        (RelationName::Delete, "clang-14", block_left, 9, "llvm-cov/gap-counter"),
    ] {
        let record = record(relation, compiler, text, HONEST, false);
        let found: Vec<(Option<u32>, Verdict, &str)> = record
            .findings
            .iter()
            .map(|finding| (finding.line, finding.verdict, finding.signature.as_str()))
            .collect();
        assert_eq!(found, [(Some(line), Verdict::Wrong, signature)], "{relation:?} {compiler}");
    }
}

/// One job for each of `profilers`, which are compared with each other.
fn among_peers(profilers: Vec<Probed>, text: &str, change: fn(&mut Settings)) -> Vec<JobRecord> {
    let mut town = Town::new(&[("p", text)]);
    town.profilers = profilers;
    town.settings = Settings { relations: vec![RelationName::Peer], ..Settings::quick() };
    change(&mut town.settings);
    town.records("run")
}

/// The newest gcov and llvm-cov; the reports of the one of `family` are falsified. The records are sorted by compiler.
fn both(family: Family, lie: Lie) -> Vec<Probed> {
    let all = select(&["llvm-cov", "gcov"].map(String::from)).expect("both families are installed");
    let changed = |inner: Probed| {
        if inner.info().profiler == family { lying(inner, lie) } else { lying(inner, HONEST) }
    };
    all.into_iter().map(changed).collect()
}

const SHORT: Lie = |request, coverage| {
    for line in lines_with(request.source, "sum += i") {
        set(coverage, line, |count| count - 1);
    }
};

#[test]
fn peer_reports_the_profiler_that_is_wrong_and_nothing_when_both_are_right() {
    for family in [Family::Gcov, Family::LlvmCov] {
        let records = among_peers(both(family, SHORT), LOOP, |_| {});
        assert_eq!(records.len(), 2);
        for record in records {
            let [finding] = &record.findings[..] else { panic!("{:#?}", record.findings) };
            assert_eq!(finding.line, Some(5));
            let seen = (finding.before, finding.after, finding.verdict, finding.rule.map(Rule::name));
            if finding.profiler == family {
                assert_eq!(seen, (Some(4), Some(5), Verdict::Wrong, Some("frequency")));
            } else {
                assert_eq!(seen, (Some(5), Some(4), Verdict::Convention, Some("peer-is-wrong")));
            }
            assert_eq!(record.sites.map(|sites| sites.differing), Some(1));
        }
    }
    for record in among_peers(both(Family::Gcov, HONEST), LOOP, |_| {}) {
        assert!(record.findings.is_empty(), "{:#?}", record.findings);
        assert!(record.sites.is_some_and(|sites| sites.both > 5 && sites.differing == 0));
    }
}

/// The verdicts and rules of a fake gcc compared with a fake clang, for which no ground truth can be built.
fn without_truth(lie: Lie, change: fn(&mut Settings)) -> Vec<(u32, Verdict, Option<&'static str>)> {
    let fake = |family, name| -> Probed { Arc::new(Fake::new(family, name)) };
    let profilers = vec![fake(Family::Gcov, "gcc-0"), lying(fake(Family::LlvmCov, "clang-0"), lie)];
    let text = town::program(2, "1", &[]);
    let record = among_peers(profilers, &text, change).pop().expect("a job for gcc");
    assert_eq!(record.compiler, "gcc-0");
    let told = |found: Finding| (found.line.expect("a line"), found.verdict, found.rule.map(Rule::name));
    record.findings.into_iter().map(told).collect()
}

#[test]
fn without_truth_a_peer_is_evidence_and_only_the_raw_baseline_shows_it() {
    let lie: Lie = |_, coverage| {
        set(coverage, 7, |_| 9);
        coverage.add_line(20, 1);
    };
    let ruled = (7, Verdict::Convention, Some("peer-only"));
    assert_eq!(without_truth(lie, |_| {}), [ruled]);
    let raw = without_truth(lie, |settings| {
        settings.triage.rules = false;
        settings.peer.weak = true;
    });
    assert_eq!(raw, [(7, Verdict::Unexplained, None), (20, Verdict::Unexplained, None)]);
    assert_eq!(without_truth(HONEST, |_| {}), []);
}

#[test]
fn a_profiler_without_a_peer_is_not_compared() {
    let alone: Probed = Arc::new(Fake::new(Family::Gcov, "gcc-0"));
    let lie: Lie = |_, coverage| set(coverage, 2, |_| 9);
    let profilers = vec![Arc::clone(&alone), lying(alone, lie)];
    for record in among_peers(profilers, &town::program(2, "1", &[]), |_| {}) {
        assert!(record.findings.is_empty() && record.sites.is_none());
    }
}

#[test]
fn findings_of_peers_do_not_depend_on_the_order_of_jobs() {
    let records = |jobs: usize| {
        let mut town = town::town();
        let clang = town.profilers.pop().expect("two profilers");
        town.profilers.push(lying(clang, |_, coverage| set(coverage, 2, |_| 9)));
        town.settings = Settings { relations: vec![RelationName::Peer], jobs, ..town.settings };
        let mut records = town.records("run");
        // A program that prints another number in each run is not compared, or only by chance.
        records.retain(|record| record.program != "vary");
        records
    };
    let one = records(1);
    assert!(one.iter().filter(|record| !record.findings.is_empty()).count() >= 6);
    assert_eq!(one, records(4));
}

/// A profiler under another name, which records the requests that it gets.
struct Named {
    inner: Probed,
    info: ProfilerInfo,
    sources: Mutex<Vec<String>>,
    compilers: atomic::AtomicUsize,
}

impl Profiler for Named {
    fn info(&self) -> &ProfilerInfo {
        &self.info
    }

    fn profile(&self, worker: &mut Worker, request: &Request<'_>) -> anyhow::Result<Profile> {
        self.sources.lock().unwrap().push(request.source.to_string());
        self.inner.profile(worker, request)
    }

    fn compiler(&self) -> Option<&Utf8Path> {
        self.compilers.fetch_add(1, atomic::Ordering::SeqCst);
        self.inner.compiler()
    }

    fn commands(&self, request: &Request<'_>, dialect: usize) -> Vec<String> {
        self.inner.commands(request, dialect)
    }
}

#[test]
fn all_profilers_of_a_family_get_the_same_variants_and_share_ground_truth() {
    let inner = select(&["gcov".to_string()]).expect("gcc is installed").remove(0);
    let named = |name: &str| {
        let info = ProfilerInfo { compiler: name.into(), ..inner.info().clone() };
        Arc::new(Named { inner: Arc::clone(&inner), info, sources: Mutex::default(), compilers: 0.into() })
    };
    let both = [named("gcc-a"), named("gcc-b")];
    let mut town = Town::new(&[("p", LOOP)]);
    town.profilers = both.iter().map(|named| Arc::clone(named) as Probed).collect();
    let relations = vec![RelationName::Insert, RelationName::Guard, RelationName::Layout];
    town.settings = Settings { relations, jobs: 1, lane: Lane::Plain, ..Settings::quick() };
    let records = town.records("run");
    assert!(records.iter().all(|record| record.tally.variants > 3 && record.findings.is_empty()));
    let [first, second] = &both;
    let sources = first.sources.lock().unwrap();
    assert_eq!(*sources, *second.sources.lock().unwrap());
    // The first profiler builds ground truth of the program and of each variant once; the second does not. No report
    // contradicts it, so nothing is proved. Both ask what they generate of those whose report may lack something: not the
    // program itself.
    let distinct: BTreeSet<&String> = sources.iter().collect();
    let [first, second] = [first, second].map(|named| named.compilers.load(atomic::Ordering::SeqCst));
    assert_eq!(first, distinct.len() + second);
    assert!(second < distinct.len(), "{second}");
}
