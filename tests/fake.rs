//! Whole campaigns with a fake profiler: wrong counts, failing jobs, and journals that were cut off. They need no
//! compiler and take milliseconds.

#[path = "support/fake.rs"]
mod profiler;
mod support;
#[path = "support/town.rs"]
mod town;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use profiler::Fake;
use recount::campaign::{Event, EventListener, Shard};
use recount::config::Settings;
use recount::corpus::{Source, load};
use recount::journal::{self, JobRecord, VersionResult};
use recount::model::{Family, Finding, Kind, Outcome, ProfilerInfo, RelationName, Rule, Verdict};
use recount::reduce::bisect;
use recount::report::{Example, is_regression};
use recount::toolchain::{Archive, Probed, Profile, Profiler, Request, Worker};
use support::BINARY;
use town::{Town, program, sorted, town};

/// The record of the one program `text`.
fn alone(text: &str) -> JobRecord {
    Town::new(&[("alone", text)]).records("run").remove(0)
}

/// The asserted parts of a finding: line, counts, verdict, rule.
type TruthResult<'a> = (Option<u32>, Option<u64>, Option<u64>, Verdict, Option<&'a str>);

fn summaries(findings: &[Finding]) -> Vec<TruthResult<'_>> {
    findings.iter().map(|f| (f.line, f.before, f.after, f.verdict, f.rule.map(Rule::name))).collect()
}

#[test]
fn a_quirk_is_laid_to_the_one_statement_that_causes_it() {
    // 60 dead calls on lines 4 to 63; the count of line 65 depends on the call on line 17.
    let record = alone(&program(60, "1 if 17 else 7", &[]));
    assert_eq!(summaries(&record.findings), [(Some(65), Some(1), Some(7), Verdict::Unexplained, None)]);
    let finding = &record.findings[0];
    let culprit = finding.culprit.as_ref().unwrap();
    assert!(culprit.isolated);
    assert_eq!(
        (culprit.lines.as_slice(), culprit.edit.as_str()),
        ([(17, 17)].as_slice(), "delete the call on line 17")
    );
    assert_eq!(finding.signature, "gcov/delete/line/strong n->m/statement after if/code before");
    assert_eq!(
        (finding.kind, finding.file.as_str(), culprit.file.as_str()),
        (Kind::Strong, "alone.c", "alone.c")
    );
    assert_eq!(record.commands, ["profile $1.c with default"]);
}

#[test]
fn the_count_that_is_lost_is_a_weak_finding() {
    let record = alone(&program(9, "4 if 8 else none", &[]));
    assert_eq!(summaries(&record.findings), [(Some(14), Some(4), None, Verdict::Unexplained, None)]);
    assert_eq!(record.findings[0].kind, Kind::Weak);
}

#[test]
fn a_quirk_of_two_statements_is_laid_to_both() {
    let record = alone(&program(30, "1 if 9|22 else 2", &[]));
    let culprit = record.findings[0].culprit.as_ref().unwrap();
    assert_eq!((culprit.lines.as_slice(), culprit.isolated), ([(9, 9), (22, 22)].as_slice(), true));
}

#[test]
fn a_signature_has_no_names_numbers_or_literals_but_the_syntax_of_the_cause() {
    let sign = |text: &str| alone(text).findings.remove(0).signature;
    let text = program(5, "1 if 6 else 2", &[]);
    let same = [
        program(40, "3 if 22 else 9", &[]),
        text.replace('x', "another_name").replace("+ 1", "+ 0x77").replace("call", "other"),
        format!("\n{}", program(5, "1 if 7 else 2", &[])),
    ];
    for other in same {
        assert_eq!(sign(&other), sign(&text), "{other}");
    }
    let different = [
        program(5, "1 if 6 else none", &[]),
        program(5, "1 if 6 else 0", &[]),
        text.replace("x = x + 1;", "while (x > 1) x--;"),
    ];
    for other in different {
        assert_ne!(sign(&other), sign(&text), "{other}");
    }
}

