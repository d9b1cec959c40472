//! The sandbox of programs under test: namespaces, a separate user, Landlock.
//!
//! There are several layers, because a machine may lack one of them. All are available to an ordinary user, except the
//! separate user: only root can change users. A missing layer is reported in [`Layer::unavailable`].

use std::ffi::CString;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::{Mutex, OnceLock, mpsc};

use camino::{Utf8Path, Utf8PathBuf};
use landlock::{
    ABI, AccessFs, AccessNet, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope,
};
use nix::sched::{CloneFlags, unshare};
use rustix::fs::{Mode, OFlags, open};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind, mount_change, unmount,
};
use rustix::process::{Gid, Uid, geteuid, getgid, getpid, getuid};
use rustix::thread::{set_thread_gid, set_thread_groups, set_thread_uid};
use serde::{Deserialize, Serialize};

use super::lock::lock;
use super::scratch::{left_folder, run_folder};
use crate::model::named_enum;

/// The folder in which programs write temporary files, whatever their environment contains.
const TMP: &str = "/tmp";
/// The name of the file systems that are mounted for programs.
const OWN_MOUNT: &str = "recount";

/// The maximum size of the files that a program may write into its folder, and into [`TMP`].
const TMPFS_MIB: u64 = 64;

/// The first of 2^24 unused user ids; each supervisor draws one.
const FIRST_USER: u32 = 0x7000_0000;

/// The newest version of Landlock that is requested; an older kernel enforces what it knows.
const LANDLOCK: ABI = ABI::V6;

/// The confinement that all programs of one supervisor share.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Confinement {
    /// Our own binary.
    pub binary: Utf8PathBuf,
    /// Address space of a program.
    pub memory_mib: u64,
    /// Largest file of a program.
    pub output_kib: u64,
    /// The worker's scratch folder.
    pub scratch: Utf8PathBuf,
    /// A folder that programs must be able to read: that of compilers with their own libraries.
    pub needed: Option<Utf8PathBuf>,
    /// Whether programs get limits only, and no sandbox.
    pub unconfined: bool,
}

/// A layer of the sandbox, and why it is missing if it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    pub name: LayerName,
    pub unavailable: Option<String>,
}

named_enum! {
    /// The layers, from the outermost, in the words of the kernel's manual.
    pub enum LayerName {
        Processes = "PID namespace",
        Network = "network namespace",
        Mounts = "mount namespace",
        User = "user of its own",
        Landlock = "Landlock",
    }
}

impl LayerName {
    /// What it prevents programs from doing.
    pub fn prevents(self) -> &'static str {
        match self {
            LayerName::Processes => "outliving their run, and seeing or signalling any other process",
            LayerName::Network => "using any network, loopback included",
            LayerName::Mounts => "filling a disk: their folder and /tmp are private, with 64 MiB each",
            LayerName::User => "changing files of root, and starting more than 64 processes",
            LayerName::Landlock => "writing outside their folder, TCP, signals and tracing",
        }
    }
}

/// Move this process and its children into new namespaces, with a new [`TMP`] and a new working directory below
/// `scratch`; returns the resulting layers. Programs can read the folder `needed`.
pub(super) fn separate(scratch: &Utf8Path, needed: Option<&Utf8Path>) -> Vec<Layer> {
    let allowed = if geteuid().is_root() { Ok(()) } else { own_user_namespace() };
    let enter = |flags: CloneFlags| {
        allowed.clone()?;
        unshare(flags).map_err(|error| error.desc().to_string())
    };
    let mounts = enter(CloneFlags::CLONE_NEWNS)
        .and_then(|()| mount_folders(scratch, needed).map_err(|error| error.to_string()));
    let network = enter(CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWIPC);
    let processes = enter(CloneFlags::CLONE_NEWPID);
    let layer = |name, result: Result<(), String>| Layer { name, unavailable: result.err() };
    vec![
        layer(LayerName::Processes, processes),
        layer(LayerName::Network, network),
        layer(LayerName::Mounts, mounts),
    ]
}

