//! One command: an argument vector, never a shell; a folder; limits; a deadline.
//!
//! Output goes to files, not pipes: no process has to read a file while it is written, a grandchild that keeps it
//! open does no harm, and the kernel limits its size. The deadline is a poll on a pidfd, not a loop that sleeps.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
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
use crate::model::Termination;

/// The time between SIGTERM and SIGKILL for a process group.
const GRACE: Duration = Duration::from_millis(200);

/// Limits of one command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Limits {
    /// Wall-clock time until the process group is killed.
    pub wall: Duration,
    pub cpu_seconds: u64,
    /// Largest file that it may write, its output included.
    pub file_bytes: u64,
}

/// A command, complete enough to be pasted into a shell.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Command {
    /// Path of the executable, or a name that is looked up on PATH.
    pub program: String,
    pub args: Vec<String>,
    pub cwd: Utf8PathBuf,
    /// Variables added to the environment.
    pub env: Vec<(String, String)>,
    /// Whether the environment starts empty.
    pub clear_env: bool,
    /// A file; none is `/dev/null`.
    pub stdin: Option<Utf8PathBuf>,
    pub stdout: Utf8PathBuf,
    pub stderr: Utf8PathBuf,
    pub limits: Limits,
}

impl Command {
    /// A command whose working directory and output are in `folder`, with our own environment and no input.
    pub fn within(
        folder: &Utf8Path,
        program: impl Into<String>,
        args: Vec<String>,
        limits: Limits,
    ) -> Command {
        Command {
            program: program.into(),
            args,
            cwd: folder.to_path_buf(),
            env: Vec::new(),
            clear_env: false,
            stdin: None,
            stdout: folder.join("stdout"),
            stderr: folder.join("stderr"),
            limits,
        }
    }
}

/// How a command ended and what it printed.
#[derive(Clone, Debug)]
pub struct CommandOutput {
    pub termination: Termination,
    pub stdout: Vec<u8>,
    /// Decoded with losses: it is only shown to people.
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
/// When it cannot be started, or with [`io::ErrorKind::Interrupted`] when the user asked to stop. Its process
/// group has ended in either case.
pub fn run(command: &Command) -> io::Result<CommandOutput> {
    let mut child = limited(process(command)?.spawn(), command)?;
    let termination = wait(&mut child, command, None)?;
    read_back(command, termination)
}

/// Run a trusted command whose output is written into a temporary folder, which without `cwd` is also its working
/// directory.
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
    let scratch = ScratchRoot::new()?;
    let mut command = Command { env, ..Command::within(scratch.path(), program, args, limits) };
    command.cwd = cwd.map_or(command.cwd, Utf8Path::to_path_buf);
    run(&command)
}

/// The output of `command`, which has ended.
pub(super) fn read_back(command: &Command, termination: Termination) -> io::Result<CommandOutput> {
    let stdout = fs_err::read(&command.stdout)?;
    let stderr = String::from_utf8_lossy(&fs_err::read(&command.stderr)?).into_owned();
    let is_full = stdout.len() as u64 >= command.limits.file_bytes;
    let termination = if is_full { Termination::OutputCap } else { termination };
    Ok(CommandOutput { termination, stdout, stderr })
}

/// The process that `command` starts, as the leader of a process group of its own.
pub(super) fn process(command: &Command) -> io::Result<std::process::Command> {
    let stdin = match &command.stdin {
        Some(path) => Stdio::from(fs_err::File::open(path)?.into_file()),
        None => Stdio::null(),
    };
    let mut process = std::process::Command::new(&command.program);
    if command.clear_env {
        process.env_clear();
    }
    process
        .args(&command.args)
        .current_dir(&command.cwd)
        .envs(command.env.iter().map(|(name, value)| (name, value)))
        .stdin(stdin)
        .stdout(fs_err::File::create(&command.stdout)?.into_file())
        .stderr(fs_err::File::create(&command.stderr)?.into_file())
        .process_group(0);
    Ok(process)
}

/// Limit `child`, the started [`process`] of `command`.
pub(super) fn limited(child: io::Result<Child>, command: &Command) -> io::Result<Child> {
    let child =
        child.map_err(|error| io::Error::new(error.kind(), format!("start {}: {error}", command.program)))?;
    let Limits { cpu_seconds, file_bytes, .. } = command.limits;
    // The child runs some microseconds without limits, which avoids code between fork and exec. Programs under test
    // inherit the important limits from their supervisor, and compilers are trusted. The hard CPU limit is a second
    // above the soft one, so that the kernel sends SIGXCPU, which names its reason, before SIGKILL.
    let limits = [
        (Resource::Cpu, cpu_seconds, cpu_seconds + 1),
        (Resource::Fsize, file_bytes, file_bytes),
        (Resource::Core, 0, 0),
    ];
    for (resource, soft, hard) in limits {
        // This fails if the child has ended already.
        let _ = prlimit(
            Some(Pid::from_child(&child)),
            resource,
            Rlimit { current: Some(soft), maximum: Some(hard) },
        );
    }
    Ok(child)
}