#[test]
fn two_differences_of_one_variant_have_each_its_own_smallest_cause() {
    // The count of line 35 changes when both are deleted, that of line 36 when the first is deleted.
    let text = program(30, "1 if 9|22 else 2", &[]).replace("return x; //= 1", "return x; //= 1 if 9 else 2");
    let record = alone(&text);
    let causes: Vec<_> = record
        .findings
        .iter()
        .map(|finding| (finding.line, finding.culprit.as_ref().unwrap().lines.clone()))
        .collect();
    assert_eq!(causes, [(Some(35), vec![(9, 9), (22, 22)]), (Some(36), vec![(9, 9)])]);
}

#[test]
fn without_a_budget_the_whole_variant_is_the_culprit() {
    let mut town = Town::new(&[("p", &program(30, "1 if 9|22 else 2", &[]))]);
    town.settings.triage.tests = 0;
    let record = town.records("run").remove(0);
    let culprit = record.findings[0].culprit.as_ref().unwrap();
    assert!(!culprit.isolated && culprit.lines.len() > 2, "{culprit:?}");
}

#[test]
fn a_control_has_variants_and_no_finding() {
    let record = alone(&program(12, "1", &[]));
    assert_eq!(record.outcome, Outcome::Profiled);
    let tally = record.tally;
    assert_eq!((tally.variants, tally.compiled, tally.differing), (Settings::quick().delete.variants, 6, 0));
    assert_eq!((tally.unexecuted, tally.deleted), (12, 12));
    assert_eq!(record.findings, []);
}

#[test]
fn code_with_count_0_that_ran_is_found_by_a_trap() {
    // Deleting line 4 changes the output, so it ran; whether line 5 ran is unknown.
    let text = program(2, "1", &["print 4"]).replace("call0(); //= 0", "call0(); //= 0 ran");
    let record = alone(&text);
    assert_eq!(summaries(&record.findings), [(Some(4), Some(0), None, Verdict::Wrong, Some("missing"))]);
    assert!(record.findings[0].signature.contains("missing/call"), "{}", record.findings[0].signature);
    assert_eq!(record.findings[0].culprit.as_ref().unwrap().lines, [(4, 4)]);
}

#[test]
fn a_report_that_contradicts_its_own_flow_is_found_without_ground_truth() {
    let findings_of = |second: &str| {
        let text =
            format!("int main(void) {{ //= 1\n  int a = 1; //= 1\n  a++; //= 1\n  a--; //= {second}\n}}\n");
        let mut town = Town::new(&[("p", &text)]);
        town.settings.relations = vec![RelationName::Flow];
        town.records("run").remove(0).findings
    };
    assert_eq!(summaries(&findings_of("1")), []);
    let found = findings_of("2");
    assert_eq!(summaries(&found), [(Some(4), Some(2), Some(1), Verdict::Unexplained, None)]);
    assert_eq!(found[0].signature, "gcov/flow/sequence/statement");
}

#[test]
fn what_differs_from_itself_is_unstable() {
    let repeats = Some("does-not-repeat");
    let output = alone(&program(3, "1", &["vary output"]));
    assert_eq!(summaries(&output.findings), [(None, None, None, Verdict::Unstable, repeats)]);
    let counts = alone(&program(3, "1", &["vary counts"]));
    assert!(!counts.findings.is_empty());
    assert!(
        counts.findings.iter().all(|f| (f.verdict, f.rule.map(Rule::name)) == (Verdict::Unstable, repeats))
    );
    for perturbed in ["vary layout", "vary uninitialised"] {
        let record = alone(&program(3, "1 if 5 else 2", &[perturbed]));
        let expected = (Some(8), Some(1), Some(2), Verdict::Unstable, Some("layout-dependent"));
        assert_eq!(summaries(&record.findings), [expected], "{perturbed}");
    }
}

/// Whether a finding on `text` is left open.
fn is_open(text: &str) -> bool {
    alone(text).findings.iter().any(|finding| finding.verdict.is_open())
}