/// Enter a user namespace in which we keep our ids, which allows us to enter the other namespaces.
pub(super) fn own_user_namespace() -> Result<(), String> {
    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    unshare(CloneFlags::CLONE_NEWUSER).map_err(|error| format!("no user namespace: {}", error.desc()))?;
    let write = |file: &str, text: String| {
        std::fs::write(format!("/proc/self/{file}"), text).map_err(|error| format!("{file}: {error}"))
    };
    write("setgroups", "deny".into())?;
    write("uid_map", format!("{user} {user} 1"))?;
    write("gid_map", format!("{group} {group} 1"))
}

/// Whether this process is in a user namespace that has one user only.
pub(super) fn is_in_own_user_namespace() -> bool {
    id_ranges("uid_map").is_some_and(|ranges| ranges.iter().map(|range| range.1).sum::<u64>() == 1)
}

/// First id and length of each range of ids that this process can use.
fn id_ranges(file: &str) -> Option<Vec<(u64, u64)>> {
    let text = std::fs::read_to_string(format!("/proc/self/{file}")).ok()?;
    let range = |line: &str| {
        let mut words = line.split_whitespace();
        Some((words.next()?.parse().ok()?, words.nth(1)?.parse().ok()?))
    };
    text.lines().map(range).collect()
}

