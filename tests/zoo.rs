//! Hostile programs in a campaign: each is kept in, recorded for what it does, and leaves nothing behind;
//! what stands beside it is found as without it.
//!
//! A program of the zoo says in its first line what must be recorded of it, and aborts if it got out. Each is
//! bounded, so that it could do no harm if nothing held it. Those that signal others are run only where
//! a PID namespace and a user of their own keep them in.

mod support;

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use recount::journal::{JobRecord, RunFolder, read};
use recount::sys::{Confinement, LayerName, Supervisor};
use support::{BINARY, processes};

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");

const SETTINGS: &str = "jobs = 2\nrelations = [\"delete\", \"truth\"]\n\
                        [limits]\nrun_seconds = 2\nmemory_mib = 256\noutput_kib = 64\n";

/// Where the programs of the zoo try to leave something.
const CANARIES: [&str; 4] =
    ["/dev/shm/recount-zoo", "/var/tmp/recount-zoo", "/root/recount-zoo", "/etc/recount-zoo"];

/// The key of what one of them leaves in System V's memory, as `/proc/sysvipc` prints it.
const KEY: &str = "32448";

/// A place for scratch folders as they are in real life: in memory, not below /tmp.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let mut builder = tempfile::Builder::new();
        builder.prefix("zoo-").permissions(PermissionsExt::from_mode(0o777));
        let memory = Utf8Path::new("/dev/shm");
        let folder = if memory.is_dir() { builder.tempdir_in(memory) } else { builder.tempdir() };
        Place { folder: folder.unwrap() }
    }

    fn root(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).unwrap()
    }

    fn at(&self, name: &str) -> Utf8PathBuf {
        let path = self.root().join(name);
        if !path.exists() {
            fs_err::create_dir(&path).unwrap();
            fs_err::set_permissions(&path, PermissionsExt::from_mode(0o777)).unwrap();
        }
        path
    }
}

/// What keeps programs in here, by the supervisor's own word.
fn layers() -> Vec<LayerName> {
    let place = Place::new();
    let scratch = place.at("tmp").join("w0");
    let confinement = Confinement {
        binary: BINARY.into(),
        memory_mib: 64,
        output_kib: 64,
        scratch,
        needed: None,
        unconfined: false,
    };
    let mut supervisor = Supervisor::new(confinement);
    let layers = supervisor.layers().unwrap().iter();
    layers.filter(|layer| layer.lacks.is_none()).map(|layer| layer.name).collect()
}

/// The programs in `folder` of the tests, copied below `place`; a listener's port stands where one has to.
fn copied(place: &Place, folder: &str, port: u16) -> BTreeMap<String, String> {
    let to = place.at("sources");
    let mut all = BTreeMap::new();
    for entry in Utf8Path::new(TESTS).join(folder).read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        if path.extension() != Some("c") {
            continue;
        }
        let text = fs_err::read_to_string(&path).unwrap();
        let text = text.replace("#define LISTENER 1", &format!("#define LISTENER {port}"));
        let expects = text.lines().next().and_then(|line| line.strip_prefix("// expects: "));
        let expects = expects.unwrap_or_else(|| panic!("{path} expects nothing")).to_string();
        fs_err::write(to.join(path.file_name().unwrap()), &text).unwrap();
        all.insert(path.file_stem().unwrap().to_string(), expects);
    }
    all
}

/// The records of a campaign over `sources`, run by `user` if that is not us.
fn campaign(place: &Place, sources: &[Utf8PathBuf], out: &str, user: Option<u32>) -> Vec<JobRecord> {
    let settings = place.root().join("settings.toml");
    fs_err::write(&settings, SETTINGS).unwrap();
    let out = place.at("runs").join(out);
    let mut command = Command::new(BINARY);
    command.arg("run").args(sources).args(["--quiet", "--config", settings.as_str(), "--out", out.as_str()]);
    command.env("TMPDIR", place.at("tmp")).env("RECOUNT_ZOO_SECRET", "secret").current_dir(place.at("runs"));
    command.env("RECOUNT_COMPILERS", place.root().join("no-compilers"));
    if let Some(user) = user {
        command.uid(user).gid(user);
    }
    let said = command.output().unwrap();
    let errors = String::from_utf8_lossy(&said.stderr);
    assert!(matches!(said.status.code(), Some(0 | 1)), "{:?}: {errors}", said.status);
    read(&RunFolder(out)).unwrap().records
}

