//! One command: an argument vector, never a shell; a folder; limits; a deadline.
//!
//! Output goes to files, not pipes: a file needs no draining, cannot deadlock,
//! is not held open against us by a grandchild, and has a size limit that the
//! kernel keeps. The deadline is a poll on a pidfd, not a loop that sleeps.

use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Resource, Rlimit, Signal, kill_process_group, pidfd_open, prlimit};
use serde::{Deserialize, Serialize};

use super::interrupt;
use super::path::shell_word;
use super::scratch_root::ScratchRoot;
use crate::model::Ending;

/// How long a process group may take to end after TERM, before KILL.
const GRACE: Duration = Duration::from_millis(200);

/// Limits of one command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Limits {
    /// Wall-clock time until the group is ended.
    pub wall: Duration,
    /// CPU seconds of the process.
    pub cpu_seconds: u64,
    /// Largest file that it may write, its output included, in bytes.
    pub file_bytes: u64,
}

/// A command, complete enough to be pasted into a shell.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Command {
    /// Path of the executable, or a name to be found on PATH.
    pub program: String,
    /// Arguments after the name.
    pub args: Vec<String>,
    /// Working directory.
    pub cwd: Utf8PathBuf,
    /// Variables added to the environment.
    pub env: Vec<(String, String)>,
    /// Whether the environment starts empty.
    pub clear_env: bool,
    /// File read as standard input; none is `/dev/null`.
    pub stdin: Option<Utf8PathBuf>,
    /// File that receives standard output.
    pub stdout: Utf8PathBuf,
    /// File that receives standard error.
    pub stderr: Utf8PathBuf,
    /// Its limits.
    pub limits: Limits,
}

/// How a command ended and what it printed.
#[derive(Clone, Debug)]
pub struct CommandOutput {
    /// How it ended.
    pub ending: Ending,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error, lossily decoded: it is only ever shown to people.
    pub stderr: String,
}

impl std::fmt::Display for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, value) in &self.env {
            write!(f, "{name}={} ", shell_word(value))?;
        }
        write!(f, "{}", shell_word(&self.program))?;
        self.args.iter().try_for_each(|arg| write!(f, " {}", shell_word(arg)))
    }
}

/// Run `command` to its end and read back what it printed.
///
/// # Errors
/// When it cannot be started, or with [`io::ErrorKind::Interrupted`] when the
/// user asked to stop; its process group is gone in either case.
pub fn run(command: &Command) -> io::Result<CommandOutput> {
    let mut child = spawn(command)?;
    let ending = wait(&mut child, command, None)?;
    read_back(command, ending, Written::default())
}

/// Run a trusted command whose output lies in a folder that goes again; without `cwd` it stands there too.
///
/// # Errors
/// As [`run`], and where there is no temporary folder.
pub fn run_in_scratch(
    program: &str,
    args: Vec<String>,
    cwd: Option<&Utf8Path>,
    env: Vec<(String, String)>,
    limits: Limits,
) -> io::Result<CommandOutput> {
    let folder = ScratchRoot::new()?;
    let room = folder.path().to_path_buf();
    run(&Command {
        program: program.to_string(),
        args,
        cwd: cwd.map_or_else(|| room.clone(), Utf8Path::to_path_buf),
        env,
        clear_env: false,
        stdin: None,
        stdout: room.join("out"),
        stderr: room.join("err"),
        limits,
    })
}

/// Whether there may be anything in the files that a command prints into.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub(super) stdout: bool,
    pub(super) stderr: bool,
}

impl Default for Written {
    fn default() -> Written {
        Written { stdout: true, stderr: true }
    }
}

/// What `command` printed, once it has ended.
pub(super) fn read_back(command: &Command, ending: Ending, written: Written) -> io::Result<CommandOutput> {
    let read = |path, is_there| if is_there { fs_err::read(path) } else { Ok(Vec::new()) };
    let stdout = read(&command.stdout, written.stdout)?;
    let stderr = String::from_utf8_lossy(&read(&command.stderr, written.stderr)?).into_owned();
    let full = stdout.len() as u64 >= command.limits.file_bytes;
    let ending = if full { Ending::OutputCap } else { ending };
    Ok(CommandOutput { ending, stdout, stderr })
}

/// Start `command` as the leader of a process group of its own.
fn spawn(command: &Command) -> io::Result<Child> {
    started(prepared(command)?.spawn(), command)
}

/// What starts `command` as the leader of a process group of its own.
pub(super) fn prepared(command: &Command) -> io::Result<std::process::Command> {
    let stdin = match &command.stdin {
        Some(path) => Stdio::from(fs_err::File::open(path)?.into_file()),
        None => Stdio::null(),
    };
    let mut builder = std::process::Command::new(&command.program);
    if command.clear_env {
        builder.env_clear();
    }
    builder
        .args(&command.args)
        .current_dir(&command.cwd)
        .envs(command.env.iter().map(|(name, value)| (name, value)))
        .stdin(stdin)
        .stdout(fs_err::File::create(&command.stdout)?.into_file())
        .stderr(fs_err::File::create(&command.stderr)?.into_file())
        .process_group(0);
    Ok(builder)
}

/// The child that `command` became, with its limits.
pub(super) fn started(child: io::Result<Child>, command: &Command) -> io::Result<Child> {
    let child =
        child.map_err(|error| io::Error::new(error.kind(), format!("start {}: {error}", command.program)))?;
    limit(&child, &command.limits);
    Ok(child)
}