fn mount_folders(scratch: &Utf8Path, needed: Option<&Utf8Path>) -> io::Result<()> {
    // Mounts in here are not visible outside.
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    let mount_tmpfs = |at: &Utf8Path, mode: &str| {
        let data = CString::new(format!("mode={mode},size={TMPFS_MIB}m,nr_inodes=16k"))?;
        let flags = MountFlags::NOSUID | MountFlags::NODEV;
        mount(OWN_MOUNT, at.as_str(), "tmpfs", flags, Some(data.as_c_str())).map_err(io::Error::from)
    };
    mount_tmpfs(&run_folder(scratch), "1777")?;
    // Compilers that were installed for one user contain the libraries of their programs, in a home that other users
    // cannot enter. In here it contains nothing else.
    let home =
        needed.filter(|_| geteuid().is_root()).and_then(|folder| Some((folder, outermost_closed(folder)?)));
    if let Some((folder, closed)) = home.filter(|(_, closed)| !scratch.starts_with(closed)) {
        let real = open(folder.as_str(), OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        mount_tmpfs(closed, "0711")?;
        fs_err::create_dir_all(folder)?;
        mount_bind(format!("/proc/self/fd/{}", real.as_raw_fd()), folder.as_str())?;
    }
    // What is needed there must stay visible.
    let is_needed = scratch.starts_with(TMP) || needed.is_some_and(|folder| folder.starts_with(TMP));
    if is_needed { Ok(()) } else { mount_tmpfs(Utf8Path::new(TMP), "1777") }
}

/// Whether [`TMP`] was newly mounted.
fn has_own_tmp() -> bool {
    let mounts = std::fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    mounts.lines().any(|line| line.split(' ').take(2).eq([OWN_MOUNT, TMP]))
}

/// Unmount the working directory of programs, so that `scratch` can be removed.
pub(super) fn leave(scratch: &Utf8Path) {
    let _ = unmount(run_folder(scratch).as_str(), UnmountFlags::DETACH);
}

fn has(layers: &[Layer], name: LayerName) -> bool {
    layers.iter().any(|layer| layer.name == name && layer.unavailable.is_none())
}

/// The remaining layers, in the first process of the namespaces: the user of programs, and the thread that starts
/// them. The process itself keeps its user and its rights.
pub(super) fn enter(scratch: &Utf8Path, layers: &mut Vec<Layer>) -> (Option<u32>, Spawner) {
    if has(layers, LayerName::Processes) && has(layers, LayerName::Mounts) {
        // The old one shows processes outside. Only root may cover it.
        let _ =
            mount("proc", "/proc", "proc", MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC, None);
    }
    let user = own_user(scratch);
    let (folders, left) = (folders(scratch, layers), left_folder(scratch));
    // A program may signal a thread of its own user, but it cannot kill the first process of its namespace.
    let is_safe = has(layers, LayerName::Processes);
    let (mut spawner, (user, restricted)) = Spawner::new(move || {
        let restricted = restrict(&folders, Some(&left));
        (if is_safe { user.and_then(become_user) } else { user }, restricted)
    });
    spawner.user = user.clone().ok().filter(|_| !is_safe);
    layers.push(Layer { name: LayerName::User, unavailable: user.clone().err() });
    layers.push(Layer { name: LayerName::Landlock, unavailable: restricted.err() });
    (user.ok(), spawner)
}

/// The folders in which a program may write at will, and which are emptied before each run. [`TMP`] is one only if
/// it was newly mounted.
pub(super) fn folders(scratch: &Utf8Path, layers: &[Layer]) -> Vec<Utf8PathBuf> {
    let own_tmp = has(layers, LayerName::Mounts) && has_own_tmp();
    [run_folder(scratch)].into_iter().chain(own_tmp.then(|| TMP.into())).collect()
}

/// An unused user id, and access for this user to the programs below `scratch`.
fn own_user(scratch: &Utf8Path) -> Result<u32, String> {
    if !geteuid().is_root() {
        return Err("only root can change users; programs run as the user that recount runs as".into());
    }
    // In its namespace every supervisor has the process id 1, so the id cannot distinguish supervisors.
    let own = std::fs::read_to_string("/proc/sys/kernel/random/uuid").unwrap_or_default();
    let number = u32::from_str_radix(own.get(..6).unwrap_or("0"), 16).unwrap_or(0);
    let user = FIRST_USER + number;
    let is_mapped = |file| {
        let contains = |&(first, length): &(u64, u64)| (first..first + length).contains(&u64::from(user));
        id_ranges(file).is_some_and(|ranges| ranges.iter().any(contains))
    };
    if !is_mapped("uid_map") || !is_mapped("gid_map") {
        return Err("this user namespace has no free user ids".into());
    }
    let allow = |folder: &Utf8Path, mode| {
        let rights = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(folder, rights).map_err(|error| format!("{folder}: {error}"))
    };
    allow(scratch, 0o711)?;
    allow(&left_folder(scratch), 0o711)?;
    allow(&run_folder(scratch), 0o1777)?;
    match closed(scratch) {
        None => Ok(user),
        Some(folder) => {
            Err(format!("other users cannot enter {folder}; set TMPDIR to a folder that they can"))
        }
    }
}

/// The innermost of `path` and the folders above it that other users cannot enter.
fn closed(path: &Utf8Path) -> Option<&Utf8Path> {
    path.ancestors().find(|step| std::fs::metadata(step).is_ok_and(|found| found.mode() & 0o001 == 0))
}

/// The outermost such folder.
pub(super) fn outermost_closed(path: &Utf8Path) -> Option<&Utf8Path> {
    let mut found = closed(path)?;
    while let Some(above) = found.parent().and_then(closed) {
        found = above;
    }
    Some(found)
}

/// Change the user of this thread and of the processes that it will start. If each process changed users at its
/// start, std would have to fork, which copies our page tables.
fn become_user(user: u32) -> Result<u32, String> {
    set_thread_groups(&[])
        .and_then(|()| set_thread_gid(Gid::from_raw(user)))
        .and_then(|()| set_thread_uid(Uid::from_raw(user)))
        .map_err(|error| format!("cannot change to user {user}: {error}"))?;
    Ok(user)
}

/// Kill all other processes of this PID namespace, if we are its first process.
pub(super) fn kill_all_inside() {
    // Elsewhere this would kill every process of the machine.
    let is_first = getpid().is_init() && rustix::process::getppid().is_none();
    if is_first {
        let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(-1), nix::sys::signal::Signal::SIGKILL);
    }
}

/// Restrict writing of this thread and of the processes that it will start to `folders`, and forbid TCP: for
/// compilers and coverage tools, which are trusted more than programs. Without Landlock this does nothing.
/// Supervisors are started by another thread without restrictions, because a restricted one may not mount.
pub fn restrict_tool_writes(folders: &[Utf8PathBuf]) {
    starter();
    let _ = enforce(folders, None, false);
}

