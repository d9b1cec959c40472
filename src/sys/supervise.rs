//! The supervisor of programs under test: `recount supervise`, one for each worker.
//!
//! It is a separate process of recount, so that the driver is never the parent of a foreign program. It leads a session
//! without a terminal, runs programs in the sandbox of [`super::confine`], and reaps every descendant that daemonizes.
//! It consists of two processes: the outer one enters the namespaces and starts the inner one as the first process in
//! them, and the inner one runs programs. When a program ends, its remaining descendants get a short time and are then
//! killed. When the driver ends, even by SIGKILL, the pipe closes, the inner process ends, the kernel kills everything
//! that it started, and the outer process removes the scratch folder.

use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use anyhow::Context;
use camino::{Utf8DirEntry, Utf8Path};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitOptions, getpid, kill_process, prlimit,
    set_parent_process_death_signal, setsid, wait as wait_for_any,
};

use super::command::{Command, limited, process, wait};
use super::confine::{self, Confinement, Layer, Spawner};
use super::scratch::{SHARED_FOLDER, empty, left_folder, run_folder};
use super::scratch_root::is_owned;
use crate::model::Termination;

/// How long descendants may run after their program has ended.
const DESCENDANTS_TIMEOUT: Duration = Duration::from_millis(200);

/// The interval of the checks whether they still run.
const CHECK_INTERVAL: Duration = Duration::from_millis(5);

/// The last request, after which the driver removes the scratch folder itself.
pub(super) const END: &str = "end\n";

/// How a program ended, or why it could not be started.
pub(super) type Reply = Result<Termination, String>;

/// The exit code of the inner process after [`END`].
const ENDED_BY_DRIVER: i32 = 7;

/// More CPU time than a supervisor ever uses. The limit also bounds the CPU time of its programs.
const MAX_CPU_TIME: Duration = Duration::from_secs(24 * 3600);

/// Address space, in MiB, that the supervisor itself uses or may need: its children inherit its limit, and get their
/// own at once.
const OWN_MIB: u64 = 256;

/// Most processes of a user who runs only these programs, and of one who runs others too.
const PROCESSES_OF_OWN_USER: u64 = 64;
const PROCESSES_OF_SHARED_USER: u64 = 1024;

/// Serve requests on standard input until it closes or `END` arrives; returns the exit code of the process.
/// `confinement` is JSON, and so are the `layers` of the inner process.
pub fn supervise(confinement: &str, layers: Option<&str>) -> anyhow::Result<i32> {
    let confinement = serde_json::from_str(confinement).context("read the confinement")?;
    if let Some(layers) = layers {
        return serve(&confinement, true, serde_json::from_str(layers).context("read the layers")?);
    }
    let _ = setsid(); // fails only for a process that leads a session already
    let is_confined = !confinement.unconfined;
    let code = if is_confined { run_inner(&confinement)? } else { serve(&confinement, false, Vec::new())? };
    if code != ENDED_BY_DRIVER {
        remove(&confinement.scratch);
    }
    Ok(0)
}

/// Enter the namespaces, start the inner process, and wait for its exit code.
fn run_inner(confinement: &Confinement) -> anyhow::Result<i32> {
    let scratch = &confinement.scratch;
    for folder in [run_folder(scratch), left_folder(scratch)] {
        fs_err::create_dir_all(folder)?;
    }
    let layers = serde_json::to_string(&confine::separate(scratch, confinement.needed.as_deref()))?;
    // The kernel's link works even if the new /tmp hides our file.
    let mut child = std::process::Command::new("/proc/self/exe")
        .args(std::env::args_os().skip(1))
        .arg(layers)
        .spawn()
        .context("start the inner supervisor")?;
    // The pipe on which the driver waits must close when the inner process ends.
    let null = fs_err::OpenOptions::new().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    Ok(child.wait()?.code().unwrap_or(ENDED_BY_DRIVER))
}

/// Remove the scratch folder of a driver that has ended.
fn remove(scratch: &Utf8Path) {
    confine::leave(scratch);
    let _ = empty(scratch);
    let _ = std::fs::remove_dir(scratch);
    // A driver that still runs has lost only this supervisor and needs the parent folder.
    let Some(parent) = scratch.parent().filter(|parent| !is_owned(parent)) else { return };
    // The supervisor of the last worker finds only the folder that the workers shared.
    let is_shared =
        |entry: io::Result<Utf8DirEntry>| entry.is_ok_and(|entry| entry.file_name() == SHARED_FOLDER);
    if parent.read_dir_utf8().is_ok_and(|mut entries| entries.all(is_shared)) {
        let _ = std::fs::remove_dir_all(parent.join(SHARED_FOLDER));
    }
    let _ = std::fs::remove_dir(parent);
}

