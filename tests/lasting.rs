//! No result is lost: a campaign that is killed, stopped, started twice, or interrupted by a full disk finally reports
//! the same as an undisturbed one.
//!
//!   `RECOUNT_KILLS`  how often the campaign is killed (default: 5)

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use recount::journal::{RunFolder, read};
use recount::model::Finding;
use support::{BINARY, Temp, processes, skip};

const WORLD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/world");

/// Programs of tests/world that have findings or end quickly.
const PROGRAMS: [&str; 8] = [
    "jumps_back",
    "dead_last_return",
    "control",
    "aborts",
    "old_style",
    "writes_files",
    "exits_nonzero",
    "leaves_by_underscore_exit",
];

struct Place {
    temp: Temp,
    sources: Vec<Utf8PathBuf>,
}

impl Place {
    fn new() -> Place {
        let temp = Temp::new();
        temp.write(
            "settings.toml",
            "jobs = 2\nrelations = [\"delete\", \"truth\"]\n[limits]\nrun_seconds = 2\n",
        );
        fs_err::create_dir_all(temp.at("tmp")).unwrap();
        let sources = PROGRAMS.map(|name| Utf8Path::new(WORLD).join(format!("{name}.c"))).into();
        Place { temp, sources }
    }

    /// `recount run` into the folder `out`, with more arguments.
    fn command(&self, out: &str, more: &[&str]) -> Command {
        let mut command = Command::new(BINARY);
        command.arg("run").args(&self.sources).args(["--config", "settings.toml", "--out", out]).args(more);
        command.current_dir(self.temp.root()).env("TMPDIR", self.temp.at("tmp"));
        command.env("RECOUNT_COMPILERS", self.temp.at("no-compilers"));
        command
    }