/// Restrict writing of this thread and of the processes that it will start to `folders`.
pub(super) fn restrict_writes(folders: &[Utf8PathBuf]) {
    let _ = enforce(folders, None, true);
}

/// The thread that starts supervisors.
fn starter() -> &'static Mutex<Spawner> {
    static STARTER: OnceLock<Mutex<Spawner>> = OnceLock::new();
    STARTER.get_or_init(|| Mutex::new(Spawner::new(|| ()).0))
}

/// Start a supervisor, from any thread.
pub(super) fn start_unrestricted(builder: Command) -> io::Result<Child> {
    lock(starter()).spawn(builder)
}

/// A thread that starts programs. Landlock restricts a thread and the processes that it starts, and a thread can have
/// its own user. The supervisor itself keeps its rights and is not accessible to programs.
#[derive(Debug)]
pub(super) struct Spawner {
    builders: mpsc::Sender<Command>,
    children: mpsc::Receiver<io::Result<Child>>,
    /// The user that programs get at their start, where the thread has another one.
    pub(super) user: Option<u32>,
}

impl Spawner {
    /// A spawner whose thread does `first` before it starts programs, and the result of `first`.
    pub(super) fn new<T: Send + 'static>(first: impl FnOnce() -> T + Send + 'static) -> (Spawner, T) {
        let (builders, to_start) = mpsc::channel::<Command>();
        let (reports, children) = mpsc::channel();
        let (sender, result) = mpsc::channel();
        std::thread::spawn(move || {
            let _ = sender.send(first());
            for mut builder in to_start {
                if reports.send(builder.spawn()).is_err() {
                    break;
                }
            }
        });
        let result = result.recv().expect("the new thread sends a result");
        (Spawner { builders, children, user: None }, result)
    }

    pub(super) fn spawn(&self, mut builder: Command) -> io::Result<Child> {
        if let Some(user) = self.user {
            builder.uid(user).gid(user);
        }
        let died = || io::Error::other("the thread that starts programs died");
        self.builders.send(builder).map_err(|_| died())?;
        self.children.recv().map_err(|_| died())?
    }
}

/// Restrict this thread and the processes that it will start: they may write anywhere in `folders`, and into the files
/// that exist in `left`. An error unless all of it is enforced.
fn restrict(folders: &[Utf8PathBuf], left: Option<&Utf8Path>) -> Result<(), String> {
    match enforce(folders, left, false).map_err(|error| error.to_string())? {
        RulesetStatus::FullyEnforced => Ok(()),
        RulesetStatus::PartiallyEnforced => {
            Err(format!("only in part: this kernel does not support {LANDLOCK:?}"))
        }
        RulesetStatus::NotEnforced => Err("this kernel does not support it, or it is not enabled".into()),
    }
}

fn enforce(
    folders: &[Utf8PathBuf],
    left: Option<&Utf8Path>,
    has_tcp: bool,
) -> Result<RulesetStatus, RulesetError> {
    let all = AccessFs::from_write(LANDLOCK);
    let write = AccessFs::WriteFile | AccessFs::Truncate;
    let mut ruleset = Ruleset::default().handle_access(all)?;
    if !has_tcp {
        ruleset = ruleset.handle_access(AccessNet::BindTcp | AccessNet::ConnectTcp)?;
    }
    // Tools receive signals and use sockets; programs, which are those that leave files, may not.
    if left.is_some() {
        ruleset = ruleset.scope(Scope::Signal | Scope::AbstractUnixSocket)?;
    }
    let mut rules = ruleset.create()?;
    let anywhere = folders.iter().map(|folder| (folder.as_str(), all));
    let existing = left.into_iter().map(|folder| (folder.as_str(), write));
    let devices = ["/dev/null", "/dev/zero", "/dev/full"].map(|device| (device, write));
    for (path, access) in anywhere.chain(existing).chain(devices) {
        // A path that does not exist needs no rule.
        let Ok(place) = PathFd::new(path) else { continue };
        rules = rules.add_rule(PathBeneath::new(place, access))?;
    }
    Ok(rules.restrict_self()?.ruleset)
}
