//! The supervisor of programs under test: `recount supervise`, one a worker.
//!
//! It is a process of ours, so that a foreign program's parent is never the
//! driver: it leads a session without a terminal, has the limits that its
//! children inherit, and is the reaper of every descendant that daemonizes.
//! When a program ends, its stragglers get a short grace and are killed; when
//! the driver goes away, even by KILL, the pipe closes and the supervisor ends
//! everything, removes the scratch folder, and ends.
//!
//! It stays alive between programs because starting our binary once a program
//! would cost more than all else the driver does.

use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::AsFd;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use camino::{Utf8DirEntry, Utf8Path, Utf8PathBuf};
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitOptions, kill_process, pidfd_open, setrlimit, setsid,
    waitpid,
};

use super::command::{Command, Exit, Woken, read_back, spawn, wait, wait_for};
use super::{CpuTime, interrupt, own_and_children};
use crate::model::Ending;

/// How long descendants may live on after their program has ended.
const STRAGGLERS: Duration = Duration::from_millis(200);

/// How long the supervisor may be late with its answer before it counts as lost.
const LOST: Duration = Duration::from_secs(10);

/// What every program under one supervisor gets.
#[derive(Clone, Debug)]
pub struct Confinement {
    /// Our own binary.
    pub binary: Utf8PathBuf,
    /// Address space of a program, in MiB.
    pub memory_mib: u64,
    /// The worker's scratch folder.
    pub scratch: Utf8PathBuf,
}

/// The driver's side: a running supervisor.
#[derive(Debug)]
pub struct Supervisor {
    confinement: Confinement,
    process: Option<Process>,
    spent: CpuTime,
}

#[derive(Debug)]
struct Process {
    child: Child,
    requests: ChildStdin,
    replies: BufReader<ChildStdout>,
}

impl Supervisor {
    /// A supervisor that is started with its first program.
    pub fn new(confinement: Confinement) -> Supervisor {
        Supervisor { confinement, process: None, spent: CpuTime::default() }
    }

    /// Run a program under test.
    ///
    /// # Errors
    /// When the supervisor cannot be started, or on an interrupt. A supervisor
    /// that was killed under us reads as the program's death by KILL.
    pub fn run(&mut self, command: &Command) -> anyhow::Result<Exit> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => start(&self.confinement)?,
        };
        let ending = match exchange(&mut process, command) {
            Ok(ending) => {
                self.process = Some(process);
                ending
            }
            Err(error) => {
                self.spent = self.spent + close(process, true);
                if interrupt::requested() {
                    return Err(error).context("run a program");
                }
                Ending::Signalled(Signal::KILL.as_raw())
            }
        };
        Ok(read_back(command, ending)?)
    }

    /// The CPU time of the running one so far; once it has ended, its parent's children's time has it.
    pub fn running(&self) -> CpuTime {
        let pid = self.process.as_ref().map(|process| process.child.id().to_string());
        pid.map_or_else(CpuTime::default, |pid| own_and_children(&pid))
    }

    /// End it, and say what CPU time it took itself (`own`) and gave its programs.
    pub fn finish(&mut self) -> CpuTime {
        if let Some(process) = self.process.take() {
            self.spent = self.spent + close(process, false);
        }
        self.spent
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.finish();
    }
}

fn start(confinement: &Confinement) -> anyhow::Result<Process> {
    let mut child = std::process::Command::new(&confinement.binary)
        .args(["supervise", "--memory-mib", &confinement.memory_mib.to_string(), "--scratch"])
        .arg(&confinement.scratch)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("start the supervisor {}", confinement.binary))?;
    let requests = child.stdin.take().context("the supervisor's stdin")?;
    let replies = BufReader::new(child.stdout.take().context("the supervisor's stdout")?);
    Ok(Process { child, requests, replies })
}

