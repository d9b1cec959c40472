//! The sandbox of a package's own commands: `recount confined SANDBOX -- COMMAND`.
//!
//! They may write in the folders of the audit and in a /tmp of their own, see and signal only their own processes, reach no
//! network but loopback unless that is allowed, and run as an unprivileged user if recount runs as root. A machine may lack a layer, which is then
//! said. All processes end with the command.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::lchown;
use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use nix::sched::{CloneFlags, unshare};
use rustix::fs::{Mode, OFlags, open};
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_bind, mount_change};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socket_with};
use rustix::process::{Signal, WaitOptions, geteuid, set_parent_process_death_signal, wait};
use serde::{Deserialize, Serialize};

use super::confine::{outermost_closed, own_user_namespace, restrict_writes};

/// The user without rights, `nobody`.
const NOBODY: u32 = 65534;

/// The argument of the first process inside.
const INSIDE: &str = "inside";

/// What the commands of a package may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackageSandbox {
    /// Folders that they may change.
    pub writable: Vec<Utf8PathBuf>,
    /// Folders that they must be able to read although other users cannot enter them.
    pub needed: Vec<Utf8PathBuf>,
    pub has_network: bool,
    /// A file for the layers that are missing, one a line.
    pub missing: Utf8PathBuf,
}

/// Make `folder` and everything in it belong to the user that runs the commands of packages.
pub fn give_to_package_user(folder: &Utf8Path) -> io::Result<()> {
    if !geteuid().is_root() {
        return Ok(());
    }
    lchown(folder, Some(NOBODY), Some(NOBODY))?;
    if folder.symlink_metadata()?.is_dir() {
        for entry in folder.read_dir_utf8()? {
            give_to_package_user(entry?.path())?;
        }
    }
    Ok(())
}

/// The words that run `program` in the sandbox, for the binary `recount`.
pub fn confined_words(sandbox: &PackageSandbox, program: &str, args: &[String]) -> Result<Vec<String>> {
    let front = ["confined".to_string(), serde_json::to_string(sandbox)?, "--".into(), program.into()];
    Ok([&front[..], args].concat())
}

/// Run the command `words` in the sandbox; its exit code, or 128 and the number of the signal that ended it.
pub fn run_confined(sandbox: &str, words: &[String]) -> Result<i32> {
    let sandbox: PackageSandbox = serde_json::from_str(sandbox).context("read the sandbox")?;
    if words.first().is_some_and(|word| word == INSIDE) {
        return run_inside(&sandbox, &words[1..]);
    }
    let mut missing = Vec::new();
    let mut note = |layer: &str, result: Result<(), String>| {
        if let Err(reason) = result {
            missing.push(format!("{layer}: {reason}"));
        }
    };
    let allowed = if geteuid().is_root() { Ok(()) } else { own_user_namespace() };
    let enter = |flags: CloneFlags| {
        allowed.clone()?;
        unshare(flags).map_err(|error| error.desc().to_string())
    };
    let mounts = enter(CloneFlags::CLONE_NEWNS)
        .and_then(|()| mount_folders(&sandbox).map_err(|error| error.to_string()));
    if let (Err(reason), true) = (&mounts, geteuid().is_root()) {
        let mut visible = sandbox.writable.iter().chain(&sandbox.needed);
        if let Some(closed) = visible.find_map(|path| outermost_closed(path)) {
            bail!(
                "only root can enter {closed}, the commands run as another user, and there is no mount namespace to show them what they need \
                 of it ({reason}); keep the package and recount in a folder that all users can enter, or run recount as another user"
            );
        }
    }
    note("mount namespace", mounts);
    if !sandbox.has_network {
        let network = enter(CloneFlags::CLONE_NEWNET);
        let is_own = network.is_ok();
        note("network namespace", network);
        if is_own {
            note("loopback", begin_loopback().map_err(|error| error.to_string()));
        }
    }
    note("PID namespace", enter(CloneFlags::CLONE_NEWPID));
    std::fs::write(&sandbox.missing, missing.join("\n"))?;
    // The first process in the namespaces.
    let mut child = Command::new("/proc/self/exe")
        .args(["confined", &serde_json::to_string(&sandbox)?, "--", INSIDE])
        .args(words)
        .spawn()
        .context("start the first process of the sandbox")?;
    Ok(child.wait()?.code().unwrap_or(1))
}