#[test]
fn each_of_thirteen_further_runs_of_p_can_clear_the_profiler() {
    // Four runs have builds of their own, and nine share two profiles.
    let clears = |run: u64| !is_open(&program(3, "1 if 5 else 7", &[&format!("vary once {run}")]));
    assert!(is_open(&program(3, "1 if 5 else 7", &[])));
    let clearing = (1..60).filter(|run| clears(*run)).count();
    assert!((13..30).contains(&clearing), "{clearing}");
}

#[test]
fn a_program_that_dies_now_and_then_shows_nothing() {
    for each in 2..9 {
        let text = program(3, "1", &[&format!("die each {each} without 5")]);
        assert!(!is_open(&text), "each {each}th run");
    }
    assert!(is_open(&program(3, "1", &["die each 1 without 5"])));
}

#[test]
fn a_profiler_that_does_not_add_up_runs_is_doubted_run_by_run() {
    assert!(is_open(&program(3, "1 if 5 else 7", &["merge max"])));
}

#[test]
fn a_program_that_prints_its_clock_may_still_show_a_quirk_of_its_counts() {
    let record = alone(&program(3, "1 if 5 else 2", &["vary output"]));
    let expected = [
        (None, None, None, Verdict::Unstable, Some("does-not-repeat")),
        (Some(8), Some(1), Some(2), Verdict::Unexplained, None),
    ];
    assert_eq!(summaries(&record.findings), expected);
    assert_eq!(record.findings[1].culprit.as_ref().unwrap().lines, [(5, 5)]);
}

#[test]
fn a_variant_that_does_not_compile_is_repaired() {
    // The first variant would delete all statements. Line 6 must not be deleted, and line 10 must still be found.
    let record = alone(&program(16, "1 if 10 else 3", &["needs 6"]));
    assert!(record.refused.contains(&"line 6 is needed".to_string()), "{:?}", record.refused);
    assert!(record.tally.compiled < record.tally.variants);
    assert_eq!(record.tally.deleted, 15, "all but the statement that is needed");
    assert_eq!(record.findings[0].culprit.as_ref().unwrap().lines, [(10, 10)]);
}

#[test]
fn a_variant_that_hangs_is_counted_and_is_no_finding() {
    let record = alone(&program(1, "1", &["hang-without 4"]));
    assert_eq!(record.incomparable, BTreeMap::from([("timed out".to_string(), 1)]));
    assert_eq!(record.findings, []);
}

#[test]
fn every_outcome_is_recorded() {
    let mut town = town();
    let binary = town.temp.write("folder/binary.c", b"\x7fELF\0\0");
    town.sources.extend(load(&[binary.parent().unwrap().to_path_buf()]).unwrap());
    let mut optimised = Source::given("optimised", &program(3, "1", &[]));
    optimised.sidecar.flags.push("-O2".into());
    town.sources.push(optimised);
    town.sources.push(Source::given("tool-crash", &program(3, "1", &["tool-crash"])));
    let mut seen = BTreeMap::new();
    for record in town.records("run") {
        // A new outcome has to be added here, and a program with it here or to `tests/support/town.rs`.
        let nth = match &record.outcome {
            Outcome::Profiled => 0,
            Outcome::Unreadable { .. } => 1,
            Outcome::DoesNotCompile { .. } => 2,
            Outcome::CompilerFailed { .. } => 3,
            Outcome::TimedOut { .. } => 4,
            Outcome::OutputCap => 5,
            Outcome::Died { signal } => {
                assert_eq!(*signal, 11);
                6
            }
            Outcome::NoProfile { .. } => 7,
            Outcome::Unsupported { .. } => 8,
            Outcome::ToolCrashed { .. } => 9,
        };
        seen.entry(nth).or_insert_with(Vec::new).push(record.program);
    }
    assert_eq!(seen.keys().copied().collect::<Vec<_>>(), (0..10).collect::<Vec<_>>(), "{seen:?}");
    assert_eq!(seen[&1], ["binary", "binary"]);
    assert_eq!(seen[&7], ["no-profile", "no-profile"]);
    assert_eq!(seen[&9], ["tool-crash", "tool-crash"]);
    assert_eq!(seen[&8], ["optimised"], "the fake llvm-cov accepts -O2");
}

