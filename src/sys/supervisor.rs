//! The driver's side of the supervisor of programs under test; the other one is `recount supervise`.
//!
//! It stays alive between programs because starting our binary once a program
//! would cost more than all else the driver does.

use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::AsFd;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use camino::Utf8PathBuf;
use rustix::process::Signal;

use super::command::{Command, CommandOutput, Woken, Written, read_back, wait_for};
use super::confine::{Layer, start_unrestricted};
use super::supervise::{END, Reply};
use super::{CpuTime, interrupt, own_and_children};
use crate::model::Ending;

/// How long a supervisor may take to end that is in nobody's way.
const HASTE: Duration = Duration::from_secs(1);

/// How long the supervisor may be late with its answer before it counts as lost.
const LOST: Duration = Duration::from_secs(10);

/// What every program under one supervisor gets.
#[derive(Clone, Debug)]
pub struct Confinement {
    /// Our own binary.
    pub binary: Utf8PathBuf,
    /// Address space of a program, in MiB.
    pub memory_mib: u64,
    /// Largest file of a program, in KiB.
    pub output_kib: u64,
    /// The worker's scratch folder.
    pub scratch: Utf8PathBuf,
    /// A folder that programs need, wherever it lies: that of compilers with their own libraries.
    pub needed: Option<Utf8PathBuf>,
    /// Whether programs get limits only.
    pub unconfined: bool,
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
    layers: Vec<Layer>,
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
    pub fn run(&mut self, command: &Command) -> anyhow::Result<CommandOutput> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => start(&self.confinement)?,
        };
        let ending = match exchange(&mut process, command) {
            Ok(reply) => {
                self.process = Some(process);
                reply.map_err(anyhow::Error::msg)?
            }
            Err(error) => {
                self.spent = self.spent + close(process, true);
                if interrupt::requested() {
                    return Err(error).context("run a program");
                }
                Ending::Signalled(Signal::KILL.as_raw())
            }
        };
        Ok(read_back(command, ending, Written::default())?)
    }

    /// What programs are kept in here, and what the machine lacks for more.
    pub fn layers(&mut self) -> anyhow::Result<&[Layer]> {
        if self.process.is_none() {
            self.process = Some(start(&self.confinement)?);
        }
        Ok(self.process.as_ref().map_or(&[], |process| &process.layers))
    }

    /// The CPU time of the running one so far; once it has ended, its parent's children's time has it.
    pub fn running(&self) -> CpuTime {
        self.process.as_ref().map_or_else(CpuTime::default, |process| spent(&process.child))
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
    let Confinement { binary, memory_mib, output_kib, scratch, needed, unconfined } = confinement;
    let mut builder = std::process::Command::new(binary);
    builder.arg("supervise").args(unconfined.then_some("--unconfined"));
    builder.args(["--memory-mib", &memory_mib.to_string(), "--output-kib", &output_kib.to_string()]);
    if let Some(folder) = needed {
        builder.args(["--needed", folder.as_str()]);
    }
    // Our allocator would reserve a gigabyte of addresses, and what limits those of programs is inherited.
    builder.env("MIMALLOC_ARENA_RESERVE", "0");
    builder.arg("--scratch").arg(scratch).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = start_unrestricted(builder).with_context(|| format!("start the supervisor {binary}"))?;
    let requests = child.stdin.take().context("the supervisor's stdin")?;
    let mut replies = BufReader::new(child.stdout.take().context("the supervisor's stdout")?);
    let mut said = String::new();
    replies.read_line(&mut said)?;
    let layers =
        serde_json::from_str(&said).context("the supervisor does not say what it keeps programs in")?;
    Ok(Process { child, requests, replies, layers })
}

fn exchange(process: &mut Process, command: &Command) -> io::Result<Reply> {
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

/// Tell it to end; kill it if that is too slow.
fn close(process: Process, hurry: bool) -> CpuTime {
    let Process { mut child, mut requests, replies, .. } = process;
    let spent = spent(&child);
    let _ = requests.write_all(END.as_bytes());
    drop(requests);
    let patience = if hurry { HASTE } else { LOST };
    // Its end closes its side of the reply pipe.
    if !matches!(wait_for(replies.get_ref().as_fd(), &[], Instant::now() + patience), Ok(Woken::Ended)) {
        let _ = child.kill();
    }
    let _ = child.wait();
    spent
}

/// The CPU time of a supervisor, of the one in the namespaces, and of their programs.
fn spent(supervisor: &Child) -> CpuTime {
    let pid = supervisor.id().to_string();
    let inner = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    inner.split_whitespace().map(own_and_children).fold(own_and_children(&pid), |sum, one| sum + one)
}