fn serve(confinement: &Confinement, is_inner: bool, mut layers: Vec<Layer>) -> anyhow::Result<i32> {
    let Confinement { memory_mib, output_kib, scratch, .. } = confinement;
    // The death of the outer process ends this one, and with it every process in its namespace.
    if is_inner {
        set_parent_process_death_signal(Some(Signal::KILL))
            .context("ask to end with the outer supervisor")?;
    }
    rustix::process::set_child_subreaper(Some(getpid())).context("become a subreaper")?;
    let (user, spawner) =
        if is_inner { confine::enter(scratch, &mut layers) } else { (None, Spawner::new(|| ()).0) };
    let has_own_user = user.is_some() || (is_inner && confine::is_in_own_user_namespace());
    // The thread that starts programs may belong to the programs' user.
    let starters = u64::from(user.is_some() && spawner.user.is_none());
    let processes = if has_own_user { PROCESSES_OF_OWN_USER + starters } else { PROCESSES_OF_SHARED_USER };
    let memory = memory_mib.saturating_mul(1 << 20);
    let limits = [
        (Resource::As, memory.saturating_add(OWN_MIB << 20)),
        (Resource::Fsize, output_kib.saturating_mul(1 << 10)),
        (Resource::Core, 0),
        (Resource::Cpu, MAX_CPU_TIME.as_secs()),
        (Resource::Nofile, 256),
        (Resource::Nproc, processes),
    ];
    for (resource, value) in limits {
        limit(None, resource, value);
    }
    // Not the buffered standard input: a hang-up must be visible on the descriptor.
    let stdin = std::fs::File::from(rustix::io::dup(io::stdin())?);
    close_fds::set_fds_cloexec(3, &[]);
    let mut requests = BufReader::new(stdin.try_clone()?);
    answer(&layers)?;
    let folders = confine::folders(scratch, &layers);
    let mut line = String::new();
    while requests.read_line(&mut line)? > 0 {
        if line == END {
            return Ok(ENDED_BY_DRIVER);
        }
        let command: Command = serde_json::from_str(&line).context("read a request")?;
        line.clear();
        let emptied = folders.iter().try_for_each(|folder| empty(folder));
        let prepared = emptied.and_then(|()| process(&command));
        let process = match prepared {
            Ok(process) => process,
            // As when the disk is full: the driver decides what to do.
            Err(error) => {
                answer(&Reply::Err(format!("{error:#}")))?;
                continue;
            }
        };
        let reply: Reply = match limited(spawner.spawn(process), &command) {
            Ok(mut child) => {
                limit(Some(Pid::from_child(&child)), Resource::As, memory);
                let termination = wait(&mut child, &command, Some(stdin.as_fd()));
                end_descendants();
                let Ok(termination) = termination else { break };
                Ok(termination)
            }
            Err(error) if user.is_some() && error.kind() == io::ErrorKind::PermissionDenied => Err(format!(
                "{error}: the sandbox's user cannot read a file that the program needs, such as a library in a private \
                 home; make that folder readable, move the compiler, or use --unconfined"
            )),
            Err(error) => Err(error.to_string()),
        };
        answer(&reply)?;
    }
    Ok(0)
}

fn answer<T: serde::Serialize>(value: &T) -> io::Result<()> {
    let mut reply = serde_json::to_vec(value)?;
    reply.push(b'\n');
    io::stdout().write_all(&reply)
}

/// Limit a process; none is this one and the processes that it starts from now on.
fn limit(process: Option<Pid>, resource: Resource, value: u64) {
    let _ = prlimit(process, resource, Rlimit { current: Some(value), maximum: Some(value) });
}

/// Wait for the program's remaining descendants, then kill them, until none is left.
fn end_descendants() {
    let deadline = Instant::now() + DESCENDANTS_TIMEOUT;
    loop {
        match wait_for_any(WaitOptions::NOHANG) {
            Err(_) => return,
            Ok(Some(_)) => {}
            Ok(None) if Instant::now() < deadline => std::thread::sleep(CHECK_INTERVAL),
            Ok(None) => {
                confine::kill_all_inside();
                let own = format!("/proc/self/task/{}/children", getpid().as_raw_nonzero());
                let children = std::fs::read_to_string(own).unwrap_or_default();
                for pid in children.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)) {
                    let _ = kill_process(pid, Signal::KILL);
                }
                std::thread::sleep(CHECK_INTERVAL);
            }
        }
    }
}