#[test]
fn a_job_that_panics_or_fails_is_recorded_and_the_others_continue() {
    let mut town = town();
    town.sources.push(Source::given("a-panic", &program(1, "1", &["panic"])));
    town.sources.push(Source::given("a-failure", &program(1, "1", &["fail"])));
    for jobs in [1, 3] {
        town.settings.jobs = jobs;
        let name = format!("run{jobs}");
        let summary = town.run(&name, &()).unwrap();
        assert_eq!((summary.jobs, summary.left, summary.failed), (24, 0, 4));
        let records = sorted(&town.folder(&name));
        let failed: BTreeMap<&str, &str> = records
            .iter()
            .filter_map(|record| Some((record.program.as_str(), record.failed.as_deref()?)))
            .collect();
        let expected = [("a-failure", "the fake fails"), ("a-panic", "panic: the fake panics")];
        assert_eq!(failed, BTreeMap::from(expected));
        assert_eq!(records.iter().filter(|record| !record.findings.is_empty()).count(), 6);
    }
}

#[test]
fn the_findings_are_the_same_byte_for_byte_with_any_number_of_workers() {
    let mut town = town();
    let mut findings = |jobs| {
        town.settings.jobs = jobs;
        let name = format!("run{jobs}");
        town.run(&name, &()).unwrap();
        let found = journal::read(&town.folder(&name)).unwrap().findings();
        assert_eq!(found.len(), 6, "two quirks and a program that varies, under two profilers");
        serde_json::to_string(&found).unwrap()
    };
    assert_eq!(findings(1), findings(8));
}

#[test]
fn a_journal_that_was_cut_off_is_continued() {
    let mut town = town();
    let whole = town.records("whole");
    let bytes = fs_err::read(town.folder("whole").journal()).unwrap();
    let ends: Vec<usize> = (1..=bytes.len()).filter(|at| bytes[at - 1] == b'\n').collect();
    assert_eq!(ends.len(), 21, "a header and 20 jobs");
    // In the middle of a line, one byte before its end, and between two lines.
    for (n, cut) in [ends[4] + 30, ends[9] - 1, ends[0], bytes.len()].into_iter().enumerate() {
        let name = format!("cut{n}");
        town.temp.write(&format!("{name}/journal.jsonl"), &bytes[..cut]);
        let known = ends.iter().filter(|end| **end <= cut).count() - 1;
        // The result does not depend on the number of workers, so the resumed run uses another number.
        town.settings.jobs = 1 + n;
        let summary = town.run(&name, &()).unwrap();
        assert_eq!(summary.jobs, 20 - known, "cut at {cut}");
        assert_eq!(sorted(&town.folder(&name)), whole, "cut at {cut}");
    }
}

#[test]
fn a_run_with_other_settings_is_not_continued() {
    let mut town = town();
    town.run("run", &()).unwrap();
    let before = fs_err::read(town.folder("run").journal()).unwrap();
    town.settings.seed += 1;
    let error = town.run("run", &()).unwrap_err().to_string();
    assert!(error.contains("belongs to another run: the settings differ"), "{error}");
    town.settings.seed -= 1;
    town.sources.pop();
    let error = town.run("run", &()).unwrap_err().to_string();
    assert!(error.contains("the programs differ"), "{error}");
    assert_eq!(fs_err::read(town.folder("run").journal()).unwrap(), before);
}

#[test]
fn shards_together_are_the_whole() {
    let mut town = town();
    let whole = town.records("whole");
    let mut together = Vec::new();
    for index in 1..=3 {
        town.selection.shard = Some(Shard { index, of: 3 });
        let part = town.records(&format!("part{index}"));
        assert!(part.len() < whole.len());
        together.extend(part);
    }
    together.sort_by(|a, b| a.job.cmp(&b.job));
    assert_eq!(together, whole);
}