/// Wait for `child` until it ends, its deadline passes, the user interrupts, or `hangup` becomes readable or
/// closes. End its process group in all cases, and reap it.
pub(super) fn wait(
    child: &mut Child,
    command: &Command,
    hangup: Option<BorrowedFd<'_>>,
) -> io::Result<Termination> {
    let deadline = Instant::now() + command.limits.wall;
    let pidfd = pidfd_open(Pid::from_child(child), PidfdFlags::empty())?;
    let stops = [hangup, interrupt::fd()];
    let wakeup = poll_until(deadline, pidfd.as_fd(), &stops)?;
    if wakeup != Wakeup::Ready {
        let _ = kill_process_group(Pid::from_child(child), Signal::TERM);
        poll_until(Instant::now() + GRACE, pidfd.as_fd(), &[])?;
    }
    if wakeup != Wakeup::Ready || hangup.is_none() {
        // The leader is at most a zombie here, so the group still has its number. A supervisor, the caller with a
        // hang-up, gives the remaining processes of a program that ended more time.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
    let status = child.wait()?;
    match wakeup {
        Wakeup::Ready => Ok(termination(status)),
        Wakeup::Deadline => Ok(Termination::TimedOut),
        Wakeup::Stopped => Err(io::Error::from(io::ErrorKind::Interrupted)),
    }
}

/// Wait until `reply` can be read, as an error if that is not before `deadline` or the user interrupts.
pub(super) fn wait_for_reply(deadline: Instant, reply: BorrowedFd<'_>) -> io::Result<()> {
    match poll_until(deadline, reply, &[interrupt::fd()])? {
        Wakeup::Ready => Ok(()),
        Wakeup::Deadline => Err(io::ErrorKind::TimedOut.into()),
        Wakeup::Stopped => Err(io::ErrorKind::Interrupted.into()),
    }
}

/// Why [`poll_until`] returned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wakeup {
    Ready,
    Deadline,
    Stopped,
}

/// Wait until `main` is readable (a pidfd is, once its process ended), one of `stops` is, or `deadline` passes.
pub(super) fn poll_until(
    deadline: Instant,
    main: BorrowedFd<'_>,
    stops: &[Option<BorrowedFd<'_>>],
) -> io::Result<Wakeup> {
    let all = std::iter::once(main).chain(stops.iter().flatten().copied());
    let mut fds: Vec<PollFd<'_>> = all.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)).collect();
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        // A wait that is too long for the kernel is one without end.
        match poll(&mut fds, Timespec::try_from(left).ok().as_ref()) {
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
            Ok(0) => return Ok(Wakeup::Deadline),
            Ok(_) if !fds[0].revents().is_empty() => return Ok(Wakeup::Ready),
            Ok(_) => return Ok(Wakeup::Stopped),
        }
    }
}

/// How a process with this `status` ended. Signals of the CPU and file limits are named for their limits.
pub(super) fn termination(status: ExitStatus) -> Termination {
    match (status.code(), status.signal().unwrap_or(0)) {
        (Some(code), _) => Termination::Exited(code),
        (None, signal) if signal == Signal::XCPU.as_raw() => Termination::TimedOut,
        (None, signal) if signal == Signal::XFSZ.as_raw() => Termination::OutputCap,
        (None, signal) => Termination::Signalled(signal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(folder: &tempfile::TempDir, script: &str) -> Command {
        let limits = Limits { wall: Duration::from_secs(1), cpu_seconds: 5, file_bytes: 1 << 16 };
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        Command::within(folder, "/bin/sh", vec!["-c".into(), script.into()], limits)
    }

    #[test]
    fn terminations_are_distinguished() {
        let folder = tempfile::tempdir().unwrap();
        let end = |script: &str| run(&sh(&folder, script)).unwrap().termination;
        assert_eq!(end("exit 3"), Termination::Exited(3));
        assert_eq!(end("kill -SEGV $$"), Termination::Signalled(11));
        assert_eq!(end("sleep 30"), Termination::TimedOut);
        assert_eq!(end("trap '' TERM; while :; do :; done"), Termination::TimedOut);
        assert_eq!(end("head -c 100000 /dev/zero"), Termination::OutputCap);
    }

    #[test]
    fn a_grandchild_does_not_outlive_its_group() {
        let folder = tempfile::tempdir().unwrap();
        run(&sh(&folder, "(sleep 1; touch late) & exit 0")).unwrap();
        std::thread::sleep(Duration::from_millis(1300));
        assert!(!folder.path().join("late").exists());
    }

    #[test]
    fn a_command_is_displayed_as_a_line_for_a_shell() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = sh(&folder, "echo it's");
        command.env = vec![("A".into(), "x y".into())];
        assert_eq!(command.to_string(), "A='x y' /bin/sh -c \"echo it's\"");
    }
}
