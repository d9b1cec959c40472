//! Nothing is lost: a campaign that is killed, stopped, run twice, or that finds a disk full says in the end
//! what one says that nothing happened to.
//!
//!   `RECOUNT_KILLS`  how often the campaign is killed (5)

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use recount::journal::{RunFolder, read};
use recount::model::Finding;
use support::{BINARY, Temp, processes};

const WORLD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/world");

/// Programs of the miniature world that have findings or end quickly.
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

    /// `recount run` into the folder `out`, with what else is said.
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

    /// What is open of what the campaign in `out` found.
    fn open(&self, out: &str) -> BTreeSet<String> {
        let journal = read(&RunFolder(self.temp.at(out))).unwrap();
        assert_eq!(journal.records.len(), journal.header.jobs, "every job");
        let failed: Vec<_> = journal.records.iter().filter_map(|record| record.failed.as_ref()).collect();
        assert!(failed.is_empty(), "{failed:?}");
        let open = |found: &Finding| found.verdict.is_open();
        let told = |found: Finding| format!("{} {:?} {:?}", found.program, found.line, found.signature);
        journal.findings().into_iter().filter(open).map(told).collect()
    }

    /// What the campaign in `out` found, by job: all but who was first.
    fn findings(&self, out: &str) -> BTreeMap<String, String> {
        let journal = read(&RunFolder(self.temp.at(out))).unwrap();
        let told = |record: &recount::journal::JobRecord| {
            assert_eq!(record.failed, None, "{}", record.job);
            serde_json::to_string(&(&record.outcome, &record.findings)).unwrap()
        };
        let all: BTreeMap<_, _> =
            journal.records.iter().map(|record| (record.job.clone(), told(record))).collect();
        assert_eq!(all.len(), journal.records.len(), "each job once");
        assert_eq!(all.len(), journal.header.jobs, "every job");
        all
    }

    fn is_clean(&self) {
        assert!(within(5, || processes(self.temp.root()).is_empty()), "{:?}", processes(self.temp.root()));
        let left = || -> Vec<String> {
            let walk = Command::new("find").args([self.temp.at("tmp").as_str(), "-mindepth", "1"]).output();
            text(&walk.unwrap().stdout).lines().map(String::from).collect()
        };
        assert!(within(5, || left().is_empty()), "{:#?}", left());
    }
}

