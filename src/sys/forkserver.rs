//! Fork servers: tools that are started once and then answer many calls.
//!
//! Most of the time of a call of an LLVM tool is its start, in which the dynamic loader relocates a library of a
//! hundred megabytes. A fork server is the tool, started once, stopped before it looks at the first file of its
//! command (`forkserver.c`), and continued in a child process for every request. It therefore serves one command
//! line in one folder; the files may change in between.

use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdout, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use camino::Utf8PathBuf;
use lru::LruCache;

use super::command::{Command, CommandOutput, Limits, poll_until, read_back, termination, wait_for_reply};
use super::cpu::{CpuTime, own_and_children};
use super::interrupt;
use crate::model::Termination;

/// The part that runs inside the tool, in C.
pub const FORK_SERVER: &str = include_str!("forkserver.c");

/// The answer of a tool that has stopped and waits for requests.
const READY: u32 = 0x7c07;

const START_TIMEOUT: Duration = Duration::from_secs(20);
const END_TIMEOUT: Duration = Duration::from_secs(2);

/// Most servers of one worker; the least recently used one is ended first.
const MOST: NonZeroUsize = NonZeroUsize::new(100).expect("not zero");

/// The fork servers of one worker.
#[derive(Debug)]
pub struct ForkServers {
    library: Utf8PathBuf,
    /// By their commands without limits. None for a tool that cannot run as a fork server.
    servers: LruCache<Command, Option<Server>>,
    pub served: usize,
}

#[derive(Debug)]
struct Server {
    /// Its standard input takes the requests.
    child: Child,
    replies: ChildStdout,
}

impl ForkServers {
    /// Tools will be started with `library`, the compiled [`FORK_SERVER`].
    pub fn new(library: Utf8PathBuf) -> ForkServers {
        ForkServers { library, servers: LruCache::new(MOST), served: 0 }
    }

    /// Run `command`; none if its tool has to be started instead.
    ///
    /// # Errors
    /// With [`io::ErrorKind::Interrupted`] when the user asked to stop.
    pub fn run(&mut self, command: &Command) -> io::Result<Option<CommandOutput>> {
        // The limits are in each request.
        let limits = Limits { wall: Duration::ZERO, cpu_seconds: 0, file_bytes: 0 };
        let key = Command { limits, ..command.clone() };
        if !self.servers.contains(&key) {
            self.servers.push(key.clone(), start(command, &self.library)?);
        }
        let Some(Some(server)) = self.servers.get_mut(&key) else { return Ok(None) };
        match server.exchange(command) {
            Ok(termination) => {
                self.served += 1;
                read_back(command, termination).map(Some)
            }
            Err(error) => {
                self.servers.pop(&key);
                if interrupt::requested() { Err(error) } else { Ok(None) }
            }
        }
    }

    /// CPU time of the servers and their children so far. None has been waited for yet.
    pub fn running(&self) -> CpuTime {
        let servers = self.servers.iter().filter_map(|(_, server)| server.as_ref());
        servers.fold(CpuTime::default(), |sum, server| sum + own_and_children(&server.child.id().to_string()))
    }
}

fn start(command: &Command, library: &Utf8PathBuf) -> io::Result<Option<Server>> {
    let stderr = fs_err::File::create(&command.stderr)?;
    let mut builder = std::process::Command::new(&command.program);
    builder
        .args(&command.args)
        .current_dir(&command.cwd)
        .envs(command.env.iter().map(|(name, value)| (name, value)))
        .env("LD_PRELOAD", library)
        .env("RECOUNT_STOP", &command.cwd)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(stderr.into_file())
        .process_group(0);
    let Ok(mut child) = builder.spawn() else { return Ok(None) };
    let Some(replies) = child.stdout.take() else { return Ok(None) };
    let mut server = Server { child, replies };
    // A tool without an answer did its work without a stop, or cannot load the library.
    let is_ready = server.answer(Instant::now() + START_TIMEOUT).is_ok_and(|answer| answer == READY);
    Ok(is_ready.then_some(server))
}

impl Server {
    fn exchange(&mut self, command: &Command) -> io::Result<Termination> {
        let Command { limits, cwd, stdout, stderr, .. } = command;
        let (cpu, size) = (limits.cpu_seconds, limits.file_bytes);
        let request = format!("{cpu}\0{size}\0{cwd}\0{stdout}\0{stderr}\0");
        let length = u32::try_from(request.len()).map_err(io::Error::other)?;
        let requests = self.child.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        requests.write_all(&[&length.to_ne_bytes(), request.as_bytes()].concat())?;
        let status = self.answer(Instant::now() + limits.wall)?;
        Ok(termination(ExitStatus::from_raw(status.cast_signed())))
    }

    fn answer(&mut self, deadline: Instant) -> io::Result<u32> {
        wait_for_reply(deadline, self.replies.as_fd())?;
        let mut answer = [0; 4];
        self.replies.read_exact(&mut answer)?;
        Ok(u32::from_ne_bytes(answer))
    }
}

impl Drop for Server {
    // A server that waits for requests ends when its standard input closes; one that answers a request ends the
    // child process first.
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = poll_until(Instant::now() + END_TIMEOUT, self.replies.as_fd(), &[]);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
