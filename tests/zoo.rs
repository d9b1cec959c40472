//! Hostile programs in a campaign: each stays in the sandbox, is recorded with its behaviour, and leaves nothing; the
//! findings in other programs do not change.
//!
//! The first line of a program of the zoo names its expected outcome. The program aborts if it escaped. Each is
//! bounded, so that it does no harm without a sandbox. Those that signal other processes run only in a PID namespace
//! with a separate user.

mod support;

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use recount::journal::{JobRecord, RunFolder, read};
use recount::sys::{Confinement, LayerName, Supervisor};
use support::{BINARY, install, processes, skip};

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");

const SETTINGS: &str = "jobs = 2\nrelations = [\"delete\", \"truth\"]\n\
                        [limits]\nrun_seconds = 2\nmemory_mib = 256\noutput_kib = 64\n";

/// Where the programs of the zoo try to leave something.
const CANARIES: [&str; 4] =
    ["/dev/shm/recount-zoo", "/var/tmp/recount-zoo", "/root/recount-zoo", "/etc/recount-zoo"];

/// The key of the System V memory that one of them leaves, as `/proc/sysvipc` prints it.
const KEY: &str = "32448";

/// A folder where scratch folders usually are: in memory, not below /tmp.
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

/// The layers of the sandbox on this machine, as the supervisor reports them.
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
    layers.filter(|layer| layer.unavailable.is_none()).map(|layer| layer.name).collect()
}

/// The programs in `folder` of the tests, copied below `place`, with the port of the listener; their expected outcomes.
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
        let expects = expects.unwrap_or_else(|| panic!("{path} has no expected outcome")).to_string();
        fs_err::write(to.join(path.file_name().unwrap()), &text).unwrap();
        all.insert(path.file_stem().unwrap().to_string(), expects);
    }
    all
}

/// The records of a campaign over `sources`, run by `user` or else by the user of the test.
fn campaign(place: &Place, sources: &[Utf8PathBuf], out: &str, user: Option<u32>) -> Vec<JobRecord> {
    let settings = place.root().join("settings.toml");
    fs_err::write(&settings, SETTINGS).unwrap();
    let out = place.at("runs").join(out);
    // Another user may not be able to read the folder of our binary.
    let binary = place.root().join("recount");
    if !binary.exists() {
        install(BINARY.into(), &binary);
    }
    let mut command = Command::new(binary);
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

/// No process or file of a campaign in `place` is left.
fn assert_clean(place: &Place, listener: &TcpListener) {
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
    assert!(listener.accept().is_err(), "a program connected to the listener");
}

/// The records of hostile programs that differ from the expected outcomes.
fn complaints(records: &[JobRecord], expected: &BTreeMap<String, String>) -> Vec<String> {
    let mut wrong = Vec::new();
    for record in records {
        let Some(expects) = expected.get(&record.program) else { continue };
        // On exec libgcov writes the profile; LLVM's runtime does not.
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

/// The programs of the zoo with their expected outcomes; none, and the test is skipped, without the whole sandbox.
fn zoo(place: &Place, port: u16) -> Option<BTreeMap<String, String>> {
    let here = layers();
    let lacking: Vec<&str> =
        ALL.iter().filter(|layer| !here.contains(layer)).map(|layer| layer.name()).collect();
    if !lacking.is_empty() {
        skip(&format!("this machine has no {}", lacking.join(", no ")));
        return None;
    }
    let mut all = copied(place, "data/zoo", port);
    all.extend(copied(place, "data/zoo/signals", port));
    Some(all)
}

const ALL: [LayerName; 5] =
    [LayerName::Processes, LayerName::Network, LayerName::Mounts, LayerName::User, LayerName::Landlock];

#[test]
#[ignore = "long"]
fn hostile_programs_stay_in_the_sandbox_and_do_not_change_other_findings() {
    let (place, (listener, port)) = (Place::new(), listener());
    let Some(expected) = zoo(&place, port) else { return };
    assert!(expected.len() >= 40, "{}", expected.len());
    let neighbours = ["jumps_back.c", "dead_last_return.c", "control.c"];
    let neighbours = neighbours.map(|name| Utf8Path::new(TESTS).join("world").join(name));
    let alone = campaign(&place, &neighbours, "alone", None);
    let mut sources = vec![place.at("sources")];
    sources.extend(neighbours);
    let together = campaign(&place, &sources, "together", None);
    let wrong = complaints(&together, &expected);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert_eq!(together.len(), 2 * expected.len() + alone.len());
    let findings = |records: &[JobRecord]| -> BTreeMap<String, String> {
        let known = alone.iter().map(|record| &record.job).collect::<Vec<_>>();
        let of_neighbours = records.iter().filter(|record| known.contains(&&record.job));
        let found = |record: &JobRecord| serde_json::to_string(&record.findings).unwrap();
        of_neighbours.map(|record| (record.job.clone(), found(record))).collect()
    };
    assert!(alone.iter().any(|record| !record.findings.is_empty()), "there is something to find");
    assert_eq!(findings(&together), findings(&alone));
    assert_clean(&place, &listener);
}

#[test]
#[ignore = "long"]
fn an_ordinary_user_has_a_sandbox_too() {
    let (place, (listener, port)) = (Place::new(), listener());
    if zoo(&place, port).is_none() {
        return;
    }
    let expected = copied(&place, "data/zoo", port);
    let records = campaign(&place, &[place.at("sources")], "run", Some(65534));
    // Without a separate user, a program may remove files of recount's user, but its profile is unaffected.
    let wrong = complaints(&records, &expected);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert_clean(&place, &listener);
}