    fn start(&self, out: &str, more: &[&str]) -> Child {
        self.command(out, more).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    fn run(&self, out: &str, more: &[&str]) -> Output {
        self.command(out, more).output().unwrap()
    }

    /// The open findings of the campaign in `out`.
    fn open(&self, out: &str) -> BTreeSet<String> {
        let journal = read(&RunFolder(self.temp.at(out))).unwrap();
        assert_eq!(journal.records.len(), journal.header.jobs, "every job");
        let failed: Vec<_> = journal.records.iter().filter_map(|record| record.failed.as_ref()).collect();
        assert!(failed.is_empty(), "{failed:?}");
        let open = |found: &Finding| found.verdict.is_open();
        let name = |found: Finding| format!("{} {:?} {:?}", found.program, found.line, found.signature);
        journal.findings().into_iter().filter(open).map(name).collect()
    }

    /// The outcomes and findings of the campaign in `out`, by job.
    fn findings(&self, out: &str) -> BTreeMap<String, String> {
        let journal = read(&RunFolder(self.temp.at(out))).unwrap();
        let result = |record: &recount::journal::JobRecord| {
            assert_eq!(record.failed, None, "{}", record.job);
            serde_json::to_string(&(&record.outcome, &record.findings)).unwrap()
        };
        let all: BTreeMap<_, _> =
            journal.records.iter().map(|record| (record.job.clone(), result(record))).collect();
        assert_eq!(all.len(), journal.records.len(), "each job once");
        assert_eq!(all.len(), journal.header.jobs, "every job");
        all
    }

    fn assert_clean(&self) {
        assert!(within(5, || processes(self.temp.root()).is_empty()), "{:?}", processes(self.temp.root()));
        let left = || -> Vec<String> {
            let walk = Command::new("find").args([self.temp.at("tmp").as_str(), "-mindepth", "1"]).output();
            text(&walk.unwrap().stdout).lines().map(String::from).collect()
        };
        assert!(within(5, || left().is_empty()), "{:#?}", left());
    }
}

fn within(seconds: u64, mut holds: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    while !holds() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    holds()
}

/// The length of a file, 0 if it does not exist.
fn size(path: &Utf8Path) -> u64 {
    path.metadata().map_or(0, |found| found.len())
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
#[ignore = "long"]
fn a_campaign_that_is_killed_repeatedly_reports_the_same() {
    let kills: usize = std::env::var("RECOUNT_KILLS").map_or(5, |number| number.parse().unwrap());
    let place = Place::new();
    place.run("undisturbed", &["-q"]);
    let whole = size(&place.temp.at("undisturbed/journal.jsonl"));
    let expected = place.findings("undisturbed");
    assert!(expected.values().any(|result| result.contains("verdict")), "there is something to find");
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let (mut killed, mut round) = (0, 0);
    while killed < kills {
        let out = format!("run-{round}");
        round += 1;
        let journal = place.temp.at(&out).join("journal.jsonl");
        // Killed after some of the remaining jobs, and a little later than their last record is written.
        while killed < kills {
            let until = rng.random_range(size(&journal)..=whole.max(size(&journal)));
            let mut child = place.start(&out, &["-q", "--resume"]);
            let mut has_ended = false;
            within(60, || {
                has_ended = child.try_wait().unwrap().is_some();
                has_ended || size(&journal) >= until
            });
            if has_ended {
                break;
            }
            std::thread::sleep(Duration::from_millis(rng.random_range(0..50)));
            signal(&child, "-KILL");
            child.wait().unwrap();
            killed += 1;
        }
        let said = place.run(&out, &["-q", "--resume"]);
        assert!(matches!(said.status.code(), Some(0 | 1)), "{}", text(&said.stderr));
        assert_eq!(place.findings(&out), expected, "after {killed} kills");
        place.assert_clean();
    }
}

#[test]
#[ignore = "long"]
fn a_campaign_that_is_suspended_continues() {
    let place = Place::new();
    place.run("undisturbed", &["-q"]);
    let journal = place.temp.at("run/journal.jsonl");
    let mut child = place.start("run", &["-q"]);
    for _ in 0..3 {
        let before = size(&journal);
        assert!(within(60, || size(&journal) > before), "it has written a record");
        signal(&child, "-STOP");
        let state = || fs_err::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
        assert!(within(20, || state().contains(") T ")), "{}", state());
        // Longer than its programs run.
        std::thread::sleep(Duration::from_millis(500));
        signal(&child, "-CONT");
    }
    assert!(matches!(child.wait().unwrap().code(), Some(0 | 1)));
    assert_eq!(place.findings("run"), place.findings("undisturbed"));
}

#[test]
fn the_second_interrupt_ends_it_at_once() {
    let place = Place::new();
    let mut child = place.start("run", &["-q"]);
    assert!(within(20, || place.temp.at("run/journal.jsonl").exists()));
    signal(&child, "-INT");
    signal(&child, "-INT");
    let began = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(began.elapsed() < Duration::from_secs(2));
    // The next run removes its scratch folder.
    place.run("run", &["-q", "--resume"]);
    place.findings("run");
    place.assert_clean();
}

#[test]
fn the_second_campaign_on_a_folder_names_the_process_of_the_first() {
    let place = Place::new();
    let mut first = place.start("run", &["-q"]);
    let journal = place.temp.at("run/journal.jsonl");
    assert!(within(20, || size(&journal) > 0));
    let second = place.run("run", &["-q", "--resume"]);
    assert_eq!(second.status.code(), Some(2));
    let said = text(&second.stderr);
    assert!(said.contains(&format!("in use by process {}", first.id())), "{said}");
    assert!(matches!(first.wait().unwrap().code(), Some(0 | 1)));
    place.findings("run");
}

#[test]
fn a_folder_that_cannot_be_written_is_reported_in_one_sentence() {
    let place = Place::new();
    place.temp.write("file", "");
    let said = place.run("file/run", &["-q"]);
    assert_eq!(
        (said.status.code(), text(&said.stderr).lines().count()),
        (Some(2), 1),
        "{}",
        text(&said.stderr)
    );
    assert!(text(&said.stderr).contains("file/run"), "{}", text(&said.stderr));
}

#[test]
#[ignore = "long"]
fn a_campaign_is_resumed_after_a_loss_of_power() {
    let place = Place::new();
    place.run("run", &["-q"]);
    let expected = place.findings("run");
    let path = place.temp.at("run/journal.jsonl");
    let whole = fs_err::read(&path).unwrap();
    let ends: Vec<usize> = (1..=whole.len()).filter(|at| whole[at - 1] == b'\n').collect();
    let third = ends[2];
    // Nothing at all, half a header, half a line, a line of zeros, zeros to the end.
    let zeros = |count: usize, behind: &[u8]| [&whole[..third], &vec![0; count][..], behind].concat();
    let tails = [
        Vec::new(),
        whole[..ends[0] / 2].to_vec(),
        whole[..third + 40].to_vec(),
        zeros(300, b"\n"),
        zeros(4096, b"\n\0\0\n\0"),
    ];
    for tail in tails {
        fs_err::write(&path, &tail).unwrap();
        let said = place.run("run", &["-q", "--resume"]);
        assert!(matches!(said.status.code(), Some(0 | 1)), "{}", text(&said.stderr));
        assert_eq!(place.findings("run"), expected);
    }
    // In the middle of the journal it is damage, and no record is removed.
    let damaged = [&whole[..ends[0]], b"damage\n", &whole[ends[0]..]].concat();
    fs_err::write(&path, &damaged).unwrap();
    let said = place.run("run", &["-q", "--resume"]);
    assert_eq!(said.status.code(), Some(2));
    let told = format!("journal.jsonl:2: not a line of a journal of format 2 (from byte {})", ends[0]);
    assert!(text(&said.stderr).contains(&told), "{}", text(&said.stderr));
    assert_eq!(fs_err::read(&path).unwrap(), damaged);
}

/// A small disk of its own; without the permission to mount one the test is skipped.
struct Disk(Utf8PathBuf);

impl Disk {
    fn new(at: Utf8PathBuf, mebibytes: u32) -> Option<Disk> {
        fs_err::create_dir_all(&at).unwrap();
        let size = format!("size={mebibytes}m,mode=1777");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "zoo", at.as_str()]).output();
        if mounted.is_ok_and(|said| said.status.success()) {
            return Some(Disk(at));
        }
        skip("no disk can be mounted here");
        None
    }