/// Limits that the child gets after its start. That leaves it some microseconds
/// without them, which spares us code between fork and exec: a supervisor's programs inherit what
/// matters, and compilers are trusted. The hard CPU limit is a second above the soft one, so that the kernel
/// sends XCPU, which names its reason, before it sends KILL.
fn limit(child: &Child, limits: &Limits) {
    let set = |resource, value: u64, most: u64| {
        let limit = Rlimit { current: Some(value), maximum: Some(most) };
        // A child that is gone already needs no limit.
        let _ = prlimit(Some(pid(child)), resource, limit);
    };
    set(Resource::Cpu, limits.cpu_seconds, limits.cpu_seconds + 1);
    set(Resource::Fsize, limits.file_bytes, limits.file_bytes);
    set(Resource::Core, 0, 0);
}

fn pid(child: &Child) -> Pid {
    Pid::from_child(child)
}

/// Wait for `child` until it ends, its deadline passes, the user interrupts, or
/// `hangup` becomes readable or closes; end its group in all cases; reap it.
pub(super) fn wait(
    child: &mut Child,
    command: &Command,
    hangup: Option<std::os::fd::BorrowedFd<'_>>,
) -> io::Result<Ending> {
    let deadline = Instant::now() + command.limits.wall;
    let pidfd = pidfd_open(pid(child), PidfdFlags::empty())?;
    let stops = [hangup, interrupt::fd()];
    let woken = wait_for(pidfd.as_fd(), &stops, deadline)?;
    if woken != Woken::Ended {
        let _ = kill_process_group(pid(child), Signal::TERM);
        wait_for(pidfd.as_fd(), &[], Instant::now() + GRACE)?;
    }
    if woken != Woken::Ended || hangup.is_none() {
        // The leader is at most a zombie here, so the group's number is still ours. A supervisor
        // (the caller with a hang-up) gives the stragglers of a program that ended a grace.
        let _ = kill_process_group(pid(child), Signal::KILL);
    }
    let status = child.wait()?;
    match woken {
        Woken::Ended => Ok(ending(status)),
        Woken::Late => Ok(Ending::TimedOut),
        Woken::Stopped => Err(io::Error::from(io::ErrorKind::Interrupted)),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Woken {
    Ended,
    Late,
    Stopped,
}

/// Sleep until `main` is readable (a pidfd is, once its process ended), one of
/// `stops` is, or `deadline` passes.
pub(super) fn wait_for(
    main: std::os::fd::BorrowedFd<'_>,
    stops: &[Option<std::os::fd::BorrowedFd<'_>>],
    deadline: Instant,
) -> io::Result<Woken> {
    let mut fds: Vec<PollFd<'_>> = vec![PollFd::from_borrowed_fd(main, PollFlags::IN)];
    fds.extend(stops.iter().flatten().map(|fd| PollFd::from_borrowed_fd(*fd, PollFlags::IN)));
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec {
            tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(left.subsec_nanos()),
        };
        match poll(&mut fds, Some(&timeout)) {
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
            Ok(0) => return Ok(Woken::Late),
            Ok(_) if !fds[0].revents().is_empty() => return Ok(Woken::Ended),
            Ok(_) => return Ok(Woken::Stopped),
        }
    }
}

/// The CPU and file limits end a process by a signal; both are named for what they are.
pub(super) fn ending(status: ExitStatus) -> Ending {
    let is = |signal: Signal, number: i32| signal.as_raw() == number;
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, Some(signal)) if is(Signal::XCPU, signal) => Ending::TimedOut,
        (None, Some(signal)) if is(Signal::XFSZ, signal) => Ending::OutputCap,
        (None, signal) => Ending::Signalled(signal.unwrap_or(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(folder: &tempfile::TempDir, script: &str) -> Command {
        let at = |name: &str| Utf8PathBuf::try_from(folder.path().join(name)).unwrap();
        Command {
            program: "/bin/sh".into(),
            args: vec!["-c".into(), script.into()],
            cwd: at(""),
            env: vec![],
            clear_env: false,
            stdin: None,
            stdout: at("out"),
            stderr: at("err"),
            limits: Limits { wall: Duration::from_secs(1), cpu_seconds: 5, file_bytes: 1 << 16 },
        }
    }

    #[test]
    fn endings_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let end = |script: &str| run(&sh(&folder, script)).unwrap().ending;
        assert_eq!(end("exit 3"), Ending::Exited(3));
        assert_eq!(end("kill -SEGV $$"), Ending::Signalled(11));
        assert_eq!(end("sleep 30"), Ending::TimedOut);
        assert_eq!(end("trap '' TERM; while :; do :; done"), Ending::TimedOut);
        assert_eq!(end("head -c 100000 /dev/zero"), Ending::OutputCap);
    }

    #[test]
    fn a_grandchild_does_not_outlive_its_group() {
        let folder = tempfile::tempdir().unwrap();
        run(&sh(&folder, "(sleep 1; touch late) & exit 0")).unwrap();
        std::thread::sleep(Duration::from_millis(1300));
        assert!(!folder.path().join("late").exists());
    }

    #[test]
    fn a_command_shows_as_a_line_for_a_shell() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = sh(&folder, "echo it's");
        command.env = vec![("A".into(), "x y".into())];
        assert_eq!(command.to_string(), "A='x y' /bin/sh -c \"echo it's\"");
    }
}
