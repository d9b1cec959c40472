//! Shared by several test files: a temporary folder, and runs of the recount binary.

#![allow(dead_code, reason = "no test file uses all of it")]

use std::io::Write;
use std::process::Output;

use assert_cmd::Command;
use camino::{Utf8Path, Utf8PathBuf};

/// The binary under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_recount");

/// A program with dead code whose lines every profiler counts right.
pub const PLAIN: &str = "\
int main(int argc, char **argv)
{
    (void)argv;
    int n = argc;
    if (argc > 5)
        n += 2;
    return n - 1;
}
";

/// A temporary folder that is removed when it is dropped.
pub struct Temp {
    folder: tempfile::TempDir,
}

impl Temp {
    /// A new, empty one.
    pub fn new() -> Temp {
        // Programs under test run as another user, who must be able to enter it.
        let mut builder = tempfile::Builder::new();
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o711));
        Temp { folder: builder.tempdir().expect("a temporary folder") }
    }

    /// Its path.
    pub fn root(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).expect("a temporary folder of UTF-8")
    }

    /// The path of `name` in it.
    pub fn at(&self, name: &str) -> Utf8PathBuf {
        self.root().join(name)
    }

    /// Write a file, and create the folders above it; returns its path.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> Utf8PathBuf {
        let path = self.at(name);
        fs_err::create_dir_all(path.parent().expect("it is in the folder")).unwrap();
        fs_err::write(&path, bytes).unwrap();
        path
    }

    /// Write an executable shell script.
    pub fn script(&self, name: &str, text: &str) -> Utf8PathBuf {
        let (written, path) =
            (self.write(&format!("{name}.text"), format!("#!/bin/sh\n{text}\n")), self.at(name));
        install(&written, &path);
        fs_err::remove_file(written).unwrap();
        path
    }

    /// Run our binary with its working directory and its TMPDIR in this folder, so that tests do not see each other's files.
    pub fn recount(&self, args: &[&str]) -> Output {
        let scratch = self.at("tmp");
        fs_err::create_dir_all(&scratch).unwrap();
        let mut command = Command::new(BINARY);
        command.current_dir(self.root()).env("TMPDIR", scratch).env("COLUMNS", "100").args(args);
        // Only the compilers on PATH are used, as in CI.
        command.env("RECOUNT_COMPILERS", self.at("no-compilers"));
        command.output().unwrap()
    }
}

/// Copy `from` to `to` as a file that everybody can run. Another process writes it: as long as this one has it open,
/// so has each child that another thread forks, and then it cannot be run ("Text file busy").
pub fn install(from: &Utf8Path, to: &Utf8Path) {
    Command::new("install").args(["-m", "755", from.as_str(), to.as_str()]).unwrap();
}

/// Report on standard error that the running test is skipped and why. Fails where every test has to run, which
/// `RECOUNT_REQUIRE_ALL` says. Return from the test after the call.
pub fn skip(reason: &str) {
    let line = skipped(reason);
    assert!(std::env::var_os("RECOUNT_REQUIRE_ALL").is_none(), "{line}");
    report(&line);
}

/// The same for a test that only newer tools than those of Debian 12 can run: it never fails.
pub fn skip_for_newer_tools(reason: &str) {
    report(&skipped(reason));
}

fn skipped(reason: &str) -> String {
    format!("SKIPPED {}: {reason}\n", std::thread::current().name().unwrap_or("test"))
}

/// The test harness shows what `eprintln!` prints only for tests that fail.
fn report(line: &str) {
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

/// Processes whose working directory, executable or arguments are in `root`.
pub fn processes(root: &Utf8Path) -> Vec<String> {
    let of_root = |pid: &str| {
        let link = |name| std::fs::read_link(format!("/proc/{pid}/{name}")).unwrap_or_default();
        let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words = String::from_utf8_lossy(&words).replace('\0', " ");
        let line = format!("{pid}: {words}, {} in {}", link("exe").display(), link("cwd").display());
        line.contains(root.as_str()).then_some(line)
    };
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| name.parse::<u32>().is_ok()).filter_map(|pid| of_root(&pid)).collect()
}

/// The C files directly in the folders that `RECOUNT_PROGRAMS` lists, or else in those that `default` lists, sorted.
pub fn programs(default: &str) -> Vec<Utf8PathBuf> {
    let folders = std::env::var("RECOUNT_PROGRAMS").unwrap_or_else(|_| default.to_string());
    let mut all: Vec<Utf8PathBuf> = Vec::new();
    for folder in folders.split_whitespace() {
        let files = Utf8Path::new(folder).read_dir_utf8().unwrap_or_else(|error| panic!("{folder}: {error}"));
        all.extend(files.map(|file| file.unwrap().into_path()).filter(|path| path.extension() == Some("c")));
    }
    all.sort();
    all
}

/// The output and the exit code of a command. If a signal ended it, the test fails.
pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Said {
        let text = |bytes| String::from_utf8(bytes).expect("recount prints UTF-8");
        Said {
            code: output.status.code().expect("no signal ends recount"),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}
