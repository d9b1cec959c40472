//! The supervisor of programs under test: `recount supervise`, one a worker.
//!
//! It is a process of ours, so that a foreign program's parent is never the driver: it leads a session
//! without a terminal, keeps programs in what [`super::confine`] says, and is the reaper of every
//! descendant that daemonizes. It is two processes: the outer one enters the namespaces and starts
//! the inner one as the first process in there; that one runs programs. When a program
//! ends, its stragglers get a short grace and are killed. When the driver goes away, even by KILL, the
//! pipe closes, the inner one ends, the kernel ends whatever it had started, and the outer
//! one removes the scratch folder.

use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use anyhow::Context;
use camino::{Utf8DirEntry, Utf8Path, Utf8PathBuf};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitOptions, getpid, kill_process, prlimit,
    set_parent_process_death_signal, setsid, wait as wait_for_any,
};

use super::command::{Command, prepared, started, wait};
use super::confine::{self, Layer, Spawner};
use super::scratch::{empty, left_folder, run_folder};
use super::scratch_root::is_owned;
use crate::model::Ending;

/// How long descendants may live on after their program has ended.
const STRAGGLERS: Duration = Duration::from_millis(200);

/// How often it is looked whether they still do.
const LOOK: Duration = Duration::from_millis(5);

/// The last request, by which a driver says that it removes the scratch folder itself.
pub(super) const END: &str = "end\n";

/// How a program ended, or why it could not be started.
pub(super) type Reply = Result<Ending, String>;

/// How the inner one ends after [`END`].
const TOLD_TO: i32 = 7;

/// More CPU time than a supervisor takes in its life, and an end to what its programs may ask for.
const LIFETIME: Duration = Duration::from_secs(24 * 3600);

/// Addresses that a supervisor itself has and may yet need, in MiB: what it starts inherits its limit, and gets its own
/// at once.
const OWN_MIB: u64 = 256;

/// Most processes of a user that programs do not share with anybody, and of one that they do.
const OWN_PROCESSES: u64 = 64;
const SHARED_PROCESSES: u64 = 1024;

/// What `recount supervise` was started with.
#[derive(Clone, Debug)]
pub struct Supervise {
    /// Address space of a program, in MiB.
    pub memory_mib: u64,
    /// Largest file of a program, in KiB.
    pub output_kib: u64,
    /// The worker's scratch folder.
    pub scratch: Utf8PathBuf,
    /// A folder that programs need, wherever it lies.
    pub needed: Option<Utf8PathBuf>,
    /// Whether programs get limits only.
    pub unconfined: bool,
    /// For the inner one: the layers that it is in, as JSON.
    pub inside: Option<String>,
}

/// Serve requests on standard input until it closes or says that it ends; the process's exit code.
pub fn supervise(asked: &Supervise) -> anyhow::Result<i32> {
    if let Some(layers) = &asked.inside {
        return serve(asked, serde_json::from_str(layers).context("read the layers")?);
    }
    let _ = setsid(); // fails only where we lead a session already
    let code = if asked.unconfined { serve(asked, Vec::new())? } else { inner(asked)? };
    if code != TOLD_TO {
        remove(&asked.scratch);
    }
    Ok(0)
}

/// Enter the namespaces, start the inner one, and wait for its end.
fn inner(asked: &Supervise) -> anyhow::Result<i32> {
    for folder in [run_folder(&asked.scratch), left_folder(&asked.scratch)] {
        fs_err::create_dir_all(folder)?;
    }
    let layers = serde_json::to_string(&confine::separate(&asked.scratch, asked.needed.as_deref()))?;
    // By the kernel's link: our file may lie below the old /tmp.
    let mut child = std::process::Command::new("/proc/self/exe")
        .args(std::env::args_os().skip(1))
        .args(["--inside", &layers])
        .spawn()
        .context("start the inner supervisor")?;
    // What the driver waits on must close when the inner one ends.
    let null = fs_err::OpenOptions::new().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    Ok(child.wait()?.code().unwrap_or(TOLD_TO))
}