fn exchange(process: &mut Process, command: &Command) -> io::Result<Ending> {
    let mut line = serde_json::to_vec(command)?;
    line.push(b'\n');
    process.requests.write_all(&line)?;
    let deadline = Instant::now() + command.limits.wall + LOST;
    match wait_for(process.replies.get_ref().as_fd(), &[interrupt::fd()], deadline)? {
        Woken::Ended => {}
        Woken::Late => return Err(io::ErrorKind::TimedOut.into()),
        Woken::Stopped => return Err(io::ErrorKind::Interrupted.into()),
    }
    let mut reply = String::new();
    process.replies.read_line(&mut reply)?;
    Ok(serde_json::from_str(&reply)?)
}

/// Close the pipe, which ends the supervisor; kill it if that is too slow.
fn close(process: Process, hurry: bool) -> CpuTime {
    let Process { mut child, requests, replies } = process;
    let spent = own_and_children(&child.id().to_string());
    drop(requests);
    let patience = if hurry { STRAGGLERS * 5 } else { LOST };
    // Its end closes its side of the reply pipe.
    if !matches!(wait_for(replies.get_ref().as_fd(), &[], Instant::now() + patience), Ok(Woken::Ended)) {
        let _ = child.kill();
    }
    let _ = child.wait();
    spent
}

/// The supervisor's side: serve requests on standard input until it closes.
pub fn supervise(memory_mib: u64, scratch: &Utf8Path) -> anyhow::Result<()> {
    let _ = setsid(); // fails only where we lead a session already
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).context("become a subreaper")?;
    limit(Resource::As, memory_mib.saturating_mul(1 << 20));
    limit(Resource::Core, 0);
    limit(Resource::Nofile, 256);
    limit(Resource::Nproc, 1024);
    // Unbuffered on purpose: a hang-up must show on the descriptor, not in a buffer.
    let stdin = std::fs::File::from(rustix::io::dup(io::stdin())?);
    let mut requests = BufReader::new(stdin.try_clone()?);
    let mut line = String::new();
    while requests.read_line(&mut line)? > 0 {
        let command: Command = serde_json::from_str(&line).context("read a request")?;
        line.clear();
        let mut child = spawn(&command)?;
        let ending = wait(&mut child, &command, Some(stdin.as_fd()));
        end_descendants();
        let Ok(ending) = ending else { break };
        let mut reply = serde_json::to_vec(&ending)?;
        reply.push(b'\n');
        io::stdout().write_all(&reply)?;
    }
    let _ = std::fs::remove_dir_all(scratch);
    if let Some(parent) = scratch.parent() {
        // Only the last of the workers finds nothing there but what they shared.
        let is_shared = |entry: std::io::Result<Utf8DirEntry>| {
            entry.is_ok_and(|entry| entry.file_name() == super::SHARED_FOLDER)
        };
        if parent.read_dir_utf8().is_ok_and(|mut entries| entries.all(is_shared)) {
            let _ = std::fs::remove_dir_all(parent.join(super::SHARED_FOLDER));
        }
        let _ = std::fs::remove_dir(parent);
    }
    Ok(())
}

fn limit(resource: Resource, value: u64) {
    let _ = setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) });
}

/// Wait for what is left of the program's family, then kill it, until nobody is left.
fn end_descendants() {
    let deadline = Instant::now() + STRAGGLERS;
    let own = format!("/proc/self/task/{}/children", rustix::process::getpid().as_raw_nonzero());
    loop {
        let children = std::fs::read_to_string(&own).unwrap_or_default();
        let pids = children.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?));
        let Some(pid) = pids.into_iter().next() else { return };
        if let Ok(pidfd) = pidfd_open(pid, PidfdFlags::empty())
            && !matches!(wait_for(pidfd.as_fd(), &[], deadline), Ok(Woken::Ended))
        {
            let _ = kill_process(pid, Signal::KILL);
        }
        let _ = waitpid(Some(pid), WaitOptions::empty());
    }
}