fn run_inside(sandbox: &PackageSandbox, words: &[String]) -> Result<i32> {
    set_parent_process_death_signal(Some(Signal::KILL)).context("ask to end with the audit")?;
    if std::process::id() == 1 {
        // The old one shows processes outside.
        let _ =
            mount("proc", "/proc", "proc", MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC, None);
    }
    let (program, args) = words.split_first().context("no command")?;
    let mut command = Command::new(program);
    command.args(args);
    if geteuid().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    } else {
        let shared =
            ["/tmp", "/var/tmp", "/dev/shm", "/dev/tty", "/dev/ptmx", "/dev/pts"].map(Utf8PathBuf::from);
        restrict_writes(&[&sandbox.writable[..], &shared].concat());
    }
    let child = command.spawn().with_context(|| format!("start {program}"))?;
    // Orphans of the command become our children.
    loop {
        let Some((pid, status)) = wait(WaitOptions::empty())? else { continue };
        if pid.as_raw_nonzero().get().unsigned_abs() == child.id() {
            let by_signal = status.terminating_signal().map(|signal| 128 + signal);
            return Ok(status.exit_status().or(by_signal).unwrap_or(1));
        }
    }
}

/// Switch on the loopback device of this network namespace, for tests with a server of their own. The message is described in
/// rtnetlink(7): a header, and which flags of device 1 change.
fn begin_loopback() -> io::Result<()> {
    const NEW_LINK: u16 = 16;
    const REQUEST_WITH_ANSWER: u16 = 1 | 4;
    const LOOPBACK: u32 = 1;
    const UP: u32 = 1;
    let header =
        [&32_u32.to_ne_bytes()[..], &NEW_LINK.to_ne_bytes(), &REQUEST_WITH_ANSWER.to_ne_bytes(), &[0; 8]];
    let device = [&[0; 4][..], &LOOPBACK.to_ne_bytes(), &UP.to_ne_bytes(), &UP.to_ne_bytes()];
    // The first protocol of netlink is about routes and devices.
    let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
    send(&socket, &[header.concat(), device.concat()].concat(), SendFlags::empty())?;
    let mut answer = [0; 128];
    recv(&socket, &mut answer[..], RecvFlags::empty())?;
    let code = i32::from_ne_bytes(answer[16..20].try_into().expect("four bytes"));
    if code == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(-code)) }
}

/// Give the commands a /tmp of their own, and show what they need of folders that other users cannot enter.
fn mount_folders(sandbox: &PackageSandbox) -> io::Result<()> {
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    let visible: Vec<&Utf8PathBuf> = sandbox.writable.iter().chain(&sandbox.needed).collect();
    let opened = |paths: &[&Utf8PathBuf]| -> io::Result<Vec<(Utf8PathBuf, OwnedFd)>> {
        let open_one = |path: &&Utf8PathBuf| {
            let file = open(path.as_str(), OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
            Ok((path.to_path_buf(), file))
        };
        paths.iter().map(open_one).collect()
    };
    let mut covered: Vec<Utf8PathBuf> = vec!["/tmp".into()];
    if geteuid().is_root() {
        for path in &visible {
            covered.extend(outermost_closed(path).map(Utf8Path::to_path_buf));
        }
    }
    covered.sort();
    covered.dedup();
    for folder in covered {
        // The folders of the audit themselves are for the user of the commands.
        let inside: Vec<&Utf8PathBuf> =
            visible.iter().filter(|path| path.starts_with(&folder) && **path != &folder).copied().collect();
        if visible.iter().any(|path| **path == folder) {
            continue;
        }
        let files = opened(&inside)?;
        let mode = if folder == "/tmp" { c"mode=1777" } else { c"mode=0711" };
        mount("recount", folder.as_str(), "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, Some(mode))?;
        for (path, file) in files {
            std::fs::create_dir_all(&path)?;
            mount_bind(format!("/proc/self/fd/{}", file.as_raw_fd()), path.as_str())?;
        }
    }
    Ok(())
}