/// Remove what a driver that is gone left behind.
fn remove(scratch: &Utf8Path) {
    confine::leave(scratch);
    let _ = empty(scratch);
    let _ = std::fs::remove_dir(scratch);
    // A driver that has lost no more than this supervisor goes on with the rest.
    let Some(parent) = scratch.parent().filter(|parent| !is_owned(parent)) else { return };
    // Only the last of the workers finds nothing there but what they shared.
    let is_shared =
        |entry: io::Result<Utf8DirEntry>| entry.is_ok_and(|entry| entry.file_name() == super::SHARED_FOLDER);
    if parent.read_dir_utf8().is_ok_and(|mut entries| entries.all(is_shared)) {
        let _ = std::fs::remove_dir_all(parent.join(super::SHARED_FOLDER));
    }
    let _ = std::fs::remove_dir(parent);
}

fn serve(asked: &Supervise, mut layers: Vec<Layer>) -> anyhow::Result<i32> {
    let is_inner = asked.inside.is_some();
    // Whoever kills the outer one ends this one, and with it everything in here.
    if is_inner {
        set_parent_process_death_signal(Some(Signal::KILL))
            .context("ask to end with the outer supervisor")?;
    }
    rustix::process::set_child_subreaper(Some(getpid())).context("become a subreaper")?;
    let (user, spawner) =
        if is_inner { confine::enter(&asked.scratch, &mut layers) } else { (None, Spawner::new(|| ()).0) };
    let memory = asked.memory_mib.saturating_mul(1 << 20);
    limit(None, Resource::As, memory.saturating_add(OWN_MIB << 20));
    limit(None, Resource::Fsize, asked.output_kib.saturating_mul(1 << 10));
    limit(None, Resource::Core, 0);
    limit(None, Resource::Cpu, LIFETIME.as_secs());
    limit(None, Resource::Nofile, 256);
    let has_own = user.is_some() || (is_inner && confine::is_in_own_user_namespace());
    // The thread that starts them may be one of the user's own.
    let starters = u64::from(user.is_some() && !spawner.changes_users());
    limit(None, Resource::Nproc, if has_own { OWN_PROCESSES + starters } else { SHARED_PROCESSES });
    // Unbuffered on purpose: a hang-up must show on the descriptor, not in a buffer.
    let stdin = std::fs::File::from(rustix::io::dup(io::stdin())?);
    close_fds::set_fds_cloexec(3, &[]);
    let mut requests = BufReader::new(stdin.try_clone()?);
    answer(&layers)?;
    let folders = confine::folders(&asked.scratch, &layers);
    let mut line = String::new();
    while requests.read_line(&mut line)? > 0 {
        if line == END {
            return Ok(TOLD_TO);
        }
        let command: Command = serde_json::from_str(&line).context("read a request")?;
        line.clear();
        folders.iter().try_for_each(|folder| empty(folder))?;
        let reply: Reply = match started(spawner.spawn(prepared(&command)?), &command) {
            Ok(mut child) => {
                limit(Some(Pid::from_child(&child)), Resource::As, memory);
                let ending = wait(&mut child, &command, Some(stdin.as_fd()));
                end_descendants();
                let Ok(ending) = ending else { break };
                Ok(ending)
            }
            Err(error) if user.is_some() && error.kind() == io::ErrorKind::PermissionDenied => Err(format!(
                "{error}: a user of its own cannot get at what it needs, such as libraries below a closed home; \
                 open that folder, move the compiler, or use --unconfined"
            )),
            Err(error) => Err(error.to_string()),
        };
        answer(&reply)?;
    }
    Ok(0)
}

fn answer<T: serde::Serialize>(what: &T) -> io::Result<()> {
    let mut reply = serde_json::to_vec(what)?;
    reply.push(b'\n');
    io::stdout().write_all(&reply)
}

/// Limit process `of`; none is this one, and what it starts from here on.
fn limit(of: Option<Pid>, resource: Resource, value: u64) {
    let _ = prlimit(of, resource, Rlimit { current: Some(value), maximum: Some(value) });
}

/// Wait for what is left of the program's family, then kill it, until nobody is left.
fn end_descendants() {
    let deadline = Instant::now() + STRAGGLERS;
    loop {
        match wait_for_any(WaitOptions::NOHANG) {
            Err(_) => return,
            Ok(Some(_)) => {}
            Ok(None) if Instant::now() < deadline => std::thread::sleep(LOOK),
            Ok(None) => {
                confine::kill_all_inside();
                let own = format!("/proc/self/task/{}/children", getpid().as_raw_nonzero());
                let children = std::fs::read_to_string(own).unwrap_or_default();
                for pid in children.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)) {
                    let _ = kill_process(pid, Signal::KILL);
                }
                std::thread::sleep(LOOK);
            }
        }
    }
}