#[test]
fn a_listener_receives_one_event_for_each_job() {
    #[derive(Default)]
    struct Watcher(Mutex<Vec<String>>);
    impl EventListener for Watcher {
        fn on_event(&self, event: &Event<'_>) {
            let said = match event {
                Event::ToolsDisagree { reason } | Event::Paused { reason } => panic!("{reason}"),
                Event::Resumed => panic!("it never paused"),
                Event::Planned { jobs, done } => format!("planned {jobs}, done {}", done.len()),
                Event::JobFinished { record } => record.job.clone(),
                Event::Ended { summary } => format!("ended after {}", summary.jobs),
            };
            self.0.lock().unwrap().push(said);
        }
    }
    let mut town = town();
    town.settings.jobs = 4;
    let watcher = Watcher::default();
    town.run("run", &watcher).unwrap();
    let mut said = watcher.0.into_inner().unwrap();
    assert_eq!(
        (said.remove(0).as_str(), said.pop().as_deref()),
        ("planned 20, done 0", Some("ended after 20"))
    );
    said.sort();
    let mut planned: Vec<String> = town.plan().1.jobs.into_iter().map(|job| job.id).collect();
    planned.sort();
    assert_eq!(said, planned);
}

#[test]
fn without_time_no_job_is_started_and_none_is_lost() {
    let mut town = town();
    town.time = Some(Duration::ZERO);
    let summary = town.run("run", &()).unwrap();
    assert_eq!((summary.jobs, summary.left), (0, 20));
    town.time = None;
    assert_eq!(town.records("run"), town.records("another"));
}

/// A profiler whose counts do not depend on deleted statements.
struct Steady(Fake);

impl Profiler for Steady {
    fn info(&self) -> &ProfilerInfo {
        self.0.info()
    }

    fn profile(&self, worker: &mut Worker, request: &Request<'_>) -> anyhow::Result<Profile> {
        let source = request.source.replace(" if 9 else 7", "");
        self.0.profile(worker, &Request { source: &source, ..*request })
    }

    fn commands(&self, request: &Request<'_>, dialect: usize) -> Vec<String> {
        self.0.commands(request, dialect)
    }
}

/// An archive of made-up snapshots, one a day. Build 12 is the first bad one, and some builds cannot be used.
struct FakeArchive {
    dates: Vec<String>,
    asked: Mutex<Vec<usize>>,
}

impl Archive for FakeArchive {
    fn number_of_builds(&self) -> usize {
        self.dates.len()
    }

    fn date(&self, build: usize) -> Option<&str> {
        Some(&self.dates[build])
    }

    fn profiler(&self, build: usize) -> anyhow::Result<Probed> {
        self.asked.lock().unwrap().push(build);
        let fake = Fake::new(Family::Gcov, "gcc-0");
        match build {
            0 | 11 | 14 => anyhow::bail!("the build of this day failed"),
            ..12 => Ok(Arc::new(Steady(fake))),
            _ => Ok(Arc::new(fake)),
        }
    }
}

#[test]
fn the_first_bad_snapshot_is_found_by_bisection() {
    let town = Town::new(&[("p", &program(9, "1 if 9 else 7", &[]))]);
    let record = town.records("run").remove(0);
    let source = program(9, "1 if 9 else 7", &[]);
    let bundle = Example { source, included: None, record: &record, finding: &record.findings[0] }.bundle();
    let dates = (1..=30).map(|day| format!("2026-03-{day:02}")).collect();
    let archive = FakeArchive { dates, asked: Mutex::default() };
    let worker = Worker::new(town.temp.at("worker"), BINARY.into(), town.settings.limits.clone());
    let replay = bundle.replay.as_ref().unwrap();
    let tried = bisect(&archive, &town.settings, &bundle, replay, &Mutex::new(worker)).unwrap();
    let of_kind = |affected: bool| tried.iter().filter(move |build| build.affected == affected);
    assert_eq!(of_kind(true).map(VersionResult::name).min().as_deref(), Some("gcc-0 2026-03-13"));
    assert_eq!(of_kind(false).map(VersionResult::name).max().as_deref(), Some("gcc-0 2026-03-11"));
    assert!(is_regression(&&tried, None));
    let mut asked = archive.asked.into_inner().unwrap();
    asked.sort_unstable();
    let all = asked.len();
    asked.dedup();
    assert!(asked.len() == all && all <= 9, "{asked:?}");
}