    /// Fill it except for this many bytes.
    fn fill(&self, left: u64) {
        let free = rustix::fs::statvfs(self.0.as_str()).map(|found| found.f_bavail * found.f_frsize).unwrap();
        let size = usize::try_from(free.saturating_sub(left)).unwrap();
        // The campaign may use the space first.
        let _ = std::fs::write(self.0.join("filler"), vec![1; size]);
    }

    fn free(&self) {
        let _ = fs_err::remove_file(self.0.join("filler"));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").args(["-l", self.0.as_str()]).status();
    }
}

#[test]
#[ignore = "long"]
fn a_disk_that_fills_at_any_moment_produces_no_findings() {
    let place = Place::new();
    place.run("undisturbed", &["-q"]);
    let Some(disk) = Disk::new(place.temp.at("tmp"), 96) else { return };
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut run = Watched::start(&place, "run", &[]);
    // A job restarts after each full disk, so their number must be limited.
    let mut fills = 0;
    while fills < 8 && run.is_running() {
        // Full to the last byte, or with space for a part of a step's files.
        disk.fill([0, 64 << 10, 1 << 20, 12 << 20][rng.random_range(0..4)]);
        fills +=
            usize::from(within(20, || run.pauses() > fills || !run.is_running()) && run.pauses() > fills);
        // A step checks for a full disk at its end. A step of the other worker must not miss it.
        std::thread::sleep(Duration::from_millis(500));
        disk.free();
        assert!(within(20, || run.resumptions() == run.pauses()), "{}", run.stderr());
        // Another moment each time.
        std::thread::sleep(Duration::from_millis(rng.random_range(0..200)));
    }
    assert!(fills > 2, "the campaign met a full disk {fills} times");
    assert!(matches!(run.child.wait().unwrap().code(), Some(0 | 1)), "{}", run.stderr());
    let outcomes: Vec<String> = read(&RunFolder(place.temp.at("run")))
        .unwrap()
        .records
        .iter()
        .map(|record| format!("{} {:?} {:?}", record.job, record.outcome, record.no_truth))
        .collect();
    assert_eq!(place.open("run"), place.open("undisturbed"), "{outcomes:#?}");
}

/// A campaign whose messages are kept.
struct Watched {
    child: Child,
    stderr: Utf8PathBuf,
}

impl Watched {
    fn start(place: &Place, out: &str, more: &[&str]) -> Watched {
        let stderr = place.temp.at("stderr");
        let file = fs_err::File::create(&stderr).unwrap().into_file();
        let child = place.command(out, more).stdout(Stdio::null()).stderr(file).spawn().unwrap();
        Watched { child, stderr }
    }

    fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    fn stderr(&self) -> String {
        fs_err::read_to_string(&self.stderr).unwrap()
    }

    fn pauses(&self) -> usize {
        self.stderr().matches("waits for free space").count()
    }

    fn resumptions(&self) -> usize {
        self.stderr().matches("there is free space again").count()
    }
}

/// A campaign into `out` while `disk` is full, interrupted once and resumed.
fn survives_a_full(disk: &Disk, place: &Place, out: &str, left: u64) {
    disk.fill(left);
    let mut run = Watched::start(place, out, &[]);
    assert!(within(20, || run.pauses() > 0), "{}", run.stderr());
    signal(&run.child, "-INT");
    assert_eq!(run.child.wait().unwrap().code(), Some(130), "{}", run.stderr());
    let mut run = Watched::start(place, out, &["--resume"]);
    assert!(within(20, || run.pauses() > 0), "{}", run.stderr());
    disk.free();
    assert!(matches!(run.child.wait().unwrap().code(), Some(0 | 1)), "{}", run.stderr());
    assert_eq!(run.resumptions(), 1, "{}", run.stderr());
    assert_eq!(place.findings(out), place.findings("undisturbed"));
}

#[test]
#[ignore = "long"]
fn a_campaign_waits_for_space_in_its_folder() {
    let place = Place::new();
    place.run("undisturbed", &["-q"]);
    let Some(disk) = Disk::new(place.temp.at("disk"), 8) else { return };
    // Space for a header and a few lines.
    survives_a_full(&disk, &place, "disk/run", 24 << 10);
}

#[test]
#[ignore = "long"]
fn a_campaign_waits_for_space_in_its_scratch_folder() {
    let place = Place::new();
    place.run("undisturbed", &["-q"]);
    let Some(disk) = Disk::new(place.temp.at("tmp"), 96) else { return };
    survives_a_full(&disk, &place, "run", 12 << 20);
}