/// Nothing of a campaign in `place` is left.
fn is_clean(place: &Place, listener: &TcpListener) {
    assert_eq!(processes(place.root()), [""; 0]);
    let left: Vec<_> = place.at("tmp").read_dir_utf8().unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    for path in CANARIES {
        assert!(!Utf8Path::new(path).exists(), "{path}");
    }
    for kind in ["shm", "msg"] {
        let all = fs_err::read_to_string(format!("/proc/sysvipc/{kind}")).unwrap();
        assert!(!all.lines().any(|line| line.split_whitespace().next() == Some(KEY)), "{all}");
    }
    assert!(listener.accept().is_err(), "somebody connected");
}

/// What the records say of the hostile ones, against what they expect.
fn complaints(records: &[JobRecord], expected: &BTreeMap<String, String>) -> Vec<String> {
    let mut wrong = Vec::new();
    for record in records {
        let Some(expects) = expected.get(&record.program) else { continue };
        // Who becomes another program leaves its profile to libgcov's care; LLVM's runtime has none.
        let becomes_another = record.program == "becomes_another" && record.compiler.starts_with("clang");
        let expects = if becomes_another { "left no profile" } else { expects };
        if record.outcome.name() != expects || record.failed.is_some() {
            wrong.push(format!("{}: {:?} {:?}", record.job, record.outcome, record.failed));
        }
    }
    wrong
}

fn listener() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

/// The programs of the zoo that may be tried here, with what they expect; none where too little holds them.
fn zoo(place: &Place, port: u16) -> Option<BTreeMap<String, String>> {
    let here = layers();
    let lacking: Vec<&str> =
        ALL.iter().filter(|layer| !here.contains(layer)).map(|layer| layer.name()).collect();
    if !lacking.is_empty() {
        eprintln!("the zoo is skipped: this machine has no {}", lacking.join(", no "));
        return None;
    }
    let mut all = copied(place, "data/zoo", port);
    all.extend(copied(place, "data/zoo/signals", port));
    Some(all)
}

const ALL: [LayerName; 5] =
    [LayerName::Processes, LayerName::Network, LayerName::Mounts, LayerName::User, LayerName::Landlock];

#[test]
fn hostile_programs_are_kept_in_and_their_neighbours_do_not_notice() {
    let (place, (listener, port)) = (Place::new(), listener());
    let Some(expected) = zoo(&place, port) else { return };
    assert!(expected.len() >= 40, "{}", expected.len());
    let beside = ["jumps_back.c", "dead_last_return.c", "control.c"];
    let beside = beside.map(|name| Utf8Path::new(TESTS).join("world").join(name));
    let alone = campaign(&place, &beside, "alone", None);
    let mut sources = vec![place.at("sources")];
    sources.extend(beside);
    let together = campaign(&place, &sources, "together", None);
    let wrong = complaints(&together, &expected);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert_eq!(together.len(), 2 * expected.len() + alone.len());
    let findings = |records: &[JobRecord]| -> BTreeMap<String, String> {
        let known = alone.iter().map(|record| &record.job).collect::<Vec<_>>();
        let of_neighbours = records.iter().filter(|record| known.contains(&&record.job));
        let told = |record: &JobRecord| serde_json::to_string(&record.findings).unwrap();
        of_neighbours.map(|record| (record.job.clone(), told(record))).collect()
    };
    assert!(alone.iter().any(|record| !record.findings.is_empty()), "there is something to find");
    assert_eq!(findings(&together), findings(&alone));
    is_clean(&place, &listener);
}

#[test]
fn an_ordinary_user_can_keep_them_in_too() {
    let (place, (listener, port)) = (Place::new(), listener());
    if zoo(&place, port).is_none() {
        return;
    }
    // A clone of the repository may lie where others cannot read.
    let reachable = Command::new(BINARY).arg("--version").uid(65534).gid(65534).output();
    if !reachable.is_ok_and(|said| said.status.success()) {
        eprintln!("skipped: another user cannot start {BINARY}");
        return;
    }
    let expected = copied(&place, "data/zoo", port);
    let records = campaign(&place, &[place.at("sources")], "run", Some(65534));
    // Without a user of its own a program may remove what is its user's; the profile is still its own.
    let wrong = complaints(&records, &expected);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    is_clean(&place, &listener);
}
