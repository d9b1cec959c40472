//! Ground truth of programs that fork, execute, start threads, or end without their exit handlers. Comments in
//! `data/processes` say how often a line runs, over all processes and threads.

mod support;

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use recount::config::Settings;
use recount::corpus::Input;
use recount::journal::{RunFolder, read};
use recount::model::{Convention, Family, Rule, Verdict};
use recount::replay;
use recount::toolchain::{Request, Worker, select};
use recount::truth::{measure, prove};
use support::{BINARY, Temp, skip};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/processes");

/// The lines of `text` whose comments say how often they run.
fn expected(text: &str) -> Vec<(u32, u64)> {
    let ran = |(line, text): (u32, &str)| Some((line, text.split_once("// ran ")?.1.trim().parse().unwrap()));
    (1..).zip(text.lines()).filter_map(ran).collect()
}

fn programs() -> Vec<Utf8PathBuf> {
    let mut found: Vec<Utf8PathBuf> =
        Utf8Path::new(DATA).read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path()).collect();
    found.sort();
    assert!(found.len() >= 7);
    found
}

fn count_all(name: &str) {
    let profilers = match select(&[name.to_string()]) {
        Ok(profilers) => profilers,
        Err(error) => return skip(&format!("{name}: {error}")),
    };
    let profiler = &*profilers[0];
    let temp = Temp::new();
    let mut worker = Worker::new(temp.at("w0"), BINARY.into(), Settings::quick().limits);
    let (flags, input) = (["-pthread", "-finstrument-functions"].map(String::from), Input::default());
    for path in programs() {
        let source = fs_err::read_to_string(&path).unwrap();
        let request = Request { flags: &flags, ..Request::new(&source, &input) };
        let truth =
            measure(profiler, &mut worker, &request).unwrap().unwrap_or_else(|why| panic!("{path}: {why}"));
        assert_eq!(prove(profiler, &mut worker, &request).unwrap(), Ok(BTreeSet::new()), "{path}");
        let lines = expected(&source);
        assert!(lines.len() > 3, "{path}");
        for (line, ran) in lines {
            let counts =
                replay::expected(&truth, Family::LlvmCov, line).map(|found| found.counts).unwrap_or_default();
            assert!(counts.contains(&ran) && counts.len() <= 2, "{path}:{line}: {counts:?}, not {ran}");
        }
    }
}

#[test]
fn no_process_and_no_thread_is_lost_with_gcc() {
    count_all("gcov");
}

#[test]
fn no_process_and_no_thread_is_lost_with_clang() {
    count_all("llvm-cov");
}

/// The verdicts on the lines of `program` with the flag `update`, and the rules that decided them.
fn verdicts(program: &str, update: &str) -> BTreeSet<(Verdict, Option<Rule>)> {
    let temp = Temp::new();
    let source = Utf8Path::new(DATA).join(program);
    let args = ["run", source.as_str(), "--relation", "truth", "--quiet", "--flag", "-pthread"];
    let more = ["--flag", update, "--profiler", "gcov", "--profiler", "llvm-cov", "--out", "out"];
    let run = temp.recount(&[&args[..], &more].concat());
    let journal = read(&RunFolder(temp.at("out"))).unwrap();
    assert_eq!(journal.records.len(), 2, "{}", String::from_utf8_lossy(&run.stderr));
    for record in &journal.records {
        assert_eq!(record.no_truth, None, "{}", record.compiler);
        assert!(record.checked.as_ref().unwrap().with_truth > 8, "{}", record.compiler);
    }
    journal
        .records
        .iter()
        .flat_map(|record| &record.findings)
        .map(|found| (found.verdict, found.rule))
        .collect()
}

#[test]
fn counts_that_threads_lose_are_races_and_not_wrong() {
    assert_eq!(verdicts("threads.c", "-fprofile-update=atomic"), BTreeSet::new());
    let race = BTreeSet::from([(Verdict::Convention, Some(Rule::Convention(Convention::LostUpdate)))]);
    // The threads run at the same time in most runs, but a busy machine may run them one after the other.
    for _ in 0..10 {
        let found = verdicts("threads.c", "-fprofile-update=single");
        if !found.is_empty() {
            return assert_eq!(found, race);
        }
    }
    panic!("no run lost a count");
}

#[test]
fn counts_that_a_process_did_not_write_are_lost_and_not_wrong() {
    let lost = (Verdict::Convention, Some(Rule::Convention(Convention::LostProcess)));
    for program in ["exit_in_child.c", "abort_in_child.c", "killed_child.c", "threads_in_child.c"] {
        assert_eq!(verdicts(program, "-fprofile-update=atomic"), BTreeSet::from([lost]), "{program}");
    }
}

/// A thread is waited for in a loop, so the counts of `main` vary. Those of `pick` do not.
const WAITING: &str = "\
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int ready;
static int pick(int n)
{
    return n > 1
        ? n
        : -n;
}
static void *work(void *given)
{
    int sum = 0;
    for (int i = 0; i < 9; i++)
        sum += pick(i);
    pthread_mutex_lock(&mutex);
    ready = sum;
    pthread_mutex_unlock(&mutex);
    return given;
}
int main(void)
{
    pthread_t thread;
    int done = 0;
    if (pthread_create(&thread, 0, work, 0))
        return 1;
    while (!done) {
        pthread_mutex_lock(&mutex);
        done = ready != 0;
        pthread_mutex_unlock(&mutex);
    }
    return pthread_join(thread, 0);
}
";

#[test]
fn a_count_that_varies_hides_no_wrong_count_of_another_function() {
    let temp = Temp::new();
    temp.write("waiting.c", WAITING);
    let check = ["check", "waiting.c", "--relation", "truth", "--profiler", "gcov", "--known", "/dev/null"];
    let said = String::from_utf8(temp.recount(&check).stdout).unwrap();
    let wrong: Vec<&str> = said.lines().filter(|line| line.contains(" wrong (")).collect();
    assert!(
        matches!(wrong[..], [line] if line.contains("line 6: ")) && said.contains("and line 8: "),
        "{said}"
    );
}

/// Counts from before a reset, and from after a dump that nothing resets, are not in gcov's profile.
const OF_GCOV: &str = "\
void __gcov_dump(void);
void __gcov_reset(void);
static int work(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}
int main(void)
{
    int sum = work(4);
    __gcov_reset();
    sum += work(5);
    __gcov_dump();
    return sum + work(6) == 0;
}
";

/// llvm-cov adds up the profiles that a program writes: the counts of the first loop are in both.
const OF_LLVM: &str = "\
int __llvm_profile_write_file(void);
static int sum;
int main(void)
{
    for (int i = 0; i < 4; i++)
        sum += i;
    __llvm_profile_write_file();
    for (int i = 0; i < 5; i++)
        sum += i;
    return sum == 0;
}
";

#[test]
fn a_program_that_writes_its_own_profile_is_checked() {
    let cases = [("gcov", OF_GCOV, "lost-process"), ("llvm-cov", OF_LLVM, "inherited-counts")];
    for (profiler, text, rule) in cases {
        let temp = Temp::new();
        temp.write("own.c", text);
        let check = ["check", "own.c", "--relation", "truth", "--profiler", profiler];
        let said = String::from_utf8(temp.recount(&check).stdout).unwrap();
        assert!(!said.contains(" wrong (") && !said.contains("no ground truth"), "{said}");
        assert!(said.contains(&format!("convention ({rule})")), "{said}");
    }
}
