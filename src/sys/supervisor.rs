//! The driver's side of the supervisor of programs under test; the other side is `recount supervise`.
//!
//! The supervisor keeps running between programs, because starting our binary for each program would take more CPU time
//! than everything else in the driver.

use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::AsFd;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use rustix::process::Signal;

use super::command::{Command, CommandOutput, Wakeup, poll_until, read_back, wait_for_reply};
use super::confine::{Confinement, Layer, start_unrestricted};
use super::cpu::{CpuTime, own_and_children};
use super::interrupt;
use super::supervise::{END, Reply};
use crate::model::Termination;

/// How long a supervisor that does not answer may take to end.
const LOST_END_TIMEOUT: Duration = Duration::from_secs(1);

/// How long a supervisor may take to end, and how late its answer may be before it counts as lost.
const TIMEOUT: Duration = Duration::from_secs(10);

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
    layers: Vec<Layer>,
}

impl Supervisor {
    /// The process is started with its first program.
    pub fn new(confinement: Confinement) -> Supervisor {
        Supervisor { confinement, process: None, spent: CpuTime::default() }
    }

    /// Run a program under test.
    ///
    /// # Errors
    /// When the supervisor cannot be started, or on an interrupt. If the supervisor was killed, the program counts as
    /// killed by SIGKILL.
    pub fn run(&mut self, command: &Command) -> anyhow::Result<CommandOutput> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => start(&self.confinement)?,
        };
        let termination = match exchange(&mut process, command) {
            Ok(reply) => {
                self.process = Some(process);
                reply.map_err(anyhow::Error::msg)?
            }
            Err(error) => {
                self.spent = self.spent + close(process, LOST_END_TIMEOUT);
                if interrupt::requested() {
                    return Err(error).context("run a program");
                }
                Termination::Signalled(Signal::KILL.as_raw())
            }
        };
        Ok(read_back(command, termination)?)
    }

    /// The layers of the sandbox, and for each that is missing why.
    pub fn layers(&mut self) -> anyhow::Result<&[Layer]> {
        if self.process.is_none() {
            self.process = Some(start(&self.confinement)?);
        }
        Ok(self.process.as_ref().map_or(&[], |process| &process.layers))
    }

    /// The CPU time of the running process so far. Once it has ended, it is part of our children's time.
    pub fn running(&self) -> CpuTime {
        self.process.as_ref().map_or_else(CpuTime::default, |process| spent(&process.child))
    }

    /// End the process; the CPU time of all processes so far, their own and that of their programs.
    pub fn finish(&mut self) -> CpuTime {
        if let Some(process) = self.process.take() {
            self.spent = self.spent + close(process, TIMEOUT);
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
    let binary = &confinement.binary;
    let mut builder = std::process::Command::new(binary);
    builder.arg("supervise").arg(serde_json::to_string(confinement)?);
    // Our allocator would reserve a gigabyte of addresses, but programs inherit the supervisor's limit of them.
    builder.env("MIMALLOC_ARENA_RESERVE", "0").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = start_unrestricted(builder).with_context(|| format!("start the supervisor {binary}"))?;
    let requests = child.stdin.take().context("the supervisor's stdin")?;
    let mut replies = BufReader::new(child.stdout.take().context("the supervisor's stdout")?);
    let mut line = String::new();
    replies.read_line(&mut line)?;
    let layers = serde_json::from_str(&line).context("read the layers of the supervisor's sandbox")?;
    Ok(Process { child, requests, replies, layers })
}

fn exchange(process: &mut Process, command: &Command) -> io::Result<Reply> {
    let mut line = serde_json::to_vec(command)?;
    line.push(b'\n');
    process.requests.write_all(&line)?;
    let deadline = Instant::now() + command.limits.wall + TIMEOUT;
    wait_for_reply(deadline, process.replies.get_ref().as_fd())?;
    let mut reply = String::new();
    process.replies.read_line(&mut reply)?;
    Ok(serde_json::from_str(&reply)?)
}

/// Ask the supervisor to end, and kill it after `timeout`; its CPU time.
fn close(process: Process, timeout: Duration) -> CpuTime {
    let Process { mut child, mut requests, replies, .. } = process;
    let spent = spent(&child);
    let _ = requests.write_all(END.as_bytes());
    drop(requests);
    // Its end closes its side of the reply pipe.
    let ended = poll_until(Instant::now() + timeout, replies.get_ref().as_fd(), &[]);
    if !matches!(ended, Ok(Wakeup::Ready)) {
        let _ = child.kill();
    }
    let _ = child.wait();
    spent
}

/// The CPU time of the outer and the inner supervisor and of their programs.
fn spent(supervisor: &Child) -> CpuTime {
    let pid = supervisor.id().to_string();
    let inner = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    inner.split_whitespace().map(own_and_children).fold(own_and_children(&pid), |sum, one| sum + one)
}
