//! Tools that have started already: fork servers.
//!
//! Most of what a call of an LLVM tool costs is its start: the dynamic loader relocates a library of
//! a hundred megabytes. A fork server is the tool started once, stopped where it is about to look at
//! the files of its command (`forkserver.c`), and continued in a child for every request. So it
//! serves one command line in one folder, over and over; the files may change in between.

use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdout, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use camino::Utf8PathBuf;
use lru::LruCache;

use super::command::{Command, CommandOutput, Woken, Written, ending, read_back, wait_for};
use super::{CpuTime, interrupt, own_and_children};
use crate::model::Ending;

/// The half that lives inside the tool, in C.
pub const FORK_SERVER: &str = include_str!("forkserver.c");

/// What a tool says when it stands still.
const STANDING: u32 = 0x7c07;

/// How long a tool may take to start.
const START: Duration = Duration::from_secs(20);

/// How long a tool may take to go away.
const LEAVE: Duration = Duration::from_secs(2);

/// Most servers of one owner; the one that was not used for longest makes room.
const MOST: NonZeroUsize = NonZeroUsize::new(100).expect("more than none");

/// The fork servers of one worker.
#[derive(Debug)]
pub struct ForkServers {
    library: Utf8PathBuf,
    /// None stands for a tool that cannot be served.
    servers: LruCache<Command, Option<Server>>,
    served: usize,
}

#[derive(Debug)]
struct Server {
    /// Its standard input takes the requests.
    child: Child,
    replies: ChildStdout,
}

impl ForkServers {
    /// No servers yet; tools will be started with `library`, which is [`FORK_SERVER`] compiled.
    pub fn new(library: Utf8PathBuf) -> ForkServers {
        ForkServers { library, servers: LruCache::new(MOST), served: 0 }
    }

    /// Run `command`. None where its tool cannot be served; it has to be started then.
    ///
    /// # Errors
    /// With [`io::ErrorKind::Interrupted`] when the user asked to stop.
    pub fn run(&mut self, command: &Command) -> io::Result<Option<CommandOutput>> {
        if !self.servers.contains(command) {
            self.servers.push(command.clone(), start(command, &self.library)?);
        }
        let Some(Some(server)) = self.servers.get_mut(command) else { return Ok(None) };
        match server.exchange(command) {
            Ok((ending, written)) => {
                self.served += 1;
                read_back(command, ending, written).map(Some)
            }
            Err(error) => {
                self.servers.pop(command);
                if interrupt::requested() { Err(error) } else { Ok(None) }
            }
        }
    }

    /// How many commands were run here.
    pub fn served(&self) -> usize {
        self.served
    }

    /// CPU time of the servers and their children so far, none of which are ours yet.
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
    // A tool that says nothing did its work without a stop, or the library was not made for it.
    let stands = server.answer(Instant::now() + START).is_ok_and(|(word, _)| word == STANDING);
    Ok(stands.then_some(server))
}

impl Server {
    fn exchange(&mut self, command: &Command) -> io::Result<(Ending, Written)> {
        let limits = &command.limits;
        let words = [limits.cpu_seconds.to_string(), limits.file_bytes.to_string(), command.cwd.to_string()];
        let mut request = Vec::new();
        for word in words.iter().map(String::as_str).chain([command.stdout.as_str(), command.stderr.as_str()])
        {
            request.extend(word.as_bytes());
            request.push(0);
        }
        let size = u32::try_from(request.len()).map_err(io::Error::other)?;
        let requests = self.child.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        requests.write_all(&[&size.to_ne_bytes(), &request[..]].concat())?;
        let (status, bits) = self.answer(Instant::now() + limits.wall)?;
        let written = Written { stdout: bits & 1 != 0, stderr: bits & 2 != 0 };
        Ok((ending(ExitStatus::from_raw(status.cast_signed())), written))
    }

    /// The next two numbers that it says.
    fn answer(&mut self, deadline: Instant) -> io::Result<(u32, u32)> {
        match wait_for(self.replies.as_fd(), &[interrupt::fd()], deadline)? {
            Woken::Ended => {}
            Woken::Late => return Err(io::ErrorKind::TimedOut.into()),
            Woken::Stopped => return Err(io::ErrorKind::Interrupted.into()),
        }
        let mut both = [0; 8];
        self.replies.read_exact(&mut both)?;
        let word = |at: usize| u32::from_ne_bytes([both[at], both[at + 1], both[at + 2], both[at + 3]]);
        Ok((word(0), word(4)))
    }
}

impl Drop for Server {
    // Between requests it leaves when nobody can ask any more; in one it ends what it has started first.
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = wait_for(self.replies.as_fd(), &[], Instant::now() + LEAVE);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