fn within(seconds: u64, holds: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    while !holds() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    holds()
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_campaign_that_is_killed_over_and_over_finds_what_it_would_have_found() {
    let kills: usize = std::env::var("RECOUNT_KILLS").map_or(5, |number| number.parse().unwrap());
    let place = Place::new();
    let began = Instant::now();
    place.run("undisturbed", &["-q"]);
    let whole = u64::try_from(began.elapsed().as_millis()).unwrap();
    let expected = place.findings("undisturbed");
    assert!(expected.values().any(|told| told.contains("verdict")), "there is something to find");
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let (mut killed, mut round) = (0, 0);
    while killed < kills {
        let out = format!("run-{round}");
        round += 1;
        // From its start to its end, at any moment, and once more with what is left.
        while killed < kills {
            let mut child = place.start(&out, &["-q", "--resume"]);
            std::thread::sleep(Duration::from_millis(rng.random_range(0..whole * 2 / 3)));
            if child.try_wait().unwrap().is_some() {
                break;
            }
            signal(&child, "-KILL");
            child.wait().unwrap();
            killed += 1;
        }
        let said = place.run(&out, &["-q", "--resume"]);
        assert!(matches!(said.status.code(), Some(0 | 1)), "{}", text(&said.stderr));
        assert_eq!(place.findings(&out), expected, "after {killed} kills");
        place.is_clean();
    }
}

#[test]
fn a_campaign_that_stands_still_for_a_while_goes_on() {
    let place = Place::new();
    place.run("undisturbed", &["-q"]);
    let mut child = place.start("run", &["-q"]);
    for _ in 0..3 {
        std::thread::sleep(Duration::from_millis(300));
        signal(&child, "-STOP");
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
    // Its scratch folder goes with the next run.
    place.run("run", &["-q", "--resume"]);
    place.findings("run");
    place.is_clean();
}

#[test]
fn of_two_campaigns_on_one_folder_the_second_says_who_is_at_it() {
    let place = Place::new();
    let mut first = place.start("run", &["-q"]);
    let journal = place.temp.at("run/journal.jsonl");
    assert!(within(20, || journal.metadata().is_ok_and(|found| found.len() > 0)));
    let second = place.run("run", &["-q", "--resume"]);
    assert_eq!(second.status.code(), Some(2));
    let said = text(&second.stderr);
    assert!(said.contains(&format!("being written by process {}", first.id())), "{said}");
    assert!(matches!(first.wait().unwrap().code(), Some(0 | 1)));
    place.findings("run");
}

#[test]
fn a_folder_that_cannot_be_written_is_one_sentence() {
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
fn what_a_loss_of_power_leaves_is_gone_on_with() {
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
    // In the middle it is damage, and nothing is thrown away unasked.
    let damaged = [&whole[..ends[0]], b"damage\n", &whole[ends[0]..]].concat();
    fs_err::write(&path, &damaged).unwrap();
    let said = place.run("run", &["-q", "--resume"]);
    assert_eq!(said.status.code(), Some(2));
    let told = format!("journal.jsonl:2: not a line of a journal of format 1 (from byte {})", ends[0]);
    assert!(text(&said.stderr).contains(&told), "{}", text(&said.stderr));
    assert_eq!(fs_err::read(&path).unwrap(), damaged);
}

/// A small disk of its own, if we may mount one.
struct Disk(Utf8PathBuf);

impl Disk {
    fn new(at: Utf8PathBuf, mebibytes: u32) -> Option<Disk> {
        fs_err::create_dir_all(&at).unwrap();
        let size = format!("size={mebibytes}m,mode=1777");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "zoo", at.as_str()]).output();
        if mounted.is_ok_and(|said| said.status.success()) {
            return Some(Disk(at));
        }
        eprintln!("skipped: no disk can be mounted here");
        None
    }

    /// Leave so many bytes free.
    fn fill(&self, but: u64) {
        let free = rustix::fs::statvfs(self.0.as_str()).map(|found| found.f_bavail * found.f_frsize).unwrap();
        let size = usize::try_from(free.saturating_sub(but)).unwrap();
        // Somebody else may have been quicker.
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
fn a_disk_that_fills_at_any_moment_makes_no_findings() {
    let place = Place::new();
    place.run("undisturbed", &["-q"]);
    let Some(disk) = Disk::new(place.temp.at("tmp"), 96) else { return };
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut child = place.start("run", &["-q"]);
    // A job begins anew after each, so there must be an end to it.
    let mut fills = 0;
    while fills < 8 && child.try_wait().unwrap().is_none() {
        // Full to the last byte, or with room for a part of what a step writes.
        disk.fill([0, 64 << 10, 1 << 20, 12 << 20][rng.random_range(0..4)]);
        fills += 1;
        std::thread::sleep(Duration::from_millis(rng.random_range(1..400)));
        disk.free();
        std::thread::sleep(Duration::from_millis(rng.random_range(300..1500)));
    }
    assert!(fills > 2, "{fills}");
    assert!(matches!(child.wait().unwrap().code(), Some(0 | 1)));
    assert_eq!(place.open("run"), place.open("undisturbed"));
}

/// A campaign into `out` while `disk` is full, and again after it was ended meanwhile.
fn survives_a_full(disk: &Disk, place: &Place, out: &str, left: u64) {
    disk.fill(left);
    let said = place.temp.at("said");
    let start = |more: &[&str]| {
        let stderr = fs_err::File::create(&said).unwrap().into_file();
        place.command(out, more).stdout(Stdio::null()).stderr(stderr).spawn().unwrap()
    };
    let pauses = || fs_err::read_to_string(&said).unwrap().contains("waits for free space");
    let mut child = start(&[]);
    assert!(within(20, pauses), "{}", fs_err::read_to_string(&said).unwrap());
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130), "{}", fs_err::read_to_string(&said).unwrap());
    let mut child = start(&["--resume"]);
    assert!(within(20, pauses));
    disk.free();
    assert!(
        matches!(child.wait().unwrap().code(), Some(0 | 1)),
        "{}",
        fs_err::read_to_string(&said).unwrap()
    );
    assert!(fs_err::read_to_string(&said).unwrap().contains("there is free space again"));
    assert_eq!(place.findings(out), place.findings("undisturbed"));
}

#[test]
fn a_full_disk_is_waited_for() {
    let place = Place::new();
    place.run("undisturbed", &["-q"]);
    let Some(disk) = Disk::new(place.temp.at("disk"), 8) else { return };
    // Room for a header and a few lines.
    survives_a_full(&disk, &place, "disk/run", 24 << 10);
}

#[test]
fn a_full_scratch_folder_is_waited_for() {
    let place = Place::new();
    place.run("undisturbed", &["-q"]);
    let Some(disk) = Disk::new(place.temp.at("tmp"), 96) else { return };
    survives_a_full(&disk, &place, "run", 12 << 20);
}
